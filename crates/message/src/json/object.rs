//! A JSON object that keeps the order of its keys: [`Object`].

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::Value;

/// The key of a member; those that are usual in metadata cost no allocation.
pub type Key = Cow<'static, str>;

/// The members of a JSON object, in order, each key once.
///
/// ```
/// use convlog_message::json::{Object, Value};
///
/// let object: Object = [("b", Value::from(1)), ("a", Value::Null), ("b", Value::from(2))].into_iter().collect();
/// assert_eq!(object.keys().collect::<Vec<_>>(), ["b", "a"]);
/// assert_eq!(object.get("b"), Some(&Value::from(2)));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object(Vec<(Key, Value)>);

/// From this many members on, a table finds the keys that come twice.
const MANY: usize = 16;

impl Object {
    /// An object without members.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a key. Takes time in proportion to the number of members.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    /// The members in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.0.iter().map(|(k, v)| (&**k, v))
    }

    /// The keys in order.
    #[must_use]
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.iter().map(|(k, _)| &**k)
    }

    /// Sets a member: in its place when the key is there, at the end otherwise.
    pub fn insert(&mut self, key: impl Into<Key>, value: impl Into<Value>) {
        let (key, value) = (key.into(), value.into());
        match self.0.iter_mut().find(|(k, _)| *k == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key, value)),
        }
    }

    /// Takes a member out and returns its value.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let at = self.0.iter().position(|(k, _)| k == key)?;
        Some(self.0.remove(at).1)
    }

    /// Makes an object of members as they were read, and says whether a key came twice. The last value
    /// of a key counts, at the place of the first, as in Python. Linear in the number of members.
    #[must_use]
    pub fn from_members(members: Vec<(Key, Value)>) -> (Self, bool) {
        let twice = if members.len() < MANY {
            let mut rest = members.as_slice();
            let mut twice = false;
            while let Some(((key, _), tail)) = rest.split_first() {
                twice |= tail.iter().any(|(k, _)| k == key);
                rest = tail;
            }
            twice
        } else {
            let mut seen = HashSet::with_capacity(members.len());
            !members.iter().all(|(key, _)| seen.insert(&**key))
        };
        if !twice {
            return (Self(members), false);
        }
        let mut places: HashMap<Key, usize> = HashMap::with_capacity(members.len());
        let mut kept: Vec<(Key, Value)> = Vec::with_capacity(members.len());
        for (key, value) in members {
            match places.get(&key).and_then(|&at| kept.get_mut(at)) {
                Some((_, old)) => *old = value,
                None => {
                    places.insert(key.clone(), kept.len());
                    kept.push((key, value));
                }
            }
        }
        (Self(kept), true)
    }
}

/// A key as an owned one, without allocating when it is one that gptme's metadata has.
#[must_use]
pub fn key(text: &str) -> Key {
    const USUAL: [&str; 14] = [
        "model",
        "cost",
        "usage",
        "input_tokens",
        "output_tokens",
        "cache_read_tokens",
        "cache_creation_tokens",
        "reasoning_tokens",
        "timings",
        "ttft_ms",
        "gen_ms",
        "tool_ms",
        "tool",
        "served_model",
    ];
    match USUAL.into_iter().find(|usual| *usual == text) {
        Some(usual) => Key::Borrowed(usual),
        None => Key::Owned(text.to_owned()),
    }
}

impl<K: Into<Key>, V: Into<Value>> FromIterator<(K, V)> for Object {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(members: I) -> Self {
        Self::from_members(members.into_iter().map(|(k, v)| (k.into(), v.into())).collect()).0
    }
}

impl IntoIterator for Object {
    type Item = (Key, Value);
    type IntoIter = std::vec::IntoIter<(Key, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_come_twice_are_folded_few_or_many() {
        for n in [3, 40_usize] {
            let members: Vec<_> = (0..n)
                .chain(0..n)
                .map(|i| (format!("k{i}"), Value::from(i as u64)))
                .map(|(k, v)| (k.into(), v))
                .collect();
            let (object, twice) = Object::from_members(members);
            assert!(twice);
            assert_eq!(object.len(), n);
        }
    }
}
