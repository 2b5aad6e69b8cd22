//! A block as Markdown: [`Codeblock::to_markdown`].

use crate::codeblock::Codeblock;
use crate::fence::{Fence, Mark};

impl Codeblock {
    /// The block between two fences, without a newline at the end.
    ///
    /// The fence is the block's own, made longer where the content has one as long. It is of tildes only where
    /// no backtick fence stands in the content (gptme would find a block there), or where the language holds a
    /// backtick.
    ///
    /// [`codeblocks`](crate::codeblocks) reads one block from it, with the same language and content, for every
    /// content without a thinking tag (`<think>`, `</think>`, `<thinking>`, `</thinking>`), and every language
    /// of one line without a backtick or blanks around it. Line ends come back as `\n`. Markdown has no place
    /// for a path that is not the language.
    ///
    /// ```
    /// use convlog_codeblock::{Codeblock, codeblocks};
    ///
    /// let block = Codeblock::new("save notes.md", "```py\nx\n```");
    /// assert_eq!(block.to_markdown(), "````save notes.md\n```py\nx\n```\n````");
    /// assert!(codeblocks(&block.to_markdown()).eq([block]));
    /// ```
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let fence = self.outer_fence();
        let (lang, content) = (self.lang(), self.content());
        // gptme takes six backticks and a word for two fences of three.
        let torn = fence == Fence::new(Mark::Backtick, 6);
        let blank = if lang.starts_with(fence.mark().as_char()) || torn && !lang.is_empty() { " " } else { "" };
        format!("{fence}{blank}{lang}\n{content}\n{fence}")
    }

    fn outer_fence(&self) -> Fence {
        let own = self.fence();
        let wanted = if self.lang().contains('`') { Mark::Tilde } else { own.mark() };
        let mark = if longest_run(self.content(), '`') < Fence::MIN { wanted } else { Mark::Backtick };
        let inside = longest_run(self.content(), mark.as_char());
        Fence::new(mark, own.length().max(inside.saturating_add(1)))
    }
}

fn longest_run(text: &str, mark: char) -> usize {
    text.split(|c| c != mark).map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fence_is_longer_than_any_inside() {
        let check = |block: Codeblock, expected: &str| assert_eq!(block.to_markdown(), expected);
        check(Codeblock::new("", ""), "```\n\n```");
        check(Codeblock::new("py", "x"), "```py\nx\n```");
        check(Codeblock::new("py", "a ``` b"), "````py\na ``` b\n````");
        check(Codeblock::new("md", "`````"), "`````` md\n`````\n``````");
        let tildes = Fence::new(Mark::Tilde, 4);
        check(Codeblock::new("py", "x").with_fence(tildes), "~~~~py\nx\n~~~~");
        check(Codeblock::new("py", "~~~~").with_fence(tildes), "~~~~~py\n~~~~\n~~~~~");
        check(Codeblock::new("py", "```\n").with_fence(tildes), "````py\n```\n\n````");
        check(Codeblock::new("a`b", "x"), "~~~a`b\nx\n~~~");
        check(Codeblock::new("~a", "x").with_fence(tildes), "~~~~ ~a\nx\n~~~~");
    }
}
