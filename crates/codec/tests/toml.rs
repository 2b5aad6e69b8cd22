//! TOML for editing by hand: exact both ways, what an editor did to it, and errors with their place.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::string_slice
)]
#![cfg(feature = "toml")]

use convlog_codec::{jsonl, toml};
use convlog_message::json::{Number, Object, Value};
use convlog_message::{Log, Message, Metadata, Timestamp, arbitrary};
use proptest::prelude::*;

fn now() -> Timestamp {
    "2024-05-01T00:00:00+00:00".parse().unwrap()
}

fn message(content: &str) -> Message {
    Message::new("user", content, "2026-01-02T03:04:05.123456".parse().unwrap())
}

fn unrecorded(message: Message) -> Message {
    let mut parts = message.into_parts();
    parts.timestamp_recorded = false;
    parts.into()
}

/// Both forms give the message back, and any reader of TOML 1.0 takes them.
#[track_caller]
fn check(message: &Message) {
    let single = toml::write_message(message);
    let list = toml::write_log(&[message.clone(), message.clone()].into_iter().collect());
    for text in [&single, &list] {
        toml_edit::Document::parse(text.as_str()).unwrap_or_else(|error| panic!("{error}"));
        for text in [text.clone(), text.replace('\n', "\r\n"), format!("\u{feff}{text}")] {
            for back in &toml::read_log(&text, &now()).unwrap_or_else(|error| panic!("{error}\n{text}")) {
                let parts = (back.clone().into_parts(), message.clone().into_parts());
                assert!(back.is_stored_alike(message), "{text}\n{parts:?}");
            }
        }
    }
    assert!(toml::read_message(&single, &now()).unwrap().is_stored_alike(message));
}

/// Values that `arbitrary` does not make: tokens, and what is nested deep.
fn hard_value() -> impl Strategy<Value = Value> {
    let token =
        prop::sample::select(vec!["NaN", "Infinity", "-Infinity", "1e-400", "-1e999", "1.50", "123456789012345678901"]);
    let token = token.prop_map(|text| Value::Number(text.parse().unwrap()));
    (token, 0..40_usize, any::<bool>()).prop_map(|(value, depth, arrays)| {
        (0..depth).fold(value, |value, _| if arrays { vec![value].into() } else { tagged(value).into() })
    })
}

/// An object that looks like convlog's own way to say JSON.
fn tagged(value: impl Into<Value>) -> Object {
    [("convlog-json", value.into())].into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_message_comes_back(message in arbitrary::message(), value in hard_value(), is_recorded: bool) {
        let extra: Object = message.extra().iter().chain([("hard", &value)]).map(|(k, v)| (k.to_owned(), v.clone())).collect();
        let metadata = message.metadata().clone().with("hard", value);
        let message = message.with_metadata(metadata).with_extra(extra);
        check(&if is_recorded { message } else { unrecorded(message) });
    }

    #[test]
    fn every_log_comes_back(log in arbitrary::log()) {
        prop_assume!(!log.is_empty());
        let text = toml::write_log(&log);
        let back = toml::read_log(&text, &now()).unwrap();
        prop_assert_eq!(back.len(), log.len());
        prop_assert!(back.iter().zip(&log).all(|(a, b)| a.is_stored_alike(b)), "{}", text);
    }

    /// Original values come back, whatever blocks are deleted, doubled and moved.
    #[test]
    fn what_is_not_edited_is_the_original(log in arbitrary::log(), order in prop::collection::vec(any::<prop::sample::Index>(), 1..6)) {
        prop_assume!(!log.is_empty());
        let mut file = Vec::new();
        log.iter().for_each(|message| jsonl::write_line(message, convlog_codec::json::Style::Utf8, &mut file));
        let log = jsonl::read(&file, &now()).log;
        let expected: Vec<_> = order.iter().map(|index| log.get(index.index(log.len())).unwrap()).collect();
        let text = toml::write_log(&expected.iter().map(|message| (*message).clone()).collect());
        let back = toml::read_edited(&log, &text, &now()).unwrap();
        prop_assert_eq!(back.len(), expected.len());
        prop_assert!(back.iter().zip(expected).all(|(a, b)| a.is_identical(b) && a.source() == b.source()));
    }

    #[test]
    fn any_text_is_read_or_refused(text in arbitrary::text(), head in prop::sample::select(vec!["", "[[messages]]\n", "[message]\nx = "])) {
        let _ = toml::read_log(&format!("{head}{text}"), &now());
    }

    #[test]
    fn a_text_cut_anywhere_is_read_or_refused(message in arbitrary::message(), at: prop::sample::Index) {
        let text = toml::write_message(&message);
        let cut: String = text.chars().take(at.index(text.chars().count())).collect();
        let _ = toml::read_log(&cut, &now());
    }
}

