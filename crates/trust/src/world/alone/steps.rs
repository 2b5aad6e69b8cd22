//! convlog's own steps, tried once more after a conflict.

use convlog_fs::Durability;

use super::{Alone, Step};
use crate::disk::{check_agreement, contents, describe, say};
use crate::foreign;

impl Alone {
    /// A step of convlog; after a conflict the conversation is opened again, and the step tried once more.
    pub(super) fn own(&mut self, step: Step) -> Result<(), String> {
        let names = [self.name('c'), self.name('c')];
        for attempt in 0..2 {
            self.opened()?;
            if step == Step::Undo && self.session.as_ref().is_some_and(|session| session.log().is_empty()) {
                return Ok(());
            }
            let before = self.states.len();
            match self.try_own(step, &names) {
                Ok(durability) => {
                    self.written = self.states.len() - 1;
                    if durability == Durability::Synced {
                        self.settle();
                    }
                    let session = self.session.as_ref().unwrap();
                    if contents(session.log()) != *self.last() {
                        return Err(format!("{step:?} led to {:?}, not {:?}", session.log(), self.last()));
                    }
                    return check_agreement(&self.disk, session);
                }
                Err(error) if attempt == 0 && error.contains("by another program") => {
                    self.states.truncate(before);
                    drop(self.session.take());
                }
                Err(error) => return Err(format!("{step:?}: {error}")),
            }
        }
        Ok(())
    }

    fn try_own(&mut self, step: Step, names: &[String; 2]) -> Result<Durability, String> {
        let session = self.session.as_mut().unwrap();
        let mut state = self.states.last().unwrap().clone();
        match step {
            Step::Append | Step::AppendSynced => {
                let level = if step == Step::Append { Durability::Written } else { Durability::Synced };
                state.push(names[0].clone());
                self.states.push(state);
                session.append_at(say(&names[0]), level).map(|_| level).map_err(|e| describe(&e))
            }
            Step::Batch => {
                for name in names {
                    state.push(name.clone());
                    self.states.push(state.clone());
                }
                let batch: Vec<_> = names.iter().map(|name| say(name)).collect();
                session.append_batch(&batch, Durability::Written).map_err(|e| describe(&e))?;
                Ok(Durability::Written)
            }
            Step::Undo => {
                state.pop();
                self.states.push(state);
                session.undo(1).map_err(|e| describe(&e))?;
                Ok(Durability::Synced)
            }
            _ => {
                state.pop();
                state.push(format!("e{}", &names[0]));
                self.states.push(state.clone());
                session.edit(foreign::log(&state)).map_err(|e| describe(&e))?;
                Ok(Durability::Synced)
            }
        }
    }
}
