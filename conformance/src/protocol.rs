//! The words of the testee protocol: answers, kinds of error, packets as hex. See `README.md` of this crate.

use std::collections::BTreeMap;
use std::fmt;

/// Version of the protocol that this judge speaks.
pub const PROTOCOL: u64 = 1;

/// Kind of an error answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A wait ran out.
    Timeout,
    /// Nothing at the address.
    NoSuchDevice,
    /// No right, or somebody else has it.
    PermissionDenied,
    /// The device or the request is not supported.
    Unsupported,
    /// DMA memory or pool cannot hold what was asked.
    OutOfMemory,
    /// The device broke a rule or went away.
    DeviceFailed,
    /// The judge's own fault.
    Usage,
}

impl Kind {
    const ALL: [Kind; 7] = [
        Kind::Timeout,
        Kind::NoSuchDevice,
        Kind::PermissionDenied,
        Kind::Unsupported,
        Kind::OutOfMemory,
        Kind::DeviceFailed,
        Kind::Usage,
    ];

    fn parse(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.to_string() == word)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// An `error` answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of error.
    pub kind: Kind,
    /// The driver's words.
    pub message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error {} {}", self.kind, self.message)
    }
}

/// The `KEY=VALUE` words of an `ok` answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(BTreeMap<String, String>);

impl Fields {
    /// The value of `key`, if the answer has it.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// The value of `key` as a decimal number; the error says what is wrong.
    pub fn number(&self, key: &str) -> Result<u64, String> {
        let text = self.text(key).ok_or_else(|| format!("no {key}= in the answer"))?;
        text.parse().map_err(|_| format!("{key}={text} is no decimal number"))
    }

    /// The comma separated packets of `key`; none if the key is absent.
    pub fn packets(&self, key: &str) -> Result<Vec<Vec<u8>>, String> {
        self.text(key).map_or(Ok(Vec::new()), |text| text.split(',').map(from_hex).collect())
    }

    /// The comma separated words of `key`; none if the key is absent or empty.
    pub fn list(&self, key: &str) -> Vec<String> {
        self.text(key).unwrap_or_default().split(',').filter(|w| !w.is_empty()).map(str::to_owned).collect()
    }
}

/// One answer of a testee.
pub type Answer = Result<Fields, Refusal>;

/// Reads a line that a testee wrote. The error says which rule of the protocol it breaks.
pub fn parse(line: &str) -> Result<Answer, String> {
    if let Some(rest) = line.strip_prefix("error ") {
        let (kind, message) = rest.split_once(' ').unwrap_or((rest, ""));
        let kind = Kind::parse(kind).ok_or_else(|| format!("{kind:?} is no kind of error"))?;
        if message.trim().is_empty() {
            return Err("an error without a message".into());
        }
        return Ok(Err(Refusal { kind, message: message.to_owned() }));
    }
    let rest = match line.strip_prefix("ok") {
        Some("") => return Ok(Ok(Fields::default())),
        Some(rest) => rest.strip_prefix(' '),
        None => None,
    };
    let rest = rest.ok_or("an answer starts with the word ok or error")?;
    let mut fields = BTreeMap::new();
    for word in rest.split(' ') {
        let (key, value) =
            word.split_once('=').ok_or_else(|| format!("{:?} is not KEY=VALUE", short(word)))?;
        if fields.insert(key.to_owned(), value.to_owned()).is_some() {
            return Err(format!("{key}= twice"));
        }
    }
    Ok(Ok(Fields(fields)))
}

/// Lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

fn from_hex(text: &str) -> Result<Vec<u8>, String> {
    let digit = |digit: u8| match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        _ => Err(format!("{:?} is not lower-case hex", short(text))),
    };
    if text.is_empty() || text.len() % 2 == 1 {
        return Err(format!("a packet of {} hex digits", text.len()));
    }
    text.as_bytes().chunks_exact(2).map(|pair| Ok(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
}

/// At most the first 60 characters, so that a line of packets does not drown the message.
pub fn short(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}... ({} characters)", &text[..end], text.chars().count()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_answers() {
        assert_eq!(parse("ok"), Ok(Ok(Fields::default())));
        let fields = parse("ok n=2 packets=0aff,00 features=").unwrap().unwrap();
        assert_eq!(fields.number("n"), Ok(2));
        assert_eq!(fields.packets("packets"), Ok(vec![vec![0x0a, 0xff], vec![0]]));
        assert_eq!(fields.list("features"), Vec::<String>::new());
        let refusal = parse("error Timeout RXDCTL[0] waited 1 s").unwrap().unwrap_err();
        assert_eq!(refusal, Refusal { kind: Kind::Timeout, message: "RXDCTL[0] waited 1 s".into() });
    }

    #[test]
    fn bad_answers_name_the_rule() {
        for (line, why) in [
            ("okay", "starts with"),
            ("", "starts with"),
            ("ok n", "KEY=VALUE"),
            ("ok n=1  m=2", "KEY=VALUE"),
            ("ok n=1 n=2", "twice"),
            ("error Oops x", "no kind"),
            ("error Timeout", "without a message"),
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(why), "{line:?}: {error}");
        }
    }

    #[test]
    fn bad_packets_are_refused() {
        for line in ["ok p=0", "ok p=0G", "ok p=AA", "ok p=aa,,bb"] {
            assert!(parse(line).unwrap().unwrap().packets("p").is_err(), "{line}");
        }
    }

    #[test]
    fn hex_goes_both_ways() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(from_hex(&hex(&bytes)), Ok(bytes));
    }
}
