//! The editor that a person has chosen.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result, bail};
use signal_hook::consts::{SIGINT, SIGQUIT};

/// A program and its first arguments.
#[derive(Debug)]
pub(super) struct Editor {
    /// As the person wrote it.
    text: String,
    words: Vec<String>,
}

impl Editor {
    /// `$VISUAL`, or else `$EDITOR`; quotes hold words together as in a shell.
    pub(super) fn from_environment() -> Result<Self> {
        let set = |name| std::env::var(name).ok().filter(|text| !text.trim().is_empty());
        let Some(text) = set("VISUAL").or_else(|| set("EDITOR")) else {
            bail!("no editor; set $VISUAL or $EDITOR, or name a file of messages with `--from`");
        };
        match shlex::split(&text) {
            Some(words) if !words.is_empty() => Ok(Self { text, words }),
            _ => bail!("the editor `{text}` has a quote that is not closed; correct $VISUAL or $EDITOR"),
        }
    }

    /// Opens a file and waits until the editor is left. What the keyboard interrupts meanwhile is the editor.
    pub(super) fn open(&self, path: &Path) -> Result<()> {
        let (program, arguments) = self.words.split_first().context("no editor")?;
        let _interrupts = Ignored::begin().context("cannot handle signals")?;
        let status = Command::new(program).args(arguments).arg(path).status().with_context(|| {
            format!("cannot start the editor `{}`; set $VISUAL or $EDITOR to one that is there", self.text)
        })?;
        if !status.success() {
            bail!("the editor `{}` failed: {status}", self.text);
        }
        Ok(())
    }
}

/// Ctrl-C and Ctrl-\ end the editor if it wishes, never the program around it, which holds the lock and the text.
/// A program that is started meanwhile has them as usual.
#[derive(Debug)]
struct Ignored([signal_hook::SigId; 2]);

impl Ignored {
    fn begin() -> std::io::Result<Self> {
        let ignore = |signal| signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)));
        Ok(Self([ignore(SIGINT)?, ignore(SIGQUIT)?]))
    }
}

impl Drop for Ignored {
    fn drop(&mut self) {
        for id in self.0 {
            signal_hook::low_level::unregister(id);
        }
    }
}
