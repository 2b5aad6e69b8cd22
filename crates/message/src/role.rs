//! Who speaks: [`Role`].

use std::fmt;
use std::sync::Arc;

/// Who a message is from.
///
/// gptme knows three roles and does not check for others, so others occur in its files (`tool`, say)
/// and must survive: they are kept as [`Role::Other`], never turned into one of the three.
///
/// ```
/// use convlog_message::Role;
///
/// assert_eq!(Role::from("user"), Role::User);
/// assert_eq!(Role::from("tool").as_str(), "tool");
/// assert!(!Role::from("tool").is_known());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Instructions, tool results and notes of the program.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
    /// Any other role, spelled as it was found.
    Other(OtherRole),
}

/// The name of a role that is none of the three known ones; made by [`Role::from`] alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OtherRole(Arc<str>);

impl Role {
    /// The name as it stands in a file.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Other(name) => &name.0,
        }
    }

    /// Whether this is one of the three roles that gptme itself writes.
    #[must_use]
    pub const fn is_known(&self) -> bool {
        !matches!(self, Self::Other(_))
    }
}

impl From<&str> for Role {
    fn from(name: &str) -> Self {
        match name {
            "system" => Self::System,
            "user" => Self::User,
            "assistant" => Self::Assistant,
            other => Self::Other(OtherRole(other.into())),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
