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
        ones.chain(alone(2)).chain(whole(Start::Main, &OPERATIONS, 2)).collect()
    }

    fn run(&self) -> Result<(), String> {
        let tally = Tally::default();
        let depth = Depth { one_in: 499, times: 1 };
        let explorer = Explorer { tally: &tally, depth, one_in: 1, watcher: None };
        match self {
            Self::Alone(history) => explorer.run::<Alone>((), history),
            Self::Whole(start, history) => explorer.run::<Whole>(*start, history),
        }
    }
}

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
    // In the short form a site is tried on some of the histories that come to it, the shortest first.
    let most = if plan.is_long() { usize::MAX } else { 40 };
    let sites: Vec<_> = sites.into_iter().collect();
    let findings = Mutex::new(Vec::new());
    let mut failures = each("sabotage", &sites, |(site, reached)| {
        let mut tried = reached.iter().take(most).map(|index| &workloads[*index]);
        let noticed = tried.find_map(|workload| {
            let error = crate::explore::caught(|| leaving_out(site, || workload.run())).err()?;
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

/// Every call site, with the histories that come to it.
fn call_sites() -> (Vec<Workload>, BTreeMap<Site, Vec<usize>>) {
    let workloads = Workload::all();
    let sites: Mutex<BTreeMap<Site, Vec<usize>>> = Mutex::default();
    let numbered: Vec<_> = workloads.iter().enumerate().collect();
    let failures = each("call sites", &numbered, |(index, workload)| {
        let (done, seen) = watching(|| workload.run());
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
