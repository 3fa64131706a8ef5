//! Lambda: `run_clock`.

use std::process::ExitCode;

fn main() -> ExitCode {
    workers::serve(&workers::table::RUN_CLOCK)
}
