//! Killed again and again at any moment, the agent ends where it would have ended anyway.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use convlog_fs::RealFs;
use convlog_store::{Conversation, Transcript, verify};

fn agent(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_example-agent-loop"));
    command.arg(home).arg("Do it.").stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Role and content of each message.
fn said(home: &Path) -> Vec<String> {
    let conversation = Conversation::open(Arc::new(RealFs), home).unwrap();
    let verified = verify(&conversation).unwrap();
    assert!(verified.is_sound(), "{:?}", verified.faults);
    let reading = conversation.read(&Transcript::Main).unwrap();
    reading.log.iter().map(|message| format!("{}: {}", message.role(), message.content())).collect()
}

#[test]
fn an_agent_that_is_killed_goes_on_where_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let (undisturbed, killed) = (directory.path().join("undisturbed"), directory.path().join("killed"));
    assert!(agent(&undisturbed).status().unwrap().success());

    let mut kills = 0;
    // Later and later, so that it gets on however slow the machine is.
    for patience in 1.. {
        let mut child = agent(&killed).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(4 * patience));
        match child.try_wait().unwrap() {
            Some(status) => {
                assert!(status.success());
                break;
            }
            None => child.kill().unwrap(),
        }
        child.wait().unwrap();
        kills += 1;
    }
    // On a busy machine few are enough to see it through.
    assert!(kills > 0, "it was never killed");
    assert_eq!(said(&killed), said(&undisturbed));
    assert_eq!(said(&killed).len(), 12);
    // Nothing is left to do.
    assert!(agent(&killed).status().unwrap().success());
    assert_eq!(said(&killed).len(), 12);
}
