//! What gptme 0.35.1 says of its own conversations, and what convlog says of them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use convlog_codec::json::parse;
use convlog_fs::RealFs;
use convlog_message::Zone;
use convlog_message::json::{Object, Value};
use convlog_query::{ConversationMeta, LogsDir, preview};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

fn load(path: &str) -> Value {
    parse(&std::fs::read(fixtures().join(path)).unwrap()).unwrap().value
}

fn number(object: &Object, key: &str) -> f64 {
    object.get(key).and_then(Value::as_number).and_then(convlog_message::json::Number::as_f64).unwrap()
}

fn text<'a>(object: &'a Object, key: &str) -> Option<&'a str> {
    object.get(key).unwrap().as_str()
}

#[test]
fn each_is_listed_as_gptme_lists_it() {
    let logs = LogsDir::new(Arc::new(RealFs), fixtures().join("logs"));
    let manifest = load("manifest.json");
    let mut listed = 0;
    for id in logs.list().unwrap() {
        let id = id.unwrap();
        let expected = manifest.as_object().unwrap().get(id.as_str()).unwrap().as_object().unwrap();
        compare(&logs, &id, expected.get("meta").unwrap().as_object().unwrap());
        listed += 1;
    }
    assert_eq!(listed, manifest.as_object().unwrap().len());
}

fn compare(logs: &LogsDir, id: &convlog_store::ConversationId, expected: &Object) {
    let (meta, _) = ConversationMeta::read(&logs.open(id).unwrap(), Zone::UTC).unwrap();
    assert_eq!(Some(meta.id.as_str()), text(expected, "id"));
    assert_eq!(Some(meta.name.as_str()), text(expected, "name"), "{id}");
    assert_eq!(meta.messages as f64, number(expected, "messages"), "{id}");
    assert_eq!(meta.branches as f64, number(expected, "branches"), "{id}");
    assert_eq!(meta.model.as_deref(), text(expected, "model"), "{id}");
    if meta.messages > 0 {
        assert_eq!(meta.created, number(expected, "created"), "{id}");
    } else {
        assert_eq!(meta.created, meta.modified, "{id}");
    }
    let workspace = meta.workspace.replace(&*logs.path().canonicalize().unwrap().to_string_lossy(), "$LOGS");
    let workspace = workspace.replace(&*logs.path().to_string_lossy(), "$LOGS");
    assert_eq!(Some(workspace.as_str()), text(expected, "workspace"), "{id}");
    // gptme adds what is no number too (`NaN` counts as a cost), and counts beyond 64 bits.
    if !["2026-02-03-flaky-provider", "2026-01-17-cost-accounting"].contains(&id.as_str()) {
        assert_eq!(meta.total_cost, number(expected, "total_cost"), "{id}");
        assert_eq!(meta.total_input_tokens as f64, number(expected, "total_input_tokens"), "{id}");
        assert_eq!(meta.total_output_tokens as f64, number(expected, "total_output_tokens"), "{id}");
        assert_eq!(meta.total_cache_read_tokens as f64, number(expected, "total_cache_read_tokens"), "{id}");
        let models = expected.get("models_usage").unwrap().as_object().unwrap();
        let mut names: Vec<_> = models.keys().collect();
        names.sort_unstable();
        assert_eq!(meta.models_usage.keys().collect::<Vec<_>>(), names, "{id}");
        for (name, usage) in models.iter() {
            let usage = usage.as_object().unwrap();
            assert_eq!(meta.models_usage[name].cost, number(usage, "cost"), "{id}");
            assert_eq!(meta.models_usage[name].input_tokens as f64, number(usage, "input_tokens"), "{id}");
        }
    }
    // gptme takes the last line with the bytes `"user"` or `"assistant"` anywhere in it.
    if id.as_str() != "2026-01-17-cost-accounting" {
        assert_eq!(meta.last_message_role.as_deref(), text(expected, "last_message_role"), "{id}");
        assert_eq!(meta.last_message_preview.as_deref(), text(expected, "last_message_preview"), "{id}");
    }
}

#[test]
fn previews_are_gptmes() {
    let mut compared = 0;
    for row in load("oracle/preview.json").as_array().unwrap() {
        let row = row.as_object().unwrap();
        if let Some(content) = row.get("content").and_then(Value::as_str) {
            assert_eq!(preview(content).as_deref(), text(row, "preview"), "{content:?}");
            compared += 1;
        }
    }
    assert!(compared > 15);
}

