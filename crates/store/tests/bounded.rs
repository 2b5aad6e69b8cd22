//! What reading costs, counted in the file layer: the end of a huge transcript for the end's price.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::io::{Seek as _, SeekFrom, Write as _};
use std::sync::Arc;

use convlog_fs::{FileSystem, Metered, RealFs};
use convlog_store::{Conversation, Transcript};

#[test]
fn the_last_messages_of_a_gigabyte_cost_only_the_end() {
    let directory = tempfile::tempdir().unwrap();
    let mut file = std::fs::File::create(directory.path().join("conversation.jsonl")).unwrap();
    // A hole of a gigabyte, then thirty messages of a kilobyte.
    file.seek(SeekFrom::Start(1 << 30)).unwrap();
    writeln!(file).unwrap();
    for index in 0..30 {
        let content = format!("{index} {}", "word ".repeat(200));
        writeln!(file, "{{\"role\": \"user\", \"content\": \"{content}\", \"timestamp\": \"2026-01-02T03:04:05\"}}")
            .unwrap();
    }
    let fs = Arc::new(Metered::new(RealFs));
    let conversation = Conversation::open(Arc::clone(&fs) as Arc<dyn FileSystem>, directory.path()).unwrap();
    let before = fs.snapshot();
    let last: Vec<_> = conversation.tail(&Transcript::Main).unwrap().take(20).map(Result::unwrap).collect();
    assert_eq!(last.len(), 20);
    assert!(last.last().unwrap().message.content().starts_with("10 "));
    let counts = fs.snapshot().since(&before);
    assert!(counts.bytes_read() <= 96 << 10, "{} bytes read", counts.bytes_read());
    assert_eq!(counts.bytes_written(), 0);
}
