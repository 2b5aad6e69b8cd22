//! Shortening long `<details>`, as they are pasted from issues.

use std::ops::Range;

use convlog_codeblock::codeblocks;

use super::{CUT, KEPT_LINES, is_long};

const OPEN: &str = "<details";
const CLOSE: &str = "</details>";

/// The text with its long outermost `<details>` shortened; `None` when there are none.
pub(super) fn shortened(text: &str) -> Option<String> {
    let (mut out, mut from) = (String::new(), 0);
    for span in outermost(text) {
        let Some(short) = text.get(span.clone()).and_then(cut) else { continue };
        out.push_str(text.get(from..span.start).unwrap_or_default());
        out.push_str(&short);
        from = span.end;
    }
    if from == 0 {
        return None;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Some(out)
}

/// Where the outermost elements stand that are closed. A closing tag too many is passed over.
fn outermost(text: &str) -> Vec<Range<usize>> {
    let (mut spans, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, _) in text.match_indices('<') {
        let rest = text.get(at..).unwrap_or_default();
        if starts_with(rest, OPEN) && rest.contains('>') {
            if depth == 0 {
                start = at;
            }
            depth = depth.saturating_add(1);
        } else if starts_with(rest, CLOSE) {
            if depth == 1 {
                spans.push(start..at.saturating_add(CLOSE.len()));
            }
            depth = depth.saturating_sub(1);
        }
    }
    spans
}

/// One element shortened; `None` when it is not long.
fn cut(element: &str) -> Option<String> {
    let header = header_length(element)?;
    let (header, rest) = element.split_at_checked(header)?;
    let (body, footer) = rest.split_at_checked(rest.len().checked_sub(CLOSE.len())?)?;
    let mut lines: Vec<&str> = body.split('\n').collect();
    let is_blank = |line: &&&str| line.trim().is_empty();
    let after = lines.iter().rev().take_while(is_blank).count();
    lines.truncate(lines.len().saturating_sub(after));
    let before = lines.iter().take_while(is_blank).count();
    let lines = lines.get(before..)?;
    if !is_long(lines.len()) {
        return None;
    }
    let (head, tail) = kept(lines);
    let kept: Vec<&str> = lines.get(head)?.iter().chain([&CUT]).chain(lines.get(tail)?).copied().collect();
    Some(format!("{header}\n{}\n{footer}", kept.join("\n")))
}

/// Which lines stay at either end: fewer than could where a code block would be cut in two.
fn kept(lines: &[&str]) -> (Range<usize>, Range<usize>) {
    let (mut head, mut tail) = (KEPT_LINES, lines.len().saturating_sub(KEPT_LINES));
    for block in codeblocks(&lines.join("\n")) {
        let Some(start) = block.start() else { continue };
        let end = start.saturating_add(block.content().split('\n').count()).saturating_add(2);
        if (start..end).contains(&head) {
            head = head.min(start);
        }
        if (start..end).contains(&tail) && start < tail {
            tail = end.min(lines.len());
        }
    }
    (0..head, tail..lines.len())
}

/// The length of the opening tag, and of the summary when it follows.
fn header_length(element: &str) -> Option<usize> {
    let tag = element.find('>')?.checked_add(1)?;
    let rest = element.get(tag..)?.trim_start();
    let summary = starts_with(rest, "<summary>").then(|| end_of_summary(rest)).flatten();
    let blanks = element.len().checked_sub(tag)?.checked_sub(rest.len())?;
    Some(summary.map_or(tag, |length| tag.saturating_add(blanks).saturating_add(length)))
}

fn end_of_summary(text: &str) -> Option<usize> {
    const CLOSE: &str = "</summary>";
    let starts = text.match_indices('<').map(|(at, _)| at);
    let mut closing = starts.filter(|at| text.get(*at..).is_some_and(|rest| starts_with(rest, CLOSE)));
    closing.next()?.checked_add(CLOSE.len())
}

/// Compares the beginning without regard to case (of ASCII).
fn starts_with(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(count: usize) -> String {
        (0..count).map(|n| n.to_string()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn only_what_is_long_is_cut() {
        let check = |lines| shortened(&format!("a <details>\n\n{}\n\n</details> b", numbers(lines)));
        assert_eq!(check(21), None);
        let short = "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n[...]\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21";
        assert_eq!(check(22), Some(format!("a <details>\n{short}\n</details> b")));
    }

    #[test]
    fn the_summary_stays() {
        let text = format!("<DETAILS open>\n <Summary>Log\nof it</summary>\n{}</details>", numbers(30));
        let short = shortened(&text).unwrap();
        assert!(short.starts_with("<DETAILS open>\n <Summary>Log\nof it</summary>\n0\n1\n"), "{short}");
    }

    #[test]
    fn nested_ones_belong_to_the_outermost() {
        let text = format!("</details><details>{}\n<details>x</details>\ny</details>", numbers(30));
        let short = shortened(&text).unwrap();
        assert_eq!(short.matches("[...]").count(), 1);
        assert!(short.ends_with("<details>x</details>\ny\n</details>"), "{short}");
    }

    #[test]
    fn a_code_block_is_not_cut_in_two() {
        let text = format!("<details>\na\n```\n{}\n```\nb\n</details>", numbers(30));
        assert_eq!(shortened(&text).unwrap(), "<details>\na\n[...]\nb\n</details>");
    }
}
