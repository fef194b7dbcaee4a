//! The last lines of a text that somebody else writes: the trace of a NIC.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A writer that keeps the last lines. Clones share them.
#[derive(Clone, Debug)]
pub struct Tail {
    lines: Arc<Mutex<VecDeque<Vec<u8>>>>,
    limit: usize,
}

impl Tail {
    /// Keeps the last `limit` lines.
    pub fn new(limit: usize) -> Tail {
        Tail { lines: Arc::default(), limit }
    }

    /// What is kept, oldest first.
    pub fn lines(&self) -> Vec<String> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().map(|line| String::from_utf8_lossy(line).trim_end().to_owned()).collect()
    }
}

impl Write for Tail {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            match lines.back_mut() {
                Some(last) if !last.ends_with(b"\n") => last.extend(piece),
                _ => lines.push_back(piece.to_vec()),
            }
        }
        let surplus = lines.len().saturating_sub(self.limit);
        lines.drain(..surplus);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_last_lines_however_they_are_cut() {
        let mut tail = Tail::new(2);
        for piece in ["a\nb", "b\nc\n", "d", "d\n"] {
            tail.write_all(piece.as_bytes()).unwrap();
        }
        assert_eq!(tail.lines(), ["c", "dd"]);
    }
}
