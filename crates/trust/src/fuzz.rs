//! Fuzzing on the stable toolchain: targets that take any bytes, a corpus under `fuzz/`, and a mutator with a seed.

pub mod corpus;
pub mod mutate;
pub mod targets;

use std::fmt;

/// What is fuzzed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The reader of transcripts.
    Transcript,
    /// The reader of event logs.
    Events,
    /// The reader of TOML.
    Toml,
    /// Fenced code blocks, whole and as a stream.
    Codeblocks,
    /// Opening a directory whose files are not as convlog left them.
    Directory,
}

impl Target {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Transcript, Self::Events, Self::Toml, Self::Codeblocks, Self::Directory];

    /// Runs the target on one input.
    ///
    /// # Errors
    ///
    /// With what does not hold. A panic is left to the caller to catch.
    pub fn run(self, input: &[u8]) -> Result<(), String> {
        match self {
            Self::Transcript => targets::transcript(input),
            Self::Events => targets::events(input),
            Self::Toml => targets::toml(input),
            Self::Codeblocks => targets::codeblocks(input),
            Self::Directory => targets::directory(input),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Transcript => "transcript",
            Self::Events => "events",
            Self::Toml => "toml",
            Self::Codeblocks => "codeblocks",
            Self::Directory => "directory",
        })
    }
}
