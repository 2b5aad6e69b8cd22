//! Names that become parts of a path: [`ConversationId`], [`BranchName`], [`ViewName`].

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;
use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

/// The longest name, in bytes: what file systems take.
const LONGEST: usize = 255;
/// The longest name of a new branch or view: the names of its backups and quarantines are longer.
const LONGEST_WITH_FILES: usize = 200;

/// A name was refused, before any file was touched.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what} {name:?} {fault}")]
pub struct NameError {
    /// What it was to name.
    pub what: &'static str,
    /// The name.
    pub name: String,
    /// What is wrong with it.
    pub fault: NameFault,
}

/// What is wrong with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NameFault {
    /// It has no character.
    #[error("is empty")]
    Empty,
    /// It is longer than 255 bytes.
    #[error("is longer than 255 bytes")]
    TooLong,
    /// It is a new one of a branch or a view, and longer than 200 bytes.
    #[error("is longer than 200 bytes, so that the files beside it could not be named")]
    NoRoom,
    /// It could lead out of its directory.
    #[error("is not a single path component; leave out `/`, `\\` and `..`")]
    NotOneComponent,
    /// It has a character that cannot be seen.
    #[error("has a character that cannot be printed")]
    Unprintable,
    /// It begins or ends with a blank.
    #[error("begins or ends with a blank")]
    OuterBlank,
    /// Other systems cannot have a file of that name.
    #[error("cannot be a file's name on every system; leave out `<>:\"|?*`, a final dot, and names like `con`")]
    NotPortable,
}

/// What is asked of every name, new or old.
fn check(name: &str) -> Result<(), NameFault> {
    if name.is_empty() {
        return Err(NameFault::Empty);
    }
    if name == "." || name.contains("..") || name.contains(['/', '\\']) {
        return Err(NameFault::NotOneComponent);
    }
    if name.starts_with(char::is_whitespace) || name.ends_with(char::is_whitespace) {
        return Err(NameFault::OuterBlank);
    }
    if !name.chars().all(is_printable) {
        return Err(NameFault::Unprintable);
    }
    if name.len() > LONGEST {
        return Err(NameFault::TooLong);
    }
    Ok(())
}

/// What Python's `str.isprintable` asks of a character.
fn is_printable(character: char) -> bool {
    use GeneralCategory as G;
    let hidden = matches!(
        character.general_category(),
        G::Control
            | G::Format
            | G::Surrogate
            | G::PrivateUse
            | G::Unassigned
            | G::LineSeparator
            | G::ParagraphSeparator
            | G::SpaceSeparator
    );
    character == ' ' || !hidden
}

/// What is asked of a new name besides.
fn check_new(name: &str, longest: usize) -> Result<(), NameFault> {
    check(name)?;
    if name.len() > longest {
        return Err(NameFault::NoRoom);
    }
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let is_device = matches!(&*stem, "con" | "prn" | "aux" | "nul")
        || ["com", "lpt"]
            .iter()
            .any(|port| stem.strip_prefix(port).is_some_and(|n| matches!(n.as_bytes(), [b'1'..=b'9'])));
    if is_device || name.ends_with('.') || name.contains(['<', '>', ':', '"', '|', '?', '*']) {
        return Err(NameFault::NotPortable);
    }
    Ok(())
}

/// A name of one kind: the same rules, types that are not mixed up.
macro_rules! name {
    ($name:ident, $what:literal, $longest:expr, $doc:literal, $example:literal) => {
        #[doc = $doc]
        ///
        /// One path component: not empty, at most 255 bytes, without `/`, `\`, `..`, what cannot be
        /// printed, or a blank at either end. [`FromStr`] takes what may exist; [`Self::for_new`] asks
        /// more of a name that is to be made.
        ///
        /// ```
        #[doc = concat!("use convlog_store::", stringify!($name), ";")]
        ///
        #[doc = concat!("let name: ", stringify!($name), " = \"", $example, "\".parse()?;")]
        #[doc = concat!("assert_eq!(name.as_str(), \"", $example, "\");")]
        #[doc = concat!("assert!(\"../outside\".parse::<", stringify!($name), ">().is_err());")]
        #[doc = concat!("assert!(", stringify!($name), "::for_new(\"nul.txt\").is_err());")]
        /// # Ok::<(), convlog_store::NameError>(())
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Arc<str>);

        impl $name {
            /// A name that is to be made: put into NFC, and refused where some system could not have a
            /// file of that name.
            ///
            /// # Errors
            ///
            /// When a rule is broken; the error says which.
            pub fn for_new(name: &str) -> Result<Self, NameError> {
                let composed: String = name.nfc().collect();
                match check_new(&composed, $longest) {
                    Ok(()) => Ok(Self(composed.into())),
                    Err(fault) => Err(NameError { what: $what, name: name.to_owned(), fault }),
                }
            }

            /// The name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = NameError;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                match check(name) {
                    Ok(()) => Ok(Self(name.into())),
                    Err(fault) => Err(NameError { what: $what, name: name.to_owned(), fault }),
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }
    };
}

name!(
    ConversationId,
    "conversation id",
    LONGEST,
    "The id of a conversation: the name of its directory.",
    "2026-01-02-a-first-talk"
);
name!(BranchName, "branch name", LONGEST_WITH_FILES, "The name of a branch other than main.", "dev");
name!(ViewName, "view name", LONGEST_WITH_FILES, "The name of a view.", "compacted-001");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_the_directory_or_cannot_be_seen_is_refused() {
        use NameFault as F;
        for (name, fault) in [
            ("", F::Empty),
            (".", F::NotOneComponent),
            ("..", F::NotOneComponent),
            ("../outside", F::NotOneComponent),
            ("/abs/dir", F::NotOneComponent),
            ("..\\..\\x", F::NotOneComponent),
            ("a/b", F::NotOneComponent),
            ("a..b", F::NotOneComponent),
            ("  ", F::OuterBlank),
            (" a", F::OuterBlank),
            ("a ", F::OuterBlank),
            ("a\u{3000}", F::OuterBlank),
            ("a\tb", F::Unprintable),
            ("a\u{200b}b", F::Unprintable),
            ("a\u{202e}b", F::Unprintable),
            ("a\u{2028}b", F::Unprintable),
            ("a\u{a0}b", F::Unprintable),
            ("a\0b", F::Unprintable),
            (&"x".repeat(256), F::TooLong),
        ] {
            assert_eq!(name.parse::<ConversationId>().unwrap_err().fault, fault, "{name:?}");
            assert!(BranchName::for_new(name).is_err() && ViewName::for_new(name).is_err());
        }
    }

    #[test]
    fn what_some_system_cannot_have_is_refused_for_new_names_only() {
        for name in ["con", "NUL.txt", "com1", "a.", "C:x", "what?", "a|b"] {
            assert!(name.parse::<ConversationId>().is_ok(), "{name}");
            assert_eq!(ConversationId::for_new(name).unwrap_err().fault, NameFault::NotPortable, "{name}");
        }
        for name in ["console", "com10", "a.b", "tmpl-notes", "日本語", "a b"] {
            assert!(ConversationId::for_new(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn new_names_are_composed() {
        assert_eq!(ConversationId::for_new("cafe\u{301}").unwrap().as_str(), "caf\u{e9}");
        assert_eq!("cafe\u{301}".parse::<ConversationId>().unwrap().as_str(), "cafe\u{301}");
    }
}
