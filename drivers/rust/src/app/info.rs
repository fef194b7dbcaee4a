//! What a device is.

use ringway::Device;

use crate::Failure;
use crate::args::Common;
use crate::report::Report;
use crate::run;

/// Opens the device, says what it is, and closes it.
pub fn info(address: &str, common: &Common, report: &Report) -> Result<(), Failure> {
    let memory = run::memory(common, &[address])?;
    let devices = [run::open(address, &memory, common)?];
    report.start(&[devices[0].control()], common.queues)?;
    devices.into_iter().try_for_each(Device::close)?;
    Ok(())
}
