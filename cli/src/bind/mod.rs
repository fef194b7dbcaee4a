//! `ringway bind` and `ringway unbind`: from the kernel's driver to vfio-pci, and back.

pub mod args;
mod change;
pub mod memlock;
mod node;
mod record;

use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::pci::{Function, Group, Machine};
use crate::ui;
use args::{BindArgs, UnbindArgs};
use record::Record;

/// Hands a function to user space.
pub fn bind(args: &BindArgs, json: bool) -> anyhow::Result<Exit> {
    let machine = Machine::this();
    let function = Function::named(&machine, &args.address)?;
    let user = args.user.as_deref().map(node::user).transpose()?;
    let was = function.driver();
    let group = take(&machine, &function, args.force)?;
    let nodes = node::nodes(&machine, &function, &group)?;
    for node in &nodes {
        user.as_ref().map_or(Ok(()), |user| node::give(node, user))?;
    }
    let limit = memlock::limit();
    let name = user.map(|user| user.name);
    let remedy = memlock::remedy(limit, name.as_deref());
    let obstacles = group.obstacles(&machine);
    if json {
        let others =
            obstacles.iter().map(|(address, driver)| json!({ "address": address, "driver": driver }));
        let event = json!({
            "event": "bind", "address": function.address, "was": was, "driver": change::VFIO,
            "group": group.number, "nodes": nodes, "user": name, "memlock": limit, "memlock_remedy": remedy,
            "obstacles": others.collect::<Vec<_>>(),
        });
        ui::say(event.to_string());
        return Ok(Exit::Done);
    }
    let address = &function.address;
    ui::say(format!(
        "{address}  {} -> {}, IOMMU group {}",
        shown(was.as_deref()),
        change::VFIO,
        group.number
    ));
    let who = name.map_or("root only; --user NAME gives it to somebody".to_owned(), |name| name.clone());
    nodes.iter().for_each(|node| ui::say(format!("  node     {}, for {who}", node.display())));
    ui::say(format!("  memlock  {}", memlock::shown(limit)));
    if !remedy.is_empty() {
        ui::say(format!("           -> {remedy}"));
    }
    for (other, driver) in obstacles {
        ui::say(format!(
            "  group    {other} is in it too, on {driver}: VFIO refuses until that is bound as well"
        ));
        ui::say(format!("           -> sudo ringway bind {other}"));
    }
    Ok(Exit::Done)
}

/// Gives a function back to the kernel.
pub fn unbind(args: &UnbindArgs, json: bool) -> anyhow::Result<Exit> {
    let machine = Machine::this();
    let function = Function::named(&machine, &args.address)?;
    let was = function.driver();
    let found = Record::kept(&machine, &function);
    // Another driver than vfio-pci has it already: there is nothing to give back.
    if was.as_deref().is_none_or(|driver| driver == change::VFIO) {
        node::refuse_if_open(&machine, &function)?;
        let _held = node::hold(&function)?;
        change::back(&machine, &function, found.as_ref())?;
    }
    Record::forget(&machine, &function);
    let driver = function.driver();
    let address = &function.address;
    if json {
        let event = json!({ "event": "unbind", "address": address, "was": was, "driver": driver });
        ui::say(event.to_string());
    } else {
        ui::say(format!("{address}  {} -> {}", shown(was.as_deref()), shown(driver.as_deref())));
    }
    Ok(Exit::Done)
}

fn shown(driver: Option<&str>) -> &str {
    driver.unwrap_or("no driver")
}

/// Moves the function to vfio-pci, unless it is there or somebody would miss it.
fn take(machine: &Machine, function: &Function, force: u8) -> Result<Group, Failure> {
    let address = &function.address;
    if !function.is_ethernet() {
        let class = function.class();
        let cause = format!("{address} is no Ethernet controller (PCI class {class:#08x})");
        return Err(Failure::open(cause, "`ringway list` shows those that there are"));
    }
    let group = function.group().ok_or_else(|| {
        let cause = format!("there is no IOMMU for {address}");
        let remedy = "Enable VT-d or AMD-Vi in the firmware and boot with intel_iommu=on iommu=pt; drivers can use it \
            without an IOMMU as root, over sysfs, as it is";
        Failure::open(cause, remedy)
    })?;
    if function.driver().as_deref() == Some(change::VFIO) {
        return Ok(group);
    }
    refuse_if_missed(machine, function, force)?;
    change::load(machine, change::VFIO)?;
    let _held = node::hold(function)?;
    let found = Record::of(function);
    found.keep(machine, function)?;
    change::to_vfio(machine, function, &found).inspect_err(|_| Record::forget(machine, function))?;
    Ok(group)
}

/// Refuses a function that carries this machine's traffic, unless told often enough.
fn refuse_if_missed(machine: &Machine, function: &Function, force: u8) -> Result<(), Failure> {
    let address = &function.address;
    let interfaces = function.interfaces(machine).or_else(|error| {
        let cause = format!("cannot find out whether {address} carries the default route: {error}");
        let unknown = Failure::open(cause, "Repeat with --force --force if you know that it does not");
        if force < 2 { Err(unknown) } else { Ok(Vec::new()) }
    })?;
    for interface in interfaces {
        let name = &interface.name;
        if let (Some(route), 0..2) = (&interface.default_route, force) {
            let over = if route == name { String::new() } else { format!(" below {route}") };
            let cause = format!("{address} is {name}{over}, which carries the default route of this machine");
            let remedy =
                "Taking it cuts this machine off; repeat with --force --force if that is what you want";
            return Err(Failure::open(cause, remedy));
        }
        if interface.up && force == 0 {
            let cause = format!("{address} is {name}, which is up");
            return Err(Failure::open(
                cause,
                format!("sudo ip link set {name} down, or repeat with --force"),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
