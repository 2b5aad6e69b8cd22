//! Exact counts with OpenAI's encodings: [`Tiktoken`].

use thiserror::Error;
use tiktoken_rs::CoreBPE;

use super::TokenCounter;

/// Counts tokens with one of OpenAI's encodings. Feature `tiktoken`; the tables are part of the program, so
/// nothing is fetched.
///
/// The encoding is built at the first use of it in a process (some ten milliseconds) and then shared. Text
/// that looks like a special token (`<|endoftext|>`) is counted as text, as in gptme.
///
/// ```
/// use convlog_context::{Tiktoken, TokenCounter};
///
/// assert_eq!(Tiktoken::for_model("openai/gpt-4o")?.count("What is 6 × 7?"), 8);
/// assert!(Tiktoken::for_model("claude-sonnet").is_err());
/// assert_eq!(Tiktoken::cl100k().count("hello world"), 2);
/// # Ok::<(), convlog_context::UnknownModel>(())
/// ```
#[derive(Clone, Copy)]
pub struct Tiktoken(&'static CoreBPE);

/// There is no encoding for the model.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no encoding is known for the model `{model}`; Tiktoken::cl100k() is a usual stand-in")]
pub struct UnknownModel {
    /// The model that was asked for.
    pub model: String,
}

/// Ways to a model by which gptme names it.
const ROUTES: [&str; 8] = [
    "gptme/openrouter/openai/",
    "openrouter/openai/",
    "requesty/openai/",
    "openai/",
    "anthropic/",
    "google/",
    "azure/",
    "vertex/",
];

impl Tiktoken {
    /// The counter of a model; the provider may stand before its name.
    ///
    /// # Errors
    ///
    /// When the model's encoding is not known (it is not one of OpenAI's).
    pub fn for_model(model: &str) -> Result<Self, UnknownModel> {
        let bare = ROUTES.iter().find_map(|route| model.strip_prefix(route)).unwrap_or(model);
        tiktoken_rs::bpe_for_model(bare).map(Self).map_err(|_| UnknownModel { model: model.to_owned() })
    }

    /// `cl100k_base`, which gptme takes for every model that it has no encoding for.
    #[must_use]
    pub fn cl100k() -> Self {
        Self(tiktoken_rs::cl100k_base_singleton())
    }

    /// `o200k_base`, of GPT-4o and later.
    #[must_use]
    pub fn o200k() -> Self {
        Self(tiktoken_rs::o200k_base_singleton())
    }
}

impl TokenCounter for Tiktoken {
    fn count(&self, text: &str) -> usize {
        self.0.encode_ordinary(text).len()
    }
}

impl std::fmt::Debug for Tiktoken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tiktoken")
    }
}
