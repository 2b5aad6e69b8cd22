//! A store of messages as one would make it with SQLite: one table, an index, a write-ahead log.

use std::path::Path;

use anyhow::Result;
use rusqlite::{Connection, params};

use crate::plain::Plain;

/// What a commit survives.
#[derive(Clone, Copy, Debug)]
pub enum Synchronous {
    /// The death of the process.
    Normal,
    /// The loss of power.
    Full,
}

/// A database with one conversation in it.
#[derive(Debug)]
pub struct Sqlite {
    connection: Connection,
    next: i64,
}

const INSERT: &str = "INSERT INTO message (conversation, position, role, content, timestamp, metadata) \
                      VALUES (1, ?1, ?2, ?3, ?4, ?5)";

impl Sqlite {
    pub fn create(path: &Path, synchronous: Synchronous) -> Result<Self> {
        let connection = Connection::open(path)?;
        let level = match synchronous {
            Synchronous::Normal => "NORMAL",
            Synchronous::Full => "FULL",
        };
        connection.execute_batch(&format!(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = {level};
             CREATE TABLE message (id INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, position INTEGER NOT NULL,
                                   role TEXT NOT NULL, content TEXT NOT NULL, timestamp TEXT NOT NULL, metadata TEXT);
             CREATE UNIQUE INDEX place ON message (conversation, position);"
        ))?;
        Ok(Self { connection, next: 0 })
    }

    /// Adds many messages in one transaction.
    pub fn fill<'a>(&mut self, messages: impl IntoIterator<Item = &'a Plain>) -> Result<()> {
        let transaction = self.connection.unchecked_transaction()?;
        for message in messages {
            let metadata = message.metadata.as_ref().map(serde_json::to_string).transpose()?;
            let mut insert = transaction.prepare_cached(INSERT)?;
            insert.execute(params![self.next, message.role, message.content, message.timestamp, metadata])?;
            self.next += 1;
        }
        Ok(transaction.commit()?)
    }

    /// Adds one message, committed when this returns.
    pub fn append(&mut self, content: &str) -> Result<()> {
        let mut insert = self.connection.prepare_cached(INSERT)?;
        insert.execute(params![self.next, "assistant", content, "2026-01-02T03:04:05.123456", None::<String>])?;
        self.next += 1;
        Ok(())
    }

    /// Adds as many as there are, committed together.
    pub fn append_batch(&mut self, contents: &[&str]) -> Result<()> {
        let transaction = self.connection.unchecked_transaction()?;
        for content in contents {
            let mut insert = transaction.prepare_cached(INSERT)?;
            insert.execute(params![self.next, "assistant", content, "2026-01-02T03:04:05.123456", None::<String>])?;
            self.next += 1;
        }
        Ok(transaction.commit()?)
    }

    /// How many messages there are, as the database says.
    pub fn count(&self) -> Result<i64> {
        Ok(self.connection.query_row("SELECT count(*) FROM message", [], |row| row.get(0))?)
    }
}

/// Opens a database and reads all its messages, metadata decoded.
pub fn read(path: &Path) -> Result<Vec<Plain>> {
    let connection = Connection::open(path)?;
    let mut select = connection
        .prepare("SELECT role, content, timestamp, metadata FROM message WHERE conversation = 1 ORDER BY position")?;
    let mut rows = select.query([])?;
    let mut messages = Vec::new();
    while let Some(row) = rows.next()? {
        let metadata = row.get_ref(3)?.as_str_or_null()?.map(serde_json::from_str).transpose()?;
        messages.push(Plain {
            role: row.get(0)?,
            content: row.get(1)?,
            timestamp: row.get(2)?,
            files: Vec::new(),
            file_hashes: Default::default(),
            pinned: false,
            hide: false,
            ui_only: false,
            ephemeral_ttl: None,
            call_id: None,
            metadata,
        });
    }
    Ok(messages)
}
