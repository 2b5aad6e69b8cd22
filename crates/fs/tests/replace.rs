//! Replacing and making whole files: what is visible, what survives, at every step.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::io::Write;
use std::path::Path;

use common::{both, put, put_durable};
use convlog_fs::sim::{Crash, CrashPlan, Fault, Halted, SimFs, Times, When};
use convlog_fs::{
    DirSync, FileSystem, Open, Operation, ReplaceError, ReplaceMode, Replacement, create_durable, is_temporary,
    read_all, remove_temporaries, replace, resolve_target,
};

const OLD: &str = "old one\nold two\n";
const NEW: &str = "new one\nnew two\nnew three\n";

fn old() -> SimFs {
    let fs = SimFs::new();
    put_durable(&fs, "/log", OLD);
    fs
}

fn write_new(fs: &dyn FileSystem, path: &str) -> Result<convlog_fs::Replaced, ReplaceError> {
    replace(fs, Path::new(path), ReplaceMode::Keep, |out| {
        let (one, rest) = NEW.as_bytes().split_at(8);
        out.write_all(one)?;
        out.write_all(rest)
    })
}

fn names(fs: &dyn FileSystem, dir: &str) -> Vec<String> {
    let entries = fs.list(Path::new(dir)).unwrap();
    entries.into_iter().map(|entry| entry.name.into_string().unwrap()).collect()
}

#[test]
fn replaces_what_a_symbolic_link_points_to_and_keeps_its_mode() {
    both(|world| {
        world.dir("big");
        world.put("big/log", OLD);
        world.fs.set_mode(&world.at("big/log"), 0o640).unwrap();
        world.fs.symlink(Path::new("big/log"), &world.at("log")).unwrap();
        let replaced =
            replace(&*world.fs, &world.at("log"), ReplaceMode::Keep, |out| out.write_all(NEW.as_bytes())).unwrap();
        assert_eq!(replaced.target, world.at("big/log"));
        assert_eq!(replaced.dir_sync, DirSync::Synced);
        assert_eq!(replaced.stat, world.fs.lstat(&world.at("big/log")).unwrap());
        assert_eq!(replaced.stat.mode, 0o640);
        assert_eq!(world.get("log"), NEW);
        assert_eq!(world.fs.read_link(&world.at("log")).unwrap(), Path::new("big/log"));
        assert_eq!(names(&*world.fs, world.at("big").to_str().unwrap()), ["log"]);
    });
}

#[test]
fn makes_the_file_that_a_dangling_link_points_to() {
    both(|world| {
        world.dir("big");
        world.fs.symlink(Path::new("to"), &world.at("log")).unwrap();
        world.fs.symlink(&world.at("big/log"), &world.at("to")).unwrap();
        let write = |out: &mut dyn Write| out.write_all(b"text");
        let replaced = replace(&*world.fs, &world.at("log"), ReplaceMode::Keep, write).unwrap();
        assert_eq!((replaced.target, replaced.stat.mode), (world.at("big/log"), 0o600));
        assert_eq!(world.get("log"), "text");
    });
}

#[test]
fn refuses_what_is_no_file() {
    both(|world| {
        world.dir("dir");
        world.fs.symlink(Path::new("loop"), &world.at("loop")).unwrap();
        for name in ["dir", "loop", "none/file", ".."] {
            let error = replace(&*world.fs, &world.at(name), ReplaceMode::Keep, |_| Ok(()));
            assert!(matches!(error, Err(ReplaceError::Unchanged { .. })), "{name}");
        }
        assert_eq!(names(&*world.fs, world.root.to_str().unwrap()), ["dir", "loop"]);
    });
    assert!(resolve_target(&SimFs::new(), Path::new("/")).is_err());
}

#[test]
fn a_set_mode_stands_also_after_power_loss() {
    let fs = old();
    replace(&fs, Path::new("/log"), ReplaceMode::Set(0o640), |_| Ok(())).unwrap();
    for crash in fs.crash_states(&CrashPlan::default()).states {
        assert_eq!(crash.disk.stat(Path::new("/log")).unwrap().mode, 0o640);
    }
}

#[test]
fn an_error_while_writing_leaves_the_old_file_and_no_other() {
    both(|world| {
        world.put("log", OLD);
        let failed = replace(&*world.fs, &world.at("log"), ReplaceMode::Keep, |out| {
            out.write_all(b"half")?;
            Err(std::io::Error::other("no more"))
        });
        assert!(failed.unwrap_err().cause().to_string().contains("no more"));
        assert_eq!(world.get("log"), OLD);
        assert_eq!(names(&*world.fs, world.root.to_str().unwrap()), ["log"]);
    });
}

