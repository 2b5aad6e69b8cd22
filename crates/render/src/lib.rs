#![doc = include_str!("../README.md")]

mod format;
mod highlight;
mod html;
mod json;
mod markdown;
mod renderer;
mod text;
mod xml;

pub use format::{FormatGuard, OutputFormat};
pub use html::html;
pub use json::write_json;
pub use markdown::markdown;
pub use renderer::{Hidden, Printed, Renderer};
pub use text::{Colors, Status, Text, cut, pad, printable, role_style, wrap};
pub use xml::{message_xml, xml};
