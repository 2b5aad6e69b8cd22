//! What stands around a code block: [`Fence`].

use std::fmt::{self, Write as _};

/// The character that a fence is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// `` ` ``
    Backtick,
    /// `~`
    Tilde,
}

impl Mark {
    /// The character.
    #[must_use]
    pub const fn as_char(self) -> char {
        match self {
            Self::Backtick => '`',
            Self::Tilde => '~',
        }
    }

    pub(crate) const fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            b'`' => Some(Self::Backtick),
            b'~' => Some(Self::Tilde),
            _ => None,
        }
    }
}

/// A fence: at least three backticks or tildes.
///
/// ```
/// use convlog_codeblock::{Fence, Mark};
///
/// assert_eq!(Fence::default().to_string(), "```");
/// assert_eq!(Fence::new(Mark::Tilde, 4).to_string(), "~~~~");
/// assert_eq!(Fence::new(Mark::Tilde, 1).length(), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fence {
    mark: Mark,
    length: usize,
}

impl Fence {
    /// The shortest fence there is.
    pub(crate) const MIN: usize = 3;

    /// A fence of so many marks, three at the least.
    #[must_use]
    pub const fn new(mark: Mark, length: usize) -> Self {
        Self { mark, length: if length < Self::MIN { Self::MIN } else { length } }
    }

    /// The character that it is made of.
    #[must_use]
    pub const fn mark(self) -> Mark {
        self.mark
    }

    /// How many of them.
    #[must_use]
    pub const fn length(self) -> usize {
        self.length
    }
}

impl Default for Fence {
    /// Three backticks.
    fn default() -> Self {
        Self::new(Mark::Backtick, Self::MIN)
    }
}

impl fmt::Display for Fence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.length).try_for_each(|_| f.write_char(self.mark.as_char()))
    }
}