#[test]
fn a_hard_link_to_the_old_file_keeps_the_old_content() {
    both(|world| {
        world.put("log", OLD);
        world.fs.hard_link(&world.at("log"), &world.at("backup")).unwrap();
        replace(&*world.fs, &world.at("log"), ReplaceMode::Keep, |out| out.write_all(NEW.as_bytes())).unwrap();
        assert_eq!(world.get("backup"), OLD);
    });
}

/// Halts before each call in turn: whatever a kill or a power loss leaves then is the old
/// content or the new, and nothing but temporary files beside it.
#[test]
fn at_every_step_the_old_content_or_the_new() {
    let first = old().next_op();
    let calls = {
        let fs = old();
        write_new(&fs, "/log").unwrap();
        fs.next_op()
    };
    let mut seen = (0, 0);
    for halt in first..=calls {
        let fs = old();
        fs.halt_after(halt);
        let outcome = write_new(&fs, "/log");
        assert_eq!(outcome.is_ok(), halt == calls);
        if let Err(error) = &outcome {
            assert!(Halted::caused(&error.cause().cause));
        }
        let crashes = fs.crash_states(&CrashPlan::default());
        assert!(!crashes.is_sampled());
        let killed = (fs.kill(), "killed".to_owned());
        let lost = crashes.states.into_iter().map(|crash| (crash.disk, crash.description));
        for (disk, description) in lost.chain([killed]) {
            match read_all(&disk, Path::new("/log")).unwrap() {
                text if text == OLD.as_bytes() => seen.0 += 1,
                text if text == NEW.as_bytes() => seen.1 += 1,
                text => panic!("{}: {description}", text.escape_ascii()),
            }
            let synced = outcome.is_ok();
            assert!(!synced || disk.tree().bytes("/log") == Some(NEW.as_bytes()), "{description}");
            remove_temporaries(&disk, Path::new("/")).unwrap();
            assert_eq!(names(&disk, "/"), ["log"], "{description}");
        }
    }
    assert!(seen.0 > 0 && seen.1 > 0, "{seen:?}");
}

/// The simulator has teeth: a sync left out shows.
#[test]
fn a_replacement_without_one_of_its_syncs_is_caught() {
    #[derive(PartialEq)]
    enum Leave {
        Nothing,
        DataSync,
        DirSync,
    }
    // Whether each crash leaves one of the two contents whole, and at the end the new one.
    let run = |leave: Leave| {
        let fs = old();
        let (log, temporary) = (Path::new("/log"), Path::new("/.convlog-0.tmp"));
        put(&fs, temporary, NEW);
        if leave != Leave::DataSync {
            fs.open(temporary, Open::Read).unwrap().sync_all().unwrap();
        }
        let mut crashes = fs.crash_states(&CrashPlan::default()).states;
        fs.rename(temporary, log).unwrap();
        crashes.extend(fs.crash_states(&CrashPlan::default()).states);
        if leave != Leave::DirSync {
            let _ = fs.sync_dir(Path::new("/")).unwrap();
        }
        let last = fs.crash_states(&CrashPlan::default()).states;
        let text = |crash: &Crash| read_all(&crash.disk, log).unwrap();
        let whole = |crash: &Crash| [OLD.as_bytes(), NEW.as_bytes()].contains(&&*text(crash));
        let is_new = |crash: &Crash| text(crash) == NEW.as_bytes();
        (crashes.iter().all(whole), last.iter().all(is_new))
    };
    assert_eq!(run(Leave::Nothing), (true, true));
    assert_eq!(run(Leave::DataSync), (false, false));
    assert_eq!(run(Leave::DirSync), (true, false));
}

#[test]
fn writing_in_place_is_caught() {
    let fs = old();
    put(&fs, Path::new("/log"), NEW);
    let crashes = fs.crash_states(&CrashPlan::default()).states;
    let texts: Vec<_> = crashes.iter().map(|crash| read_all(&crash.disk, Path::new("/log")).unwrap()).collect();
    assert!(texts.iter().any(Vec::is_empty));
    assert!(texts.iter().any(|text| text == b"new one\n"));
}

/// Every fault at every call: the error says which content stands, and it does.
#[test]
fn after_every_fault_the_error_says_which_content_stands() {
    let first = old().next_op();
    let calls = {
        let fs = old();
        write_new(&fs, "/log").unwrap();
        fs.next_op()
    };
    let mut outcomes = [0; 3];
    for number in first..calls {
        for fault in Fault::SWEEP {
            for times in [Times::Once, Times::Forever] {
                let fs = old();
                fs.fail(When::number(number), fault, times);
                let outcome = write_new(&fs, "/log");
                let (position, expected) = match &outcome {
                    Ok(_) => (0, NEW),
                    Err(ReplaceError::Unchanged { .. }) => (1, OLD),
                    Err(_) => (2, NEW),
                };
                outcomes[position] += 1;
                let case = format!("{fault:?} {times:?} at {number}: {outcome:?}");
                assert_eq!(fs.tree().bytes("/log"), Some(expected.as_bytes()), "{case}");
                let left = names(&fs.kill(), "/");
                let clean = left == ["log"];
                // Where nothing can be removed any more, the next writer does it.
                assert!(clean || times == Times::Forever && fault == Fault::IO, "{case}: {left:?}");
                fs.clear_faults();
                for crash in fs.crash_states(&CrashPlan::default()).states {
                    let text = crash.disk.tree();
                    let text = text.bytes("/log").unwrap();
                    let new_only = outcome.is_ok();
                    let fits = text == NEW.as_bytes() || !new_only && text == OLD.as_bytes();
                    assert!(fits, "{case}: {}", crash.description);
                }
                write_new(&fs, "/log").unwrap();
            }
        }
    }
    assert!(outcomes.iter().all(|count| *count > 0), "{outcomes:?}");
}

