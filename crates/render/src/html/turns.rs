//! The index of the person's turns.

use std::fmt::Write as _;

use convlog_message::{Message, Role};

use super::escape::escaped;
use crate::text::cut;

/// So much of a turn is shown in the index.
const COLUMNS: usize = 80;

/// Writes the index; nothing for a conversation in which the person said nothing.
pub(super) fn write(page: &mut String, messages: &[&Message]) {
    let turns: Vec<_> = messages.iter().enumerate().filter(|(_, message)| is_turn(message)).collect();
    if turns.is_empty() {
        return;
    }
    let count = if turns.len() == 1 { "1 turn".to_owned() } else { format!("{} turns", turns.len()) };
    let _ = writeln!(page, "<nav><details open><summary>{count}</summary><ol>");
    for (index, message) in turns {
        let words = message.content().split_whitespace().take(COLUMNS).collect::<Vec<_>>().join(" ");
        let beginning = if words.is_empty() { "(no text)" } else { &words };
        let _ = writeln!(page, "<li><a href=\"#m{index}\">{}</a></li>", escaped(&cut(beginning, COLUMNS)));
    }
    page.push_str("</ol></details></nav>\n");
}

fn is_turn(message: &Message) -> bool {
    *message.role() == Role::User && !message.hide()
}
