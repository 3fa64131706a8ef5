//! What a command leaves behind that touched persons' data, and `zaehlwerk audit`.

use domain::ids::{AccountId, JobId, TenantId};
use jiff::Timestamp;
use serde_json::json;
use store::{Audit, Store};

use crate::cli::{
    Accounts, Clearing, Command, Imports, Invitations, Jobs, Letters, Market, Members, Readings, Reminders, Subject, Webhook,
};
use crate::{Failure, Say, Verdict, tell};
use desk::patiently;

/// The account or job that a command is about.
pub enum About {
    /// Several, or no account.
    Many,
    Account(AccountId),
    /// The account of this job.
    Job(JobId),
}

/// A command on persons' data. Those that are missing here read or change nothing of a person, only try, or are noted where it comes to the point (D-OPERATIONS-14):
/// imports, login data, an erasure that was confirmed, a reading that was entered.
pub struct Noted {
    tenant: TenantId,
    command: &'static str,
    about: About,
}

impl Noted {
    /// What is noted before it begins: a clerk who stops it has seen or changed persons' data all the same.
    pub fn begun(command: &Command) -> Option<Self> {
        let account = |account: &AccountId| About::Account(account.clone());
        let (tenant, command, about) = match command {
            Command::Accounts(Accounts::List { tenant, .. }) => (tenant, "accounts list", About::Many),
            Command::Accounts(Accounts::Show { tenant, account: shown }) => (tenant, "accounts show", account(shown)),
            Command::Jobs(Jobs::List { tenant, .. }) => (tenant, "jobs list", About::Many),
            Command::Jobs(Jobs::Show { tenant, job }) => (tenant, "jobs show", About::Job(job.clone())),
            Command::Jobs(Jobs::Open(open)) => (&open.tenant, "jobs open", About::Many),
            Command::Readings(Readings::List { tenant, .. }) => (tenant, "readings list", About::Many),
            Command::Readings(Readings::Export(export)) => (&export.tenant, "readings export", About::Many),
            Command::Readings(Readings::Mscons { tenant, .. }) => (tenant, "readings mscons", About::Many),
            Command::Letters(Letters::Print(print)) => (&print.tenant, "letters print", About::Many),
            Command::Invitations(Invitations::Send { tenant, dry_run: false, .. }) => (tenant, "invitations send", About::Many),
            Command::Invitations(Invitations::Send { tenant, .. }) => (tenant, "invitations listed", About::Many),
            Command::Reminders(Reminders::Send { tenant, dry_run: false, .. }) => (tenant, "reminders send", About::Many),
            Command::Reminders(Reminders::Send { tenant, .. }) => (tenant, "reminders listed", About::Many),
            Command::Imports(Imports::Undo { tenant, .. }) => (tenant, "imports undo", About::Many),
            Command::Market(Market::Resend { tenant, .. }) => (tenant, "market resend", About::Many),
            Command::Webhook(Webhook::Retry { tenant, .. }) => (tenant, "webhook retry", About::Many),
            Command::Webhook(Webhook::Discard { tenant, .. }) => (tenant, "webhook discard", About::Many),
            Command::Webhook(Webhook::Test { tenant, .. }) => (tenant, "webhook test", About::Many),
            Command::Subject(Subject::Show { tenant, account: shown }) => (tenant, "subject show", account(shown)),
            Command::Subject(Subject::Holds { tenant }) => (tenant, "subject holds", About::Many),
            Command::Subject(Subject::Replay { tenant, .. }) => (tenant, "subject replay", About::Many),
            Command::Clearing(Clearing::List { tenant, photos: Some(_), .. }) => (tenant, "clearing photos", About::Many),
            Command::Clearing(Clearing::List { tenant, .. }) => (tenant, "clearing list", About::Many),
            _ => return None,
        };
        Some(Self { tenant: tenant.clone(), command, about })
    }

    /// What is noted once it was carried out, because it is done at once or not at all.
    pub fn done(command: &Command) -> Option<Self> {
        let (tenant, command, about) = match command {
            Command::Clearing(Clearing::Release { tenant, job, .. }) => (tenant, "clearing release", About::Job(job.clone())),
            Command::Clearing(Clearing::Reject { tenant, job, .. }) => (tenant, "clearing reject", About::Job(job.clone())),
            Command::Clearing(Clearing::Undo { tenant, job, .. }) => (tenant, "clearing undo", About::Job(job.clone())),
            Command::Members(Members::Invite(invited)) => (&invited.tenant, "members invite", About::Many),
            Command::Members(Members::Change { tenant, .. }) => (tenant, "members change", About::Many),
            Command::Members(Members::Remove { tenant, .. }) => (tenant, "members remove", About::Many),
            _ => return None,
        };
        Some(Self { tenant: tenant.clone(), command, about })
    }

    /// Notes it, unless it was about an account that is not there; of a decision it is only the mail that did not go.
    pub async fn keep_done(&self, store: &Store, by: &str, verdict: Verdict) -> Result<(), Failure> {
        let is_done = verdict == Verdict::Sound || matches!(self.about, About::Job(_));
        if is_done { note(store, &self.tenant, by, self.command, &self.about).await } else { Ok(()) }
    }

    /// Notes it.
    pub async fn keep(&self, store: &Store, by: &str) -> Result<(), Failure> {
        keep(store, &self.tenant, by, self.command, &self.about).await
    }
}

/// Notes what a clerk does, and with whose data.
pub async fn keep(store: &Store, tenant: &TenantId, by: &str, command: &str, about: &About) -> Result<(), Failure> {
    // The command will say so; a name that was mistyped gets no trail.
    if patiently(|| store.tenant(tenant)).await?.is_none() { Ok(()) } else { note(store, tenant, by, command, about).await }
}

async fn note(store: &Store, tenant: &TenantId, by: &str, command: &str, about: &About) -> Result<(), Failure> {
    let (account, thing, is_gone) = match about {
        About::Many => (None, None, false),
        About::Account(id) => (Some(id.clone()), None, patiently(|| store.account(tenant, id)).await?.is_none()),
        About::Job(job) => (patiently(|| store.job_by_id(tenant, job)).await?.map(|found| found.account_id), Some(job.as_str()), false),
    };
    let audit = Audit { by, command, account: account.as_ref(), is_gone, thing, ..Audit::default() };
    patiently(|| store.keep_audit(tenant, audit, Timestamp::now())).await?;
    Ok(())
}

/// Prints who did what.
pub async fn list(store: &Store, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    if *tenant != TenantId::platform() {
        desk::known(store, tenant).await?;
    }
    let records = store.audit(tenant).await?;
    if say.is_json() {
        tell(json!({ "tenant": tenant, "commands": records }))?;
    } else {
        for record in records {
            tell(json!(record))?;
        }
    }
    Ok(Verdict::Sound)
}
