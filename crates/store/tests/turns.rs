//! gptme and convlog take turns on one conversation, at random, and each reads what the other wrote.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use convlog_fs::{Durability, RealFs};
use convlog_message::{Log, Message};
use convlog_store::{Conversation, Session, SessionOptions, Transcript};
use convlog_trust::gptme::{self, Gptme, World, message, messages, plain};
use convlog_trust::random::Random;
use convlog_trust::watched::Death;
use serde_json::{Value, json};

const STEPS: usize = 200;

const TEXTS: &[&str] = &[
    "plain",
    "",
    " \t blanks around \n",
    "Grüße, 日本語, עברית, 👩‍👩‍👧 e\u{301} \u{2028}\u{85}\u{feff}",
    "he said \"no\" and 'yes' \\ and \\n",
    "```python\nprint(\"\"\"hi\"\"\")\n```\nthen",
    "line\r\nline\rline\u{0}\u{7f}\u{1b}[31m",
    "/undo",
    "/undo 3",
    "/undoing things is fun",
    " /undo",
    "/etc/hosts is missing",
    "/tokens",
    "{\"role\": \"user\"}",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 \u{10ffff}",
];

#[test]
fn turns_with_seed_1() {
    take_turns(1);
}

#[test]
fn turns_with_seed_2() {
    take_turns(2);
}

#[test]
fn turns_with_seed_3() {
    take_turns(3);
}

#[test]
#[ignore = "takes minutes"]
fn turns_with_more_seeds() {
    (4..=20).for_each(take_turns);
}

fn take_turns(seed: u64) {
    let world = World::in_memory();
    let Some(gptme) = world.gptme() else { return };
    let mut turns = Turns::new(&world, gptme, seed);
    while turns.step < STEPS {
        if turns.random.below(2) == 0 {
            turns.gptmes_turn();
        } else {
            turns.convlogs_turn();
        }
    }
    assert!(turns.branches().len() > 20, "there is something to lose");
    assert!(turns.deaths > 10, "convlog died {} times", turns.deaths);
    assert!(turns.deaths_while_opening > 10, "convlog died {} times", turns.deaths_while_opening);
}

/// One conversation, and what it must hold.
struct Turns {
    gptme: Gptme,
    home: PathBuf,
    random: Random,
    /// The messages as they must be.
    model: Vec<Value>,
    /// Those that convlog had at the end of its last turn.
    kept: Vec<Value>,
    step: usize,
    /// Messages made so far; each has a time of its own.
    made: u64,
    seed: u64,
    /// How many of convlog's turns ended in its death.
    deaths: usize,
    deaths_while_opening: usize,
    /// What may stand there after a death: with and without what was under way.
    after_death: Vec<Vec<Value>>,
    /// Whether gptme undid something in this turn without keeping a backup.
    unkept: bool,
}

impl Turns {
    fn new(world: &World, mut gptme: Gptme, seed: u64) -> Self {
        let home = world.talk(&format!("2026-01-02-turns-{seed}"));
        let mut random = Random(seed);
        let initial: Vec<_> = (0..random.below(4)).map(|at| gptme::say("system", &format!("prompt {at}"))).collect();
        if seed.is_multiple_of(2) {
            gptme.create(&home, &initial);
            gptme.append(&gptme::say("user", "first"));
            gptme.release();
        } else {
            let options = SessionOptions::default();
            let mut session = Session::create(Arc::new(RealFs), &home, options, messages(&initial)).unwrap();
            session.append(message(&gptme::say("user", "first"))).unwrap();
            session.close().unwrap();
        }
        let model: Vec<_> = initial.into_iter().chain([gptme::say("user", "first")]).collect();
        let kept = model.clone();
        Self {
            gptme,
            home,
            random,
            model,
            kept,
            step: 0,
            made: 0,
            seed,
            deaths: 0,
            deaths_while_opening: 0,
            after_death: Vec::new(),
            unkept: false,
        }
    }

    fn at(&self) -> String {
        format!("seed {}, step {}", self.seed, self.step)
    }

    fn new_message(&mut self) -> Value {
        self.made += 1;
        let mut text = TEXTS[self.random.below(TEXTS.len())].to_owned();
        if self.random.below(3) > 0 {
            text = format!("{text} {}", self.made);
        }
        let role = ["user", "assistant", "system", "tool"][self.random.below(4)];
        let time = format!("2026-01-02T{:02}:{:02}:05.{:06}", self.made / 60 % 24, self.made % 60, self.made);
        let mut value = json!({"role": role, "content": text, "timestamp": time});
        match self.random.below(8) {
            0 => {
                value["metadata"] = json!({
                    "model": "anthropic/ä-\"model\"", "cost": 0.1 * self.random.below(1000) as f64,
                    "usage": {"input_tokens": self.made, "output_tokens": 3}
                });
            }
            1 => value["pinned"] = json!(true),
            2 => value["hide"] = json!(true),
            3 => value["call_id"] = json!("call-\"日\\1"),
            4 => value["files"] = json!(["https://example.org/a b?c=ä"]),
            5 => value["timestamp"] = json!(format!("{time}+02:00")),
            _ => {}
        }
        value
    }

