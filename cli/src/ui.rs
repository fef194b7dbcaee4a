//! What goes to the terminal, and how: colours only where they are wanted, progress only where someone watches.

use std::io::{IsTerminal, Write};

use owo_colors::OwoColorize;

/// Paints text, or leaves it alone.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// For standard output: colours on a terminal, unless `NO_COLOR` is set or the terminal is dumb.
    pub fn stdout() -> Self {
        Paint { on: colours_wanted(std::io::stdout().is_terminal()) }
    }

    /// For standard error.
    pub fn stderr() -> Self {
        Paint { on: colours_wanted(std::io::stderr().is_terminal()) }
    }

    /// Never paints.
    #[cfg(test)]
    pub fn off() -> Self {
        Paint { on: false }
    }

    /// As it should be.
    pub fn good(self, text: &str) -> String {
        if self.on { text.green().to_string() } else { text.to_owned() }
    }

    /// Not as it should be.
    pub fn bad(self, text: &str) -> String {
        if self.on { text.red().bold().to_string() } else { text.to_owned() }
    }

    /// Worth a look.
    pub fn warn(self, text: &str) -> String {
        if self.on { text.yellow().to_string() } else { text.to_owned() }
    }

    /// Less important.
    pub fn dim(self, text: &str) -> String {
        if self.on { text.dimmed().to_string() } else { text.to_owned() }
    }

    /// More important.
    pub fn strong(self, text: &str) -> String {
        if self.on { text.bold().to_string() } else { text.to_owned() }
    }
}

/// <https://no-color.org>: present and not empty, regardless of its value.
fn colours_wanted(terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    terminal && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Prints one line on standard output. A reader who has gone away (`ringway list | head -1`) is no error.
pub fn say(line: impl AsRef<str>) {
    let _ = writeln!(std::io::stdout().lock(), "{}", line.as_ref());
}

/// Prints one line on standard error: what is going on, as opposed to results.
pub fn note(line: impl AsRef<str>) {
    let _ = writeln!(std::io::stderr().lock(), "{}", line.as_ref());
}

/// A table without lines, columns two blanks apart.
pub fn table(header: &[&str]) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(header);
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table
}

/// A number with blanks between thousands: `12 345 678`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// Packets a second, with three digits that matter: `812 pps`, `81.2 kpps`, `8.12 Mpps`.
pub fn rate(packets_a_second: f64) -> String {
    scaled(packets_a_second, &[("pps", 1.0), ("kpps", 1e3), ("Mpps", 1e6)])
}

/// Bytes: `8.12 MB`.
pub fn bytes(count: u64) -> String {
    scaled(count as f64, &[("B", 1.0), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12)])
}

/// A duration given in nanoseconds: `812 ns`, `81.2 us`, `8.12 ms`.
pub fn duration(nanoseconds: u64) -> String {
    scaled(nanoseconds as f64, &[("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)])
}

/// Three significant digits in the largest unit that leaves at least one digit before the point.
fn scaled(value: f64, units: &[(&str, f64)]) -> String {
    let (unit, scale) = units.iter().rev().find(|(_, scale)| value >= *scale).unwrap_or(&units[0]);
    let number = value / scale;
    let whole = *scale == 1.0 && value.fract() == 0.0;
    let decimals = match number {
        _ if whole => 0,
        n if n < 10.0 => 2,
        n if n < 100.0 => 1,
        _ => 0,
    };
    format!("{number:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1 000");
        assert_eq!(grouped(12_345_678), "12 345 678");
    }

    #[test]
    fn units_keep_three_digits() {
        assert_eq!(rate(0.0), "0 pps");
        assert_eq!(rate(812.0), "812 pps");
        assert_eq!(rate(81_234.0), "81.2 kpps");
        assert_eq!(rate(8_123_456.0), "8.12 Mpps");
        assert_eq!(duration(1_500), "1.50 us");
        assert_eq!(duration(999), "999 ns");
        assert_eq!(bytes(52_428_800), "52.4 MB");
    }

    #[test]
    fn paint_that_is_off_changes_nothing() {
        assert_eq!(Paint::off().bad("x"), "x");
    }
}
