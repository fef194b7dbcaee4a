//! A disk that is full, on a small file system of our own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::{Capture, PcapWire, ReadOptions, Recorder};
use super::frame;
use crate::clock::Nanos;
use crate::wire::Wire;

/// A tmpfs of 128 KiB, unmounted at the end; `None` without the right to mount.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=128k", "tmpfs"])
            .arg(dir.path())
            .output()
            .is_ok_and(|output| output.status.success());
        if !mounted {
            println!("skipped: mounting a small tmpfs needs root");
        }
        mounted.then(|| SmallDisk(dir))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

fn read(path: &Path) -> usize {
    Capture::read(path, &ReadOptions::default()).unwrap().len()
}

#[test]
fn a_disk_that_fills_up_leaves_a_valid_file_and_one_clear_error() {
    for name in ["out.pcap", "out.pcapng"] {
        let Some(disk) = SmallDisk::mount() else { return };
        let path = disk.file(name);
        let mut wire = PcapWire::new(None, Some(Recorder::create(&path, "nic").unwrap()));
        for n in 0..300 {
            wire.send(&frame(1001, n as u8), Nanos(0));
        }
        let error = wire.flush().unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
        let text = error.to_string();
        let kept = read(&path);
        assert!((100..140).contains(&kept), "{kept} packets of a kilobyte in 128 KiB");
        assert!(text.contains(name) && text.contains(&format!("the {kept} packets before")), "{text}");
        assert!(!text.contains('\n'));
        assert!(wire.take_error().is_none(), "told once");
        wire.send(&frame(60, 1), Nanos(0));
        wire.flush().unwrap();
        drop(wire);
        assert_eq!(read(&path), kept, "nothing is written after the failure");
    }
}

#[test]
fn what_is_lost_to_a_full_disk_is_counted() {
    let Some(disk) = SmallDisk::mount() else { return };
    let mut recorder = Recorder::create(&disk.file("out.pcap"), "nic").unwrap();
    for n in 0..300 {
        recorder.record(&frame(1001, n as u8), Nanos(0), None);
    }
    recorder.flush().unwrap_err();
    assert_eq!(recorder.written() + recorder.lost(), 300);
}

#[test]
fn no_room_for_the_header_leaves_nothing_behind() {
    let Some(disk) = SmallDisk::mount() else { return };
    fs::write(disk.file("filler"), vec![1; 256 << 10]).unwrap_err();
    let path = disk.file("out.pcap");
    let text = Recorder::create(&path, "nic").unwrap_err().to_string();
    assert!(text.contains("out.pcap") && text.contains("free some space"), "{text}");
    assert!(!path.exists());
}

#[test]
fn a_device_that_is_always_full_is_an_error_and_stays() {
    let error = Recorder::create(Path::new("/dev/full"), "nic").unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    assert!(Path::new("/dev/full").exists());
}

#[test]
fn a_directory_that_is_not_there_is_named() {
    let text = Recorder::create(Path::new("/nonexistent/out.pcap"), "nic").unwrap_err().to_string();
    assert!(
        text.contains("cannot create /nonexistent/out.pcap") && text.contains("create the directory"),
        "{text}"
    );
}
