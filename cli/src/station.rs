//! A NIC with all that this command puts around it: sanitizer, trace, socket.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use ringway_lab::engine::{Engine, Lab, NicId, Stopped};
use ringway_lab::events::Watch;
use ringway_lab::faults::Plan;
use ringway_lab::ixgbe::{Doorbells, Nic, NicConfig};
use ringway_lab::sanitizer::{Findings, Sanitizer};
use ringway_lab::serve::BindError;
use ringway_lab::trace::{Trace, TraceErrors};
use ringway_lab::tree::Address;
use ringway_lab::wire::Wire;

use crate::failure::Failure;
use crate::mac::Mac;

/// An engine of 82599s.
pub type NicEngine = Engine<Nic>;
/// A thread that polls them.
pub type NicLab = Lab<Nic>;

/// How a NIC is to be made.
pub struct Station {
    /// Its name.
    pub name: String,
    /// Its address.
    pub mac: Mac,
    /// Seed of its state before reset, and of everything else that is random in it.
    pub seed: u64,
    /// Whether the cable is in.
    pub link: bool,
    /// How the driver reaches the doorbells.
    pub doorbells: Doorbells,
    /// How deep the sanitizer looks; [`Watch::Off`] for no sanitizer.
    pub level: Watch,
    /// Where every access is written, if anywhere.
    pub trace: Option<PathBuf>,
    /// How it misbehaves.
    pub faults: Vec<Plan>,
}

/// A NIC in an engine.
pub struct Port {
    /// Its number there.
    pub id: NicId,
    /// Its name.
    pub name: String,
    /// Its socket, or its PCI address.
    pub address: String,
    /// What its sanitizer finds; `None` without one.
    pub findings: Option<Findings>,
    /// Tells what has ended its trace; `None` without one.
    pub trace_errors: Option<TraceErrors>,
}

impl Port {
    /// What has ended the trace, told once.
    pub fn trace_error(&self) -> Option<io::Error> {
        let error = self.trace_errors.as_ref()?.take()?;
        Some(io::Error::new(error.kind(), format!("the trace of NIC {} has ended: {error}", self.name)))
    }
}

impl Station {
    /// Makes the NIC, plugs it in, and serves it at `socket`.
    pub fn build(self, wire: Box<dyn Wire>, engine: &mut NicEngine, socket: &Path) -> Result<Port, Failure> {
        self.make(wire, &socket.display().to_string(), |nic| {
            engine.add_nic(nic, socket).map_err(|error| refused(&error))
        })
    }

    /// Makes the NIC, plugs it in, and serves it as a PCI function.
    pub fn build_function(
        self,
        wire: Box<dyn Wire>,
        engine: &mut NicEngine,
        address: Address,
    ) -> Result<Port, Failure> {
        self.make(wire, &address.to_string(), |nic| {
            let failed =
                |error| Failure::failed(format!("cannot make the PCI function {address}: {error}"), "");
            engine.add_function(nic, address).map_err(failed)
        })
    }

    fn make(
        self,
        wire: Box<dyn Wire>,
        address: &str,
        serve: impl FnOnce(Nic) -> Result<NicId, Failure>,
    ) -> Result<Port, Failure> {
        let config = NicConfig {
            mac: self.mac.0,
            seed: self.seed,
            doorbells: self.doorbells,
            ..NicConfig::new(&self.name)
        };
        let mut nic = Nic::new(config, wire)
            .map_err(|error| Failure::failed(format!("cannot make NIC {}: {error}", self.name), ""))?;
        nic.set_link(self.link);
        for plan in self.faults {
            nic.faults_mut().arm(plan);
        }
        let findings = (self.level != Watch::Off).then(|| {
            let (sanitizer, findings) = Sanitizer::new(self.level);
            nic.add_observer(Box::new(sanitizer));
            findings
        });
        let mut trace_errors = None;
        if let Some(path) = &self.trace {
            let file = File::create(path).map_err(|error| {
                Failure::open(format!("cannot write the trace {}: {error}", path.display()), "")
            })?;
            let trace = Trace::to_writer(Box::new(file));
            trace_errors = Some(trace.errors());
            nic.add_observer(Box::new(trace));
        }
        let id = serve(nic)?;
        Ok(Port { id, name: self.name, address: address.to_owned(), findings, trace_errors })
    }
}

fn refused(error: &BindError) -> Failure {
    let remedy = match error {
        BindError::TooLong { .. } => "Set TMPDIR or XDG_RUNTIME_DIR to a shorter directory",
        _ => "",
    };
    Failure::open(error.to_string(), remedy)
}

/// The polling thread is dead.
pub fn lab_stopped(stopped: Stopped) -> Failure {
    Failure::failed(stopped.to_string(), "This is a bug of the lab: please report it with the message above")
}
