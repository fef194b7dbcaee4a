//! From the tables to the files of every language.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::citations::Citations;
use crate::outputs::{self, Output};
use crate::refuse::refuse;
use crate::render::render;
use crate::table::Table;
use crate::usage::{self, Words};

/// Everything under `spec/`, read and checked.
#[derive(Debug)]
pub struct Spec {
    /// Root of the repository.
    pub root: PathBuf,
    /// By name of the file, without `.toml`.
    pub tables: BTreeMap<String, Table>,
    /// The generated files.
    pub outputs: Vec<Output>,
    /// What may be cited.
    pub citations: Citations,
}

/// A generated file.
#[derive(Debug, PartialEq, Eq)]
pub struct Generated {
    /// From the root of the repository.
    pub path: String,
    /// Final form.
    pub text: String,
}

impl Spec {
    /// Reads `spec/` below `root` and refuses what the rules refuse. The error lists every objection.
    pub fn read(root: &Path) -> Result<Self> {
        let spec = root.join("spec");
        let outputs = outputs::read(&spec.join("outputs.toml"))?;
        let citations = Citations::read(&spec.join("citations.toml"))?;
        let mut tables = BTreeMap::new();
        let mut objections = Vec::new();
        for name in outputs.iter().map(|output| &output.table).collect::<BTreeSet<_>>() {
            let table = Table::read(&spec.join(format!("{name}.toml")))?;
            let file = |why: String| format!("spec/{name}.toml: {why}");
            objections.extend(refuse(&table, &citations).into_iter().map(file));
            tables.insert(name.clone(), table);
        }
        ensure!(objections.is_empty(), "{}", objections.join("\n"));
        Ok(Spec { root: root.to_owned(), tables, outputs, citations })
    }

    /// Objections that depend on the sources: rows and entries that nobody uses.
    pub fn unused(&self) -> Result<Vec<String>> {
        let generated: BTreeSet<PathBuf> =
            self.outputs.iter().map(|output| self.root.join(&output.path)).collect();
        let mut everywhere: BTreeMap<&String, BTreeSet<String>> = BTreeMap::new();
        let mut objections = Vec::new();
        for output in &self.outputs {
            everywhere.entry(&output.table).or_default().extend(output.sources.iter().cloned());
            let words = Words::of(&self.root, &output.sources, &generated)?;
            objections.extend(usage::idle(output, &words));
        }
        for (name, sources) in everywhere {
            let words = Words::of(&self.root, &Vec::from_iter(sources), &generated)?;
            let unused = usage::unused(&self.tables[name], &words);
            objections.extend(unused.into_iter().map(|why| format!("spec/{name}.toml: {why}")));
        }
        Ok(objections)
    }

    /// Every file in its final form.
    pub fn generate(&self) -> Result<Vec<Generated>> {
        self.outputs.iter().map(|output| self.file(output)).collect()
    }

    /// Generated files that are not what would be written now, with the remedy.
    pub fn stale(&self) -> Result<Vec<String>> {
        let is_stale = |file: &Generated| {
            !std::fs::read_to_string(self.root.join(&file.path)).is_ok_and(|text| text == file.text)
        };
        let remedy = "differs from spec/; run `cargo run -p ringway-spec -- generate` and commit it";
        Ok(self
            .generate()?
            .iter()
            .filter(|file| is_stale(file))
            .map(|file| format!("{}: {remedy}", file.path))
            .collect())
    }

    fn file(&self, output: &Output) -> Result<Generated> {
        let table = output.select(&self.tables[&output.table])?;
        let path = self.root.join(format!("spec/templates/{}.j2", output.template));
        let template =
            std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let text = render(&template, &table, output)?;
        let text = if output.path.ends_with(".rs") { rustfmt(&self.root, &text)? } else { text };
        Ok(Generated { path: output.path.clone(), text })
    }
}

/// Brings Rust into the form that `cargo fmt` leaves alone.
fn rustfmt(root: &Path, text: &str) -> Result<String> {
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout", "--quiet", "--config-path"])
        .arg(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("starting rustfmt (install it with `rustup component add rustfmt`)")?;
    // rustfmt reads all of its input before it writes: no deadlock between the two pipes.
    let fed = child.stdin.take().context("rustfmt's input")?.write_all(text.as_bytes());
    let output = child.wait_with_output()?;
    if !output.status.success() {
        bail!("rustfmt: {}", String::from_utf8_lossy(&output.stderr));
    }
    fed?;
    Ok(String::from_utf8(output.stdout)?)
}

/// The root of the repository: the nearest directory upwards of `from` that holds `spec/outputs.toml`.
pub fn find_root(from: &Path) -> Result<PathBuf> {
    let root = from.ancestors().find(|dir| dir.join("spec/outputs.toml").is_file());
    root.map(Path::to_owned).with_context(|| format!("no spec/outputs.toml in {} or above", from.display()))
}
