//! The stream of bytes: cut anywhere, glued together, full of nonsense, or not read at all.

use std::os::fd::AsFd;

use crate::rig::*;

#[test]
fn messages_may_be_cut_at_every_byte() {
    let mut rig = Rig::connected();
    let messages = [read(1, 0, 8, 4), write(2, 0, 0, 0x10, &[1, 2, 3, 4, 5]), message(3, 13, 0, &[])];
    for message in messages {
        for split in 1..message.len() {
            rig.client.send(&message[..split]);
            rig.poll();
            assert!(rig.client.receive().is_none(), "answered half a message");
            rig.client.send(&message[split..]);
            rig.poll();
            assert_eq!(rig.client.receive().unwrap().bytes[8], 1);
            rig.probe();
        }
        for byte in &message {
            rig.client.send(&[*byte]);
            rig.poll();
        }
        assert_eq!(rig.client.receive().unwrap().bytes[8], 1);
    }
}

#[test]
fn the_first_message_may_be_cut_too() {
    let proposal = version(b"{\"capabilities\":{\"max_msg_fds\":8}}\0");
    for split in 1..proposal.len() {
        let mut rig = Rig::new();
        rig.client.send(&proposal[..split]);
        rig.poll();
        assert!(rig.client.receive().is_none());
        rig.client.send(&proposal[split..]);
        rig.poll();
        assert_eq!(rig.client.receive().unwrap().bytes[8], 1);
        rig.probe();
    }
}

#[test]
fn a_hundred_pipelined_reads_are_answered_in_order() {
    let mut rig = Rig::connected();
    for n in 0..100 {
        rig.device.bytes[0][n] = n as u8;
    }
    let all: Vec<u8> = (0..100).flat_map(|id| read(id, 0, u64::from(id), 1)).collect();
    rig.client.send(&all);
    rig.poll();
    for id in 0..100 {
        let reply = rig.client.receive().unwrap();
        assert_eq!((reply.bytes[0], reply.bytes[32]), (id, id));
    }
    rig.probe();
}

#[test]
fn version_and_commands_may_come_in_one_piece() {
    let mut rig = Rig::new();
    rig.client.send(&[version(b""), read(1, 0, 8, 4), read(2, 0, 8, 4)].concat());
    rig.poll();
    let ids: Vec<_> = std::iter::from_fn(|| rig.client.receive()).map(|reply| reply.bytes[0]).collect();
    assert_eq!(ids, [0, 1, 2]);
}

#[test]
fn ids_are_the_clients_business() {
    let mut rig = Rig::connected();
    for id in [0, 7, 7, 0xffff, 7] {
        assert_eq!(rig.ask(&read(id, 0, 8, 4))[..2], id.to_le_bytes());
    }
}

#[test]
fn unknown_commands_are_not_supported_and_stay_in_step() {
    let mut rig = Rig::connected();
    for command in [0, 11, 12, 14, 15, 16, 17, 18, 19, 255, 0xffff] {
        for bytes in [0, 1, 16, 1000] {
            rig.refused(&message(9, command, 0, &vec![0xee; bytes]), EOPNOTSUPP);
        }
        rig.refused_fds(&message(9, command, 0, &[1; 40]), &[memory_file(4096)], EOPNOTSUPP);
    }
}

#[test]
fn descriptors_nobody_asked_for_are_closed() {
    let mut rig = Rig::connected();
    for message in [read(1, 0, 8, 4), write(1, 0, 0, 8, &[1]), message(1, 13, 0, &[]), dma_unmap(1, 2, 0, 0)]
    {
        let file = memory_file(4096);
        let reply = rig.ask_fds(&message, &[file.try_clone().unwrap(), file.try_clone().unwrap()]);
        assert_eq!(reply.bytes[8], 1);
        assert_eq!(copies(&file), 1);
    }
}

#[test]
fn replies_from_the_client_are_ignored() {
    let mut rig = Rig::connected();
    rig.client.send(&message(1, 9, 1, &[0; 24]));
    rig.client.send(&message(1, 2, 0x21, &[0; 24]));
    rig.poll();
    assert!(rig.client.receive().is_none());
    rig.probe();
    rig.refused(&message(1, 9, 2, &[0; 16]), EINVAL);
    rig.refused(&message(1, 9, 0xf, &[0; 16]), EINVAL);
}

