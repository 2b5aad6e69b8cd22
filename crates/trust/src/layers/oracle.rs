//! Layer 5: gptme itself on sampled raw crash states: it loads them, loses nothing durable, and goes on.

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use convlog_fs::sim::{SimFs, TreeEntry};
use serde_json::json;

use crate::disk::{HOME, contents, describe, open, transcript};
use crate::explore::{Depth, Explorer, each, histories};
use crate::gptme::{Gptme, World as Place, say};
use crate::run::Plan;
use crate::table::Row;
use crate::tally::{Count, Tally};
use crate::world::alone::Alone;
use crate::world::whole::{OPERATIONS, Start, Whole};
use crate::world::{Crash, World};

/// A raw state, and main's messages that a loss of power must leave in it.
struct Sample {
    disk: SimFs,
    durable: Vec<String>,
}

/// Loads, recovers, appends and reloads with gptme what crashes left.
#[must_use]
pub fn run(plan: &Plan) -> Row {
    let start = Instant::now();
    let mut row = Row::empty("5 gptme as an oracle");
    let place = Place::in_memory();
    let Some(mut gptme) = place.gptme() else {
        row.skipped.push("gptme 0.35.1 is not installed".to_owned());
        return row;
    };
    let samples = samples(if plan.is_long() { 1 } else { 4 });
    let checks = Count::default();
    for (number, sample) in samples.iter().enumerate() {
        if let Err(error) = take_over(&mut gptme, &place.talk(&format!("raw-{number}")), sample, &checks) {
            row.failures.push(format!("{error}\n{}", sample.disk.tree()));
        }
        if let Err(error) = agree(&mut gptme, &place.talk(&format!("opened-{number}")), sample, &checks) {
            row.failures.push(format!("{error}\n{}", sample.disk.tree()));
        }
        if row.failures.len() > 8 {
            break;
        }
    }
    row.counts = format!("{} raw states, {} cross-checks", samples.len(), checks.get());
    row.took = start.elapsed();
    row
}

/// One distinct raw state in so many of the short histories; none of their steps is gptme's.
fn samples(one_in: u64) -> Vec<Sample> {
    let (samples, tally) = (Mutex::new(Vec::new()), Tally::default());
    let keep = |disk: &SimFs, _: Crash, durable: &[String]| {
        if disk.fingerprint().is_multiple_of(one_in) {
            samples.lock().unwrap().push(Sample { disk: disk.kill(), durable: durable.to_vec() });
        }
    };
    let depth = Depth { one_in: 1, times: 0 };
    let explorer = Explorer { tally: &tally, depth, one_in: 3, watcher: Some(&keep) };
    let alone = (1..=2).flat_map(|length| histories::<Alone>(Alone::steps(), length));
    let alone: Vec<_> = alone.filter(|history| !history.iter().any(|step| step.is_foreign())).collect();
    let failures = each("raw states", &alone, |history| explorer.run::<Alone>((), history));
    let whole = histories::<Whole>(&OPERATIONS, 1)
        .into_iter()
        .flat_map(|history| [Start::Main, Start::View].map(|start| (start, history.clone())));
    let whole: Vec<_> = whole.collect();
    let more = each("raw states", &whole, |(start, history)| explorer.run::<Whole>(*start, history));
    assert!(failures.is_empty() && more.is_empty(), "layer 1 tells: {failures:?} {more:?}");
    samples.into_inner().unwrap()
}

/// I4: gptme loads it without an exception, loses no durable message that stands on a line of its own, and what it
/// loaded is still there after it appended one.
fn take_over(gptme: &mut Gptme, home: &Path, sample: &Sample, checks: &Count) -> Result<(), String> {
    if !write_out(&sample.disk, home) {
        return Ok(());
    }
    let all = |gptme: &mut Gptme| gptme.try_ask(&json!({"do": "everything", "dir": home}));
    let main = |everything: &serde_json::Value| -> Vec<String> {
        let messages = everything["main"].as_array().unwrap();
        messages.iter().map(|message| message["content"].as_str().unwrap().to_owned()).collect()
    };
    let loaded = main(&all(gptme).map_err(|error| format!("gptme cannot load it: {error}"))?);
    let standing = standing(&sample.disk);
    if let Some(lost) = sample.durable.iter().find(|message| standing.contains(message) && !loaded.contains(message)) {
        return Err(format!("gptme does not load {lost}, which stands on a line of its own"));
    }
    gptme.try_ask(&json!({"do": "load", "dir": home})).map_err(|error| format!("gptme cannot open it: {error}"))?;
    gptme.append(&say("user", "by gptme"));
    gptme.release();
    let again = main(&all(gptme).map_err(|error| format!("gptme cannot load it again: {error}"))?);
    // A line that it glued to a torn one is gptme's own loss.
    let kept = again.iter().filter(|message| *message != "by gptme").eq(loaded.iter());
    checks.add(3);
    if kept { Ok(()) } else { Err(format!("gptme loaded {loaded:?}, appended, and then had {again:?}")) }
}

/// I3: after convlog opened and closed it, convlog's load and recovery are gptme's.
fn agree(gptme: &mut Gptme, home: &Path, sample: &Sample, checks: &Count) -> Result<(), String> {
    let disk = sample.disk.kill();
    let session = open(&disk)?;
    let log = contents(session.log());
    let active = session.active_view().is_some();
    session.close().map_err(|error| describe(&error))?;
    assert!(write_out(&disk, home));
    let theirs = gptme.load(home);
    gptme.release();
    let theirs: Vec<_> = theirs.iter().map(|message| message["content"].as_str().unwrap().to_owned()).collect();
    if theirs != log {
        return Err(format!("convlog opened it with {log:?}, and gptme then loads {theirs:?}"));
    }
    let recovered = gptme.recover(home).unwrap_or_default();
    let recovered: Vec<_> = recovered.iter().map(|message| message["content"].as_str().unwrap().to_owned()).collect();
    let main = if active { standing(&disk) } else { log };
    checks.add(2);
    if recovered == main { Ok(()) } else { Err(format!("main is {main:?}, and gptme recovers {recovered:?}")) }
}

/// The messages that stand on a line of their own in main's transcript.
fn standing(disk: &SimFs) -> Vec<String> {
    let bytes = convlog_fs::read_all(disk, &transcript()).unwrap_or_default();
    let lines = bytes.split(|byte| *byte == b'\n');
    let content = |line: &[u8]| {
        let value: serde_json::Value = serde_json::from_slice(line).ok()?;
        Some(value.get("content")?.as_str()?.to_owned())
    };
    lines.filter_map(content).collect()
}

/// Writes the conversation into a real directory; false when gptme would not take it for one.
fn write_out(disk: &SimFs, home: &Path) -> bool {
    let tree = disk.tree();
    if tree.bytes(transcript()).is_none() {
        return false;
    }
    fs::create_dir(home).unwrap();
    for (path, entry) in &tree.entries {
        let Ok(relative) = path.strip_prefix(HOME) else { continue };
        let to = home.join(relative);
        match entry {
            TreeEntry::Dir { .. } if relative.as_os_str().is_empty() => {}
            TreeEntry::Dir { .. } => fs::create_dir(to).unwrap(),
            TreeEntry::File { bytes, .. } => fs::write(to, &**bytes).unwrap(),
            TreeEntry::Symlink { target } => std::os::unix::fs::symlink(target, to).unwrap(),
            TreeEntry::Other => {}
        }
    }
    true
}
