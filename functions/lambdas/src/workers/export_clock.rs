//! Lambda: `export_clock`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    workers::serve(&workers::table::EXPORT_CLOCK)
}
