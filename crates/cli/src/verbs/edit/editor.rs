//! The editor that a person has chosen.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, bail};
use signal_hook::consts::{SIGINT, SIGQUIT};

/// A program and its first arguments.
#[derive(Debug)]
pub(super) struct Editor {
    /// As the person wrote it.
    text: String,
    words: Vec<String>,
    interrupts: Interrupts,
}

impl Editor {
    /// `$VISUAL`, or else `$EDITOR`; quotes hold words together as in a shell.
    pub(super) fn from_environment() -> Result<Self> {
        let set = |name| std::env::var(name).ok().filter(|text| !text.trim().is_empty());
        let Some(text) = set("VISUAL").or_else(|| set("EDITOR")) else {
            bail!("no editor; set $VISUAL or $EDITOR, or name a file of messages with `--from`");
        };
        match shlex::split(&text) {
            Some(words) if !words.is_empty() => {
                let interrupts = Interrupts::watch().context("cannot watch signals")?;
                Ok(Self { text, words, interrupts })
            }
            _ => bail!("the editor `{text}` has a quote that is not closed; correct $VISUAL or $EDITOR"),
        }
    }

    /// Opens a file and waits until the editor is left. What the keyboard interrupts meanwhile is the editor.
    pub(super) fn open(&self, path: &Path) -> Result<()> {
        let (program, arguments) = self.words.split_first().context("no editor")?;
        let mut command = Command::new(program);
        command.args(arguments).arg(path);
        let status = self.interrupts.left_to_the_editor(|| command.status()).with_context(|| {
            format!("cannot start the editor `{}`; set $VISUAL or $EDITOR to one that is there", self.text)
        })?;
        if !status.success() {
            bail!("the editor `{}` failed: {status}", self.text);
        }
        Ok(())
    }
}

/// Ctrl-C and Ctrl-\ as they are, but for the time in which the editor is open: then they are the editor's, and
/// the program around it, which holds the lock and the text, stays. A program that is started has them as usual.
#[derive(Debug)]
struct Interrupts(Arc<AtomicBool>);

impl Interrupts {
    fn watch() -> std::io::Result<Self> {
        let ends = Arc::new(AtomicBool::new(true));
        for signal in [SIGINT, SIGQUIT] {
            let code = signal.saturating_add(128);
            signal_hook::flag::register_conditional_shutdown(signal, code, Arc::clone(&ends))?;
        }
        Ok(Self(ends))
    }

    fn left_to_the_editor<T>(&self, run: impl FnOnce() -> T) -> T {
        self.0.store(false, Ordering::SeqCst);
        let result = run();
        self.0.store(true, Ordering::SeqCst);
        result
    }
}
