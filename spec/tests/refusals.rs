//! Every rule of the generator, proved by a table that breaks just that rule.

use ringway_spec::citations::Citations;
use ringway_spec::refuse::refuse;
use ringway_spec::table::Table;

const SOURCES: &str = r#"
    [sources.82599]
    title = "Data sheet"
    form = "numbers"
    [sources."vfio.h"]
    title = "Header"
    form = "names"
"#;

fn objections(text: &str) -> Vec<String> {
    let citations: Citations = toml::from_str(SOURCES).unwrap();
    let text = format!("[device]\nname = \"test\"\ntitle = \"Test\"\n{text}");
    refuse(&Table::parse(&text).unwrap(), &citations)
}

/// Objections to registers given as inline rows.
fn registers(rows: &str) -> Vec<String> {
    objections(&format!("[[chapter]]\ntitle = \"All\"\ncite = \"82599:8.2\"\nrows = [\n{rows}\n]\n"))
}

/// Objections to one register with these fields.
fn fields(fields: &str) -> Vec<String> {
    registers(&format!(r#"{{ name = "A", title = "a", at = 0, fields = [ {fields} ] }}"#))
}

#[track_caller]
fn assert_refused(objections: Vec<String>, want: &str) {
    assert_eq!(objections, [want], "exactly one objection");
}

#[test]
fn accepts_what_is_right() {
    let rows = r#"
      { name = "A", title = "a", at = 0, reset = 0x80000001, fields = [
        { name = "LOW", bits = "15:0", title = "low", values = { ONE = 1 } },
        { name = "PART", bits = "3", title = "part", within = "LOW" },
        { name = "HIGH", bits = "31:16", title = "high" } ] },
      { name = "B", title = "b", banks = [ { at = 0x40, count = 2, stride = 0x40 }, { at = 0x200, count = 1, stride = 4 } ] },
      { name = "B_ALIAS", title = "b", at = 0x300, count = 2, stride = 4, alias_of = "B" },"#;
    assert_eq!(registers(rows), Vec::<String>::new());
}

#[test]
fn refuses_overlapping_registers() {
    let rows = r#"
      { name = "A", title = "a", at = 0x100, count = 4, stride = 0x40 },
      { name = "B", title = "b", at = 0x180 },"#;
    assert_refused(registers(rows), "B: overlaps A at 0x00180");
}

#[test]
fn refuses_two_registers_at_one_offset() {
    let rows = r#"
      { name = "A", title = "a", at = 8 },
      { name = "B", title = "b", at = 8 },"#;
    assert_refused(registers(rows), "B: overlaps A at 0x00008");
}

#[test]
fn refuses_banks_of_one_register_over_each_other() {
    let rows = r#"{ name = "A", title = "a", banks = [
        { at = 0x100, count = 4, stride = 4 }, { at = 0x108, count = 1, stride = 4 } ] }"#;
    assert_refused(registers(&rows.replace('\n', " ")), "A: overlaps A at 0x00108");
}

#[test]
fn refuses_an_alias_over_another_register() {
    let rows = r#"
      { name = "A", title = "a", at = 0x100, count = 2, stride = 4 },
      { name = "B", title = "b", at = 0x200 },
      { name = "A_ALIAS", title = "a", at = 0x1FC, count = 2, stride = 4, alias_of = "A" },"#;
    assert_refused(registers(rows), "A_ALIAS: overlaps B at 0x00200");
}

#[test]
fn refuses_an_alias_of_nothing() {
    let rows = r#"{ name = "A", title = "a", at = 0, alias_of = "B" }"#;
    assert_refused(registers(rows), "A: alias of B, which does not exist");
}

#[test]
fn refuses_an_alias_with_more_registers_than_the_original() {
    let rows = r#"
      { name = "A", title = "a", at = 0x100, count = 2, stride = 4 },
      { name = "B", title = "b", at = 0x200, count = 3, stride = 4, alias_of = "A" },"#;
    assert_refused(registers(rows), "B: 3 of them, but A has 2");
}

#[test]
fn refuses_duplicate_names() {
    let rows = r#"
      { name = "A", title = "a", at = 0 },
      { name = "A", title = "b", at = 4 },"#;
    assert_refused(registers(rows), "A: duplicate name");
}

