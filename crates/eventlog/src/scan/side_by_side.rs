//! Doing pieces of work on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Beyond this many threads reading does not gain.
const MOST_THREADS: usize = 8;

/// Does each of some pieces of work, and returns what they give, in order.
pub(super) fn side_by_side<T: Send>(pieces: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let cores = if pieces < 2 { 1 } else { thread::available_parallelism().map_or(1, usize::from) };
    let helpers = cores.min(MOST_THREADS).min(pieces).saturating_sub(1);
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let piece = next.fetch_add(1, Ordering::Relaxed);
            if piece >= pieces {
                return done;
            }
            done.push((piece, work(piece)));
        }
    };
    let mut done = thread::scope(|scope| {
        // Where no thread can be had, the others do its share.
        let helpers: Vec<_> =
            (0..helpers).filter_map(|_| thread::Builder::new().spawn_scoped(scope, take).ok()).collect();
        let mut done = take();
        for helper in helpers {
            match helper.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(piece, _)| *piece);
    done.into_iter().map(|(_, given)| given).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_done_once_and_in_order() {
        for pieces in [0, 1, 2, 100] {
            assert_eq!(side_by_side(pieces, |piece| piece * 2), (0..pieces).map(|piece| piece * 2).collect::<Vec<_>>());
        }
    }
}
