//! `ringway lab --rules`: what the sanitizer knows.

use ringway_lab::sanitizer::RULES;
use serde_json::json;

use crate::failure::Exit;
use crate::ui;

/// Prints the rules.
pub fn run(json: bool) -> Exit {
    if json {
        ui::say(json!({ "event": "rules", "rules": &RULES[..] }).to_string());
        return Exit::Done;
    }
    let mut table = ui::table(&["rule", "severity", "section", "what went wrong"]);
    for rule in RULES {
        table.add_row([
            rule.id.to_owned(),
            rule.severity.to_string(),
            rule.section.to_owned(),
            rule.title.to_owned(),
        ]);
    }
    ui::say(table.trim_fmt());
    ui::say(format!("{} rules", RULES.len()));
    Exit::Done
}