#[test]
fn listing_writes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path().join("talk");
    std::fs::create_dir(&home).unwrap();
    std::fs::write(
        home.join("conversation.jsonl"),
        "{\"role\": \"user\", \"content\": \"hi\", \"files\": [\"/etc/hostname\"]}\n",
    )
    .unwrap();
    let logs = LogsDir::new(Arc::new(RealFs), directory.path());
    ConversationMeta::read(&logs.find("ta").unwrap(), Zone::Local).unwrap();
    let names: Vec<_> = std::fs::read_dir(&home).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["conversation.jsonl"]);
}

/// B112, B117: one bad directory hides no other, and each is there or passed over with a reason.
#[test]
fn bad_neighbours_are_listed_on_their_own() {
    let directory = tempfile::tempdir().unwrap();
    let make = |id: &str| {
        let home = directory.path().join(id);
        std::fs::create_dir(&home).unwrap();
        home
    };
    std::fs::write(make("good").join("conversation.jsonl"), "{\"role\":\"user\",\"content\":\"hi\"}\n").unwrap();
    std::fs::create_dir(make("a-directory").join("conversation.jsonl")).unwrap();
    std::os::unix::fs::symlink("/nowhere/at/all", make("dangling").join("conversation.jsonl")).unwrap();
    std::fs::write(make("bad-config").join("conversation.jsonl"), "").unwrap();
    std::fs::write(directory.path().join("bad-config/config.toml"), "[chat\n").unwrap();
    std::fs::write(
        make("bad-usage").join("conversation.jsonl"),
        "{\"role\":\"user\",\"content\":\"x\",\"metadata\":{\"usage\":[1]}}\n",
    )
    .unwrap();
    std::fs::write(make("odd\u{200b}name").join("conversation.jsonl"), "").unwrap();
    make("somebody-elses");
    std::fs::write(directory.path().join("a-file"), "").unwrap();

    let logs = LogsDir::new(Arc::new(RealFs), directory.path());
    let (ids, skipped): (Vec<_>, Vec<_>) = logs.list().unwrap().partition(Result::is_ok);
    let ids: Vec<_> = ids.into_iter().map(|id| id.unwrap().to_string()).collect();
    assert_eq!(ids, ["a-directory", "bad-config", "bad-usage", "dangling", "good"]);
    assert!(skipped[0].as_ref().unwrap_err().to_string().ends_with("has a character that cannot be printed"));

    let read = |id: &str| ConversationMeta::read(&logs.open(&id.parse().unwrap()).unwrap(), Zone::UTC);
    assert!(read("a-directory").unwrap_err().to_string().contains("is a directory, not a file"));
    assert!(read("dangling").unwrap_err().to_string().contains("a link to a file that is missing"));
    assert_eq!(read("bad-config").unwrap().0.name, "bad-config");
    assert_eq!(read("bad-usage").unwrap().0.total_input_tokens, 0);
    assert_eq!(read("good").unwrap().0.messages, 1);
}

#[test]
fn what_a_person_types_is_found() {
    let directory = tempfile::tempdir().unwrap();
    for id in ["talk", "talk-two", "other"] {
        std::fs::create_dir(directory.path().join(id)).unwrap();
        std::fs::write(directory.path().join(id).join("conversation.jsonl"), "").unwrap();
    }
    let logs = LogsDir::new(Arc::new(RealFs), directory.path());
    let found = |text: &str| logs.find(text).map(|c| c.layout().home().file_name().unwrap().to_owned());
    assert_eq!(found("talk").unwrap(), "talk", "a whole id, though another begins so");
    assert_eq!(found("talk-").unwrap(), "talk-two");
    assert_eq!(found("o").unwrap(), "other");
    assert!(found("ta").unwrap_err().to_string().contains("talk, talk-two; type more of it"));
    assert!(found("x").unwrap_err().to_string().contains("no conversation \"x\""));
    let by_path = directory.path().join("other/conversation.jsonl");
    assert_eq!(found(by_path.to_str().unwrap()).unwrap(), "other");
    for outside in ["../outside", "/abs/dir", ".", "", " a", "a\tb"] {
        assert!(found(outside).is_err(), "{outside:?}");
    }
}
