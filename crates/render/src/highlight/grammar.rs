//! Tokens by Sublime Text's grammars.

use std::sync::LazyLock;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::Kind;
use super::language::candidates;

/// Code longer than this is left plain: colours are not worth the wait.
const MOST_BYTES: usize = 50_000;
/// So is a line longer than this, a packed script most likely.
const MOST_BYTES_OF_LINE: usize = 500;

/// Read when the first code is highlighted.
static GRAMMARS: LazyLock<SyntaxSet> = LazyLock::new(SyntaxSet::load_defaults_newlines);

/// Scopes and their kinds; the first that fits counts.
static KINDS: LazyLock<Vec<(Scope, Kind)>> = LazyLock::new(|| {
    let kinds = [
        ("comment", Kind::Comment),
        ("markup.inserted", Kind::Inserted),
        ("markup.deleted", Kind::Deleted),
        ("meta.diff.range", Kind::Number),
        ("markup.heading", Kind::Keyword),
        ("constant.character.escape", Kind::Number),
        ("string", Kind::Text),
        ("constant", Kind::Number),
        ("keyword.operator", Kind::Plain),
        ("keyword", Kind::Keyword),
        ("storage", Kind::Keyword),
        ("variable.language", Kind::Keyword),
        ("entity.name", Kind::Name),
        ("entity.other.attribute-name", Kind::Name),
        ("support", Kind::Name),
        ("variable.function", Kind::Name),
    ];
    kinds.into_iter().filter_map(|(scope, kind)| Some((Scope::new(scope).ok()?, kind))).collect()
});

/// The tokens of code; `None` where no grammar is known or the code is too long.
pub(super) fn tokens<'a>(info: &str, code: &'a str) -> Option<Vec<(Kind, &'a str)>> {
    if code.len() > MOST_BYTES {
        return None;
    }
    let mut state = ParseState::new(grammar(info)?);
    let mut scopes = ScopeStack::new();
    let mut tokens = Tokens { code, start: 0, at: 0, kind: Kind::Plain, done: Vec::new() };
    for line in code.split_inclusive('\n') {
        let parsed = (line.len() <= MOST_BYTES_OF_LINE).then(|| state.parse_line(line, &GRAMMARS).ok()).flatten();
        let start = tokens.at;
        for (place, change) in parsed.unwrap_or_default() {
            tokens.up_to(start.saturating_add(place), kind(&scopes));
            scopes.apply(&change).ok()?;
        }
        tokens.up_to(start.saturating_add(line.len()), kind(&scopes));
    }
    Some(tokens.finish())
}

/// The tokens so far; neighbours of one kind are one.
struct Tokens<'a> {
    code: &'a str,
    /// Where the last token starts, and up to where its kind is known.
    start: usize,
    at: usize,
    kind: Kind,
    done: Vec<(Kind, &'a str)>,
}

impl<'a> Tokens<'a> {
    fn up_to(&mut self, place: usize, kind: Kind) {
        if place <= self.at {
            return;
        }
        if kind != self.kind {
            self.close();
            self.kind = kind;
        }
        self.at = place;
    }

    fn close(&mut self) {
        let token = self.code.get(self.start..self.at).filter(|token| !token.is_empty());
        self.done.extend(token.map(|token| (self.kind, token)));
        self.start = self.at;
    }

    fn finish(mut self) -> Vec<(Kind, &'a str)> {
        self.close();
        self.done
    }
}

fn grammar(info: &str) -> Option<&'static SyntaxReference> {
    candidates(info).find_map(|name| GRAMMARS.find_syntax_by_token(&name))
}

/// The kind of what stands in these scopes, the innermost that has one.
fn kind(scopes: &ScopeStack) -> Kind {
    let of = |scope: &Scope| KINDS.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)).map(|(_, kind)| *kind);
    scopes.as_slice().iter().rev().find_map(of).unwrap_or(Kind::Plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_taken_apart_and_nothing_lost() {
        let code = "# note\ndef f(x):\n    return \"a\" + 1\n";
        let tokens = tokens("python", code).unwrap();
        assert_eq!(tokens.iter().map(|(_, text)| *text).collect::<String>(), code);
        let has = |kind, text| tokens.contains(&(kind, text));
        assert!(has(Kind::Comment, "# note\n") && has(Kind::Name, "f") && has(Kind::Keyword, "return"), "{tokens:?}");
        assert!(has(Kind::Text, "\"a\"") && has(Kind::Number, "1"), "{tokens:?}");
    }

    #[test]
    fn what_is_unknown_or_long_is_plain() {
        assert_eq!(tokens("no-such-language", "x"), None);
        assert_eq!(tokens("", "x"), None);
        assert_eq!(tokens("py", &"x".repeat(MOST_BYTES + 1)), None);
        let line = "1 ".repeat(MOST_BYTES_OF_LINE);
        assert_eq!(tokens("py", &line).unwrap(), [(Kind::Plain, &*line)]);
    }
}