#[test]
fn impossible_sizes_end_the_connection() {
    for size in [0, 1, 15, 16 + 16 + (1 << 20) + 1, 1 << 31, u32::MAX] {
        let mut rig = Rig::connected();
        let mut message = read(1, 0, 8, 4);
        message[4..8].copy_from_slice(&words(&[size]));
        assert_eq!(rig.ask(&message), bad(1, 9, EINVAL));
        assert!(rig.client.is_closed());
        assert_eq!(rig.device.take_log(), ["detached with 0 maps"]);
        // In the lobby as well.
        let mut rig = Rig::new();
        assert_eq!(rig.ask(&message), bad(1, 9, EINVAL));
        assert!(rig.client.is_closed());
        assert!(rig.device.log.is_empty());
    }
}

#[test]
fn the_longest_message_is_taken() {
    let mut rig = Rig::connected();
    let longest = write(1, 0, 0, 0, &vec![0; 1 << 20]);
    let mut sent = 0;
    while sent < longest.len() {
        sent += rig.client.try_send(&longest[sent..], &[]).unwrap();
        rig.poll();
    }
    assert_eq!(rig.client.receive().unwrap().bytes, bad(1, 10, EINVAL), "the region has less");
    rig.probe();
}

#[test]
fn a_client_that_does_not_read_makes_nobody_wait() {
    let mut rig = Rig::connected();
    let question = read(1, 0, 0, 0x8000);
    // It sends until its own socket is full, because the server stops reading when replies cannot go out.
    let mut asked = 0;
    loop {
        match rig.client.try_send(&question, &[]) {
            Ok(sent) => assert_eq!(sent, question.len()),
            Err(rustix::io::Errno::AGAIN) => break,
            Err(error) => panic!("{error}"),
        }
        asked += 1;
        rig.poll();
        assert!(asked < 100_000, "replies are being stored somewhere");
    }
    assert_eq!(rig.server.poll(&mut rig.device), 0, "blocked, and idle");
    assert!(rig.server.client_present());
    // Another client is turned away meanwhile, and when this one reads, it gets everything in order.
    let other = Connection::new(&mut rig.server);
    other.send(&version(b""));
    rig.poll();
    assert_eq!(other.receive().unwrap().bytes, bad(0, 1, EBUSY));
    let mut answered = 0;
    for _ in 0..1_000_000 {
        match rig.client.receive() {
            Some(reply) => {
                assert_eq!(reply.bytes.len(), 32 + 0x8000);
                answered += 1;
            }
            None => rig.poll(),
        }
        if answered == asked {
            break;
        }
    }
    assert_eq!(answered, asked);
    rig.probe();
}

#[test]
fn a_reply_that_was_held_back_keeps_its_descriptor() {
    let mut rig = Rig::connected();
    let question = read(1, 0, 0, 0x8000);
    while rig.client.try_send(&question, &[]).is_ok() {
        rig.poll();
    }
    // Read one reply, so that there is room for the question about the region.
    let info = message(2, 5, 0, &words(&[4096, 0, 0, 0, 0, 0, 0, 0]));
    let mut asked = false;
    for _ in 0..100_000 {
        if !asked {
            asked = rig.client.try_send(&info, &[]).is_ok();
        }
        rig.poll();
        match rig.client.receive() {
            Some(reply) if reply.bytes[2] == 5 => {
                assert_eq!(reply.fds.len(), 1);
                return rig.probe();
            }
            Some(reply) => assert!(reply.fds.is_empty()),
            None => {}
        }
    }
    panic!("the reply never came");
}

#[test]
fn half_a_message_does_not_hold_up_others() {
    let mut rig = Rig::new();
    let slow = Connection::new(&mut rig.server);
    slow.send(&version(b"")[..7]);
    rig.poll();
    rig.ask(&version(b""));
    rig.probe();
    slow.send(&version(b"")[7..]);
    rig.poll();
    assert_eq!(slow.receive().unwrap().bytes, bad(0, 1, EBUSY));
}

#[test]
fn a_header_alone_takes_no_memory() {
    let mut rig = Rig::connected();
    let mut header = write(1, 0, 0, 0, &[]);
    header[4..8].copy_from_slice(&words(&[16 + 16 + (1 << 20)]));
    rig.client.send_fds(&header[..16], &[memory_file(4096).as_fd()]);
    rig.poll();
    assert!(rig.client.receive().is_none());
}
