//! What several tests of the command share.
#![allow(dead_code, missing_docs)]

pub mod bench;
pub mod capture;
pub mod namespace;
pub mod process;
#[path = "../../src/pci/tree.rs"]
pub mod tree;
