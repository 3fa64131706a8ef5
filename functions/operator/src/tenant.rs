//! `zaehlwerk tenant apply`.

use std::io::{self, Write};
use std::path::Path;

use store::Store;

use crate::import::patiently;
use crate::{Failure, Verdict, bundle, tell};

/// Puts the folder into effect, or reports every fault and changes nothing.
pub async fn apply(store: &Store, folder: &Path) -> Result<Verdict, Failure> {
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
    tell(if applied.changed { format!("{id}: applied") } else { format!("{id}: unchanged") })?;
    Ok(Verdict::Sound)
}
