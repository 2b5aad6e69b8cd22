//! A JSON number that keeps its digits: [`Number`].

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A number as it stands in a file: any size, any precision, in the very digits it was written in.
///
/// Its text is JSON, or one of the three tokens `NaN`, `Infinity` and `-Infinity` that Python writes
/// (these can only be read, not made: see [`Number::from_f64`]).
///
/// Two numbers are equal when their texts are: `1.5` and `1.50` are not.
///
/// ```
/// use convlog_message::json::Number;
///
/// let big: Number = "18446744073709551617".parse()?;
/// assert_eq!(big.as_u64(), None);
/// assert_eq!(big.text(), "18446744073709551617");
/// assert_eq!(Number::from_f64(1e-7).map(|n| n.to_string()), Some("1e-07".to_owned()));
/// assert_eq!(Number::from_f64(f64::NAN), None);
/// # Ok::<(), convlog_message::json::ParseNumberError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Number(Repr);

/// Each text in one way only, so that equality is that of the texts.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// An integer in its usual digits.
    Integer(i64),
    /// The bits of a finite float whose text is that of Python's `repr`.
    Float(u64),
    /// Any other text.
    Text(Box<str>),
}

/// The text is no JSON number.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is not a JSON number")]
pub struct ParseNumberError {
    /// What was given.
    pub text: String,
}

impl Number {
    /// The number in the digits that Python's `repr` gives; `None` for NaN and the infinities, which
    /// JSON cannot say.
    #[must_use]
    pub fn from_f64(value: f64) -> Option<Self> {
        value.is_finite().then(|| Self(Repr::Float(value.to_bits())))
    }

    /// The text as it stands in a file.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match &self.0 {
            Repr::Integer(value) => Cow::Owned(value.to_string()),
            Repr::Float(bits) => Cow::Owned(python_repr(f64::from_bits(*bits))),
            Repr::Text(text) => Cow::Borrowed(text),
        }
    }

    /// The value, when it is an integer from `i64::MIN` to `i64::MAX` written without point or exponent.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Integer(value) => Some(*value),
            Repr::Float(_) => None,
            Repr::Text(text) => text.parse().ok(),
        }
    }

    /// The value, when it is an integer from 0 to `u64::MAX` written without point or exponent.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match &self.0 {
            Repr::Integer(value) => u64::try_from(*value).ok(),
            Repr::Float(_) => None,
            Repr::Text(text) => text.parse().ok(),
        }
    }

    /// The nearest finite `f64`; `None` for the non-finite tokens and for what overflows.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match &self.0 {
            Repr::Float(bits) => Some(f64::from_bits(*bits)),
            _ => self.text().parse().ok().filter(|value: &f64| value.is_finite()),
        }
    }

    /// Whether the text is a JSON number, not one of the tokens `NaN`, `Infinity`, `-Infinity`.
    #[must_use]
    pub fn is_json(&self) -> bool {
        match &self.0 {
            Repr::Text(text) => !TOKENS.contains(&&**text),
            _ => true,
        }
    }

    /// Whether Python's `json.dumps` would write the very same text after reading it.
    ///
    /// Integers do, save `-0`; floats do when they are in `repr`'s shortest form.
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        match &self.0 {
            Repr::Text(text) => {
                let is_integer = text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
                !self.is_json() || (is_integer && &**text != "-0")
            }
            _ => true,
        }
    }
}

/// What Python writes for floats that JSON cannot say.
const TOKENS: [&str; 3] = ["NaN", "Infinity", "-Infinity"];

impl FromStr for Number {
    type Err = ParseNumberError;

    /// Takes a JSON number (RFC 8259) or one of Python's three non-finite tokens, nothing else.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if !is_json_number(text) && !TOKENS.contains(&text) {
            return Err(ParseNumberError { text: text.to_owned() });
        }
        if text != "-0"
            && let Ok(integer) = text.parse()
        {
            return Ok(Self(Repr::Integer(integer)));
        }
        Ok(Self(match text.parse::<f64>() {
            Ok(value) if value.is_finite() && python_repr(value) == text => Repr::Float(value.to_bits()),
            _ => Repr::Text(text.into()),
        }))
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self(Repr::Integer(value))
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        match i64::try_from(value) {
            Ok(value) => value.into(),
            Err(_) => Self(Repr::Text(value.to_string().into())),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Integer(value) => value.fmt(f),
            _ => f.write_str(&self.text()),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Number({self})")
    }
}

/// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`, whole.
fn is_json_number(text: &str) -> bool {
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    digits(whole)
        && (whole.len() == 1 || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|e| digits(e.strip_prefix(['+', '-']).unwrap_or(e)))
}

/// A finite float as Python's `repr` writes it: the shortest digits that read back to it, with an
/// exponent of at least two digits when the decimal point would lie more than 4 places before the
/// first digit or more than 16 behind it.
fn python_repr(value: f64) -> String {
    let scientific = format!("{value:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        // Within this range Rust's plain form has the same shortest digits, but no `.0`.
        let plain = value.to_string();
        if plain.contains('.') { plain } else { plain + ".0" }
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_written_as_python_does() {
        let cases = [
            (0.1, "0.1"),
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (1e-7, "1e-07"),
            (1e16, "1e+16"),
            (9_999_999_999_999_998.0, "9999999999999998.0"),
            (0.0001, "0.0001"),
            (0.000_01, "1e-05"),
            (5e-324, "5e-324"),
            (1.797_693_134_862_315_7e308, "1.7976931348623157e+308"),
            (1.5e300, "1.5e+300"),
        ];
        for (value, text) in cases {
            assert_eq!(python_repr(value), text);
            assert!(text.parse::<Number>().unwrap().is_canonical(), "{text}");
        }
    }

    #[test]
    fn only_json_numbers_and_pythons_tokens_are_taken() {
        for good in ["0", "-0", "10", "1.50", "1e5", "1E+05", "0.0", "NaN", "-Infinity"] {
            assert!(good.parse::<Number>().is_ok(), "{good}");
        }
        for bad in ["", "-", "01", "1.", ".5", "1e", "+1", "1_0", "nan", "0x1", "1 ", "--1", "1e1.5", "٣"] {
            assert!(bad.parse::<Number>().is_err(), "{bad}");
        }
    }

    #[test]
    fn what_python_would_write_otherwise_is_not_canonical() {
        for odd in ["1.50", "1e5", "-0", "1E5", "1e400", "0.10", "1e-7"] {
            assert!(!odd.parse::<Number>().unwrap().is_canonical(), "{odd}");
        }
        for same in ["0", "-1", "123456789012345678901234567890", "NaN", "1.5"] {
            assert!(same.parse::<Number>().unwrap().is_canonical(), "{same}");
        }
    }
}
