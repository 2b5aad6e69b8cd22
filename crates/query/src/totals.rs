//! Tokens and cost of a conversation, in all and by model.

use std::collections::BTreeMap;

use convlog_codec::jsonl::Figures;
use serde::{Deserialize, Serialize};

/// What one model took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModelUsage {
    /// US dollars.
    pub cost: f64,
    /// All input, that from and to the cache included.
    pub input_tokens: u64,
    /// All output.
    pub output_tokens: u64,
    /// The part of the input that came from the cache.
    pub cache_read_tokens: u64,
}

/// The sums so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Totals {
    pub(crate) all: ModelUsage,
    pub(crate) by_model: BTreeMap<String, ModelUsage>,
    /// The model named last.
    pub(crate) model: Option<String>,
}

impl Totals {
    /// Adds a message's metadata. What names no model counts for the one named last, or as `unknown`;
    /// what is no number counts as nothing.
    pub(crate) fn add(&mut self, figures: &Figures<'_>) {
        if !figures.is_noted {
            return;
        }
        if let Some(model) = figures.model.as_deref().filter(|model| !model.is_empty())
            && self.model.as_deref() != Some(model)
        {
            self.model = Some(model.to_owned());
        }
        let more = ModelUsage {
            cost: figures.cost.unwrap_or_default(),
            input_tokens: figures.usage.total_input(),
            output_tokens: figures.usage.output_tokens.unwrap_or_default(),
            cache_read_tokens: figures.usage.cache_read_tokens.unwrap_or_default(),
        };
        self.all.add(&more);
        let model = self.model.as_deref().unwrap_or("unknown");
        match self.by_model.get_mut(model) {
            Some(known) => known.add(&more),
            None => drop(self.by_model.insert(model.to_owned(), more)),
        }
    }
}

impl ModelUsage {
    fn add(&mut self, more: &Self) {
        self.cost += more.cost;
        self.input_tokens = self.input_tokens.saturating_add(more.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(more.output_tokens);
        self.cache_read_tokens = self.cache_read_tokens.saturating_add(more.cache_read_tokens);
    }
}
