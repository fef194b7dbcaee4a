//! MAC addresses as they are written.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

/// An address of a NIC: unicast, not zero.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "String")]
pub struct Mac(pub [u8; 6]);

impl Mac {
    /// The address of the NIC at place `index` of a lab: locally administered, so that it belongs to no vendor.
    pub fn of_place(index: usize) -> Self {
        let [.., high, low] = (index as u64 + 1).to_be_bytes();
        Mac([0x02, 0x52, 0x57, 0x00, high, low])
    }
}

impl FromStr for Mac {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no MAC address like 02:52:57:00:00:01");
        let mut bytes = [0; 6];
        let mut parts = text.split(':');
        for byte in &mut bytes {
            let part =
                parts.next().filter(|part| part.len() == 2 && !part.starts_with('+')).ok_or_else(wrong)?;
            *byte = u8::from_str_radix(part, 16).map_err(|_| wrong())?;
        }
        if parts.next().is_some() {
            return Err(wrong());
        }
        if bytes[0] & 1 != 0 || bytes == [0; 6] {
            return Err(format!("`{text}` is not the address of one NIC: it is multicast or zero"));
        }
        Ok(Mac(bytes))
    }
}

impl TryFrom<String> for Mac {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for Mac {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, f] = self.0;
        write!(out, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{f:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        let mac = Mac::of_place(0);
        assert_eq!(mac.to_string(), "02:52:57:00:00:01");
        assert_eq!(mac.to_string().parse(), Ok(mac));
    }

    #[test]
    fn refuses_what_is_no_address_of_one_nic() {
        for bad in [
            "",
            "02:00",
            "02:00:00:00:00:00:00",
            "0g:00:00:00:00:00",
            "+2:00:00:00:00:01",
            "01:00:5e:00:00:01",
            "00:00:00:00:00:00",
        ] {
            assert!(bad.parse::<Mac>().is_err(), "{bad}");
        }
    }
}
