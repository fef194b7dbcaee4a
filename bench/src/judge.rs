//! Whether what a contender did may be counted. The lab looks at every byte; what the contender says of itself is only
//! compared.

use ringway_lab::ixgbe::Counters;
use ringway_lab::wire::generator::Direction;

use crate::event::Final;

/// The byte that the forward workload increments.
const TOUCHED: usize = 48;

/// Why a contender is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The packets come out as they went in.
    #[error("does not do the work: {packets} packets came out with byte 48 as it went in")]
    Untouched {
        /// How many.
        packets: u64,
    },
    /// Other bytes than they should be.
    #[error(
        "forwards wrong bytes: {packets} packets, the first at byte {offset}: {got} instead of {expected}"
    )]
    WrongBytes {
        /// How many.
        packets: u64,
        /// Where the first differs.
        offset: usize,
        /// The byte that should be there; `nothing` beyond the end.
        expected: String,
        /// The byte that is.
        got: String,
    },
    /// Frames that nobody sent, or not in this direction.
    #[error("sends what it should not: {packets} packets came out of the wrong NIC or are none that went in")]
    Strange {
        /// How many.
        packets: u64,
    },
    /// The same packet twice.
    #[error("sends {packets} packets twice")]
    Twice {
        /// How many.
        packets: u64,
    },
    /// Packets of a flow overtake each other.
    #[error("reorders: {packets} packets came after a later one")]
    Reorders {
        /// How many.
        packets: u64,
    },
    /// Fewer packets arrived than driver and NIC own up to.
    #[error("drops silently: {packets} packets are missing that neither it nor the NIC has counted")]
    DropsSilently {
        /// How many.
        packets: u64,
    },
    /// Packets got lost although there was no reason.
    #[error("drops without need: {packets} of {of} packets did not arrive at a load that is no load")]
    DropsWithoutNeed {
        /// How many.
        packets: u64,
        /// Of how many.
        of: u64,
    },
    /// No packet at all.
    #[error("forwards nothing: not one packet arrived")]
    Nothing,
    /// Frames of `generate` that are not what was asked for.
    #[error(
        "generates wrong frames: {packets} of the wrong length, from the wrong address, or the same again"
    )]
    WrongFrames {
        /// How many.
        packets: u64,
    },
    /// Other bytes in the file of `capture` than were on the wire.
    #[error(
        "captures wrong bytes: packet {packet} of the file has {got} instead of {expected} at byte {offset}"
    )]
    WrongCapture {
        /// Which packet of the file, from 1.
        packet: usize,
        /// Where it differs from the one that was next on the wire.
        offset: usize,
        /// The byte that should be there; `nothing` beyond the end.
        expected: String,
        /// The byte that is.
        got: String,
    },
    /// The file of `capture` does not hold packets in the order in which they came.
    #[error(
        "captures out of order: packet {packet} of the file was on the wire before the one in front of it, or is that one"
    )]
    CaptureOutOfOrder {
        /// Which packet of the file, from 1.
        packet: usize,
    },
    /// What `capture` writes is no capture of whole packets.
    #[error("captures nothing that can be read: {0}")]
    Unreadable(String),
    /// It stopped working.
    #[error("fails: {0}")]
    Fails(String),
}

/// What was lost with everybody's knowledge, both directions together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Packets that went in and did not come out.
    pub missing: u64,
    /// Of those: not explained, because the contender tells no counters.
    pub unexplained: u64,
}

/// Judges a run of `forward`, after everything has come to rest.
///
/// # Errors
/// The first and worst reason not to count it.
pub fn forward(
    directions: &[Direction],
    ports: &[Counters],
    said: Option<&Final>,
) -> Result<Losses, Refusal> {
    directions.iter().try_for_each(bytes)?;
    let sum = |count: fn(&Direction) -> u64| directions.iter().map(count).sum::<u64>();
    match sum(|direction| direction.unexpected) {
        0 => {}
        packets => return Err(Refusal::Strange { packets }),
    }
    match sum(|direction| direction.duplicates + direction.stale) {
        0 => {}
        packets => return Err(Refusal::Twice { packets }),
    }
    match sum(|direction| direction.reordered) {
        0 => {}
        packets => return Err(Refusal::Reorders { packets }),
    }
    if sum(|direction| direction.received) == 0 {
        return Err(Refusal::Nothing);
    }
    losses(directions, ports, said)
}

