//! The machine, as far as it matters for a measurement.

use std::fs;

use serde::{Deserialize, Serialize};

/// Where a run took place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Name of the processor.
    pub processor: String,
    /// Cores that the process may use.
    pub cores: usize,
    /// Bytes of memory.
    pub memory: u64,
    /// Kernel and its version.
    pub kernel: String,
    /// The name and version of the distribution.
    pub system: String,
    /// It is a virtual machine or container host that shows itself as one.
    pub hypervisor: bool,
    /// How the clock of the cores is steered; empty if the system does not tell.
    pub governor: String,
    /// Core of the lab.
    pub lab_core: Option<usize>,
    /// Core of the contenders.
    pub driver_core: Option<usize>,
    /// Load average of the last minute before the run.
    pub load: String,
}

impl Machine {
    /// This one.
    pub fn here(lab_core: Option<usize>, driver_core: Option<usize>) -> Machine {
        let cpu = read("/proc/cpuinfo");
        let uname = rustix::system::uname();
        let field = |text: &str, key: &str| {
            let line = text.lines().find(|line| line.starts_with(key));
            line.and_then(|line| line.split_once([':', '=']))
                .map(|(_, value)| value.trim().trim_matches('"').to_owned())
        };
        let kilobytes = field(&read("/proc/meminfo"), "MemTotal")
            .and_then(|value| value.split(' ').next()?.parse::<u64>().ok());
        Machine {
            processor: field(&cpu, "model name").unwrap_or_else(|| "unknown".to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory: kilobytes.unwrap_or(0) * 1024,
            kernel: format!("{} {}", uname.sysname().to_string_lossy(), uname.release().to_string_lossy()),
            system: field(&read("/etc/os-release"), "PRETTY_NAME").unwrap_or_default(),
            hypervisor: field(&cpu, "flags")
                .is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor")),
            governor: read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").trim().to_owned(),
            lab_core,
            driver_core,
            load: read("/proc/loadavg").split(' ').next().unwrap_or_default().to_owned(),
        }
    }

    /// What makes figures of this machine less sure.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        match (self.lab_core, self.driver_core) {
            (Some(lab), Some(driver)) => notes.push(format!(
                "{} cores: the lab's thread is pinned to core {lab}, each contender with all its threads to core {driver}",
                self.cores
            )),
            _ => notes.push(format!(
                "{} core: lab and contender share it, the figures mean little",
                self.cores
            )),
        }
        if self.hypervisor {
            notes.push("this is a virtual machine: others may take its cores away at any time".to_owned());
        }
        if self.load.parse::<f64>().is_ok_and(|load| load > 0.5) {
            notes.push(format!("the machine was not idle when the run began: load average {}", self.load));
        }
        notes
    }
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_disturbs_is_told() {
        let machine = Machine { load: "1.50".into(), hypervisor: true, ..Machine::here(Some(0), Some(1)) };
        let notes = machine.notes().join("; ");
        assert!(notes.contains("virtual machine") && notes.contains("1.50"), "{notes}");
        assert!(notes.contains("core 0") && notes.contains("core 1"), "{notes}");
        assert!(machine.memory > 1 << 20 && !machine.kernel.is_empty());
    }
}
