//! Editing by hand, with small scripts for editors: the text is never lost, and nothing happens unless it is meant.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;

use common::terminal::{self, Terminal};
use common::{Run, convlog, ended, run};

/// Logs with one conversation `talk`, of a question and an answer.
struct Talk(tempfile::TempDir);

impl Talk {
    fn new() -> Self {
        let talk = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir(talk.home()).unwrap();
        let lines = concat!(
            "{\"role\": \"user\", \"content\": \"What is 6 \\u00d7 7?\", \"timestamp\": \"2026-01-02T03:04:05\"}\n",
            "{\"role\": \"assistant\", \"content\": \"odd \\ud83d\", \"timestamp\": \"2026-01-02T03:04:06\", \"own\": 1.50}\n",
        );
        std::fs::write(talk.home().join("conversation.jsonl"), lines).unwrap();
        talk
    }

    fn logs(&self) -> &str {
        self.0.path().to_str().unwrap()
    }

    fn home(&self) -> PathBuf {
        self.0.path().join("talk")
    }

    fn transcript(&self) -> String {
        std::fs::read_to_string(self.home().join("conversation.jsonl")).unwrap()
    }

    /// A script that gets the file as its last argument, `$1` unless there are others.
    fn editor(&self, script: &str) -> String {
        let path = self.0.path().join("an editor");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        format!("'{}'", path.display())
    }

    fn command(&self, editor: &str) -> Command {
        let mut command = convlog(&["--logs", self.logs(), "edit", "talk"]);
        command.env("EDITOR", editor).env("PATH", "/usr/bin:/bin");
        command
    }

    fn edit(&self, script: &str) -> Run {
        ended(&self.command(&self.editor(script)).output().unwrap())
    }

    /// The drafts that are there.
    fn drafts(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.home()).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.to_str().unwrap().contains(".convlog-edit-")).collect()
    }

    fn backups(&self) -> usize {
        std::fs::read_dir(self.home().join("branches")).map_or(0, Iterator::count)
    }
}

#[test]
fn what_is_edited_is_stored_and_the_rest_keeps_its_bytes() {
    let talk = Talk::new();
    let before = talk.transcript();
    let edited = talk.edit("sed -i 's/What is/Tell me/' \"$1\"; stat -c %a \"$1\" > \"$0.mode\"");
    assert_eq!(edited.out, "2 messages now; branch main-edit-0 keeps what was there\n", "{}", edited.err);
    let (first, second) = (before.lines().next().unwrap(), before.lines().nth(1).unwrap());
    assert_eq!(talk.transcript(), format!("{}\n{second}\n", first.replace("What is", "Tell me")));
    assert_eq!(std::fs::read_to_string(talk.0.path().join("an editor.mode")).unwrap(), "600\n", "nobody else reads");
    assert_eq!((talk.drafts().len(), talk.backups()), (0, 1));
}

#[test]
fn nothing_changed_is_nothing_done() {
    let talk = Talk::new();
    for script in ["exit 0", "touch \"$1\"", "echo '# a remark' >> \"$1\"", "sed -i 's/$/\\r/' \"$1\""] {
        let edited = talk.edit(script);
        assert_eq!((edited.code, edited.out.as_str()), (0, "nothing changed\n"), "{script}: {}", edited.err);
        assert_eq!((talk.drafts().len(), talk.backups()), (0, 0), "{script}");
    }
    let before = talk.transcript();
    let json = ended(&talk.command("true").arg("--json").output().unwrap());
    assert_eq!(json.out, "{\"messages\":2,\"changed\":false,\"backup\":null}\n");
    assert_eq!(talk.transcript(), before);
}

#[test]
fn visual_comes_before_editor_and_both_take_arguments() {
    let talk = Talk::new();
    let editor = talk.editor("printf '%s|' \"$@\" > \"$0.arguments\"");
    let edited = ended(&talk.command("false").env("VISUAL", format!("{editor} --wait 'a b'")).output().unwrap());
    assert_eq!(edited.out, "nothing changed\n", "{}", edited.err);
    let arguments = std::fs::read_to_string(talk.0.path().join("an editor.arguments")).unwrap();
    assert!(arguments.starts_with("--wait|a b|") && arguments.ends_with(".toml|"), "{arguments}");
    // A variable that is blank is none.
    let blank = ended(&talk.command("true").env("VISUAL", " ").output().unwrap());
    assert_eq!(blank.out, "nothing changed\n", "{}", blank.err);
}

