//! Editing by hand: the messages as TOML in an editor, until the text can be read.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use anyhow::{Context as _, Result, bail};
use convlog_codec::toml;
use convlog_message::Log;
use convlog_store::Session;

use super::draft::Draft;
use super::editor::Editor;
use crate::app::App;
use crate::excerpt::excerpt;
use crate::messages_file::text;

/// Gives the edited messages, and the draft, which is to be removed once they are stored. The draft of an edit
/// that fails stays, and the error names it.
pub(super) fn edit(app: &App, session: &Session, editor: &Editor) -> Result<(Log, Option<Draft>)> {
    let home = session.layout().home();
    for left in Draft::left_in(home) {
        let left = left.display();
        app.warn(format_args!("{left} is the text of an edit that was not finished; `--from` takes it, or remove it"));
    }
    let original = session.log();
    let before = toml::write_log(original);
    let draft = Draft::create(home, &before)?;
    let kept = || format!("nothing was changed, and the text is kept in {}", draft.path().display());
    loop {
        if let Err(error) = editor.open(draft.path()) {
            if draft.read().is_ok_and(|bytes| bytes == before.as_bytes()) {
                draft.remove()?;
                return Err(error.context("nothing was changed"));
            }
            return Err(error.context(kept()));
        }
        let bytes = draft.read().with_context(kept)?;
        if bytes == before.as_bytes() {
            return Ok((original.clone(), Some(draft)));
        }
        let mistake = match read(session, &draft, &bytes) {
            Ok(log) => return Ok((log, Some(draft))),
            Err(mistake) => mistake,
        };
        let hint = "correct it and give it to `convlog edit --from`";
        if !is_at_a_terminal() {
            bail!("{mistake}\n{}; {hint}", kept());
        }
        anstream::eprintln!("{mistake}");
        if !wants_to_go_on()? {
            bail!("{}; {hint}", kept());
        }
    }
}

/// The messages of a draft, or its first mistake with the line it stands on.
fn read(session: &Session, draft: &Draft, bytes: &[u8]) -> Result<Log, String> {
    let path = draft.path();
    let text = text(path, bytes).map_err(|error| error.to_string())?;
    toml::read_edited(session.log(), text, &session.now())
        .map_err(|error| format!("{}, {error}\n{}", path.display(), excerpt(text, error.line, error.column)))
}

/// Whether there is a person to ask.
fn is_at_a_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks whether to edit again. The end of the input is a no.
fn wants_to_go_on() -> Result<bool> {
    anstream::eprint!("Edit again? [Y/n] ");
    std::io::stderr().flush()?;
    let mut answer = String::new();
    let is_end = std::io::stdin().lock().read_line(&mut answer)? == 0;
    Ok(!is_end && !answer.trim_start().starts_with(['n', 'N', 'q', 'Q']))
}
