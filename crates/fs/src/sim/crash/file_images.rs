//! What a power loss may leave of one file's unsynced writes.

use std::collections::HashSet;
use std::sync::Arc;

use super::choice::{Choice, Outcome, Subject, Way};
use super::plan::CrashPlan;
use crate::sim::content::{Change, Content};
use crate::sim::node::{Meta, Node, NodeId};
use crate::sim::rng::Rng;

const BLOCK: usize = 512;

/// A file as the disk may have it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FileImage {
    pub(super) bytes: Arc<Vec<u8>>,
    pub(super) meta: Meta,
}

/// What may become of a file; nothing to choose when all of it is durable.
pub(super) fn choice(id: NodeId, node: &Node, plan: &CrashPlan, rng: &mut Rng) -> Option<Choice> {
    let content = node.content()?;
    if content.unsynced().is_empty() && node.meta == node.synced_meta {
        return None;
    }
    let mut images = Images::new(node, content);
    images.add("nothing unsynced", Arc::clone(content.synced()), node.synced_meta);
    images.add("everything", Arc::clone(content.current()), node.meta);
    images.add("everything but mode and times", Arc::clone(content.current()), node.synced_meta);
    images.add("nothing but mode and times", Arc::clone(content.synced()), node.meta);
    if !content.unsynced().is_empty() {
        images.cut(plan.max_cuts);
        images.zeros();
        images.blocks(plan.max_blocks, rng);
    }
    let possible = (images.ways.len() as u128).saturating_add(images.left_out);
    Some(Choice { subject: Subject::File(id), ways: images.ways, possible })
}

struct Images<'a> {
    content: &'a Content,
    meta: Meta,
    ways: Vec<Way>,
    seen: HashSet<FileImage>,
    left_out: u128,
}

impl<'a> Images<'a> {
    fn new(node: &Node, content: &'a Content) -> Self {
        Self { content, meta: node.meta, ways: Vec::new(), seen: HashSet::new(), left_out: 0 }
    }

    fn add(&mut self, label: impl Into<String>, bytes: Arc<Vec<u8>>, meta: Meta) {
        let image = FileImage { bytes, meta };
        // The first two have their meaning by their position.
        if self.seen.insert(image.clone()) || self.ways.len() < 2 {
            self.ways.push(Way { label: label.into(), outcome: Outcome::File(image) });
        }
    }

    /// The writes up to a place: after each write, after each record in it, at half, and before
    /// the last byte.
    fn cut(&mut self, max: usize) {
        let changes = self.content.unsynced();
        let mut fixed = Vec::new();
        let mut cuts = Vec::new();
        for (index, change) in changes.iter().enumerate() {
            if let Change::Write { bytes, .. } = change {
                let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
                cuts.extend(ends.map(|(end, _)| (index, end.saturating_add(1))));
            }
            cuts.push((index, usize::MAX));
        }
        if let Some((last, Change::Write { bytes, .. })) = changes.iter().enumerate().next_back() {
            fixed.push((last, bytes.len() / 2));
            fixed.push((last, bytes.len().saturating_sub(1)));
            fixed.push((last, 1));
        }
        let total = changes.iter().map(|change| change.span().len()).sum::<usize>();
        fixed.extend(self.at_byte(total / 2));

        let kept = spread(cuts.len(), max);
        self.left_out = self.left_out.saturating_add(cuts.len().saturating_sub(kept.len()) as u128);
        let cuts = kept.into_iter().filter_map(|position| cuts.get(position).copied());
        for (index, part) in fixed.into_iter().chain(cuts) {
            let bytes = self.up_to(index, part);
            let label = format!("unsynced changes up to {}", place(index, part));
            self.add(label, Arc::new(bytes), self.meta);
        }
    }

    /// Which change the unsynced byte with this number is written by, and how far in it.
    fn at_byte(&self, mut byte: usize) -> Option<(usize, usize)> {
        for (index, change) in self.content.unsynced().iter().enumerate() {
            let len = change.span().len();
            if byte < len {
                return Some((index, byte));
            }
            byte = byte.saturating_sub(len);
        }
        None
    }

