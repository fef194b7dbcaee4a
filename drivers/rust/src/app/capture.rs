//! Writing what a device receives into a file.

use std::path::Path;
use std::time::SystemTime;

use ringway::Device;

use crate::Failure;
use crate::args::Common;
use crate::pcap::PcapFile;
use crate::report::{Report, Sums};
use crate::run::{self, Next, Run, Stop};

/// Captures until it is time to stop.
pub fn capture(address: &str, path: &Path, common: &Common, report: &Report) -> Result<(), Failure> {
    if common.queues > 1 {
        return Err(Failure::Usage("a file keeps the order of packets: capture has one queue".to_owned()));
    }
    let mut run = Run::new(common)?;
    let memory = run::memory(common, &[address])?;
    let mut devices = [run::open(address, &memory, common)?];
    // Only now: a wrong address must not empty an existing file.
    let failed = |error: std::io::Error| Failure::Output(format!("writing {}: {error}", path.display()));
    let mut file = PcapFile::create(path).map_err(failed)?;
    report.start(&[devices[0].control()], 1)?;
    let mut batch = devices[0].batch(common.batch.into());
    run.begin();
    let mut sums = Sums::default();
    let stop = loop {
        let most = common.packets.map_or(u64::MAX, |packets| packets - sums.received);
        let received = match devices[0].rx_queue(0)?.receive_at_most(&mut batch, most as usize) {
            Ok(received) => received,
            Err(error) => {
                file.flush().map_err(failed)?; // what was captured before is worth keeping
                return Err(error.into());
            }
        };
        let now = SystemTime::now();
        for packet in &batch {
            file.add(now, packet.len(), packet.pieces()).map_err(failed)?;
        }
        sums.received += received as u64;
        batch.clear();
        if common.packets == Some(sums.received) {
            break Stop::Packets;
        }
        match run.round(received > 0) {
            Next::GoOn => {}
            Next::Report => {
                file.flush().map_err(failed)?;
                report.interval(run.elapsed(), &[devices[0].control()], &[0])?;
            }
            Next::Stop(stop) => break stop,
        }
    };
    file.flush().map_err(failed)?;
    drop(batch);
    sums.slots_lost = run::slots_lost(&mut devices);
    report.last(run.elapsed(), &[devices[0].control()], &[0], sums, stop)?;
    devices.into_iter().try_for_each(Device::close)?;
    Ok(())
}
