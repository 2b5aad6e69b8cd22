//! Images beside a message: [`Attachments`].

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use convlog_message::{FileRef, Message};

/// Reads files for the caller: this crate opens none. A closure is one too.
pub trait Attachments {
    /// The image that a file of a message holds; `None` when it is no image that the model can see, or cannot
    /// be read. The stored copy is the one to read ([`Message::file_hash`]): it is what was there at the time.
    fn image(&self, message: &Message, file: &FileRef) -> Option<Image>;
}

impl<F: Fn(&Message, &FileRef) -> Option<Image>> Attachments for F {
    fn image(&self, message: &Message, file: &FileRef) -> Option<Image> {
        self(message, file)
    }
}

/// An image as it stands in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    pub media_type: String,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
}

impl Image {
    pub(super) fn to_base64(&self) -> String {
        STANDARD.encode(&self.bytes)
    }
}

/// The last part of a path or URI.
pub(super) fn file_name(file: &FileRef) -> &str {
    file.as_str().rsplit('/').next().unwrap_or_default()
}
