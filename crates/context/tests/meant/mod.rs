//! The differences from gptme that are meant, each with the row of `docs/differences.md` of that name.

use std::fmt;

use convlog_context::{active_generation, hoist_resume_prompts};
use convlog_message::json::{Object, Value};
use convlog_message::{Message, Role};

use crate::common::gptme::as_value;

/// One log, and what both made of it.
pub(crate) struct Case<'a> {
    pub(crate) log: &'a [Message],
    pub(crate) limit: Option<usize>,
    pub(crate) ours: Value,
    pub(crate) theirs: Value,
}

impl<'a> Case<'a> {
    /// Compares without the kinds of prompts that were applied again: convlog takes them off what it moved.
    pub(crate) fn new(log: &'a [Message], limit: Option<usize>, ours: Value, theirs: Value) -> Self {
        Self { log, limit, ours: without_kinds(ours), theirs: without_kinds(theirs) }
    }
}

fn without_kinds(value: Value) -> Value {
    let Value::Array(messages) = value else { return value };
    let strip = |message: Value| {
        let mut message = message.as_object().unwrap().clone();
        if let Some(metadata) = message.remove("metadata") {
            let mut metadata = metadata.as_object().unwrap().clone();
            metadata.remove("resume_key");
            if !metadata.is_empty() {
                message.insert("metadata", metadata);
            }
        }
        Value::Object(message)
    };
    messages.into_iter().map(strip).collect::<Vec<_>>().into()
}

