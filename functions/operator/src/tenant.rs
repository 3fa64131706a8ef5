//! `zaehlwerk tenant apply`.

use std::io::{self, Write};
use std::path::Path;

use serde_json::json;
use store::Store;

use crate::import::patiently;
use crate::{Failure, Say, Verdict, bundle};

/// Puts the folder into effect, or reports every fault and changes nothing.
pub async fn apply(store: &Store, folder: &Path, say: Say) -> Result<Verdict, Failure> {
    let bundle = match bundle::read(folder) {
        Ok(bundle) => bundle,
        Err(faults) => {
            for fault in &faults {
                // Nobody is left to be told when standard error is closed.
                drop(writeln!(io::stderr(), "{fault}"));
            }
            return Ok(Verdict::Faulty);
        }
    };
    let applied = patiently(|| store.apply_tenant(&bundle)).await?;
    let id = &bundle.application.application_id;
    let done = if applied.changed { "applied" } else { "unchanged" };
    say.tell(format_args!("{id}: {done}"), &json!({ "applicationId": id, "changed": applied.changed }))?;
    Ok(Verdict::Sound)
}
