//! The mutator: an input of the corpus, changed in a few places.

use crate::random::Random;

/// Most bytes of an input: what is longer shows nothing that a short one does not.
const MOST: usize = 8 << 10;

/// Words that mean something to one of the readers.
const WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\",
    "\n",
    "\r\n",
    "\0\0\0\0",
    "\u{feff}",
    "null",
    "true",
    "NaN",
    "-Infinity",
    "1e999",
    "-0.0",
    "123456789012345678901234567890",
    "\\ud83d",
    "\\u0000",
    "{\"role\": \"user\", \"content\": \"\"}\n",
    "\"seq\": 0",
    "\"seq\": 18446744073709551615",
    "\"type\": \"checkpoint\"",
    "\"payload\": {\"messages\": []}",
    "\"type\": \"undo\", \"payload\": {\"n\": 99}",
    "\"convlog\": {}",
    "\"hash\": \"00\"",
    "[[messages]]\n",
    "'''",
    "\"\"\"",
    "= ",
    "2026-01-02T03:04:05",
    "```",
    "~~~~",
    "```python\n",
    "<think>",
    "</think>",
    "    ",
    "\t",
    "\u{2028}",
];

/// Changes an input in a few places, now and then with a piece of another one.
pub fn mutate(input: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = input.to_vec();
    bytes.truncate(MOST);
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        let end = (at + 1 + random.below(24)).min(bytes.len());
        match random.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            2 => drop(bytes.drain(at..end)),
            3 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            4 => bytes.truncate(at),
            5 if !other.is_empty() => {
                let from = random.below(other.len());
                let piece = other[from..(from + 1 + random.below(200)).min(other.len())].to_vec();
                bytes.splice(at..at, piece);
            }
            6 => {
                // A line said again, or lost.
                let lines: Vec<_> = bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
                if !lines.is_empty() {
                    let times = random.below(3);
                    let chosen = random.below(lines.len());
                    let one = |(place, line): (usize, &Vec<u8>)| line.repeat(if place == chosen { times } else { 1 });
                    bytes = lines.iter().enumerate().flat_map(one).collect();
                }
            }
            _ => drop(bytes.splice(at..at, WORDS[random.below(WORDS.len())].bytes())),
        }
    }
    bytes.truncate(MOST);
    bytes
}
