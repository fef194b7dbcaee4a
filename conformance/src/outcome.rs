//! How a case ends: well, or with what was expected and what happened instead.

use std::fmt;

/// Why a case failed, in two halves that can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What should have happened.
    pub expected: String,
    /// What did.
    pub happened: String,
}

impl Failure {
    /// Both halves.
    pub fn new(expected: impl Into<String>, happened: impl Into<String>) -> Failure {
        Failure { expected: expected.into(), happened: happened.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected: {}\nhappened: {}", self.expected, self.happened)
    }
}

/// Result of a step of a case.
pub type Outcome<T = ()> = Result<T, Failure>;

/// Fails unless `holds`.
pub fn expect(holds: bool, expected: impl Into<String>, happened: impl FnOnce() -> String) -> Outcome {
    if holds { Ok(()) } else { Err(Failure::new(expected, happened())) }
}

/// Fails unless `got` is `want`; `what` names the thing compared.
pub fn expect_eq<T: PartialEq + fmt::Debug>(what: &str, got: T, want: T) -> Outcome {
    if got == want {
        return Ok(());
    }
    Err(Failure::new(format!("{what} is {want:?}"), format!("{what} is {got:?}")))
}

/// Fails unless both lists hold the same frames in the same order; tells the first difference, not all of it.
pub fn expect_frames(what: &str, got: &[Vec<u8>], want: &[Vec<u8>]) -> Outcome {
    for (place, (got, want)) in got.iter().zip(want).enumerate() {
        if got != want {
            let at = got.iter().zip(want).position(|(a, b)| a != b);
            let at = at.map_or("where one of them ends".into(), |byte| format!("at byte {byte}"));
            return Err(Failure::new(
                format!("{what}: frame {place} is {} bytes {}", want.len(), head(want)),
                format!("it is {} bytes {}, the first difference is {at}", got.len(), head(got)),
            ));
        }
    }
    expect(got.len() == want.len(), format!("{what}: {} frames", want.len()), || {
        let next = want.get(got.len()).map(|frame| format!("; the next would have been {}", head(frame)));
        format!("{} frames{}", got.len(), next.unwrap_or_default())
    })
}

/// The first bytes of a frame as hex.
fn head(frame: &[u8]) -> String {
    let shown = frame.len().min(32);
    let dots = if shown < frame.len() { "..." } else { "" };
    format!("{}{dots}", crate::protocol::hex(&frame[..shown]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_frames_are_told_apart_at_the_byte() {
        let failure = expect_frames("wire", &[vec![1, 2, 3]], &[vec![1, 9, 3]]).unwrap_err();
        assert!(failure.happened.contains("at byte 1"), "{failure}");
        let failure = expect_frames("wire", &[vec![1, 2]], &[vec![1, 2, 3]]).unwrap_err();
        assert!(failure.happened.contains("one of them ends"), "{failure}");
    }

    #[test]
    fn missing_and_surplus_frames_fail() {
        assert!(expect_frames("wire", &[], &[vec![1]]).is_err());
        assert!(expect_frames("wire", &[vec![1], vec![1]], &[vec![1]]).is_err());
        assert!(expect_frames("wire", &[vec![1]], &[vec![1]]).is_ok());
    }
}
