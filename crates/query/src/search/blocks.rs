//! A file in blocks of whole lines, to be matched as bytes: [`Blocks`].

use std::io::{self, ErrorKind, Read};

use memchr::memrchr;

/// How much is read at a time.
const BLOCK: usize = 256 << 10;

/// A file in blocks that end where lines end. Memory is one block, or the longest line.
#[derive(Debug)]
pub(super) struct Blocks<'a, R> {
    input: R,
    buffer: &'a mut Vec<u8>,
    /// The lines that were handed out last end here; what follows is the beginning of a line.
    used: usize,
    /// How much of the buffer was read.
    filled: usize,
}

impl<'a, R: Read> Blocks<'a, R> {
    /// The buffer may hold anything; one that is used again is not made again.
    pub(super) fn new(input: R, buffer: &'a mut Vec<u8>) -> Self {
        Self { input, buffer, used: 0, filled: 0 }
    }

    /// The next lines; `None` at the end of the file.
    pub(super) fn next_block(&mut self) -> io::Result<Option<&[u8]>> {
        self.buffer.copy_within(self.used..self.filled, 0);
        self.filled = self.filled.saturating_sub(self.used);
        self.used = 0;
        loop {
            // A hole in a file, however large, begins no text.
            if self.filled >= BLOCK && self.buffer.iter().take(self.filled).all(|byte| *byte == 0) {
                self.filled = 0;
            }
            let wanted = self.filled.saturating_add(BLOCK);
            if self.buffer.len() < wanted {
                self.buffer.resize(wanted, 0);
            }
            let room = self.buffer.get_mut(self.filled..).unwrap_or_default();
            let read = match self.input.read(room) {
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let before = self.filled;
            self.filled = before.saturating_add(read);
            let fresh = self.buffer.get(before..self.filled).unwrap_or_default();
            if read == 0 {
                self.used = self.filled;
                break;
            }
            if let Some(newline) = memrchr(b'\n', fresh) {
                self.used = before.saturating_add(newline).saturating_add(1);
                break;
            }
        }
        let lines = self.buffer.get(..self.used).unwrap_or_default();
        Ok((!lines.is_empty()).then_some(lines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_whole_lines_and_all_of_them() {
        let long = vec![b'x'; 3 * BLOCK];
        let file = [b"one\ntwo\n".as_slice(), &long, b"\n", &vec![b'y'; BLOCK], b"\nlast"].concat();
        let mut buffer = b"from before".to_vec();
        let mut blocks = Blocks::new(file.as_slice(), &mut buffer);
        let mut all = Vec::new();
        while let Some(block) = blocks.next_block().unwrap() {
            assert!(block.ends_with(b"\n") || block.ends_with(b"last"));
            all.extend_from_slice(block);
        }
        assert_eq!(all, file);
    }

    #[test]
    fn a_hole_takes_no_memory() {
        let file = [vec![0; 20 * BLOCK], b"text\n".to_vec()].concat();
        let mut buffer = b"from before".to_vec();
        let mut blocks = Blocks::new(file.as_slice(), &mut buffer);
        assert!(blocks.next_block().unwrap().unwrap().ends_with(b"text\n"));
        assert!(buffer.len() <= 3 * BLOCK);
    }
}
