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
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// The host names that a deployment is reached under; none: none are configured.
pub type Hosts<'a> = &'a [String];

/// What the deployment is not reached under, though the tenant is to be. What it has already is not asked again.
fn unknown_hosts(wanted: &Deployed, before: &[String], known: Hosts<'_>) -> Vec<FileFault> {
    // As in a certificate, a pattern stands for one label (RFC 6125, section 6.4.3).
    let is_named = |one: &String, host: &str| match one.strip_prefix("*.") {
        Some(rest) => host.split_once('.').is_some_and(|(_, zone)| zone == rest),
        None => one == host,
    };
    let is_unknown = |host: &str| !known.is_empty() && !before.iter().chain(known).any(|one| is_named(one, host));
    let listed = known.join(", ");
    let reason = |host: &str| {
        text!(
            "diese Installation kennt `{host}` nicht; erst ZAEHLWERK_HOSTS ergänzen (jetzt: {listed})",
            "this deployment does not know `{host}`; it has to be in ZAEHLWERK_HOSTS first (now: {listed})"
        )
    };
    let fault = |path: String, host: &str| is_unknown(host).then(|| FileFault::new(TENANT_FILE, path, reason(host)));
    let address = wanted.portal_url.strip_prefix("https://").map(|rest| rest.split(['/', ':']).next().unwrap_or(rest));
    let hosts = wanted.hosts.iter().enumerate().filter_map(|(place, host)| fault(format!("hosts[{place}]"), host));
    // One that is among the hosts was named there.
    let address = address.filter(|address| !wanted.hosts.iter().any(|host| host == address));
    hosts.chain(address.and_then(|address| fault("portalUrl".to_owned(), address))).collect()
}

/// Makes a tenant that has no logins yet, or says what is wrong with it. The same once more does nothing.
///
/// # Errors
/// [`Failure::Store`].
pub async fn create(
    store: &Store,
    (id, name): (&TenantId, &str),
    (deployed, known): (Deployed, Hosts<'_>),
    editor: Editor<'_>,
    reach: Reach,
) -> Result<Vec<FileFault>, Failure> {
    let unknown = unknown_hosts(&deployed, &[], known);
    if !unknown.is_empty() {
        return Ok(unknown);
    }
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

/// Has the tenant reached otherwise than it was `seen` to be, or says what is wrong with that. The same once more does nothing.
///
/// # Errors
/// [`Failure::TenantUnknown`]; [`Failure::Stale`]: it is reached otherwise by now, or something else was put into effect meanwhile; [`Failure::Store`].
pub async fn change(
    store: &Store,
    id: &TenantId,
    (seen, deployed, known): (&Deployed, Deployed, Hosts<'_>),
    editor: Editor<'_>,
    reach: Reach,
) -> Result<Vec<FileFault>, Failure> {
    let (live, version) = store.tenant_in_effect(id).await?.ok_or_else(|| Failure::TenantUnknown(id.clone()))?;
    let there = Deployed::of(&live.application);
    if there != *seen {
        return if there == deployed { Ok(Vec::new()) } else { Err(Failure::Stale) };
    }
    let unknown = unknown_hosts(&deployed, &there.hosts, known);
    if !unknown.is_empty() {
        return Ok(unknown);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_the_deployment_does_not_know_is_named() {
        let texts = |hosts: &[&str]| hosts.iter().map(|host| (*host).to_owned()).collect::<Vec<_>>();
        let paths = |hosts: &[&str], url: &str, known: &[&str]| {
            let wanted = Deployed { hosts: texts(hosts), portal_url: url.to_owned(), sender_email: String::new() };
            let faults = unknown_hosts(&wanted, &texts(&["old.example"]), &texts(known));
            faults.into_iter().map(|found| found.fault.path).collect::<Vec<_>>()
        };
        assert_eq!(paths(&["a.example", "b.example"], "https://c.example/x", &["a.example"]), ["hosts[1]", "portalUrl"]);
        assert_eq!(paths(&["old.example"], "https://old.example", &["a.example"]), [""; 0], "what is there stays");
        assert_eq!(paths(&["b.example"], "https://b.example", &["a.example"]), ["hosts[0]"], "once is enough");
        assert_eq!(paths(&["b.example"], "https://b.example", &[]), [""; 0], "nobody has named them");
        let of_a_pattern =
            paths(&["neu.zone.example", "zone.example", "x.y.zone.example"], "https://neu.zone.example", &["*.zone.example"]);
        assert_eq!(of_a_pattern, ["hosts[1]", "hosts[2]"]);
    }
}
