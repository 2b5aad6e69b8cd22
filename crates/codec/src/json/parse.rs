//! A parser for JSON as it is found in the wild: any bytes, no panic, no recursion.

use convlog_message::json::{Key, Number, Object, Value};
use memchr::memchr2;
use thiserror::Error;

/// How deep arrays and objects may lie within each other. Python's reader ends a little below this.
pub const MAX_DEPTH: usize = 1_000;

/// A value read from the start of some bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed<'a> {
    /// The value.
    pub value: Value,
    /// What follows it, blanks included.
    pub rest: &'a [u8],
    /// What was odd about its text.
    pub oddities: Oddities,
}

/// What a strict reader would have refused or lost, and this one read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Oddities {
    /// An escape for half of a surrogate pair, read as U+FFFD.
    pub lone_surrogate: bool,
    /// Bytes that are no UTF-8 inside a string, read as U+FFFD.
    pub invalid_utf8: bool,
    /// A key that the outermost object has twice; the last value counts.
    pub repeated_key: bool,
}

/// Where and why a text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{syntax} at byte {at}")]
pub struct SyntaxError {
    /// The byte at which reading ended, counted from 0 at the start of the given bytes.
    pub at: usize,
    /// What was wrong there.
    pub syntax: Syntax,
}

/// The ways in which a text fails to be JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Syntax {
    /// The text ends inside a string.
    #[error("unterminated string")]
    UnterminatedString,
    /// The text ends inside an array, an object or a value.
    #[error("unexpected end")]
    UnexpectedEnd,
    /// A byte that nothing may begin or go on with there.
    #[error("unexpected character")]
    UnexpectedCharacter,
    /// A number with a leading zero, without digits, and the like.
    #[error("malformed number")]
    MalformedNumber,
    /// A backslash with something behind it that is no escape.
    #[error("malformed escape")]
    MalformedEscape,
    /// A raw control character inside a string.
    #[error("control character in a string")]
    ControlCharacter,
    /// More than [`MAX_DEPTH`] arrays and objects within each other.
    #[error("nesting too deep")]
    TooDeep,
}

/// Reads one value from the start of some bytes, blanks before it skipped.
///
/// Beyond RFC 8259 it takes the tokens `NaN`, `Infinity` and `-Infinity`, lone surrogates and invalid
/// UTF-8 inside strings, and repeated keys; numbers keep their digits whatever their size. Time and
/// memory are linear in the text, and nesting costs no stack.
///
/// # Errors
///
/// Where the text is not JSON even so, or nested deeper than [`MAX_DEPTH`].
///
/// ```
/// use convlog_codec::json::{Syntax, parse};
///
/// let parsed = parse(br#"{"cost": NaN} next"#)?;
/// assert_eq!(parsed.rest, b" next");
/// assert_eq!(parse(b"{\"half").unwrap_err().syntax, Syntax::UnterminatedString);
/// # Ok::<(), convlog_codec::json::SyntaxError>(())
/// ```
pub fn parse(text: &[u8]) -> Result<Parsed<'_>, SyntaxError> {
    let mut parser = Parser { rest: text, oddities: Oddities::default() };
    match parser.value() {
        Ok(value) => Ok(Parsed { value, rest: parser.rest, oddities: parser.oddities }),
        Err(syntax) => Err(SyntaxError { at: text.len().saturating_sub(parser.rest.len()), syntax }),
    }
}

struct Parser<'a> {
    rest: &'a [u8],
    oddities: Oddities,
}

/// An array or object that is not closed yet.
enum Open {
    Array(Vec<Value>),
    Object { members: Vec<(Key, Value)>, key: String },
}

