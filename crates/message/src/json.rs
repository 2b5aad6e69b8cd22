//! JSON as these files hold it: [`Value`], [`Number`] and [`Object`].
//!
//! The usual JSON types cannot hold what stands in real transcripts: integers of any size, `NaN`,
//! `1.50` that must stay `1.50`, keys in their order. These can, and no more than that: parsing and
//! writing are the work of `convlog-codec`.

mod number;
mod object;
mod value;

pub use number::{Number, ParseNumberError};
pub use object::{Key, Object, key};
pub use value::Value;
