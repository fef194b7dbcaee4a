//! TCP segmentation: one large packet in, many frames out (82599 7.2.4).

use super::checksum::Sum;
use super::offload::{self, Complaint, Context, Transport};
use super::registers::RegisterFile;
use super::regs::{self, dtxtcpflgh, dtxtcpflgl};

/// Where TCP keeps its sequence number and its flags.
const SEQUENCE: usize = 4;
const FLAGS: usize = 12;
/// The upper four bits of the flags' word are the header's length.
const HEADER_LENGTH: u16 = 0xF000;

/// TCP flags that survive in the first, middle and last segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagMasks {
    first: u16,
    middle: u16,
    last: u16,
}

impl FlagMasks {
    /// From DTXTCPFLGL and DTXTCPFLGH.
    pub fn load(registers: &RegisterFile) -> Self {
        let low = registers.of(regs::DTXTCPFLGL);
        FlagMasks {
            first: dtxtcpflgl::FIRST.get(low) as u16,
            middle: dtxtcpflgl::MIDDLE.get(low) as u16,
            last: dtxtcpflgh::LAST.get(registers.of(regs::DTXTCPFLGH)) as u16,
        }
    }

    fn of(self, first: bool, last: bool) -> u16 {
        match (first, last) {
            // A packet that fits one segment is first and last: it keeps its flags.
            (true, true) => 0xFFF,
            (true, false) => self.first,
            (false, true) => self.last,
            (false, false) => self.middle,
        }
    }
}

/// Cuts `packet` into segments of at most `context.segment` bytes of payload. Each is built in `buffer` and handed to
/// `emit` as buffer and length.
pub fn segment(
    packet: &[u8],
    context: &Context,
    masks: FlagMasks,
    buffer: &mut [u8],
    mut emit: impl FnMut(&mut [u8], usize),
) -> Result<(), Complaint> {
    let headers = context.transport_at() + context.transport;
    check(packet, context, headers, buffer.len())?;
    let payload = packet.len() - headers;
    let count = payload.div_ceil(context.segment).max(1);
    for number in 0..count {
        let from = headers + number * context.segment;
        let to = packet.len().min(from + context.segment);
        let length = headers + to - from;
        buffer[..headers].copy_from_slice(&packet[..headers]);
        buffer[headers..length].copy_from_slice(&packet[from..to]);
        let flags = masks.of(number == 0, number + 1 == count);
        patch_network(&mut buffer[..length], context, number)?;
        patch_transport(&mut buffer[..length], context, number, flags)?;
        emit(buffer, length);
    }
    Ok(())
}

fn check(packet: &[u8], context: &Context, headers: usize, room: usize) -> Result<(), Complaint> {
    if context.segment == 0 {
        return Err("TSE, but the context's MSS is 0");
    }
    let transport = match context.protocol {
        Transport::Tcp => 20,
        Transport::Udp => 8,
        _ => return Err("TSE, but the context names neither TCP nor UDP"),
    };
    let network = if context.ipv4 { 20 } else { 40 };
    if context.transport < transport || context.network < network || context.link < 14 {
        return Err("TSE, but the context's header lengths are too short for its protocols");
    }
    if packet.len() < headers {
        return Err("TSE, but the packet is shorter than its headers");
    }
    // Room for a VLAN tag must be left.
    if headers + context.segment + super::filter::TAG > room {
        return Err("TSE, but headers and MSS exceed the largest frame");
    }
    Ok(())
}

/// Total length and identification of IPv4, payload length of IPv6.
fn patch_network(frame: &mut [u8], context: &Context, number: usize) -> Result<(), Complaint> {
    let bytes = frame.len() - context.link;
    let header = &mut frame[context.link..];
    if context.ipv4 {
        header[2..4].copy_from_slice(&(bytes as u16).to_be_bytes());
        let id = u16::from_be_bytes([header[4], header[5]]).wrapping_add(number as u16);
        header[4..6].copy_from_slice(&id.to_be_bytes());
    } else {
        header[4..6].copy_from_slice(&((bytes - 40) as u16).to_be_bytes());
    }
    offload::network_checksum(frame, context)
}

