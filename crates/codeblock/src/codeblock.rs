//! One code block: [`Codeblock`].

use std::hash::{Hash, Hasher};

use crate::fence::Fence;

/// A code block: its language, its content, the file it is meant for, and how it stood in its text.
///
/// What stands behind the opening fence is the language, in full and without the blanks around it. A
/// language with a `.` or a `/` in it looks like a file name and is the path as well, unless another path is
/// given. Two blocks are equal when language, content and path are; where they stood, and in what fence, is
/// left out, in the hash too.
///
/// ```
/// use convlog_codeblock::{Codeblock, Fence, Mark};
///
/// let block = Codeblock::new("src/main.rs", "fn main() {}");
/// assert_eq!(block.path(), Some("src/main.rs"));
/// assert_eq!(Codeblock::new("rust", "fn main() {}").path(), None);
/// assert_eq!(block, block.clone().with_fence(Fence::new(Mark::Tilde, 5)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Codeblock {
    lang: String,
    content: String,
    /// Only a path that is not the language.
    path: Option<String>,
    start: Option<usize>,
    fence: Fence,
}

impl Codeblock {
    /// A block that stands nowhere yet, in a fence of three backticks.
    #[must_use]
    pub fn new(lang: impl Into<String>, content: impl Into<String>) -> Self {
        Self { lang: lang.into(), content: content.into(), ..Self::default() }
    }

    /// The same block for that file. An empty path is none.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into()).filter(|path| !path.is_empty());
        self
    }

    /// The same block in another fence.
    #[must_use]
    pub fn with_fence(mut self, fence: Fence) -> Self {
        self.fence = fence;
        self
    }

    pub(crate) fn with_start(mut self, line: usize) -> Self {
        self.start = Some(line);
        self
    }

    /// What stands behind the opening fence.
    #[must_use]
    pub fn lang(&self) -> &str {
        &self.lang
    }

    /// The lines between the fences, without the newline that ends the last one.
    #[must_use]
    pub fn content(&self) -> &str {
        &self.content
    }

    /// The file that the block is meant for.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref().or_else(|| self.lang.contains(['.', '/']).then_some(&*self.lang))
    }

    /// The line of the opening fence, counted from 0, when the block was found in a text.
    ///
    /// As in gptme, lines are counted from where thinking ends: what comes before a closing `</think>` is
    /// cut off first.
    #[must_use]
    pub const fn start(&self) -> Option<usize> {
        self.start
    }

    /// The opening fence.
    #[must_use]
    pub const fn fence(&self) -> Fence {
        self.fence
    }

    fn compared(&self) -> (&str, &str, Option<&str>) {
        (self.lang(), self.content(), self.path())
    }
}

impl PartialEq for Codeblock {
    fn eq(&self, other: &Self) -> bool {
        self.compared() == other.compared()
    }
}

impl Eq for Codeblock {}

impl Hash for Codeblock {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.compared().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_path_is_what_looks_like_a_file_name() {
        let check = |lang, path| assert_eq!(Codeblock::new(lang, "").path(), path, "{lang}");
        check("", None);
        check("python", None);
        check("save a.md", Some("save a.md"));
        check(".env", Some(".env"));
        check("/tmp/x", Some("/tmp/x"));
        check("c++", None);
    }

    #[test]
    fn equality_and_hash_leave_out_where_it_stood() {
        let block = Codeblock::new("a.py", "x");
        let same = block.clone().with_path("a.py").with_start(7).with_fence(Fence::new(crate::Mark::Tilde, 4));
        let set: HashSet<_> = [block, same].into();
        assert_eq!(set.len(), 1);
        assert_ne!(Codeblock::new("py", "x").with_path("b.py"), Codeblock::new("py", "x"));
        assert_eq!(Codeblock::new("py", "x").with_path(""), Codeblock::new("py", "x"));
    }
}
