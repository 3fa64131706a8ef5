//! Rewrites the files that come from the code: `functions/api/openapi.json`, `infra/routes.json` and `infra/metrics.json`.

use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let api = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (path, document) in [
        ("openapi.json", api::openapi::document()?),
        ("../../infra/routes.json", api::openapi::infrastructure()),
        ("../../infra/metrics.json", api::openapi::metrics()),
    ] {
        fs::write(api.join(path), serde_json::to_string_pretty(&document)? + "\n")?;
    }
    Ok(())
}
