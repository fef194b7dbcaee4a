//! Who is measured: drivers of the repository and programs from outside.

use ringway_bench::contender::{Addresses, Contender, Launch};
use ringway_conformance::drivers::{Driver, Need};
use ringway_lab::tree::Namespace;

use super::args::BenchArgs;
use crate::driver::{build, find};
use crate::exec;
use crate::failure::Failure;
use crate::ui;

/// The reference, where there is one of this name.
const C: &str = "c";

/// Those that were asked for, built.
pub fn chosen(args: &BenchArgs) -> Result<Vec<Contender>, Failure> {
    let mut contenders = Vec::new();
    for driver in drivers(args)? {
        contenders.push(built(&driver)?);
    }
    for also in &args.also {
        let contender = Contender::also(also).map_err(|error| {
            Failure::usage(error.to_string(), "For example: --also mine='./my-driver {a} {b}'")
        })?;
        if contenders.iter().any(|known| known.name == contender.name) {
            return Err(Failure::usage(
                format!("two contenders are called {}", contender.name),
                "Give --also another name",
            ));
        }
        contenders.push(contender);
    }
    Ok(contenders)
}

/// A driver of the repository, built.
pub fn named(name: &str) -> Result<Contender, Failure> {
    built(&find::named(name)?)
}

fn built(driver: &Driver) -> Result<Contender, Failure> {
    build::ensure(driver)?;
    Ok(of_driver(driver))
}

/// MiB of hugepages for one who wants PCI functions; they are taken when they are used.
const HUGEPAGES_MIB: u64 = 1024;

/// Where PCI functions can be, if anybody wants some.
pub fn namespace(contenders: &[Contender]) -> Result<Option<Namespace>, Failure> {
    let wanted = contenders.iter().any(|one| one.addresses() == Addresses::Functions);
    wanted.then(|| Namespace::enter(HUGEPAGES_MIB).map_err(exec::refused)).transpose()
}

/// The drivers that were named, or all whose tools are here.
fn drivers(args: &BenchArgs) -> Result<Vec<Driver>, Failure> {
    if !args.drivers.is_empty() {
        return args.drivers.iter().map(|name| find::named(name)).collect();
    }
    let (able, unable): (Vec<_>, Vec<_>) =
        find::all()?.into_iter().partition(|driver| driver.missing().is_empty());
    for driver in &unable {
        let missing = driver.missing();
        let tools: Vec<_> = missing.iter().map(|need| need.tool.as_str()).collect();
        ui::note(format!("leaving out driver {}: no {} here", driver.name, tools.join(", ")));
    }
    Ok(able)
}

fn of_driver(driver: &Driver) -> Contender {
    let command = driver.app_command();
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    Contender {
        name: driver.name.clone(),
        language: Some(driver.language.clone()),
        launch: Launch::App {
            words: words.map(ToOwned::to_owned).collect(),
            directory: command.get_current_dir().map(ToOwned::to_owned),
        },
        sources: Some(driver.directory.clone()),
        versions: driver.needs.iter().filter_map(Need::found).collect(),
    }
}

/// Whom the others are compared with.
pub fn reference(args: &BenchArgs, contenders: &[Contender]) -> Result<String, Failure> {
    let there = |name: &str| contenders.iter().any(|one| one.name == name);
    match &args.reference {
        Some(name) if there(name) => Ok(name.clone()),
        Some(name) => Err(Failure::usage(
            format!("the reference {name} is none of the contenders"),
            format!(
                "There is: {}",
                contenders.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", ")
            ),
        )),
        None if there(C) => Ok(C.to_owned()),
        None => contenders.first().map(|first| first.name.clone()).ok_or_else(|| {
            Failure::usage(
                "there is nobody to measure",
                "Name drivers with --drivers or programs with --also",
            )
        }),
    }
}