fn bytes(direction: &Direction) -> Result<(), Refusal> {
    let packets = direction.corrupt;
    let Some(first) = direction.first_corrupt.filter(|_| packets > 0) else { return Ok(()) };
    let untouched = first.offset == TOUCHED && first.expected.map(|byte| byte.wrapping_sub(1)) == first.got;
    if untouched {
        return Err(Refusal::Untouched { packets });
    }
    let (expected, got) = (show(first.expected), show(first.got));
    Err(Refusal::WrongBytes { packets, offset: first.offset, expected, got })
}

fn show(byte: Option<u8>) -> String {
    byte.map_or_else(|| "nothing".to_owned(), |byte| format!("{byte:#04x}"))
}

/// Judges the file of a `capture`: every packet in it must be one that was `sent`, byte for byte and in that order, and all
/// that the NIC has delivered must be there but for `errors`, which the driver owns up to. Which packets the NIC dropped
/// nobody knows; how many, it tells by what it has delivered.
///
/// # Errors
/// The first reason not to believe it.
pub fn capture<'a>(
    sent: &[&[u8]],
    captured: impl Iterator<Item = &'a [u8]>,
    delivered: u64,
    errors: u64,
) -> Result<(), Refusal> {
    let (mut next, mut count) = (0, 0);
    for (place, bytes) in captured.enumerate() {
        let Some(passed) = sent[next..].iter().position(|frame| *frame == bytes) else {
            return Err(wrong(sent, next, place + 1, bytes));
        };
        next += passed + 1;
        count += 1;
    }
    match delivered.saturating_sub(count + errors) {
        0 => Ok(()),
        packets => Err(Refusal::DropsSilently { packets }),
    }
}

/// What is wrong with a captured packet that is none of those from `next` on.
fn wrong(sent: &[&[u8]], next: usize, packet: usize, bytes: &[u8]) -> Refusal {
    if sent[..next].contains(&bytes) {
        return Refusal::CaptureOutOfOrder { packet };
    }
    let right = sent.get(next).copied().unwrap_or_default();
    let differs = |at: &usize| right.get(*at) != bytes.get(*at);
    let offset = (0..right.len().max(bytes.len())).find(differs).unwrap_or_default();
    let (expected, got) = (show(right.get(offset).copied()), show(bytes.get(offset).copied()));
    Refusal::WrongCapture { packet, offset, expected, got }
}

