//! The vectors: each file fits its schema, and a second implementation, which shares nothing with `vectors/make.py`,
//! comes to the same numbers.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use etherparse::checksum::Sum16BitWords;
use etherparse::{Ipv4Header, TcpHeader, UdpHeader};
use ringway_spec::table::Table;
use serde_json::Value;

const FILES: [&str; 5] = ["ring", "descriptors", "rss", "checksum", "multicast"];

fn spec() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn vectors(name: &str) -> Value {
    json(&spec().join(format!("vectors/{name}.json")))
}

/// The array under `key`, which must hold something.
fn array<'a>(value: &'a Value, key: &str) -> &'a Vec<Value> {
    let array = value[key].as_array().unwrap_or_else(|| panic!("`{key}` is no array"));
    assert!(!array.is_empty(), "`{key}` is empty");
    array
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("`{key}` is no text in {value}"))
}

fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or_else(|| panic!("`{key}` is no number in {value}"))
}

/// A word such as `0x1a2b`.
fn word(value: &Value) -> u64 {
    let text =
        value.as_str().and_then(|text| text.strip_prefix("0x")).unwrap_or_else(|| panic!("{value}: no word"));
    u64::from_str_radix(text, 16).unwrap()
}

fn bytes(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

#[test]
fn every_file_fits_its_schema() {
    for name in FILES {
        let schema = json(&spec().join(format!("vectors/schema/{name}.schema.json")));
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(&vectors(name)).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new(), "{name}");
        let mut broken = vectors(name);
        broken["surprise"] = Value::Bool(true);
        assert!(!validator.is_valid(&broken), "{name}: the schema must refuse what it does not know");
    }
}

#[test]
fn ring_agrees_with_modular_arithmetic() {
    let ring = vectors("ring");
    for case in array(&ring, "cases") {
        let (size, head, tail) = (number(case, "size"), number(case, "head"), number(case, "tail"));
        let used = (tail + size - head) % size;
        assert_eq!(number(case, "used"), used, "{case}");
        assert_eq!(number(case, "free"), size - used - 1, "{case}");
        assert_eq!(number(case, "next_head"), (head + 1) % size, "{case}");
        assert_eq!(number(case, "next_tail"), (tail + 1) % size, "{case}");
    }
    for case in array(&ring, "wraps") {
        let (size, index) = (number(case, "size"), number(case, "index"));
        assert!(index < 2 * size, "{case}");
        assert_eq!(number(case, "slot"), if index < size { index } else { index - size }, "{case}");
    }
}

#[test]
fn descriptors_agree_with_the_table() {
    let table = Table::read(&spec().join("ixgbe.toml")).unwrap();
    let file = vectors("descriptors");
    let mut layouts = BTreeMap::new();
    for case in array(&file, "cases") {
        let layout = table.descriptors.iter().find(|d| d.name == text(case, "layout")).unwrap();
        *layouts.entry(&layout.name).or_insert(0) += 1;
        let words = [word(&case["words"][0]), word(&case["words"][1])];
        let mut encoded = [0_u64; 2];
        for (name, value) in case["fields"].as_object().unwrap() {
            let field =
                layout.fields.iter().find(|f| f.name == *name).unwrap_or_else(|| panic!("{name} in {case}"));
            let decoded = (words[usize::from(field.quad)] & field.bits.mask()) >> field.bits.low;
            assert_eq!(decoded, word(value), "{name} of {case}");
            encoded[usize::from(field.quad)] |= word(value) << field.bits.low;
        }
        assert_eq!(encoded, words, "{case}");
    }
    assert_eq!(layouts.len(), table.descriptors.len(), "every layout has a case: {layouts:?}");
}

/// Toeplitz by shifting a 32-bit window along the key.
fn toeplitz(key: &[u8], data: &[u8]) -> u32 {
    let mut window = u32::from_be_bytes(key[..4].try_into().unwrap());
    let mut hash = 0;
    for (i, byte) in data.iter().enumerate() {
        for bit in (0..8).rev() {
            hash ^= if byte >> bit & 1 == 1 { window } else { 0 };
            let next = key.get(i + 4).map_or(0, |next| u32::from(next >> bit & 1));
            window = window << 1 | next;
        }
    }
    hash
}

