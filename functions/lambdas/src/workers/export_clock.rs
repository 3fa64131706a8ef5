//! Lambda: `export_clock`.

use std::process::ExitCode;

fn main() -> ExitCode {
    workers::serve(&workers::table::EXPORT_CLOCK)
}
