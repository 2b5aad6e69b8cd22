//! What a note of the program says in short: [`Status`].

use convlog_message::{Message, Role};

use super::signature::without_signatures;

/// Whether a system message reports that something was done or that it failed, told by its first line.
///
/// ```
/// use convlog_message::{Message, Role, Timestamp};
/// use convlog_render::Status;
///
/// let system = |text: &str| Message::new(Role::System, text, Timestamp::now());
/// assert_eq!(Status::of(&system("Saved to a.md")), Some(Status::Done));
/// assert_eq!(Status::of(&system("Failed to run")), Some(Status::Failed));
/// assert_eq!(Status::of(&system("You are brief.")), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It begins with `saved` or `appended`, or `success` or `successfully` is among its first three words.
    Done,
    /// It begins with `error` or `failed`.
    Failed,
}

impl Status {
    /// The status that a message reports; only system messages report any.
    #[must_use]
    pub fn of(message: &Message) -> Option<Self> {
        if *message.role() != Role::System {
            return None;
        }
        let content = without_signatures(message.terminal_display_content().unwrap_or(message.content()));
        let line = content.split('\n').next().unwrap_or_default().to_lowercase();
        let begins = |words: [&str; 2]| words.iter().any(|word| line.starts_with(word));
        let success = line.split_whitespace().take(3).any(|word| matches!(word, "success" | "successfully"));
        if begins(["saved", "appended"]) || success {
            Some(Self::Done)
        } else {
            begins(["error", "failed"]).then_some(Self::Failed)
        }
    }

    /// How it is shown.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Done => "✅",
            Self::Failed => "❌",
        }
    }
}
