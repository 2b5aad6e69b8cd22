//! A session as one JSON object, as gptme's `to_dict` gives it.

use convlog_codec::json::{Style, parse};
use convlog_codec::jsonl::write_message;
use convlog_message::Log;
use convlog_message::json::{Object, Value};

use super::Session;
use crate::{Conversation, ReadError, Transcript};

impl Session {
    /// The session as a JSON object: `id`, `name`, `log` (the messages as they stand in the transcript)
    /// and `logfile`.
    #[must_use]
    pub fn to_object(&self) -> Object {
        let mut object = Object::new();
        object.insert("id", self.layout.home().file_name().unwrap_or_default().to_string_lossy().into_owned());
        object.insert("name", self.name());
        object.insert("log", messages(self.log()));
        object.insert("logfile", self.journal.base.file.path().to_string_lossy().into_owned());
        object
    }

    /// The same with `branches`: each branch's messages by its name, main included.
    ///
    /// # Errors
    ///
    /// When a branch cannot be read.
    pub fn to_object_with_branches(&self) -> Result<Object, ReadError> {
        let mut branches = Object::new();
        let conversation = Conversation::at(std::sync::Arc::clone(&self.fs), self.layout.clone());
        let names = conversation.branches()?.into_iter().map(Transcript::Branch);
        for which in std::iter::once(Transcript::Main).chain(names) {
            let log = if which == self.journal.base.which {
                self.journal.base.log.clone()
            } else {
                conversation.read(&which)?.log
            };
            let name = match &which {
                Transcript::Branch(name) => name.as_str(),
                _ => "main",
            };
            branches.insert(name.to_owned(), messages(&log));
        }
        let mut object = self.to_object();
        object.insert("branches", branches);
        Ok(object)
    }
}

/// The objects of a log's lines.
fn messages(log: &Log) -> Value {
    let object = |message| {
        let mut line = Vec::new();
        write_message(message, Style::Gptme, &mut line);
        // What was just written, or was read before, is JSON.
        parse(&line).map_or(Value::Null, |parsed| parsed.value)
    };
    Value::Array(log.iter().map(object).collect())
}
