//! Whose turn it is: the table of `CASES.md` and the rows that gptme itself decided.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod common;

use common::{assistant, message_of, oracle, result, system, user};
use convlog_context::{InputReason, Turn, whose_turn};
use convlog_message::{Log, Message, Metadata};

fn check(log: &[Message], expected: Turn) {
    assert_eq!(whose_turn(log), expected, "{log:#?}");
    assert_eq!(whose_turn(&log.iter().cloned().collect::<Log>()), expected);
}

fn resume(content: &str) -> Message {
    system(content).with_pinned(true).with_metadata(Metadata::new().with("resume_key", "agent_profile"))
}

fn reminder() -> Message {
    system("Compact soon.").with_metadata(Metadata::new().with("compaction_reminder_view", ""))
}

/// B167.
#[test]
fn the_last_role_decides() {
    check(&[], Turn::Input(InputReason::Empty));
    check(&[system("Be brief.")], Turn::Input(InputReason::NoUserMessage));
    check(&[user("Do it.")], Turn::Generate);
    check(&[user("Do it."), assistant("Done.")], Turn::Input(InputReason::Answered));
    check(&[user("Do it."), assistant("@ls(c1): {}"), result("c1", "ok")], Turn::Generate);
    check(&[user("Do it."), system("Interrupted by user")], Turn::Input(InputReason::Interrupted));
    check(&[user("Do it."), system("Note this.").with_pinned(true)], Turn::Input(InputReason::Pinned));
}

#[test]
fn each_end_of_a_turn_has_its_reason() {
    let after = |last: Message| [user("Do it."), assistant("Trying."), last, result("c1", "ok")];
    check(&after(system("Execution declined by user")), Turn::Input(InputReason::Declined));
    check(&after(system("LLM request failed: 529")), Turn::Input(InputReason::RequestFailed));
    let limit = system("Enough.").with_metadata(Metadata::new().with("max_steps_stop", true));
    check(&after(limit), Turn::Input(InputReason::StepLimit));
}

/// gptme looks through a prompt applied again only when nothing stands behind it.
#[test]
fn a_reminder_behind_a_prompt_applied_again_hides_neither() {
    let (asked, answered) = (user("Do it."), assistant("Done."));
    check(&[asked.clone(), answered, resume("P"), reminder()], Turn::Input(InputReason::Answered));
    check(&[asked.clone(), resume("P"), reminder(), reminder()], Turn::Generate);
    check(&[asked, reminder(), resume("P"), reminder().with_pinned(true)], Turn::Input(InputReason::Pinned));
}

#[test]
fn gptme_decides_alike() {
    let meant = ["reminder after a resume prompt after the assistant"];
    let (mut rows, mut differences) = (0, Vec::new());
    for row in oracle("next.json") {
        let log: Log = row.get("messages").unwrap().as_array().unwrap().iter().map(message_of).collect();
        let about = row.get("about").unwrap().as_str().unwrap().to_owned();
        let ours = if whose_turn(&log) == Turn::Generate { "generate" } else { "input" };
        if ours != row.get("next").unwrap().as_str().unwrap() {
            differences.push(about);
        }
        rows += 1;
    }
    assert!(rows > 80, "{rows}");
    assert_eq!(differences, meant, "see docs/differences.md");
}
