#![doc = include_str!("../README.md")]

mod codeblock;
mod fence;
mod markdown;
mod pieces;
mod scan;
mod stream;
mod whole;
mod xml;

pub use codeblock::Codeblock;
pub use fence::{Fence, Mark};
pub use pieces::{CodePiece, Piece, pieces};
pub use stream::{CodeblockStream, StreamEnd};
pub use whole::{Codeblocks, codeblocks};
pub use xml::XmlError;
