//! A conversation as one HTML page that needs nothing else: [`html`].

mod content;
mod escape;
mod message;
mod turns;

use convlog_message::{Message, Zone};

use crate::text::local_minutes;
use escape::escaped;

const STYLE: &str = include_str!("html/page.css");

/// The hash of [`STYLE`]: the page's one style sheet, and all that a browser may take from it.
const STYLE_HASH: &str = "sha256-g64ijEVA4WSAEMftgk2NliEMUyNZD13b7SH6Hh52h6M=";

/// A conversation as a page: self-contained, and safe to open whatever the messages say.
///
/// - There is no script, and the page's own policy (`Content-Security-Policy`) allows none, nor any request,
///   form or frame. HTML in a message is shown as text; links lead to `http:`, `https:` and `mailto:` only;
///   images are named, not loaded.
/// - Markdown is laid out, and code highlighted (feature `highlight`), in light and dark as the reader's system
///   has it, on phones too.
/// - System messages, hidden ones and thinking are folded; an index leads to each turn of the person.
/// - A message's anchor is `#m` and its index in the log. Times are shown in `zone`.
///
/// ```
/// use convlog_message::{Message, Role, Zone};
///
/// let message = Message::new(Role::User, "Look: <script>alert(1)</script> **now**", "2026-01-02T03:04:05".parse()?);
/// let page = convlog_render::html("A talk", [&message], Zone::UTC);
/// assert!(page.contains("Look: &lt;script&gt;alert(1)&lt;/script&gt; <strong>now</strong>"));
/// assert!(!page.contains("<script"));
/// # Ok::<(), convlog_message::ParseTimestampError>(())
/// ```
#[must_use]
pub fn html<'a>(name: &str, messages: impl IntoIterator<Item = &'a Message>, zone: Zone) -> String {
    let messages: Vec<&Message> = messages.into_iter().collect();
    let name = escaped(name);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{STYLE_HASH}'; \
         base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{name}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <header class=\"page\"><h1>{name}</h1><p>{}</p></header>\n",
        summary(&messages, zone)
    );
    turns::write(&mut page, &messages);
    page.push_str("<main>\n");
    for (index, message) in messages.iter().enumerate() {
        message::write(&mut page, index, message, zone);
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

/// How many messages, from when to when.
fn summary(messages: &[&Message], zone: Zone) -> String {
    let count = if messages.len() == 1 { "1 message".to_owned() } else { format!("{} messages", messages.len()) };
    let mut times = messages.iter().filter(|message| message.has_recorded_timestamp());
    let Some(first) = times.next() else { return count };
    let last = times.next_back().unwrap_or(first);
    let (first, last) = (local_minutes(first.timestamp(), zone), local_minutes(last.timestamp(), zone));
    if first == last { format!("{count} · {first}") } else { format!("{count} · {first} to {last}") }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use sha2::Digest as _;

    use super::*;

    #[test]
    fn the_policy_allows_the_style_sheet_alone() {
        let hash = base64::prelude::BASE64_STANDARD.encode(sha2::Sha256::digest(STYLE));
        assert_eq!(STYLE_HASH, format!("sha256-{hash}"));
        assert!(!STYLE.contains("</style") && !STYLE.contains("url("));
    }
}
