//! Lambda: `orphan_photos`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    workers::serve(&workers::table::ORPHAN_PHOTOS)
}