#[test]
fn an_editor_that_is_missing_or_wrong_is_a_clear_error() {
    let talk = Talk::new();
    for (editor, says) in [
        ("", "set $VISUAL or $EDITOR"),
        ("no-such-editor -w", "cannot start the editor `no-such-editor -w`"),
        ("vi 'x", "a quote that is not closed"),
        ("false", "the editor `false` failed: exit status: 1"),
    ] {
        let failed = ended(&talk.command(editor).output().unwrap());
        assert_eq!((failed.code, failed.out.as_str()), (1, ""), "{editor}");
        assert!(failed.err.contains(says) && failed.err.lines().count() == 1, "{}", failed.err);
        assert_eq!((talk.drafts().len(), talk.backups()), (0, 0), "{editor}: nothing was typed, nothing is kept");
    }
}

#[test]
fn a_mistake_is_shown_at_its_place_and_the_text_kept() {
    let talk = Talk::new();
    let before = talk.transcript();
    let failed = talk.edit("sed -i 's/^role = \"user\"/role = user/; s/What is/Tell me/' \"$1\"");
    assert_eq!((failed.code, failed.out.as_str()), (1, ""));
    let draft = talk.drafts().pop().unwrap();
    let err = failed.err.replace(talk.logs(), "LOGS");
    insta::assert_snapshot!("edit-mistake", err);
    assert!(std::fs::read_to_string(&draft).unwrap().contains("Tell me"));
    assert_eq!((talk.transcript(), talk.backups()), (before, 0));

    // The next edit says that it is there; corrected, it is taken.
    let next = talk.edit("exit 0");
    assert!(next.err.contains(draft.to_str().unwrap()) && next.out == "nothing changed\n", "{}", next.err);
    let text = std::fs::read_to_string(&draft).unwrap().replace("role = user", "role = \"user\"");
    std::fs::write(&draft, text).unwrap();
    let taken = run(&["--logs", talk.logs(), "edit", "talk", "--from", draft.to_str().unwrap()]);
    assert_eq!(taken.out, "2 messages now; branch main-edit-0 keeps what was there\n", "{}", taken.err);
    assert!(talk.transcript().contains("Tell me") && talk.transcript().contains("\\ud83d") && draft.exists());
}

#[test]
fn an_editor_that_fails_changes_nothing_and_the_text_is_kept() {
    let talk = Talk::new();
    let before = talk.transcript();
    for script in ["sed -i 's/What/Why/' \"$1\"; exit 3", "sed -i 's/What/Why/' \"$1\"; kill -9 $$"] {
        let failed = talk.edit(script);
        let draft = talk.drafts().pop().unwrap();
        assert!(failed.code == 1 && failed.err.contains(draft.to_str().unwrap()), "{}", failed.err);
        assert!(std::fs::read_to_string(&draft).unwrap().contains("Why"));
        std::fs::remove_file(draft).unwrap();
    }
    for (script, says) in [
        ("rm \"$1\"", "cannot read"),
        ("printf '[[messages]]\\nrole = \"user\"\\ncontent = \"\\377\"\\n' > \"$1\"", "line 3: not UTF-8"),
        (": > \"$1\"", "no message"),
    ] {
        let failed = talk.edit(script);
        assert!(failed.code == 1 && failed.err.contains(says), "{}", failed.err);
        talk.drafts().into_iter().for_each(|draft| std::fs::remove_file(draft).unwrap());
    }
    assert_eq!((talk.transcript(), talk.backups()), (before, 0));
}

#[test]
fn the_conversation_is_locked_for_the_whole_edit_and_a_kill_loses_no_text() {
    let talk = Talk::new();
    let before = talk.transcript();
    let ready = talk.0.path().join("ready");
    let script = format!(
        "sed -i 's/What/Why/' \"$1\"; echo $$ > '{0}.part'; mv '{0}.part' '{0}'; exec sleep 60",
        ready.display()
    );
    let mut child = talk.command(&talk.editor(&script)).spawn().unwrap();
    while !ready.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let second = run(&["--logs", talk.logs(), "append", "talk", "x"]);
    assert!(second.code == 3 && second.err.contains(&format!("process {}", child.id())), "{}", second.err);
    // From the keyboard, the editor is interrupted, not the program that holds the text.
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    assert_eq!(run(&["--logs", talk.logs(), "append", "talk", "x"]).code, 3, "it is still there");
    child.kill().unwrap();
    child.wait().unwrap();
    let editor = std::fs::read_to_string(&ready).unwrap();
    Command::new("kill").args(["-9", editor.trim()]).status().unwrap();
    let draft = talk.drafts().pop().unwrap();
    assert!(std::fs::read_to_string(&draft).unwrap().contains("Why"));
    assert_eq!(talk.transcript(), before);
    // The next one says so, and works.
    let next = talk.edit("exit 0");
    assert!(next.err.contains(draft.to_str().unwrap()) && next.code == 0, "{}", next.err);
}

