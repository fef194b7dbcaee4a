//! What the program says: JSON lines for programs, or plain lines for people.

use std::io::Write;
use std::time::Duration;

use ringway::{Control, Stats};
use serde_json::{Value, json};

use crate::Failure;
use crate::run::Stop;

/// Where and how to report.
pub struct Report {
    app: &'static str,
    json: bool,
}

/// The sums at the end of a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sums {
    pub received: u64,
    pub sent: u64,
    pub dropped: u64,
    pub slots_lost: usize,
}

impl Report {
    pub fn new(app: &'static str, json: bool) -> Report {
        Report { app, json }
    }

    /// Says which devices were opened and how they were reached.
    pub fn start(&self, devices: &[&Control], queues: u16) -> Result<(), Failure> {
        let mut opened = Vec::new();
        for control in devices {
            let link = control.link()?;
            opened.push(json!({
                "address": control.address(),
                "way": control.way().to_string(),
                "mac": mac(control.mac()),
                "link": link.up,
                "mbit": link.mbit,
            }));
        }
        let version = env!("CARGO_PKG_VERSION");
        self.say(
            json!({
                "event": "start", "app": self.app, "driver": "rust", "version": version, "queues": queues,
                "devices": opened,
            }),
            |value| {
                for device in value["devices"].as_array().into_iter().flatten() {
                    let state = if device["link"] == true { "up" } else { "down" };
                    let (address, way) = (text(&device["address"]), text(&device["way"]));
                    let (mac, mbit) = (text(&device["mac"]), &device["mbit"]);
                    line(&format!("{address}  {way}  {mac}  link {state}  {mbit} Mbit/s"));
                }
            },
        );
        Ok(())
    }

    /// Says how far a run has come. `dropped` counts by device what was taken from it and not accepted elsewhere.
    pub fn interval(&self, time: Duration, devices: &[&Control], dropped: &[u64]) -> Result<(), Failure> {
        let devices = counts(devices, dropped)?;
        let event =
            json!({ "event": "interval", "app": self.app, "time_s": time.as_secs_f64(), "devices": devices });
        self.say(event, |value| {
            let time = value["time_s"].as_f64().unwrap_or(0.0);
            for device in value["devices"].as_array().into_iter().flatten() {
                line(&format!("{time:6.1} s  {}", counters(device)));
            }
        });
        Ok(())
    }

    /// Says how a run ended.
    pub fn last(
        &self,
        time: Duration,
        devices: &[&Control],
        dropped: &[u64],
        sums: Sums,
        stop: Stop,
    ) -> Result<(), Failure> {
        let event = json!({
            "event": "final",
            "app": self.app,
            "elapsed_s": time.as_secs_f64(),
            "received": sums.received,
            "sent": sums.sent,
            "dropped": sums.dropped,
            "stopped_by": stop.name(),
            "slots_lost": sums.slots_lost,
            "devices": counts(devices, dropped)?,
        });
        self.say(event, |value| {
            for device in value["devices"].as_array().into_iter().flatten() {
                line(&format!("   total  {}", counters(device)));
            }
            let rate = (sums.received.max(sums.sent)) as f64 / time.as_secs_f64().max(1e-9) / 1e6;
            line(&format!(
                "{} received, {} sent, {} dropped in {:.1} s ({rate:.2} million packets a second)",
                sums.received,
                sums.sent,
                sums.dropped,
                time.as_secs_f64()
            ));
        });
        Ok(())
    }

    /// One line about what went wrong.
    pub fn error(&self, kind: &str, message: &str) {
        let message = message.replace(['\n', '\r'], " ");
        if self.json {
            line(&json!({ "event": "error", "kind": kind, "message": message }).to_string());
        } else {
            let _ = writeln!(std::io::stderr(), "ringway-rust: {message}");
        }
    }

    fn say(&self, value: Value, plain: impl FnOnce(&Value)) {
        if self.json { line(&value.to_string()) } else { plain(&value) }
    }
}

/// A line of output, at once. Nobody may be listening any more, which is no reason to stop forwarding.
fn line(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}");
    let _ = out.flush();
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}

fn counts(devices: &[&Control], dropped: &[u64]) -> Result<Vec<Value>, Failure> {
    let one = |(device, dropped): (&&Control, &u64)| {
        let Stats { rx_packets, rx_bytes, tx_packets, tx_bytes, rx_missed, rx_errors, .. } =
            device.stats()?;
        Ok(json!({
            "address": device.address(),
            "rx_packets": rx_packets,
            "rx_bytes": rx_bytes,
            "tx_packets": tx_packets,
            "tx_bytes": tx_bytes,
            "rx_missed": rx_missed,
            "rx_errors": rx_errors,
            "dropped": dropped,
        }))
    };
    devices.iter().zip(dropped).map(one).collect()
}

fn counters(device: &Value) -> String {
    let number = |key: &str| device[key].as_u64().unwrap_or(0);
    format!(
        "{}: received {} packets, sent {}, dropped {}, missed {}, errors {}",
        text(&device["address"]),
        number("rx_packets"),
        number("tx_packets"),
        number("dropped"),
        number("rx_missed"),
        number("rx_errors"),
    )
}

/// An Ethernet address as people write it.
pub fn mac(bytes: [u8; 6]) -> String {
    bytes.map(|byte| format!("{byte:02x}")).join(":")
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_address_is_written_with_colons() {
        assert_eq!(super::mac([2, 0, 0, 0, 0x1f, 0xff]), "02:00:00:00:1f:ff");
    }
}
