//! How much source a driver is: lines that are neither blank nor comment, and bytes after gzip, which favours nobody's
//! layout. Counted is the driver itself; apps, testee, tests, examples and generated files are not.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

/// The size of a driver's source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Files.
    pub files: usize,
    /// Lines without blanks and comments.
    pub lines: usize,
    /// Bytes of those lines after gzip.
    pub gzip: usize,
    /// Lines in a language of another kind, for what the driver's own cannot do (C below a Java driver).
    pub native: usize,
}

/// How comments look in files of one kind.
struct Kind {
    extensions: &'static [&'static str],
    line: &'static [&'static str],
    block: &'static [(&'static str, &'static str)],
    /// Characters that open and close a text.
    quotes: &'static [char],
    native: bool,
}

const SLASHES: &[&str] = &["//"];
const STARS: &[(&str, &str)] = &[("/*", "*/")];

const KINDS: &[Kind] = &[
    Kind {
        extensions: &["c", "h", "cc", "cpp", "S"],
        line: SLASHES,
        block: STARS,
        quotes: &['"'],
        native: true,
    },
    Kind { extensions: &["rs", "swift"], line: SLASHES, block: STARS, quotes: &['"'], native: false },
    Kind {
        extensions: &["go", "js", "mjs", "ts"],
        line: SLASHES,
        block: STARS,
        quotes: &['"', '`'],
        native: false,
    },
    Kind { extensions: &["java", "cs", "kt"], line: SLASHES, block: STARS, quotes: &['"'], native: false },
    Kind {
        extensions: &["py"],
        line: &["#"],
        block: &[("\"\"\"", "\"\"\"")],
        quotes: &['"', '\''],
        native: false,
    },
    Kind { extensions: &["ml", "mli"], line: &[], block: &[("(*", "*)")], quotes: &['"'], native: false },
    Kind { extensions: &["hs"], line: &["--"], block: &[("{-", "-}")], quotes: &['"'], native: false },
];

/// Directories and files that are not the driver itself, by the beginning of their names.
const OTHERS: &[&str] = &[
    ".",
    "app",
    "bench",
    "bin",
    "build",
    "conform",
    "dist",
    "example",
    "mutants",
    "node_modules",
    "obj",
    "target",
    "test",
    "__pycache__",
    "_build",
];
/// In the first lines of a generated file.
const GENERATED: &str = "generated";
/// A file in the language of the driver, for which `native` does not count.
const C: &str = "C";

impl Source {
    /// Of the driver below `directory`, which is written in `language`.
    pub fn of(directory: &Path, language: &str) -> Source {
        let mut source = Source::default();
        let mut text = String::new();
        walk(directory, &mut |path| {
            let Some(kind) = kind_of(path) else { return };
            let Ok(file) = fs::read_to_string(path) else { return };
            if file.lines().take(5).any(|line| line.to_lowercase().contains(GENERATED)) {
                return;
            }
            let code = strip(without_tests(&file), kind);
            let lines = code.lines().count();
            if kind.native && language != C {
                source.native += lines;
                return;
            }
            source.files += 1;
            source.lines += lines;
            text.push_str(&code);
        });
        source.gzip = gzip(text.as_bytes());
        source
    }
}

fn walk(directory: &Path, each: &mut impl FnMut(&Path)) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if OTHERS.iter().any(|other| name.starts_with(other)) || name.contains("test") {
            continue;
        }
        if path.is_dir() { walk(&path, each) } else { each(&path) }
    }
}

fn kind_of(path: &Path) -> Option<&'static Kind> {
    let extension = path.extension()?.to_str()?;
    KINDS.iter().find(|kind| kind.extensions.contains(&extension))
}

/// Rust keeps unit tests at the end of the file.
fn without_tests(text: &str) -> &str {
    text.find("#[cfg(test)]\nmod tests {").map_or(text, |at| &text[..at])
}

/// The lines that hold something beside comments, without the comments.
fn strip(text: &str, kind: &Kind) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if let Some((_, end)) = kind.block.iter().find(|(begin, _)| rest.starts_with(begin)) {
            let inside = &rest[end.len()..];
            rest = inside.find(end).map_or("", |at| &inside[at + end.len()..]);
        } else if kind.line.iter().any(|begin| rest.starts_with(begin)) {
            rest = rest.find('\n').map_or("", |at| &rest[at..]);
        } else if kind.quotes.contains(&next) {
            let end = end_of_text(rest, next);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        } else {
            out.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    let lines = out.lines().map(str::trim_end).filter(|line| !line.trim().is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Where the text that begins at 0 ends, one past its closing quote.
fn end_of_text(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

fn gzip(bytes: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    match encoder.write_all(bytes).and_then(|()| encoder.finish()) {
        Ok(packed) => packed.len(),
        Err(_) => 0, // a Vec takes everything
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_and_comments_do_not_count() {
        let kind = kind_of(Path::new("x.c")).unwrap();
        let text = "/* head\n * more */\nint a; // end\n\n  \nchar *s = \"/* no comment */ // \\\" here\";\n/* a */ int b;\n";
        assert_eq!(strip(text, kind), "int a;\nchar *s = \"/* no comment */ // \\\" here\";\n int b;\n");
        let python = kind_of(Path::new("x.py")).unwrap();
        assert_eq!(strip("\"\"\"Doc.\n\nMore.\"\"\"\nx = '#'  # why\n", python), "x = '#'\n");
    }

    #[test]
    fn only_the_driver_itself_counts() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("src/ring.rs", "// why\nfn next() {}\n\n#[cfg(test)]\nmod tests {\n    fn x() {}\n}\n");
        write("src/ixgbe/regs.rs", "// Generated by ringway-spec\nconst A: u32 = 1;\n");
        write("src/app/main.rs", "fn main() {}\n");
        write("src/conform.rs", "fn main() {}\n");
        write("tests/all.rs", "fn main() {}\n");
        write("native/glue.c", "int glue(void) { return 0; }\n\n");
        let source = Source::of(root.path(), "Rust");
        assert_eq!((source.files, source.lines, source.native), (1, 1, 1));
        assert!(source.gzip > 10);
        assert_eq!(Source::of(root.path(), "C").native, 0);
    }
}
