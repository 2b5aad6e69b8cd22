//! Changing `config.toml`: one member, everything else kept to the byte.

use std::time::{Duration, Instant};

use convlog_fs::{FileSystem, Locked, Missing, Open, ReplaceMode, replace};
use toml_edit::{DocumentMut, Item, Table, value};

use super::{ConfigError, parse, read_text};
use crate::Layout;

/// How long another program that changes the settings is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Sets a text in the `[chat]` table, or takes it out, under gptme's own lock for that file. Comments and
/// unknown members stay.
pub(crate) fn set_chat(fs: &dyn FileSystem, layout: &Layout, key: &str, text: Option<&str>) -> Result<(), ConfigError> {
    let lock_path = layout.home().join(".config.lock");
    let lock = fs.open(&lock_path, Open::ReadWrite(Missing::Create))?;
    let start = Instant::now();
    while lock.try_lock()? == Locked::Held {
        if start.elapsed() > PATIENCE {
            return Err(ConfigError::Held { path: lock_path });
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let path = layout.config();
    let mut document = match read_text(fs, &path)? {
        Some(text) => parse(&path, &text)?,
        None => DocumentMut::new(),
    };
    let chat = document.entry("chat").or_insert_with(|| Item::Table(Table::new()));
    let Some(chat) = chat.as_table_like_mut() else {
        return Err(ConfigError::NotATable { path });
    };
    match text {
        Some(text) => match chat.get_mut(key).and_then(Item::as_value_mut) {
            // A comment behind the old value stays behind the new one.
            Some(old) => {
                let decor = old.decor().clone();
                *old = text.into();
                *old.decor_mut() = decor;
            }
            None => drop(chat.insert(key, value(text))),
        },
        None => drop(chat.remove(key)),
    }
    let bytes = document.to_string();
    let replaced = replace(fs, &path, ReplaceMode::Keep, |out| out.write_all(bytes.as_bytes()));
    replaced.map(drop).map_err(|error| convlog_fs::Error::from(error).into())
}