/// What another program changed during the edit is not overwritten, and the text not lost.
#[test]
fn a_conflict_keeps_the_text() {
    let talk = Talk::new();
    let line = r#"{"role": "user", "content": "from elsewhere", "timestamp": "2026-01-02T03:04:07"}"#;
    let append = format!("printf '%s\\n' '{line}' >> '{}'", talk.home().join("conversation.jsonl").display());
    let failed = talk.edit(&format!("sed -i 's/What/Why/' \"$1\"\n{append}"));
    let draft = talk.drafts().pop().unwrap();
    assert!(failed.code == 1 && failed.err.contains(draft.to_str().unwrap()), "{}", failed.err);
    assert!(talk.transcript().contains("from elsewhere") && !talk.transcript().contains("Why"));
}

/// What `show` prints for programs can be changed and given back; the rest keeps its bytes.
#[test]
fn what_show_prints_can_be_given_back() {
    let talk = Talk::new();
    let before = talk.transcript();
    let file = talk.0.path().join("shown.jsonl");
    for (arguments, pattern) in [(&["--start", "0"][..], "\"index\":1"), (&["--last", "2"], "\"from_end\":1")] {
        let shown = run(&[&["--logs", talk.logs(), "--json", "show", "talk"], arguments].concat()).out;
        assert!(shown.contains(pattern), "{shown}");
        std::fs::write(&file, &shown).unwrap();
        let given_back = run(&["--logs", talk.logs(), "edit", "talk", "--from", file.to_str().unwrap()]);
        assert_eq!((given_back.out.as_str(), talk.transcript()), ("nothing changed\n", before.clone()));
    }
    let shown = std::fs::read_to_string(&file).unwrap().replace("What is", "Tell me");
    std::fs::write(&file, &shown).unwrap();
    run(&["--logs", talk.logs(), "edit", "talk", "--from", file.to_str().unwrap()]);
    assert_eq!(talk.transcript(), before.replace("What is", "Tell me"));
}

/// With a person at a terminal, a mistake is followed by the offer to go on.
#[test]
fn a_person_may_edit_again() {
    let talk = Talk::new();
    let once = talk.0.path().join("once");
    // Wrong the first time, right the second.
    let wrong = "sed -i 's/^role = \"user\"/role = user/; s/What/Why/' \"$1\"";
    let right = "sed -i 's/^role = user/role = \"user\"/' \"$1\"";
    let editor = talk.editor(&format!("if [ -e '{0}' ]; then {right}; else touch '{0}'; {wrong}; fi", once.display()));
    let asked = |answer: &str| {
        let command = terminal::convlog(&["--logs", talk.logs(), "edit", "talk"]).env("EDITOR", &editor);
        let mut terminal = Terminal::start(command, 80);
        terminal.shows("Edit again?");
        terminal.types(answer);
        terminal.ended().0
    };
    let declined = asked("n\n");
    assert!(declined.contains("Edit again?") && declined.contains("the text is kept in"), "{declined}");
    talk.drafts().into_iter().for_each(|draft| std::fs::remove_file(draft).unwrap());
    std::fs::remove_file(&once).unwrap();
    let interrupted = asked("\u{3}");
    assert!(interrupted.contains("Edit again?") && !interrupted.contains("2 messages now"), "{interrupted}");
    talk.drafts().into_iter().for_each(|draft| std::fs::remove_file(draft).unwrap());
    std::fs::remove_file(&once).unwrap();
    let again = asked("y\n");
    assert!(again.contains("Edit again?") && again.contains("2 messages now"), "{again}");
    assert!(talk.transcript().contains("Why") && talk.drafts().is_empty());
}