    /// Another list made of the present one: a message changed, removed, or put in between.
    fn edited(&mut self) -> Vec<Value> {
        let mut list = self.model.clone();
        let at = self.random.below(list.len() + 1);
        match self.random.below(3) {
            _ if list.len() > 30 => drop(list.drain(at / 2..at)),
            0 if at < list.len() => list[at]["content"] = json!(format!("changed at step {}", self.step)),
            1 if at < list.len() => drop(list.remove(at)),
            _ => list.insert(at, self.new_message()),
        }
        list
    }

    fn gptmes_turn(&mut self) {
        self.kept.clone_from(&self.model);
        self.unkept = false;
        let loaded = self.gptme.load(&self.home);
        let was_killed = !self.after_death.is_empty();
        self.settle_death(&loaded);
        assert_eq!(loaded, self.model, "{}", self.at());
        for at in 0..=self.random.below(4) {
            self.step += 1;
            // After a death the first is an append: an undo of nothing would leave convlog's as the last word.
            match if was_killed && at == 0 { 8 } else { self.random.below(8) } {
                0 => {
                    let list = self.edited();
                    self.gptme.edit(&list);
                    self.model = list;
                }
                1 | 2 => {
                    let count = self.random.below(4);
                    self.gptme.undo(count);
                    self.gptme_undid(count);
                }
                _ => {
                    let new = self.new_message();
                    self.gptme.append(&new);
                    self.model.push(new);
                }
            }
            assert_eq!(gptme::read(&self.home), self.model, "convlog reads, {}", self.at());
            assert_eq!(self.gptme.read(&self.home), self.model, "gptme reads, {}", self.at());
        }
        self.gptme.release();
        let compacted = self.was_compacted();
        // convlog takes it in.
        self.die_while_opening();
        let session = Session::open(Arc::new(RealFs), &self.home, SessionOptions::default()).unwrap();
        assert_eq!(plain(session.log()), self.model, "{}", self.at());
        let report = session.recovery().clone();
        assert!(report.put_back == 0 && !report.rebuilt && report.quarantined == 0, "{}: {report}", self.at());
        session.close().unwrap();
        self.check_after_convlog();
        if !(compacted && self.unkept) {
            self.check_nothing_lost();
        }
    }

    /// gptme removes a command `/undo…` at the end uncounted, and keeps no backup beside a command.
    fn gptme_undid(&mut self, count: usize) {
        let is = |value: Option<&Value>, start: &str| {
            value.is_some_and(|v| v["content"].as_str().unwrap().starts_with(start))
        };
        if is(self.model.last(), "/undo") {
            self.model.pop();
            self.unkept = true;
        }
        self.unkept |= is(self.model.last(), "/");
        self.model.truncate(self.model.len().saturating_sub(count));
    }

    /// After a death the operation that was under way is there or is not, and what was acknowledged is.
    fn settle_death(&mut self, found: &[Value]) {
        let allowed = std::mem::take(&mut self.after_death);
        if !allowed.is_empty() {
            assert!(allowed.iter().any(|list| list == found), "{}: {found:#?}\nis none of {allowed:#?}", self.at());
            self.model = found.to_vec();
        }
    }

    /// Now and then an opening, and what it mends, is cut short by a death, even twice.
    fn die_while_opening(&mut self) {
        while self.random.below(3) == 0 {
            let death = Death::never();
            death.after(self.random.below(80));
            drop(Session::open(death.file_system(), &self.home, SessionOptions::default()));
            self.deaths_while_opening += usize::from(death.has_come());
        }
    }

    fn convlogs_turn(&mut self) {
        self.kept.clone_from(&self.model);
        self.die_while_opening();
        let death = Death::never();
        let mut session = Session::open(death.file_system(), &self.home, SessionOptions::default()).unwrap();
        if self.after_death.is_empty() {
            assert!(session.recovery().is_empty(), "{}: {}", self.at(), session.recovery());
        }
        self.settle_death(&plain(session.log()));
        assert_eq!(plain(session.log()), self.model, "{}", self.at());
        self.check_after_convlog();
        for _ in 0..=self.random.below(4) {
            self.step += 1;
            self.convlogs_step(&mut session).unwrap();
            assert_eq!(plain(session.log()), self.model, "{}", self.at());
            self.check_after_convlog();
        }
        match self.random.below(4) {
            0 => session.close().unwrap(),
            1 => drop(session),
            _ => return self.convlog_dies(&death, session),
        }
        self.check_after_convlog();
        self.check_nothing_lost();
    }

