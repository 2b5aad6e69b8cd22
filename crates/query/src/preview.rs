//! The first words of a message, for a list: [`preview`].

/// How many characters are shown.
const SHOWN: usize = 100;

/// The beginning of a message on one line: thinking sections left out, blanks folded, cut after 100
/// characters with `...`. `None` when nothing is left. The rules are gptme's.
///
/// ```
/// use convlog_query::preview;
///
/// assert_eq!(preview("<think>hm</think>\nYes:\n\n  it works").as_deref(), Some("Yes: it works"));
/// assert_eq!(preview("<think>still at it"), None);
/// ```
#[must_use]
pub fn preview(content: &str) -> Option<String> {
    let mut spoken = String::new();
    let mut rest = content;
    while let Some((before, inside)) = split_at_tag(rest, ["<think>", "<thinking>"]) {
        spoken.push_str(before);
        rest = split_at_tag(inside, ["</think>", "</thinking>"]).map_or("", |(_, after)| after);
    }
    spoken.push_str(rest);
    let mut folded = String::new();
    for word in spoken.split(is_blank).filter(|word| !word.is_empty()) {
        // No character takes more than four bytes.
        if folded.len() > SHOWN.saturating_mul(4) {
            break;
        }
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    let end = folded.char_indices().nth(SHOWN).map(|(end, _)| end);
    let shown = match end.and_then(|end| folded.get(..end)) {
        Some(shown) => format!("{shown}..."),
        None => folded,
    };
    (!shown.is_empty()).then_some(shown)
}

/// What stands before the first of two tags, and behind it.
fn split_at_tag<'a>(text: &'a str, tags: [&str; 2]) -> Option<(&'a str, &'a str)> {
    let [first, second] = tags.map(|tag| text.split_once(tag));
    match (first, second) {
        (Some(a), Some(b)) if b.0.len() < a.0.len() => Some(b),
        (Some(a), _) => Some(a),
        (None, b) => b,
    }
}

/// What Python's `str.split` splits at.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}')
}
