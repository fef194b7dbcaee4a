//! How drivers reach a NIC of the engine.

use rustix::event::PollFd;

use crate::clock::Nanos;
use crate::device::Device;
use crate::serve::Server;
use crate::tree::Function;

/// One way to one NIC.
pub(super) enum Front {
    /// By vfio-user.
    Socket(Box<Server>),
    /// As a PCI function of a mount namespace.
    Files(Box<Function>),
}

impl Front {
    pub fn poll(&mut self, device: &mut dyn Device, now: Nanos) -> usize {
        match self {
            Front::Socket(server) => server.poll(device),
            Front::Files(function) => function.poll(device, now),
        }
    }

    /// What has to be looked at in every round.
    #[inline]
    pub fn glance(&mut self, device: &mut dyn Device) {
        if let Front::Files(function) = self {
            function.glance(device);
        }
    }

    pub fn settle(&mut self, device: &mut dyn Device) {
        match self {
            Front::Socket(_) => device.settle(),
            Front::Files(function) => function.settle(device),
        }
    }

    pub fn disconnect(&mut self, device: &mut dyn Device) {
        match self {
            Front::Socket(server) => server.disconnect(device),
            Front::Files(function) => function.pull_out(device),
        }
    }

    pub fn client_present(&self) -> bool {
        match self {
            Front::Socket(server) => server.client_present(),
            Front::Files(function) => function.is_open(),
        }
    }

    /// Somebody is connected, or about to be.
    pub fn is_attended(&self) -> bool {
        match self {
            Front::Socket(server) => server.client_present() || server.has_visitors(),
            Front::Files(function) => function.is_open(),
        }
    }

    pub fn take_notes(&mut self) -> Vec<String> {
        match self {
            Front::Socket(server) => server.take_notes(),
            Front::Files(function) => function.take_notes(),
        }
    }

    pub fn poll_fds<'a>(&'a self, fds: &mut Vec<PollFd<'a>>) {
        match self {
            Front::Socket(server) => server.poll_fds(fds),
            Front::Files(function) => function.poll_fds(fds),
        }
    }
}
