//! Random logs, dense in what the steps look at.

use convlog_message::json::Value;
use convlog_message::{Message, Metadata, Role};
use proptest::prelude::*;

/// Up to so many messages of any kind in any order.
pub(crate) fn any_log(most: usize) -> impl Strategy<Value = Vec<Message>> {
    prop::collection::vec(any_message(), 0..=most)
}

/// A log as programs write them: a start prompt, then turns with calls and their results, prompts applied
/// again, new prompt generations and notes.
pub(crate) fn turns(most: usize) -> impl Strategy<Value = Vec<Message>> {
    let start = prop::collection::vec(start_prompt(), 0..4);
    let turns = prop::collection::vec(turn(), 0..=most);
    (start, turns).prop_map(|(start, turns)| start.into_iter().chain(turns.into_iter().flatten()).collect())
}

fn any_message() -> impl Strategy<Value = Message> {
    let role = prop_oneof![3 => Just("system"), 4 => Just("user"), 4 => Just("assistant"), 1 => Just("tool")];
    let call = prop::option::weighted(0.2, prop_oneof![Just("c1"), Just("c2")]);
    let keeps_odd = prop::bool::weighted(0.15);
    (role, content(), call, metadata(), keeps_odd, flags()).prop_map(|(role, content, call, metadata, odd, flags)| {
        let is_prompt = role == "system" || odd;
        let plain = || metadata.clone().without("prompt_generation").without("resume_key");
        let metadata = if is_prompt { metadata.clone() } else { plain() };
        flags.set(super::say(Role::from(role), &content).with_call_id(call).with_metadata(metadata))
    })
}

fn start_prompt() -> impl Strategy<Value = Message> {
    let content = prop_oneof![content(), Just("You are Ada. Be P1.".to_owned())];
    prop_oneof![4 => content.prop_map(|content| super::system(&content).with_pinned(true)), 1 => resume_prompt()]
}

fn resume_prompt() -> impl Strategy<Value = Message> {
    let kind = prop_oneof![Just("agent_profile"), Just("k")];
    (content(), kind, any::<bool>()).prop_map(|(content, kind, pinned)| {
        super::system(&content).with_pinned(pinned).with_metadata(Metadata::new().with("resume_key", kind))
    })
}

fn turn() -> impl Strategy<Value = Vec<Message>> {
    let ask = (content(), flags()).prop_map(|(content, flags)| vec![flags.set(super::user(&content))]);
    let answer = (content(), flags()).prop_map(|(content, flags)| vec![flags.set(super::assistant(&content))]);
    let call = (prop::collection::vec((content(), flags()), 1..4), flags()).prop_map(|(results, flags)| {
        let call = flags.set(super::assistant("@shell(c1): {\"command\": \"ls\"}"));
        let results = results.into_iter().zip(1..).map(|((content, flags), at)| {
            let id = format!("c{at}");
            flags.set(if at == 3 { super::system(&content) } else { super::result(&id, &content) })
        });
        std::iter::once(call).chain(results).collect()
    });
    let note = any_message().prop_map(|message| vec![message]);
    let reminder = Metadata::new().with("compaction_reminder_view", "v");
    let reminder = Just(vec![super::system("Compact soon.").with_metadata(reminder)]);
    let prompt = resume_prompt().prop_map(|message| vec![message]);
    prop_oneof![4 => ask, 4 => answer, 4 => call, 2 => note, 2 => prompt, 1 => reminder]
}

fn content() -> impl Strategy<Value = String> {
    const TEXTS: [&str; 18] = [
        "a",
        "b b",
        "",
        "Interrupted by user",
        "Execution declined by user",
        "LLM request failed: 529",
        convlog_context::CACHE_BOUNDARY,
        "# Agent Profile:\nAda",
        "# Agent Profile:\nBob\n# Tools: \nnone",
        "```save a.txt\nhi\n```",
        "@patch(c1): {\"path\": \"a\"}",
        "see\n@save(x) and\n@save(c 1): {}\n```\n@save(c1): {}\n```",
        "```shell\nls\n```\n\n@append(c2): {\"a\": \"}\"} @morph(c3): {}",
        "<tool-use><save path=\"a\">x</save></tool-use>",
        "P1",
        "P2",
        "P1 then P2",
        "a long text, ninety letters or so, that takes a good part of what there is for all of them",
    ];
    prop_oneof![
        5 => prop::sample::select(&TEXTS[..]).prop_map(str::to_owned),
        3 => "[a-z]{1,12}",
        1 => "\\PC{0,6}",
    ]
}

fn metadata() -> impl Strategy<Value = Metadata> {
    let text = |text: &str| Value::from(text);
    let member = prop_oneof![
        3 => prop::sample::select(vec![text("1"), text("2"), text("")]).prop_map(|v| ("prompt_generation", v)),
        4 => prop::sample::select(vec![text("agent_profile"), text("k"), text("")]).prop_map(|v| ("resume_key", v)),
        1 => Just(("compaction_reminder_view", text("v"))),
        1 => any::<bool>().prop_map(|stop| ("max_steps_stop", stop.into())),
        1 => any::<bool>().prop_map(|is_block| ("anthropic_compaction_block", is_block.into())),
        1 => prop::sample::select(vec!["prompt_generation", "resume_key"]).prop_map(|key| (key, Value::Null)),
    ];
    let members = prop::collection::vec(member, 0..3);
    let some =
        members.prop_map(|members| members.into_iter().fold(Metadata::new(), |m, (key, value)| m.with(key, value)));
    prop_oneof![1 => some, 2 => Just(Metadata::new())]
}

/// What a message has beside its text.
#[derive(Clone, Debug)]
struct Flags {
    pinned: bool,
    hide: bool,
    ui_only: bool,
    ttl: Option<i64>,
    files: Vec<(String, String)>,
}

impl Flags {
    fn set(self, message: Message) -> Message {
        let files: Vec<_> = self.files.iter().map(|(file, _)| file.as_str()).collect();
        let message = message.with_pinned(self.pinned).with_hide(self.hide).with_ui_only(self.ui_only);
        message.with_ephemeral_ttl(self.ttl).with_files(files).with_file_hashes(self.files)
    }
}

fn flags() -> impl Strategy<Value = Flags> {
    let file = ("/f/[ab]", "[0-9]{2}");
    let files = prop_oneof![6 => Just(Vec::new()), 1 => prop::collection::vec(file, 1..3)];
    let is = prop::bool::weighted;
    (is(0.12), is(0.1), is(0.06), prop::option::weighted(0.25, -1..4_i64), files)
        .prop_map(|(pinned, hide, ui_only, ttl, files)| Flags { pinned, hide, ui_only, ttl, files })
}
