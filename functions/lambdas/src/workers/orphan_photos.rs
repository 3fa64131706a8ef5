//! Lambda: `orphan_photos`.

use std::process::ExitCode;

fn main() -> ExitCode {
    workers::serve(&workers::table::ORPHAN_PHOTOS)
}
