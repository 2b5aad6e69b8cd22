//! The same questions to the sequence of file operations that gptme 0.35.1 makes: its known faults must show.

use std::time::Instant;

use convlog_eventlog as eventlog;
use convlog_fs::FileSystem as _;
use convlog_fs::sim::{Fault, Quirks, SimFs, Times, When};

use crate::disk::{HOME, contents, new_disk, read_transcript, transcript};
use crate::foreign::{gptme_append, gptme_compact_to, gptme_event, replace, try_add};
use crate::run::Plan;
use crate::table::Row;

/// A fault, and what shows that it is there; an error when it does not show.
type Case = (&'static str, fn() -> Result<String, String>);

const CASES: [Case; 5] = [
    ("its two logs disagree after a kill", kill),
    ("recovery lacks the initial messages", initial),
    ("recovery returns the view after a checkpoint on a view", view),
    ("recovery brings back what `/undo` removed", undo),
    ("on a full disk a message whose append raised appears later", full),
];

/// Each of the faults that gptme is known for.
#[must_use]
pub fn run(_: &Plan) -> Row {
    let start = Instant::now();
    let mut row = Row::empty("gptme's own sequence");
    let mut found = 0;
    for (name, case) in CASES {
        match case() {
            Ok(how) => {
                found += 1;
                println!("   found: {name}: {how}");
            }
            Err(error) => row.failures.push(format!("not found: {name}: {error}")),
        }
    }
    row.counts = format!("{found} of {} known faults found", CASES.len());
    row.took = start.elapsed();
    row
}

/// A conversation as gptme makes it: a transcript with these messages, and no event.
fn created(initial: &[&str]) -> SimFs {
    let disk = new_disk(Quirks::default());
    disk.create_dir(HOME.as_ref()).unwrap();
    replace(&disk, &owned(initial));
    disk
}

fn owned(contents: &[&str]) -> Vec<String> {
    contents.iter().map(|content| (*content).to_owned()).collect()
}

fn recovered(disk: &SimFs) -> Vec<String> {
    let reading = eventlog::read(disk, HOME.as_ref()).unwrap();
    contents(&reading.and_then(|reading| reading.replay()).unwrap_or_default())
}

/// That recovery is not what the transcript is.
fn differ(disk: &SimFs) -> Result<String, String> {
    let (transcript, recovered) = (read_transcript(disk), recovered(disk));
    let both = format!("the transcript is {transcript:?}, recovery {recovered:?}");
    if transcript == recovered { Err(both) } else { Ok(both) }
}

fn kill() -> Result<String, String> {
    let disk = created(&[]);
    gptme_append(&disk, "a");
    disk.keep_snapshots();
    (0..10).for_each(|number| gptme_append(&disk, &format!("b{number}")));
    let snapshots = disk.snapshots();
    let apart = snapshots.iter().filter(|snapshot| differ(&snapshot.disk.kill()).is_ok()).count();
    let both = format!("at {apart} of {} moments", snapshots.len());
    // Every second write is one of the two.
    if apart * 2 >= snapshots.len() { Ok(both) } else { Err(both) }
}

fn initial() -> Result<String, String> {
    let disk = created(&["prompt"]);
    gptme_append(&disk, "a");
    differ(&disk)
}

fn view() -> Result<String, String> {
    let disk = created(&[]);
    ["a", "b"].iter().for_each(|content| gptme_append(&disk, content));
    gptme_compact_to(&disk, &owned(&["summary"]));
    differ(&disk)
}

fn undo() -> Result<String, String> {
    let disk = created(&[]);
    ["a", "b", "/undo"].iter().for_each(|content| gptme_append(&disk, content));
    // The command goes as well, and is not counted.
    replace(&disk, &owned(&["a"]));
    gptme_event(&disk, "undo", "{\"n\": 1}");
    differ(&disk)
}

fn full() -> Result<String, String> {
    let disk = created(&[]);
    gptme_append(&disk, "a");
    // It holds the message in its list before it writes, and each append writes all that is not yet written.
    disk.fail(When::operation(convlog_fs::Operation::Write), Fault::NO_SPACE, Times::Once);
    if try_add(&disk, &transcript(), &["b"]).is_ok() {
        return Err("the append did not raise".to_owned());
    }
    disk.clear_faults();
    try_add(&disk, &transcript(), &["b", "c"]).map_err(|error| error.to_string())?;
    let there = read_transcript(&disk);
    if there == ["a", "b", "c"] { Ok(format!("{there:?}")) } else { Err(format!("{there:?}")) }
}