/// CASES B090, B094, N14.
#[test]
fn texts_that_others_lose() {
    let texts = [
        r"a\nb",
        r"C:\new",
        r"\d+\n",
        r"\nabla",
        "see [message] and [[messages]]",
        "\n[[messages]]\nrole = 1\n",
        "\"\"\"",
        "a\"\"\"\"\"\"\"",
        "'''",
        "\r",
        "\r\n",
        "a\r\n\r\n",
        "\0",
        "\u{7f}",
        "\u{85}",
        "\n",
        "\n\n",
        "",
        " ",
        "\\",
        "a\\\n  b",
        "tab\there",
        "trailing  \n",
        "\u{feff}",
        "\u{ffff}\u{10ffff}",
        "\"",
        "ends with \"",
        "\u{1b}[0m",
        "# none",
    ];
    for text in texts {
        check(&message(text));
        check(&message("x").with_call_id(Some(text)).with_files([text]).with_file_hashes([(text, text)]));
    }
}

/// CASES B032, B095 to B098.
#[test]
fn fields_that_others_lose() {
    check(
        &message("x")
            .with_call_id(Some("a\"b\\c"))
            .with_metadata(Metadata::new().with("a \"quoted\" key", "x").with("", 1)),
    );
    check(&message("x").with_metadata(Metadata::new().with("flag", true).with("x", Value::Null)));
    check(
        &message("x").with_metadata(
            Metadata::new().with_cost(1.234e-07).with("other", Number::from_f64(0.123_456_789_1).unwrap()),
        ),
    );
    check(&message("x").with_ephemeral_ttl(Some(2)));
    check(&message("x").with_extra(tagged("null")).with_metadata(tagged(tagged(Value::Null)).into()));
    check(&unrecorded(message("x")));
    assert!(!toml::write_message(&message("x")).contains("call_id"));
    for time in
        ["2026-12-31T23:59:60Z", "2026-01-02 03:04:05,5 +0530", "1890-01-01T00:00:00+00:53:28", "20260102T235960"]
    {
        check(&message("x").with_timestamp(time.parse().unwrap()));
    }
}

/// JSON may be nested far deeper than TOML's readers go.
#[test]
fn deep_metadata() {
    let deep = (0..900).fold(Value::Null, |value, _| vec![value].into());
    check(&message("x").with_metadata(Metadata::new().with("deep", deep)));
}

