//! The schema of the apps' JSON lines takes what the contract says and refuses what it does not.

use jsonschema::Validator;
use serde_json::{Value, json};

fn validator() -> Validator {
    let text = include_str!("../app.schema.json");
    jsonschema::validator_for(&serde_json::from_str(text).unwrap()).unwrap()
}

fn device() -> Value {
    json!({"address": "unix:/x", "rx_packets": 1, "rx_bytes": 64, "tx_packets": 1, "tx_bytes": 64,
           "rx_missed": 0, "rx_errors": 0, "dropped": 0})
}

fn final_line() -> Value {
    json!({"event": "final", "app": "forward", "time_s": 1.5, "elapsed_s": 1.5, "received": 1, "sent": 1, "dropped": 0,
           "stopped_by": "packets", "slots_lost": 0, "devices": [device(), device()]})
}

#[test]
fn takes_the_lines_of_the_contract() {
    let start = json!({"event": "start", "app": "forward", "driver": "rust", "version": "0.1.0", "queues": 2, "devices": [
        {"address": "unix:/x", "way": "vfio-user", "mac": "02:00:00:00:00:01", "link": true, "mbit": 10000}]});
    let interval = json!({"event": "interval", "app": "forward", "time_s": 1.0, "devices": [device()]});
    let error = json!({"event": "error", "kind": "NoSuchDevice", "message": "unix:/x: no such file"});
    let mut counted = final_line();
    counted["runtime"] = json!({"allocated_bytes": 4096, "collections": 0});
    for line in [start, interval, final_line(), counted, error] {
        let errors: Vec<String> = validator().iter_errors(&line).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new(), "{line}");
    }
}

#[test]
fn refuses_what_is_missing_unknown_or_of_the_wrong_kind() {
    let mut missing = final_line();
    missing.as_object_mut().unwrap().remove("slots_lost");
    let mut unknown = final_line();
    unknown["pps"] = json!(1);
    let mut negative = final_line();
    negative["dropped"] = json!(-1);
    let mut word = final_line();
    word["stopped_by"] = json!("boredom");
    let kind = json!({"event": "error", "kind": "Oops", "message": "x"});
    let lines = json!({"event": "error", "kind": "Usage", "message": "two\nlines"});
    let mut queues = json!({"event": "start", "app": "forward", "driver": "rust", "version": "0.1.0", "devices": [
        {"address": "unix:/x", "way": "vfio-user", "mac": "02:00:00:00:00:01", "link": true, "mbit": 10000}]});
    assert!(validator().is_valid(&queues));
    queues["queues"] = json!(0);
    for line in [queues, missing, unknown, negative, word, kind, lines, json!({"event": "else"}), json!([])] {
        assert!(!validator().is_valid(&line), "{line}");
    }
}
