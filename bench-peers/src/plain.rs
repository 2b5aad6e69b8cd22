//! A message as anybody would read it with serde: the same fields, owned; by `serde_json` or by `sonic-rs`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::measure::Work;

#[derive(Debug, Serialize, Deserialize)]
pub struct Plain {
    pub role: String,
    pub content: String,
    pub timestamp: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub file_hashes: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hide: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ui_only: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ephemeral_ttl: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<serde_json::Map<String, serde_json::Value>>,
}

/// Reads a transcript from its file, line by line on one thread.
pub fn read(path: &Path, line: impl Fn(&[u8]) -> Result<Plain>) -> Result<Vec<Plain>> {
    let bytes = fs::read(path)?;
    bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(line).collect()
}

pub fn by_serde_json(line: &[u8]) -> Result<Plain> {
    Ok(serde_json::from_slice(line)?)
}

pub fn by_sonic_rs(line: &[u8]) -> Result<Plain> {
    Ok(sonic_rs::from_slice(line)?)
}

/// How many messages there are, and how many bytes their contents have.
pub fn work<'a>(contents: impl IntoIterator<Item = &'a str>) -> Work {
    contents.into_iter().fold(Work { items: 0, sum: 0 }, |work, content| Work {
        items: work.items + 1,
        sum: work.sum + content.len() as u64,
    })
}
