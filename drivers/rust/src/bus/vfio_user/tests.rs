//! The client against small servers of our own, polite ones and rude ones.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::time::{Duration, Instant};

use super::*;
use crate::bus::bytes::u64_at;
use crate::bus::wire::{device_flags, flags, header, region_flags, region_info};

/// Runs `serve` for one connection at `path`, in a thread of its own.
fn server(path: &Path, serve: impl FnOnce(UnixStream) + Send + 'static) {
    let listener = UnixListener::bind(path).unwrap();
    std::thread::spawn(move || serve(listener.accept().unwrap().0));
}

/// Reads one message: command, flags, payload.
fn next(stream: &mut UnixStream) -> Option<(u16, u16, u32, Vec<u8>)> {
    let mut head = [0; header::BYTES];
    stream.read_exact(&mut head).ok()?;
    let mut payload = vec![0; u32_at(&head, header::SIZE) as usize - header::BYTES];
    stream.read_exact(&mut payload).ok()?;
    let (id, command) = (u16_at(&head, header::ID), u16_at(&head, header::COMMAND));
    Some((id, command, u32_at(&head, header::FLAGS), payload))
}

fn reply(stream: &mut UnixStream, id: u16, command: u16, flags: u32, errno: u32, payload: &[u8]) {
    let mut message = vec![0; header::BYTES + payload.len()];
    let size = message.len() as u32;
    put(&mut message, header::ID, &id.to_ne_bytes());
    put(&mut message, header::COMMAND, &command.to_ne_bytes());
    put(&mut message, header::SIZE, &size.to_ne_bytes());
    put(&mut message, header::FLAGS, &flags.to_ne_bytes());
    put(&mut message, header::ERRNO, &errno.to_ne_bytes());
    put(&mut message, header::BYTES, payload);
    stream.write_all(&message).unwrap();
}

/// A server with one region of 256 bytes that is memory, number 0, until the client leaves.
fn polite(mut stream: UnixStream) {
    let mut memory = [0u8; 256];
    while let Some((id, command, kind, payload)) = next(&mut stream) {
        let answer = match command {
            command::VERSION => b"\0\0\x01\0{\"capabilities\":{\"max_msg_fds\":3}}\0".to_vec(),
            command::DEVICE_GET_INFO => {
                [16, device_flags::PCI, 2, 5].iter().flat_map(|w: &u32| w.to_ne_bytes()).collect()
            }
            command::DEVICE_GET_REGION_INFO => {
                let mut info = vec![0; region_info::BYTES];
                let index = u32_at(&payload, region_info::INDEX);
                put(&mut info, region_info::FLAGS, &(region_flags::READ | region_flags::WRITE).to_ne_bytes());
                put(&mut info, region_info::SIZE, &(if index == 0 { 256u64 } else { 0 }).to_ne_bytes());
                info
            }
            command::REGION_READ | command::REGION_WRITE => {
                let at = u64_at(&payload, region_access::OFFSET) as usize;
                let count = u32_at(&payload, region_access::COUNT) as usize;
                if at + count > memory.len() {
                    // With a payload, as real servers do it.
                    reply(&mut stream, id, command, flags::REPLY | flags::ERROR, 22, &[0; 20]);
                    continue;
                }
                let mut answer = payload[..region_access::BYTES].to_vec();
                if command == command::REGION_READ {
                    answer.extend_from_slice(&memory[at..at + count]);
                } else {
                    memory[at..at + count].copy_from_slice(&payload[region_access::BYTES..]);
                }
                answer
            }
            _ => Vec::new(),
        };
        if kind & flags::NO_REPLY == 0 {
            reply(&mut stream, id, command, flags::REPLY, 0, &answer);
        }
    }
}

