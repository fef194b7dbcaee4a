//! A lab file that makes sense: names are unique, cables have two ends, paths are resolved.

use std::ops::Range;
use std::path::{Path, PathBuf};

use ringway_lab::faults::Plan;

use super::config::{DoorbellMode, LabFile, NicEntry, WireEntry};
use crate::failure::Failure;
use crate::mac::Mac;

/// One NIC, ready to be built.
#[derive(Debug, PartialEq)]
pub struct NicPlan {
    /// Its name.
    pub name: String,
    /// Its address.
    pub mac: Mac,
    /// Whether the cable is in.
    pub link: bool,
    /// How the driver reaches the doorbells.
    pub doorbells: DoorbellMode,
    /// Seed of all that is random in it.
    pub seed: u64,
    /// How it misbehaves.
    pub faults: Vec<Plan>,
    /// What its port is plugged into. A cable's end names the other NIC of the plan.
    pub wire: WireEntry,
    /// Where its frames are captured.
    pub capture: Option<PathBuf>,
    /// Where its accesses are traced.
    pub trace: Option<PathBuf>,
}

/// Reads and checks a file. Paths in it are relative to its own directory.
pub fn read(path: &Path) -> Result<Vec<NicPlan>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::open(
            format!("cannot read {}: {error}", path.display()),
            "See examples/lab-cable.toml for one that works",
        )
    })?;
    plan(&text, path.parent().unwrap_or(Path::new(""))).map_err(|wrong| wrong.at(&text, path))
}

/// A plan from the command line: `NAME=KIND:KEY=VALUE,...`, or `NAME` alone for the far end of another's wire.
pub fn of_words(words: &[String]) -> Result<Vec<NicPlan>, Failure> {
    let text: String = words.iter().map(|word| entry_of(word)).collect();
    plan(&text, Path::new("")).map_err(|wrong| {
        let line = wrong.place.map_or(0, |place| line_of(&text, place.start));
        // Each word has become three lines.
        let word = words.get(line.saturating_sub(1) / 3).map_or("", String::as_str);
        Failure::usage(
            format!("--nic {word}: {}", wrong.what),
            "Write NAME=KIND:KEY=VALUE,... with the keys of cli/README.md",
        )
    })
}

/// A word as an entry of a lab file.
fn entry_of(word: &str) -> String {
    let (name, wire) = word.split_once('=').map_or((word, None), |(name, wire)| (name, Some(wire)));
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let Some(wire) = wire else { return format!("[[nic]]\nname = {}\n\n", quoted(name)) };
    let (kind, keys) = wire.split_once(':').unwrap_or((wire, ""));
    let mut table = format!("kind = {}", quoted(kind));
    for key in keys.split(',').filter(|key| !key.is_empty()) {
        let (key, value) = key.split_once('=').unwrap_or((key, "true"));
        let bare = value.parse::<u64>().is_ok() || value.parse::<bool>().is_ok();
        let value = if bare { value.to_owned() } else { quoted(value) };
        table.push_str(&format!(", {} = {value}", quoted(key)));
    }
    format!("[[nic]]\nname = {}\nwire = {{ {table} }}\n", quoted(name))
}

/// What is wrong, and where in the text.
#[derive(Debug, PartialEq)]
struct Wrong {
    place: Option<Range<usize>>,
    what: String,
}

impl Wrong {
    fn new(place: Range<usize>, what: impl Into<String>) -> Self {
        Wrong { place: Some(place), what: what.into() }
    }