impl<'a> Parser<'a> {
    fn value(&mut self) -> Result<Value, Syntax> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let mut value = match self.peek()? {
                b'{' if self.opens_empty(b'}') => Value::Object(Object::new()),
                b'[' if self.opens_empty(b']') => Value::Array(Vec::new()),
                bracket @ (b'{' | b'[') => {
                    if open.len() >= MAX_DEPTH {
                        return Err(Syntax::TooDeep);
                    }
                    open.push(if bracket == b'{' {
                        Open::Object { members: Vec::new(), key: self.key()? }
                    } else {
                        Open::Array(Vec::new())
                    });
                    continue;
                }
                b'"' => Value::String(self.string()?),
                b'-' | b'0'..=b'9' => self.number()?,
                _ => self.word()?,
            };
            // The value may close what surrounds it, and that what surrounds that, and so on.
            loop {
                let outermost = open.len() == 1;
                match open.last_mut() {
                    None => return Ok(value),
                    Some(Open::Array(values)) => {
                        values.push(value);
                        if !self.closes(b']')? {
                            break;
                        }
                        value = Value::Array(std::mem::take(values));
                    }
                    Some(Open::Object { members, key }) => {
                        members.push((std::mem::take(key).into(), value));
                        if !self.closes(b'}')? {
                            *key = self.key()?;
                            break;
                        }
                        let (object, repeated) = Object::from_members(std::mem::take(members));
                        self.oddities.repeated_key |= repeated && outermost;
                        value = Value::Object(object);
                    }
                }
                open.pop();
            }
        }
    }

    /// Skips blanks and looks at the byte behind them.
    fn peek(&mut self) -> Result<u8, Syntax> {
        let blanks = self.rest.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')).count();
        self.advance(blanks);
        self.rest.first().copied().ok_or(Syntax::UnexpectedEnd)
    }

    fn advance(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    /// Takes an opening bracket; and the closing one too when it follows, which it says.
    fn opens_empty(&mut self, closing: u8) -> bool {
        self.advance(1);
        let empty = self.peek() == Ok(closing);
        if empty {
            self.advance(1);
        }
        empty
    }

    /// Takes the comma or the closing bracket behind a value, and says whether it was the bracket.
    fn closes(&mut self, closing: u8) -> Result<bool, Syntax> {
        let byte = self.peek()?;
        if byte != closing && byte != b',' {
            return Err(Syntax::UnexpectedCharacter);
        }
        self.advance(1);
        Ok(byte == closing)
    }

    /// Takes a key and the colon behind it.
    fn key(&mut self) -> Result<String, Syntax> {
        if self.peek()? != b'"' {
            return Err(Syntax::UnexpectedCharacter);
        }
        let key = self.string()?;
        if self.peek()? != b':' {
            return Err(Syntax::UnexpectedCharacter);
        }
        self.advance(1);
        Ok(key)
    }

    /// Takes a string; the next byte is its opening quote.
    fn string(&mut self) -> Result<String, Syntax> {
        self.advance(1);
        let mut text = String::new();
        loop {
            let Some(at) = memchr2(b'"', b'\\', self.rest) else {
                self.rest = &[];
                return Err(Syntax::UnterminatedString);
            };
            let (plain, rest) = self.rest.split_at_checked(at).ok_or(Syntax::UnexpectedEnd)?;
            if let Some(control) = plain.iter().position(|b| *b < 0x20) {
                self.advance(control);
                return Err(Syntax::ControlCharacter);
            }
            match std::str::from_utf8(plain) {
                Ok(plain) => text.push_str(plain),
                Err(_) => {
                    self.oddities.invalid_utf8 = true;
                    text.push_str(&String::from_utf8_lossy(plain));
                }
            }
            self.rest = rest;
            if rest.first() == Some(&b'"') {
                self.advance(1);
                return Ok(text);
            }
            text.push(self.escape()?);
        }
    }

    /// Takes an escape; the next byte is its backslash.
    fn escape(&mut self) -> Result<char, Syntax> {
        let simple = match self.rest.get(1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            Some(_) => return Err(Syntax::MalformedEscape),
            None => return Err(Syntax::UnterminatedString),
        };
        self.advance(2);
        Ok(simple)
    }

    fn unicode_escape(&mut self) -> Result<char, Syntax> {
        let first = self.hex()?;
        if !(0xD800..0xE000).contains(&first) {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let before = self.rest;
        if first < 0xDC00 && self.rest.starts_with(b"\\u") {
            let second = self.hex()?;
            let pair = [first, second].map(|unit| u16::try_from(unit).unwrap_or_default());
            if let Some(Ok(character)) = char::decode_utf16(pair).next() {
                return Ok(character);
            }
            self.rest = before;
        }
        self.oddities.lone_surrogate = true;
        Ok(char::REPLACEMENT_CHARACTER)
    }

    /// Takes `\uXXXX`.
    fn hex(&mut self) -> Result<u32, Syntax> {
        let digits = match self.rest.get(2..6) {
            Some(digits) => digits,
            None if self.rest.contains(&b'"') => return Err(Syntax::MalformedEscape),
            None => return Err(Syntax::UnterminatedString),
        };
        let value = digits.iter().try_fold(0_u32, |value, digit| {
            let digit = char::from(*digit).to_digit(16)?;
            Some((value << 4) | digit)
        });
        let value = value.ok_or(Syntax::MalformedEscape)?;
        self.advance(6);
        Ok(value)
    }

    fn number(&mut self) -> Result<Value, Syntax> {
        if self.rest.starts_with(b"-I") {
            return self.word();
        }
        let is_part = |b: &&u8| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        let length = self.rest.iter().take_while(is_part).count();
        let (text, rest) = self.rest.split_at_checked(length).ok_or(Syntax::UnexpectedEnd)?;
        let number: Option<Number> = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
        let number = number.ok_or(Syntax::MalformedNumber)?;
        self.rest = rest;
        Ok(Value::Number(number))
    }

    fn word(&mut self) -> Result<Value, Syntax> {
        const WORDS: [&str; 6] = ["true", "false", "null", "NaN", "Infinity", "-Infinity"];
        for word in WORDS {
            if self.rest.starts_with(word.as_bytes()) {
                self.advance(word.len());
                return Ok(match word {
                    "true" => Value::Bool(true),
                    "false" => Value::Bool(false),
                    token => token.parse().map_or(Value::Null, Value::Number),
                });
            }
            if word.as_bytes().starts_with(self.rest) {
                self.rest = &[];
                return Err(Syntax::UnexpectedEnd);
            }
        }
        Err(Syntax::UnexpectedCharacter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &Result<Value, (Syntax, usize)>) {
        let found = parse(text.as_bytes()).map(|p| p.value).map_err(|e| (e.syntax, e.at));
        assert_eq!(&found, expected, "{text}");
    }

    #[test]
    fn each_way_to_fail_is_named_with_its_place() {
        for (text, syntax, at) in [
            ("", Syntax::UnexpectedEnd, 0),
            ("{", Syntax::UnexpectedEnd, 1),
            (r#"{"a"#, Syntax::UnterminatedString, 3),
            (r#"{"a\"#, Syntax::UnterminatedString, 3),
            (r#"{"a": "\u12"#, Syntax::UnterminatedString, 7),
            (r#"{"a": "\u12"}"#, Syntax::MalformedEscape, 7),
            (r#"{"a" 1}"#, Syntax::UnexpectedCharacter, 5),
            ("{a: 1}", Syntax::UnexpectedCharacter, 1),
            ("[1,]", Syntax::UnexpectedCharacter, 3),
            ("[1 2]", Syntax::UnexpectedCharacter, 3),
            ("01", Syntax::MalformedNumber, 0),
            ("-", Syntax::MalformedNumber, 0),
            ("tru", Syntax::UnexpectedEnd, 3),
            ("nul", Syntax::UnexpectedEnd, 3),
            (r#""\x""#, Syntax::MalformedEscape, 1),
            ("\"a\u{1}\"", Syntax::ControlCharacter, 2),
        ] {
            check(text, &Err((syntax, at)));
        }
    }

    #[test]
    fn surrogates_are_paired_or_replaced() {
        let cases = [
            (r#""\ud83d\ude00""#, "😀", false),
            (r#""\ud83dy""#, "\u{fffd}y", true),
            (r#""\ude00""#, "\u{fffd}", true),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀", true),
            (r#""\ud83d\u0041""#, "\u{fffd}A", true),
        ];
        for (text, expected, lone) in cases {
            let parsed = parse(text.as_bytes()).unwrap();
            assert_eq!((parsed.value.as_str(), parsed.oddities.lone_surrogate), (Some(expected), lone), "{text}");
        }
    }

    #[test]
    fn nesting_ends_at_the_limit_without_a_stack_overflow() {
        let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
        assert!(parse(deep(MAX_DEPTH).as_bytes()).is_ok());
        assert_eq!(parse(deep(1_000_000).as_bytes()).unwrap_err().syntax, Syntax::TooDeep);
    }

    #[test]
    fn an_empty_pair_of_brackets_at_the_limit_is_no_level() {
        check("[[], {}]", &Ok(Value::Array(vec![Value::Array(vec![]), Value::Object(Object::new())])));
    }
}
