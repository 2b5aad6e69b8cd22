//! How long the steps of an answer took: [`Timings`].

use crate::json::{Number, Object, Value};

/// The steps of an answer in milliseconds of wall-clock time; only those that were measured.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Timings {
    /// From sending the prompt to the first token.
    pub ttft_ms: Option<f64>,
    /// From the first token to the last.
    pub gen_ms: Option<f64>,
    /// All tools together.
    pub tool_ms: Option<f64>,
    /// Each tool, in the order recorded.
    pub tool_ms_by_name: Vec<(String, f64)>,
}

impl Timings {
    pub(super) fn read_from(object: &Object) -> Self {
        let milliseconds = |value: &Value| value.as_number().and_then(Number::as_f64);
        let tools = object.get("tool_ms_by_name").and_then(Value::as_object);
        Self {
            ttft_ms: object.get("ttft_ms").and_then(milliseconds),
            gen_ms: object.get("gen_ms").and_then(milliseconds),
            tool_ms: object.get("tool_ms").and_then(milliseconds),
            tool_ms_by_name: tools
                .into_iter()
                .flat_map(Object::iter)
                .filter_map(|(tool, value)| Some((tool.to_owned(), milliseconds(value)?)))
                .collect(),
        }
    }
}
