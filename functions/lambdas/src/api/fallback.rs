//! Lambda: everything that is no route.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve_fallback()
}
