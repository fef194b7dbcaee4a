//! The socket's file.

use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::path::Path;

use ringway_lab::serve::{BindError, Server};

use crate::fake::Fake;
use crate::rig::*;

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn speaks(server: &mut Server, path: &Path) -> bool {
    let client = Connection(UnixStream::connect(path).unwrap().into());
    client.send(&version(b""));
    let mut device = Fake::default();
    for _ in 0..100 {
        server.poll(&mut device);
    }
    client.receive().is_some_and(|reply| reply.bytes[8] == 1)
}

#[test]
fn the_socket_is_private_and_goes_with_the_server() {
    let directory = directory();
    let path = directory.path().join("nic");
    let mut server = Server::bind(&path).unwrap();
    let meta = path.metadata().unwrap();
    assert!(meta.file_type().is_socket());
    assert_eq!(meta.permissions().mode() & 0o777, 0o600);
    assert_eq!(server.path(), Some(path.as_path()));
    assert!(speaks(&mut server, &path));
    drop(server);
    assert_eq!(directory.path().read_dir().unwrap().count(), 0, "something was left behind");
}

#[test]
fn a_live_socket_is_not_stolen() {
    let directory = directory();
    let path = directory.path().join("nic");
    let mut first = Server::bind(&path).unwrap();
    let error = Server::bind(&path).err().unwrap();
    assert!(matches!(error, BindError::Live { .. }), "{error}");
    assert!(error.to_string().contains("another server"), "{error}");
    assert!(speaks(&mut first, &path));
    assert!(path.exists());
}

#[test]
fn a_live_socket_of_another_kind_is_not_stolen() {
    let directory = directory();
    let path = directory.path().join("nic");
    let _datagram = UnixDatagram::bind(&path).unwrap();
    assert!(matches!(Server::bind(&path), Err(BindError::Live { .. })));
}

#[test]
fn a_live_socket_with_a_full_queue_is_not_stolen() {
    let directory = directory();
    let path = directory.path().join("nic");
    let _first = Server::bind(&path).unwrap();
    let mut queue = Vec::new();
    for _ in 0..40 {
        let flags = rustix::net::SocketFlags::NONBLOCK;
        let socket = rustix::net::socket_with(
            rustix::net::AddressFamily::UNIX,
            rustix::net::SocketType::STREAM,
            flags,
            None,
        );
        let socket = socket.unwrap();
        let _ = rustix::net::connect(&socket, &rustix::net::SocketAddrUnix::new(&path).unwrap());
        queue.push(socket);
    }
    assert!(matches!(Server::bind(&path), Err(BindError::Live { .. })));
}

#[test]
fn a_stale_socket_is_replaced() {
    let directory = directory();
    let path = directory.path().join("nic");
    drop(UnixListener::bind(&path).unwrap()); // leaves its file
    assert!(path.exists());
    let mut server = Server::bind(&path).unwrap();
    assert!(speaks(&mut server, &path));
}

#[test]
fn another_file_is_not_removed() {
    let directory = directory();
    let path = directory.path().join("nic");
    std::fs::write(&path, "precious").unwrap();
    assert!(matches!(Server::bind(&path), Err(BindError::NotASocket { .. })));
    assert_eq!(std::fs::read(&path).unwrap(), b"precious");
    let link = directory.path().join("link");
    symlink(directory.path().join("nowhere"), &link).unwrap();
    assert!(matches!(Server::bind(&link), Err(BindError::NotASocket { .. })));
    assert!(matches!(Server::bind(directory.path()), Err(BindError::NotASocket { .. })));
}

#[test]
fn paths_that_cannot_be_are_refused() {
    let directory = directory();
    let long = directory.path().join("x".repeat(108));
    let error = Server::bind(&long).err().unwrap();
    assert!(matches!(error, BindError::TooLong { .. }) && error.to_string().contains("107"), "{error}");
    let error = Server::bind(&directory.path().join("none/nic")).err().unwrap();
    assert!(matches!(error, BindError::System { .. }) && error.to_string().contains("none/nic"), "{error}");
}

#[test]
fn a_socket_that_somebody_put_in_our_place_is_left_alone() {
    let directory = directory();
    let path = directory.path().join("nic");
    let server = Server::bind(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let _other = UnixListener::bind(&path).unwrap();
    drop(server);
    assert!(path.exists());
}

#[test]
fn of_many_servers_for_one_stale_socket_just_one_wins() {
    for _ in 0..20 {
        let directory = directory();
        let path = directory.path().join("nic");
        drop(UnixListener::bind(&path).unwrap());
        let winners: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| Server::bind(&path).ok())).collect();
            threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(winners.len(), 1);
        assert!(UnixStream::connect(&path).is_ok());
    }
}

#[test]
fn a_taken_device_still_answers_new_connections() {
    let directory = directory();
    let path = directory.path().join("nic");
    let mut server = Server::bind(&path).unwrap();
    let mut device = Fake::default();
    let connect = || Connection(UnixStream::connect(&path).unwrap().into());
    let first = connect();
    first.send(&version(b""));
    server.poll(&mut device);
    assert!(server.client_present());
    let second = connect();
    second.send(&version(b""));
    for _ in 0..20 {
        server.poll(&mut device);
    }
    assert_eq!(second.receive().unwrap().bytes, bad(0, 1, EBUSY));
    assert!(second.is_closed());
}
