//! The limit of locked memory: what VFIO pins is charged to it.

use rustix::process::{Resource, getrlimit};

use crate::ui;

/// What one device of a driver pins with the default pool is about 5 MB; two and a little air.
pub const ENOUGH: u64 = 16 << 20;

/// The limit of this process; none if there is none.
pub fn limit() -> Option<u64> {
    getrlimit(Resource::Memlock).current
}

/// What to do about a limit that is too low, for good. Empty if it is high enough.
pub fn remedy(limit: Option<u64>, user: Option<&str>) -> String {
    match limit {
        Some(bytes) if bytes < ENOUGH => format!(
            "echo '{} - memlock unlimited' | sudo tee /etc/security/limits.d/ringway.conf, then log in again \
             (for this shell only: sudo prlimit --memlock=unlimited:unlimited --pid $$)",
            user.unwrap_or("*")
        ),
        _ => String::new(),
    }
}

/// The limit, for people.
pub fn shown(limit: Option<u64>) -> String {
    limit.map_or("unlimited".to_owned(), ui::bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_low_limit_needs_a_remedy() {
        assert_eq!(remedy(None, Some("ada")), "");
        assert_eq!(remedy(Some(1 << 30), Some("ada")), "");
        assert!(remedy(Some(8 << 20), Some("ada")).contains("'ada - memlock unlimited'"));
        assert!(remedy(Some(8 << 20), None).contains("'* - memlock unlimited'"));
        assert_eq!((shown(None).as_str(), shown(Some(8_388_608)).as_str()), ("unlimited", "8.39 MB"));
    }
}
