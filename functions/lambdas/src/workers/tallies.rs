//! Lambda: `tallies`.

use std::process::ExitCode;

fn main() -> ExitCode {
    workers::serve(&workers::table::TALLIES)
}
