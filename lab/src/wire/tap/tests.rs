use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::time::Duration;

use etherparse::{NetSlice, SlicedPacket, TransportSlice};

use super::*;

/// Runs `test` on a thread with a network of its own, so that nothing of this machine is touched and nothing stays
/// behind; says so and does nothing without the right to it.
fn in_own_network(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::spawn(move || {
        // SAFETY: only the namespace of the network is left; file descriptors and memory stay shared, and this thread
        // does nothing else.
        let left = unsafe { rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::NEWNET) };
        if left.is_err() || !std::path::Path::new(DEVICE).exists() {
            println!("skipped: a TAP interface needs root (or CAP_NET_ADMIN) and {DEVICE}");
            return;
        }
        test();
    });
    thread.join().unwrap();
}

/// Runs `ip` with these words.
fn ip(words: &str) {
    let status = Command::new("ip").args(words.split(' ')).status().unwrap();
    assert!(status.success(), "ip {words}");
}

/// Answers echo requests and ARP as 192.0.2.2 until `child` ends; returns how many frames were padded.
fn answer(wire: &mut TapWire, child: &mut Child) -> usize {
    let mut padded = 0;
    while child.try_wait().unwrap().is_none() {
        let Some(frame) = wire.peek(Nanos(0)) else {
            std::thread::sleep(Duration::from_micros(200));
            continue;
        };
        let mut frame = frame.bytes.to_vec();
        wire.advance(Nanos(0));
        assert!(frame.len() >= 60);
        padded += usize::from(frame.len() == 60);
        if let Some(answer) = answer_to(&mut frame) {
            wire.send(answer, Nanos(0));
        }
    }
    padded
}

/// Turns a request into its answer.
fn answer_to(frame: &mut [u8]) -> Option<&[u8]> {
    const OURS: [u8; 6] = [2, 0, 0, 0, 0, 9];
    match frame[12..14] {
        [8, 6] => answer_arp(frame, OURS),
        [8, 0] if is_sound_echo(frame) => answer_echo(frame),
        _ => return None,
    }
    frame.copy_within(6..12, 0);
    frame[6..12].copy_from_slice(&OURS);
    Some(frame)
}

fn answer_arp(frame: &mut [u8], ours: [u8; 6]) {
    let asker: [u8; 10] = frame[22..32].try_into().unwrap();
    frame[21] = 2;
    frame.copy_within(38..42, 28);
    frame[22..28].copy_from_slice(&ours);
    frame[32..42].copy_from_slice(&asker);
}

/// Whether it is an echo request; its checksums must be right then.
fn is_sound_echo(frame: &[u8]) -> bool {
    let packet = SlicedPacket::from_ethernet(frame).unwrap();
    let (Some(NetSlice::Ipv4(ip)), Some(TransportSlice::Icmpv4(icmp))) = (&packet.net, &packet.transport)
    else {
        return false;
    };
    assert_eq!(ip.header().header_checksum(), ip.header().to_header().calc_header_checksum());
    assert_eq!(icmp.checksum(), icmp.icmp_type().calc_checksum(icmp.payload()));
    frame[34] == 8
}

fn answer_echo(frame: &mut [u8]) {
    let addresses: [u8; 8] = frame[26..34].try_into().unwrap();
    frame[26..30].copy_from_slice(&addresses[4..]);
    frame[30..34].copy_from_slice(&addresses[..4]);
    // Request (8) becomes reply (0): the ones' complement of the sum is 0x0800 more.
    frame[34] = 0;
    let (sum, carry) = u16::from_be_bytes([frame[36], frame[37]]).overflowing_add(0x0800);
    frame[36..38].copy_from_slice(&(sum + u16::from(carry)).to_be_bytes());
}

#[test]
fn the_kernel_pings_through_it() {
    in_own_network(|| {
        let mut wire = TapWire::open("ringtap%d").unwrap();
        assert_eq!(wire.name(), "ringtap0");
        assert!(wire.peek(Nanos(0)).is_none());
        wire.send(&[0; 60], Nanos(0));
        assert_eq!(wire.dropped(), 1, "the interface is still down");
        ip("address add 192.0.2.1/24 dev ringtap0");
        ip("link set ringtap0 up");
        let mut ping = Command::new("ping");
        ping.args(["-q", "-c", "5", "-i", "0.05", "-W", "5", "192.0.2.2"])
            .stdout(std::process::Stdio::null());
        let mut child = ping.spawn().unwrap();
        let padded = answer(&mut wire, &mut child);
        assert!(child.wait().unwrap().success(), "all five echoes came back");
        assert!(padded > 0, "the ARP request was shorter than a wire allows");
        assert!(wire.take_error().is_none());
    });
}

#[test]
fn an_interface_that_goes_away_is_told_once() {
    in_own_network(|| {
        let mut wire = TapWire::open("ringgone").unwrap();
        ip("link delete ringgone");
        assert!(wire.peek(Nanos(0)).is_none());
        wire.send(&[0; 60], Nanos(0));
        let text = wire.take_error().unwrap().to_string();
        assert!(text.contains("ringgone"), "{text}");
        assert!(wire.peek(Nanos(0)).is_none() && wire.take_error().is_none());
    });
}

#[test]
fn a_name_that_is_bad_or_taken_is_told_with_the_remedy() {
    for bad in ["", "much-too-long-name", "a/b", "a b"] {
        assert!(matches!(TapWire::open(bad), Err(TapError::BadName { .. })), "{bad:?}");
    }
    in_own_network(|| {
        let _first = TapWire::open("ringtwice").unwrap();
        let text = TapWire::open("ringtwice").unwrap_err().to_string();
        assert!(text.contains("ringtwice is taken"), "{text}");
        let text = TapWire::open("lo").unwrap_err().to_string();
        assert!(text.contains("no TAP interface") && !text.contains('\n'), "{text}");
    });
}

#[test]
fn without_the_right_the_remedy_is_named() {
    // Our own test binary once more, as nobody.
    const CHILD: &str = "RINGWAY_TEST_TAP_AS_NOBODY";
    if std::env::var_os(CHILD).is_some() {
        println!("{}", TapWire::open("ringnobody").unwrap_err());
        return;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "wire::tap::tests::without_the_right_the_remedy_is_named", "--nocapture"]);
    command.env(CHILD, "1").uid(65534).gid(65534).current_dir("/");
    match command.output() {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stdout);
            let expected = ["CAP_NET_ADMIN", "ip tuntap add dev ringnobody mode tap user", "is not there"];
            assert!(expected.iter().any(|part| text.contains(part)), "{text}");
        }
        Err(error) => println!("skipped: cannot run as nobody: {error}"),
    }
}
