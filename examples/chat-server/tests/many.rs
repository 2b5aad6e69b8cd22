//! Many clients write many conversations; others read them meanwhile, through the server and on disk.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use convlog_fs::RealFs;
use convlog_query::LogsDir;
use convlog_store::Transcript;

const CONVERSATIONS: usize = 6;
const CLIENTS: usize = 8;
/// By each client to each conversation.
const MESSAGES: usize = 12;

struct Server(Child, String);

impl Server {
    fn start(directory: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_example-chat-server"));
        let mut child = command.arg(directory).stdout(Stdio::piped()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self(child, address.trim().to_owned())
    }

    fn client(&self) -> Client {
        let stream = TcpStream::connect(&self.1).unwrap();
        Client(BufReader::new(stream))
    }

    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

struct Client(BufReader<TcpStream>);

impl Client {
    fn ask(&mut self, line: &str) -> String {
        self.0.get_mut().write_all(format!("{line}\n").as_bytes()).unwrap();
        self.line()
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        line
    }
}

/// What is on disk of a conversation, which nobody waits for.
fn on_disk(logs: &LogsDir, id: &str) -> Vec<String> {
    let reading = logs.find(id).unwrap().read(&Transcript::Main).unwrap();
    assert!(reading.report.iter().all(|finding| !finding.problem.is_skipped()), "{:?}", reading.report);
    reading.log.iter().map(|message| message.content().to_owned()).collect()
}

#[test]
fn many_conversations_are_written_and_read_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let logs = LogsDir::new(Arc::new(RealFs), directory.path());
    let server = Server::start(directory.path());
    let id = |number: usize| format!("room-{number}");
    for number in 0..CONVERSATIONS {
        assert_eq!(server.client().ask(&format!("say {} hello", id(number))), "ok 0\n");
    }
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut seen = vec![Vec::new(); CONVERSATIONS];
            while !over.load(Ordering::SeqCst) {
                for (number, seen) in seen.iter_mut().enumerate() {
                    let now = on_disk(&logs, &id(number));
                    assert!(now.starts_with(seen), "what was there stays there: {seen:?}, then {now:?}");
                    *seen = now;
                }
            }
        });
        let writers: Vec<_> = (0..CLIENTS)
            .map(|writer| {
                let mut client = server.client();
                scope.spawn(move || {
                    for message in 0..MESSAGES {
                        for number in 0..CONVERSATIONS {
                            let answer = client.ask(&format!("say {} {message} of {writer}", id(number)));
                            assert!(answer.starts_with("ok "), "{answer}");
                        }
                    }
                })
            })
            .collect();
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        over.store(true, Ordering::SeqCst);
        reader.join().unwrap();
    });

    let mut client = server.client();
    let first = client.ask("read room-0");
    assert!(first.contains("\"content\":\"hello\""), "{first}");
    let rest = std::iter::repeat_with(|| client.line()).take_while(|line| line != "\n").count();
    assert_eq!(rest, CLIENTS * MESSAGES);
    assert!(client.ask("read ../room-0").starts_with("error "));
    assert!(client.ask("hello").starts_with("error "));

    // All was acknowledged, so all of it survives.
    server.kill();
    for number in 0..CONVERSATIONS {
        let said = on_disk(&logs, &id(number));
        assert_eq!(said.len(), 1 + CLIENTS * MESSAGES);
        for writer in 0..CLIENTS {
            let by_writer = said.iter().filter(|said| said.ends_with(&format!(" of {writer}")));
            let expected: Vec<_> = (0..MESSAGES).map(|message| format!("{message} of {writer}")).collect();
            assert_eq!(by_writer.cloned().collect::<Vec<_>>(), expected, "each client's messages are in order");
        }
    }
    let again = Server::start(directory.path());
    assert_eq!(again.client().ask("say room-0 back"), format!("ok {}\n", 1 + CLIENTS * MESSAGES));
    again.kill();
}
