//! Small captures, written by hand.

/// A classic pcap file (little endian, microseconds) with this link type and these packets.
pub fn pcap(link_type: u32, packets: &[Vec<u8>]) -> Vec<u8> {
    let mut file = Vec::new();
    for word in [0xA1B2_C3D4_u32, 0x0004_0002, 0, 0, 65_535, link_type] {
        file.extend(word.to_le_bytes());
    }
    for (number, packet) in packets.iter().enumerate() {
        let length = packet.len() as u32;
        for word in [1_700_000_000, number as u32 * 100, length, length] {
            file.extend(word.to_le_bytes());
        }
        file.extend(packet);
    }
    file
}

/// Ethernet frames, each different, of 60 to 1514 bytes.
pub fn frames(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(frame).collect()
}

fn frame(number: usize) -> Vec<u8> {
    let length = 60 + number * 37 % 1455;
    let mut frame = vec![0x02, 0, 0, 0, 0, 1, 0x02, 0, 0, 0, 0, 2, 0x88, 0xB5];
    frame.extend((number as u32).to_be_bytes());
    frame.extend((frame.len()..length).map(|place| (place * 7 + number) as u8));
    frame
}

/// The packets of a classic pcap file, which has to be valid to its last byte.
pub fn packets(file: &[u8]) -> Vec<Vec<u8>> {
    assert_eq!(&file[..4], &0xA1B2_3C4D_u32.to_le_bytes()[..], "nanosecond pcap, little endian");
    let mut packets = Vec::new();
    let mut rest = &file[24..];
    while !rest.is_empty() {
        let length = u32::from_le_bytes(rest[8..12].try_into().unwrap()) as usize;
        packets.push(rest[16..16 + length].to_vec());
        rest = &rest[16 + length..];
    }
    packets
}

/// What the forward workload makes of a frame.
pub fn touched(frame: &[u8]) -> Vec<u8> {
    let mut frame = frame.to_vec();
    if let Some(byte) = frame.get_mut(48) {
        *byte = byte.wrapping_add(1);
    }
    frame
}
