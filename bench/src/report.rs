//! The report: one HTML page that needs no network, with the plots in it.

mod plots;
mod view;

use crate::compare::Comparison;
use crate::error::Error;
use crate::promises::Promise;
use crate::results::Results;

const TEMPLATE: &str = include_str!("../templates/report.html.j2");

/// The page.
///
/// # Errors
/// If it cannot be drawn, which is a bug.
pub fn page(results: &Results, promises: &[Promise], baseline: Option<&Comparison>) -> Result<String, Error> {
    let failed = |error: &dyn std::fmt::Display| Error::Report(error.to_string());
    let view = view::of(results, promises, baseline).map_err(|error| failed(&error))?;
    let mut environment = minijinja::Environment::new();
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.add_template("report.html", TEMPLATE).map_err(|error| failed(&error))?;
    let template = environment.get_template("report.html").map_err(|error| failed(&error))?;
    template.render(minijinja::value::Serde(&view)).map_err(|error| failed(&error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{Refused, testing};
    use crate::safety::{Outcome, Safety};

    fn results() -> Results {
        let mut results = testing::results(&[1.0, 1.1, 1.2]);
        let mut safety = Safety::default();
        for case in safety.cases() {
            safety.note("rust", &case, Outcome::Passed);
        }
        results.safety = Some(safety);
        let (contender, at, why) =
            ("sly".to_owned(), "the admission".to_owned(), "drops <silently>".to_owned());
        results.refused.push(Refused { contender, at, why });
        results
    }

    #[test]
    fn the_page_has_every_part_in_order() {
        let page = page(&results(), &[], None).unwrap();
        let parts = [
            "<!doctype html>",
            "CPU cost on a software NIC",
            "id=\"refused\"",
            "id=\"rates\"",
            "<svg",
            "id=\"ratios\"",
            "id=\"latency\"",
            "id=\"cost\"",
            "id=\"size\"",
            "id=\"safety\"",
            "id=\"promises\"",
            "id=\"machine\"",
            "id=\"how\"",
            "</html>",
        ];
        let mut at = 0;
        for part in parts {
            let found = page[at..].find(part).unwrap_or_else(|| panic!("{part} is missing or out of order"));
            at += found;
        }
    }

    #[test]
    fn the_page_needs_no_network_and_trusts_no_name() {
        let page = page(&results(), &[], None).unwrap();
        for word in ["<script", "src=", "@import", "<link"] {
            assert!(!page.contains(word), "{word}");
        }
        assert!(page.contains("drops &lt;silently&gt;") && !page.contains("drops <silently>"));
    }

    #[test]
    fn ticks_name_their_cases() {
        let page = page(&results(), &[], None).unwrap();
        assert!(page.contains("lying::a_length_beyond_the_buffer_is_not_believed"));
        assert_eq!(page.matches("class=\"tick\"").count(), Safety::default().cells.len());
    }

    #[test]
    fn a_baseline_shows_what_changed() {
        let old = testing::results(&[2.0, 2.1, 2.2]);
        let comparison = Comparison::of(&old, &results());
        let page = page(&results(), &[], Some(&comparison)).unwrap();
        assert!(page.contains("id=\"baseline\"") && page.contains("spreads"), "no baseline in the page");
    }
}
