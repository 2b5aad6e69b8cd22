//! [`Closed`]: how convlog left a log that it closed.

use convlog_fs::Stat;

use crate::chain::Chain;
use crate::reading::Resume;
use crate::scan::cursor::Cursor;
use crate::stamp::{AFTER_HASH, Closing, FileNames, Found, take_closing};
use crate::{FileFigures, Seq};

/// A log whose last event is convlog's closing of it, of which nothing else was read.
///
/// Where the figures fit the transcripts, nothing more needs to be read to go on with the log.
///
/// ```
/// use convlog_eventlog::{EventLog, FileFigures, Options, read_closed};
/// use convlog_fs::{Durability, FileSystem, sim::SimFs};
/// use convlog_message::Log;
/// use std::{path::Path, sync::Arc};
///
/// let (fs, dir) = (Arc::new(SimFs::new()), Path::new("/log"));
/// fs.create_dir(dir)?;
/// let mut log = EventLog::create(fs.clone(), dir, Options::default(), &Log::new(), &[])?;
/// assert!(read_closed(&fs, dir)?.is_none());
/// log.close(&[], Durability::Synced)?;
///
/// let closed = read_closed(&fs, dir)?.unwrap();
/// let mut log = EventLog::resume(fs, dir, Options::default(), closed.resume)?;
/// assert_eq!(log.undo(0, Durability::Written)?.get(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Closed {
    /// How the transcripts were left.
    pub figures: Vec<FileFigures>,
    /// What goes on writing this log.
    pub resume: Resume,
}

impl Closed {
    /// Reads the last line of a file.
    pub(crate) fn of(stat: Stat, line: &[u8]) -> Option<Self> {
        let mut files = FileNames::default();
        let mut cursor = Cursor::new(line);
        cursor.take("{\"seq\": ")?;
        let seq = Seq::new(cursor.number()?)?;
        cursor.take(", \"ts\": \"")?;
        cursor.plain_string()?;
        cursor.take(", \"type\": \"convlog_close\", \"payload\": ")?;
        let Closing { figures, since: (checkpoint, since) } = take_closing(&mut cursor, &mut files)?;
        cursor.take(", \"convlog\": ")?;
        let found = Found::take(&mut cursor, &mut files)?;
        if cursor.rest != b"}" {
            return None;
        }
        let mut chain = Chain::after(found.stamp.hash);
        chain.add(AFTER_HASH);
        let highest = seq.get();
        let checkpoint = Seq::new(checkpoint);
        let resume = Resume { stat, ends_in_newline: true, highest, checkpoint, since, chain, closed: true };
        Some(Self { figures, resume })
    }
}
