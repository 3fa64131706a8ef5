//! Lambda: everything that is no route.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve_fallback()
}
