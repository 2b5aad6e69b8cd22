//! The histories that FORMAT.md §6 lists, each a test of its own.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::io::Write;
use std::path::Path;

use convlog_fs::sim::{CrashPlan, Fault, Quirks, SimFs, Times, When};
use convlog_fs::{Durability, FileSystem, Missing, Open, Operation, read_all};
use convlog_store::Session;
use convlog_trust::disk::{
    HOME, check_agreement, check_tidy, contents, in_branches, kill, new_disk, open, options, read_transcript, say,
    shared, transcript,
};
use convlog_trust::foreign;

/// A conversation of these messages, open; the first is there from the beginning.
fn begin(names: &[&str]) -> (SimFs, Session) {
    begin_on(new_disk(Quirks::default()), names)
}

fn begin_on(disk: SimFs, names: &[&str]) -> (SimFs, Session) {
    let (first, rest) = names.split_first().unwrap();
    let mut session = Session::create(shared(&disk), HOME, options(), vec![say(first)]).unwrap();
    for name in rest {
        session.append(say(name)).unwrap();
    }
    (disk, session)
}

/// Opens, and finds these messages, everything in agreement.
#[track_caller]
fn opens_with(disk: &SimFs, expected: &[&str]) -> Session {
    let session = open(disk).unwrap();
    assert_eq!(contents(session.log()), expected, "{:?}", session.recovery());
    check_agreement(disk, &session).unwrap();
    check_tidy(disk).unwrap();
    session
}

/// The disks that a power loss now may leave.
fn lost_power(disk: &SimFs) -> Vec<SimFs> {
    let plan = CrashPlan { budget: 32, ..CrashPlan::default() };
    disk.crash_states(&plan).states.into_iter().map(|crash| crash.disk).collect()
}

#[test]
fn gptme_undoes_two_after_convlog_wrote_three() {
    for is_closed in [true, false] {
        let (disk, session) = begin(&["a", "b", "c", "d"]);
        let disk = if is_closed {
            session.close().unwrap();
            disk
        } else {
            kill(&disk, Some(session))
        };
        foreign::gptme_undo(&disk, 2);
        opens_with(&disk, &["a", "b"]).close().unwrap();
        opens_with(&disk, &["a", "b"]);
    }
}

#[test]
fn the_user_cuts_the_last_lines_after_a_clean_close_and_gptme_then_undoes_one() {
    let (disk, session) = begin(&["a", "b", "c", "d"]);
    session.close().unwrap();
    foreign::cut(&disk, 2);
    foreign::gptme_undo(&disk, 1);
    let session = opens_with(&disk, &["a"]);
    assert_eq!(session.recovery().put_back, 0);
    session.close().unwrap();
    opens_with(&disk, &["a"]);
}

#[test]
fn a_tail_of_nuls_at_full_length() {
    let (disk, mut session) = begin(&["a"]);
    session.append_at(say("b"), Durability::Synced).unwrap();
    let disk = kill(&disk, Some(session));
    let bytes = read_all(&disk, &transcript()).unwrap();
    let start = bytes.len() / 2;
    let mut file = disk.open(&transcript(), Open::ReadWrite(Missing::Fail)).unwrap();
    file.set_len(start as u64).unwrap();
    file.set_len(bytes.len() as u64).unwrap();
    drop(file);
    assert_eq!(read_transcript(&disk), ["a"]);
    let session = opens_with(&disk, &["a", "b"]);
    assert_eq!(session.recovery().put_back, 1);
    assert_eq!(read_all(&disk, &transcript()).unwrap(), bytes);
}

#[test]
fn recovery_killed_half_way_twice() {
    let (disk, mut session) = begin(&["a", "b"]);
    session.append_at(say("c"), Durability::Synced).unwrap();
    session.append_at(say("d"), Durability::Synced).unwrap();
    let lost = disk.crash_states(&CrashPlan::default()).states.swap_remove(0).disk;
    let _ = kill(&disk, Some(session));
    let calls = {
        let disk = lost.kill();
        let session = open(&disk).unwrap();
        let calls = disk.next_op();
        let _ = kill(&disk, Some(session));
        calls
    };
    let halted = |disk: &SimFs, call: u64| {
        let disk = disk.kill();
        disk.halt_after(call);
        let _ = open(&disk);
        disk
    };
    for first in 0..calls {
        let first = halted(&lost, first).kill();
        for second in (0..calls).step_by(7) {
            let second = halted(&first, second);
            opens_with(&second.kill(), &["a", "b", "c", "d"]);
        }
    }
}

