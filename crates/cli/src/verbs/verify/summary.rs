//! What `convlog verify --all` sums up: [`Summary`].

use std::collections::BTreeMap;
use std::fmt;

use convlog_store::{FaultKind, Verification};
use serde_json::json;

use crate::output::counted;

/// How many conversations are named that want healing.
const NAMED: usize = 5;

/// All conversations together.
#[derive(Debug, Default)]
pub(super) struct Summary {
    conversations: u64,
    sound: u64,
    /// Those that cannot be opened at all.
    unopened: u64,
    messages: u64,
    attachments: u64,
    /// How often each kind of fault was found, by its code.
    faults: BTreeMap<&'static str, u64>,
    /// What a crash left there waits for the next opening.
    to_recover: Vec<String>,
}

impl Summary {
    pub(super) fn add(&mut self, id: &str, found: &Verification) {
        let more = |count: &mut u64, by: u64| *count = count.saturating_add(by);
        more(&mut self.conversations, 1);
        more(&mut self.sound, found.is_sound().into());
        more(&mut self.messages, found.messages);
        more(&mut self.attachments, found.attachments);
        for fault in found.faults.iter().filter(|fault| !fault.is_note()) {
            more(self.faults.entry(fault.kind.code()).or_default(), 1);
        }
        if found.faults.iter().any(|fault| matches!(fault.kind, FaultKind::Unrecovered(_))) {
            self.to_recover.push(id.to_owned());
        }
    }

    pub(super) fn add_unopened(&mut self) {
        self.unopened = self.unopened.saturating_add(1);
    }

    pub(super) fn is_sound(&self) -> bool {
        self.sound == self.conversations && self.unopened == 0
    }

    pub(super) fn as_json(&self) -> serde_json::Value {
        json!({
            "ok": self.is_sound(),
            "conversations": self.conversations,
            "sound": self.sound,
            "unopened": self.unopened,
            "messages": self.messages,
            "attachments": self.attachments,
            "faults": self.faults,
            "to_recover": self.to_recover,
        })
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (messages, attachments) = (counted(self.messages, "message"), counted(self.attachments, "attachment"));
        write!(f, "{} with {messages} and {attachments}: ", counted(self.conversations, "conversation"))?;
        match self.conversations.saturating_sub(self.sound) {
            0 => f.write_str("all sound")?,
            with_faults => write!(f, "{} sound, {with_faults} with faults", self.sound)?,
        }
        if self.unopened > 0 {
            write!(f, "; {} more cannot be opened, as told above", self.unopened)?;
        }
        let mut told = BTreeMap::<_, u64>::new();
        for (kind, count) in &self.faults {
            let sum = told.entry(in_words(kind)).or_default();
            *sum = sum.saturating_add(*count);
        }
        for (kind, count) in told {
            write!(f, "\n  {count:>5}  {kind}")?;
        }
        if !self.to_recover.is_empty() {
            let named = self.to_recover.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
            let more = if self.to_recover.len() > NAMED { ", …" } else { "" };
            let which = counted(self.to_recover.len() as u64, "conversation");
            write!(
                f,
                "\n{which} will be healed by whatever writes there next, or by `convlog recover ID`: {named}{more}"
            )?;
        }
        Ok(())
    }
}

/// A kind of fault in words, and what can be done.
fn in_words(kind: &str) -> &'static str {
    match kind {
        "differs-from-event-log" => {
            "messages that another program changed; `convlog recover ID --from-events` brings back the event log's"
        }
        "event" => "places in event logs that do not fit their hashes; what can be read stays in use",
        "attachment" => "attachments whose stored copy is missing or changed; put the file back, or attach it anew",
        "view-marker" => "markers of a view that is not there; `convlog view ID --main` goes back to the full history",
        "unreadable" => "logs that cannot be read at all",
        "framing" => "lines with something behind their message",
        _ => "damaged lines; what can be read of them is read, and every byte stays in the file",
    }
}
