//! Lambda: `share_list`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::SHARE_LIST])
}
