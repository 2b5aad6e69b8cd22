//! A server that keeps many conversations: `chat-server DIRECTORY` listens on a port of its choosing and prints it.
//!
//! A client sends lines: `say ID TEXT` is answered by `ok INDEX` once the message survives the death of the server;
//! `read ID` by the messages, one JSON object a line, and an empty line. A conversation is made when it is first
//! spoken to. Sessions stay open, each under its own lock: clients of one conversation do not wait for another's.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod sessions;

use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use convlog_codec::{json::Style, jsonl};
use convlog_message::{Message, Role};
use convlog_store::ConversationId;

use sessions::Sessions;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("usage: chat-server DIRECTORY")?;
    let sessions = Arc::new(Sessions::new(directory));
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?);
    for stream in listener.incoming() {
        let (stream, sessions) = (stream?, Arc::clone(&sessions));
        std::thread::spawn(move || {
            if let Err(error) = serve(&stream, &sessions) {
                eprintln!("a client is gone: {error}");
            }
        });
    }
    Ok(())
}

/// Answers the lines of one client.
fn serve(stream: &TcpStream, sessions: &Sessions) -> std::io::Result<()> {
    let mut out = stream;
    for line in BufReader::new(stream).lines() {
        let answer = answer(&line?, sessions).unwrap_or_else(|error| format!("error {error}\n").into_bytes());
        out.write_all(&answer)?;
    }
    Ok(())
}

fn answer(line: &str, sessions: &Sessions) -> Result<Vec<u8>, Box<dyn Error>> {
    let (verb, rest) = line.split_once(' ').ok_or("say ID TEXT, or read ID")?;
    match (verb, rest.split_once(' ')) {
        ("say", Some((id, text))) => {
            let shared = sessions.get(&ConversationId::for_new(id)?)?;
            let mut session = sessions::lock(&shared);
            let message = Message::new(Role::User, text, session.now());
            Ok(format!("ok {}\n", session.append(message)?.index()).into_bytes())
        }
        ("read", None) => {
            let shared = sessions.get(&ConversationId::for_new(rest)?)?;
            // The log is a value: a clone costs nothing, and writers go on while it is sent.
            let log = sessions::lock(&shared).log().clone();
            let mut lines = Vec::new();
            log.iter().for_each(|message| jsonl::write_line(message, Style::Utf8, &mut lines));
            lines.push(b'\n');
            Ok(lines)
        }
        _ => Err("say ID TEXT, or read ID".into()),
    }
}
