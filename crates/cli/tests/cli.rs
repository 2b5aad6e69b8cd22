//! The program on conversations that gptme wrote, and on what is no conversation at all.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::process::Stdio;

use common::{convlog, ended, root, run, tree};

const LOGS: &str = "fixtures/logs";

#[test]
fn text_is_pleasant_to_read() {
    insta::assert_snapshot!("show", run(&["--logs", LOGS, "show", "2026-01-12"]).transcript());
    insta::assert_snapshot!(
        "show-hidden",
        run(&["--logs", LOGS, "show", "2026-01-12", "--hidden", "-n", "2"]).transcript()
    );
    insta::assert_snapshot!("show-last", run(&["--logs", LOGS, "show", "2026-02-05", "--last", "3"]).transcript());
    insta::assert_snapshot!(
        "show-view",
        run(&["--logs", LOGS, "show", "2026-01-28", "--view", "compacted-001"]).transcript()
    );
    insta::assert_snapshot!(
        "show-color",
        run(&["--logs", LOGS, "--color", "always", "show", "2026-01-12", "-n", "1"]).transcript()
    );
    insta::assert_snapshot!("help", run(&["help"]).transcript());
    insta::assert_snapshot!("help-show", run(&["show", "--help"]).transcript());
}

#[test]
fn json_is_the_transcripts_own_object_with_its_place() {
    let shown = run(&["--logs", LOGS, "--json", "show", "2026-01-12", "--start", "2", "-n", "1"]);
    assert_eq!(
        shown.out,
        "{\"role\":\"user\",\"content\":\"The parser fails on empty lists. Please fix it.\",\
         \"timestamp\":\"2026-01-12T09:03:51.199399\",\"index\":2}\n"
    );
    let last = run(&["--logs", LOGS, "--json", "show", "2026-01-12", "--last", "1"]);
    assert!(last.out.ends_with(",\"from_end\":1}\n"), "{}", last.out);
    let all = run(&["--logs", LOGS, "--json", "show", "2026-01-12"]);
    assert_eq!(all.out.lines().count(), 10, "hidden ones too");
    assert_eq!(run(&["--logs", LOGS, "--format", "quiet", "show", "2026-01-12"]).out, "");
}

#[test]
fn selections_select() {
    let lines = |arguments: &[&str]| {
        run(&[&["--logs", LOGS, "--json", "show", "2026-01-12"], arguments].concat()).out.lines().count()
    };
    assert_eq!(lines(&["--role", "user"]), 1);
    assert_eq!(lines(&["-n", "0"]), 0);
    assert_eq!(lines(&["--last", "0"]), 0);
    assert_eq!(lines(&["--last", "1000000000000000000000000000000"]), 10);
    assert_eq!(lines(&["-n", "1000000000000000000000000000000"]), 10);
    assert_eq!(lines(&["--start", "99"]), 0);
    assert_eq!(lines(&["--branch", "main"]), 10);
    let branch = run(&["--logs", LOGS, "--json", "show", "2026-01-19", "--branch", "split.v2"]);
    assert!(branch.code == 0 && !branch.out.is_empty());
}

#[test]
fn wrong_usage_is_told_from_failure() {
    for arguments in [
        &["show"][..],
        &["show", "x", "-n", "-5"],
        &["show", "x", "-n", "five"],
        &["show", "x", "--last", "1", "--start", "2"],
        &["show", "x", "--branch", "../../esc"],
        &["show", "x", "--view", "a/b"],
        &["list", "-n", "3", "--all"],
        &["verify"],
        &["frobnicate"],
        &["--json", "--format", "text", "list"],
    ] {
        assert_eq!(run(arguments).code, 2, "{arguments:?}");
    }
    for arguments in [
        &["show", "nothing-like-it"][..],
        &["show", "2026"],
        &["show", "../outside"],
        &["show", "."],
        &["show", ""],
        &["show", "2026-01-12", "--branch", "none"],
        &["show", "2026-01-12", "--view", "none"],
        &["show", "2026-01-12", "--lossless"],
        &["next", "nothing-like-it"],
    ] {
        let ended = run(&[&["--logs", LOGS], arguments].concat());
        assert_eq!((ended.code, ended.out.as_str()), (1, ""), "{arguments:?}");
        assert_eq!(ended.err.lines().count(), 1, "{}", ended.err);
        let json = run(&[&["--logs", LOGS, "--json"], arguments].concat());
        assert!(json.code == 1 && json.err.starts_with("{\"level\":\"error\",\"message\":\""), "{}", json.err);
    }
}

