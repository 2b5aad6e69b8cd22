//! [`State`]: all that a conversation holds, as plain lists.

use std::collections::BTreeMap;

/// All that a conversation holds, backups aside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Main on its own: the full history.
    pub main: Vec<String>,
    /// The views.
    pub views: BTreeMap<String, Vec<String>>,
    /// Which of them is active.
    pub active: Option<String>,
    /// The other branches.
    pub branches: BTreeMap<String, Vec<String>>,
    /// What `lossless.jsonl` holds, where there is one.
    pub lossless: Option<Vec<String>>,
    /// The bookmarks.
    pub marks: Vec<usize>,
    /// Main of each fork.
    pub forks: BTreeMap<String, Vec<String>>,
}

impl State {
    /// The log that a session on this branch acts on.
    pub(super) fn log(&mut self, on: Option<&str>) -> &mut Vec<String> {
        match (on, &self.active) {
            (Some(branch), _) => self.branches.get_mut(branch).unwrap(),
            (None, Some(view)) => self.views.get_mut(view).unwrap(),
            (None, None) => &mut self.main,
        }
    }

    pub(super) fn push(&mut self, on: Option<&str>, name: &str) {
        self.log(on).push(name.to_owned());
        if on.is_none() {
            if self.active.is_some() {
                self.main.push(name.to_owned());
            }
            self.lossless.iter_mut().for_each(|lossless| lossless.push(name.to_owned()));
        }
    }
}

/// Whether what a crash left is allowed. After a loss of power a line whose event was not durable may stand in one
/// transcript and not in another ("Not healed").
pub(super) fn is_allowed(found: &State, allowed: &[State], power_lost: bool) -> bool {
    let rest = |state: &State| {
        let views: Vec<_> = state.views.keys().cloned().collect();
        (views, state.active.clone(), state.branches.clone(), state.marks.clone(), state.forks.clone())
    };
    let in_some = |found: &Vec<String>, part: &dyn Fn(&State) -> Option<Vec<String>>| {
        allowed.iter().any(|state| part(state).as_ref() == Some(found))
    };
    let torn = || {
        allowed.iter().any(|state| rest(state) == rest(found))
            && in_some(&found.main, &|state| Some(state.main.clone()))
            && found.views.iter().all(|(name, log)| in_some(log, &|state| state.views.get(name).cloned()))
            && allowed.iter().any(|state| state.lossless == found.lossless)
    };
    allowed.contains(found) || (power_lost && torn())
}
