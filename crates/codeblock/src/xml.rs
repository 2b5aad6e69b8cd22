//! A block as XML: [`Codeblock::to_xml`] and [`Codeblock::from_xml`].

use std::fmt::Write as _;

use roxmltree::{Document, NodeType};
use thiserror::Error;

use crate::codeblock::Codeblock;

/// Why a text is not the XML of one code block.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum XmlError {
    /// Not well-formed XML.
    #[error("not well-formed XML: {reason}")]
    Syntax {
        /// What is wrong, and at which line and column.
        reason: String,
    },
    /// Another element than `codeblock`.
    #[error("the element is <{found}>, not <codeblock>")]
    OtherElement {
        /// Its name.
        found: String,
    },
    /// An element inside, which has no meaning here: most likely content that was not escaped.
    #[error("an element <{found}> inside the code block (line {line}); write its < as &lt;")]
    ElementInside {
        /// Its name.
        found: String,
        /// The line in the XML text, counted from 1.
        line: u32,
    },
}

impl Codeblock {
    /// The block as an element `codeblock` with the attributes `lang` and, where there is one, `path`; its
    /// content stands between two newlines of their own.
    ///
    /// The bytes are those of gptme, but for a carriage return, which XML would read as a newline and which is
    /// therefore written as `&#13;`, and for the characters that XML cannot say (most control characters):
    /// U+FFFD stands in their place. Except for these, [`from_xml`](Self::from_xml) gives the same block again.
    ///
    /// ```
    /// use convlog_codeblock::Codeblock;
    ///
    /// let block = Codeblock::new("html", "<b>a & b</b>");
    /// assert_eq!(block.to_xml(), "<codeblock lang=\"html\">\n&lt;b&gt;a &amp; b&lt;/b&gt;\n</codeblock>");
    /// assert_eq!(Codeblock::from_xml(&block.to_xml()), Ok(block));
    /// ```
    #[must_use]
    pub fn to_xml(&self) -> String {
        let mut xml = String::with_capacity(self.content().len().saturating_add(64));
        xml.push_str("<codeblock");
        push_attribute(&mut xml, "lang", self.lang());
        if let Some(path) = self.path() {
            push_attribute(&mut xml, "path", path);
        }
        xml.push_str(">\n");
        self.content().chars().for_each(|c| push_char(&mut xml, c));
        xml.push_str("\n</codeblock>");
        xml
    }

    /// The block in an element `codeblock`.
    ///
    /// One newline at each end of the content belongs to the form and is taken off; any further one is content.
    /// Comments and processing instructions are passed over, attributes other than `lang` and `path` ignored.
    ///
    /// # Errors
    ///
    /// When this is not well-formed XML, another element, or one with elements inside.
    ///
    /// ```
    /// use convlog_codeblock::{Codeblock, XmlError};
    ///
    /// let block = Codeblock::from_xml("<codeblock lang='py' path='a.py'>\nprint(1)\n</codeblock>")?;
    /// assert_eq!((block.lang(), block.path(), block.content()), ("py", Some("a.py"), "print(1)"));
    /// # Ok::<(), XmlError>(())
    /// ```
    pub fn from_xml(xml: &str) -> Result<Self, XmlError> {
        let document = Document::parse(xml).map_err(|error| XmlError::Syntax { reason: error.to_string() })?;
        let root = document.root_element();
        if root.tag_name().name() != "codeblock" {
            return Err(XmlError::OtherElement { found: root.tag_name().name().to_owned() });
        }
        let mut text = String::new();
        for node in root.children() {
            match node.node_type() {
                NodeType::Text => text.push_str(node.text().unwrap_or_default()),
                NodeType::Element => {
                    let line = document.text_pos_at(node.range().start).row;
                    return Err(XmlError::ElementInside { found: node.tag_name().name().to_owned(), line });
                }
                NodeType::Root | NodeType::Comment | NodeType::PI => {}
            }
        }
        let text = text.strip_prefix('\n').unwrap_or(&text);
        let text = text.strip_suffix('\n').unwrap_or(text);
        let block = Self::new(root.attribute("lang").unwrap_or_default(), text);
        Ok(match root.attribute("path") {
            Some(path) => block.with_path(path),
            None => block,
        })
    }
}

