//! The words of a line: arguments in, answers out.

use std::fmt::Write;

/// Why a command has no good answer.
#[derive(Debug)]
pub enum Refusal {
    /// The driver said no.
    Driver(ringway::Error),
    /// The line makes no sense.
    Usage(String),
}

impl From<ringway::Error> for Refusal {
    fn from(error: ringway::Error) -> Refusal {
        Refusal::Driver(error)
    }
}

/// A good answer's words, or why there is none.
pub type Answer = Result<String, Refusal>;

/// The line that goes out.
pub fn line(answer: Answer) -> String {
    let (kind, message) = match answer {
        Ok(words) if words.is_empty() => return "ok".into(),
        Ok(words) => return format!("ok {words}"),
        Err(Refusal::Driver(error)) => (error.kind(), error.to_string()),
        Err(Refusal::Usage(message)) => ("Usage", message),
    };
    format!("error {kind} {}", message.replace(['\n', '\r'], " "))
}

/// The words behind the command: positional ones first, then `KEY=VALUE`.
pub struct Words<'a> {
    plain: Vec<&'a str>,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Words<'a> {
    pub fn new(words: impl Iterator<Item = &'a str>) -> Words<'a> {
        let (mut plain, mut pairs) = (Vec::new(), Vec::new());
        for word in words {
            match word.split_once('=') {
                // An address may have a `=` in its path.
                Some(pair) if !word.starts_with("unix:") => pairs.push(pair),
                _ => plain.push(word),
            }
        }
        Words { plain, pairs }
    }

    /// The positional word at `index`.
    pub fn word(&self, index: usize, what: &str) -> Result<&'a str, Refusal> {
        self.plain.get(index).copied().ok_or_else(|| Refusal::Usage(format!("{what} is missing")))
    }

    /// All positional words from `index` on.
    pub fn rest(&self, index: usize) -> &[&'a str] {
        self.plain.get(index..).unwrap_or(&[])
    }

    /// The positional number at `index`.
    pub fn number<T: std::str::FromStr>(&self, index: usize, what: &str) -> Result<T, Refusal> {
        parse(self.word(index, what)?, what)
    }

    /// The number of a key, if it is there.
    pub fn optional<T: std::str::FromStr>(&self, key: &str) -> Result<Option<T>, Refusal> {
        let found = self.pairs.iter().find(|(name, _)| *name == key);
        found.map(|(_, value)| parse(value, key)).transpose()
    }

    /// The number of a key, or what holds without it.
    pub fn key<T: std::str::FromStr>(&self, key: &str, default: T) -> Result<T, Refusal> {
        Ok(self.optional(key)?.unwrap_or(default))
    }
}

fn parse<T: std::str::FromStr>(word: &str, what: &str) -> Result<T, Refusal> {
    word.parse().map_err(|_| Refusal::Usage(format!("{what}: {word} is no number that fits")))
}

/// Bytes as lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Bytes of a hex word.
pub fn unhex(word: &str) -> Result<Vec<u8>, Refusal> {
    let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
    let pair = |pair: &[u8]| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?);
    let bytes: Option<Vec<u8>> = word.as_bytes().chunks(2).map(pair).collect();
    bytes.ok_or_else(|| Refusal::Usage(format!("a packet that is no hex: {:.20}", word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_keys_come_in_any_order() {
        let words = Words::new("unix:/a=b rx_queues=2 7".split(' '));
        assert_eq!(words.word(0, "address").unwrap(), "unix:/a=b");
        assert_eq!(words.number::<u32>(1, "n").unwrap(), 7);
        assert_eq!(words.key("rx_queues", 1u16).unwrap(), 2);
        assert_eq!(words.key("tx_queues", 1u16).unwrap(), 1);
        assert!(words.number::<u8>(0, "n").is_err());
    }

    #[test]
    fn hex_goes_both_ways() {
        assert_eq!(hex(&[0, 0xab, 9]), "00ab09");
        assert_eq!(unhex("00ab09").unwrap(), [0, 0xab, 9]);
        assert!(unhex("0").is_err() && unhex("0x").is_err());
    }

    #[test]
    fn an_answer_is_one_line() {
        assert_eq!(line(Ok(String::new())), "ok");
        assert_eq!(line(Ok("n=1".into())), "ok n=1");
        assert_eq!(line(Err(Refusal::Usage("a\nb".into()))), "error Usage a b");
    }
}
