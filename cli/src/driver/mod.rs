//! The drivers of the repository: found by their `driver.toml`, built when needed, run as child processes.

pub mod build;
pub mod find;

use ringway_bench::app::AppError;

use crate::failure::Failure;

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        let cause = error.to_string();
        match error {
            AppError::NoProgram { .. } => Failure::open(
                cause,
                "See what the driver needs with `ringway doctor`; its command is `app` in its driver.toml",
            ),
            AppError::Refused { kind, .. } if !matches!(kind.as_str(), "DeviceFailed" | "Timeout") => {
                Failure::open(cause, "")
            }
            AppError::Garbage { .. } => Failure::failed(
                cause,
                "Its app must print only the lines of spec/app.schema.json on standard output with --json",
            ),
            AppError::DoesNotEnd { .. } => {
                Failure::failed(cause, "Its app must close its devices and exit on SIGTERM")
            }
            _ => Failure::failed(cause, ""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Exit;

    #[test]
    fn a_device_that_cannot_be_opened_and_one_that_failed_are_told_apart() {
        let refused = |kind: &str| {
            let (name, message) = ("toy".to_owned(), "nobody listens".to_owned());
            Failure::from(AppError::Refused { name, kind: kind.to_owned(), message }).exit
        };
        assert_eq!((refused("NoSuchDevice"), refused("DeviceFailed")), (Exit::CannotOpen, Exit::Failed));
    }
}
