//! An immutable sequence of messages: [`Log`].

use std::fmt;

use imbl::Vector;

use crate::Message;

/// The messages of a conversation, in order, never changed once made.
///
/// Appending gives a new log and shares with the old one what is common: O(log n), whatever the length.
/// Cloning costs O(1). Two logs are equal when their messages are (role and content).
///
/// ```
/// use convlog_message::{Log, Message, Role, Timestamp};
///
/// let empty = Log::new();
/// let one = empty.append(Message::new(Role::User, "hi", Timestamp::now()));
/// let two = one.append(Message::new(Role::Assistant, "hello", Timestamp::now()));
/// assert_eq!((empty.len(), one.len(), two.len()), (0, 1, 2));
/// assert_eq!(two.truncate(1), one);
/// assert_eq!(two.common_beginning(&one), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log(Vector<Message>);

impl Log {
    /// A log without messages.
    #[must_use]
    pub fn new() -> Self {
        Self(Vector::new())
    }

    /// The number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no message.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The message at an index, counted from 0.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&Message> {
        self.0.get(index)
    }

    /// The first message.
    #[must_use]
    pub fn first(&self) -> Option<&Message> {
        self.0.front()
    }

    /// The last message.
    #[must_use]
    pub fn last(&self) -> Option<&Message> {
        self.0.back()
    }

    /// The messages in order, from either end.
    #[must_use]
    pub fn iter(&self) -> LogIter<'_> {
        LogIter(self.0.iter())
    }

    /// A log with one message more.
    #[must_use]
    pub fn append(&self, message: Message) -> Self {
        let mut messages = self.0.clone();
        messages.push_back(message);
        Self(messages)
    }

    /// A log of the first `length` messages; the same log when it is not longer than that.
    #[must_use]
    pub fn truncate(&self, length: usize) -> Self {
        if length >= self.len() { self.clone() } else { Self(self.0.take(length)) }
    }

    /// A log without the last message; an empty one stays empty.
    #[must_use]
    pub fn pop(&self) -> Self {
        self.truncate(self.len().saturating_sub(1))
    }

    /// A log with one message replaced; `None` when there is none at that index.
    #[must_use]
    pub fn with(&self, index: usize, message: Message) -> Option<Self> {
        (index < self.len()).then(|| Self(self.0.update(index, message)))
    }

    /// How many messages two logs share from the beginning.
    #[must_use]
    pub fn common_beginning(&self, other: &Self) -> usize {
        self.iter().zip(other.iter()).take_while(|(a, b)| a == b).count()
    }
}

impl FromIterator<Message> for Log {
    fn from_iter<I: IntoIterator<Item = Message>>(messages: I) -> Self {
        Self(messages.into_iter().collect())
    }
}

impl Extend<Message> for Log {
    fn extend<I: IntoIterator<Item = Message>>(&mut self, messages: I) {
        self.0.extend(messages);
    }
}

impl<'a> IntoIterator for &'a Log {
    type Item = &'a Message;
    type IntoIter = LogIter<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The messages of a [`Log`], from either end.
#[derive(Clone)]
pub struct LogIter<'a>(imbl::vector::Iter<'a, Message, imbl::shared_ptr::DefaultSharedPtr>);

impl<'a> Iterator for LogIter<'a> {
    type Item = &'a Message;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for LogIter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back()
    }
}

impl ExactSizeIterator for LogIter<'_> {}

impl fmt::Debug for LogIter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
