//! What every client of AWS needs: settings, time limits, the trusted roots of TLS, and the tenants' secrets. The clients themselves are with
//! the crates that call them, so that none compiles the SDK of a service that it does not know.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod parameters;
mod settings;
mod tls;

pub use parameters::{ParameterError, Parameters};
pub use settings::{ATTEMPT_TIMEOUT, ATTEMPTS, AwsSettings, MissingSetting, OPERATION_TIMEOUT, TimeLimits};
pub use tls::{OutOfReach, https};
