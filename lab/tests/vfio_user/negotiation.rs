//! VERSION, in all its odd forms.

use crate::rig::*;

const PROPOSAL: &str = "00 00 01 00 39 00 00 00 00 00 00 00 00 00 00 00
    00 00 01 00 7b 22 63 61 70 61 62 69 6c 69 74 69
    65 73 22 3a 20 7b 22 6d 61 78 5f 6d 73 67 5f 66
    64 73 22 3a 20 38 7d 7d 00";

fn capabilities(reply: &[u8]) -> serde_json::Value {
    assert_eq!(reply.last(), Some(&0), "no NUL at the end");
    let text: serde_json::Value = serde_json::from_slice(&reply[20..reply.len() - 1]).unwrap();
    text["capabilities"].clone()
}

#[test]
fn a_captured_proposal_is_answered() {
    let mut rig = Rig::new();
    let reply = rig.ask(&hex(PROPOSAL));
    assert_eq!(reply[..4], [0, 0, 1, 0]);
    assert_eq!(u32::from_le_bytes(reply[4..8].try_into().unwrap()) as usize, reply.len());
    assert_eq!(reply[8..20], hex("01 00 00 00 00 00 00 00 00 00 01 00"));
    let capabilities = capabilities(&reply);
    assert_eq!(capabilities["max_msg_fds"], 64);
    assert_eq!(capabilities["max_data_xfer_size"], 1048576);
    assert_eq!(capabilities["pgsizes"], 4096);
    assert!(capabilities.get("write_multiple").is_none());
    assert_eq!(rig.device.take_log(), ["attached"]);
    rig.probe();
}

#[test]
fn text_may_be_missing_or_empty() {
    for text in [&b""[..], b"\0", b"{}\0", b"{\"capabilities\":{}}\0", b"{\"capabilities\":{\"x\":[{}]}}\0"] {
        Rig::connected_with(text).probe();
    }
}

#[test]
fn a_twin_socket_is_not_accepted() {
    let mut rig = Rig::new();
    let reply = rig.ask(&version(b"{\"capabilities\":{\"twin_socket\":{\"supported\":true}}}\0"));
    assert!(capabilities(&reply).get("twin_socket").is_none());
}

#[test]
fn broken_proposals_are_refused_and_end_the_connection() {
    let wrong_major = message(0, 1, 0, &[1, 0, 0, 0]);
    let proposals = [
        wrong_major,
        message(0, 1, 0, &[]),
        message(0, 1, 0, &[0, 0, 1]),
        version(b"{}"),
        version(b"{\"capabilities\":\0"),
        version(b"[]\0"),
        version(b"{\"capabilities\":[]}\0"),
        version(b"{\"capabilities\":{\"max_msg_fds\":-1}}\0"),
        version(b"{\"capabilities\":{\"max_data_xfer_size\":\"1\"}}\0"),
        version(b"\xff\0"),
        version(&[&b"[".repeat(60_000)[..], b"\0"].concat()),
    ];
    for proposal in proposals {
        let mut rig = Rig::new();
        assert_eq!(rig.ask(&proposal), bad(0, 1, EINVAL), "{proposal:02x?}");
        assert!(rig.client.is_closed(), "{proposal:02x?}");
        assert!(rig.device.log.is_empty());
        assert_eq!(rig.server.take_notes().len(), 1);
        // And the next client is served.
        rig.client = Connection::new(&mut rig.server);
        rig.ask(&version(b""));
        rig.probe();
    }
}

#[test]
fn commands_before_the_version_are_refused() {
    let mut rig = Rig::new();
    for command in [2, 3, 4, 5, 8, 9, 10, 13, 15, 99] {
        assert_eq!(rig.ask(&message(5, command, 0, &[0; 32])), bad(5, command, EINVAL));
    }
    assert!(rig.device.log.is_empty() && rig.device.synchronised == 0);
    rig.ask(&version(b""));
    rig.probe();
}

#[test]
fn a_second_version_is_refused() {
    Rig::connected().refused(&version(b""), EINVAL);
}

#[test]
fn the_lower_minor_version_is_chosen() {
    for (proposed, chosen) in [(0, 0), (1, 1), (2, 1), (0xffff, 1)] {
        let mut rig = Rig::new();
        let reply = rig.ask(&message(0, 1, 0, &words(&[proposed << 16])));
        assert_eq!(reply[16..20], words(&[chosen << 16]));
    }
}
