//! gptme and convlog take turns on branches, views, attachments and bookmarks, at random; after each step both read
//! the same everywhere, and no attachment's hash is changed by gptme.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use convlog_fs::RealFs;
use convlog_message::Log;
use convlog_store::{BranchName, Conversation, Rewind, Session, SessionOptions, Transcript, ViewName, verify};
use convlog_trust::gptme::{self, Gptme, World, message, plain};
use convlog_trust::random::Random;
use serde_json::{Value, json};

const STEPS: usize = 300;
/// Files that are attached: in the place itself, through a link, with two suffixes, with one in capitals, with none.
const FILES: [&str; 5] = ["link/n.txt", "n.txt", "a.tar.gz", "SCAN.PDF", "Makefile"];

#[test]
fn turns_beside_main_with_seed_1() {
    take_turns(1);
}

#[test]
fn turns_beside_main_with_seed_2() {
    take_turns(2);
}

#[test]
fn turns_beside_main_with_seed_3() {
    take_turns(3);
}

#[test]
#[ignore = "takes minutes"]
fn turns_beside_main_with_more_seeds() {
    (4..=24).for_each(take_turns);
}

fn take_turns(seed: u64) {
    let world = World::in_memory();
    let Some(gptme) = world.gptme() else { return };
    let work = world.root().join("work");
    std::fs::create_dir_all(work.join("real")).unwrap();
    std::os::unix::fs::symlink(work.join("real"), work.join("link")).unwrap();
    let mut turns = Turns::new(&world, gptme, work, seed);
    while turns.step < STEPS {
        if turns.random.below(2) == 0 {
            turns.gptmes_turn();
        } else {
            turns.convlogs_turn();
        }
    }
    assert!(turns.seen.values().all(|count| *count > 1) && turns.seen.len() == 22, "{:?}", turns.seen);
}

/// What the conversation must hold, backups aside.
#[derive(Clone, Debug, Default, PartialEq)]
struct State {
    main: Vec<Value>,
    branches: BTreeMap<String, Vec<Value>>,
    views: BTreeMap<String, Vec<Value>>,
    active: Option<String>,
    lossless: Option<Vec<Value>>,
    marks: Vec<Value>,
}

impl State {
    fn log(&mut self, on: Option<&String>) -> &mut Vec<Value> {
        match (on, &self.active) {
            (Some(branch), _) => self.branches.get_mut(branch).unwrap(),
            (None, Some(view)) => self.views.get_mut(view).unwrap(),
            (None, None) => &mut self.main,
        }
    }

    fn push(&mut self, on: Option<&String>, value: &Value) {
        self.log(on).push(value.clone());
        if on.is_none() {
            if self.active.is_some() {
                self.main.push(value.clone());
            }
            self.lossless.iter_mut().for_each(|lossless| lossless.push(value.clone()));
        }
    }
}

struct Turns {
    gptme: Gptme,
    home: PathBuf,
    work: PathBuf,
    random: Random,
    state: State,
    /// The branch that whoever has the turn is on.
    on: Option<String>,
    step: usize,
    made: usize,
    seed: u64,
    last: String,
    /// How often each thing was done.
    seen: BTreeMap<String, usize>,
}

impl Turns {
    fn new(world: &World, gptme: Gptme, work: PathBuf, seed: u64) -> Self {
        let home = world.talk(&format!("2026-01-02-beside-{seed}"));
        let first = gptme::say("user", "first");
        let session = Session::create(Arc::new(RealFs), &home, SessionOptions::default(), [message(&first)]);
        session.unwrap().close().unwrap();
        let state = State { main: vec![first], ..State::default() };
        let (random, seen) = (Random(seed), BTreeMap::new());
        Self { gptme, home, work, random, state, on: None, step: 0, made: 0, seed, last: String::new(), seen }
    }

    fn at(&self) -> String {
        format!("seed {}, step {}, {}", self.seed, self.step, self.last)
    }

    fn did(&mut self, what: &str) {
        self.step += 1;
        self.last = what.to_owned();
        *self.seen.entry(what.to_owned()).or_default() += 1;
    }

    fn message(&mut self) -> Value {
        self.made += 1;
        let role = ["user", "assistant", "system"][self.random.below(3)];
        let time = format!("2026-01-02T{:02}:{:02}:05", self.made / 60 % 24, self.made % 60);
        json!({"role": role, "content": format!("ä {} \u{1f600}", self.made), "timestamp": time})
    }

