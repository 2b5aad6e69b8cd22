//! Files of a message: their paths made absolute against the current directory.

use std::path::Path;

use convlog_message::{FileRef, Message};

/// Gives a message whose files, and the keys of whose hashes, are absolute paths; URIs stay. One that has no relative
/// path stays as it is, to the byte.
pub(super) fn absolute(message: Message) -> Message {
    let is_relative = |file: &FileRef| file.as_path().is_some_and(Path::is_relative);
    if !message.files().iter().any(is_relative) {
        return message;
    }
    let files: Vec<FileRef> = message.files().iter().map(path).collect();
    let hash = |(file, hash): (&str, &str)| (path(&FileRef::new(file)).as_str().to_owned(), hash.to_owned());
    let hashes: Vec<_> = message.file_hashes().map(hash).collect();
    message.with_files(files).with_file_hashes(hashes)
}

/// The absolute path; one that has none (the empty path, say) as it is.
fn path(file: &FileRef) -> FileRef {
    let absolute = file.as_path().and_then(|path| std::path::absolute(path).ok());
    absolute.and_then(|path| Some(FileRef::new(path.to_str()?))).unwrap_or_else(|| file.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use convlog_message::{Role, Timestamp};

    #[test]
    fn relative_paths_begin_where_the_program_runs() {
        let here = std::env::current_dir().unwrap();
        let message = Message::new(Role::User, "see", Timestamp::now())
            .with_files(["a.txt", "/b.txt", "file://c", ""])
            .with_file_hashes([("a.txt", "0123456789abcdef"), ("/b.txt", "0123456789abcdef")]);
        let absolute = absolute(message);
        let a = here.join("a.txt");
        let files: Vec<_> = absolute.files().iter().map(FileRef::as_str).collect();
        assert_eq!(files, [a.to_str().unwrap(), "/b.txt", "file://c", ""]);
        let keys: Vec<_> = absolute.file_hashes().map(|(file, _)| file).collect();
        assert_eq!(keys, [a.to_str().unwrap(), "/b.txt"]);
    }
}
