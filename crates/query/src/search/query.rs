//! What is looked for: [`Query`].

use std::ops::Range;

use memchr::memmem::Finder;
use regex::RegexBuilder;
use thiserror::Error;

use super::candidates::{Candidates, candidates};
use super::fold::{Case, Folded, fold};

/// What is looked for in the text of messages.
#[derive(Debug)]
pub struct Query {
    case: Case,
    pattern: Pattern,
    /// Matches the bytes of every line that can hold it; `None`: any line can.
    candidates: Option<Candidates>,
}

#[derive(Debug)]
enum Pattern {
    Literal(Box<Finder<'static>>),
    Regex(regex::Regex),
}

/// There is nothing to look for.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The query has no character but blanks.
    #[error("there is nothing to search for; name a word, or use a regular expression for blanks")]
    Empty,
    /// The regular expression is none.
    #[error("that is no regular expression: {source}")]
    Regex {
        /// What is wrong, and where.
        source: Box<regex::Error>,
    },
}

impl Query {
    /// A text as it stands. Composed and decomposed letters are the same; so are the cases, where asked for.
    ///
    /// # Errors
    ///
    /// When there is nothing but blanks.
    pub fn literal(text: &str, case: Case) -> Result<Self, QueryError> {
        if text.trim().is_empty() {
            return Err(QueryError::Empty);
        }
        let folded = fold(text, case);
        let candidates = candidates(&folded, case);
        Ok(Self { case, pattern: Pattern::Literal(Box::new(Finder::new(&folded).into_owned())), candidates })
    }

    /// A regular expression, in the syntax of the crate `regex`; `^` and `$` are the ends of lines. Letters
    /// are what they are, composed or not.
    ///
    /// # Errors
    ///
    /// When it is empty or none.
    pub fn regex(text: &str, case: Case) -> Result<Self, QueryError> {
        if text.is_empty() {
            return Err(QueryError::Empty);
        }
        let regex = RegexBuilder::new(text).case_insensitive(case == Case::Fold).multi_line(true).build();
        let regex = regex.map_err(|source| QueryError::Regex { source: Box::new(source) })?;
        Ok(Self { case, pattern: Pattern::Regex(regex), candidates: None })
    }

    /// Where in a text it is found; empty matches do not count.
    #[must_use]
    pub fn find(&self, text: &str) -> Vec<Range<usize>> {
        match &self.pattern {
            Pattern::Regex(regex) => {
                regex.find_iter(text).map(|found| found.range()).filter(|range| !range.is_empty()).collect()
            }
            Pattern::Literal(finder) => {
                let folded = Folded::new(text, self.case);
                let length = finder.needle().len();
                let starts = finder.find_iter(folded.text.as_bytes());
                starts.map(|start| folded.source(&(start..start.saturating_add(length)))).collect()
            }
        }
    }

    /// Whether some bytes of a transcript, whole lines, can hold it.
    pub(super) fn may_be_in(&self, lines: &[u8]) -> bool {
        self.candidates.as_ref().is_none_or(|candidates| candidates.may_be_in(lines))
    }

    /// Whether bytes tell anything.
    pub(super) fn has_candidates(&self) -> bool {
        self.candidates.is_some()
    }
}
