//! The shapes of models' interfaces (feature `providers`).

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod common;

use common::{assistant, result, say, system, user};
use convlog_context::{CACHE_BOUNDARY, Image, ModelMessage, anthropic, openai};
use convlog_message::json::{Object, Value};
use convlog_message::{FileRef, Message, Metadata, Role};
use serde_json::json;

fn attached(_: &Message, file: &FileRef) -> Option<Image> {
    file.as_str().ends_with(".png").then(|| Image { media_type: "image/png".to_owned(), bytes: b"png".to_vec() })
}

/// A turn with everything: a call with two results, a note between them, an image in one.
fn busy() -> Vec<Message> {
    vec![
        system("Be brief."),
        system("Today is Friday."),
        user("What is this?").with_files(["/f/a.png", "/f/a.txt"]),
        assistant("Let me see.\n@ocr(c1): {\"x\": 1}\n@ls(c2): {}"),
        result("c1", "a cat"),
        system("It took long."),
        result("c2", "a.png").with_files(["/f/b.png"]),
        result("c1", "or a dog"),
        user("Well?"),
    ]
}

#[test]
fn openai_keeps_calls_and_results_together() {
    let image = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}});
    let call =
        |id, name, arguments| json!({"type": "function", "id": id, "function": {"name": name, "arguments": arguments}});
    let expected = json!([
        {"role": "system", "content": "Be brief."},
        {"role": "system", "content": "Today is Friday."},
        {"role": "user", "content": [
            {"type": "text", "text": "What is this?"},
            {"type": "text", "text": "![a.png](a.png):"},
            image,
        ]},
        {"role": "assistant", "content": "Let me see.", "tool_calls": [
            call("c1", "ocr", "{\"x\":1}"),
            call("c2", "ls", "{}"),
        ]},
        {"role": "tool", "tool_call_id": "c1", "content": "a cat\n\nor a dog"},
        {"role": "tool", "tool_call_id": "c2", "content": "a.png"},
        {"role": "system", "content": "It took long."},
        {"role": "user", "content": [{"type": "text", "text": "![b.png](b.png):"}, image]},
        {"role": "user", "content": "Well?"},
    ]);
    assert_eq!(serde_json::to_value(openai::messages(&busy(), &attached)).unwrap(), expected);
}

#[test]
fn anthropic_has_the_system_text_apart() {
    let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "cG5n"}});
    let mark = json!({"type": "ephemeral"});
    let text = |text| json!({"type": "text", "text": text});
    let expected = json!({
        "system": [{"type": "text", "text": "Be brief.\n\nToday is Friday.", "cache_control": mark}],
        "messages": [
            {"role": "user", "content": [
                text("What is this?"),
                text("![a.png](a.png):"),
                {"type": "image", "source": image["source"], "cache_control": mark},
            ]},
            {"role": "assistant", "content": [
                text("Let me see."),
                {"type": "tool_use", "id": "c1", "name": "ocr", "input": {"x": 1}},
                {"type": "tool_use", "id": "c2", "name": "ls", "input": {}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": [text("a cat"), text("or a dog")]},
                {"type": "tool_result", "tool_use_id": "c2", "content": [text("a.png"), text("![b.png](b.png):"), image]},
                text("<system>It took long.</system>"),
                {"type": "text", "text": "Well?", "cache_control": mark},
            ]},
        ],
    });
    assert_eq!(serde_json::to_value(anthropic::request(&busy(), None, &attached)).unwrap(), expected);
}

#[test]
fn what_would_be_refused_is_sent_as_text() {
    let log = [
        result("c0", "of no call"),
        assistant("@ls(c1): {}"),
        user("And?"),
        assistant("@ls(c2): {broken}"),
        result("c2", "x"),
        say(Role::from("tool"), "y"),
    ];
    let openai = serde_json::to_value(openai::messages(&log, &attached)).unwrap();
    assert_eq!(
        openai,
        json!([
            {"role": "user", "content": "of no call"},
            {"role": "assistant", "content": "@ls(c1): {}"},
            {"role": "user", "content": "And?"},
            {"role": "assistant", "content": "@ls(c2): {broken}"},
            {"role": "user", "content": "x"},
            {"role": "user", "content": "y"},
        ])
    );
    let anthropic = serde_json::to_value(anthropic::request(&log, None, &attached)).unwrap();
    assert!(!anthropic.to_string().contains("tool_"), "{anthropic}");
    assert_eq!(anthropic["system"], json!(null));
}

#[test]
fn the_cache_is_marked_where_the_log_is_stable() {
    let log = [
        system("S"),
        system(CACHE_BOUNDARY),
        user("U1"),
        assistant("A1"),
        user("U2").with_ephemeral_ttl(Some(1)),
        assistant("A2"),
        user("U3"),
    ];
    let request = anthropic::request(&log, convlog_context::cache_boundary(&log), &attached);
    let marked = |message: &anthropic::Message| message.content.iter().any(|block| block.cache_control.is_some());
    assert_eq!(request.messages.iter().map(marked).collect::<Vec<_>>(), [false, true, true, false, true]);
    assert!(request.system[0].cache_control.is_some());
}

#[test]
fn what_the_provider_summed_up_goes_back_as_it_came() {
    let block: Object = [("type", Value::from("compaction")), ("n", Value::from(1))].into_iter().collect();
    let summary = assistant("(summary)").with_metadata(Metadata::new().with("anthropic_compaction_block", block));
    let log = [system("S"), summary, user("U")];
    let json = serde_json::to_value(anthropic::request(&log, None, &attached)).unwrap();
    assert_eq!(json["messages"][0]["content"][0], json!({"type": "compaction", "n": 1}));
    assert_eq!(json["messages"][0]["content"][1]["text"], "U");
    assert_eq!(json["messages"].as_array().unwrap().len(), 1);
}

#[test]
fn only_four_fields_are_sent() {
    let message = result("c1", "x").with_files(["https://e.org/a"]).with_pinned(true);
    let sent = ModelMessage::from(&message);
    let expected = json!({"role": "system", "content": "x", "files": ["https://e.org/a"], "call_id": "c1"});
    assert_eq!(serde_json::to_value(&sent).unwrap(), expected);
    let object = Object::from(sent);
    assert_eq!(object.keys().collect::<Vec<_>>(), ["role", "content", "files", "call_id"]);
    assert_eq!(serde_json::to_value(ModelMessage::from(&user("x"))).unwrap(), json!({"role": "user", "content": "x"}));
}
