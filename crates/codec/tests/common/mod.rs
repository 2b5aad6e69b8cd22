//! What several of these tests need: the fixtures, and JSON made by Python.
#![allow(dead_code)]

use std::path::{Path, PathBuf};

use convlog_codec::json::parse;
use convlog_message::json::Value;

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// A JSON file written by Python, not-quite-JSON included.
pub(crate) fn load(path: &str) -> Value {
    let bytes = std::fs::read(fixtures().join(path)).unwrap();
    parse(&bytes).unwrap().value
}

pub(crate) fn rows(path: &str) -> Vec<Value> {
    load(path).as_array().unwrap().to_vec()
}

pub(crate) fn text<'a>(row: &'a Value, key: &str) -> Option<&'a str> {
    row.as_object().unwrap().get(key).and_then(Value::as_str)
}