    /// The durable bytes, with all changes before one and a part of that.
    fn up_to(&self, index: usize, part: usize) -> Vec<u8> {
        let mut bytes = Vec::clone(self.content.synced());
        let mut changes = self.content.unsynced().iter().take(index.saturating_add(1)).peekable();
        while let Some(change) = changes.next() {
            match changes.peek() {
                Some(_) => change.apply(&mut bytes),
                None => change.apply_part(&mut bytes, part),
            }
        }
        bytes
    }

    /// The full length, with zeros for all that was not synced, and for the last write alone.
    fn zeros(&mut self) {
        self.add("full length, unsynced bytes zero", Arc::new(self.without_data()), self.meta);
        if let Some((last, rest)) = self.content.unsynced().split_last()
            && !rest.is_empty()
        {
            let mut bytes = self.up_to(rest.len().saturating_sub(1), usize::MAX);
            match last {
                Change::SetLen(len) => bytes.resize(*len, 0),
                Change::Write { .. } => {
                    bytes.resize(bytes.len().max(last.span().end), 0);
                }
            }
            self.add("full length, last write zero", Arc::new(bytes), self.meta);
        }
    }

    /// The full length without any unsynced data: the old bytes as far as the file never was
    /// shorter, zeros beyond.
    fn without_data(&self) -> Vec<u8> {
        let shortest = self.content.unsynced().iter().filter_map(|change| match change {
            Change::SetLen(len) => Some(*len),
            Change::Write { .. } => None,
        });
        let synced = self.content.synced();
        let kept = shortest.min().unwrap_or(usize::MAX).min(synced.len());
        let mut bytes = synced.get(..kept).unwrap_or_default().to_vec();
        bytes.resize(self.content.current().len(), 0);
        bytes
    }

    /// The full length, with some of the unsynced blocks.
    fn blocks(&mut self, max: u32, rng: &mut Rng) {
        let old = self.without_data();
        let new = Arc::clone(self.content.current());
        let pairs = old.chunks(BLOCK).zip(new.chunks(BLOCK)).enumerate();
        let changed: Vec<usize> = pairs.filter(|(_, (old, new))| old != new).map(|(block, _)| block).collect();
        let count = u32::try_from(changed.len()).unwrap_or(u32::MAX);
        let subsets = 1_u128.checked_shl(count).unwrap_or(u128::MAX);
        let tried = 1_u128.checked_shl(count.min(max)).unwrap_or(u128::MAX);
        self.left_out = self.left_out.saturating_add(subsets.saturating_sub(tried));
        for subset in 0..tried {
            let mut bytes = old.clone();
            let mut kept = Vec::new();
            for (bit, block) in changed.iter().enumerate() {
                let keep = match count <= max {
                    true => subset.checked_shr(bit as u32).unwrap_or(0) & 1 == 1,
                    false => rng.coin(),
                };
                if keep {
                    kept.push(*block);
                    copy_block(&mut bytes, &new, *block);
                }
            }
            self.add(format!("full length, blocks {kept:?}"), Arc::new(bytes), self.meta);
        }
    }
}

fn copy_block(to: &mut [u8], from: &[u8], block: usize) {
    if let (Some(to), Some(from)) = (to.chunks_mut(BLOCK).nth(block), from.chunks(BLOCK).nth(block)) {
        to.copy_from_slice(from);
    }
}

fn place(index: usize, part: usize) -> String {
    match part {
        usize::MAX => format!("the end of change {index}"),
        part => format!("byte {part} of change {index}"),
    }
}

/// At most `max` positions below `len`, evenly spread.
fn spread(len: usize, max: usize) -> Vec<usize> {
    if len <= max {
        return (0..len).collect();
    }
    (0..max).filter_map(|step| step.saturating_mul(len).checked_div(max)).collect()
}
