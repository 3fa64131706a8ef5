//! Rewrites the files that come from the route table: `functions/api/openapi.json` and `infra/routes.json`.

use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let api = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (path, document) in
        [(api.join("openapi.json"), api::openapi::document()?), (api.join("../../infra/routes.json"), api::openapi::infrastructure())]
    {
        fs::write(path, serde_json::to_string_pretty(&document)? + "\n")?;
    }
    Ok(())
}
