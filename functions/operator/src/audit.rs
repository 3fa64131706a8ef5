//! What a command leaves behind that touched persons' data, and `zaehlwerk audit`.

use domain::ids::{AccountId, TenantId};
use jiff::Timestamp;
use serde_json::json;
use store::{Audit, Store};

use crate::cli::{Accounts, Clearing, Command, Imports, Invitations, Jobs, Letters, Market, Members, Readings, Reprint, Subject};
use crate::{Failure, Say, Verdict, tell};
use desk::patiently;

/// A command on persons' data.
pub struct Noted {
    tenant: TenantId,
    command: &'static str,
    account: Option<AccountId>,
}

impl Noted {
    /// None: the command reads or changes nothing of a person, or only tries.
    pub fn of(command: &Command) -> Option<Self> {
        let (tenant, command, account) = match command {
            Command::Accounts(Accounts::Import { input, tenant, .. }) if !input.dry_run => (tenant, "accounts import", None),
            Command::Accounts(Accounts::List { tenant, .. }) => (tenant, "accounts list", None),
            Command::Accounts(Accounts::Show { tenant, account }) => (tenant, "accounts show", Some(account)),
            Command::Jobs(Jobs::List { tenant, .. }) => (tenant, "jobs list", None),
            Command::Jobs(Jobs::Show { tenant, .. }) => (tenant, "jobs show", None),
            Command::Jobs(Jobs::Open(open)) => (&open.tenant, "jobs open", None),
            Command::Readings(Readings::List { tenant, .. }) => (tenant, "readings list", None),
            Command::Readings(Readings::Enter(enter)) if !enter.dry_run => (&enter.tenant, "readings enter", None),
            Command::Readings(Readings::Import(import)) if !import.input.dry_run => (&import.tenant, "readings import", None),
            Command::Letters(Letters::Print(print)) => (&print.tenant, "letters print", None),
            Command::Letters(Letters::Reprint(Reprint { tenant, account, accounts, .. })) => {
                let only = if accounts.is_none() && account.len() == 1 { account.first() } else { None };
                (tenant, "letters reprint", only)
            }
            Command::Invitations(Invitations::Send { tenant, dry_run: false, .. }) => (tenant, "invitations send", None),
            Command::Members(Members::Invite(invited)) => (&invited.tenant, "members invite", None),
            Command::Members(Members::Change { tenant, .. }) => (tenant, "members change", None),
            Command::Members(Members::Remove { tenant, .. }) => (tenant, "members remove", None),
            Command::Imports(Imports::Undo { tenant, .. }) => (tenant, "imports undo", None),
            Command::Readings(Readings::Export(export)) => (&export.tenant, "readings export", None),
            Command::Readings(Readings::Mscons { tenant, .. }) => (tenant, "readings mscons", None),
            Command::Market(Market::Resend { tenant, .. }) => (tenant, "market resend", None),
            Command::Subject(Subject::Show { tenant, account }) => (tenant, "subject show", Some(account)),
            Command::Subject(Subject::Erase { tenant, account, .. }) => (tenant, "subject erase", Some(account)),
            Command::Subject(Subject::Replay { tenant, .. }) => (tenant, "subject replay", None),
            Command::Clearing(Clearing::Release { tenant, .. }) => (tenant, "clearing release", None),
            Command::Clearing(Clearing::Reject { tenant, .. }) => (tenant, "clearing reject", None),
            Command::Clearing(Clearing::Undo { tenant, .. }) => (tenant, "clearing undo", None),
            _ => return None,
        };
        Some(Self { tenant: tenant.clone(), command, account: account.cloned() })
    }

    /// Says that it was carried out.
    pub async fn keep(&self, store: &Store, by: &str) -> Result<(), Failure> {
        let now = Timestamp::now();
        let account = self.account.as_ref();
        let is_gone = match account {
            Some(account) => patiently(|| store.account(&self.tenant, account)).await?.is_none(),
            None => false,
        };
        let audit = Audit { by, command: self.command, account, is_gone, ..Audit::default() };
        patiently(|| store.keep_audit(&self.tenant, audit, now)).await?;
        Ok(())
    }
}

/// Prints who did what.
pub async fn list(store: &Store, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    desk::known(store, tenant).await?;
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
