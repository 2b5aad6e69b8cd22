//! The layers of the harness, each a function that gives its row of the table.

pub mod crashes;
pub mod faults;
pub mod fuzzing;
pub mod histories;
pub mod kernel;
pub mod kills;
pub mod locks;
pub mod oracle;