    /// A message with a file that may have changed since it was attached last.
    fn with_file(&mut self, files: &[&str]) -> Value {
        let mut value = self.message();
        let path = self.work.join(files[self.random.below(files.len())]);
        std::fs::write(&path, format!("content {}", self.random.below(4))).unwrap();
        value["files"] = json!([path]);
        value
    }

    /// Another list: one message changed, removed, or put in.
    fn edited(&mut self) -> Vec<Value> {
        let on = self.on.clone();
        let mut list = self.state.log(on.as_ref()).clone();
        let at = self.random.below(list.len() + 1);
        match self.random.below(3) {
            _ if list.len() > 20 => drop(list.drain(at / 2..at)),
            0 if at < list.len() => list[at]["content"] = json!(format!("changed at step {}", self.step)),
            1 if at < list.len() => drop(list.remove(at)),
            _ => list.insert(at, self.message()),
        }
        list
    }

    fn some_branch(&mut self) -> Option<String> {
        let at = self.random.below(self.state.branches.len().max(1));
        self.state.branches.keys().nth(at).cloned()
    }

    fn some_view(&mut self) -> Option<String> {
        let at = self.random.below(self.state.views.len().max(1));
        self.state.views.keys().nth(at).cloned()
    }

    fn gptmes_turn(&mut self) {
        self.on = if self.random.below(4) == 0 { self.some_branch() } else { None };
        let branch = self.on.clone().unwrap_or_else(|| "main".to_owned());
        self.gptme.ask(&json!({"do": "load", "dir": self.home, "branch": branch}));
        for _ in 0..=self.random.below(4) {
            self.gptmes_step();
            self.check(false);
        }
        self.gptme.release();
        self.on = None;
        // convlog takes it in.
        Session::open(Arc::new(RealFs), &self.home, SessionOptions::default()).unwrap().close().unwrap();
        self.check(true);
    }

    fn gptmes_step(&mut self) {
        let on = self.on.clone();
        let on = on.as_ref();
        match self.random.below(12) {
            0 => {
                self.did("gptme edits");
                let list = self.edited();
                self.gptme.edit(&list);
                *self.state.log(on) = list;
            }
            1 | 2 => {
                self.did("gptme undoes");
                let count = self.random.below(3);
                self.gptme.undo(count);
                let log = self.state.log(on);
                log.truncate(log.len().saturating_sub(count));
            }
            3 if on.is_none() => {
                self.did("gptme makes a view");
                let summary = vec![self.message()];
                let name = self.gptme.ask(&json!({"do": "create_view", "messages": summary}));
                let name = name.as_str().unwrap().to_owned();
                self.gptme.ask(&json!({"do": "switch_view", "name": name}));
                self.state.views.insert(name.clone(), summary);
                self.state.active = Some(name);
            }
            4 if on.is_none() && self.state.active.is_some() => {
                self.did("gptme leaves the view");
                self.gptme.ask(&json!({"do": "leave_view"}));
                self.state.active = None;
            }
            5 if on.is_none() && !self.state.views.is_empty() => {
                self.did("gptme goes to a view");
                let view = self.some_view().unwrap();
                self.gptme.ask(&json!({"do": "switch_view", "name": view}));
                self.state.active = Some(view);
            }
            6 if self.state.branches.len() < 6 && (on.is_some() || self.state.active.is_none()) => {
                self.did("gptme makes a branch");
                self.made += 1;
                let name = format!("g{}", self.made);
                self.gptme.ask(&json!({"do": "branch", "name": name}));
                let log = self.state.log(on).clone();
                self.state.branches.insert(name.clone(), log);
                self.on = Some(name);
            }
            7 => {
                self.did("gptme sets a bookmark");
                let count = self.state.log(on).len();
                self.gptme.ask(&json!({"do": "mark", "label": "g"}));
                self.state.marks.push(json!([count, "g"]));
            }
            8 | 9 => {
                self.did("gptme attaches");
                // Through a link gptme writes the hash under one path and the file under another.
                let value = self.with_file(&FILES[1..]);
                self.gptmes_append(&value);
            }
            _ => {
                self.did("gptme appends");
                let value = self.message();
                self.gptmes_append(&value);
            }
        }
    }

