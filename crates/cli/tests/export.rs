//! Documents of conversations, and conversations of documents.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use common::{Run, convlog, ended, run, tree};
use convlog_codec::jsonl;
use convlog_message::{Log, Timestamp, arbitrary};
use proptest::prelude::*;

const LOGS: &str = "fixtures/logs";

fn export(id: &str, form: &str) -> Run {
    let exported = run(&["--logs", LOGS, "export", id, "--to", form]);
    assert_eq!((exported.code, exported.err.as_str()), (0, ""));
    exported
}

/// Runs with a text as standard input.
fn fed(arguments: &[&str], input: &[u8]) -> Run {
    let mut command = convlog(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Who is refused at once reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input);
    ended(&child.wait_with_output().unwrap())
}

fn transcript(logs: &Path, id: &str) -> PathBuf {
    logs.join(id).join("conversation.jsonl")
}

fn read(logs: &Path, id: &str) -> Log {
    jsonl::read(&std::fs::read(transcript(logs, id)).unwrap(), &Timestamp::now()).log
}

#[test]
fn documents_of_each_form() {
    insta::assert_snapshot!("export-markdown", export("2026-01-12", "markdown").out);
    insta::assert_snapshot!("export-xml", export("2026-01-12", "xml").out);
    insta::assert_snapshot!("export-openai", export("test-agent-smoke", "openai").out);
    let page = export("2026-01-12", "html").out;
    assert!(page.starts_with("<!doctype html>") && page.contains("<title>Fixing the parser</title>"), "{page}");
    assert!(page.contains("<span class=\"k\">"), "code is highlighted");
    let lines = export("2026-01-12", "jsonl").out;
    assert_eq!(
        lines,
        std::fs::read_to_string(transcript(&common::root().join(LOGS), "2026-01-12-fixing-the-parser")).unwrap()
    );
    let branch = run(&["--logs", LOGS, "export", "2026-01-19", "--branch", "split.v2", "--to", "jsonl"]);
    let view = run(&["--logs", LOGS, "export", "2026-01-28", "--view", "compacted-001", "--to", "jsonl"]);
    assert_eq!(view.out.lines().count(), 3);
    assert!(branch.code == 0 && branch.out != export("2026-01-19", "jsonl").out);
}

#[test]
fn programs_get_objects_and_quiet_is_quiet() {
    let json = run(&["--logs", LOGS, "--json", "export", "2026-01-12"]);
    assert!(
        json.out.starts_with("{\"form\":\"markdown\",\"content\":\"# Fixing the parser\\n")
            && json.out.lines().count() == 1
    );
    assert_eq!(run(&["--logs", LOGS, "--format", "quiet", "export", "2026-01-12"]).out, "");
    assert_eq!(run(&["--logs", LOGS, "--json", "export", "2026-01-12", "--to", "jsonl"]).out.lines().count(), 10);
}

