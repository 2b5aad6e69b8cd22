//! Faults seen in the wild: part L of the project's cases, one test a row.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod common;

use common::{assistant, result, system, user};
use convlog_context::{
    InputReason, Options, Turn, cache_boundary, hoist_resume_prompts, prepare, prune_ephemeral, unanswered_calls,
    whose_turn,
};
use convlog_message::{Log, Message, Metadata};

fn check(log: Vec<Message>, expected: &[&str]) {
    let sent = prune_ephemeral(log);
    assert_eq!(sent.iter().map(Message::content).collect::<Vec<_>>(), expected);
}

/// B162: no two neighbours of one role are left; files and flags are united, and the log stays.
#[test]
fn neighbours_that_pruning_leaves_are_joined() {
    let log: Log = [
        user("U1").with_files(["/f/a"]).with_file_hashes([("/f/a", "1")]),
        assistant("A").with_ephemeral_ttl(Some(0)),
        user("U2").with_files(["/f/b"]).with_file_hashes([("/f/b", "2")]).with_hide(true),
        assistant("A2"),
        user("U3"),
        assistant("A3"),
    ]
    .into_iter()
    .collect();
    let sent = prepare(&log, &Options::new()).messages;
    assert_eq!(sent.iter().map(Message::content).collect::<Vec<_>>(), ["U1\n\nU2", "A2", "U3", "A3"]);
    assert_eq!(sent[0].files().len(), 2);
    assert_eq!(sent[0].file_hashes().collect::<Vec<_>>(), [("/f/a", "1"), ("/f/b", "2")]);
    assert!(sent[0].hide());
    assert_eq!(log.len(), 6);
    assert_eq!(log.first().map(Message::content), Some("U1"));
}

/// B163: what lasts does not expire with what does not.
#[test]
fn a_lasting_message_never_becomes_ephemeral() {
    let log = [user("U1"), assistant("A").with_ephemeral_ttl(Some(0)), user("U2").with_ephemeral_ttl(Some(5))];
    let later = [assistant("A1"), user("U3"), assistant("A2")];
    let mut log: Vec<_> = log.into_iter().chain(later).collect();
    let sent = prune_ephemeral(log.clone());
    assert_eq!(sent[0].content(), "U1\n\nU2");
    assert_eq!(sent[0].ephemeral_ttl(), None);
    log.extend((0..5).flat_map(|_| [user("U"), assistant("A")]));
    assert_eq!(prune_ephemeral(log)[0].content(), "U1");
}

/// Neighbours from the start: gptme joins them before it prunes, and both are gone after one turn.
#[test]
fn neighbours_live_each_its_own_time() {
    let log = [user("for good"), user("for now").with_ephemeral_ttl(Some(0)), assistant("A"), user("U")];
    let sent = prepare(&log, &Options::new()).messages;
    assert_eq!(sent[0].content(), "for good");
    let sent = prepare(&log[..2], &Options::new());
    assert_eq!(sent.messages[0].content(), "for good\n\nfor now");
    assert_eq!(cache_boundary(&sent.messages), None);
}

/// B164: a call and its results go together, whichever is ephemeral, and stay together when one is pinned.
#[test]
fn a_call_and_its_results_go_together() {
    let log = |call: Message, result: Message| vec![user("U"), call, result, system("note"), assistant("A"), user("V")];
    let (call, answer) = (|| assistant("@ls(c1): {}"), || result("c1", "a.txt"));
    let gone = ["U", "note", "A", "V"];
    let kept = ["U", "@ls(c1): {}", "a.txt", "note", "A", "V"];
    check(log(call(), answer()), &kept);
    check(log(call().with_ephemeral_ttl(Some(0)), answer()), &gone);
    check(log(call(), answer().with_ephemeral_ttl(Some(0))), &gone);
    check(log(call().with_ephemeral_ttl(Some(0)), answer().with_pinned(true)), &kept);
    check(log(call().with_pinned(true), answer().with_ephemeral_ttl(Some(0))), &kept);
}

#[test]
fn what_went_is_no_turn() {
    let ephemeral = |text, ttl| assistant(text).with_ephemeral_ttl(Some(ttl));
    check(vec![user("U").with_ephemeral_ttl(Some(1)), ephemeral("A", 0), assistant("B")], &["U", "B"]);
    // The call goes with its result, so it is none either.
    let call = [assistant("@ls(c1): {}"), result("c1", "x").with_ephemeral_ttl(Some(0))];
    let log = [user("U").with_ephemeral_ttl(Some(1))].into_iter().chain(call).chain([user("V"), assistant("B")]);
    check(log.collect(), &["U\n\nV", "B"]);
}

/// B166: the call is reported, and nothing is deleted.
#[test]
fn a_call_without_result_is_reported() {
    let log = [user("U"), assistant("Sure.\n@ls(c1): {}\n@ls(c2): {}"), result("c1", "a.txt")];
    assert_eq!(unanswered_calls(&log).iter().map(|call| call.call_id.as_str()).collect::<Vec<_>>(), ["c2"]);
    assert_eq!(whose_turn(&log[..2]), Turn::Input(InputReason::CallUnanswered));
    let now = "2026-01-02T03:04:05".parse().unwrap();
    let closing = unanswered_calls(&log)[0].result("Interrupted.", now);
    assert_eq!((closing.content(), closing.call_id()), ("Interrupted.", Some("c2")));
    assert_eq!(prepare(&log, &Options::new()).messages.len(), 3);
    assert!(unanswered_calls(&[user("U")]).is_empty());
}

/// B169: resuming three times leaves one prompt.
#[test]
fn a_prompt_applied_again_is_there_once() {
    let profile = |text| system(text).with_metadata(Metadata::new().with("resume_key", "agent_profile"));
    let log = vec![system("Start."), user("U"), profile("P1"), assistant("A"), profile("P2"), profile("P3"), user("V")];
    let sent = hoist_resume_prompts(log);
    assert_eq!(sent.iter().map(Message::content).collect::<Vec<_>>(), ["Start.", "P3", "U", "A", "V"]);
}

/// gptme drops both when the newest says what an older one in the start prompt says.
#[test]
fn a_prompt_applied_again_unchanged_is_still_there() {
    let profile = || system("P").with_metadata(Metadata::new().with("resume_key", "agent_profile"));
    let sent = hoist_resume_prompts(vec![system("Start."), profile(), user("U"), profile()]);
    assert_eq!(sent.iter().map(Message::content).collect::<Vec<_>>(), ["Start.", "P", "U"]);
}

/// gptme counts the start prompt with the prompt that it has just taken out, and cuts the person's message.
#[test]
fn only_the_start_prompt_is_cut() {
    let profile = |text| system(text).with_metadata(Metadata::new().with("resume_key", "agent_profile"));
    let log = vec![system("Start with P1."), profile("P1"), user("# Agent Profile:\nP1 is old?"), profile("P2")];
    let sent = hoist_resume_prompts(log);
    let expected = ["Start with .", "P2", "# Agent Profile:\nP1 is old?"];
    assert_eq!(sent.iter().map(Message::content).collect::<Vec<_>>(), expected);
}
