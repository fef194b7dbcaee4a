//! What a case is.

use crate::outcome::Outcome;
use crate::rig::Rig;

/// One case of the suite: a sentence, what it checks, and how.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The sentence, with underscores.
    pub name: &'static str,
    /// Where the rule stands: `82599:7.1.9` (data sheet), `vfio-user:3.9`, `protocol:open`, `design:2`.
    pub cites: &'static str,
    /// How many NICs the case starts with.
    pub nics: usize,
    /// No page of the NIC can be mapped: every access is a message, and so all of them are seen in order.
    pub trapped: bool,
    /// Every descriptor is recorded.
    pub descriptors: bool,
    /// A feature that the driver must announce, or the case is ignored.
    pub needs: Option<&'static str>,
    /// Plays the case.
    pub run: fn(&mut Rig) -> Outcome,
}

impl Case {
    /// A case with one NIC whose doorbell pages can be mapped.
    pub const fn new(name: &'static str, cites: &'static str, run: fn(&mut Rig) -> Outcome) -> Case {
        Case { name, cites, nics: 1, trapped: false, descriptors: false, needs: None, run }
    }

    /// With two NICs.
    pub const fn two_nics(self) -> Case {
        Case { nics: 2, ..self }
    }

    /// With NICs that cannot be mapped.
    pub const fn trapped(self) -> Case {
        Case { trapped: true, ..self }
    }

    /// With a record of every descriptor.
    pub const fn descriptors(self) -> Case {
        Case { descriptors: true, ..self }
    }

    /// Only for drivers that announce `feature`.
    pub const fn needs(self, feature: &'static str) -> Case {
        Case { needs: Some(feature), ..self }
    }
}

/// The case that a function of this name plays: `case!(finds_nothing_on_an_idle_wire, "design:2")`.
macro_rules! case {
    ($run:ident, $cites:literal) => {
        $crate::case::Case::new(stringify!($run), $cites, $run)
    };
}
pub(crate) use case;
