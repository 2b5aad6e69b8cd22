//! Strategies that make arbitrary messages, for property tests (feature `proptest`).

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use time::{Date, PrimitiveDateTime, Time, UtcOffset};

use crate::json::{Number, Object, Value};
use crate::{FileRef, Log, Message, MessageParts, Timestamp};

/// Any text, weighted towards what is hard to write: quotes, backslashes, control characters, line ends
/// of all kinds, characters beyond the basic plane, and what other formats use as marks.
pub fn text() -> impl Strategy<Value = String> {
    let hard = prop::sample::select(vec![
        "\"",
        "\\",
        "\\n",
        "\n",
        "\r",
        "\r\n",
        "\t",
        "\0",
        "\u{1}",
        "\u{7f}",
        "\u{80}",
        "\u{85}",
        "\u{2028}",
        "\u{fffd}",
        "\u{ffff}",
        "\u{feff}",
        "😀",
        "é",
        "\"\"\"",
        "'''",
        "[message]",
        "[[messages]]",
        "```",
        "</script>",
        " ",
        "\\u0041",
        "{\"role\"",
        "#",
        "=",
    ]);
    vec(prop_oneof![3 => hard.prop_map(str::to_owned), 2 => ".{0,8}", 1 => "[a-z ]{1,12}"], 0..8)
        .prop_map(|pieces| pieces.concat())
}

/// Any time: with or without an offset, with or without a fraction, in canonical form or not.
pub fn timestamp() -> impl Strategy<Value = Timestamp> {
    let micros = prop_oneof![Just(0), 0..1_000_000_u32];
    let clock = (0..24_u8, 0..60_u8, 0..60_u8, micros);
    let offset = option::of(-86_340..=86_340_i32);
    let forms = prop::sample::select(vec![
        "2026-01-02T03:04:05Z",
        "20260102T030405",
        "2026-W01-3",
        "2026-01-02",
        "2026-12-31T24:00:00",
        "2026-01-02 03:04:05,5 +0530",
        "2026-12-31T23:59:60Z",
        "2026-01-02T03:04:05.1",
    ]);
    let made = (1..=9999_i32, 1..=365_u16, clock, offset).prop_filter_map("a time", |(year, day, clock, offset)| {
        let (hour, minute, second, micros) = clock;
        let date = Date::from_ordinal_date(year, day).ok()?;
        let local = PrimitiveDateTime::new(date, Time::from_hms_micro(hour, minute, second, micros).ok()?);
        Some(match offset {
            None => Timestamp::naive(local),
            Some(seconds) => Timestamp::with_offset(local.assume_offset(UtcOffset::from_whole_seconds(seconds).ok()?)),
        })
    });
    let read = forms.prop_filter_map("a time", |form: &str| form.parse().ok());
    prop_oneof![4 => made, 1 => read]
}

/// Any JSON number that can be written.
pub fn number() -> impl Strategy<Value = Number> {
    let odd = prop::sample::select(vec!["1.50", "1E5", "-0", "-0.0", "18446744073709551617", "1e400", "0.1e-7"]);
    prop_oneof![
        any::<i64>().prop_map(Number::from),
        any::<u64>().prop_map(Number::from),
        any::<f64>().prop_filter_map("finite", Number::from_f64),
        odd.prop_filter_map("a number", |text: &str| text.parse().ok()),
    ]
}

/// Any JSON value, nested a few levels deep.
pub fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number().prop_map(Value::Number),
        text().prop_map(Value::String),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::Array),
            vec((text(), inner), 0..4).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Any JSON object.
pub fn object() -> impl Strategy<Value = Object> {
    let known = prop::sample::select(vec!["model", "cost", "usage", "input_tokens", "timings", "tool", "resume_key"]);
    let key = prop_oneof![known.prop_map(str::to_owned), text()];
    vec((key, value()), 0..4).prop_map(|members| members.into_iter().collect())
}

/// Any message, with every stored field.
pub fn message() -> impl Strategy<Value = Message> {
    const STORED: [&str; 13] = [
        "role",
        "content",
        "timestamp",
        "files",
        "file_hashes",
        "pinned",
        "hide",
        "ui_only",
        "ephemeral_ttl",
        "call_id",
        "metadata",
        "quiet",
        "terminal_display_content",
    ];
    let role = prop_oneof![
        4 => prop::sample::select(vec!["system", "user", "assistant"]).prop_map(str::to_owned),
        1 => text(),
    ];
    let file = prop_oneof![Just("/home/me/notes.txt".to_owned()), Just("https://example.org/a".to_owned()), text()];
    let hashes = vec((file.clone(), "[0-9a-f]{16}"), 0..3);
    let flags = any::<[bool; 3]>();
    let optional = (option::of(any::<i64>()), option::of(text()));
    let extra = object().prop_map(|o| o.into_iter().filter(|(key, _)| !STORED.contains(&&**key)).collect());
    (role, text(), timestamp(), vec(file, 0..3), hashes, flags, optional, object(), extra).prop_map(
        |(role, content, timestamp, files, hashes, [pinned, hide, ui_only], (ttl, call_id), metadata, extra)| {
            let mut parts = MessageParts::new(role.as_str(), content, timestamp);
            parts.files = files.into_iter().map(FileRef::from).collect();
            (parts.pinned, parts.hide, parts.ui_only) = (pinned, hide, ui_only);
            parts.ephemeral_ttl = ttl;
            parts.metadata = metadata.into();
            parts.extra = extra;
            Message::from(parts).with_file_hashes(hashes).with_call_id(call_id.as_deref())
        },
    )
}

/// A log of a few messages.
pub fn log() -> impl Strategy<Value = Log> {
    vec(message(), 0..6).prop_map(|messages| messages.into_iter().collect())
}
