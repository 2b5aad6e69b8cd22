//! Prompts that were applied again: [`hoist_resume_prompts`].

use convlog_message::{Message, Role};

use crate::generation::generation;

/// Kinds of prompts that older conversations hold as a section of the start prompt, and how that begins.
const SECTIONS: [(&str, &str); 1] = [("agent_profile", "# Agent Profile:")];

/// Moves prompts that were applied again behind the leading system messages, only the newest of each kind.
/// When a conversation is resumed, a prompt that changed (an agent's profile, say) is appended with its kind
/// in the metadata (`resume_key`, a text that is not empty; it counts on system messages that bear no
/// `prompt_generation`). A model is to get it as part of the start prompt:
/// - older ones of a kind are left out, and where their text stands within a leading system message it is cut
///   out of that;
/// - a prompt whose text stands whole in the start prompt, or in a prompt generation, is left out with all of
///   its kind;
/// - an agent's profile (`resume_key` is `agent_profile`) takes the place of a leading system message that is
///   nothing but such a profile (it begins with `# Agent Profile:` and has no other section).
///
/// What was moved is part of the start prompt from then on, and no longer bears its kind. Without such prompts
/// nothing changes. Kinds keep the order in which each first occurs. The cost is linear
/// for a few kinds.
///
/// ```
/// use convlog_context::hoist_resume_prompts;
/// use convlog_message::{Message, Metadata, Role, Timestamp};
///
/// let say = |role, text| Message::new(role, text, Timestamp::now());
/// let profile = |text| say(Role::System, text).with_metadata(Metadata::new().with("resume_key", "agent_profile"));
/// let sent = hoist_resume_prompts(vec![
///     say(Role::System, "Be brief."),
///     say(Role::User, "Hi."),
///     profile("Your name is Ada."),
///     profile("Your name is Bob."),
/// ]);
/// assert_eq!(sent.iter().map(Message::content).collect::<Vec<_>>(), ["Be brief.", "Your name is Bob.", "Hi."]);
/// ```
#[must_use]
pub fn hoist_resume_prompts(messages: Vec<Message>) -> Vec<Message> {
    let kinds = kinds(&messages);
    if kinds.is_empty() {
        return messages;
    }
    let is_other = |message: &&Message| resume_key(message).is_none();
    let is_system = |message: &&Message| *message.role() == Role::System;
    let start: Vec<&Message> = messages.iter().filter(is_other).take_while(is_system).collect();
    let generations = messages.iter().filter(|message| generation(message).is_some());
    let bases: Vec<&str> = start.iter().copied().chain(generations).map(Message::content).collect();
    let newest: Vec<&Message> = kinds.into_iter().filter(|prompt| !is_embedded(prompt.content(), &bases)).collect();
    let is_newest = |message: &Message| newest.iter().any(|prompt| std::ptr::eq(*prompt, message));
    let older: Vec<&str> = messages
        .iter()
        .filter(|message| !is_newest(message) && newest.iter().any(|prompt| resume_key(prompt) == resume_key(message)))
        .map(Message::content)
        .filter(|content| !content.is_empty())
        .collect();
    let sections: Vec<&str> = SECTIONS
        .iter()
        .filter(|(kind, _)| newest.iter().any(|prompt| resume_key(prompt) == Some(kind)))
        .map(|(_, beginning)| *beginning)
        .collect();

    let mut sent = Vec::with_capacity(messages.len());
    sent.extend(
        start
            .iter()
            .map(|message| without(message, &older))
            .filter(|message| !sections.iter().any(|beginning| is_section(message.content(), beginning))),
    );
    sent.extend(newest.iter().map(|prompt| as_start(prompt)));
    sent.extend(messages.iter().filter(is_other).skip(start.len()).cloned());
    sent
}

/// The newest prompt of each kind, in the order in which the kinds first occur.
fn kinds(messages: &[Message]) -> Vec<&Message> {
    let mut kinds: Vec<&Message> = Vec::new();
    for message in messages {
        let Some(key) = resume_key(message) else { continue };
        match kinds.iter_mut().find(|prompt| resume_key(prompt) == Some(key)) {
            Some(newest) => *newest = message,
            None => kinds.push(message),
        }
    }
    kinds
}

/// Whether a text stands within one of those of the start prompt.
fn is_embedded(text: &str, bases: &[&str]) -> bool {
    !text.is_empty() && bases.iter().any(|base| base.contains(text))
}

/// The prompt as part of the start prompt: moved once and for all.
fn as_start(prompt: &Message) -> Message {
    let metadata = prompt.metadata().clone().without("resume_key");
    prompt.clone().with_metadata(metadata)
}

/// The message without the first occurrence of each text.
fn without(message: &Message, texts: &[&str]) -> Message {
    let mut content = std::borrow::Cow::Borrowed(message.content());
    for text in texts {
        if content.contains(text) {
            content = content.replacen(text, "", 1).into();
        }
    }
    match content {
        std::borrow::Cow::Borrowed(_) => message.clone(),
        std::borrow::Cow::Owned(content) => message.clone().with_content(content),
    }
}

/// Whether a text is one section and nothing else: it begins so, and no later line is a heading that ends in
/// a colon.
fn is_section(text: &str, beginning: &str) -> bool {
    text.starts_with(beginning)
        && !text.split('\n').skip(1).any(|line| line.starts_with("# ") && line.trim_end().ends_with(':'))
}

/// The kind of a prompt that was applied again: a system message, and no part of a prompt generation.
fn resume_key(message: &Message) -> Option<&str> {
    let is_prompt = *message.role() == Role::System && generation(message).is_none();
    message.metadata().resume_key().filter(|key| is_prompt && !key.is_empty())
}
