//! The PCI functions of this machine, as the kernel's files show them: who has them, which IOMMU group they are in, which
//! interfaces they are, and whether the default route goes over one of them.

pub mod address;
pub mod function;
pub mod group;
pub mod interface;
pub mod machine;
pub mod route;
#[cfg(test)]
pub mod tree;

pub use function::Function;
pub use group::Group;
pub use interface::Interface;
pub use machine::Machine;

#[cfg(test)]
impl tree::Tree {
    /// The machine that the files make.
    pub fn machine(&self) -> Machine {
        Machine::at(self.path(""))
    }
}
