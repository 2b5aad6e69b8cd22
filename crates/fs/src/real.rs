//! The real file system, through the standard library.

mod real_file;
mod real_fs;

pub use real_fs::RealFs;
