//! A file that a message refers to: [`FileRef`], a path or a URI.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A reference to a file: a local path or a URI, kept in the text it was given in.
///
/// What begins with `scheme://` is a URI (`^[A-Za-z][A-Za-z0-9+.-]*://`, `file://` included); anything
/// else is a path. The text is never changed, since it is also the key into the hashes of stored copies.
///
/// ```
/// use convlog_message::FileRef;
///
/// let page = FileRef::new("https://example.org/a.png");
/// assert_eq!(page.scheme(), Some("https"));
/// assert_eq!(page.as_path(), None);
///
/// let file = FileRef::new("/home/me/notes.txt");
/// assert_eq!(file.as_path(), Some(std::path::Path::new("/home/me/notes.txt")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileRef(Arc<str>);

impl FileRef {
    /// Takes a path or URI as it is.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// The text as it stands in a file.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The scheme when this is a URI, as it was spelled.
    #[must_use]
    pub fn scheme(&self) -> Option<&str> {
        let (scheme, _) = self.0.split_once("://")?;
        let mut bytes = scheme.bytes();
        let valid = bytes.next()?.is_ascii_alphabetic()
            && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-'));
        valid.then_some(scheme)
    }

    /// Whether this is a URI.
    #[must_use]
    pub fn is_uri(&self) -> bool {
        self.scheme().is_some()
    }

    /// The local path, unless this is a URI.
    #[must_use]
    pub fn as_path(&self) -> Option<&Path> {
        (!self.is_uri()).then(|| Path::new(self.as_str()))
    }
}

impl From<&str> for FileRef {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for FileRef {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl fmt::Display for FileRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
