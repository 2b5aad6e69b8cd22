//! A conversation in each form, as it comes out.

#![allow(clippy::unwrap_used)]
#![cfg(feature = "highlight")]

use convlog_message::{Log, Message, Metadata, Role, Zone};
use convlog_render::{Colors, Renderer, Text, html, markdown, xml};

fn talk() -> Log {
    let say = |role, content: &str| Message::new(role, content, "2026-01-02T03:04:05".parse().unwrap());
    let answer = "<think>Two ways.</think>\nLook at `a.md` <b>now</b>:\n\n````save a.md\n# Title\n```py\ndef f(): # note\n    \
                  return \"x\" + 1\n```\n````\n\n- one\n  ```diff\n  -a\n  +b\n  ```\n- [two](javascript:alert(1)), \
                  [three](https://example.org/?a=1&b=2)\n\n![a cat](https://example.org/cat.png)";
    [
        say(Role::System, "Be brief.").with_hide(true).with_pinned(true),
        say(Role::User, "Which?\nThis & \"that\"").with_files(["/tmp/a<b>.png"]),
        say(Role::Assistant, answer).with_metadata(Metadata::new().with("model", "a/b")),
        say(Role::System, "Saved to a.md").with_call_id(Some("call-1")),
        say(Role::System, "Error: disk full <!-- think-sig: abc -->"),
        say(Role::from("tool"), "```sh\nls"),
    ]
    .into_iter()
    .collect()
}

#[test]
fn text() {
    for (name, text) in [
        ("text-colors", Text::new(Zone::UTC).with_colors(Colors::Ansi)),
        ("text-narrow", Text::new(Zone::UTC).with_columns(24)),
    ] {
        let mut out = Vec::new();
        Renderer::new(text).print(&mut out, &talk()).unwrap();
        insta::assert_snapshot!(name, String::from_utf8(out).unwrap().replace('\u{1b}', "␛"));
    }
    let lines: Vec<String> =
        talk().iter().map(|message| Text::new(Zone::UTC).with_columns(40).oneline(message)).collect();
    insta::assert_snapshot!("text-oneline", lines.join("\n"));
}

#[test]
fn documents() {
    let page = html("Talk", &talk(), Zone::UTC);
    let (head, rest) = page.split_once("<style>").unwrap();
    let (_, body) = rest.split_once("</style>").unwrap();
    insta::assert_snapshot!("html", format!("{head}<style>…</style>{body}"));
    insta::assert_snapshot!("markdown", markdown("Talk", &talk(), Zone::UTC));
    insta::assert_snapshot!("xml", xml("Talk", &talk()));
}
