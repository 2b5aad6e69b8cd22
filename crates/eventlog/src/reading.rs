//! [`Reading`]: a log as it was read, with what an opening session asks of it.

use std::path::{Path, PathBuf};

use convlog_fs::Stat;
use convlog_message::Log;

use crate::chain::Chain;
use crate::event::{Event, EventKind};
use crate::replay::{replay, replay_to_last_convlog};
use crate::report::Report;
use crate::scan::{Link, Scan};
use crate::{FileFigures, Seq};

/// A log as it was read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// The events, in the order of the file.
    pub events: Vec<Event>,
    /// What was odd.
    pub report: Report,
    pub(crate) path: PathBuf,
    pub(crate) links: Vec<Link>,
    ends_with_convlog: bool,
    resume: Resume,
}

/// What goes on writing a log that was read, without reading it again.
///
/// See [`EventLog::resume`](crate::EventLog::resume).
#[derive(Clone, Debug)]
pub struct Resume {
    /// The file as it was.
    pub(crate) stat: Stat,
    pub(crate) ends_in_newline: bool,
    /// The highest number of any event, 0 without one.
    pub(crate) highest: u64,
    pub(crate) checkpoint: Option<Seq>,
    pub(crate) since: u64,
    pub(crate) chain: Chain,
    /// Whether the last event is convlog's closing of the log.
    pub(crate) closed: bool,
}

impl Resume {
    pub(crate) fn new(stat: Stat, bytes: &[u8], scan: &Scan) -> Self {
        Self {
            stat,
            ends_in_newline: scan.ends_in_newline,
            highest: scan.highest,
            checkpoint: scan.checkpoint,
            since: scan.since,
            chain: scan.chain(bytes),
            closed: last_close(&scan.events, scan.ends_with_convlog).is_some(),
        }
    }
}

impl Reading {
    pub(crate) fn new(path: PathBuf, stat: Stat, bytes: &[u8], scan: Scan) -> Self {
        let resume = Resume::new(stat, bytes, &scan);
        let Scan { events, report, links, ends_with_convlog, .. } = scan;
        Self { events, report, path, links, ends_with_convlog, resume }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file as it was when reading began.
    #[must_use]
    pub fn stat(&self) -> &Stat {
        &self.resume.stat
    }

    /// What goes on writing this log.
    #[must_use]
    pub fn resume(&self) -> Resume {
        self.resume.clone()
    }

    /// The highest number of any event.
    #[must_use]
    pub fn highest(&self) -> Option<Seq> {
        Seq::new(self.resume.highest)
    }

    /// The messages after the last event; see [`replay`].
    #[must_use]
    pub fn replay(&self) -> Option<Log> {
        replay(&self.events)
    }

    /// The messages after convlog's last event; see [`replay_to_last_convlog`].
    #[must_use]
    pub fn replay_to_last_convlog(&self) -> Option<Log> {
        replay_to_last_convlog(&self.events)
    }

    /// Where among the events the last one by convlog stands.
    #[must_use]
    pub fn last_convlog(&self) -> Option<usize> {
        self.events.iter().rposition(|event| event.convlog.is_some())
    }

    /// Whether convlog wrote the last event.
    ///
    /// What is no JSON does not count, as a crash leaves such; any JSON value by another program does,
    /// whether it is an event or not.
    #[must_use]
    pub fn ends_with_convlog(&self) -> bool {
        self.ends_with_convlog
    }

    /// Whether something that cannot be read stands behind the last event, as a torn write leaves it.
    #[must_use]
    pub fn has_torn_end(&self) -> bool {
        let end = self.events.last().map_or(0, |event| event.span.end);
        self.report.iter().any(|oddity| oddity.span.end > end)
    }

    /// How convlog left the transcripts, when closing the log was the last that happened to it.
    #[must_use]
    pub fn last_close(&self) -> Option<&[FileFigures]> {
        last_close(&self.events, self.ends_with_convlog)
    }

    /// Whether the last event by convlog closed the log, whatever others wrote behind it.
    #[must_use]
    pub fn convlog_closed(&self) -> bool {
        let last = self.last_convlog().and_then(|at| self.events.get(at));
        matches!(last, Some(Event { kind: EventKind::Close(_), .. }))
    }

    /// The events whose lines may be missing in a transcript: from the last checkpoint on, that included
    /// (the first of a log names places too), or behind the last `convlog_close`.
    ///
    /// Each event's places are in its [`convlog`](Event::convlog).
    #[must_use]
    pub fn unsettled(&self) -> &[Event] {
        let by_convlog = |event: &Event| event.convlog.is_some();
        let start = self.events.iter().rposition(|event| match event.kind {
            EventKind::Checkpoint(_) => true,
            EventKind::Close(_) => by_convlog(event),
            _ => false,
        });
        let events = start.and_then(|start| self.events.get(start..)).unwrap_or(&self.events);
        match events {
            [Event { kind: EventKind::Close(_), .. }, behind @ ..] => behind,
            _ => events,
        }
    }
}

fn last_close(events: &[Event], ends_with_convlog: bool) -> Option<&[FileFigures]> {
    match events.last() {
        Some(Event { kind: EventKind::Close(figures), convlog: Some(_), .. }) if ends_with_convlog => Some(figures),
        _ => None,
    }
}