fn octets(address: &str) -> Vec<u8> {
    match address.parse().unwrap() {
        IpAddr::V4(v4) => v4.octets().to_vec(),
        IpAddr::V6(v6) => v6.octets().to_vec(),
    }
}

#[test]
fn rss_agrees_with_a_sliding_window() {
    let rss = vectors("rss");
    for case in array(&rss, "cases") {
        let key = bytes(text(&rss["keys"][text(case, "key")], "bytes"));
        let mut input = [octets(text(case, "source")), octets(text(case, "destination"))].concat();
        for (part, ports) in
            [("addresses", None), ("addresses_and_ports", Some(["source_port", "destination_port"]))]
        {
            for port in ports.iter().flatten() {
                input.extend_from_slice(&(number(case, port) as u16).to_be_bytes());
            }
            let hash = toeplitz(&key, &input);
            assert_eq!(bytes(text(&case[part], "input")), input, "{case}");
            assert_eq!(word(&case[part]["hash"]), u64::from(hash), "{case}");
            assert_eq!(number(&case[part], "reta_index"), u64::from(hash % 128), "{case}");
        }
    }
}

#[test]
fn rss_holds_the_published_suite() {
    // Microsoft, "Verifying the RSS hash calculation".
    let suite = [
        ("66.9.149.187", 0x323e_8fc2, 0x51cc_c178),
        ("199.92.111.2", 0xd718_262a, 0xc626_b0ea),
        ("24.19.198.95", 0xd2d0_a5de, 0x5c2b_394a),
        ("38.27.205.30", 0x8298_9176, 0xafc7_327f),
        ("153.39.163.191", 0x5d18_09c5, 0x10e8_28a2),
        ("3ffe:2501:200:1fff::7", 0x2cc1_8cd5, 0x4020_7d3d),
        ("3ffe:501:8::260:97ff:fe40:efab", 0x0f0c_461c, 0xdde5_1bbf),
        ("3ffe:1900:4545:3:200:f8ff:fe21:67cf", 0x4b61_e985, 0x02d1_feef),
    ];
    let rss = vectors("rss");
    for (source, addresses, ports) in suite {
        let is_it = |case: &&Value| text(case, "key") == "microsoft" && text(case, "source") == source;
        let case = array(&rss, "cases").iter().find(is_it).unwrap();
        assert_eq!(
            (word(&case["addresses"]["hash"]), word(&case["addresses_and_ports"]["hash"])),
            (addresses, ports)
        );
    }
}

#[test]
fn rss_registers_hold_key_and_table() {
    let rss = vectors("rss");
    for (name, key) in rss["keys"].as_object().unwrap() {
        let registers: Vec<u8> =
            array(key, "rssrk").iter().flat_map(|w| (word(w) as u32).to_le_bytes()).collect();
        assert_eq!(bytes(text(key, "bytes")), registers, "{name}");
    }
    let registers: Vec<u64> = array(&rss["table"], "reta")
        .iter()
        .flat_map(|w| (word(w) as u32).to_le_bytes())
        .map(u64::from)
        .collect();
    let queues: Vec<u64> =
        array(&rss["table"], "queues").iter().map(|queue| queue.as_u64().unwrap()).collect();
    assert_eq!(queues, registers);
}

#[test]
fn sums_agree_with_etherparse() {
    for case in array(&vectors("checksum"), "sums") {
        let data = bytes(text(case, "bytes"));
        // etherparse sums in the order of memory; swapped to the order of the wire.
        let checksum = u64::from(Sum16BitWords::new().add_slice(&data).ones_complement().to_be());
        assert_eq!(word(&case["checksum"]), checksum, "{case}");
        assert_eq!(word(&case["sum"]), 0xFFFF - checksum, "{case}");
    }
}