/// A difference that is meant.
pub(crate) struct Difference {
    /// As in `docs/differences.md`.
    pub(crate) name: &'static str,
    /// Whether it is what makes this case differ.
    pub(crate) shows: fn(&Case<'_>) -> bool,
}

/// gptme takes the marks of prompts from any message and of any type, and a message may have both.
pub(crate) const ODD_PROMPT_KEY: Difference = Difference {
    name: "odd_prompt_key",
    shows: |case| {
        case.log.iter().any(|message| {
            let key = |key| message.metadata().get(key);
            let (generation, kind) = (key("prompt_generation"), key("resume_key"));
            let is_odd = |value: &Value| value.as_str().is_none() || *message.role() != Role::System;
            generation.is_some_and(is_odd) || kind.is_some_and(is_odd) || (generation.is_some() && kind.is_some())
        })
    },
};

/// gptme takes a prompt that was applied again for part of the start prompt when it stands there, and counts
/// wrongly what else stands there once it is moved.
pub(crate) const RESUME_PROMPT_IN_A_START_PROMPT: Difference = Difference {
    name: "resume_prompt_in_a_start_prompt",
    shows: |case| {
        either(case.log, |sent| {
            let is_resume = |message: &Message| message.metadata().resume_key().is_some_and(|key| !key.is_empty());
            sent.iter().take_while(|message| *message.role() == Role::System).any(is_resume)
        })
    },
};

/// gptme lets a lasting message expire with an ephemeral one that it was joined with.
pub(crate) const LASTING_BESIDE_EPHEMERAL: Difference = Difference {
    name: "lasting_beside_ephemeral",
    shows: |case| {
        let has = |is_lasting: bool| case.log.iter().any(|message| message.ephemeral_ttl().is_none() == is_lasting);
        without_ttl(&case.ours) == without_ttl(&case.theirs) && has(true) && has(false)
    },
};

/// gptme joins neighbours before it prunes, and the whole lives as long as the part that lives shortest.
pub(crate) const NEIGHBOURS_THAT_LIVE_UNALIKE: Difference = Difference {
    name: "neighbours_that_live_unalike",
    shows: |case| {
        let sent = hoist_resume_prompts(active_generation(without_ui(case.log)));
        let unalike = |a: &Message, b: &Message| a.role() == b.role() && a.ephemeral_ttl() != b.ephemeral_ttl();
        sent.windows(2).any(|pair| unalike(&pair[0], &pair[1]))
    },
};

/// gptme drops a pinned call whose result is gone, and leaves a pinned result without its call.
pub(crate) const PINNED_IN_A_PAIR: Difference = Difference {
    name: "pinned_in_a_pair",
    shows: |case| {
        let is_mixed = |pair: &Vec<Message>| pair.iter().any(Message::pinned) && !pair.iter().all(Message::pinned);
        either(case.log, |sent| pairs(sent).iter().any(is_mixed))
    },
};

/// gptme counts a call as a turn for what came before, though the call goes with its result.
pub(crate) const CALL_THAT_WENT_WITH_ITS_RESULT: Difference = Difference {
    name: "call_that_went_with_its_result",
    shows: |case| {
        let is_ephemeral = |message: &Message| message.ephemeral_ttl().is_some();
        either(case.log, |sent| pairs(sent).iter().any(|pair| pair[1..].iter().any(is_ephemeral)))
    },
};

/// gptme joins messages after it has limited them, and the blank lines between them are too much.
pub(crate) const JOINED_BEYOND_THE_LIMIT: Difference =
    Difference {
        name: "joined_beyond_the_limit",
        shows: |case| {
            let contents =
                case.theirs.as_array().unwrap().iter().map(|message| {
                    message.as_object().unwrap().get("content").unwrap().as_str().unwrap().chars().count()
                });
            case.limit.is_some_and(|limit| contents.sum::<usize>() > limit)
        },
    };

/// gptme looks through a prompt that was applied again only when it is the last message.
pub(crate) const REMINDER_BEHIND_RESUME_PROMPT: Difference = Difference {
    name: "reminder_behind_resume_prompt",
    shows: |case| {
        let is_reminder = |message: &&Message| {
            *message.role() == Role::System
                && message.call_id().is_none()
                && message.metadata().get("compaction_reminder_view").is_some()
        };
        let before = case.log.iter().rev().find(|message| !is_reminder(message));
        case.log.last().is_some_and(|last| is_reminder(&last) && !last.pinned())
            && before.is_some_and(|message| message.pinned() && message.metadata().get("resume_key").is_some())
    },
};

/// gptme takes a message of any other role than the person's and the system's for the assistant's.
pub(crate) const ANSWER_OF_ANOTHER_ROLE: Difference = Difference {
    name: "answer_of_another_role",
    shows: |case| since_asked(case.log).any(|message| !message.role().is_known()),
};

/// gptme reads calls in the one format that it is set to, code blocks apart; the log does not say which.
pub(crate) const CALL_IN_ANOTHER_FORMAT: Difference = Difference {
    name: "call_in_another_format",
    shows: |case| since_asked(case.log).any(|message| message.content().contains("<tool-use>")),
};

fn since_asked(log: &[Message]) -> impl Iterator<Item = &Message> {
    log.iter().rev().take_while(|message| *message.role() != Role::User)
}

fn without_ui(log: &[Message]) -> Vec<Message> {
    log.iter().filter(|message| !message.ui_only()).cloned().collect()
}

/// Whether it holds of the log as it is (what a single step got) or as the later steps get it.
fn either(log: &[Message], holds: impl Fn(&[Message]) -> bool) -> bool {
    holds(log) || holds(&active_generation(without_ui(log))) || holds(&without_ui(log))
}

/// The assistant's messages that have results, each with them.
fn pairs(log: &[Message]) -> Vec<Vec<Message>> {
    let mut pairs: Vec<Vec<Message>> = Vec::new();
    let mut is_open = false;
    for message in log {
        match message.role() {
            Role::Assistant => {
                pairs.push(vec![message.clone()]);
                is_open = true;
            }
            Role::System if message.call_id().is_some() && is_open => pairs.last_mut().unwrap().push(message.clone()),
            Role::System => {}
            _ => is_open = false,
        }
    }
    pairs.retain(|pair| pair.len() > 1);
    pairs
}

fn without_ttl(list: &Value) -> Vec<Object> {
    let objects = list.as_array().unwrap().iter().map(|message| message.as_object().unwrap().clone());
    objects
        .map(|mut message| {
            message.remove("ephemeral_ttl");
            message
        })
        .collect()
}

impl fmt::Display for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let log = Value::Array(self.log.iter().map(as_value).collect());
        writeln!(f, "limit {:?}", self.limit)?;
        for (name, value) in [("log", &log), ("ours", &self.ours), ("theirs", &self.theirs)] {
            writeln!(f, "{name}")?;
            let lines: &[Value] = value.as_array().unwrap_or(std::slice::from_ref(value));
            for line in lines {
                let mut text = Vec::new();
                convlog_codec::json::write_value(line, convlog_codec::json::Style::Gptme, &mut text);
                writeln!(
                    f,
                    "  {}",
                    String::from_utf8_lossy(&text).replace("\"timestamp\": \"2026-01-02T03:04:05\"", "")
                )?;
            }
        }
        Ok(())
    }
}
