//! [`CrashStates`]: the disks that a power loss may leave, and how many there were to choose from.

use std::collections::{BTreeSet, HashSet};

use super::choice::{Choice, Outcome, Subject, Way};
use super::image::build;
use super::plan::CrashPlan;
use super::{entry_images, file_images};
use crate::sim::SimFs;
use crate::sim::disk::Disk;
use crate::sim::node::{Node, NodeId};
use crate::sim::rng::Rng;

/// The disks that a power loss may leave, each once.
#[derive(Clone, Debug)]
pub struct CrashStates {
    /// The disks: first that with nothing unsynced, unless it is impossible; then that with
    /// everything.
    pub states: Vec<Crash>,
    /// How many combinations there were, those beyond a limit of the plan included; at most
    /// `u128::MAX`.
    pub possible: u128,
    /// How many combinations were tried.
    pub taken: usize,
    /// How many of these no file system leaves: one inode number twice, or a directory with two
    /// parents.
    pub impossible: usize,
    /// How many files and directories have more ways than the plan spells out.
    pub capped: usize,
}

/// A disk that a power loss may leave.
#[derive(Clone, Debug)]
pub struct Crash {
    /// The file system after it, all of it durable.
    pub disk: SimFs,
    /// What was kept of what was not synced.
    pub description: String,
}

impl CrashStates {
    pub(in crate::sim) fn of(disk: &Disk, plan: &CrashPlan) -> Self {
        let mut rng = Rng::new(plan.seed);
        let files = named_files(disk);
        let files = files.filter_map(|(id, node)| file_images::choice(id, node, plan, &mut rng));
        let mut choices: Vec<Choice> = files.collect();
        choices.extend(entry_images::choices(&disk.unsynced, plan, &mut rng));

        let possible = choices.iter().fold(1_u128, |all, choice| all.saturating_mul(choice.possible));
        let capped = choices.iter().filter(|choice| choice.is_capped()).count();
        let mut states = Self { states: Vec::new(), possible, taken: 0, impossible: 0, capped };
        let mut seen = HashSet::new();
        for combination in combinations(&choices, plan.budget, &mut rng) {
            let ways: Vec<&Way> =
                choices.iter().zip(&combination).filter_map(|(choice, way)| choice.ways.get(*way)).collect();
            states.taken = states.taken.saturating_add(1);
            let Some(image) = build(disk, &choices, &ways) else {
                states.impossible = states.impossible.saturating_add(1);
                continue;
            };
            if seen.insert(image.fingerprint()) {
                let description = describe(disk, &choices, &ways);
                states.states.push(Crash { disk: SimFs::from_disk(image), description });
            }
        }
        states
    }

    /// Whether combinations were left out: the budget or a limit of the plan was too small.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        self.possible > self.taken as u128
    }
}

/// The files that have a durable name or may get one.
fn named_files(disk: &Disk) -> impl Iterator<Item = (NodeId, &Node)> {
    let mut named: BTreeSet<NodeId> = BTreeSet::new();
    for dir in disk.nodes.values().filter_map(|node| node.dir()) {
        named.extend(dir.synced.values());
    }
    let edits = disk.unsynced.iter().flat_map(|change| &change.edits);
    named.extend(edits.filter_map(|edit| edit.node));
    let nodes = disk.nodes.iter().map(|(id, node)| (*id, &**node));
    nodes.filter(move |(id, node)| node.content().is_some() && named.contains(id))
}

/// Which way each choice goes, for each disk to try.
fn combinations(choices: &[Choice], budget: usize, rng: &mut Rng) -> Vec<Vec<usize>> {
    let product = choices.iter().try_fold(1_usize, |all, choice| all.checked_mul(choice.ways.len()));
    let none = vec![0; choices.len()];
    let all: Vec<usize> = choices.iter().map(|choice| choice.ways.len().saturating_sub(1).min(1)).collect();
    let mut ways = vec![none.clone(), all.clone()];
    let whole = product.is_some_and(|product| product <= budget);
    if whole {
        let mut product = vec![Vec::new()];
        for choice in choices {
            product =
                product.iter().flat_map(|prefix| (0..choice.ways.len()).map(|way| extended(prefix, way))).collect();
        }
        ways.extend(product);
    } else {
        for (position, choice) in choices.iter().enumerate() {
            for way in 0..choice.ways.len() {
                for mut rest in [none.clone(), all.clone()] {
                    if let Some(place) = rest.get_mut(position) {
                        *place = way;
                    }
                    ways.push(rest);
                }
            }
        }
    }
    let mut seen = HashSet::new();
    ways.retain(|way| seen.insert(way.clone()));

    // What is left of the budget is drawn; few draws are in vain, as there is more than it.
    let draws = if whole { 0 } else { budget.saturating_mul(4) };
    for _ in 0..draws {
        if ways.len() >= budget {
            break;
        }
        let way: Vec<usize> = choices.iter().map(|choice| rng.below(choice.ways.len())).collect();
        if seen.insert(way.clone()) {
            ways.push(way);
        }
    }
    ways
}

fn extended(prefix: &[usize], way: usize) -> Vec<usize> {
    prefix.iter().copied().chain([way]).collect()
}

fn describe(disk: &Disk, choices: &[Choice], ways: &[&Way]) -> String {
    let parts = choices.iter().zip(ways).map(|(choice, way)| {
        let Way { label, outcome } = way;
        match (&choice.subject, outcome) {
            (Subject::File(id), Outcome::File(image)) => {
                format!("{} ({} bytes): {label}", disk.name_of(*id), image.bytes.len())
            }
            _ => label.clone(),
        }
    });
    let parts: Vec<String> = parts.collect();
    match parts.is_empty() {
        true => "nothing was unsynced".to_owned(),
        false => parts.join("; "),
    }
}