/// CASES B100, and what gptme writes but cannot read.
#[test]
fn made_by_hand() {
    let rest = "role = 'user'\ncontent = 'x'\n";
    let read = |text: &str| toml::read_message(text, &now()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let date = |line: &str| read(&format!("[message]\n{line}\n{rest}"));
    for time in ["2026-01-01T00:00:00Z", "2026-01-01 00:00:00.5", "2026-01-01"] {
        assert_eq!(date(&format!("timestamp = {time}")).timestamp().to_string(), time);
    }
    let missing = date("# no time");
    assert_eq!((missing.has_recorded_timestamp(), missing.timestamp()), (false, &now()));

    let literal = read("[[messages]] # first\nhide=true\ncontent = '''\nC:\\new\n\n'''\r\nrole='tool'");
    assert_eq!((literal.content(), literal.role().as_str(), literal.hide()), ("C:\\new\n", "tool", true));

    let python = "metadata = { \"a\" = True, b = [False, None, 'True'], c = 123456789012345678901, d = nan, e = 1_0, f = 0x10, g = +1.5 }";
    let expected =
        r#"{"a": true, "b": [false, null, "True"], "c": 123456789012345678901, "d": NaN, "e": 10, "f": 16, "g": 1.5}"#;
    let expected = convlog_codec::json::parse(expected.as_bytes()).unwrap().value;
    assert_eq!(Value::Object(date(python).metadata().as_object().clone()), expected);

    let none = date("ephemeral_ttl = None\ncall_id = None\nmetadata = None\ntimestamp = None");
    assert!(none.is_stored_alike(&date("")));

    let table = read(&format!(
        "[[messages]]\n{rest}[messages.metadata]\nmodel = 'm'\n[[messages.metadata.artifacts]]\nkind = 'k'"
    ));
    assert_eq!(table.metadata().model(), Some("m"));
    assert_eq!(table.metadata().get("artifacts").unwrap().as_array().unwrap().len(), 1);
    assert_eq!(date("files = 'one'").files().len(), 1);
    assert_eq!(read("messages = [{ role = 'user', content = 'x' }]").content(), "x");
}

/// A changed time counts, whatever stood beside it.
#[test]
fn an_edited_time_is_recorded() {
    for message in [unrecorded(message("x")), message("x").with_timestamp("2026-12-31T23:59:60Z".parse().unwrap())] {
        let text = toml::write_message(&message).replace("\ntimestamp = \"2", "\ntimestamp = \"3");
        let edited = toml::read_message(&text, &now()).unwrap();
        assert!(edited.has_recorded_timestamp());
        assert!(edited.timestamp().to_string().starts_with('3'));
    }
}

/// CASES B017, B023, B028: what was not edited keeps its bytes.
#[test]
fn editing_one_message_leaves_the_others_as_they_were() {
    let file = "{\"role\":\"user\",\"content\":\"odd \\ud83d\",\"future\":{\"x\":1.50}}\n{\"role\": \"user\", \"content\": \"b\", \"metadata\": 7}\n{\"role\": \"user\", \"content\": \"c\", \"mine\": null}\n";
    let log = jsonl::read(file.as_bytes(), &now()).log;
    let text = toml::write_log(&log).replace("\nc\n", "\nd\n");
    let edited = toml::read_edited(&log, &text, &now()).unwrap();
    let sources = |log: &Log| log.iter().map(|m| m.source().map(<[u8]>::to_vec)).collect::<Vec<_>>();
    assert_eq!(sources(&edited)[..2], sources(&log)[..2]);
    let last = edited.last().unwrap();
    assert_eq!((last.content(), last.source(), last.extra().get("mine")), ("d", None, Some(&Value::Null)));

    // Deleting deletes, reordering reorders.
    let blocks: Vec<_> = text.split("[[messages]]\n").skip(1).map(|block| format!("[[messages]]\n{block}")).collect();
    let swapped = toml::read_edited(&log, &format!("{}\n{}", blocks[1], blocks[0]), &now()).unwrap();
    assert_eq!(sources(&swapped), [sources(&log)[1].clone(), sources(&log)[0].clone()]);
}

#[test]
fn a_typical_export() {
    let usage = Object::from_iter([("input_tokens", 1200), ("output_tokens", 340)]);
    let metadata = Metadata::new().with("model", "anthropic/claude-sonnet").with_cost(1.234e-07).with("usage", usage);
    let log: Log = [
        message("Where is C:\\new? See \"a\" and '''b''':\n\n```python\nprint(\"\"\"x\"\"\")\n```\n")
            .with_files(["/home/me/my notes.txt"])
            .with_file_hashes([("/home/me/my notes.txt", "0011aabb")]),
        unrecorded(
            message("é 日本 😀\r\n\u{1b}[0m").with_role("tool").with_pinned(true).with_hide(true).with_ui_only(true),
        ),
        message("").with_role("assistant").with_ephemeral_ttl(Some(2)).with_call_id(Some("call \"1\"")).with_metadata(
            metadata
                .with("none", Value::Null)
                .with("seed", u64::MAX)
                .with("flags", vec![true.into(), Value::from(Object::new())]),
        ),
        message("last")
            .with_timestamp("2026-12-31T23:59:60Z".parse().unwrap())
            .with_extra(Object::from_iter([("future key", 1)])),
    ]
    .into_iter()
    .collect();
    insta::assert_snapshot!(toml::write_log(&log));
}

#[test]
fn errors_say_where_and_what_to_do() {
    let good = "[[messages]]\nrole = \"user\"\ncontent = \"\"\"\n[[messages]] é\n\"\"\"\n\n";
    let block = |lines: &str| format!("{good}[[messages]]\nrole = \"user\"\ncontent = \"x\"\n{lines}\n");
    let cases = [
        ("empty", String::new()),
        ("only a comment", "# nothing\n".to_owned()),
        ("empty list", "messages = []".to_owned()),
        ("both forms", format!("{good}[message]\nrole = 'user'\ncontent = ''\n")),
        ("outside key", format!("title = 1\n{good}")),
        ("unknown key", block("pined = true")),
        ("no role", format!("{good}[[messages]]\ncontent = \"x\"\n")),
        ("no content", format!("{good}[[messages]]\nrole = \"x\"\n")),
        ("flag", block("pinned = \"yes\"")),
        ("ttl", block("ephemeral_ttl = 1.5")),
        ("files", block("files = [1]")),
        ("hashes", block("file_hashes = { a = 1 }")),
        ("metadata", block("metadata = []")),
        ("time", block("timestamp = \"yesterday\"")),
        ("time of day", block("timestamp = 07:32:00")),
        ("time as number", block("timestamp = 1767323045")),
        ("bad json", block("metadata = { e = { convlog-json = \"nul\" } }")),
        ("bare key", block("metadata = { é = 1 }")),
        ("file", block("files = [\"é\", 1]")),
        ("backslash", block("call_id = \"C:\\work\"")),
        ("quotes inside", block("call_id = \"a\"b\"")),
        ("no closing quotes", format!("{good}[[messages]]\nrole = \"user\"\ncontent = \"\"\"\nx\n")),
        ("no quotes", block("call_id = x")),
        ("key twice", block("role = \"user\"")),
        ("control character", block("call_id = \"\u{1}\"")),
        ("too deep", block(&format!("metadata = {{ a = {}{} }}", "[".repeat(100), "]".repeat(100)))),
        ("table", "messages = [1]".to_owned()),
    ];
    let mut table = String::new();
    for (name, text) in cases {
        table += &format!("{name}: {}\n", toml::read_log(&text, &now()).unwrap_err());
    }
    table += &format!("several: {}\n", toml::read_message(&format!("{good}{good}"), &now()).unwrap_err());
    insta::assert_snapshot!(table);
}
