//! What the lab has seen of the program.

use ringway_lab::ixgbe::Counters;
use serde::Serialize;
use serde_json::json;

use crate::forward::summary::Broken;
use crate::lab::bring_up::Running;
use crate::lab::wires::Stream;
use crate::ui::{self, Paint, grouped};

/// One NIC.
#[derive(Debug, Serialize)]
pub struct NicReport {
    name: String,
    address: String,
    rx_packets: u64,
    rx_bytes: u64,
    rx_delivered: u64,
    rx_dropped: u64,
    tx_packets: u64,
    tx_bytes: u64,
    tx_lost: u64,
    interrupts: u64,
    resets: u64,
    findings: Vec<Broken>,
}

/// One direction of generated traffic.
#[derive(Debug, Serialize)]
pub struct TrafficReport {
    name: String,
    sent: u64,
    /// Nothing that comes back is looked at if this is not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    arrived: Option<Arrived>,
}

#[derive(Debug, Serialize)]
struct Arrived {
    packets: u64,
    lost: u64,
    duplicates: u64,
    reordered: u64,
    wrong: u64,
}

/// Everything.
#[derive(Debug, Serialize)]
pub struct Report {
    exit: u8,
    nics: Vec<NicReport>,
    traffic: Vec<TrafficReport>,
}

impl Report {
    /// Of a program that ended with `exit`. `counters` are those of the NICs, in their order, with frames that the wire lost.
    pub fn new(exit: u8, running: &Running, counters: &[(Counters, u64)], streams: &[Stream]) -> Self {
        let nics = running.ports.iter().zip(counters).map(|(port, (counters, lost))| NicReport {
            name: port.name.clone(),
            address: port.address.clone(),
            rx_packets: counters.rx_frames,
            rx_bytes: counters.rx_bytes,
            rx_delivered: counters.rx_delivered,
            rx_dropped: counters.dropped.total(),
            tx_packets: counters.tx_frames,
            tx_bytes: counters.tx_bytes,
            tx_lost: counters.tx_lost + lost,
            interrupts: counters.interrupts,
            resets: counters.resets,
            findings: port
                .findings
                .as_ref()
                .map_or_else(Vec::new, |all| Broken::by_rule(&port.name, &all.all())),
        });
        Report { exit, nics: nics.collect(), traffic: streams.iter().flat_map(directions).collect() }
    }

    /// Prints it: as an object on standard output, or as lines on standard error, for standard output is the program's.
    pub fn tell(&self, json: bool) {
        if json {
            let mut object = json!(self);
            object["event"] = "exec".into();
            return ui::say(object.to_string());
        }
        self.nics.iter().for_each(NicReport::tell);
        self.traffic.iter().for_each(TrafficReport::tell);
    }
}

fn directions(stream: &Stream) -> impl Iterator<Item = TrafficReport> + '_ {
    let report = stream.handle.report();
    stream.names.iter().zip(report.directions).map(|(name, direction)| TrafficReport {
        name: name.clone(),
        sent: direction.sent,
        arrived: stream.checked.then(|| Arrived {
            packets: direction.received,
            lost: direction.missing(),
            duplicates: direction.duplicates,
            reordered: direction.reordered,
            wrong: direction.corrupt + direction.unexpected + direction.stale,
        }),
    })
}

impl NicReport {
    fn tell(&self) {
        ui::note(format!(
            "NIC {} ({}): rx {} (dropped {}), tx {} (lost {}), {} interrupts, {} resets",
            self.name,
            self.address,
            grouped(self.rx_packets),
            grouped(self.rx_dropped),
            grouped(self.tx_packets),
            grouped(self.tx_lost),
            grouped(self.interrupts),
            grouped(self.resets),
        ));
        for Broken { severity, rule, section, message, remedy, places, count, .. } in &self.findings {
            let often = if *count > 1 { format!(" ({count} times, {places} places)") } else { String::new() };
            ui::note(format!(
                "NIC {}: {severity}: {rule}: {message} ({section}){often}. {remedy}",
                self.name
            ));
        }
    }
}

impl TrafficReport {
    fn tell(&self) {
        let paint = Paint::stderr();
        let sent = grouped(self.sent);
        let Some(Arrived { packets, lost, duplicates, reordered, wrong }) = &self.arrived else {
            return ui::note(format!("{}: sent {sent}", self.name));
        };
        let counted = |what: &str, number: u64| {
            let text = format!("{what} {}", grouped(number));
            if number == 0 { text } else { paint.bad(&text) }
        };
        ui::note(format!(
            "{}: sent {sent}, arrived {}, {}, {}, {}, {}",
            self.name,
            grouped(*packets),
            counted("lost", *lost),
            counted("duplicates", *duplicates),
            counted("reordered", *reordered),
            counted("wrong", *wrong),
        ));
    }
}
