//! Counting what a file system is asked for.

mod counts;
mod metered;
mod metered_file;

pub use counts::Counts;
pub use metered::Metered;
