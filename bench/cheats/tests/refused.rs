//! Who cheats is refused by name, and who does not is measured beside it.

use std::time::Duration;

use ringway_bench::contender::{Contender, Launch};
use ringway_bench::error::Error;
use ringway_bench::judge::Refusal;
use ringway_bench::plan::{Plan, Point};
use ringway_bench::results::Results;
use ringway_bench::run::Run;
use ringway_bench::track::{RateSample, Times, Track, Trouble};

fn cheat(how: &str) -> Contender {
    Contender {
        name: how.to_owned(),
        language: None, // or its instructions would be counted, which takes long
        launch: Launch::App {
            words: vec![env!("CARGO_BIN_EXE_ringway-cheat").into(), how.into()],
            directory: None,
        },
        sources: None,
        versions: Vec::new(),
    }
}

/// The smallest plan.
fn plan() -> Plan {
    let mut plan = Plan::named("quick").unwrap();
    plan.set.rounds = 1;
    plan.set.warm_up = 50;
    plan.set.measure = 100;
    plan.restrict("forward 64 B, batch 32, ring 512");
    plan
}

/// Cores are left to the system: tests share them.
fn track() -> Track<'static> {
    Track { lab_core: None, driver_core: None, driver_cores: 1, stop: &|| false }
}

fn run(contenders: Vec<Contender>) -> Result<Results, Error> {
    run_plan(plan(), contenders)
}

fn run_plan(plan: Plan, contenders: Vec<Contender>) -> Result<Results, Error> {
    let reference = contenders[0].name.clone();
    let mut tell = |_: &_| {};
    Run { plan, contenders, track: track(), reference, command: "a test".to_owned(), tell: &mut tell }.go()
}

/// What the measurement itself says, without the admission before it.
fn measured(how: &str) -> Result<RateSample, Refusal> {
    let times = Times { warm_up: Duration::from_millis(50), measure: Duration::from_millis(200) };
    measured_at(how, &plan().base_point(), times)
}

fn measured_at(how: &str, point: &Point, times: Times) -> Result<RateSample, Refusal> {
    match track().rate(&cheat(how), point, times, 1) {
        Ok(sample) => Ok(sample),
        Err(Trouble::Refused(refusal)) => Err(refusal),
        Err(Trouble::Broken(error)) => panic!("{error}"),
    }
}

#[test]
fn an_honest_contender_has_a_rate() {
    let sample = measured("honest").unwrap();
    assert!(sample.pps > 1000.0 && sample.unexplained == 0, "{sample:?}");
    assert!(sample.memory.unwrap().peak > 1_000_000);
}

#[test]
fn an_echo_that_does_not_touch_is_refused() {
    assert!(matches!(measured("untouched"), Err(Refusal::Untouched { packets }) if packets > 100));
    assert!(matches!(measured("echo"), Err(Refusal::Strange { packets }) if packets > 100));
}

#[test]
fn bursts_are_judged_like_everything_else() {
    let times = Times { warm_up: Duration::from_millis(50), measure: Duration::from_millis(500) };
    let measured = |how| measured_at(how, &plan().burst_point(), times);
    let sample = measured("honest").unwrap();
    assert!(sample.pps > 1000.0 && sample.unexplained == 0, "{sample:?}");
    assert!(matches!(measured("untouched"), Err(Refusal::Untouched { packets }) if packets > 100));
    assert!(matches!(measured("drop-silently"), Err(Refusal::DropsSilently { packets }) if packets >= 1));
}

#[test]
fn wrong_bytes_are_refused() {
    let refusal = measured("corrupt").unwrap_err();
    assert!(matches!(refusal, Refusal::WrongBytes { offset: 20, .. }), "{refusal}");
}

#[test]
fn silent_drops_are_refused_and_owned_up_ones_without_need_too() {
    let refusal = measured("drop-silently").unwrap_err();
    assert!(matches!(refusal, Refusal::DropsSilently { packets } if packets >= 1), "{refusal}");
    assert!(measured("drop-counted").unwrap().missing > 0, "at full load who counts may drop");
    let admitted = track().admit(&cheat("drop-counted"), &plan().base_point(), 1);
    assert!(matches!(admitted, Err(Trouble::Refused(Refusal::DropsWithoutNeed { .. }))), "{admitted:?}");
}

/// What the look at a capture says.
fn captured(how: &str) -> Result<(), Refusal> {
    match track().admit_capture(&cheat(how), &capture_point(), 1) {
        Ok(()) => Ok(()),
        Err(Trouble::Refused(refusal)) => Err(refusal),
        Err(Trouble::Broken(error)) => panic!("{error}"),
    }
}

fn capture_point() -> Point {
    Plan::named("quick").unwrap().captures().unwrap()
}

