//! Where sockets live: a directory that nobody else can enter.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::process::geteuid;

use crate::failure::Failure;

/// The directory, made if it did not exist. Dropping it removes it if it is empty, and leaves it otherwise.
#[derive(Debug)]
pub struct RuntimeDir(PathBuf);

impl RuntimeDir {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for RuntimeDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

/// `$XDG_RUNTIME_DIR/ringway`, or `/tmp/ringway-UID` where there is no such variable. It need not be there.
pub fn place() -> PathBuf {
    let given = std::env::var_os("XDG_RUNTIME_DIR").filter(|given| !given.is_empty());
    match given {
        Some(given) => PathBuf::from(given).join("ringway"),
        None => PathBuf::from(format!("/tmp/ringway-{}", geteuid().as_raw())),
    }
}

/// Makes the directory at [`place`].
pub fn open() -> Result<RuntimeDir, Failure> {
    let path = place();
    make(&path)?;
    Ok(RuntimeDir(path))
}

/// Makes the directory with mode 0700, and refuses one that others could have prepared.
fn make(path: &Path) -> Result<(), Failure> {
    let remedy = "Set XDG_RUNTIME_DIR to a directory of your own";
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => return Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(error) => {
            return Err(Failure::open(
                format!("cannot make {} for sockets: {error}", path.display()),
                remedy,
            ));
        }
    }
    let found = fs::symlink_metadata(path)
        .map_err(|error| Failure::open(format!("{}: {error}", path.display()), remedy))?;
    if !found.is_dir() || found.uid() != geteuid().as_raw() || found.mode() & 0o077 != 0 {
        let cause = format!("{} is not a directory that only you can enter", path.display());
        return Err(Failure::open(cause, format!("Remove it, or make it yours with mode 0700. {remedy}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn makes_a_private_directory_and_takes_it_again() {
        let outside = tempfile::tempdir().unwrap();
        let path = outside.path().join("ringway");
        make(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
        make(&path).unwrap();
    }

    #[test]
    fn refuses_what_others_can_enter_and_what_is_a_link() {
        let outside = tempfile::tempdir().unwrap();
        let open = outside.path().join("open");
        fs::create_dir(&open).unwrap();
        fs::set_permissions(&open, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(make(&open).unwrap_err().cause.contains("only you can enter"));
        let link = outside.path().join("link");
        std::os::unix::fs::symlink(outside.path(), &link).unwrap();
        assert!(make(&link).is_err());
    }
}
