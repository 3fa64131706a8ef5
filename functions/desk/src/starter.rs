//! The first files of a tenant.

use domain::config_check::{CONTACT_FILE, INSTRUCTIONS_FILE, LOGO_FILE, TENANT_FILE};
use domain::ids::TenantId;
use domain::preset::EXPORTS_FILE;
use serde_json::Value;
use store::TenantFiles;

/// The bundle of a tenant with this name, reached under this host: without fault, if they have none.
pub fn files(id: &TenantId, name: &str, host: &str) -> TenantFiles {
    let quoted = |text: &str| {
        let quoted = Value::from(text).to_string();
        // Without the outer quotes, which the file has.
        quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
    };
    let application = include_str!("../starter/tenant.json")
        .replace("{id}", id.as_str())
        .replace("{host}", &quoted(host))
        .replace("{name}", &quoted(name));
    TenantFiles::from([
        (TENANT_FILE.into(), application.into()),
        (LOGO_FILE.into(), include_bytes!("../starter/logo.png").to_vec()),
        (CONTACT_FILE.into(), b"[]\n".to_vec()),
        (INSTRUCTIONS_FILE.into(), b"[]\n".to_vec()),
        ("help/de-FORMAL.md".into(), "# Hilfe\n\nSo lesen Sie Ihren Zähler ab: …\n".into()),
        (EXPORTS_FILE.into(), include_bytes!("../starter/exports.json").to_vec()),
    ])
}
