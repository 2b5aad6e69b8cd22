//! `convlog recover`: heals what a crash or another program left.

use anyhow::Result;
use convlog_store::{BranchName, RecoveryReport, Session};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::on_branch::OnBranch;

/// Heal what a crash or another program left; every verb that writes does so by itself
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  convlog recover ID --dry-run\n  convlog recover ID --from-events")]
pub(crate) struct Options {
    /// A conversation: its whole id, or a path
    #[arg(value_name = "ID")]
    id: String,

    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,

    /// Make the messages what the event log says, whatever the transcript holds; a backup branch keeps that
    #[arg(long, conflicts_with = "dry_run")]
    from_events: bool,

    #[command(flatten)]
    on: OnBranch,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let home = app.logs.home_of(&options.id)?;
    let (report, messages) = if options.dry_run {
        let conversation = convlog_store::Conversation::open(app.fs(), home)?;
        (conversation.recovery(&options.on.transcript())?, None)
    } else {
        let open = if options.from_events { Session::open_from_events } else { Session::open };
        let session = open(app.fs(), &home, options.on.session())?;
        app.interrupted(&home, session.interrupted(), session.interrupted_in());
        let done = (session.recovery().clone(), Some(session.log().len()));
        session.close()?;
        done
    };
    let would = if options.dry_run { "would be done: " } else { "" };
    app.answer(&object(&report, options.dry_run, messages), format_args!("{would}{report}"))?;
    Ok(Outcome::Done)
}

fn object(report: &RecoveryReport, dry_run: bool, messages: Option<usize>) -> serde_json::Value {
    let backups: Vec<_> = report.backups.iter().map(|(branch, _)| BranchName::as_str(branch)).collect();
    json!({
        "dry_run": dry_run,
        "put_back": report.put_back,
        "rebuilt": report.rebuilt,
        "backups": backups,
        "beyond": report.beyond,
        "quarantined": report.quarantined,
        "rewritten": report.rewritten,
        "checkpointed": report.checkpointed,
        "messages": messages,
    })
}
