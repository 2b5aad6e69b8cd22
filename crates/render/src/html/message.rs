//! One message of the page.

use std::fmt::Write as _;

use convlog_message::{Message, Role, Zone};

use super::content;
use super::escape::escaped;
use crate::Status;
use crate::text::{capitalised, cut, local_minutes, marks, without_signatures};

/// So much of a folded message is shown.
const COLUMNS: usize = 100;

/// Writes a message; folded when it is hidden or the system's.
pub(super) fn write(page: &mut String, index: usize, message: &Message, zone: Zone) {
    let role = match message.role() {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Other(_) => "other",
    };
    let text = without_signatures(message.content());
    let heading = heading(index, message, zone);
    if message.hide() || *message.role() == Role::System {
        let beginning = text.split_whitespace().take(COLUMNS).collect::<Vec<_>>().join(" ");
        let beginning = escaped(&cut(&beginning, COLUMNS));
        let _ = writeln!(
            page,
            "<details id=\"m{index}\" class=\"message {role}\">\n\
             <summary>{heading} <span class=\"beginning\">{beginning}</span></summary>\n<div class=\"content\">"
        );
        content::write(page, &text);
        page.push_str("</div>\n</details>\n");
    } else {
        let _ = writeln!(
            page,
            "<article id=\"m{index}\" class=\"message {role}\">\n<header>{heading}</header>\n<div class=\"content\">"
        );
        content::write(page, &text);
        page.push_str("</div>\n</article>\n");
    }
}

/// Role, time, status and marks.
fn heading(index: usize, message: &Message, zone: Zone) -> String {
    let role = escaped(&capitalised(message.role().as_str()));
    let mut heading = format!("<span class=\"role\">{role}</span>");
    if message.has_recorded_timestamp() {
        let time = message.timestamp();
        let (exact, shown) = (escaped(&time.isoformat()), local_minutes(time, zone));
        let _ = write!(heading, " <time datetime=\"{exact}\">{shown}</time>");
    }
    let _ = write!(heading, " <a class=\"place\" href=\"#m{index}\">#{index}</a>");
    if let Some(status) = Status::of(message) {
        let _ = write!(heading, " {}", status.mark());
    }
    let marks = marks(message);
    if !marks.is_empty() {
        let _ = write!(heading, " <span class=\"marks\">{}</span>", escaped(&marks));
    }
    heading
}
