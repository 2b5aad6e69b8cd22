//! Token counts: [`Usage`].

use crate::json::{Object, Value};

/// The keys of the counts, in gptme's order.
pub(super) const KEYS: [&str; 5] =
    ["input_tokens", "output_tokens", "cache_read_tokens", "cache_creation_tokens", "reasoning_tokens"];

/// The tokens that an answer took, each count as the provider reported it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// Input that was neither read from the cache nor written to it.
    pub input_tokens: Option<u64>,
    /// Output, usually with the reasoning in it.
    pub output_tokens: Option<u64>,
    /// Input read from the provider's cache.
    pub cache_read_tokens: Option<u64>,
    /// Input written to the provider's cache.
    pub cache_creation_tokens: Option<u64>,
    /// Reasoning, where the provider counts it apart.
    pub reasoning_tokens: Option<u64>,
}

impl Usage {
    /// All input: uncached, read from the cache, and written to it.
    ///
    /// ```
    /// let mut usage = convlog_message::Usage::default();
    /// usage.input_tokens = Some(5);
    /// usage.cache_read_tokens = Some(100);
    /// usage.cache_creation_tokens = Some(10);
    /// assert_eq!(usage.total_input(), 115);
    /// ```
    #[must_use]
    pub fn total_input(&self) -> u64 {
        [self.input_tokens, self.cache_read_tokens, self.cache_creation_tokens]
            .into_iter()
            .flatten()
            .fold(0, u64::saturating_add)
    }

    pub(super) fn read_from(object: &Object) -> Self {
        let count = |key| object.get(key).and_then(Value::as_number).and_then(crate::json::Number::as_u64);
        let [input, output, cache_read, cache_creation, reasoning] = KEYS;
        Self {
            input_tokens: count(input),
            output_tokens: count(output),
            cache_read_tokens: count(cache_read),
            cache_creation_tokens: count(cache_creation),
            reasoning_tokens: count(reasoning),
        }
    }

    /// Sets the counts that are there and takes out the others; foreign members stay.
    pub(super) fn write_to(self, mut object: Object) -> Object {
        let counts = [
            self.input_tokens,
            self.output_tokens,
            self.cache_read_tokens,
            self.cache_creation_tokens,
            self.reasoning_tokens,
        ];
        for (key, count) in KEYS.into_iter().zip(counts) {
            match count {
                Some(count) => object.insert(key, count),
                None => drop(object.remove(key)),
            }
        }
        object
    }
}