    fn gptmes_append(&mut self, value: &Value) {
        self.gptme.append(value);
        let log = self.gptme.ask(&json!({"do": "log"}));
        let value = log.as_array().unwrap().last().unwrap().clone();
        self.state.push(self.on.clone().as_ref(), &value);
    }

    fn convlogs_turn(&mut self) {
        let mut options = SessionOptions::default();
        self.on = if self.random.below(4) == 0 { self.some_branch() } else { None };
        if let Some(branch) = &self.on {
            options = options.on_branch(branch.parse().unwrap());
        }
        let mut session = Session::open(Arc::new(RealFs), &self.home, options).unwrap();
        for _ in 0..=self.random.below(5) {
            self.convlogs_step(&mut session);
            let (on, at) = (self.on.clone(), self.at());
            assert_eq!(plain(session.log()), *self.state.log(on.as_ref()), "{at}");
            self.check(true);
        }
        if self.random.below(2) == 0 {
            session.close().unwrap();
        }
        self.on = None;
    }

    fn convlogs_step(&mut self, session: &mut Session) {
        let on = self.on.clone();
        let on = on.as_ref();
        match self.random.below(17) {
            0 => {
                self.did("convlog edits");
                let list = self.edited();
                let known = plain(session.log());
                let old = |value: &Value| known.iter().position(|known| known == value);
                let find = |value: &Value| old(value).and_then(|at| session.log().get(at)).cloned();
                let log: Log = list.iter().map(|value| find(value).unwrap_or_else(|| message(value))).collect();
                session.edit(log).unwrap();
                *self.state.log(on) = list;
            }
            1 | 2 => {
                self.did("convlog undoes");
                let count = self.random.below(3);
                session.undo(count).unwrap();
                let log = self.state.log(on);
                log.truncate(log.len().saturating_sub(count));
            }
            3 if on.is_none() => {
                self.did("convlog makes a view");
                let (name, summary) = (session.next_view_name().unwrap(), vec![self.message()]);
                session.create_view(&name, &summary.iter().map(message).collect()).unwrap();
                self.state.views.insert(name.to_string(), summary);
            }
            4 if on.is_none() && self.state.active.is_some() => {
                self.did("convlog leaves the view");
                session.leave_view().unwrap();
                self.state.active = None;
            }
            5 | 6 if on.is_none() && !self.state.views.is_empty() => {
                self.did("convlog goes to a view");
                let view = self.some_view().unwrap();
                session.switch_view(&view.parse::<ViewName>().unwrap()).unwrap();
                self.state.active = Some(view);
            }
            7 if self.state.branches.len() < 6 => {
                self.did("convlog makes a branch");
                self.made += 1;
                let (name, at) = (format!("c{}", self.made), self.random.below(session.log().len() + 1));
                session.create_branch(&name.parse().unwrap(), Some(at)).unwrap();
                let log = self.state.log(on)[..at].to_vec();
                self.state.branches.insert(name, log);
            }
            8 => {
                self.did("convlog goes to a branch");
                let to = if on.is_some() { None } else { self.some_branch() };
                session.switch_branch(to.as_ref().map(|name| name.parse::<BranchName>().unwrap()).as_ref()).unwrap();
                self.on = to;
            }
            9 if self.state.branches.len() > 3 => {
                let branch = self.some_branch().unwrap();
                if on == Some(&branch) {
                    return;
                }
                self.did("convlog removes a branch");
                session.delete_branch(&branch.parse().unwrap()).unwrap();
                self.state.branches.remove(&branch);
            }
            10 => {
                self.did("convlog sets a bookmark");
                let bookmark = session.mark(Some("c")).unwrap();
                self.state.marks.push(json!([bookmark.index, "c"]));
            }
            11 if !self.state.log(on).is_empty() => {
                self.did("convlog goes back");
                let at = self.random.below(session.log().len());
                session.backtrack(&Rewind::Index(at), Some("it went wrong")).unwrap();
                let note = plain(session.log()).pop().unwrap();
                assert_eq!((&note["role"], &note["hide"]), (&json!("system"), &json!(true)));
                let log = self.state.log(on);
                log.truncate(at);
                log.push(note);
            }
            12 if on.is_none() && self.state.lossless.is_none() => {
                self.did("convlog keeps the full history");
                session.preserve_lossless().unwrap();
                self.state.lossless = Some(self.state.main.clone());
                // Once is seldom enough to be counted.
                *self.seen.get_mut("convlog keeps the full history").unwrap() += 5;
            }
            13..=15 => {
                self.did("convlog attaches");
                let appended = session.append(message(&self.with_file(&FILES))).unwrap();
                assert!(appended.uncaptured.is_empty(), "{:?}", appended.uncaptured);
                let value = plain(session.log()).pop().unwrap();
                self.state.push(on, &value);
            }
            _ => {
                self.did("convlog appends");
                let value = self.message();
                session.append(message(&value)).unwrap();
                self.state.push(on, &value);
            }
        }
    }

