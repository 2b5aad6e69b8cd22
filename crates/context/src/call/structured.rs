//! Calls of the form `@tool(call_id): {…}`.

use std::collections::HashMap;
use std::ops::Range;

/// A structured call and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StructuredCall<'a> {
    pub(crate) tool: &'a str,
    pub(crate) call_id: &'a str,
    /// A JSON object, as far as its braces go.
    pub(crate) arguments: &'a str,
    /// From the `@` to the closing brace.
    pub(crate) span: Range<usize>,
}

/// The structured calls of a text, in order. Linear.
pub(crate) fn structured_calls(text: &str) -> Vec<StructuredCall<'_>> {
    let mut calls = Vec::new();
    if !text.contains('@') {
        return calls;
    }
    let blocks = block_ranges(text);
    let mut blocks = blocks.iter().peekable();
    let mut from = 0;
    while let Some(start) = next_at_line_start(text, from) {
        while blocks.next_if(|block| block.end <= start).is_some() {}
        if let Some(block) = blocks.peek().filter(|block| block.start <= start) {
            from = block.end;
            continue;
        }
        let Some((tool, call_id, json_start)) = head(text, start) else {
            from = start.saturating_add(1);
            continue;
        };
        let json = text.get(json_start..).unwrap_or_default();
        let Some(arguments) = json_length(json).and_then(|length| json.get(..length)) else { break };
        let end = json_start.saturating_add(arguments.len());
        calls.push(StructuredCall { tool, call_id, arguments, span: start..end });
        from = end;
    }
    calls
}

/// The next `@` that a line begins with.
fn next_at_line_start(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let begins_line = |at: usize| at == 0 || at.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'\n');
    let rest = text.get(from..)?;
    rest.match_indices('@').map(|(at, _)| from.saturating_add(at)).find(|at| begins_line(*at))
}

/// Takes `@name(call_id):` and blanks apart; the place is that of the brace behind them. The name is the
/// shortest that fits, on one line.
fn head(text: &str, start: usize) -> Option<(&str, &str, usize)> {
    let after = text.get(start.saturating_add(1)..)?;
    let line = after.split(['\r', '\n']).next()?;
    line.match_indices('(').filter(|(at, _)| *at > 0).find_map(|(at, _)| {
        let (name, rest) = after.split_at_checked(at)?;
        let rest = rest.strip_prefix('(')?;
        let length = rest.find(|c: char| !(c.is_alphanumeric() || "_-:.".contains(c)))?;
        let (call_id, rest) = rest.split_at_checked(length).filter(|(call_id, _)| !call_id.is_empty())?;
        let json = rest.strip_prefix("):")?.trim_start();
        json.starts_with('{').then(|| (name, call_id, text.len().saturating_sub(json.len())))
    })
}

/// The length of the object that a text begins with, by its braces outside of strings.
fn json_length(text: &str) -> Option<usize> {
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => in_string = !in_string,
            b'{' if !in_string => depth = depth.saturating_add(1),
            b'}' if !in_string => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at.saturating_add(1));
                }
            }
            _ => {}
        }
    }
    None
}

/// Where code blocks stand, as gptme tells for this purpose: from a line that begins with three backticks or
/// more to one with as many and nothing else.
fn block_ranges(text: &str) -> Vec<Range<usize>> {
    let mut fences = Vec::new();
    let mut last_bare: HashMap<usize, usize> = HashMap::new();
    let mut at = 0_usize;
    for line in text.split_inclusive('\n') {
        let ticks = line.bytes().take_while(|byte| *byte == b'`').count();
        let is_bare = line.get(ticks..).unwrap_or_default().trim().is_empty();
        if ticks >= 3 {
            if is_bare {
                last_bare.insert(ticks, at);
            }
            let end = at.saturating_add(line.trim_end_matches('\n').len());
            fences.push(FenceLine { span: at..end, ticks, is_bare });
        }
        at = at.saturating_add(line.len());
    }
    let mut ranges = Vec::new();
    let mut fences = fences.into_iter();
    while let Some(open) = fences.next() {
        // Only look for what is there, so that many fences without an end cost no more than few.
        if last_bare.get(&open.ticks).is_some_and(|last| *last > open.span.start)
            && let Some(close) = fences.find(|fence| fence.ticks == open.ticks && fence.is_bare)
        {
            ranges.push(open.span.start..close.span.end);
        }
    }
    ranges
}

/// A line that begins with three backticks or more.
struct FenceLine {
    span: Range<usize>,
    ticks: usize,
    is_bare: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, &str, &str)> {
        structured_calls(text).into_iter().map(|call| (call.tool, call.call_id, call.arguments)).collect()
    }

    #[test]
    fn calls_begin_a_line() {
        assert_eq!(found("@ls(c1): {}"), [("ls", "c1", "{}")]);
        assert_eq!(found("x @ls(c1): {}"), []);
        assert_eq!(
            found("x\n@mcp a (b)(c-1.2:3):\n\n{\"a\": {\"b\": \"}\\\"\"}} y"),
            [("mcp a (b)", "c-1.2:3", "{\"a\": {\"b\": \"}\\\"\"}}")]
        );
        assert_eq!(found("@a(1): {}\n@b(2): {}@c(3): {}"), [("a", "1", "{}"), ("b", "2", "{}")]);
        for none in ["@(c1): {}", "@ls(c 1): {}", "@ls(): {}", "@ls(c1) {}", "@ls(c1): []", "@l\ns(c1): {}"] {
            assert_eq!(found(none), [], "{none}");
        }
    }

    #[test]
    fn what_does_not_end_is_none() {
        assert_eq!(found("@ls(c1): {\"a\": 1\n@ls(c2): {}"), []);
    }

    #[test]
    fn an_example_in_a_block_is_none() {
        assert_eq!(found("```\n@ls(c1): {}\n```\n@ls(c2): {}"), [("ls", "c2", "{}")]);
        assert_eq!(found("````md\n```\n@ls(c1): {}\n```\n````"), []);
        assert_eq!(found("```py\n@ls(c1): {}"), [("ls", "c1", "{}")]); // the block does not end
    }
}
