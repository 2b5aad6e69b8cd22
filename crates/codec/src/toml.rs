//! Messages as TOML, for editing by hand: [`write_log`] and [`read_log`], exact both ways.
//!
//! A log is a row of `[[messages]]` blocks, a single message one `[message]`: the role, the content as a
//! multi-line string, and below it, one short line each, what else is set. Reading gives back every stored
//! field of every message ([`Message::is_stored_alike`](convlog_message::Message::is_stored_alike)), and
//! gptme's `toml_to_msgs` reads the same text to the same content.
//!
//! ```
//! use convlog_codec::toml;
//! use convlog_message::{Log, Message, Role};
//!
//! let log: Log = [Message::new(Role::User, "in C:\\new", "2026-01-02T03:04:05".parse()?).with_pinned(true)].into_iter().collect();
//! let text = toml::write_log(&log);
//! assert_eq!(text, r#"[[messages]]
//! role = "user"
//! content = """
//! in C:\\new
//! """
//! timestamp = "2026-01-02T03:04:05"
//! pinned = true
//! "#);
//! let edited = text.replace("pinned = true\n", "");
//! let back = toml::read_edited(&log, &edited, &"2026-01-03".parse()?)?;
//! assert_eq!(back.first().map(|m| (m.content(), m.pinned())), Some(("in C:\\new", false)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The form
//!
//! - The content is followed by one newline before its closing quotes; reading takes exactly one away.
//!   Backslashes, each third quote in a row, and characters that an editor hides or changes (control
//!   characters, carriage returns, a byte order mark, U+2028 and its kind) are escaped. Line ends in the
//!   file may be CRLF: they are read as LF.
//! - Keys that convlog does not know, as they stand in a line of JSON, are members of `extra`. gptme passes
//!   that key over, and `exact_timestamp` and `stand_in_timestamp` too.
//! - A time that gptme cannot read (a leap second, an offset with seconds) stands in `timestamp` in a form
//!   that it can, and as it is in `exact_timestamp`, which counts for as long as the other is not changed.
//! - A time that is not recorded is a stand-in: `timestamp` has it, since gptme requires one, and
//!   `stand_in_timestamp` repeats it. It stays unrecorded unless one of the two is changed.
//! - Numbers keep their digits (`1.50`). `NaN` and the infinities are TOML's `nan`, `inf` and `-inf`.
//! - What TOML 1.0 cannot say is JSON in a string: `{ convlog-json = "null" }`, wherever in metadata or extra
//!   it stands. That is `null`, integers beyond 64 bits, floats beyond the range of a double, what is nested
//!   more than 16 deep, and an object whose one key is `convlog-json`. gptme reads a table there.
//!
//! # What is read besides
//!
//! What gptme writes, with `True`, `False` and `None` as values and integers of any length (which it cannot
//! read back); literal strings, keys in any order, comments, TOML's own dates and times, `[messages.metadata]`
//! as a table of its own, one file as a string. An unknown key in a block is an error, most likely a slip of
//! the hand. A text without messages is an error too, not an empty log.

mod edit;
mod error;
mod fields;
mod mend;
mod read;
mod text;
mod time;
mod value;
mod write;

pub use edit::read_edited;
pub use error::{ReadError, TomlProblem};
pub use read::{read_log, read_message};
pub use write::{write_log, write_message};