#[test]
fn a_sync_that_fails_then_a_kill_reopening_a_synced_append_and_a_power_loss() {
    let (disk, mut session) = begin(&["a"]);
    disk.fail(When::operation(Operation::SyncData), Fault::IO, Times::Once);
    session.append(say("b")).unwrap();
    session.sync().unwrap_err();
    session.append_at(say("no"), Durability::Synced).unwrap_err();
    let disk = kill(&disk, Some(session));
    let mut session = opens_with(&disk, &["a", "b"]);
    session.append_at(say("c"), Durability::Synced).unwrap();
    for lost in lost_power(&disk) {
        opens_with(&lost, &["a", "b", "c"]);
    }
}

#[test]
fn gptme_compacts_in_between() {
    for is_closed in [true, false] {
        let (disk, session) = begin(&["a", "b"]);
        let disk = if is_closed {
            session.close().unwrap();
            disk
        } else {
            kill(&disk, Some(session))
        };
        foreign::gptme_append(&disk, "g");
        foreign::gptme_compact(&disk);
        let mut session = opens_with(&disk, &["a", "b", "g"]);
        session.append(say("c")).unwrap();
        let disk = kill(&disk, Some(session));
        opens_with(&disk, &["a", "b", "g", "c"]);
    }
}

#[test]
fn an_undo_whose_event_is_written_and_whose_rename_is_not() {
    let (disk, mut session) = begin(&["a", "b", "c", "d"]);
    let renames = |disk: &SimFs| {
        let ops = disk.ops();
        ops.into_iter()
            .filter(|op| op.operation == Operation::Rename && op.to.as_deref() == Some(&transcript()))
            .count()
    };
    let clean = {
        let (disk, mut session) = begin(&["a", "b", "c", "d"]);
        session.undo(2).unwrap();
        assert_eq!(renames(&disk), 1);
        disk.ops().into_iter().rfind(|op| op.to.as_deref() == Some(&transcript())).unwrap().number
    };
    disk.halt_after(clean);
    session.undo(2).unwrap_err();
    assert!(
        String::from_utf8(read_all(&disk.kill(), &convlog_trust::disk::events()).unwrap())
            .unwrap()
            .contains("\"undo\"")
    );
    let disk = kill(&disk, Some(session));
    opens_with(&disk, &["a", "b", "c", "d"]);
}

#[test]
fn a_conflict_then_reopening() {
    let (disk, mut session) = begin(&["a", "b"]);
    foreign::gptme_append(&disk, "g");
    let error = session.append(say("c")).unwrap_err();
    assert!(!error.may_stand());
    session.undo(1).unwrap_err();
    drop(session);
    let mut session = opens_with(&disk, &["a", "b", "g"]);
    session.append(say("c")).unwrap();
    session.close().unwrap();
    opens_with(&disk, &["a", "b", "g", "c"]);
}

#[test]
fn a_conflict_by_an_editor_then_reopening() {
    for kills in [false, true] {
        let (disk, mut session) = begin(&["a", "b", "c"]);
        foreign::replace(&disk, &["a".to_owned(), "mine".to_owned()]);
        session.append(say("d")).unwrap_err();
        let disk = if kills {
            kill(&disk, Some(session))
        } else {
            drop(session);
            disk
        };
        opens_with(&disk, &["a", "mine"]);
        let kept = in_branches(&disk);
        assert!(["b", "c"].iter().all(|lost| kept.iter().any(|kept| kept == lost)), "{kept:?}");
    }
}

/// Copies every file of the conversation into another directory, as `cp -r` does.
fn copy(disk: &SimFs, to: &Path) {
    disk.create_dir(to).unwrap();
    for entry in disk.list(Path::new(HOME)).unwrap() {
        if entry.kind != convlog_fs::Kind::File {
            continue;
        }
        let bytes = read_all(disk, &Path::new(HOME).join(&entry.name)).unwrap();
        let mut file = disk.open(&to.join(&entry.name), Open::CREATE_NEW).unwrap();
        file.write_all(&bytes).unwrap();
    }
}

#[test]
fn a_copied_directory_keeps_its_transcript() {
    for is_closed in [true, false] {
        let (disk, session) = begin(&["a", "b", "c"]);
        let disk = if is_closed {
            session.close().unwrap();
            disk
        } else {
            kill(&disk, Some(session))
        };
        let there = Path::new("/logs/copy");
        copy(&disk, there);
        // The user then cuts the copy: nothing that the log says of the other file may come back.
        let bytes = read_all(&disk, &there.join("conversation.jsonl")).unwrap();
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        let mut file = disk.open(&there.join("conversation.jsonl"), Open::ReadWrite(Missing::Fail)).unwrap();
        file.set_len(end as u64).unwrap();
        drop(file);
        let session = Session::open(shared(&disk), there, options()).unwrap();
        assert_eq!(contents(session.log()), ["a"]);
        assert_eq!(session.recovery().put_back, 0);
        assert_eq!(session.recovery().backups.len(), 1, "what only the log held is in a branch");
        opens_with(&disk, &["a", "b", "c"]);
    }
}

