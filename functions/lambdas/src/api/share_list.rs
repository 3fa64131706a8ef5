//! Lambda: `share_list`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::serve(vec![&api::routes::SHARE_LIST])
}
