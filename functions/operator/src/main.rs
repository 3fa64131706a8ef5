//! `zaehlwerk`: the utility company's command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    operator::main()
}
