use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// What a Python script beside the tests reads in a file: the opinion of a library that is not ours.
pub fn read_by(script: &str, file: &Path, more: &[String]) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../operator");
    let python = env::var_os("ZAEHLWERK_PYTHON").map_or_else(|| root.join("../../.venv/bin/python"), PathBuf::from);
    let output = Command::new(&python).arg(root.join("tests").join(script)).arg(file).args(more).output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}; `make setup` installs it", python.display()));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}
