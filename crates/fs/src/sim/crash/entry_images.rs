//! What a power loss may leave of the unsynced changes of names.

use std::collections::BTreeSet;

use super::choice::{Choice, Outcome, Subject, Way};
use super::plan::CrashPlan;
use crate::sim::entry_change::EntryChange;
use crate::sim::rng::Rng;

/// What may become of the names: one choice for each directory, or for those that a rename ties
/// together.
pub(super) fn choices(changes: &[EntryChange], plan: &CrashPlan, rng: &mut Rng) -> Vec<Choice> {
    groups(changes)
        .into_iter()
        .map(|group| {
            let labels: Vec<&str> = group
                .iter()
                .filter_map(|position| changes.get(*position))
                .map(|change| change.label.as_str())
                .collect();
            let len = u32::try_from(group.len()).unwrap_or(u32::MAX);
            let ways = subsets(group.len(), plan.max_changes, rng)
                .into_iter()
                .map(|kept| Way { label: describe(&labels, &kept), outcome: Outcome::Names(kept) })
                .collect();
            let possible = 1_u128.checked_shl(len).unwrap_or(u128::MAX);
            Choice { subject: Subject::Names(group), ways, possible }
        })
        .collect()
}

/// The changes by the directories they touch; directories with a change in common together.
fn groups(changes: &[EntryChange]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(BTreeSet<_>, Vec<usize>)> = Vec::new();
    for (position, change) in changes.iter().enumerate() {
        let mut dirs: BTreeSet<_> = change.edits.iter().map(|edit| edit.dir).collect();
        let mut members = vec![position];
        groups.retain_mut(|(others, positions)| {
            let apart = others.is_disjoint(&dirs);
            if !apart {
                dirs.append(others);
                members.append(positions);
            }
            apart
        });
        members.sort_unstable();
        groups.push((dirs, members));
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// Which of `len` changes are kept: none, all, then every prefix, then the other subsets.
fn subsets(len: usize, max: u32, rng: &mut Rng) -> Vec<Vec<bool>> {
    let mut ways = vec![vec![false; len], vec![true; len]];
    for prefix in 1..len {
        ways.push((0..len).map(|position| position < prefix).collect());
    }
    let all = u32::try_from(len).is_ok_and(|len| len <= max);
    if all {
        let count = 1_u64.checked_shl(max.min(len as u32)).unwrap_or(0);
        for bits in 0..count {
            let bit = |position: usize| bits.checked_shr(position as u32).unwrap_or(0) & 1 == 1;
            ways.push((0..len).map(bit).collect());
        }
    } else {
        for one in 0..len {
            ways.push((0..len).map(|position| position == one).collect());
            ways.push((0..len).map(|position| position != one).collect());
        }
        for _ in 0..1_u64.checked_shl(max).unwrap_or(0) {
            ways.push((0..len).map(|_| rng.coin()).collect());
        }
    }
    let mut seen = BTreeSet::new();
    ways.retain(|way| seen.insert(way.clone()));
    ways
}

fn describe(labels: &[&str], kept: &[bool]) -> String {
    let lost: Vec<&str> = labels.iter().zip(kept).filter(|(_, kept)| !**kept).map(|(label, _)| *label).collect();
    if lost.is_empty() {
        return format!("all {} changes of names", labels.len());
    }
    format!("of {} changes of names not: {}", labels.len(), lost.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_changes_give_every_subset_none_and_all_first() {
        let ways = subsets(3, 6, &mut Rng::new(0));
        assert_eq!(ways.len(), 8);
        assert_eq!(ways[0], [false; 3]);
        assert_eq!(ways[1], [true; 3]);
    }

    #[test]
    fn many_changes_give_every_prefix_and_each_alone() {
        let ways = subsets(12, 6, &mut Rng::new(0));
        assert!(ways.len() >= 2 + 11 + 22);
        assert!(ways.iter().any(|way| way.iter().filter(|kept| **kept).count() == 5));
    }
}
