//! The HTML page in a real browser: what is shown, what folds, and that nothing in a message acts.

#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::panic, clippy::print_stderr)]
#![allow(clippy::unwrap_used)]

mod browser;

use std::collections::HashMap;

use browser::{Server, Tab, chromium};
use convlog_message::{Log, Message, Metadata, Role, Timestamp, Zone};
use convlog_render::html;
use serde_json::json;

fn say(role: impl Into<Role>, content: &str) -> Message {
    Message::new(role, content, "2026-01-02T03:04:05".parse::<Timestamp>().unwrap())
}

/// A conversation of the usual kind.
fn talk() -> Log {
    let answer = "<think>The loop.</think>\nHere:\n\n1. first\n2. second\n\n```py\ndef f():\n    return 1\n```\n\n\
                  | a | b |\n|---|---|\n| 1 | 2 |\n\nA [link](https://example.org/) and https://example.org/plain.";
    let long = format!("A very long line of code:\n```sh\n{}\n```\nand {}", "x".repeat(3_000), "y".repeat(3_000));
    [
        say(Role::System, "You are **brief**.").with_pinned(true),
        say(Role::User, "Why does it *fail*?"),
        say(Role::Assistant, answer),
        say(Role::System, "Saved to a.md"),
        say(Role::User, "A hidden question").with_hide(true),
        say(Role::User, &long),
        say("tool", "A result"),
    ]
    .into_iter()
    .collect()
}

/// Everything that a hostile message may try, each with an own mark.
fn attack(port: u16) -> Log {
    let leak = format!("http://127.0.0.1:{port}/leak");
    let act = "window.pwned=(window.pwned||0)+1";
    let tries = [
        format!("<script>{act}</script>"),
        format!("text <script src=\"{leak}1.js\"></script> text"),
        format!("<img src=\"{leak}2.png\" onerror=\"{act}\">"),
        format!("![picture]({leak}3.png) ![x](javascript:{act})"),
        format!("<svg onload=\"{act}\"><iframe src=\"{leak}4\" onload=\"{act}\"></iframe></svg>"),
        format!("[click](javascript:{act}) [click](JaVaScRiPt:{act}) [click](data:text/html,<script>{act}</script>)"),
        format!(
            "[click](\u{1}javascript:{act}) [click](&#106;avascript:{act}) <javascript:{act}> [click](java\nscript:{act})"
        ),
        format!("<style>body {{ background: url({leak}5) }} main {{ display: none }}</style>"),
        format!(
            "<link rel=stylesheet href={leak}6><meta http-equiv=refresh content=\"0;url={leak}7\"><base href={leak}8>"
        ),
        format!("</div></article></main></body></html><script>{act}</script>"),
        format!("```\"><script>{act}</script>\n</code></pre><script>{act}</script>\n```"),
        format!("# <script>{act}</script>\n> <details open ontoggle=\"{act}\"><form action={leak}9>"),
        format!("| <script>{act}</script> |\n|---|\n| <img src={leak}10> |"),
        format!(
            "[a](https://example.org/\"onmouseover=\"{act}) [b](<https://x/' onclick='{act}'> \"t\\\" onclick={act}\")"
        ),
        format!("[r]: {leak}11 \"'><script>{act}</script>\"\n[r] ![r]"),
        format!("- item\n\n      ```</pre><script>{act}</script>\n\n  ~~~<script>\n  <script>{act}</script>\n  ~~~"),
        format!("<think><script>{act}</script></think>x"),
        format!(
            "<!-- --!> <script>{act}</script> --> <![CDATA[ <script>{act}</script> ]]> <?php <script>{act}</script> ?>"
        ),
    ];
    let script = format!("\"'><script>{act}</script><img src={leak}12 onerror={act}>");
    let messages = tries.iter().flat_map(|text| [say(Role::User, text), say(Role::System, text)]);
    let odd = say(&*script, &script)
        .with_files([&*script])
        .with_call_id(Some(&script))
        .with_metadata(Metadata::new().with("model", &*script));
    messages.chain([odd]).collect()
}

const NAME: &str = "A </title><script>window.pwned=1</script> talk";

fn pages(port: u16) -> HashMap<String, String> {
    let attack = html(NAME, &attack(port), Zone::UTC);
    // Even if something came through: the policy of the page is the second line.
    let hole =
        "<main><script>window.pwned=1</script><img src=/leak onerror=\"window.pwned=2\"><p style=\"color:red\" id=p>";
    HashMap::from([
        ("/talk".to_owned(), html("A talk", &talk(), Zone::UTC)),
        ("/sabotaged".to_owned(), attack.replacen("<main>", hole, 1)),
        ("/attack".to_owned(), attack),
    ])
}

/// One browser for all: starting it takes a second.
#[test]
fn the_page_in_a_browser() {
    let Some(chromium) = chromium() else { return };
    let server = Server::start(pages);
    let mut tab = Tab::open(&chromium);
    let url = |page: &str| format!("http://127.0.0.1:{}/{page}", server.port);

    tab.navigate(&url("talk"));
    shows_all_messages(&mut tab);
    folds(&mut tab);
    leads_to_each_turn(&mut tab);
    is_light_and_dark_and_fits_a_phone(&mut tab);
    assert_eq!(server.asked(), ["/talk"], "the page asks for nothing");

    tab.navigate(&url("attack"));
    nothing_acts(&mut tab);
    assert_eq!((server.asked(), tab.events["Network.requestWillBeSent"]), (vec!["/attack".to_owned()], 1));

    tab.navigate(&url("sabotaged"));
    assert_eq!(tab.evaluate("window.pwned === undefined && document.querySelectorAll('script').length"), 1);
    assert_eq!(tab.evaluate("getComputedStyle(p).color"), tab.evaluate("getComputedStyle(document.body).color"));
    assert_eq!(server.asked(), ["/sabotaged"]);
}

