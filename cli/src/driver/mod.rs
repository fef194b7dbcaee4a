//! The drivers of the repository: found by their `driver.toml`, built when needed, run as child processes.

pub mod app;
pub mod build;
pub mod event;
pub mod find;