#[test]
fn ipv4_headers_agree_with_etherparse() {
    for case in array(&vectors("checksum"), "ipv4") {
        let (header, rest) =
            Ipv4Header::from_slice(&bytes(text(case, "header"))).map(|(h, r)| (h, r.len())).unwrap();
        assert_eq!(rest, 0, "{case}");
        assert_eq!(word(&case["checksum"]), u64::from(header.calc_header_checksum()), "{case}");
    }
}

fn four(address: &str) -> [u8; 4] {
    octets(address).try_into().unwrap()
}

fn sixteen(address: &str) -> [u8; 16] {
    octets(address).try_into().unwrap()
}

/// Checksum of a TCP or UDP segment as etherparse sends it.
fn sent(case: &Value) -> u16 {
    let segment = bytes(text(case, "segment"));
    let (source, destination) = (text(case, "source"), text(case, "destination"));
    let v4 = !source.contains(':');
    if number(case, "protocol") == 6 {
        let (header, payload) = TcpHeader::from_slice(&segment).unwrap();
        if v4 {
            header.calc_checksum_ipv4_raw(four(source), four(destination), payload).unwrap()
        } else {
            header.calc_checksum_ipv6_raw(sixteen(source), sixteen(destination), payload).unwrap()
        }
    } else {
        let (header, payload) = UdpHeader::from_slice(&segment).unwrap();
        if v4 {
            header.calc_checksum_ipv4_raw(four(source), four(destination), payload).unwrap()
        } else {
            header.calc_checksum_ipv6_raw(sixteen(source), sixteen(destination), payload).unwrap()
        }
    }
}

#[test]
fn segments_agree_with_etherparse() {
    let file = vectors("checksum");
    for case in array(&file, "transport") {
        assert_eq!(word(&case["checksum"]), u64::from(sent(case)), "{case}");
    }
    let zero = array(&file, "transport").iter().filter(|case| word(&case["computed"]) == 0);
    let zero: Vec<u64> = zero.map(|case| word(&case["checksum"])).collect();
    assert_eq!(zero, [0xFFFF, 0xFFFF], "a UDP checksum of 0 over IPv4 and over IPv6 is sent as all ones");
}

#[test]
fn a_segment_that_starts_from_its_pseudo_sum_needs_no_addresses() {
    // What TX offload does: software leaves the pseudo header's sum in the field, hardware sums the segment alone.
    for case in array(&vectors("checksum"), "transport") {
        let mut segment = bytes(text(case, "segment"));
        let at = number(case, "checksum_at") as usize;
        segment[at..at + 2].copy_from_slice(&(word(&case["pseudo"]) as u16).to_be_bytes());
        let computed = Sum16BitWords::new().add_slice(&segment).ones_complement().to_be();
        assert_eq!(word(&case["computed"]), u64::from(computed), "{case}");
        let length = (segment.len() as u16).to_be_bytes();
        let without = (word(&case["pseudo_without_length"]) as u16).to_be_bytes();
        let with = !Sum16BitWords::new().add_slice(&without).add_slice(&length).ones_complement().to_be();
        assert_eq!(word(&case["pseudo"]), u64::from(with), "{case}");
    }
}

#[test]
fn multicast_agrees_with_the_way_of_the_linux_driver() {
    for case in array(&vectors("multicast"), "cases") {
        let address: Vec<u16> =
            text(case, "address").split(':').map(|byte| u16::from_str_radix(byte, 16).unwrap()).collect();
        let (four, five) = (address[4], address[5]);
        let hash = match number(case, "mo") {
            0 => four >> 4 | five << 4,
            1 => four >> 3 | five << 5,
            2 => four >> 2 | five << 6,
            _ => four | five << 8,
        } & 0xFFF;
        assert_eq!(number(case, "hash"), u64::from(hash), "{case}");
        assert_eq!(number(case, "word"), u64::from(hash >> 5), "{case}");
        assert_eq!(number(case, "bit"), u64::from(hash & 31), "{case}");
    }
}