#[test]
fn a_file_is_written_whole_and_private_and_its_name_says_the_form() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let before = tree(&common::root().join(LOGS));
    for (name, start) in
        [("a.html", "<!doctype"), ("a.toml", "[[messages]]"), ("a.xml", "<?xml"), ("a.md", "# "), ("a", "# ")]
    {
        let path = directory.path().join(name);
        let written = run(&["--logs", LOGS, "export", "2026-01-12", "--output", path.to_str().unwrap()]);
        assert_eq!(written.out, format!("{}: 10 messages\n", path.display()), "{}", written.err);
        assert!(std::fs::read_to_string(&path).unwrap().starts_with(start), "{name}");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let path = directory.path().join("a");
    let again =
        run(&["--logs", LOGS, "--json", "export", "2026-01-12", "--to", "xml", "--output", path.to_str().unwrap()]);
    assert!(again.out.ends_with("\"messages\":10}\n") && std::fs::read_to_string(&path).unwrap().starts_with("<?xml"));
    let device = run(&["--logs", LOGS, "export", "2026-01-12", "--output", "/dev/stderr"]);
    assert!(device.err.starts_with("# Fixing the parser"), "{}", device.err);
    let missing = run(&["--logs", LOGS, "export", "2026-01-12", "--output", "/nonexistent/a"]);
    assert!(missing.code == 1 && missing.err.contains("/nonexistent"), "{}", missing.err);
    for place in ["conversation.jsonl", "new.md"] {
        let inside = format!("{LOGS}/2026-01-12-fixing-the-parser/{place}");
        let refused = run(&["--logs", LOGS, "export", "2026-01-12", "--output", &inside]);
        assert!(refused.code == 1 && refused.err.contains("lies in the conversation itself"), "{}", refused.err);
    }
    assert!(before == tree(&common::root().join(LOGS)));
    assert_eq!(run(&["--logs", LOGS, "export", "2026-01-12", "--to", "pdf"]).code, 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// TOML and JSON lines, through the program both ways: every persisted field of every message comes back.
    #[test]
    fn what_is_exported_is_imported(log in arbitrary::log()) {
        prop_assume!(!log.is_empty());
        let logs = tempfile::tempdir().unwrap();
        let path = logs.path().to_str().unwrap();
        let mut lines = Vec::new();
        log.iter().for_each(|message| jsonl::write_line(message, Default::default(), &mut lines));
        std::fs::create_dir(logs.path().join("talk")).unwrap();
        std::fs::write(transcript(logs.path(), "talk"), &lines).unwrap();
        let log = read(logs.path(), "talk");
        for form in ["toml", "jsonl"] {
            let file = logs.path().join(format!("from-{form}.{form}"));
            let exported = run(&["--logs", path, "export", "talk", "--to", form, "--output", file.to_str().unwrap()]);
            prop_assert_eq!(exported.code, 0, "{}", exported.err);
            let imported = run(&["--logs", path, "import", file.to_str().unwrap()]);
            prop_assert_eq!(imported.code, 0, "{}", imported.err);
            let back = read(logs.path(), &format!("from-{form}"));
            prop_assert_eq!(back.len(), log.len());
            for (a, b) in back.iter().zip(&log) {
                prop_assert!(a.is_stored_alike(b), "{}: {:?} {:?}", form, a, b);
            }
        }
        prop_assert_eq!(std::fs::read(transcript(logs.path(), "from-jsonl")).unwrap(), lines);
    }
}

#[test]
fn import_makes_a_sound_conversation_and_never_touches_one() {
    let directory = tempfile::tempdir().unwrap();
    let logs = directory.path().to_str().unwrap();
    let toml = export("2026-01-12", "toml").out;
    let made = fed(&["--logs", logs, "import", "-", "--as", "copy"], toml.as_bytes());
    assert_eq!((made.code, made.out.as_str()), (0, "copy: 10 messages\n"), "{}", made.err);
    assert_eq!(run(&["--logs", logs, "verify", "copy"]).code, 0);
    assert_eq!(run(&["--logs", logs, "--json", "append", "copy", "more"]).out, "{\"ok\":true,\"index\":10}\n");

    let before = tree(&directory.path().join("copy"));
    let again = fed(&["--logs", logs, "--json", "import", "-", "--as", "copy"], toml.as_bytes());
    assert!(again.code == 1 && again.err.contains("copy"), "{}", again.err);
    let contents =
        |lines: &[String]| lines.iter().filter(|line| !line.contains("/.lock ")).cloned().collect::<Vec<_>>();
    let after = tree(&directory.path().join("copy"));
    assert!(contents(&before)[1..] == contents(&after)[1..], "{before:#?}\n{after:#?}");

    let json =
        fed(&["--logs", logs, "--json", "import", "-", "--as", "lines"], export("2026-01-12", "jsonl").out.as_bytes());
    assert_eq!(json.out, "{\"id\":\"lines\",\"messages\":10}\n");
}

#[test]
fn what_cannot_be_imported_makes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let logs = directory.path().join("logs");
    let check = |input: &str, arguments: &[&str], says: &str| {
        let failed = fed(&[&["--logs", logs.to_str().unwrap(), "import"], arguments].concat(), input.as_bytes());
        assert!(failed.code == 1 && failed.err.contains(says), "{arguments:?}: {}", failed.err);
        assert!(!logs.exists(), "{arguments:?}");
    };
    let good = "[[messages]]\nrole = \"user\"\ncontent = \"hi\"\n";
    check(good, &["-"], "--as ID");
    check(good, &["-", "--as", "../x"], "../x");
    check(good, &["-", "--as", "nul.txt"], "nul.txt");
    check(good, &["/nonexistent.toml"], "/nonexistent.toml");
    check("", &["-", "--as", "x"], "no message");
    check("[[messages]]\nrole = 5\n", &["-", "--as", "x"], "standard input, line 2, column 8, message 1");
    check("{\"role\": \"user\", \"content\": \"a\"}\n{half\n", &["-", "--as", "x"], "standard input, line 2");
    check("{}\n", &["-", "--as", "x"], "line 1");
}

#[test]
fn codeblocks_are_found_with_their_place() {
    let all = run(&["--logs", LOGS, "codeblocks", "2026-01-12"]);
    insta::assert_snapshot!("codeblocks", all.transcript());
    let json = run(&["--logs", LOGS, "--json", "codeblocks", "2026-01-12", "--message", "5"]);
    assert!(json.out.starts_with("{\"index\":5,\"lang\":\"patch src/parser.py\",\"path\":\"patch src/parser.py\",\"start\":3,\"content\":\"<<<"), "{}", json.out);
    let count = |arguments: &[&str]| {
        run(&[&["--logs", LOGS, "--json", "codeblocks", "2026-01-12"], arguments].concat()).out.lines().count()
    };
    assert_eq!(
        (count(&["--lang", "shell"]), count(&["--lang", "patch"]), count(&["--lang", "patch src/parser.py"])),
        (2, 1, 1)
    );
    assert_eq!((count(&["--lang", "sh"]), count(&["--message", "2"])), (0, 0));
    let missing = run(&["--logs", LOGS, "codeblocks", "2026-01-12", "--message", "10"]);
    assert!(
        missing.code == 1 && missing.err.contains("there is no message 10 in 2026-01-12; it has 10"),
        "{}",
        missing.err
    );
    assert_eq!(run(&["codeblocks", "x", "--message", "-1"]).code, 2);
}