/// An attribute as Python's `quoteattr` writes it: in single quotes where only that spares an escape.
fn push_attribute(xml: &mut String, name: &str, value: &str) {
    let quote = if value.contains('"') && !value.contains('\'') { '\'' } else { '"' };
    let _ = write!(xml, " {name}={quote}");
    for c in value.chars() {
        match c {
            '\n' => xml.push_str("&#10;"),
            '\t' => xml.push_str("&#9;"),
            '"' if quote == '"' => xml.push_str("&quot;"),
            c => push_char(xml, c),
        }
    }
    xml.push(quote);
}

fn push_char(xml: &mut String, c: char) {
    match c {
        '&' => xml.push_str("&amp;"),
        '<' => xml.push_str("&lt;"),
        '>' => xml.push_str("&gt;"),
        '\r' => xml.push_str("&#13;"),
        '\t' | '\n' => xml.push(c),
        '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => xml.push('\u{fffd}'),
        c => xml.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_of_a_block() {
        let check = |block: Codeblock, xml: &str| {
            assert_eq!(block.to_xml(), xml);
            assert_eq!(Codeblock::from_xml(xml), Ok(block));
        };
        check(Codeblock::new("", ""), "<codeblock lang=\"\">\n\n</codeblock>");
        check(Codeblock::new("py", "\n\nx\n"), "<codeblock lang=\"py\">\n\n\nx\n\n</codeblock>");
        check(Codeblock::new("py", "a\r\nb\rc"), "<codeblock lang=\"py\">\na&#13;\nb&#13;c\n</codeblock>");
        check(Codeblock::new("py", "]]>").with_path("a b"), "<codeblock lang=\"py\" path=\"a b\">\n]]&gt;\n</codeblock>");
        check(Codeblock::new("a.b", ""), "<codeblock lang=\"a.b\" path=\"a.b\">\n\n</codeblock>");
        check(Codeblock::new("say \"x\"", ""), "<codeblock lang='say \"x\"'>\n\n</codeblock>");
        check(Codeblock::new("\"'<&>\n\t", ""), "<codeblock lang=\"&quot;'&lt;&amp;&gt;&#10;&#9;\">\n\n</codeblock>");
    }

    #[test]
    fn what_xml_cannot_say_is_replaced() {
        let block = Codeblock::new("\0", "a\x1bb\u{ffff}");
        assert_eq!(Codeblock::from_xml(&block.to_xml()), Ok(Codeblock::new("\u{fffd}", "a\u{fffd}b\u{fffd}")));
    }

    #[test]
    fn xml_by_others_is_read() {
        let check = |xml: &str, lang: &str, content: &str| {
            assert_eq!(Codeblock::from_xml(xml), Ok(Codeblock::new(lang, content)), "{xml}");
        };
        check("<codeblock/>", "", "");
        check("<codeblock lang='x'>\n</codeblock>", "x", "");
        check("<?xml version='1.0'?>\n<!-- a -->\n<codeblock lang='x'>a<!-- b -->c</codeblock>\n", "x", "ac");
        check("<codeblock lang='x' other='y'>\r\na\r\nb\r\n</codeblock>", "x", "a\nb");
        check("<codeblock lang='x'><![CDATA[<b>]]>&#x41;</codeblock>", "x", "<b>A");
        check("<codeblock lang='x' path=''>a</codeblock>", "x", "a");
    }

    #[test]
    fn other_xml_is_refused() {
        let check = |xml: &str, message: &str| {
            assert_eq!(Codeblock::from_xml(xml).unwrap_err().to_string(), message);
        };
        check("", "not well-formed XML: the document does not have a root node");
        check("<code/>", "the element is <code>, not <codeblock>");
        check(
            "<codeblock>\n<div>x</div>\n</codeblock>",
            "an element <div> inside the code block (line 2); write its < as &lt;",
        );
        assert!(Codeblock::from_xml("<codeblock lang='x'>a & b</codeblock>").is_err());
        assert!(Codeblock::from_xml("<codeblock>a</codeblock><codeblock/>").is_err());
    }

    #[test]
    fn deep_nesting_overflows_no_stack() {
        assert!(Codeblock::from_xml(&"<codeblock>".repeat(200_000)).is_err());
    }
}
