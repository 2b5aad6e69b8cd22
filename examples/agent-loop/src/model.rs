//! Stands in for a model: works through five steps, one tool call each, and thinks a little at each word.

use std::time::Duration;

use convlog_message::{Log, Role};

const STEPS: usize = 5;
const THINKS: Duration = Duration::from_millis(4);

/// The answer to what was said so far, piece by piece.
pub(crate) fn answer(log: &Log) -> impl Iterator<Item = String> + use<> {
    let step = log.iter().filter(|message| message.role() == &Role::Assistant).count();
    let text = if step < STEPS {
        format!("Now I take step {step} of the task that I was given.\n@step(call-{step}): {{\"number\": {step}}}")
    } else {
        "All the steps are done, and so is the task.".to_owned()
    };
    let pieces: Vec<String> = text.split_inclusive(' ').map(str::to_owned).collect();
    pieces.into_iter().inspect(|_| std::thread::sleep(THINKS))
}