#[test]
fn a_directory_that_is_none_is_one_clear_sentence() {
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(place("file"), "").unwrap();
    std::fs::create_dir(place("empty")).unwrap();
    for (name, says) in [("missing", "there is no directory"), ("file", "is not a directory")] {
        let listed = run(&["--logs", &place(name), "list"]);
        assert_eq!((listed.code, listed.err.lines().count()), (1, 1), "{}", listed.err);
        assert!(listed.err.contains(says) && listed.err.contains(&place(name)), "{}", listed.err);
    }
    let empty = run(&["--logs", &place("empty"), "list"]);
    assert!(empty.code == 0 && empty.out.starts_with("no conversations in "), "{}", empty.out);
    let blank = ended(&convlog(&["list"]).env("GPTME_LOGS_HOME", " ").output().unwrap());
    assert!(blank.code == 1 && blank.err.contains("/nonexistent/.local/share/gptme/logs"), "{}", blank.err);
}

/// The mode takes nothing from root, so this runs as another user where it is root.
#[test]
fn a_directory_without_permission_is_one_clear_sentence() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    let directory = tempfile::tempdir().unwrap();
    std::fs::set_permissions(directory.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let closed = directory.path().join("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o000)).unwrap();
    // The program itself may lie where another user cannot go.
    let program = directory.path().join("convlog");
    std::fs::copy(env!("CARGO_BIN_EXE_convlog"), &program).unwrap();
    let mut command = std::process::Command::new(program);
    command.args(["--logs", closed.to_str().unwrap(), "list"]).env_clear().env("HOME", "/").current_dir("/");
    if std::fs::read_dir(&closed).is_ok() {
        command.uid(65_534).gid(65_534);
    }
    let listed = ended(&command.output().unwrap());
    assert_eq!((listed.code, listed.err.lines().count()), (1, 1), "{}", listed.err);
    assert!(listed.err.contains("ermission denied") && listed.err.contains(closed.to_str().unwrap()), "{}", listed.err);
}

#[test]
fn next_says_what_gptme_says() {
    let manifest = std::fs::read(root().join("fixtures/manifest.json")).unwrap();
    let manifest = convlog_codec::json::parse(&manifest).unwrap().value;
    for (id, conversation) in manifest.as_object().unwrap().iter() {
        let expected = conversation.as_object().unwrap().get("next").unwrap().as_str().unwrap();
        let next = run(&["--logs", LOGS, "next", id]);
        assert_eq!((next.out.trim_end(), next.code), (expected, 0), "{id}");
    }
    let json = run(&["--logs", LOGS, "--json", "next", "2026-01-12"]);
    assert_eq!(json.out, "{\"next\":\"input\",\"reason\":\"answered\"}\n");
}

#[test]
fn all_fixtures_are_sound_and_stay_as_they_are() {
    let before = tree(&root().join(LOGS));
    let verified = run(&["--logs", LOGS, "verify", "--all"]);
    assert_eq!(verified.code, 0, "{}", verified.out);
    run(&["--logs", LOGS, "list", "--all"]);
    assert!(before == tree(&root().join(LOGS)));
}

#[test]
fn damaged_attachments_and_markers_are_found() {
    let directory = tempfile::tempdir().unwrap();
    let copied = std::process::Command::new("cp")
        .arg("-r")
        .arg(root().join(LOGS).join("2026-01-15-quarterly-report-files"))
        .arg(directory.path().join("report"))
        .status()
        .unwrap();
    assert!(copied.success());
    let files = directory.path().join("report/files");
    let first = std::fs::read_dir(&files).unwrap().map(|entry| entry.unwrap().path()).min().unwrap();
    std::fs::write(&first, "changed").unwrap();
    std::fs::create_dir_all(directory.path().join("report/views")).unwrap();
    std::fs::write(directory.path().join("report/views/.current"), "gone\n").unwrap();
    let verified = run(&["--logs", directory.path().to_str().unwrap(), "verify", "report"]);
    assert_eq!(verified.code, 1);
    assert!(verified.out.contains("the stored copy has changed"), "{}", verified.out);
    assert!(verified.out.contains("names the view \"gone\", which does not exist"), "{}", verified.out);
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let mut child = convlog(&["--logs", LOGS, "--json", "show", "2026-01-21"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), output.stderr.len()),
        (Some(0), 0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn the_order_is_asked_for() {
    let ids = |arguments: &[&str]| -> Vec<String> {
        let listed = run(&[&["--logs", LOGS, "--json", "list", "-n", "2"], arguments].concat());
        listed.out.lines().map(|line| line.split('"').nth(3).unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&["--sort", "messages"]), ["2026-01-21-hunting-the-race", "2026-01-26-migrating-the-database"]);
    assert_eq!(ids(&["--sort", "created", "--reverse"])[0], "2026-01-12-fixing-the-parser");
    assert_eq!(ids(&["--sort", "name"])[0], "2026-01-28-tuning-the-query");
}
