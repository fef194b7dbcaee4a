//! The first message: versions and capabilities (vfio-user VERSION).

use serde_json::{Map, Value, json};

use super::header::u16_at;
use super::inbox::{MAX_DATA, MAX_FDS};
use super::refusal::{Refusal, require};
use super::wire::{version, version_payload};
use crate::memory::{MAX_MAPPINGS, PAGE};

/// What was agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Agreement {
    /// Of the two minor versions the lower one.
    minor: u16,
    /// The client can take at least one descriptor in a reply.
    pub takes_fds: bool,
    /// REGION_WRITE_MULTI may be used.
    pub write_multiple: bool,
}

impl Agreement {
    /// Reads the client's proposal.
    pub fn parse(payload: &[u8]) -> Result<Self, Refusal> {
        require(payload.len() >= version_payload::BYTES, "VERSION is too short")?;
        let major = u16_at(payload, version_payload::MAJOR);
        if major != version::MAJOR {
            return Err(Refusal::invalid(format!(
                "the client speaks vfio-user {major}, this is {}",
                version::MAJOR
            )));
        }
        let mut agreement = Agreement {
            minor: u16_at(payload, version_payload::MINOR).min(version::MINOR),
            takes_fds: true,
            write_multiple: false,
        };
        let Some(capabilities) = capabilities(&payload[version_payload::BYTES..])? else {
            return Ok(agreement);
        };
        agreement.takes_fds = number(&capabilities, "max_msg_fds")?.is_none_or(|n| n > 0);
        agreement.write_multiple = flag(&capabilities, "write_multiple")?;
        for unused in ["max_data_xfer_size", "max_dma_maps", "pgsizes"] {
            number(&capabilities, unused)?;
        }
        Ok(agreement)
    }

    /// Appends the answer.
    pub fn answer(&self, reply: &mut Vec<u8>) {
        let mut capabilities = json!({
            "max_msg_fds": MAX_FDS,
            "max_data_xfer_size": MAX_DATA,
            "max_dma_maps": MAX_MAPPINGS,
            "pgsizes": PAGE,
        });
        if self.write_multiple {
            capabilities["write_multiple"] = Value::Bool(true);
        }
        reply.extend(version::MAJOR.to_ne_bytes());
        reply.extend(self.minor.to_ne_bytes());
        reply.extend(json!({ "capabilities": capabilities }).to_string().bytes());
        reply.push(0);
    }
}

/// The capabilities of a proposal; `None` if it names none.
fn capabilities(text: &[u8]) -> Result<Option<Map<String, Value>>, Refusal> {
    let Some((&end, text)) = text.split_last() else { return Ok(None) };
    require(end == 0, "the JSON text of VERSION does not end with NUL")?;
    if text.is_empty() {
        return Ok(None);
    }
    let value: Value = serde_json::from_slice(text)
        .map_err(|error| Refusal::invalid(format!("the JSON text of VERSION is broken: {error}")))?;
    let Value::Object(mut top) = value else {
        return Err(Refusal::invalid("the JSON text of VERSION is not an object"));
    };
    match top.remove("capabilities") {
        None => Ok(None),
        Some(Value::Object(capabilities)) => Ok(Some(capabilities)),
        Some(_) => Err(Refusal::invalid("the capabilities of VERSION are not an object")),
    }
}

fn number(capabilities: &Map<String, Value>, key: &str) -> Result<Option<u64>, Refusal> {
    match capabilities.get(key) {
        None => Ok(None),
        Some(value) => match value.as_u64() {
            Some(number) => Ok(Some(number)),
            None => Err(Refusal::invalid(format!("the capability {key} is not a whole number"))),
        },
    }
}

fn flag(capabilities: &Map<String, Value>, key: &str) -> Result<bool, Refusal> {
    match capabilities.get(key) {
        None => Ok(false),
        Some(Value::Bool(set)) => Ok(*set),
        Some(_) => Err(Refusal::invalid(format!("the capability {key} is neither true nor false"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(minor: u16, text: &[u8]) -> Result<Agreement, Refusal> {
        let mut payload = vec![0, 0];
        payload.extend(minor.to_ne_bytes());
        payload.extend(text);
        Agreement::parse(&payload)
    }

    #[test]
    fn a_client_may_say_nothing() {
        let silent = Agreement { minor: 1, takes_fds: true, write_multiple: false };
        for text in [&b""[..], b"\0", b"{}\0", b"{\"capabilities\":{}}\0", b" {\"other\":[1]}\n\0"] {
            assert_eq!(parse(1, text).unwrap(), silent);
        }
    }

    #[test]
    fn the_lower_minor_version_is_spoken() {
        assert_eq!(parse(0, b"").unwrap().minor, 0);
        assert_eq!(parse(9, b"").unwrap().minor, 1);
    }

    #[test]
    fn capabilities_are_understood() {
        let all = parse(1, b"{\"capabilities\":{\"max_msg_fds\":0,\"write_multiple\":true,\"twin_socket\":{\"supported\":true},\"migration\":{\"pgsize\":4096},\"new\":null}}\0");
        assert_eq!(all.unwrap(), Agreement { minor: 1, takes_fds: false, write_multiple: true });
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            &b"{}"[..],
            b"{\0",
            b"[]\0",
            b"1\0",
            b"{}\0x\0",
            b"{\"capabilities\":1}\0",
            b"{\"capabilities\":{\"max_msg_fds\":-1}}\0",
            b"{\"capabilities\":{\"max_msg_fds\":\"8\"}}\0",
            b"{\"capabilities\":{\"pgsizes\":1.5}}\0",
            b"{\"capabilities\":{\"write_multiple\":1}}\0",
            b"\xff\xfe\0",
        ] {
            assert!(parse(1, text).is_err(), "{}", String::from_utf8_lossy(text));
        }
        assert!(parse(1, &[b"[".repeat(100_000), vec![0]].concat()).is_err());
        assert!(Agreement::parse(&[0, 0, 1]).is_err());
        assert!(Agreement::parse(&[1, 0, 0, 0]).is_err());
    }

    #[test]
    fn the_answer_is_json_with_nul() {
        let mut reply = Vec::new();
        parse(7, b"{\"capabilities\":{\"write_multiple\":true}}\0").unwrap().answer(&mut reply);
        assert_eq!(reply[..4], [0, 0, 1, 0]);
        assert_eq!(reply.pop(), Some(0));
        let value: Value = serde_json::from_slice(&reply[4..]).unwrap();
        assert_eq!(value["capabilities"]["max_msg_fds"], 64);
        assert_eq!(value["capabilities"]["max_data_xfer_size"], 1 << 20);
        assert_eq!(value["capabilities"]["write_multiple"], true);
        reply.clear();
        parse(7, b"").unwrap().answer(&mut reply);
        assert!(!String::from_utf8_lossy(&reply).contains("write_multiple"));
    }
}
