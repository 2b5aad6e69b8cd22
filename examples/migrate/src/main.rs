//! Makes conversations of another program's JSON lines: `migrate DIRECTORY < FILE`.
//!
//! The other program wrote one object a line, of all its chats one after the other:
//! `{"chat": "a1", "from": "human", "text": "hi", "at": 1767323045}`. Run again, it passes over the chats that are
//! there already. A line that is no message is told by its number and left out; the others are kept.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod foreign;

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use convlog_fs::RealFs;
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
        // The messages survive a loss of power when the conversation is there, or it is not there.
        let home = Path::new(&directory).join(id.as_str());
        match Session::create(Arc::new(RealFs), home, SessionOptions::default(), messages) {
            Ok(session) => {
                println!("{id}: {} messages", session.log().len());
                session.close()?;
            }
            Err(CreateError::Exists { .. }) => println!("{id}: there already"),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
