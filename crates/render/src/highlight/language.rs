//! What stands behind a fence, as the name of a language.

/// Names that are not those of a grammar, and the grammar's.
const ALIASES: &[(&str, &str)] = &[
    ("shell", "sh"),
    ("console", "sh"),
    ("ipython", "py"),
    ("python3", "py"),
    ("jsonl", "json"),
    ("patch", "diff"),
    ("ts", "js"),
    ("tsx", "js"),
    ("jsx", "js"),
    ("mjs", "js"),
    ("typescript", "js"),
    ("golang", "go"),
    ("c++", "cpp"),
    ("docker", "sh"),
    ("dockerfile", "sh"),
    ("ini", "properties"),
    ("toml", "properties"),
];

/// The names to look for, the likeliest first: the suffix of a file (`save src/main.rs`), then the first word.
pub(super) fn candidates(info: &str) -> impl Iterator<Item = String> {
    let suffix = info.split_whitespace().last().and_then(|word| word.rsplit_once('.')).map(|(_, suffix)| suffix);
    // `{.python}` and `python,ignore` are seen too.
    let is_part = |character: char| !(character.is_alphanumeric() || matches!(character, '+' | '#' | '-' | '_'));
    let word = info.split(is_part).find(|word| !word.is_empty());
    suffix.into_iter().chain(word).map(|name| {
        let name = name.to_lowercase();
        ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, grammar)| (*grammar).to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_found_behind_fences() {
        let check = |info: &str, expected: &[&str]| assert!(candidates(info).eq(expected.iter().copied()), "{info}");
        check("", &[]);
        check("Python", &["python"]);
        check("shell", &["sh"]);
        check("save src/main.rs", &["rs", "save"]);
        check("a.py", &["py", "a"]);
        check("{.python}", &["python}", "python"]);
        check("rust,ignore", &["rust"]);
    }
}