fn shows_all_messages(tab: &mut Tab) {
    assert_eq!(tab.evaluate("document.title"), "A talk");
    let visible = "[...document.querySelectorAll('main > article')].map(a => a.checkVisibility() && a.innerText)";
    let visible = tab.evaluate(visible);
    let texts: Vec<&str> = visible.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    assert_eq!(texts.len(), 4, "{texts:?}");
    for (text, wanted) in texts.iter().zip(["Why does it fail?", "Here:", "A very long line", "A result"]) {
        assert!(text.contains(wanted), "{text}");
    }
    assert!(texts[1].contains("def f():\n    return 1") && !texts[1].contains("**"));
    let count =
        |tab: &mut Tab, selector: &str| tab.evaluate(&format!("document.querySelectorAll({selector:?}).length"));
    assert_eq!(count(tab, "article table td"), 2);
    assert_eq!(count(tab, "article ol li"), 2);
    assert_eq!(count(tab, "a[href='https://example.org/']"), 1);
    #[cfg(feature = "highlight")]
    assert_eq!(tab.evaluate("document.querySelector('.code .k').innerText"), "def");
}

/// System messages, hidden ones and thinking are there, and shown when asked for.
fn folds(tab: &mut Tab) {
    let folded = "[...document.querySelectorAll('main > details')].map(d => d.id + d.querySelector('.content').checkVisibility())";
    assert_eq!(tab.evaluate(folded), json!(["m0false", "m3false", "m4false"]));
    assert_eq!(tab.evaluate("document.querySelector('#m3 summary').innerText.includes('✅')"), true);
    for (id, text) in [("m0", "You are brief."), ("m4", "A hidden question")] {
        tab.evaluate(&format!("document.querySelector('#{id} > summary').click()"));
        assert_eq!(tab.evaluate(&format!("document.querySelector('#{id} .content').checkVisibility()")), true);
        assert_eq!(tab.evaluate(&format!("document.querySelector('#{id} .content').innerText.trim()")), text);
        tab.evaluate(&format!("document.querySelector('#{id} > summary').click()"));
    }
    assert_eq!(tab.evaluate("document.querySelector('#m2 .thinking p').checkVisibility()"), false);
    tab.evaluate("document.querySelector('#m2 .thinking summary').click()");
    assert_eq!(tab.evaluate("document.querySelector('#m2 .thinking p').checkVisibility()"), true);
}

fn leads_to_each_turn(tab: &mut Tab) {
    let turns =
        tab.evaluate("[...document.querySelectorAll('nav a')].map(a => a.hash + ' ' + a.innerText.slice(0, 12))");
    assert_eq!(turns, json!(["#m1 Why does it ", "#m5 A very long "]));
    tab.evaluate("document.querySelectorAll('nav a')[1].click()");
    let seen = "new Promise(r => requestAnimationFrame(() => r(m5.getBoundingClientRect().top < innerHeight && m5.matches(':target'))))";
    assert_eq!(tab.evaluate(seen), true);
}

fn is_light_and_dark_and_fits_a_phone(tab: &mut Tab) {
    let mut colors = Vec::new();
    for scheme in ["light", "dark"] {
        tab.call(
            "Emulation.setEmulatedMedia",
            &json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]}),
        );
        colors.push(
            tab.evaluate("getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color"),
        );
    }
    assert_eq!(colors[0], "rgb(255, 255, 255)rgb(31, 35, 40)", "the style sheet is in force");
    assert_eq!(colors[1], "rgb(13, 17, 23)rgb(230, 237, 243)");
    let phone = json!({"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": true});
    tab.call("Emulation.setDeviceMetricsOverride", &phone);
    assert_eq!(tab.evaluate("[document.documentElement.scrollWidth, innerWidth]"), json!([360, 360]));
    assert_eq!(tab.evaluate("parseFloat(getComputedStyle(m1).fontSize)"), 16.0);
    if let Some(path) = std::env::var_os("CONVLOG_SCREENSHOT") {
        let shot = tab.call("Page.captureScreenshot", &json!({"captureBeyondViewport": true}));
        let bytes = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, shot["data"].as_str().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    tab.call("Emulation.clearDeviceMetricsOverride", &json!({}));
}

fn nothing_acts(tab: &mut Tab) {
    assert_eq!(tab.evaluate("document.title"), NAME);
    // Whatever can be opened or pressed is.
    tab.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })");
    let elements = "[...document.querySelectorAll('script, img, iframe, object, embed, svg, form, link, base, input, main style')].map(e => e.outerHTML)";
    assert_eq!(tab.evaluate(elements), json!([]));
    let handlers = "[...document.querySelectorAll('*')].flatMap(e => [...e.attributes]).map(a => a.name).filter(n => n.startsWith('on') || n == 'style')";
    assert_eq!(tab.evaluate(handlers), json!([]));
    let links = "[...document.querySelectorAll('main a')].map(a => a.protocol).filter(p => !['http:', 'https:', 'mailto:'].includes(p))";
    assert_eq!(tab.evaluate(links), json!([]));
    let count = "document.querySelectorAll('main > .message').length";
    assert_eq!(tab.evaluate(count), 37, "no message breaks out of its place");
    assert_eq!(tab.evaluate("document.querySelector('#m0 .content').innerText.includes('<script>window.pwned')"), true);
    tab.evaluate("new Promise(r => setTimeout(r, 200))");
    assert_eq!(tab.evaluate("window.pwned === undefined"), true);
}
