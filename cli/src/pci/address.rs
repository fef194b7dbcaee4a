//! Addresses of PCI functions.

/// `0000:03:00.0` for that, for `03:00.0` and for upper case. `None` if it is no address.
pub fn canonical(text: &str) -> Option<String> {
    let (rest, function) = text.rsplit_once('.')?;
    let (rest, device) = rest.rsplit_once(':')?;
    let (domain, bus) = rest.split_once(':').unwrap_or(("0000", rest));
    let number = |text: &str, digits: usize, below: u32| {
        let hex = (1..=digits).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u32::from_str_radix(text, 16).ok().filter(|_| hex)?;
        (number < below).then_some(number)
    };
    let (domain, bus) = (number(domain, 8, u32::MAX)?, number(bus, 2, 256)?);
    let (device, function) = (number(device, 2, 32)?, number(function, 1, 8)?);
    Some(format!("{domain:04x}:{bus:02x}:{device:02x}.{function}"))
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn takes_what_people_write() {
        for text in ["0000:03:00.0", "03:00.0", "3:0.0", "0000:03:00.0"] {
            assert_eq!(canonical(text).as_deref(), Some("0000:03:00.0"), "{text}");
        }
        assert_eq!(canonical("0001:AF:1f.7").as_deref(), Some("0001:af:1f.7"));
        for text in
            ["", "eth0", "03:00", "03:20.0", "03:00.8", "3:0.0 ", "1:2:3:4.0", "../..:0.0", "unix:/x.0"]
        {
            assert_eq!(canonical(text), None, "{text}");
        }
    }
}
