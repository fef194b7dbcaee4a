//! The JSON lines of a driver's app (`spec/app.schema.json`), as far as this command reads them.

use serde::{Deserialize, Serialize};

/// One line of an app's standard output.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum AppEvent {
    /// The devices are open.
    Start(Start),
    /// Counters, every second; the lab's own are looked at instead.
    Interval {},
    /// Counters at the end.
    Final(Final),
    /// What went wrong.
    Error {
        /// Which of the errors of design section 2.
        kind: String,
        /// The cause in words.
        message: String,
    },
}

/// What the driver found when it opened its devices.
#[derive(Clone, Debug, Deserialize)]
pub struct Start {
    /// The driver's name of itself.
    pub driver: String,
    /// Its version.
    pub version: String,
    /// Queues of each device.
    #[serde(default = "one")]
    pub queues: u16,
    /// In the order of the command line.
    pub devices: Vec<Opened>,
}

fn one() -> u16 {
    1
}

/// One open device.
#[derive(Clone, Debug, Deserialize)]
pub struct Opened {
    /// The way to the device: `vfio-user`, `vfio`, `sysfs`.
    pub way: String,
}

/// What the driver counted at one device.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(default)]
pub struct DeviceCounts {
    /// Packets received.
    pub rx_packets: u64,
    /// Bytes received, with FCS.
    pub rx_bytes: u64,
    /// Packets sent.
    pub tx_packets: u64,
    /// Bytes sent, with FCS.
    pub tx_bytes: u64,
    /// Packets for which the device had no descriptor or no room.
    pub rx_missed: u64,
    /// Bad frames, and packets thrown away because the device lied.
    pub rx_errors: u64,
    /// Packets taken from this device that the other one did not accept.
    pub dropped: u64,
}

/// The last line of a run.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Final {
    /// Packets that the app received.
    #[serde(default)]
    pub received: u64,
    /// Packets that the app sent.
    #[serde(default)]
    pub sent: u64,
    /// Packets received and not sent.
    pub dropped: u64,
    /// Slots that were nowhere at the end; 0 unless the driver has a bug.
    #[serde(default)]
    pub slots_lost: u64,
    /// By device.
    pub devices: Vec<DeviceCounts>,
    /// What the language's runtime has counted, if it has one that counts.
    #[serde(default)]
    pub runtime: Option<RuntimeCounts>,
}

/// What a runtime with a garbage collector has counted while packets were moved.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct RuntimeCounts {
    /// Bytes allocated.
    pub allocated_bytes: u64,
    /// Collections, of whatever generation.
    pub collections: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_each_line_of_an_app() {
        let start = r#"{"event":"start","app":"forward","driver":"rust","version":"0.1.0","devices":[
            {"address":"unix:/x","way":"vfio-user","mac":"02:00:00:00:00:01","link":true,"mbit":10000}]}"#;
        let AppEvent::Start(start) = serde_json::from_str(start).unwrap() else { panic!("not a start") };
        assert_eq!((start.driver.as_str(), start.devices[0].way.as_str()), ("rust", "vfio-user"));
        assert_eq!(start.queues, 1);

        let last = r#"{"event":"final","app":"forward","elapsed_s":1.5,"received":7,"sent":5,"dropped":2,
            "stopped_by":"signal","slots_lost":0,"devices":[{"address":"unix:/x","rx_packets":7}]}"#;
        let AppEvent::Final(last) = serde_json::from_str(last).unwrap() else { panic!("not a final") };
        assert_eq!((last.dropped, last.slots_lost, last.devices[0].rx_packets), (2, 0, 7));

        let error = r#"{"event":"error","kind":"NoSuchDevice","message":"unix:/x: nobody listens"}"#;
        assert!(
            matches!(serde_json::from_str(error).unwrap(), AppEvent::Error { kind, .. } if kind == "NoSuchDevice")
        );
    }
}
