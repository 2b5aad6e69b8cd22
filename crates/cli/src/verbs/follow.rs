//! `convlog follow`: prints messages as another program appends them.

use std::io::Write as _;
use std::time::Duration;

use anyhow::Result;
use convlog_codec::Report;
use convlog_query::Follower;
use convlog_store::{BranchName, Transcript};

use super::show::print::{self, Place, Selected};
use crate::app::{App, Outcome};
use crate::args::Format;

/// How long until one looks again.
const PAUSE: Duration = Duration::from_millis(100);

/// Print messages as another program appends them, until interrupted
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  convlog follow ID\n  convlog --json follow ID | jq -r .content")]
pub(crate) struct Options {
    /// A conversation: its id, the beginning of it, or a path
    #[arg(value_name = "ID")]
    id: String,

    /// Follow a branch
    #[arg(long, value_name = "BRANCH")]
    branch: Option<BranchName>,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let branch = options.branch.clone().filter(|branch| branch.as_str() != "main");
    let which = branch.map_or(Transcript::Main, Transcript::Branch);
    let conversation = app.logs.find(&options.id)?;
    let path = conversation.layout().transcript(&which);
    let mut follower = Follower::new(conversation, which)?;
    let mut out = anstream::AutoStream::auto(std::io::stdout()).lock();
    let text = print::text(app.zone, true);
    loop {
        let followed = follower.poll()?;
        if followed.is_rewritten {
            app.warn(format_args!("{} was written anew", path.display()));
        }
        let mut report = Report::default();
        followed.findings.into_iter().for_each(|finding| report.push(finding));
        app.report(&path, &report);
        for (index, message) in followed.messages {
            let selected = Selected { place: Place::Index(index), message };
            match app.format {
                Format::Quiet => {}
                Format::Json => print::json(&mut out, selected)?,
                Format::Text => print::message(&mut out, &text, &selected)?,
            }
        }
        out.flush()?;
        std::thread::sleep(PAUSE);
    }
}