    /// That both read the same everywhere; and after convlog's last operation that both recover it.
    fn check(&mut self, was_convlog: bool) {
        let at = self.at();
        let everything = self.gptme.ask(&json!({"do": "everything", "dir": self.home}));
        let found = of_gptme(&everything, &self.state);
        assert_eq!(first_difference(&found, &self.state), None, "gptme reads, {at}");
        let conversation = Conversation::open(Arc::new(RealFs), &self.home).unwrap();
        let read = |which: &Transcript| plain(&conversation.read(which).unwrap().log);
        for (name, log) in everything["branches"].as_object().unwrap() {
            let branch = Transcript::Branch(name.parse().unwrap());
            assert_eq!(Value::from(read(&branch)), *log, "both read the branch {name}, {at}");
        }
        assert_eq!(read(&Transcript::Main), self.state.main, "convlog reads main, {at}");
        for (name, log) in &self.state.views {
            assert_eq!(read(&Transcript::View(name.parse().unwrap())), *log, "convlog reads the view {name}, {at}");
        }
        if !was_convlog {
            return;
        }
        self.recovered(&self.home.clone(), &self.state.main.clone());
        if let Some(branch) = self.on.clone() {
            let home = self.home.join("branches").join(&branch);
            self.recovered(&home, &self.state.branches[&branch].clone());
        }
        if self.step.is_multiple_of(8) {
            let faults = verify(&conversation).unwrap().faults;
            let fault = faults.iter().find(|fault| !fault.is_note());
            assert!(fault.is_none(), "{at}: {fault:?}");
        }
    }

    /// That both make the same of an event log.
    fn recovered(&mut self, directory: &Path, expected: &[Value]) {
        let at = self.at();
        assert_eq!(gptme::recover(directory).unwrap(), expected, "convlog recovers, {at}");
        assert_eq!(self.gptme.recover(directory).unwrap(), expected, "gptme recovers, {at}");
    }
}

/// What gptme has, backups aside.
fn of_gptme(everything: &Value, state: &State) -> State {
    let list = |value: &Value| value.as_array().unwrap().clone();
    let logs = |value: &Value| -> BTreeMap<String, Vec<Value>> {
        value.as_object().unwrap().iter().map(|(name, log)| (name.clone(), list(log))).collect()
    };
    let mut branches = logs(&everything["branches"]);
    branches.retain(|name, _| state.branches.contains_key(name));
    State {
        main: list(&everything["main"]),
        branches,
        views: logs(&everything["views"]),
        active: everything["active"].as_str().map(str::to_owned),
        lossless: everything["lossless"].as_array().cloned(),
        marks: list(&everything["marks"]),
    }
}

/// The first thing in which two states differ.
fn first_difference(found: &State, expected: &State) -> Option<String> {
    let of = |state: &State| {
        let logs = state.branches.iter().map(|(name, log)| (format!("branch {name}"), log.clone()));
        let views = state.views.iter().map(|(name, log)| (format!("view {name}"), log.clone()));
        let main = [("main".to_owned(), state.main.clone()), ("bookmarks".to_owned(), state.marks.clone())];
        let lossless = state.lossless.iter().map(|log| ("lossless".to_owned(), log.clone()));
        main.into_iter().chain(logs).chain(views).chain(lossless).collect::<Vec<_>>()
    };
    let (mut ours, mut theirs) = (of(expected), of(found));
    ours.push(("active".to_owned(), vec![json!(expected.active)]));
    theirs.push(("active".to_owned(), vec![json!(found.active)]));
    let (expected, found) = ours.into_iter().zip(theirs).find(|(a, b)| a != b)?;
    let at = expected.1.iter().zip(&found.1).take_while(|(a, b)| a == b).count();
    let rest = |log: &[Value]| json!(log[at..]).to_string();
    Some(format!("{} from {at}: {} where {} is expected", found.0, rest(&found.1), rest(&expected.1)))
}
