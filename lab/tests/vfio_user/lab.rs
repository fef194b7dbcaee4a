//! Engine and polling thread, with the fake device.

use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use ringway_lab::clock::Nanos;
use ringway_lab::engine::{Engine, Idle, Lab, SpawnOptions, Stopped};

use crate::fake::Fake;
use crate::rig::*;

fn lab(path: &Path, idle: Idle) -> Lab<Fake> {
    let mut engine = Engine::new();
    engine.add_nic(Fake::default(), path).unwrap();
    Lab::spawn(engine, SpawnOptions { core: None, idle }).unwrap()
}

/// Waits for the reply, with a deadline that only a hanging server misses.
fn reply(client: &Connection) -> Vec<u8> {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        match client.receive() {
            Some(reply) => return reply.bytes,
            None => assert!(Instant::now() < deadline, "no reply"),
        }
        std::thread::yield_now();
    }
}

fn connect(path: &Path) -> Connection {
    let client = Connection(OwnedFd::from(UnixStream::connect(path).unwrap()));
    client.send(&version(b""));
    assert_eq!(reply(&client)[8], 1);
    client
}

#[test]
fn messages_are_answered_in_every_kind_of_idling() {
    for idle in [Idle::Spin, Idle::Yield, Idle::Sleep] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("nic");
        let lab = lab(&path, idle);
        let client = connect(&path);
        for round in 0..20 {
            client.send(&read(round, 0, 8, 4));
            assert_eq!(reply(&client).len(), 36);
            if round % 5 == 0 {
                std::thread::sleep(Duration::from_millis(3)); // let it fall asleep
            }
        }
        drop(lab);
        assert!(!path.exists());
    }
}

#[test]
fn closures_run_on_the_polling_thread() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("nic");
    let lab = lab(&path, Idle::Sleep);
    let _client = connect(&path);
    let id = lab.run(|engine| engine.nics().next().unwrap());
    assert!(lab.run(move |engine| engine.client_present(id)));
    assert_eq!(lab.run(move |engine| engine.nic(id).take_log()), ["attached"]);
    let name = lab.run(|_| std::thread::current().name().map(str::to_owned));
    assert_eq!(name.as_deref(), Some("ringway-lab"));
    for n in 0..1000 {
        assert_eq!(lab.run(move |_| n), n);
    }
    lab.run(move |engine| engine.disconnect(id));
    assert!(!lab.run(move |engine| engine.client_present(id)));
}

#[test]
fn a_sleeping_lab_is_woken_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let lab = lab(&directory.path().join("nic"), Idle::Sleep);
    let mut fastest = Duration::MAX;
    for _ in 0..20 {
        std::thread::sleep(Duration::from_millis(5)); // nobody is connected: it sleeps 20 ms at a time
        let start = Instant::now();
        lab.run(|_| ());
        fastest = fastest.min(start.elapsed());
    }
    assert!(fastest < Duration::from_millis(3), "{fastest:?}");
}

#[test]
fn an_idle_lab_uses_little_time() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("nic");
    let lab = lab(&path, Idle::Sleep);
    let _client = connect(&path);
    lab.run(|engine| engine.reset_load());
    std::thread::sleep(Duration::from_millis(200));
    let load = lab.run(|engine| engine.load());
    // 1 ms of spinning and yielding, then rounds of 100 us and more.
    assert!(load.rounds > 20, "{load:?}: a driver's doorbell would not be seen");
    let spent = lab.run(|_| rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime));
    assert!(spent.tv_sec == 0 && spent.tv_nsec < 150_000_000, "{spent:?}");
}

#[test]
fn a_panic_in_a_closure_reaches_the_caller_and_nobody_else() {
    let directory = tempfile::tempdir().unwrap();
    let lab = lab(&directory.path().join("nic"), Idle::Sleep);
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| lab.run(|_| panic!("as told"))));
    assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"as told"));
    assert_eq!(lab.run(|engine| engine.nics().count()), 1);
    assert!(lab.is_running());
}

#[test]
fn a_panic_of_the_device_hangs_nobody() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("nic");
    let lab = lab(&path, Idle::Sleep);
    let id = lab.run(|engine| engine.nics().next().unwrap());
    lab.run(move |engine| engine.nic(id).panics = true);
    let deadline = Instant::now() + Duration::from_secs(20);
    while lab.is_running() {
        assert!(Instant::now() < deadline);
        std::thread::yield_now();
    }
    assert_eq!(lab.try_run(|_| 1), Err(Stopped));
    assert!(!path.exists(), "the socket was left behind");
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| lab.stop()));
    assert!(caught.is_err());
}

