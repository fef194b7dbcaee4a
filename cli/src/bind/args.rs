//! What `ringway bind` and `ringway unbind` take.

use clap::Args;

/// What `ringway bind` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudo ringway bind 0000:03:00.0 --user $USER    then drivers need no root
  sudo ringway unbind 0000:03:00.0               back to the kernel's driver

An interface that is up is somebody's: taking its function needs --force. One that carries the default route, or has a bridge,
bond or VLAN with the default route on it, is how this machine reaches the network, and perhaps how you reach this machine:
that needs --force --force.")]
pub struct BindArgs {
    /// The PCI function: 0000:03:00.0
    pub address: String,
    /// Who may use it without being root
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// Take it although an interface of it is up; twice, although it carries the default route
    #[arg(long, action = clap::ArgAction::Count)]
    pub force: u8,
}

/// What `ringway unbind` takes.
#[derive(Debug, Args)]
pub struct UnbindArgs {
    /// The PCI function: 0000:03:00.0
    pub address: String,
}
