//! Rewrites the file that comes from the worker table: `infra/workers.json`.

use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../infra/workers.json");
    fs::write(path, serde_json::to_string_pretty(&workers::infrastructure(workers::table::WORKERS))? + "\n")?;
    Ok(())
}