    /// `FILE:LINE: what`
    fn at(self, text: &str, path: &Path) -> Failure {
        let line = self.place.map(|place| line_of(text, place.start));
        let place =
            line.map_or_else(|| path.display().to_string(), |line| format!("{}:{line}", path.display()));
        Failure::usage(format!("{place}: {}", self.what), "See cli/README.md for what a lab file may hold")
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}

fn plan(text: &str, base: &Path) -> Result<Vec<NicPlan>, Wrong> {
    let file: LabFile = toml::from_str(text)
        .map_err(|error| Wrong { place: error.span(), what: error.message().replace('\n', " ") })?;
    if file.nics.is_empty() {
        return Err(Wrong { place: None, what: "there is no [[nic]] in it".to_owned() });
    }
    for (index, nic) in file.nics.iter().enumerate() {
        check_name(nic, &file.nics[..index])?;
    }
    let wires: Vec<_> = file.nics.iter().map(|nic| wire_of(nic, &file.nics)).collect::<Result<_, _>>()?;
    Ok(file
        .nics
        .into_iter()
        .zip(wires)
        .enumerate()
        .map(|(index, (nic, wire))| resolve(index, nic, wire, base))
        .collect())
}

fn check_name(nic: &NicEntry, before: &[NicEntry]) -> Result<(), Wrong> {
    let name = nic.name.get_ref();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if name.is_empty() || name.len() > 32 || !name.bytes().all(plain) {
        let what = format!("`{name}` cannot be a socket's name: 1 to 32 letters, digits, - and _");
        return Err(Wrong::new(nic.name.span(), what));
    }
    if before.iter().any(|other| other.name.get_ref() == name) {
        return Err(Wrong::new(nic.name.span(), format!("there is another nic `{name}` above")));
    }
    Ok(())
}

/// The wire of a NIC, with the cable's far end filled in.
fn wire_of(nic: &NicEntry, all: &[NicEntry]) -> Result<WireEntry, Wrong> {
    let name = nic.name.get_ref();
    let Some(wire) = &nic.wire else {
        return match cables_to(name, all).next() {
            Some(other) => Ok(far_end(other)),
            None => Err(Wrong::new(nic.name.span(), format!("nic `{name}` has no wire"))),
        };
    };
    let wrong = |what: String| Err(Wrong::new(wire.span(), what));
    match wire.get_ref() {
        WireEntry::Tap { name, .. }
            if name.is_empty() || name.len() > 15 || name.contains(['/', ' ', '%']) =>
        {
            wrong(format!(
                "`{name}` cannot be the name of an interface: 1 to 15 bytes without / % and blanks"
            ))
        }
        WireEntry::Pcap { input: None, output: None, .. } => {
            wrong("a pcap wire needs `in` or `out`".to_owned())
        }
        WireEntry::Generator { size, .. } if !(64..=9728).contains(size) => {
            wrong(format!("a frame of {size} bytes does not exist: 64 to 9728 with FCS"))
        }
        WireEntry::Generator { to: Some(to), .. } | WireEntry::Cable { to } => {
            match check_cable(name, to, all) {
                Ok(()) => Ok(wire.get_ref().clone()),
                Err(what) => wrong(what),
            }
        }
        wire => Ok(wire.clone()),
    }
}

/// What a NIC without a wire is plugged into, if `other` names it as the far end.
fn far_end(other: &NicEntry) -> WireEntry {
    let mut wire = other.wire.as_ref().map_or(WireEntry::Null {}, |wire| wire.get_ref().clone());
    if let WireEntry::Cable { to } | WireEntry::Generator { to: Some(to), .. } = &mut wire {
        to.clone_from(other.name.get_ref());
    }
    wire
}

fn cables_to<'a>(name: &'a str, all: &'a [NicEntry]) -> impl Iterator<Item = &'a NicEntry> {
    let ends_at = move |nic: &&NicEntry| match nic.wire.as_ref().map(toml::Spanned::get_ref) {
        Some(WireEntry::Cable { to } | WireEntry::Generator { to: Some(to), .. }) => to == name,
        _ => false,
    };
    all.iter().filter(ends_at)
}

/// A cable has two ends: the other NIC exists, is not this one, and is plugged into nothing else.
fn check_cable(name: &str, to: &str, all: &[NicEntry]) -> Result<(), String> {
    let Some(other) = all.iter().find(|nic| nic.name.get_ref() == to) else {
        return Err(format!("there is no nic `{to}` for the cable"));
    };
    if to == name {
        return Err("a cable needs two NICs".to_owned());
    }
    if cables_to(to, all).count() > 1 {
        return Err(format!("more than one cable ends at nic `{to}`"));
    }
    match other.wire.as_ref().map(toml::Spanned::get_ref) {
        None => Ok(()),
        Some(WireEntry::Cable { to: back }) if back == name => Ok(()),
        Some(_) => Err(format!("nic `{to}` is plugged into something else")),
    }
}

fn resolve(index: usize, nic: NicEntry, mut wire: WireEntry, base: &Path) -> NicPlan {
    if let WireEntry::Pcap { input, output, .. } = &mut wire {
        *input = input.take().map(|path| base.join(path));
        *output = output.take().map(|path| base.join(path));
    }
    NicPlan {
        name: nic.name.into_inner(),
        mac: nic.mac.unwrap_or_else(|| Mac::of_place(index)),
        link: nic.link,
        doorbells: nic.doorbells,
        seed: nic.seed,
        faults: nic.faults.into_iter().map(|fault| fault.0).collect(),
        wire,
        capture: nic.capture.map(|path| base.join(path)),
        trace: nic.trace.map(|path| base.join(path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::config::Expect;

    fn complaint(text: &str) -> String {
        let path = Path::new("lab.toml");
        plan(text, Path::new("")).unwrap_err().at(text, path).cause
    }

    #[test]
    fn a_cable_needs_to_be_written_at_one_end_only() {
        let text = "[[nic]]\nname = \"a\"\nwire = { kind = \"cable\", to = \"b\" }\n[[nic]]\nname = \"b\"\n";
        let plan = plan(text, Path::new("")).unwrap();
        assert_eq!(plan[1].wire, WireEntry::Cable { to: "a".into() });
        assert_eq!((plan[0].mac, plan[0].link, plan[0].seed), (Mac::of_place(0), true, 0));
    }

    #[test]
    fn paths_are_relative_to_the_file() {
        let text = "[[nic]]\nname = \"a\"\nlink = false\nmac = \"02:00:00:00:00:09\"\ncapture = \"a.pcapng\"\n\
                    wire = { kind = \"pcap\", in = \"x.pcap\", out = \"/abs.pcap\", timing = \"scaled=2\", loop = 3 }\n";
        let plan = plan(text, Path::new("/labs")).unwrap();
        let WireEntry::Pcap { input, output, timing, rounds } = &plan[0].wire else { panic!() };
        assert_eq!(input.as_deref(), Some(Path::new("/labs/x.pcap")));
        assert_eq!(output.as_deref(), Some(Path::new("/abs.pcap")));
        assert_eq!((*timing, *rounds), (crate::pace::Pace::Scaled(2.0), 3));
        assert_eq!(plan[0].capture.as_deref(), Some(Path::new("/labs/a.pcapng")));
    }

    #[test]
    fn a_rate_may_be_a_number_or_text() {
        for (written, rate) in [("1000", 1000.0), ("2.5", 2.5), ("\"1.5M\"", 1.5e6)] {
            let text =
                format!("[[nic]]\nname = \"a\"\nwire = {{ kind = \"generator\", rate = {written} }}\n");
            let plan = plan(&text, Path::new("")).unwrap();
            let WireEntry::Generator { rate: Some(found), size, packets, .. } = &plan[0].wire else {
                panic!()
            };
            assert_eq!((found.0, *size, *packets), (rate, 64, None));
        }
    }

    #[test]
    fn words_say_what_a_file_says() {
        let words = ["a=generator:to=b,rate=1.5M,packets=10,expect=swapped", "b"].map(str::to_owned);
        let plan = of_words(&words).unwrap();
        let WireEntry::Generator { size: 64, packets: Some(10), to, expect, rate, .. } = &plan[0].wire else {
            panic!("{:?}", plan[0].wire)
        };
        assert_eq!((to.as_deref(), *expect, rate.unwrap().0), (Some("b"), Expect::Swapped, 1.5e6));
        assert!(matches!(&plan[1].wire, WireEntry::Generator { to: Some(to), .. } if to == "a"));
        let wrong = of_words(&["a=null".to_owned(), "b=pcap".to_owned()]).unwrap_err();
        assert_eq!(wrong.cause, "--nic b=pcap: a pcap wire needs `in` or `out`");
    }

    #[test]
    fn each_mistake_is_one_line_with_its_place() {
        let nic = "[[nic]]\nname = \"a\"\n";
        for (text, expected) in [
            (String::new(), "lab.toml: there is no [[nic]] in it"),
            (nic.to_owned(), "lab.toml:2: nic `a` has no wire"),
            (format!("{nic}wire = {{ kind = \"string\" }}"), "lab.toml:3: unknown variant `string`"),
            (format!("{nic}wire = {{ kind = \"null\", x = 1 }}"), "lab.toml:3: "),
            (format!("{nic}speed = 1\n"), "lab.toml:3: unknown field `speed`"),
            (format!("{nic}mac = \"01:02\"\n"), "lab.toml:3: `01:02` is no MAC address"),
            (format!("{nic}wire = {{ kind = \"cable\", to = \"b\" }}"), "lab.toml:3: there is no nic `b`"),
            (format!("{nic}wire = {{ kind = \"cable\", to = \"a\" }}"), "lab.toml:3: a cable needs two NICs"),
            (format!("{nic}wire = {{ kind = \"pcap\" }}"), "lab.toml:3: a pcap wire needs `in` or `out`"),
            (
                format!("{nic}wire = {{ kind = \"null\" }}\n{nic}"),
                "lab.toml:5: there is another nic `a` above",
            ),
            ("[[nic]]\nname = \"a/b\"\n".to_owned(), "lab.toml:2: `a/b` cannot be a socket's name"),
            ("[[nic]\nname".to_owned(), "lab.toml:1: "),
        ] {
            let found = complaint(&text);
            assert!(found.starts_with(expected), "{text:?} gave {found:?}, not {expected:?}");
            assert!(!found.contains('\n'), "{found:?}");
        }
    }

    #[test]
    fn a_cable_cannot_have_three_ends() {
        let end =
            |name: &str| format!("[[nic]]\nname = \"{name}\"\nwire = {{ kind = \"cable\", to = \"c\" }}\n");
        let text = format!("{}{}[[nic]]\nname = \"c\"\n", end("a"), end("b"));
        assert_eq!(complaint(&text), "lab.toml:3: more than one cable ends at nic `c`");
    }
}
