//! Putting conversations in order by few bytes of each, so that only the page asked for is read through.

use std::ops::ControlFlow;
use std::sync::Arc;

use convlog_codec::jsonl::{Skimmed, Skimmer};
use convlog_fs::{File, Kind, Open, Stat, read_full_at};
use convlog_message::Timestamp;
use convlog_store::{Conversation, Layout, ReadError, Transcript};

use super::visit::Place;
use super::{ListOptions, Sort, TOGETHER};
use crate::in_order::in_order;
use crate::index::FileKey;
use crate::record::{instant, seconds};
use crate::summary::Summary;
use crate::{Index, LogsDir};

/// How much of a file's end is read at first.
const END: usize = 4 << 10;

/// Places in order, and those that are none, or are not as they should be.
pub(super) struct Ranked {
    pub(super) ordered: Vec<Place>,
    pub(super) odd: Vec<Place>,
}

impl LogsDir {
    /// The conversations in order, when the order can be had cheaply and not all are wanted.
    pub(super) fn ranked(&self, places: &[Place], options: &ListOptions, index: Option<&Index>) -> Option<Ranked> {
        let is_cheap = match options.sort {
            Sort::Active => true,
            Sort::Modified | Sort::Created => options.since.is_none(),
            Sort::Messages | Sort::Cost | Sort::Name => false,
        };
        if !is_cheap || options.limit >= places.len() {
            return None;
        }
        let (mut ranked, mut odd) = (Vec::with_capacity(places.len()), Vec::new());
        let _ = in_order(
            options.threads,
            places.chunks(TOGETHER),
            |(): &mut (), places, sink| {
                let rank = |place| (self.rank(place, options, index), place);
                let _ = sink.send(places.iter().map(rank).collect::<Vec<_>>());
            },
            |found| {
                for (rank, place) in found {
                    match rank {
                        Some(rank) => ranked.push((rank, place.clone())),
                        None => odd.push(place.clone()),
                    }
                }
                ControlFlow::Continue(())
            },
        );
        if let Some(since) = options.since {
            ranked.retain(|(rank, _)| *rank >= since);
        }
        ranked.sort_by(|(a, one), (b, other)| {
            options.directed(b.total_cmp(a)).then_with(|| one.id.as_str().cmp(other.id.as_str()))
        });
        Some(Ranked { ordered: ranked.into_iter().map(|(_, place)| place).collect(), odd })
    }

    /// What a conversation is put in order by; `None` where there is no transcript that can be read.
    fn rank(&self, place: &Place, options: &ListOptions, index: Option<&Index>) -> Option<f64> {
        let layout = Layout::new(place.home.clone());
        let stat = self.fs().stat(&layout.transcript(&Transcript::Main)).ok()?;
        if stat.kind != Kind::File {
            return None;
        }
        let modified = seconds(stat.mtime);
        if options.sort == Sort::Modified {
            return Some(modified);
        }
        let known = index.and_then(|index| index.entries().get(place.id.as_str()));
        let known = known.filter(|entry| entry.keys.transcript == FileKey::of(&stat));
        let time = match (known.map(|entry| &entry.record.summary), options.sort) {
            (Some(summary), Sort::Created) => summary.first.clone(),
            (Some(summary), _) => summary.last.clone(),
            (None, sort) => {
                let conversation = Conversation::at(Arc::clone(self.fs()), layout);
                if sort == Sort::Created { first_time(&conversation) } else { last_time(&conversation, &stat) }.ok()?
            }
        };
        Some(time.and_then(|time| instant(&time, options.zone)).unwrap_or(modified))
    }
}

/// The time that the first message records.
fn first_time(conversation: &Conversation) -> Result<Option<String>, ReadError> {
    let mut skimmer = conversation.skim(&Transcript::Main)?;
    let mut summary = Summary::default();
    let stream = |source| ReadError::Stream { path: conversation.layout().transcript(&Transcript::Main), source };
    while summary.messages == 0 && summary.read_line(&mut skimmer).map_err(stream)? {}
    Ok(summary.first)
}

/// The last time that a message records; `stat` is what was found out about the transcript, a file.
fn last_time(conversation: &Conversation, stat: &Stat) -> Result<Option<String>, ReadError> {
    let file = conversation.file_system().open(&conversation.layout().transcript(&Transcript::Main), Open::Read)?;
    if let Some(time) = time_in_end(&*file, stat.len)? {
        return Ok(Some(time));
    }
    let stream = |source| ReadError::Stream { path: file.path().to_path_buf(), source };
    for entry in conversation.tail(&Transcript::Main)? {
        let message = entry.map_err(stream)?.message;
        if message.has_recorded_timestamp() {
            return Ok(Some(message.timestamp().to_string()));
        }
    }
    Ok(None)
}

/// The last time recorded on the whole lines at the very end of a file of that length.
fn time_in_end(file: &dyn File, length: u64) -> Result<Option<String>, convlog_fs::Error> {
    let start = length.saturating_sub(END as u64);
    let mut end = [0; END];
    let read = read_full_at(file, &mut end, start)?;
    let mut lines = end.get(..read).unwrap_or_default().split(|byte| *byte == b'\n');
    if start > 0 {
        lines.next();
    }
    Ok(lines.rev().find_map(time_on_line))
}

fn time_on_line(line: &[u8]) -> Option<String> {
    let mut skimmer = Skimmer::new(line, Timestamp::from(std::time::SystemTime::UNIX_EPOCH));
    let mut time = None;
    let read = skimmer.next_line(|message| match message {
        Skimmed::Plain(skim) => time = Some(skim.timestamp().to_string()),
        Skimmed::Odd(entry) if entry.message.has_recorded_timestamp() => {
            time = Some(entry.message.timestamp().to_string());
        }
        Skimmed::Odd(_) => {}
    });
    read.ok().and(time)
}
