//! Has the harness teeth? Each sync, directory sync and rename is left out in turn, and some invariant must fail.

pub mod gptme_order;
mod redundant;
pub mod site;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Instant;

use site::{Site, leaving_out, watching};

use crate::explore::{Depth, Explorer, each, histories};
use crate::run::Plan;
use crate::table::Row;
use crate::tally::Tally;
use crate::world::World;
use crate::world::alone::{self, Alone};
use crate::world::whole::{self, OPERATIONS, Start, Whole};

/// One history of one world.
#[derive(Clone, Debug)]
enum Workload {
    Alone(Vec<alone::Step>),
    Whole(Start, Vec<whole::Step>),
}

impl Workload {
    /// The short ones of all worlds, the shortest first.
    fn all() -> Vec<Self> {
        let alone = |length| histories::<Alone>(Alone::steps(), length).into_iter().map(Self::Alone);
        let whole = |start, steps: &[whole::Step], length| {
            histories::<Whole>(steps, length).into_iter().map(move |history| Self::Whole(start, history))
        };
        let steps = Whole::steps();
        let ones = alone(1).chain(whole(Start::Main, steps, 1)).chain(whole(Start::View, steps, 1));
        let pairs = alone(2).chain(whole(Start::Main, &OPERATIONS, 2));
        // The third event makes a checkpoint, and what comes after it stands in a new file.
        let triples = histories::<Alone>(&LONGER, 3).into_iter().map(Self::Alone);
        ones.chain(pairs).chain(triples).collect()
    }

    /// Crashes it; one distinct state in so many again in its recovery.
    fn run(&self, one_in: u64) -> Result<(), String> {
        let tally = Tally::default();
        let depth = Depth { one_in, times: 1 };
        let explorer = Explorer { tally: &tally, depth, one_in: 1, watcher: None };
        match self {
            Self::Alone(history) => explorer.run::<Alone>((), history),
            Self::Whole(start, history) => explorer.run::<Whole>(*start, history),
        }
    }
}

/// The steps of the histories of three.
const LONGER: [alone::Step; 5] =
    [alone::Step::Append, alone::Step::AppendSynced, alone::Step::Undo, alone::Step::Close, alone::Step::GptmeUndoes];

/// One distinct state in so many is crashed again in its recovery: at first, and for what that does not show.
const RARELY: u64 = 499;
const OFTEN: u64 = 9;

/// Of a site's histories so many are crashed often in their recovery.
const DEEPER: usize = 12;

/// What came of leaving out one call site.
#[derive(Debug)]
struct Finding {
    site: Site,
    /// The history that failed, and how.
    noticed: Option<String>,
}

/// Leaves out each call site in turn.
#[must_use]
pub fn run(plan: &Plan) -> Row {
    let start = Instant::now();
    let (workloads, sites) = call_sites();
    // In the short form a site is tried on some of the histories that come to it: the shortest, and some of the rest.
    let most = if plan.is_long() { usize::MAX } else { 24 };
    let sites: Vec<_> = sites.into_iter().collect();
    let findings = Mutex::new(Vec::new());
    let mut failures = each("sabotage", &sites, |(site, reached)| {
        let (first, rest) = reached.split_at(most.min(reached.len()));
        let chosen = first.iter().chain(rest.iter().step_by((rest.len() / most).max(1)));
        let tried: Vec<_> = chosen.map(|index| &workloads[*index]).collect();
        // What that does not show, a crash inside recovery may.
        let deeper = tried.iter().step_by((tried.len() / DEEPER).max(1));
        let mut runs = tried.iter().map(|workload| (RARELY, workload)).chain(deeper.map(|workload| (OFTEN, workload)));
        let noticed = runs.find_map(|(one_in, workload)| {
            let error = crate::explore::caught(|| leaving_out(site, || workload.run(one_in))).err()?;
            Some(format!("{workload:?}: {}", error.lines().next().unwrap_or_default()))
        });
        findings.lock().unwrap().push(Finding { site: site.clone(), noticed });
        Ok(())
    });
    let mut findings = findings.into_inner().unwrap();
    findings.sort_by(|a, b| a.site.cmp(&b.site));
    let noticed = findings.iter().filter(|finding| finding.noticed.is_some()).count();
    for Finding { site, noticed } in &findings {
        match (noticed, redundant::reason(site)) {
            (Some(how), _) => println!("   noticed: {site}\n      {how}"),
            (None, Some(reason)) => println!("   redundant: {site}\n      {reason}"),
            (None, None) => failures.push(format!("nobody notices that this is left out: {site}")),
        }
    }
    Row {
        layer: "sabotage of barriers".to_owned(),
        counts: format!(
            "{} call sites of syncs, directory syncs and renames: {noticed} proven, {} redundant with a reason",
            findings.len(),
            findings.len() - noticed
        ),
        took: start.elapsed(),
        failures,
        skipped: Vec::new(),
    }
}

/// The same histories with nothing left out: what a changed source must fail on.
#[must_use]
pub fn without(_: &Plan) -> Row {
    let start = Instant::now();
    let workloads = Workload::all();
    let failures =
        each("histories", &workloads, |workload| workload.run(97).map_err(|error| format!("{workload:?}: {error}")));
    let counts = format!("{} workloads", workloads.len());
    Row { counts, took: start.elapsed(), failures, ..Row::empty("the histories of the sabotage, unharmed") }
}

/// Every call site, with the histories that come to it.
fn call_sites() -> (Vec<Workload>, BTreeMap<Site, Vec<usize>>) {
    let workloads = Workload::all();
    let sites: Mutex<BTreeMap<Site, Vec<usize>>> = Mutex::default();
    let numbered: Vec<_> = workloads.iter().enumerate().collect();
    let failures = each("call sites", &numbered, |(index, workload)| {
        let (done, seen) = watching(|| workload.run(97));
        let mut sites = sites.lock().unwrap();
        for site in seen {
            sites.entry(site).or_default().push(*index);
        }
        done.map_err(|error| format!("{workload:?}: {error}"))
    });
    assert!(failures.is_empty(), "without sabotage: {failures:#?}");
    let mut sites = sites.into_inner().unwrap();
    sites.values_mut().for_each(|reached| reached.sort_unstable());
    (workloads, sites)
}
