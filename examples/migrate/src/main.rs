//! Makes conversations of another program's JSON lines: `migrate DIRECTORY < FILE`.
//!
//! The other program wrote one object a line, of all its chats one after the other:
//! `{"chat": "a1", "from": "human", "text": "hi", "at": 1767323045}`. Cut short and run again, it goes on where it
//! was. A line that is no message is told by its number and left out; the others are kept.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod foreign;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use convlog_fs::{Durability, RealFs};
use convlog_store::{ConversationId, CreateError, Session, SessionOptions};

use foreign::Chats;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("usage: migrate DIRECTORY < FILE")?;
    let mut chats = Chats::default();
    for (line, number) in std::io::stdin().lines().zip(1..) {
        if let Err(reason) = chats.add(&line?) {
            eprintln!("line {number}: {reason}; left out");
        }
    }
    for (chat, messages) in chats {
        let id = ConversationId::for_new(&chat)?;
        let mut session = open_or_create(Path::new(&directory).join(id.as_str()))?;
        let new = messages.get(session.log().len()..).unwrap_or_default();
        // One sync for all of them: they survive a loss of power from here on.
        if !new.is_empty() {
            session.append_batch(new, Durability::Synced)?;
        }
        println!("{id}: {} messages, {} of them new", session.log().len(), new.len());
        session.close()?;
    }
    Ok(())
}

fn open_or_create(home: PathBuf) -> Result<Session, Box<dyn Error>> {
    let options = SessionOptions::default();
    match Session::create(Arc::new(RealFs), &home, options.clone(), []) {
        Err(CreateError::Exists { .. }) => Ok(Session::open(Arc::new(RealFs), home, options)?),
        created => Ok(created?),
    }
}
