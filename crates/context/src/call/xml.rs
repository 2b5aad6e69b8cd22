//! Calls in XML, in either of the two forms that gptme reads.

/// The calls of a text: tool and content. Elements are found by their tags alone, in text that need be no XML.
pub(super) fn xml_calls(text: &str) -> Vec<(&str, &str)> {
    let mut calls = Vec::new();
    for inner in elements(text, "<tool-use>", "</tool-use>") {
        let mut rest = inner;
        while let Some(((name, _), content, after)) = element(rest) {
            calls.push((name, content.trim()));
            rest = after;
        }
    }
    for inner in elements(text, "<function_calls>", "</function_calls>") {
        let mut rest = inner;
        while let Some((("invoke", attributes), content, after)) = element(rest) {
            if let Some(name) = attribute(attributes, "name").filter(|name| !name.is_empty()) {
                calls.push((name, content.trim()));
            }
            rest = after;
        }
    }
    calls
}

/// What stands between each opening and closing mark.
fn elements<'a>(text: &'a str, open: &'a str, close: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(open).skip(1).filter_map(move |part| Some(part.split_once(close)?.0))
}

/// The first element of a text: its name and attributes, its content, and what follows it.
fn element(text: &str) -> Option<((&str, &str), &str, &str)> {
    let (_, tag) = text.split_once('<')?;
    let (tag, rest) = tag.split_once('>')?;
    let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    if name.is_empty() || name.starts_with('/') {
        return None;
    }
    let (content, rest) = rest.split_once(&*format!("</{name}"))?;
    let (_, rest) = rest.split_once('>')?;
    Some(((name, attributes), content, rest))
}

fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let (_, value) = attributes.split_once(&*format!("{name}="))?;
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value.split(quote).nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read() {
        let text = "x <tool-use>\n<save path=\"a\">\nif a < b > c\n</save>\n<ls></ls></tool-use>";
        assert_eq!(xml_calls(text), [("save", "if a < b > c"), ("ls", "")]);
        let text = "<function_calls><invoke name=\"shell\">ls</invoke><invoke>no</invoke></function_calls>";
        assert_eq!(xml_calls(text), [("shell", "ls")]);
        assert_eq!(xml_calls("<tool-use><ls>"), []);
        assert_eq!(xml_calls("</tool-use><tool-use></tool-use>"), []);
    }
}
