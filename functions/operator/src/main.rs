//! `zaehlwerk`: the utility company's command line.

use std::process::ExitCode;

#[cfg(feature = "released")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    operator::main()
}
