//! What the model costs: [`Prices`], and what was recorded, [`recorded_cost`].

use convlog_message::{Message, Usage};

/// The prices of a model, in US dollars for a million tokens.
///
/// ```
/// use convlog_context::Prices;
/// use convlog_message::Usage;
///
/// let mut usage = Usage::default();
/// usage.input_tokens = Some(1_000_000);
/// usage.cache_read_tokens = Some(2_000_000);
/// usage.output_tokens = Some(100_000);
/// let prices = Prices { input: 3.0, output: 15.0, cache_read: 0.3, cache_creation: 3.75 };
/// assert!((prices.cost(&usage) - 5.1).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prices {
    /// Input that was neither read from the cache nor written to it.
    pub input: f64,
    /// Output, the reasoning in it.
    pub output: f64,
    /// Input read from the cache.
    pub cache_read: f64,
    /// Input written to the cache.
    pub cache_creation: f64,
}

impl Prices {
    /// The cost of an answer in dollars; counts that are missing cost nothing. Reasoning is part of the
    /// output and not added.
    #[must_use]
    pub fn cost(&self, usage: &Usage) -> f64 {
        let of = |tokens: Option<u64>, price: f64| in_dollars(tokens.unwrap_or(0), price);
        of(usage.input_tokens, self.input)
            + of(usage.output_tokens, self.output)
            + of(usage.cache_read_tokens, self.cache_read)
            + of(usage.cache_creation_tokens, self.cache_creation)
    }

    /// The cost in dollars of sending so many tokens, none of them cached.
    #[must_use]
    pub fn input_cost(&self, tokens: usize) -> f64 {
        in_dollars(tokens as u64, self.input)
    }
}

/// What the messages of a conversation say they cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RecordedCost {
    /// US dollars, added up.
    pub dollars: f64,
    /// How many messages name a cost.
    pub with_cost: usize,
    /// How many messages have token counts and name no cost: the sum is too low by theirs.
    pub without_cost: usize,
}

/// Adds up the costs that messages record. A cost that is no finite number is none.
///
/// ```
/// use convlog_context::recorded_cost;
/// use convlog_message::{Log, Message, Metadata, Role, Timestamp};
///
/// let answer = Message::new(Role::Assistant, "42", Timestamp::now()).with_metadata(Metadata::new().with_cost(0.25));
/// let cost = recorded_cost(&Log::new().append(answer.clone()).append(answer));
/// assert_eq!((cost.dollars, cost.with_cost, cost.without_cost), (0.5, 2, 0));
/// ```
pub fn recorded_cost<'a>(messages: impl IntoIterator<Item = &'a Message>) -> RecordedCost {
    let mut sum = RecordedCost::default();
    for message in messages {
        match message.metadata().cost() {
            Some(dollars) => {
                sum.dollars += dollars;
                sum.with_cost = sum.with_cost.saturating_add(1);
            }
            None if message.metadata().usage() != Usage::default() => {
                sum.without_cost = sum.without_cost.saturating_add(1);
            }
            None => {}
        }
    }
    sum
}

/// Token counts are far below the 2^53 up to which an `f64` is exact.
#[allow(clippy::cast_precision_loss)]
fn in_dollars(tokens: u64, price_per_million: f64) -> f64 {
    tokens as f64 * price_per_million / 1e6
}
