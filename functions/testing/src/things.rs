//! Things to store, in their least form.

use std::collections::BTreeMap;

use domain::config::Application;
use domain::device::DeviceKind;
use domain::ids::{AccountId, ImageId, JobId, MemberId, TaskId, TenantId};
use domain::model::JobMaster;
use domain::staff::{ProviderId, Role};
use jiff::Timestamp;
use serde_json::{Value, json};
use store::{
    Account, Cleared, Clearing, Effect, Hold, Identity, InTheWay, JobImport, JobImported, JobLine, LedgerEntry, NewAccount, NewMember,
    NewMembership, Store, TenantBundle,
};

pub fn tenant_id(id: &str) -> TenantId {
    TenantId::new(id).unwrap()
}

pub fn account_id(id: &str) -> AccountId {
    AccountId::new(id).unwrap()
}

pub fn job_id(id: &str) -> JobId {
    JobId::new(id).unwrap()
}

pub fn task_id(id: &str) -> TaskId {
    TaskId::new(id).unwrap()
}

pub fn image_id(id: &str) -> ImageId {
    ImageId::new(id).unwrap()
}

/// A moment, as `2026-11-21T12:00:00Z`.
pub fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Merges objects; everything else is replaced.
pub fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, from) => *into = from,
    }
}

/// A tenant's config at `<id>.localhost`, with these fields beside the least.
pub fn application(id: &str, with: Value) -> Application {
    let host = format!("{id}.localhost");
    let mut application = json!({ "applicationId": id, "name": "Test", "hosts": [host], "portalUrl": format!("http://{host}") });
    merge(&mut application, with);
    serde_json::from_value(application).unwrap()
}

/// A tenant with this config, a logo, and no texts.
pub fn bundle(application: Application) -> TenantBundle {
    TenantBundle {
        application,
        translations: BTreeMap::new(),
        help: BTreeMap::new(),
        contact: Vec::new(),
        instructions: Vec::new(),
        presets: BTreeMap::new(),
        logo: include_bytes!("logo.png").to_vec(),
        icons: [180, 192, 512].map(|side| (side, b"\x89PNG".to_vec())).into(),
    }
}

/// An account without a login.
pub fn account(id: &str) -> NewAccount {
    let account = Account {
        id: account_id(id),
        name: format!("{id} Mustermann"),
        share: None,
        roles: Vec::new(),
        language: None,
        email: None,
        salutation: None,
        valid_until: None,
        username: None,
        generation: 0,
        share_era: 0,
    };
    NewAccount { account, password_hash: None, link: None, end_shares: false }
}

/// A job with one rate `t1`, with these fields.
pub fn job(id: &str, with: Value) -> JobMaster {
    let rate = json!({ "taskId": "t1", "obis": "1-0:1.8.0" });
    let mut job = json!({ "id": id, "meter": { "meterNumber": format!("EBZ {id}"), "meterRateTasks": [rate] } });
    merge(&mut job, with);
    serde_json::from_value(job).unwrap()
}

/// Imports the jobs of these accounts.
pub async fn import(store: &Store, application: &Application, lines: &[JobLine], now: Timestamp) -> Vec<JobImported> {
    store
        .import_jobs(
            JobImport { application, effect: Effect::Stored, in_the_way: InTheWay::default(), coming: None, import: None, now },
            lines,
        )
        .await
        .unwrap()
}

/// Decides about a reading as it is now; false: it is gone.
pub async fn decide(store: &Store, tenant: &TenantId, entry: &LedgerEntry, clearing: &Clearing, deliver: bool) -> bool {
    let Some(seen) = store.clearing_version(tenant, entry).await.unwrap() else { return false };
    store.note_clearing(tenant, entry, clearing, &seen, deliver).await.unwrap() == Cleared::Noted
}

/// Makes the person of this name a member of the tenant with these roles; the same name is the same member of every tenant.
pub async fn join(store: &Store, tenant: &TenantId, name: &str, roles: &[Role], now: Timestamp) -> MemberId {
    let person = NewMember {
        identity: Identity { provider: ProviderId::platform(), subject: format!("subject-of-{name}") },
        name: name.to_owned(),
        email: Some(format!("{name}@staff.example").parse().unwrap()),
        random: store::random().unwrap(),
    };
    let member = store.member_for(&person).await.unwrap();
    let new = NewMembership { roles: roles.iter().copied().collect(), invited_by: "test".into(), now, until: None };
    store.join_tenant(tenant, &member, &new).await.unwrap();
    member
}

/// A session of a member that began then: the text of its cookie `__Host-desk`.
pub async fn staff_session(store: &Store, member: &MemberId, opened: Timestamp) -> String {
    let cookie = store.open_staff_session(member, DeviceKind::Linux, store::random().unwrap(), opened).await.unwrap();
    cookie.unwrap().as_str().to_owned()
}

/// Has nothing about an account go.
pub fn hold(account: &str) -> Hold {
    let reason = "Streit um die Rechnung".to_owned();
    Hold {
        account: account_id(account),
        ancestors: Vec::new(),
        reason,
        member: MemberId::draw([9; 16]),
        by: "Jonas Reuter".to_owned(),
        at: Timestamp::now(),
    }
}

/// Ends the account's hold, no matter who set it.
pub async fn end_hold(store: &Store, tenant: &TenantId, account: &AccountId) {
    let holds = store.holds(tenant).await.unwrap();
    store.end_hold(tenant, account, holds.own(account).unwrap().at).await.unwrap();
}
