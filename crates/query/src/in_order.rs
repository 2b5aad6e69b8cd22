//! Work on several threads whose results come in the order of the work: [`in_order`].

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

/// How many pieces of work may be begun before the first of them is done with.
const AHEAD: usize = 64;
/// How many results of one piece wait to be taken.
const WAITING: usize = 16;

/// Takes the results of one piece of work; says when nobody wants more.
#[derive(Debug)]
pub(crate) struct Sink<R>(SyncSender<R>);

impl<R> Sink<R> {
    /// Hands over a result, waiting for room.
    pub(crate) fn send(&self, result: R) -> ControlFlow<()> {
        match self.0.send(result) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}

/// Does `work` on each item, on several threads, and hands the results to `each` on this one: those of the
/// first item first, each as soon as it is there. Each thread has one `S` for all its work: a buffer, say.
///
/// Memory does not grow with the items: who is ahead waits. When `each` breaks, no further item is begun.
pub(crate) fn in_order<T: Send, R: Send, S: Default>(
    threads: NonZeroUsize,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(&mut S, T, &Sink<R>) + Sync,
    mut each: impl FnMut(R) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (tickets, results) = sync_channel::<Receiver<R>>(AHEAD);
    // An item is taken and its ticket handed in under one lock, so that tickets come in the order of items.
    let queue = Mutex::new(Some((items, tickets)));
    let take = || {
        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        let (items, tickets) = queue.as_mut()?;
        let (sender, receiver) = sync_channel(WAITING);
        match items.next() {
            Some(item) if tickets.send(receiver).is_ok() => Some((item, Sink(sender))),
            _ => {
                *queue = None;
                None
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.get() {
            scope.spawn(|| {
                let mut own = S::default();
                while let Some((item, sink)) = take() {
                    work(&mut own, item, &sink);
                }
            });
        }
        // Taken by value, so that breaking off closes the channel and the workers end.
        for result in results.into_iter().flatten() {
            each(result)?;
        }
        ControlFlow::Continue(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREADS: NonZeroUsize = NonZeroUsize::new(3).unwrap();

    #[test]
    fn results_come_in_order_whoever_is_first() {
        let mut found = Vec::new();
        let work = |(): &mut (), item: u64, sink: &Sink<(u64, u64)>| {
            std::thread::sleep(std::time::Duration::from_micros((300 - item) % 7 * 100));
            let _ = (0..item % 40).try_for_each(|part| sink.send((item, part)));
        };
        let flow = in_order(THREADS, 0..300, work, |result| {
            found.push(result);
            ControlFlow::Continue(())
        });
        assert!(flow.is_continue());
        let expected: Vec<_> = (0..300).flat_map(|item| (0..item % 40).map(move |part| (item, part))).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn breaking_off_ends_the_work() {
        let begun = std::sync::atomic::AtomicU64::new(0);
        let work = |(): &mut (), item: u64, sink: &Sink<u64>| {
            begun.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            while sink.send(item).is_continue() {}
        };
        let flow = in_order(THREADS, 0..u64::MAX, work, |_| ControlFlow::Break(()));
        assert!(flow.is_break());
        assert!(begun.into_inner() <= 3 + AHEAD as u64);
    }
}
