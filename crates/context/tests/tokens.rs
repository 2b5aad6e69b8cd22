//! How far the estimate is from exact counts (feature `tiktoken`).

use convlog_context::{Estimate, Tiktoken, TokenCounter};

const SAMPLES: [(&str, &str); 7] = [
    (
        "English",
        "The store keeps every message that anyone has ever sent, in the order in which it came, and it never \
         changes one of them afterwards. When you want to edit what was said, you write a new list beside the old \
         one; the old one stays until nobody needs it any more. That is why undo is cheap, and why a crash in the \
         middle of an edit leaves you with one of two whole lists and never with half of either.",
    ),
    ("Rust", include_str!("../src/limit.rs")),
    ("Python", include_str!("gptme/context.py")),
    ("JSON", r#"{"role": "user", "content": "What is this?", "files": ["/tmp/a.png"], "metadata": {"cost": 0.0125}}"#),
    (
        "Chinese",
        "会话日志保存每一条消息,按照发送的顺序排列,之后绝不会再修改。如果想编辑已经说过的内容,就在旧列表旁边写一个新列表;\
         旧列表会一直保留,直到没有人再需要它。因此撤销的代价很低,编辑过程中的崩溃也只会留下两个完整列表中的一个。",
    ),
    (
        "German",
        "Der Speicher behält jede Nachricht in der Reihenfolge, in der sie kam, und ändert sie später nicht mehr. Wer \
         etwas bearbeiten möchte, schreibt eine neue Liste neben die alte; die alte bleibt, bis sie niemand mehr braucht.",
    ),
    (
        "Russian",
        "Хранилище держит каждое сообщение в том порядке, в котором оно пришло, и никогда не меняет его потом. Кто хочет \
         что-то изменить, пишет новый список рядом со старым.",
    ),
];

#[test]
fn the_estimate_is_near() {
    let (o200k, cl100k) = (Tiktoken::o200k(), Tiktoken::cl100k());
    for (name, text) in SAMPLES {
        let estimate = Estimate.count(text) as f64;
        let (new, old) = (estimate / o200k.count(text) as f64, estimate / cl100k.count(text) as f64);
        println!("{name}: {new:.2} of o200k_base, {old:.2} of cl100k_base");
        assert!((0.65..4.5).contains(&new), "{name}: {new}");
    }
}

#[test]
fn models_are_found_behind_their_providers() {
    let text = "What is 6 × 7? <|endoftext|>";
    let count = |model: &str| Tiktoken::for_model(model).map(|counter| counter.count(text));
    assert_eq!(count("openai/gpt-4o"), Ok(Tiktoken::o200k().count(text)));
    assert_eq!(count("gpt-4"), Ok(Tiktoken::cl100k().count(text)));
    assert!(count("openrouter/openai/gpt-4o-mini").is_ok());
    let error = count("anthropic/claude-sonnet").unwrap_err();
    assert_eq!(error.model, "anthropic/claude-sonnet");
}