#[test]
fn a_directory_that_cannot_be_synced_is_a_warning_and_one_that_fails_an_error() {
    let fs = old();
    fs.fail(When::operation(Operation::SyncDir), Fault::INVALID, Times::Once);
    assert_eq!(write_new(&fs, "/log").unwrap().dir_sync, DirSync::Unsupported);

    fs.fail(When::operation(Operation::SyncDir), Fault::IO, Times::Once);
    let error = write_new(&fs, "/log").unwrap_err();
    assert!(matches!(error, ReplaceError::NotDurable { .. }), "{error:?}");
    assert!(error.to_string().starts_with("/log has its new content"), "{error}");
}

#[test]
fn a_temporary_file_taken_by_another_process_is_not_renamed() {
    let fs = old();
    let mut new = Replacement::begin(&fs, Path::new("/log"), ReplaceMode::Keep).unwrap();
    new.write(|out| out.write_all(NEW.as_bytes())).unwrap();
    let prepared = new.finish().unwrap();
    let temporary = remove_temporaries(&fs, Path::new("/")).unwrap().remove(0);
    put(&fs, &Path::new("/").join(&temporary), "another's");
    assert!(prepared.commit().is_err());
    assert_eq!(fs.tree().bytes("/log"), Some(OLD.as_bytes()));
    assert_eq!(names(&fs, "/"), [temporary.to_str().unwrap(), "log"], "nor removed");
}

#[test]
fn a_new_file_is_whole_or_absent_at_every_step_and_never_in_the_place_of_another() {
    let make = |fs: &SimFs| create_durable(fs, Path::new("/log"), 0o600, |out| out.write_all(NEW.as_bytes()));
    let calls = {
        let fs = SimFs::new();
        let made = make(&fs).unwrap();
        assert_eq!(made.stat, fs.clone().stat(Path::new("/log")).unwrap());
        assert_eq!(made.stat.links, 1);
        assert_eq!(names(&fs, "/"), ["log"]);
        assert!(make(&fs).unwrap_err().cause().is_already_exists());
        let fs = SimFs::new();
        make(&fs).unwrap();
        fs.next_op()
    };
    for halt in 0..=calls {
        let fs = SimFs::new();
        fs.halt_after(halt);
        let done = make(&fs).is_ok();
        for crash in fs.crash_states(&CrashPlan::default()).states {
            let tree = crash.disk.tree();
            let text = tree.bytes("/log");
            assert!(text == Some(NEW.as_bytes()) || text.is_none() && !done, "{}", tree);
            let beside = tree.entries.keys().filter(|path| *path != Path::new("/log"));
            assert!(beside.into_iter().all(|path| is_temporary(path.file_name().unwrap())));
        }
    }
}

#[test]
fn a_new_file_is_made_where_there_are_no_hard_links() {
    let fs = SimFs::new();
    fs.fail(When::operation(Operation::HardLink), Fault::NOT_PERMITTED, Times::Forever);
    let make = |text: &'static [u8]| create_durable(&fs, Path::new("/log"), 0o600, |out| out.write_all(text));
    make(b"one").unwrap();
    assert!(make(b"two").unwrap_err().cause().is_already_exists());
    assert_eq!(fs.tree().to_string(), "0600 /log \"one\"\n");
}

#[test]
fn only_convlogs_temporary_files_are_removed() {
    both(|world| {
        world.put(".convlog-7-0.tmp", "");
        world.put(".convlog-.tmp", "");
        world.put(".convlog-x.tmpl", "");
        world.put("convlog-1.tmp", "");
        world.put("config.toml.tmp", "");
        world.dir(".convlog-dir.tmp");
        let removed = remove_temporaries(&*world.fs, &world.root).unwrap();
        assert_eq!(removed, [".convlog-.tmp", ".convlog-7-0.tmp"]);
        assert_eq!(
            names(&*world.fs, world.root.to_str().unwrap()),
            [".convlog-dir.tmp", ".convlog-x.tmpl", "config.toml.tmp", "convlog-1.tmp"]
        );
    });
}