    /// The process is killed at one of the file operations of a step, or of closing.
    fn convlog_dies(&mut self, death: &Death, mut session: Session) {
        self.step += 1;
        let before = self.model.clone();
        death.after(self.random.below(24));
        let done = self.convlogs_step(&mut session).is_ok();
        drop(session);
        if !death.has_come() {
            return self.check_after_convlog();
        }
        self.deaths += 1;
        let after = std::mem::take(&mut self.model);
        self.after_death = vec![after.clone()];
        if !done {
            // Of a batch, the first few may stand.
            let grown = if after.starts_with(&before) { after.len() - before.len() } else { 0 };
            self.after_death.extend((0..grown.max(1)).map(|more| after_part(&before, &after, more)));
        }
        self.model = if done { after } else { before };
        let found = gptme::read(&self.home);
        assert_eq!(self.gptme.read(&self.home), found, "gptme reads, {}", self.at());
        assert!(self.after_death.contains(&found), "{}: {found:#?}\nis none of {:#?}", self.at(), self.after_death);
        self.kept.clone_from(&self.model);
    }

    /// One operation; the model has it done, whether it could be done or not.
    fn convlogs_step(&mut self, session: &mut Session) -> Result<(), String> {
        let failed = |error: &dyn std::error::Error| error.to_string();
        match self.random.below(9) {
            0 => {
                let list = self.edited();
                let log = self.log_of(session, &list);
                self.model = list;
                session.edit(log).map_err(|error| failed(&error))?;
            }
            1 | 2 => {
                let count = self.random.below(4);
                let command = self.model.last().is_some_and(|last| {
                    let content = last["content"].as_str().unwrap();
                    content.starts_with("/undo") && content.split_whitespace().next() == Some("/undo")
                });
                let wanted = if count == 0 { 0 } else { count + usize::from(command) };
                let removed = wanted.min(self.model.len());
                self.model.truncate(self.model.len() - removed);
                let undone = session.undo(count).map_err(|error| failed(&error))?;
                assert_eq!(undone.removed, removed, "{}", self.at());
            }
            3 => {
                let new: Vec<_> = (0..3).map(|_| self.new_message()).collect();
                let batch = messages(&new);
                self.model.extend(new);
                session.append_batch(&batch, Durability::Synced).map_err(|error| failed(&error))?;
            }
            _ => {
                let new = self.new_message();
                // With the bytes that it was read from, or without.
                let mut message: Message = message(&new);
                if self.random.below(2) == 0 {
                    let content = message.content().to_owned();
                    message = message.with_content(content);
                }
                self.model.push(new);
                session.append(message).map_err(|error| failed(&error))?;
            }
        }
        Ok(())
    }

    /// The list as a log, in which a message that the session has stays that one.
    fn log_of(&self, session: &Session, list: &[Value]) -> Log {
        let known = plain(session.log());
        let find = |value: &Value| known.iter().position(|known| known == value).and_then(|at| session.log().get(at));
        list.iter().map(|value| find(value).cloned().unwrap_or_else(|| message(value))).collect()
    }

    /// Both read the same messages, and both event logs' readers recover them.
    fn check_after_convlog(&mut self) {
        let at = self.at();
        assert_eq!(gptme::read(&self.home), self.model, "convlog reads, {at}");
        assert_eq!(self.gptme.read(&self.home), self.model, "gptme reads, {at}");
        assert_eq!(gptme::recover(&self.home).unwrap(), self.model, "convlog recovers, {at}");
        assert_eq!(self.gptme.recover(&self.home).unwrap(), self.model, "gptme recovers, {at}");
    }

    /// Whether the event log holds no line of convlog's any more: gptme's checkpoint dropped them.
    fn was_compacted(&self) -> bool {
        convlog_eventlog::read(&RealFs, &self.home).unwrap().is_none_or(|reading| reading.last_convlog().is_none())
    }

    fn branches(&self) -> Vec<Vec<Value>> {
        let conversation = Conversation::open(Arc::new(RealFs), &self.home).unwrap();
        let branches = conversation.branches().unwrap();
        branches.into_iter().map(|name| plain(&conversation.read(&Transcript::Branch(name)).unwrap().log)).collect()
    }

    /// What stood there before the turn stands in main or in a branch.
    fn check_nothing_lost(&self) {
        let key = |value: &Value| (value["role"].to_string(), value["content"].to_string());
        let there: HashSet<_> = self.branches().iter().flatten().chain(&self.model).map(key).collect();
        let lost: Vec<_> = self.kept.iter().filter(|value| !there.contains(&key(value))).collect();
        assert!(lost.is_empty(), "{}: lost {lost:?}", self.at());
    }
}

/// A list with the first few of what a batch appends.
fn after_part(before: &[Value], after: &[Value], more: usize) -> Vec<Value> {
    if more == 0 { before.to_vec() } else { after[..before.len() + more].to_vec() }
}
