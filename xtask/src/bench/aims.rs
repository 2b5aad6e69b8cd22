//! What is measured and what is aimed at: the rows of `docs/benchmarks.md`.

/// A piece of work, and what stands when it is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) work: &'static str,
    /// What convlog's result survives.
    pub(crate) durability: &'static str,
}

/// Which figure is compared.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Figure {
    Median,
    Mean,
}

/// What is aimed at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bound {
    /// At least this many times faster than the peer.
    Faster(f64),
    /// At most this many times the peer's time.
    Within(f64),
    /// Under so many milliseconds, whatever others take.
    Under(f64),
}

/// An aim of one row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    pub(crate) row: &'static str,
    pub(crate) figure: Figure,
    /// Who it is measured against; nobody for a time of its own.
    pub(crate) peer: &'static str,
    pub(crate) bound: Bound,
    /// What the limit is, told where the aim is not met.
    pub(crate) limit: &'static str,
}

const fn row(name: &'static str, work: &'static str, durability: &'static str) -> Row {
    Row { name, work, durability }
}

const WRITTEN: &str = "written";
const SYNCED: &str = "synced";
const READS: &str = "only reads";

pub(crate) const ROWS: &[Row] = &[
    row("append-10000", "append 1 KB at 10,000 messages", "written; checkpoints synced"),
    row("append-written", "append 1 KB, event log and transcript, no checkpoint", WRITTEN),
    row("append-synced", "append 1 KB, synced", SYNCED),
    row("append-batch", "append 16 of 1 KB under one sync, each", SYNCED),
    row("read", "open and read 10,000 messages (10 MB)", READS),
    row("recover", "recover from `events.jsonl` after 10,000 appends", READS),
    row("recover-appends", "the same, where no checkpoint was ever made", READS),
    row("undo", "undo 1 of 10,000 messages", "synced, backup branch included"),
    row("toml", "TOML of 1,000 messages, out and in", READS),
    row("codeblocks", "code blocks of 10,000 messages", READS),
    row("list-full", "list 2,000 conversations of 60 in full, no index", READS),
    row("list-index", "the same, index unchanged", READS),
    row("list-page", "list the first 20 of 5,000, no index", READS),
    row("list-20", "list 20 conversations, whole process", READS),
    row("search", "search 2,000 conversations, hits in few messages", READS),
    row("search-none", "search 2,000 conversations, no hit", READS),
];

const fn aim(row: &'static str, figure: Figure, peer: &'static str, bound: Bound) -> Aim {
    Aim { row, figure, peer, bound, limit: "" }
}

use Bound::{Faster, Under, Within};
use Figure::{Mean, Median};

pub(crate) const AIMS: &[Aim] = &[
    aim("append-10000", Median, "gptme", Faster(1_500.0)),
    aim("append-10000", Median, "convlog at 100", Within(1.5)),
    aim("append-10000", Mean, "gptme", Faster(800.0)),
    aim("append-written", Mean, "bare writes", Within(4.0)),
    aim("append-synced", Median, "bare write and fdatasync", Within(1.2)),
    aim("append-synced", Median, "SQLite FULL", Within(1.5)),
    aim("append-batch", Median, "convlog, one", Faster(10.0)),
    aim("read", Median, "gptme", Faster(20.0)),
    aim("read", Median, "serde_json", Faster(2.5)),
    aim("recover", Median, "gptme", Faster(15.0)),
    aim("undo", Median, "gptme", Faster(8.0)),
    aim("list-full", Median, "gptme", Faster(25.0)),
    aim("list-index", Median, "gptme", Faster(100.0)),
    aim("list-index", Median, "find", Within(1.5)),
    aim("list-page", Median, "", Under(50.0)),
    aim("list-20", Median, "gptme-util", Faster(50.0)),
    aim("list-20", Median, "", Under(15.0)),
    aim("search", Median, "gptme", Faster(35.0)),
    aim("search", Median, "rg -i", Within(1.0)),
    aim("search-none", Median, "gptme", Faster(35.0)),
    aim("search-none", Median, "rg -i", Within(1.0)),
];
