//! What those who run the product do for its tenants: a new one, and what a tenant cannot set itself (D-SETTINGS-3).

use domain::config::Application;
use domain::config_check::TENANT_FILE;
use domain::fault::FileFault;
use domain::ids::TenantId;
use domain::network::Reach;
use domain::text;
use store::{NewVersion, Onto, Store, StoreError, TenantBundle};

use crate::settings::Editor;
use crate::{Failure, bundle, starter};

/// What a deployment knows of a tenant: where it is reached, and what it sends mail from.
#[derive(Debug, Clone)]
pub struct Deployed {
    /// Host names of the portal.
    pub hosts: Vec<String>,
    /// The portal's address, as mails and letters have it.
    pub portal_url: String,
    /// Address of the sender of mails; empty: none goes out.
    pub sender_email: String,
}

impl Deployed {
    /// The tenant's.
    pub fn of(application: &Application) -> Self {
        Self {
            hosts: application.hosts.clone(),
            portal_url: application.portal_url.clone(),
            sender_email: application.communication_settings.sender_email.clone(),
        }
    }

    pub(crate) fn write_to(self, application: &mut Application) {
        let Self { hosts, portal_url, sender_email } = self;
        (application.hosts, application.portal_url) = (hosts, portal_url);
        let settings = &mut application.communication_settings;
        settings.sender_email = sender_email;
        if settings.sender_name.is_empty() {
            settings.sender_name.clone_from(&application.name);
        }
    }
}

/// Makes a tenant that nobody has a login of yet, or says what is wrong with it. The same once more does nothing.
///
/// # Errors
/// [`Failure::Store`].
pub async fn create(
    store: &Store,
    (id, name): (&TenantId, &str),
    deployed: Deployed,
    editor: Editor<'_>,
    reach: Reach,
) -> Result<Vec<FileFault>, Failure> {
    let host = deployed.hosts.first().map_or("", String::as_str);
    let begun = match bundle::read(&starter::files(id, name, host), Vec::new(), reach) {
        Ok(bundle) => changed(bundle, deployed, reach)?,
        Err(faults) => Err(faults),
    };
    let bundle = match begun {
        Ok(bundle) => bundle,
        Err(faults) => return Ok(faults),
    };
    let new = NewVersion { by: editor.by, member: Some(editor.member), at: editor.at, onto: None, is_first: true };
    match store.apply_tenant(&bundle, new).await {
        Err(StoreError::Conflict) => {
            Ok(vec![FileFault::new(TENANT_FILE, "applicationId", text!("ist schon vergeben", "is taken already"))])
        }
        applied => taken(applied),
    }
}

/// Has the tenant reached otherwise, or says what is wrong with that.
///
/// # Errors
/// [`Failure::TenantUnknown`]; [`Failure::Stale`]: something else was put into effect meanwhile; [`Failure::Store`].
pub async fn change(store: &Store, id: &TenantId, deployed: Deployed, editor: Editor<'_>, reach: Reach) -> Result<Vec<FileFault>, Failure> {
    let live = store.tenant_bundle(id).await?.ok_or_else(|| Failure::TenantUnknown(id.clone()))?;
    let version = live.version()?;
    let bundle = match changed(live, deployed, reach)? {
        Ok(bundle) => bundle,
        Err(faults) => return Ok(faults),
    };
    let onto = Onto { version: &version, drafts: &[], shown: None };
    let new = NewVersion { by: editor.by, member: Some(editor.member), at: editor.at, onto: Some(onto), is_first: false };
    match store.apply_tenant(&bundle, new).await {
        Err(StoreError::Conflict) => Err(Failure::Stale),
        applied => taken(applied),
    }
}

/// The bundle with that, judged anew as a whole.
fn changed(mut bundle: TenantBundle, deployed: Deployed, reach: Reach) -> Result<Result<TenantBundle, Vec<FileFault>>, Failure> {
    deployed.write_to(&mut bundle.application);
    Ok(bundle::read(&bundle.files()?, Vec::new(), reach))
}

fn taken<T>(applied: Result<T, StoreError>) -> Result<Vec<FileFault>, Failure> {
    match applied {
        Err(StoreError::HostTaken { host }) => Ok(vec![FileFault::new(
            TENANT_FILE,
            "hosts",
            text!("`{host}` gehört einem anderen Versorger", "`{host}` belongs to another utility"),
        )]),
        applied => Ok(applied.map(|_| Vec::new())?),
    }
}