fn connect(path: &Path) -> Result<VfioUser> {
    VfioUser::connect(path.to_str().unwrap())
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn talks_to_a_polite_server() {
    let folder = folder();
    let path = folder.path().join("nic");
    server(&path, polite);
    let nic = connect(&path).unwrap();
    assert_eq!((nic.size(0), nic.size(1), nic.size(7), nic.max_fds), (256, 0, 0, 3));
    nic.write(0, 8, &[1, 2, 3, 4]).unwrap();
    nic.post(0, 10, &[9, 9]).unwrap();
    let mut bytes = [0; 4];
    nic.read(0, 8, &mut bytes).unwrap();
    assert_eq!(bytes, [1, 2, 9, 9]);
    nic.map_dma(&DmaMemory::new(4096).unwrap()).unwrap();
    nic.check().unwrap();
}

#[test]
fn an_error_answer_with_a_payload_leaves_the_stream_in_step() {
    let folder = folder();
    let path = folder.path().join("nic");
    server(&path, polite);
    let nic = connect(&path).unwrap();
    let error = nic.write(0, 1000, &[0; 4]).unwrap_err();
    assert_eq!(error.kind(), "DeviceFailed");
    assert!(error.to_string().contains("refused"), "{error}");
    nic.write(0, 8, &[7]).unwrap();
    let mut byte = [0];
    nic.read(0, 8, &mut byte).unwrap();
    assert_eq!(byte, [7]);
}

#[test]
fn nobody_there_says_what_to_do() {
    let folder = folder();
    let path = folder.path().join("nic");
    let missing = connect(&path).map(|_| ()).unwrap_err();
    assert_eq!(missing.kind(), "NoSuchDevice");
    assert!(missing.to_string().contains("ringway lab"), "{missing}");
    drop(UnixListener::bind(&path).unwrap());
    let stale = connect(&path).map(|_| ()).unwrap_err();
    assert_eq!(stale.kind(), "NoSuchDevice");
    assert!(stale.to_string().contains("nobody listens"), "{stale}");
    let long = VfioUser::connect(&"x".repeat(200)).map(|_| ()).unwrap_err();
    assert!(long.to_string().contains("107"), "{long}");
}

#[test]
fn a_second_driver_is_told_that_there_is_one() {
    let folder = folder();
    let path = folder.path().join("nic");
    server(&path, |mut stream| {
        let (id, command, _, _) = next(&mut stream).unwrap();
        let busy = Errno::BUSY.raw_os_error() as u32;
        reply(&mut stream, id, command, flags::REPLY | flags::ERROR, busy, &[]);
    });
    let error = connect(&path).map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), "PermissionDenied");
    assert!(error.to_string().contains("another driver"), "{error}");
}

#[test]
fn other_protocols_are_no_device() {
    let garbage: [&[u8]; 4] =
        [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n", &[0; 64], &[0xff; 64]];
    for (index, bytes) in garbage.into_iter().enumerate() {
        let folder = folder();
        let path = folder.path().join(format!("nic{index}"));
        server(&path, move |mut stream| {
            stream.write_all(bytes).unwrap();
            next(&mut stream);
        });
        let error = connect(&path).map(|_| ()).unwrap_err();
        assert_eq!(error.kind(), "NoSuchDevice", "{error}");
        assert!(error.to_string().contains("does not speak vfio-user"), "{error}");
    }
}

#[test]
fn a_silent_server_is_given_up() {
    let folder = folder();
    let path = folder.path().join("nic");
    server(&path, |_stream| std::thread::sleep(Duration::from_secs(10)));
    let start = Instant::now();
    let error = connect(&path).map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), "NoSuchDevice");
    assert!((1..5).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}

#[test]
fn a_server_that_goes_away_is_noticed_and_stays_gone() {
    let folder = folder();
    let path = folder.path().join("nic");
    let (leave, left) = std::sync::mpsc::channel::<()>();
    server(&path, move |stream| {
        let other = stream.try_clone().unwrap();
        std::thread::spawn(move || polite(other));
        let _ = left.recv();
        stream.shutdown(std::net::Shutdown::Both).unwrap();
    });
    let nic = connect(&path).unwrap();
    nic.check().unwrap();
    leave.send(()).unwrap();
    let start = Instant::now();
    while nic.check().is_ok() {
        assert!(start.elapsed() < Duration::from_secs(2));
    }
    for error in [nic.check(), nic.write(0, 0, &[0]), nic.read(0, 0, &mut [0]), nic.post(0, 0, &[0])] {
        assert_eq!(error.unwrap_err().kind(), "DeviceFailed");
    }
}

#[test]
fn capabilities_default_to_the_protocols() {
    for (json, fds) in [("", 1), ("{}", 1), ("{\"capabilities\":{\"max_msg_fds\":8}}\0", 8), ("{]", 1)] {
        assert_eq!(max_fds(json.as_bytes()), fds, "{json}");
    }
}