#[test]
fn a_panic_while_a_closure_waits_hangs_nobody() {
    for _ in 0..50 {
        let directory = tempfile::tempdir().unwrap();
        let lab = lab(&directory.path().join("nic"), Idle::Sleep);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let id = lab.try_run(|engine| engine.nics().next().unwrap());
                let _ = id.and_then(|id| lab.try_run(move |engine| engine.nic(id).panics = true));
            });
            for _ in 0..2 {
                scope.spawn(|| while lab.try_run(|_| ()).is_ok() {});
            }
        });
    }
}

#[test]
fn stopping_gives_the_engine_back_and_it_can_go_on() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("nic");
    let lab = lab(&path, Idle::Sleep);
    let client = connect(&path);
    let mut engine = lab.stop();
    client.send(&read(1, 0, 8, 4));
    while client.receive().is_none() {
        engine.poll_once(Nanos::now());
    }
    let lab = Lab::spawn(engine, SpawnOptions::default()).unwrap();
    client.send(&read(1, 0, 8, 4));
    reply(&client);
    drop(lab);
    assert!(client.is_closed());
}

#[test]
fn a_core_that_does_not_exist_is_an_error() {
    for core in [1000, usize::MAX] {
        let options = SpawnOptions { core: Some(core), idle: Idle::Sleep };
        let error = Lab::spawn(Engine::<Fake>::new(), options).err().unwrap();
        assert!(error.to_string().contains("core"), "{error}");
    }
    let options = SpawnOptions { core: Some(0), idle: Idle::Sleep };
    let lab = Lab::spawn(Engine::<Fake>::new(), options).unwrap();
    let allowed = lab.run(|_| rustix::thread::sched_getaffinity(None).unwrap());
    assert!(allowed.is_set(0) && allowed.count() == 1);
}

#[test]
fn a_busy_nic_still_looks_at_its_socket() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("nic");
    let mut engine = Engine::new();
    let id = engine.add_nic(Fake::default(), &path).unwrap();
    let client = Connection(OwnedFd::from(UnixStream::connect(&path).unwrap()));
    client.send(&version(b""));
    let mut rounds = 0;
    while client.receive().is_none() {
        engine.nic(id).work = 10;
        engine.poll_once(Nanos::now());
        rounds += 1;
        assert!(rounds < 200);
    }
    let load = engine.load();
    assert_eq!((load.rounds, load.busy_rounds), (rounds, rounds));
    assert!(load.work >= rounds * 10);
}

#[test]
fn nics_come_and_go_while_others_run() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let mut engine = Engine::new();
    let one = engine.add_nic(Fake::default(), &path("one")).unwrap();
    let two = engine.add_nic(Fake::default(), &path("two")).unwrap();
    assert!(engine.add_nic(Fake::default(), &path("two")).is_err());
    let nic = engine.remove_nic(one);
    assert!(nic.log.is_empty());
    assert!(!path("one").exists() && path("two").exists());
    let three = engine.add_nic(nic, &path("one")).unwrap();
    assert_eq!(engine.nics().collect::<Vec<_>>(), [two, three]);
    engine.poll_once(Nanos::now());
}

#[test]
fn notes_come_through_the_engine() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("nic");
    let lab = lab(&path, Idle::Sleep);
    let client = connect(&path);
    client.send(&read(1, 9, 0, 4));
    reply(&client);
    let notes = lab.run(|engine| {
        let id = engine.nics().next().unwrap();
        engine.take_notes(id)
    });
    assert_eq!(notes.len(), 1);
    assert!(notes[0].contains("REGION_READ") && notes[0].contains("region 9"), "{notes:?}");
}

/// Prints how long a trapped read takes: `cargo test --release --test vfio_user -- --ignored --nocapture round_trip`.
#[test]
#[ignore = "a measurement, not a check"]
fn round_trip_of_a_read() {
    for idle in [Idle::Spin, Idle::Yield, Idle::Sleep] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("nic");
        let lab = lab(&path, idle);
        let client = connect(&path);
        let mut times: Vec<_> = (0..20_000)
            .map(|id| {
                let start = Instant::now();
                client.send(&read(id, 0, 8, 4));
                while client.receive().is_none() {}
                start.elapsed()
            })
            .collect();
        times.sort();
        println!("{idle:?}: median {:?}, 90 % {:?}, 99 % {:?}", times[10_000], times[18_000], times[19_800]);
        drop(lab);
    }
}