#[test]
fn an_inode_used_again() {
    let disk = new_disk(Quirks { reuse_inodes: true, ..Quirks::default() });
    // No checkpoint yet, so that there is something that could be put back.
    let (disk, session) = begin_on(disk, &["a", "b"]);
    let disk = kill(&disk, Some(session));
    let before = disk.stat(&transcript()).unwrap();
    let bytes = read_all(&disk, &transcript()).unwrap();
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    disk.remove_file(&transcript()).unwrap();
    disk.open(&transcript(), Open::CREATE_NEW).unwrap().write_all(&bytes[..end]).unwrap();
    assert_eq!(disk.stat(&transcript()).unwrap().id.ino, before.id.ino);
    let session = opens_with(&disk, &["a"]);
    assert_eq!(session.recovery().put_back, 0);
}

/// Found by the model: a recovery that was killed had made the backup branch, not yet durably; the next
/// one found it, let the event log forget the messages, and the power went.
#[test]
fn a_backup_of_a_killed_recovery_is_durable_before_the_event_log_forgets() {
    let (disk, mut session) = begin(&["a"]);
    session.append_at(say("b"), Durability::Synced).unwrap();
    let disk = kill(&disk, Some(session));
    foreign::replace(&disk, &["g".to_owned()]);
    let calls = {
        let disk = disk.kill();
        let session = open(&disk).unwrap();
        let calls = disk.next_op();
        let _ = kill(&disk, Some(session));
        calls
    };
    for call in 0..calls {
        let disk = disk.kill();
        disk.halt_after(call);
        let _ = open(&disk);
        let disk = disk.kill();
        open(&disk).unwrap().close().unwrap();
        for disk in lost_power(&disk) {
            let session = open(&disk).unwrap();
            let (found, branches) = (contents(session.log()), in_branches(&disk));
            assert!(found.contains(&"b".to_owned()) || branches.contains(&"b".to_owned()), "killed after {call}");
        }
    }
}

#[test]
fn a_failed_sync_is_not_followed_by_an_acknowledgement() {
    let (disk, mut session) = begin(&["a"]);
    session.append_at(say("b"), Durability::Synced).unwrap();
    // Each third event makes a checkpoint, which is synced: the last one stands behind it.
    for content in ["c", "d", "e", "f"] {
        session.append(say(content)).unwrap();
    }
    disk.fail(When::operation(Operation::SyncData), Fault::IO, Times::Once);
    assert!(session.sync().is_err());
    assert!(session.sync().is_err());
    assert!(session.append_at(say("g"), Durability::Synced).is_err());
    assert!(session.undo(1).is_err());
}

#[test]
fn an_editor_leaves_no_newline_at_the_end_and_the_next_message_gets_its_own_line() {
    let (disk, session) = begin(&["a", "b"]);
    session.close().unwrap();
    let bytes = read_all(&disk, &transcript()).unwrap();
    disk.open(&transcript(), Open::ReadWrite(Missing::Fail)).unwrap().set_len(bytes.len() as u64 - 1).unwrap();
    let mut session = opens_with(&disk, &["a", "b"]);
    session.append_at(say("c"), Durability::Synced).unwrap();
    let bytes = read_all(&disk, &transcript()).unwrap();
    assert_eq!(bytes.split(|byte| *byte == b'\n').count(), 4, "{}", bytes.escape_ascii());
    // Where the line was torn out, its newline is put back with it.
    for disk in lost_power(&disk) {
        opens_with(&disk, &["a", "b", "c"]);
    }
}

#[test]
fn what_an_editor_put_in_place_of_a_line_is_not_overwritten() {
    let (disk, session) = begin(&["a", "b"]);
    let disk = kill(&disk, Some(session));
    foreign::cut(&disk, 1);
    let mut line = Vec::new();
    convlog_codec::jsonl::write_line(&say("x"), convlog_codec::json::Style::Gptme, &mut line);
    disk.open(&transcript(), Open::Append(Missing::Fail)).unwrap().write_all(&line).unwrap();
    let session = opens_with(&disk, &["a", "x"]);
    assert_eq!(session.recovery().put_back, 0);
    assert!(in_branches(&disk).contains(&"b".to_owned()));
}
