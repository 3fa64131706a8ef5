//! Lambda: `sessions`.

use std::process::ExitCode;

pub fn main() -> ExitCode {
    api::serve(vec![&api::routes::SESSION_LIST, &api::routes::SESSION_DELETE, &api::routes::SESSION_DELETE_ALL])
}
