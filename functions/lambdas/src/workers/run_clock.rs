//! Lambda: `run_clock`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    workers::serve(&workers::table::RUN_CLOCK)
}