/// Every missing packet must be one that the NICs or the driver have counted.
fn losses(directions: &[Direction], ports: &[Counters], said: Option<&Final>) -> Result<Losses, Refusal> {
    let mut losses = Losses::default();
    for (from, direction) in directions.iter().enumerate() {
        let to = directions.len() - 1 - from;
        let missing = direction.missing();
        let by_nics = ports.get(from).map_or(0, |port| port.dropped.total())
            + ports.get(to).map_or(0, |port| port.tx_lost);
        let by_driver = said
            .and_then(|said| said.devices.get(from))
            .map_or(0, |device| device.dropped + device.rx_errors);
        losses.missing += missing;
        losses.unexplained += missing.saturating_sub(by_nics + by_driver);
    }
    match said {
        Some(_) if losses.unexplained > 0 => Err(Refusal::DropsSilently { packets: losses.unexplained }),
        _ => Ok(losses),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::DeviceCounts;
    use ringway_lab::wire::generator::Corruption;

    fn both(change: impl Fn(&mut Direction)) -> [Direction; 2] {
        let mut direction = Direction { sent: 100, received: 100, ..Direction::default() };
        change(&mut direction);
        [Direction { sent: 100, received: 100, ..Direction::default() }, direction]
    }

    fn said(dropped: u64) -> Final {
        let device = |dropped| DeviceCounts { dropped, ..DeviceCounts::default() };
        Final { devices: vec![device(0), device(dropped)], ..Final::default() }
    }

    fn judged(directions: [Direction; 2], dropped: u64) -> Result<Losses, Refusal> {
        forward(&directions, &[Counters::default(); 2], Some(&said(dropped)))
    }

    #[test]
    fn what_arrives_as_it_should_is_counted() {
        assert_eq!(judged(both(|_| {}), 0), Ok(Losses::default()));
    }

    #[test]
    fn an_echo_is_told_from_damage() {
        let wrong = |offset, got| {
            both(move |direction| {
                direction.corrupt = 7;
                let (expected, got) = (Some(0x10), Some(got));
                direction.first_corrupt = Some(Corruption { sequence: 0, offset, expected, got });
            })
        };
        assert_eq!(judged(wrong(48, 0x0f), 0), Err(Refusal::Untouched { packets: 7 }));
        assert!(matches!(judged(wrong(48, 0x11), 0), Err(Refusal::WrongBytes { offset: 48, .. })));
        assert!(matches!(judged(wrong(47, 0x0f), 0), Err(Refusal::WrongBytes { offset: 47, .. })));
    }

    #[test]
    fn strange_double_and_late_packets_are_refused() {
        assert_eq!(judged(both(|it| it.unexpected = 3), 0), Err(Refusal::Strange { packets: 3 }));
        assert_eq!(judged(both(|it| it.duplicates = 3), 0), Err(Refusal::Twice { packets: 3 }));
        assert_eq!(judged(both(|it| it.reordered = 3), 0), Err(Refusal::Reorders { packets: 3 }));
        let nothing = [Direction::default(), Direction::default()];
        assert_eq!(judged(nothing, 0), Err(Refusal::Nothing));
    }

    #[test]
    fn a_capture_must_hold_what_was_delivered_byte_for_byte_and_in_order() {
        let sent: [&[u8]; 4] = [b"one", b"two", b"three", b"four"];
        let judged = |captured: &[&[u8]], delivered, errors| {
            capture(&sent, captured.iter().copied(), delivered, errors)
        };
        assert_eq!(judged(&sent, 4, 0), Ok(()));
        assert_eq!(judged(&[b"one", b"four"], 2, 0), Ok(()), "the NIC dropped the others");
        assert_eq!(judged(&[b"one", b"four"], 3, 1), Ok(()), "one was owned up to");
        assert_eq!(judged(&[b"one", b"four"], 3, 0), Err(Refusal::DropsSilently { packets: 1 }));
        assert_eq!(judged(&[b"two", b"one"], 2, 0), Err(Refusal::CaptureOutOfOrder { packet: 2 }));
        assert_eq!(judged(&[b"one", b"one"], 2, 0), Err(Refusal::CaptureOutOfOrder { packet: 2 }));
        let wrong = |packet, offset, expected: &str, got: &str| {
            let (expected, got) = (expected.to_owned(), got.to_owned());
            Err(Refusal::WrongCapture { packet, offset, expected, got })
        };
        assert_eq!(judged(&[b"one", b"twO"], 2, 0), wrong(2, 2, "0x6f", "0x4f"));
        assert_eq!(judged(&[b"on"], 1, 0), wrong(1, 2, "0x65", "nothing"));
        assert_eq!(judged(&[b"one!"], 1, 0), wrong(1, 3, "nothing", "0x21"));
        assert_eq!(judged(&[b"four", b"five"], 2, 0), wrong(2, 0, "nothing", "0x66"));
    }

    #[test]
    fn a_loss_must_be_owned_up_to() {
        let lost = || both(|direction| direction.lost = 5);
        assert_eq!(judged(lost(), 5), Ok(Losses { missing: 5, unexplained: 0 }));
        assert_eq!(judged(lost(), 3), Err(Refusal::DropsSilently { packets: 2 }));
        let mut ports = [Counters::default(); 2];
        ports[1].dropped.no_descriptor = 2;
        assert!(forward(&lost(), &ports, Some(&said(3))).is_ok());
        ports[1].dropped.no_descriptor = 0;
        ports[0].dropped.no_descriptor = 2;
        assert!(forward(&lost(), &ports, Some(&said(3))).is_err(), "another NIC's drops explain nothing");
        let mute = forward(&lost(), &[Counters::default(); 2], None).unwrap();
        assert_eq!(mute, Losses { missing: 5, unexplained: 5 });
    }
}