/// Sequence number and flags of TCP, length of UDP, and the checksum. The field holds the pseudo header's sum without
/// the length, which the NIC adds for each segment.
fn patch_transport(frame: &mut [u8], context: &Context, number: usize, flags: u16) -> Result<(), Complaint> {
    let packet = &mut frame[context.transport_at()..];
    let length = packet.len() as u16;
    let field = if context.protocol == Transport::Tcp {
        let [a, b, c, d] =
            [packet[SEQUENCE], packet[SEQUENCE + 1], packet[SEQUENCE + 2], packet[SEQUENCE + 3]];
        let sequence = u32::from_be_bytes([a, b, c, d]).wrapping_add((number * context.segment) as u32);
        packet[SEQUENCE..SEQUENCE + 4].copy_from_slice(&sequence.to_be_bytes());
        let word = u16::from_be_bytes([packet[FLAGS], packet[FLAGS + 1]]) & (HEADER_LENGTH | flags);
        packet[FLAGS..FLAGS + 2].copy_from_slice(&word.to_be_bytes());
        16
    } else {
        packet[4..6].copy_from_slice(&length.to_be_bytes());
        6
    };
    let sum = Sum::default().add(&packet[field..field + 2]).add_word(length).fold();
    packet[field..field + 2].copy_from_slice(&sum.to_be_bytes());
    offload::transport_checksum(frame, context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use etherparse::{PacketBuilder, SlicedPacket, TransportSlice};
    use proptest::prelude::*;

    const MASKS: FlagMasks = FlagMasks { first: 0xFF6, middle: 0xFF6, last: 0xF7F };

    fn packet(payload: &[u8]) -> Vec<u8> {
        let mut packet = Vec::new();
        PacketBuilder::ethernet2([1; 6], [2; 6])
            .ipv4([10, 0, 0, 1], [10, 0, 0, 2], 64)
            .tcp(80, 1000, 0xFFFF_FF00, 100)
            .fin()
            .psh()
            .ack(7)
            .write(&mut packet, payload)
            .unwrap();
        packet[18..20].copy_from_slice(&0xFFFFu16.to_be_bytes());
        // Software's part: the pseudo header without length.
        let sum = Sum::default().add(&packet[26..34]).add_word(6).fold();
        packet[50..52].copy_from_slice(&sum.to_be_bytes());
        packet
    }

    fn context(segment: usize) -> Context {
        Context {
            link: 14,
            network: 20,
            transport: 20,
            ipv4: true,
            protocol: Transport::Tcp,
            segment,
            ..Context::default()
        }
    }

    fn cut(payload: &[u8], size: usize) -> Vec<Vec<u8>> {
        let mut frames = Vec::new();
        let mut buffer = vec![0; 16384];
        segment(&packet(payload), &context(size), MASKS, &mut buffer, |frame, length| {
            frames.push(frame[..length].to_vec());
        })
        .unwrap();
        frames
    }

    proptest! {
        #[test]
        fn segments_carry_the_payload_on(payload in proptest::collection::vec(any::<u8>(), 1..6000), size in 64usize..1500) {
            let frames = cut(&payload, size);
            prop_assert_eq!(frames.len(), payload.len().div_ceil(size));
            let mut joined = Vec::new();
            for (number, frame) in frames.iter().enumerate() {
                let sliced = SlicedPacket::from_ethernet(frame).unwrap();
                let Some(TransportSlice::Tcp(tcp)) = sliced.transport else { panic!("no TCP") };
                let last = number + 1 == frames.len();
                prop_assert_eq!(tcp.sequence_number(), 0xFFFF_FF00u32.wrapping_add((number * size) as u32));
                prop_assert_eq!((tcp.fin(), tcp.psh(), tcp.ack()), (last, last, true));
                let ip = etherparse::Ipv4HeaderSlice::from_slice(&frame[14..]).unwrap();
                prop_assert_eq!(ip.identification(), 0xFFFFu16.wrapping_add(number as u16));
                prop_assert_eq!(ip.to_header().calc_header_checksum(), ip.header_checksum());
                prop_assert_eq!(usize::from(ip.total_len()), frame.len() - 14);
                let right = tcp.to_header().calc_checksum_ipv4_raw(ip.source(), ip.destination(), tcp.payload());
                prop_assert_eq!(right.unwrap(), tcp.checksum());
                joined.extend_from_slice(tcp.payload());
            }
            prop_assert_eq!(joined, payload);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        let mut buffer = vec![0; 2000];
        let good = packet(&[0; 100]);
        for bad in [
            Context { segment: 0, ..context(10) },
            Context { protocol: Transport::Sctp, ..context(10) },
            Context { transport: 4, ..context(10) },
            Context { network: 500, ..context(10) },
            context(5000),
        ] {
            assert!(segment(&good, &bad, MASKS, &mut buffer, |_, _| panic!("nothing to send")).is_err());
        }
    }
}
