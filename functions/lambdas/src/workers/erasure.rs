//! Lambda: `erasure`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    workers::serve(&workers::table::ERASURE)
}
