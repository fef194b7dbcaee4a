//! Registers, descriptors and wire structures as data, and the generator that writes them out for every language.
//!
//! The tables (`spec/*.toml`) are read by [`table`], held against the rules of [`refuse`] and [`usage`], and rendered by
//! [`render`] into the files that [`outputs`] names. [`generate`] ties these together; `ringway-spec` is its program.
//! `ringway-house` holds the repository against the rules of the [`house`].

pub mod bits;
pub mod citations;
pub mod generate;
pub mod house;
pub mod outputs;
pub mod refuse;
pub mod render;
pub mod rows;
pub mod table;
pub mod usage;
