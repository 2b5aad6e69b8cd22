//! convlog's own steps, each with what it must lead to.

use std::path::Path;

use convlog_fs::Durability;
use convlog_store::{BranchName, ViewName};

use super::{ATTACHED, Step, Whole};
use crate::disk::{LOGS, contents, describe, say};
use crate::foreign;

impl Whole {
    pub(super) fn own(&mut self, step: Step) -> Result<(), String> {
        self.opened()?;
        let (mut state, on) = (self.last().clone(), self.on.clone());
        let on = on.as_deref();
        let name = self.name('c');
        let newest_view = state.views.keys().next_back().cloned();
        let newest_branch = state.branches.keys().next_back().cloned();
        let session = self.session.as_mut().unwrap();
        let tell = |error: &dyn std::error::Error| format!("{step:?}: {}", describe(error));
        let mut synced = true;
        match step {
            Step::Append | Step::AppendSynced | Step::Attach => {
                state.push(on, &name);
                self.states.push(state);
                synced = step == Step::AppendSynced;
                let level = if synced { Durability::Synced } else { Durability::Written };
                let files = if step == Step::Attach { vec![ATTACHED] } else { Vec::new() };
                let appended = session.append_at(say(&name).with_files(files), level).map_err(|e| tell(&e))?;
                assert!(appended.uncaptured.is_empty() || self.disk.faults_hit() > 0, "{:?}", appended.uncaptured);
            }
            Step::Undo if !state.log(on).is_empty() => {
                state.log(on).pop();
                self.states.push(state);
                session.undo(1).map_err(|e| tell(&e))?;
            }
            Step::SlashUndo => {
                let log = state.log(on).clone();
                state.push(on, "/undo");
                self.states.push(state.clone());
                session.append(say("/undo")).map_err(|e| tell(&e))?;
                // The command goes, and one before it: on a view from the view alone.
                let kept = log.len().saturating_sub(1);
                state.log(on).truncate(kept);
                self.states.push(state);
                session.undo(1).map_err(|e| tell(&e))?;
            }
            Step::Edit => {
                let log = state.log(on);
                log.pop();
                log.push(name);
                let new = foreign::log(log);
                self.states.push(state);
                session.edit(new).map_err(|e| tell(&e))?;
            }
            Step::ViewCreate if on.is_none() => {
                let view = session.next_view_name().map_err(|e| tell(&e))?;
                let summary = vec![format!("sum of {}", state.main.len())];
                state.views.insert(view.as_str().to_owned(), summary.clone());
                self.states.push(state);
                session.create_view(&view, &foreign::log(&summary)).map_err(|e| tell(&e))?;
            }
            Step::ViewSwitch if on.is_none() && newest_view.is_some() && newest_view != state.active => {
                let view: ViewName = newest_view.clone().unwrap().parse().unwrap();
                state.active = newest_view;
                self.states.push(state);
                session.switch_view(&view).map_err(|e| tell(&e))?;
            }
            Step::ViewLeave if on.is_none() && state.active.is_some() => {
                state.active = None;
                self.states.push(state);
                session.leave_view().map_err(|e| tell(&e))?;
            }
            Step::ViewDelete if on.is_none() && newest_view.is_some() && newest_view != state.active => {
                let view = newest_view.unwrap();
                state.views.remove(&view);
                self.states.push(state);
                session.delete_view(&view.parse().unwrap()).map_err(|e| tell(&e))?;
            }
            Step::BranchCreate => {
                let log = state.log(on).clone();
                state.branches.insert(name.clone(), log);
                self.states.push(state);
                session.create_branch(&name.parse().unwrap(), None).map_err(|e| tell(&e))?;
            }
            Step::BranchSwitch if newest_branch.is_some() || on.is_some() => {
                let to = if on.is_some() { None } else { newest_branch };
                let branch: Option<BranchName> = to.as_ref().map(|branch| branch.parse().unwrap());
                session.switch_branch(branch.as_ref()).map_err(|e| tell(&e))?;
                self.on = to;
            }
            Step::BranchDelete if newest_branch.is_some() && newest_branch.as_deref() != on => {
                let branch = newest_branch.unwrap();
                state.branches.remove(&branch);
                self.states.push(state);
                session.delete_branch(&branch.parse().unwrap()).map_err(|e| tell(&e))?;
            }
            Step::Restore if newest_branch.is_some() && on.is_none() => {
                let branch = newest_branch.unwrap();
                state.main = state.branches[&branch].clone();
                self.states.push(state);
                session.restore(&branch.parse().unwrap()).map_err(|e| tell(&e))?;
            }
            Step::Preserve if on.is_none() && state.lossless.is_none() => {
                state.lossless = Some(state.main.clone());
                self.states.push(state);
                session.preserve_lossless().map_err(|e| tell(&e))?;
            }
            Step::Mark => {
                let count = state.log(on).len();
                state.marks.push(count);
                self.states.push(state);
                session.mark(Some("here")).map_err(|e| tell(&e))?;
            }
            Step::Compact => {
                let _ = session.compact().map_err(|e| tell(&e))?;
            }
            Step::Fork => {
                // Forking makes the copy durable, and says nothing of the original.
                session.sync().map_err(|e| tell(&e))?;
                self.synced = self.states.len() - 1;
                state.forks.insert(name.clone(), state.main.clone());
                self.states.push(state);
                let _ = session.fork(Path::new(LOGS).join(&name), None).map_err(|e| tell(&e))?;
            }
            _ => synced = false,
        }
        self.written = self.states.len() - 1;
        if synced {
            self.settle();
        }
        let mut state = self.last().clone();
        let expected = state.log(self.on.as_deref());
        let found = contents(self.session.as_ref().unwrap().log());
        if found == *expected { Ok(()) } else { Err(format!("{step:?} led to {found:?}, not {expected:?}")) }
    }
}