#[test]
fn refuses_a_register_named_as_a_descriptor() {
    let text = r#"
        [[chapter]]
        title = "All"
        cite = "82599:8.2"
        rows = [ { name = "RX_READ", title = "a", at = 0 } ]
        [[descriptor]]
        name = "rx_read"
        title = "d"
        cite = "82599:7"
        fields = [ { name = "A", bits = "63:0", title = "a" } ]"#;
    assert_refused(objections(text), "rx_read: duplicate name");
}

#[test]
fn refuses_ill_formed_names() {
    let rows = r#"{ name = "Rdt", title = "a", at = 0 }"#;
    assert_refused(registers(rows), "Rdt: want a name of upper-case letters, digits and `_`");
}

#[test]
fn refuses_a_missing_citation() {
    let text = "[[chapter]]\ntitle = \"All\"\nrows = [ { name = \"A\", title = \"a\", at = 0 } ]";
    assert_refused(objections(text), "A: no citation");
}

#[test]
fn refuses_ill_formed_citations() {
    let cases = [
        ("8.2.3", "A: citation `8.2.3` is not of the form `source:place`"),
        ("82598:8.2", "A: citation `82598:8.2`: source `82598` is not in spec/citations.toml"),
        ("82599:8..2", "A: citation `82599:8..2`: `8..2` is no place of `82599`"),
        ("82599:CTRL", "A: citation `82599:CTRL`: `CTRL` is no place of `82599`"),
        ("vfio.h:", "A: citation `vfio.h:`: `` is no place of `vfio.h`"),
    ];
    for (key, want) in cases {
        assert_refused(registers(&format!(r#"{{ name = "A", title = "a", at = 0, cite = "{key}" }}"#)), want);
    }
}

#[test]
fn refuses_a_missing_title() {
    assert_refused(registers(r#"{ name = "A", title = " ", at = 0 }"#), "A: no title");
    assert_refused(fields(r#"{ name = "F", bits = "1", title = "" }"#), "A.F: no title");
}

#[test]
fn refuses_a_stride_below_four() {
    let rows = r#"{ name = "A", title = "a", at = 0, count = 1, stride = 2 }"#;
    let objections = registers(rows);
    assert!(objections.contains(&"A: stride 2 is smaller than a register (4)".to_owned()), "{objections:?}");
}

#[test]
fn refuses_registers_off_their_alignment() {
    let rows = r#"{ name = "A", title = "a", at = 6 }"#;
    assert_refused(registers(rows), "A: 0x00006 with stride 4 is not aligned to 4 bytes");
}

#[test]
fn refuses_an_empty_bank() {
    let rows = r#"{ name = "A", title = "a", at = 0, count = 0, stride = 4 }"#;
    assert_refused(registers(rows), "A: a bank of none");
}

#[test]
fn refuses_overlapping_fields() {
    let two = r#"{ name = "F", bits = "7:4", title = "f" }, { name = "G", bits = "4", title = "g" }"#;
    assert_refused(fields(two), "A.G: bits 4 overlap F (7:4)");
}

#[test]
fn refuses_a_part_outside_of_its_whole() {
    let two =
        r#"{ name = "F", bits = "7:4", title = "f" }, { name = "G", bits = "3", title = "g", within = "F" }"#;
    assert_refused(fields(two), "A.G: is not within F");
}

#[test]
fn refuses_a_field_outside_of_32_bits() {
    assert_refused(
        fields(r#"{ name = "F", bits = "32:30", title = "f" }"#),
        "A.F: bits 32:30 are outside of 32 bits",
    );
}

#[test]
fn refuses_duplicate_fields_and_values() {
    let two = r#"{ name = "F", bits = "4", title = "f" }, { name = "F", bits = "5", title = "f" }"#;
    assert_refused(fields(two), "A.F: duplicate name");
    let clash = r#"{ name = "F", bits = "4", title = "f", values = { X = 1 } }, { name = "F_X", bits = "5", title = "f" }"#;
    assert_refused(fields(clash), "A.F_X: duplicate name");
}

#[test]
fn refuses_a_value_that_does_not_fit_its_field() {
    let one = r#"{ name = "F", bits = "5:4", title = "f", values = { FOUR = 4 } }"#;
    assert_refused(fields(one), "A.F_FOUR: 4 does not fit into 2 bits");
}

#[test]
fn refuses_reset_values_outside_of_the_word() {
    let rows = r#"{ name = "A", title = "a", at = 0, reset = 0x100000000 }"#;
    assert_refused(registers(rows), "A: reset value 0x100000000 is wider than 32 bits");
}

#[test]
fn refuses_reset_values_in_reserved_bits() {
    let rows = r#"{ name = "A", title = "a", at = 0, reset = 3, fields = [ { name = "F", bits = "0", title = "f" } ] }"#;
    assert_refused(registers(rows), "A: reset value 0x00000003 sets reserved bits 0x00000002");
}

#[test]
fn refuses_descriptor_fields_outside_of_their_quadword() {
    let text = r#"
        [[descriptor]]
        name = "d"
        title = "d"
        cite = "82599:7"
        fields = [ { name = "A", quad = 2, bits = "3:0", title = "a" } ]"#;
    assert_refused(objections(text), "d.A: quadword 2 does not exist");
}

fn structure(fields: &str, tail: &str) -> Vec<String> {
    objections(&format!(
        "[[structure]]\nname = \"s\"\ntitle = \"s\"\ncite = \"vfio.h:s\"\nbytes = 8\n{tail}\nfields = [ {fields} ]"
    ))
}

#[test]
fn refuses_members_over_each_other() {
    let two =
        r#"{ name = "A", at = 0, bytes = 8, title = "a" }, { name = "B", at = 4, bytes = 4, title = "b" }"#;
    assert_refused(structure(two, ""), "s.B: offset 4 overlaps the member before, which ends at 8");
}

#[test]
fn refuses_gaps_between_members() {
    let two =
        r#"{ name = "A", at = 0, bytes = 2, title = "a" }, { name = "B", at = 4, bytes = 4, title = "b" }"#;
    assert_refused(structure(two, ""), "s.B: offset 4 leaves a gap after 2; name the padding");
    let one = r#"{ name = "A", at = 0, bytes = 4, title = "a" }"#;
    assert_refused(structure(one, ""), "s: its members end at 4, not at 8");
}

#[test]
fn refuses_members_outside_of_the_structure() {
    let two =
        r#"{ name = "A", at = 0, bytes = 4, title = "a" }, { name = "B", at = 4, bytes = 8, title = "b" }"#;
    assert_refused(structure(two, ""), "s.B: ends at 12, after the structure (8 bytes)");
}

#[test]
fn refuses_members_that_are_no_integers() {
    let two =
        r#"{ name = "A", at = 0, bytes = 3, title = "a" }, { name = "B", at = 3, bytes = 5, title = "b" }"#;
    assert_eq!(structure(two, ""), ["s.A: 3 bytes is no integer", "s.B: 5 bytes is no integer"]);
}

#[test]
fn refuses_a_tail_that_is_nothing() {
    let one = r#"{ name = "A", at = 0, bytes = 8, title = "a" }"#;
    let want = "s: tail `areas` is neither `bytes`, `more` nor a structure";
    assert_refused(structure(one, "tail = \"areas\""), want);
}

#[test]
fn refuses_numbers_that_do_not_fit_their_type() {
    let group = |kind: &str| {
        objections(&format!(
            "[[constants]]\nname = \"g\"\ntitle = \"g\"\ncite = \"vfio.h:g\"\ntype = \"{kind}\"\n\
             values = [ {{ name = \"A\", value = 256, title = \"a\" }} ]"
        ))
    };
    assert_refused(group("u8"), "g.A: 256 does not fit into u8");
    assert_refused(group("i8"), "g: type `i8` is not one of u8, u16, u32, u64");
}

#[test]
fn refuses_words_that_the_grammar_does_not_know() {
    let text = "[device]\nname = \"t\"\ntitle = \"T\"\n[[structure]]\nname = \"s\"\nsize = 3";
    assert!(Table::parse(text).unwrap_err().to_string().contains("unknown field `size`"));
}
