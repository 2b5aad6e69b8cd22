//! [`Site`]: where a sync or a rename is called from, told by the stack, and a file system that leaves one out.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex};

use convlog_fs::sim::SimFs;
use convlog_fs::{FileSystem, Operation};

use crate::watched::{Go, Watched};

/// The layers whose calls are told apart; the first is where most syncs stand, called from the others.
const HELPERS: &str = "crates/fs/src/";
const CALLERS: [&str; 2] = ["crates/eventlog/src/", "crates/store/src/"];

/// A call site: the operation, and the functions that lead to it, from the inside out, as far as the first one in the
/// event log or the store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    operation: Operation,
    frames: Vec<Frame>,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Frame {
    function: String,
    file: String,
    line: u32,
}

impl Site {
    /// The site that calls now.
    fn here(operation: Operation) -> Self {
        let mut frames = Vec::new();
        let mut is_found = false;
        backtrace::trace(|frame| {
            for frame in resolved(frame) {
                is_found |= CALLERS.iter().any(|caller| frame.file.starts_with(caller));
                frames.push(frame);
                if is_found {
                    break;
                }
            }
            !is_found
        });
        Self { operation, frames }
    }

    /// The functions alone, such as `SyncDir replacement::sync_dir < session/rewrite::rewrite`.
    #[must_use]
    pub fn functions(&self) -> String {
        let function = |frame: &Frame| {
            let module = frame.file.split_once("src/").map_or("", |(_, module)| module.trim_end_matches(".rs"));
            format!("{module}::{}", frame.function)
        };
        let functions: Vec<_> = self.frames.iter().map(function).collect();
        format!("{:?} {}", self.operation, functions.join(" < "))
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.functions())?;
        match self.frames.last() {
            Some(Frame { file, line, .. }) => write!(f, " ({file}:{line})"),
            None => Ok(()),
        }
    }
}

thread_local! {
    static RESOLVED: RefCell<HashMap<usize, Vec<Frame>>> = RefCell::default();
    static SABOTAGE: RefCell<Option<Arc<Sabotage>>> = const { RefCell::new(None) };
}

/// The places of one frame of the stack in the layers that count, inlined ones first.
fn resolved(frame: &backtrace::Frame) -> Vec<Frame> {
    RESOLVED.with_borrow_mut(|resolved| {
        let known = resolved.entry(frame.ip() as usize);
        known
            .or_insert_with(|| {
                let mut places = Vec::new();
                backtrace::resolve_frame(frame, |symbol| places.extend(place(symbol)));
                places
            })
            .clone()
    })
}

fn place(symbol: &backtrace::Symbol) -> Option<Frame> {
    let file = symbol.filename()?.to_str()?;
    let file = file.get(file.find("crates/")?..)?;
    // Not what only forwards, nor the simulation itself.
    let is_helper = file
        .strip_prefix(HELPERS)
        .is_some_and(|file| !["file_system.rs", "patient.rs", "sim/"].iter().any(|between| file.starts_with(between)));
    let counts = is_helper || CALLERS.iter().any(|caller| file.starts_with(caller));
    let name = symbol.name()?.to_string();
    counts.then(|| Frame { function: short(&name), file: file.to_owned(), line: symbol.lineno().unwrap_or(0) })
}

/// The name of a function, without what it is generic over.
fn short(name: &str) -> String {
    if name.contains('{') {
        return "closure".to_owned();
    }
    name.split('<').next().unwrap_or_default().to_owned()
}

/// What happens to the barriers of this thread.
#[derive(Debug, Default)]
struct Sabotage {
    left_out: Option<Site>,
    seen: Mutex<BTreeSet<Site>>,
}

impl Sabotage {
    fn go(&self, operation: Operation) -> Go {
        if !operation.is_sync() && operation != Operation::Rename {
            return Go::On;
        }
        let site = Site::here(operation);
        if self.left_out.as_ref() == Some(&site) {
            return Go::Without;
        }
        if self.left_out.is_none() {
            self.seen.lock().unwrap().insert(site);
        }
        Go::On
    }
}

/// A file system as this thread is to have it: with one call site left out, or as it is.
pub(crate) fn as_ordered(fs: &SimFs) -> Arc<dyn FileSystem> {
    let fs: Arc<dyn FileSystem> = Arc::new(fs.clone());
    match SABOTAGE.with_borrow(Option::clone) {
        Some(sabotage) => Arc::new(Watched::over(fs, move |operation, _: &Path| Ok(sabotage.go(operation)))),
        None => fs,
    }
}

/// Does something, and tells the call sites that it came to.
pub fn watching<T>(act: impl FnOnce() -> T) -> (T, BTreeSet<Site>) {
    let sabotage = Arc::new(Sabotage::default());
    let done = ordered(Arc::clone(&sabotage), act);
    let seen = std::mem::take(&mut *sabotage.seen.lock().unwrap());
    (done, seen)
}

/// Does something without what is called from one place.
pub fn leaving_out<T>(site: &Site, act: impl FnOnce() -> T) -> T {
    ordered(Arc::new(Sabotage { left_out: Some(site.clone()), ..Sabotage::default() }), act)
}

fn ordered<T>(sabotage: Arc<Sabotage>, act: impl FnOnce() -> T) -> T {
    /// Ends the order, also when what was done panics.
    struct Order;
    impl Drop for Order {
        fn drop(&mut self) {
            SABOTAGE.set(None);
        }
    }
    SABOTAGE.set(Some(sabotage));
    let _order = Order;
    act()
}
