//! [`Table`]: what a run did, one row a layer.

use std::fmt;
use std::time::Duration;

/// What one layer did.
#[derive(Clone, Debug)]
pub struct Row {
    /// Which it is, such as `1`, and what it does.
    pub layer: String,
    /// What was counted.
    pub counts: String,
    /// How long it took.
    pub took: Duration,
    /// What failed, each with what makes it again.
    pub failures: Vec<String>,
    /// What could not be run here, and why.
    pub skipped: Vec<String>,
}

impl Row {
    /// The row of a layer that has done nothing yet.
    #[must_use]
    pub fn empty(layer: &str) -> Self {
        Self {
            layer: layer.to_owned(),
            counts: String::new(),
            took: Duration::ZERO,
            failures: Vec::new(),
            skipped: Vec::new(),
        }
    }
}

/// All rows of a run; its `Display` is a table in Markdown.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// In the order of the layers.
    pub rows: Vec<Row>,
}

impl Table {
    /// Whether nothing failed.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.rows.iter().all(|row| row.failures.is_empty())
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| layer | counts | skipped | failures | seconds |")?;
        writeln!(f, "|---|---|---|---|---|")?;
        for row in &self.rows {
            let skipped = if row.skipped.is_empty() { "none".to_owned() } else { row.skipped.join("; ") };
            let (layer, counts, failures) = (&row.layer, &row.counts, row.failures.len());
            writeln!(f, "| {layer} | {counts} | {skipped} | {failures} | {:.0} |", row.took.as_secs_f32())?;
        }
        Ok(())
    }
}
