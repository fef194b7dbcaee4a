//! The capture that newcomers see first.

use std::path::Path;

use etherparse::{NetSlice, SlicedPacket, TransportSlice};

use super::super::{Capture, ReadOptions};

#[test]
fn the_example_is_whole_and_its_checksums_are_right() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/web.pcapng");
    let capture = Capture::read(&path, &ReadOptions::default()).unwrap();
    assert!((250..500).contains(&capture.len()) && capture.bytes() < 500_000);
    let (mut v4, mut v6, mut short) = (0, 0, 0);
    for packet in capture.packets() {
        assert!(packet.bytes.len() <= 1514);
        short += usize::from(packet.bytes.len() < 60);
        let parsed = SlicedPacket::from_ethernet(packet.bytes).unwrap();
        let Some(TransportSlice::Tcp(tcp)) = &parsed.transport else { continue };
        let checksum = match &parsed.net {
            Some(NetSlice::Ipv4(ip)) => {
                v4 += 1;
                assert_eq!(ip.header().header_checksum(), ip.header().to_header().calc_header_checksum());
                tcp.calc_checksum_ipv4(ip.header().source(), ip.header().destination())
            }
            Some(NetSlice::Ipv6(ip)) => {
                v6 += 1;
                tcp.calc_checksum_ipv6(ip.header().source(), ip.header().destination())
            }
            _ => panic!("TCP over neither"),
        };
        assert_eq!(checksum.unwrap(), tcp.checksum());
    }
    assert!(v4 > 50 && v6 > 50 && short > 0, "{v4} {v6} {short}");
}
