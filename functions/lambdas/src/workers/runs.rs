//! Lambda: `runs`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    workers::serve(&workers::table::RUNS)
}