#[test]
fn captures_that_are_not_what_was_on_the_wire_are_refused() {
    assert_eq!(captured("honest"), Ok(()));
    let damaged = captured("damages").unwrap_err();
    assert!(matches!(damaged, Refusal::WrongCapture { packet: 1000, offset: 20, .. }), "{damaged}");
    let invented = captured("invents").unwrap_err();
    assert!(matches!(invented, Refusal::WrongCapture { packet: 1, offset: 0, .. }), "{invented}");
    let cut = captured("cuts").unwrap_err();
    assert!(matches!(&cut, Refusal::WrongCapture { packet: 1, got, .. } if got == "nothing"), "{cut}");
    assert_eq!(captured("swaps"), Err(Refusal::CaptureOutOfOrder { packet: 1001 }));
    let forgets = captured("forgets").unwrap_err();
    assert!(matches!(forgets, Refusal::DropsSilently { packets } if packets >= 10), "{forgets}");
}

#[test]
fn who_captures_wrong_bytes_is_refused_by_name_although_its_counts_are_right() {
    let times = Times { warm_up: Duration::from_millis(50), measure: Duration::from_millis(100) };
    assert!(
        track().rate(&cheat("damages"), &capture_point(), times, 1).is_ok(),
        "by its counts it is honest"
    );
    let mut plan = plan();
    plan.set.loads.clear();
    plan.only = Some("capture".to_owned());
    // It cheats in one app only: a shell picks the program.
    let script = format!(
        "program={}; case $1 in capture) how=damages;; *) how=honest;; esac; exec $program $how \"$@\"",
        env!("CARGO_BIN_EXE_ringway-cheat")
    );
    let words = ["sh", "-c", &script, "sh"].map(Into::into).to_vec();
    let sly = Contender { launch: Launch::App { words, directory: None }, ..cheat("sly") };
    let results = run_plan(plan, vec![cheat("honest"), sly]).unwrap();
    let named: Vec<_> =
        results.refused.iter().map(|one| (one.contender.as_str(), one.why.as_str())).collect();
    assert_eq!(named.len(), 1, "{named:?}");
    assert!(named[0].0 == "sly" && named[0].1.contains("captures wrong bytes: packet 1000"), "{named:?}");
    assert!(results.rates.iter().all(|row| row.contender == "honest") && !results.rates.is_empty());
}

#[test]
fn who_opens_fewer_queues_than_it_is_told_is_refused() {
    let times = Times { warm_up: Duration::from_millis(50), measure: Duration::from_millis(100) };
    let result = track().rate(&cheat("honest"), &plan().queue_point(2), times, 1);
    let Err(Trouble::Refused(refusal)) = result else { panic!("{result:?}") };
    assert!(refusal.to_string().contains("opened 1 queues instead of 2"), "{refusal}");
}

#[test]
fn results_name_who_was_refused_and_hold_no_figure_of_it() {
    let results = run(vec![cheat("honest"), cheat("untouched"), cheat("drop-silently")]).unwrap();
    let named: Vec<_> =
        results.refused.iter().map(|one| (one.contender.as_str(), one.why.as_str())).collect();
    assert_eq!(named.len(), 2, "{named:?}");
    assert!(named[0].0 == "untouched" && named[0].1.contains("does not do the work"), "{named:?}");
    assert!(named[1].0 == "drop-silently" && named[1].1.contains("drops silently"), "{named:?}");
    assert!(results.rates.iter().all(|row| row.contender == "honest") && !results.rates.is_empty());
    assert_eq!(results.reference, "honest");
}

#[test]
fn if_everybody_cheats_there_is_nothing_to_compare() {
    let error = run(vec![cheat("untouched")]).unwrap_err();
    assert!(error.to_string().contains("untouched does not do the work"), "{error}");
}

#[test]
fn a_contender_that_does_not_start_is_refused_too() {
    let refusal = measured("honestly").unwrap_err();
    assert!(refusal.to_string().contains("no way to cheat"), "{refusal}");
    let missing = Contender {
        launch: Launch::App { words: vec!["/nonexistent/driver".into()], directory: None },
        ..cheat("missing")
    };
    let results = run(vec![cheat("honest"), missing]).unwrap();
    assert!(results.refused[0].why.contains("cannot start"), "{:?}", results.refused);
}

#[test]
fn a_program_from_outside_is_measured_and_judged_by_its_packets_alone() {
    let outside = |how: &str| {
        let program = env!("CARGO_BIN_EXE_ringway-cheat");
        Contender::also(&format!("{how}='{program}' {how} forward {{a}} {{b}} --batch {{batch}}")).unwrap()
    };
    let results = run(vec![outside("honest"), outside("untouched"), outside("drop-silently")]).unwrap();
    let refused: Vec<_> = results.refused.iter().map(|one| one.contender.as_str()).collect();
    assert_eq!(refused, ["untouched", "drop-silently"]);
    assert!(results.refused[1].why.contains("drops without need"), "{:?}", results.refused);
    assert_eq!(results.rates.len(), 1);
}
