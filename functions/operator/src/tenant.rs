//! `zaehlwerk tenant apply`.

use std::path::Path;

use domain::fault::FileFault;
use domain::network::Reach;
use domain::text;
use domain::text::Lang;
use serde_json::{Value, json};
use store::Store;

use crate::{Failure, Say, Verdict, bundle, tell};
use desk::patiently;

/// Puts the folder into effect, or reports every fault and changes nothing.
pub async fn apply(store: &Store, folder: &Path, reach: Reach, say: Say) -> Result<Verdict, Failure> {
    let bundle = match bundle::read(folder, reach) {
        Ok(bundle) => bundle,
        Err(faults) => return tell_faults(&faults, say),
    };
    let applied = patiently(|| store.apply_tenant(&bundle)).await?;
    let id = &bundle.application.application_id;
    let done = if applied.changed { text!("übernommen", "applied") } else { text!("unverändert", "unchanged") };
    say.tell(&text!("{id}: {done}", "{id}: {done}"; done), &json!({ "applicationId": id, "changed": applied.changed }))?;
    Ok(Verdict::Sound)
}

/// Every fault of a folder: on standard error for a person, or as one document for a program.
pub fn tell_faults(faults: &[FileFault], say: Say) -> Result<Verdict, Failure> {
    for fault in faults {
        say.complain(&fault.text());
    }
    if say.is_json() {
        let wire = |FileFault { file, fault }: &FileFault| json!({ "file": file, "path": fault.path, "reason": fault.reason.of(Lang::En) });
        let list: Vec<Value> = faults.iter().map(wire).collect();
        tell(json!({ "faults": list }))?;
    }
    Ok(Verdict::Faulty)
}
