//! One call of one endpoint, as its handler sees it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::str::FromStr;
use std::sync::Arc;

use domain::ids::{AccountId, JobId, MemberId, TenantId};
use domain::network::Reach;
use domain::open_filter::OpenFilter;
use domain::staff::Role;
use edge::{Claims, Code, Problem, Request, SecurityEvent, Signer};
use identity::{Provider, TenantProviders, UserPool};
use jiff::civil::Date;
use jiff::{Timestamp, tz::TimeZone};
use mail::Mailer;
use outbound::crm::CrmClient;
use outbound::ocr::Ocr;
use outbound::queue::Queue;
use outbound::webhook::WebhookClient;
use store::{Access, Audit, Member, Photos, RunFiles, StaffLogin, Store, Tenant};

use grants::Clients;

use crate::error::Result;
use crate::preview::Preview;

/// A request whose caller has been checked. Handlers of what is about no tenant get it as it is.
pub struct Visit {
    pub request: Request,
    /// The time of the request.
    pub now: Timestamp,
    pub(crate) caller: Checked,
    pub(crate) variables: BTreeMap<String, String>,
    pub(crate) clients: Clients,
    pub(crate) preview: Option<Preview>,
}

/// A request that is about a tenant, which is known.
pub struct Call {
    /// The tenant whose portal was called; at the desk that of the path.
    pub tenant: Arc<Tenant>,
    /// What this visitor of the portal sees in place of what is in effect.
    pub(crate) preview: Option<Preview>,
    visit: Visit,
}

impl Deref for Call {
    type Target = Visit;

    fn deref(&self) -> &Visit {
        &self.visit
    }
}

/// What a handler takes as its argument: a call or a visit.
pub(crate) trait Entry: Sized {
    fn enter(visit: Visit, tenant: Option<Arc<Tenant>>) -> Result<Self>;
}

impl Entry for Call {
    fn enter(mut visit: Visit, tenant: Option<Arc<Tenant>>) -> Result<Self> {
        let tenant = tenant.ok_or_else(|| Problem::internal("the route's caller has no tenant"))?;
        let preview = visit.preview.take();
        Ok(Self { tenant, preview, visit })
    }
}

impl Entry for Visit {
    fn enter(visit: Visit, _tenant: Option<Arc<Tenant>>) -> Result<Self> {
        Ok(visit)
    }
}

/// The caller, as checked.
pub(crate) enum Checked {
    /// A caller without a login.
    Nobody,
    /// An account at the portal.
    Account(CheckedCaller),
    /// A member at the desk.
    Member(StaffLogin),
}

/// A caller whose token is valid and, of a sub-account, whose chain of shares still holds.
pub(crate) struct CheckedCaller {
    pub claims: Claims,
    pub access: Access,
}

impl Call {
    /// The tenant's id.
    pub fn tenant_id(&self) -> &TenantId {
        &self.tenant.application.application_id
    }

    /// The tenant's time zone.
    ///
    /// # Errors
    /// `internal-error`; the config was checked when it was applied.
    pub fn time_zone(&self) -> Result<TimeZone> {
        time_zone(&self.tenant)
    }

    /// Today in the tenant's time zone.
    ///
    /// # Errors
    /// As [`Self::time_zone`].
    pub fn today(&self) -> Result<Date> {
        Ok(self.now.to_zoned(self.time_zone()?).date())
    }

    /// The security log's event of this request, and of the account that it is about.
    ///
    /// # Errors
    /// `internal-error` without the grant.
    pub fn event(&self, event: &'static str, account: Option<&AccountId>) -> Result<SecurityEvent> {
        let names = self.clients.pseudonyms()?;
        Ok(SecurityEvent {
            event,
            account: account.map(|account| names.account(self.tenant_id(), account, self.now)),
            network: self.network()?,
        })
    }

    /// Remembers in the audit trail what the member does: `what` in words, such as `desk customer`, about whom, and about what of theirs.
    ///
    /// # Errors
    /// `session-missing` in an endpoint that is not the desk's; `internal-error` without the grants [`grants::NAME_IN_LOG`] and `PutItem`.
    pub async fn keep_audit(&self, what: &str, account: Option<&AccountId>, thing: Option<&str>) -> Result<()> {
        let network = self.network()?;
        let member = Some(&self.member()?.id);
        let audit = Audit { by: self.by()?, command: what, account, member, thing, network: network.as_deref(), ..Audit::default() };
        Ok(self.store()?.keep_audit(self.tenant_id(), audit, self.now).await?)
    }

    /// The same about an account that may be gone: of one that is, only the fingerprint is kept.
    ///
    /// # Errors
    /// As [`Self::keep_audit`]; `internal-error` without the grant `GetItem`.
    pub async fn keep_audit_of_account(&self, what: &str, account: &AccountId) -> Result<()> {
        let network = self.network()?;
        let member = Some(&self.member()?.id);
        let is_gone = self.store()?.account(self.tenant_id(), account).await?.is_none();
        let (by, account) = (self.by()?, Some(account));
        let audit = Audit { by, command: what, account, is_gone, member, network: network.as_deref(), ..Audit::default() };
        Ok(self.store()?.keep_audit(self.tenant_id(), audit, self.now).await?)
    }

    /// The same of what is about many, with the filter of open jobs by which they were chosen.
    ///
    /// # Errors
    /// As [`Self::keep_audit`].
    pub async fn keep_audit_of_many(&self, what: &str, thing: Option<&str>, filter: Option<&OpenFilter>) -> Result<()> {
        let network = self.network()?;
        let member = Some(&self.member()?.id);
        let audit = Audit { by: self.by()?, command: what, member, thing, filter, network: network.as_deref(), ..Audit::default() };
        Ok(self.store()?.keep_audit(self.tenant_id(), audit, self.now).await?)
    }

    /// The same of what is about a job, with whose it is.
    ///
    /// # Errors
    /// As [`Self::keep_audit`].
    pub async fn keep_audit_of_job(&self, what: &str, job: &JobId) -> Result<()> {
        let found = self.store()?.job_by_id(self.tenant_id(), job).await?;
        self.keep_audit(what, found.as_ref().map(|job| &job.account_id), Some(job.as_str())).await
    }

    /// The same of a call that shows several at a time and is repeated often, such as a search while a member types: one entry a minute.
    ///
    /// # Errors
    /// As [`Self::keep_audit`].
    pub async fn keep_audit_of_minute(&self, what: &str) -> Result<()> {
        let network = self.network()?;
        let audit =
            Audit { by: self.by()?, command: what, member: Some(&self.member()?.id), network: network.as_deref(), ..Audit::default() };
        Ok(self.store()?.keep_audit_of_minute(self.tenant_id(), audit, self.now).await?)
    }
}

impl Visit {
    /// The caller's account.
    ///
    /// # Errors
    /// `token-missing` in an endpoint that is public.
    pub fn account_id(&self) -> Result<&AccountId> {
        Ok(&self.claims()?.account_id)
    }

    /// The caller's token.
    ///
    /// # Errors
    /// As [`Self::account_id`].
    pub fn claims(&self) -> Result<&Claims> {
        Ok(&self.caller()?.claims)
    }

    /// The account whose jobs the caller sees, with those above it.
    ///
    /// # Errors
    /// As [`Self::account_id`].
    pub fn access(&self) -> Result<&Access> {
        Ok(&self.caller()?.access)
    }

    fn caller(&self) -> Result<&CheckedCaller> {
        match &self.caller {
            Checked::Account(caller) => Ok(caller),
            _ => Err(Code::TokenMissing.into()),
        }
    }

    /// The host names that the deployment is reached under; empty: none are configured.
    pub fn portal_hosts(&self) -> &[String] {
        self.clients.portal_hosts()
    }

    /// Which hosts of the tenant's own a setting may name.
    pub fn reach(&self) -> Reach {
        self.clients.reach()
    }

    /// The member of the staff who calls.
    ///
    /// # Errors
    /// `session-missing` in an endpoint that is not the desk's.
    pub fn member(&self) -> Result<&Member> {
        Ok(&self.staff()?.member)
    }

    /// What the member may do for the tenant of the path.
    ///
    /// # Errors
    /// As [`Self::member`].
    pub fn roles(&self) -> Result<&BTreeSet<Role>> {
        Ok(&self.staff()?.roles)
    }

    /// The roles that the member may give to others: none, for a member who has access for a time only (D-DESK-14).
    ///
    /// # Errors
    /// As [`Self::member`].
    pub fn gives(&self) -> Result<&BTreeSet<Role>> {
        static NONE: BTreeSet<Role> = BTreeSet::new();
        let login = self.staff()?;
        Ok(if login.until.is_some() { &NONE } else { &login.roles })
    }

    /// What the member is called in readings, decisions and the audit trail: the name, else the e-mail address, else the id.
    ///
    /// # Errors
    /// As [`Self::member`].
    pub fn by(&self) -> Result<&str> {
        let Member { id, name, email, .. } = self.member()?;
        let email = || email.as_ref().map_or(id.as_str(), |email| email.as_str());
        Ok(if name.is_empty() { email() } else { name })
    }

    pub(crate) fn staff(&self) -> Result<&StaffLogin> {
        match &self.caller {
            Checked::Member(login) => Ok(login),
            _ => Err(Code::SessionMissing.into()),
        }
    }

    /// The security log's event of this request at the desk, and of the member that it is about.
    ///
    /// # Errors
    /// `internal-error` without the grant.
    pub(crate) fn staff_event(&self, event: &'static str, member: Option<&MemberId>) -> Result<SecurityEvent> {
        let names = self.clients.pseudonyms()?;
        let account = member.map(|member| names.member(member, self.now));
        Ok(SecurityEvent { event, account, network: self.network()? })
    }

    /// Remembers in the audit trails of all of the member's tenants what the member, who is called so, does.
    ///
    /// # Errors
    /// `internal-error` without the grants [`grants::NAME_IN_LOG`] and `PutItem`.
    pub(crate) async fn audit_member(&self, member: &MemberId, by: &str, what: &str) -> Result<()> {
        let network = self.network()?;
        let audit = Audit { by, command: what, member: Some(member), network: network.as_deref(), ..Audit::default() };
        for own in self.store()?.tenants_of_member(member, self.now).await? {
            self.store()?.keep_audit(&own.tenant, audit, self.now).await?;
        }
        Ok(())
    }

    /// Remembers in the audit trail of a tenant, who is not the caller's, what the platform's staff does.
    ///
    /// # Errors
    /// As of [`Call::keep_audit`].
    pub(crate) async fn keep_audit_at(&self, tenant: &TenantId, what: &str, thing: Option<&str>) -> Result<()> {
        let network = self.network()?;
        let audit = Audit {
            by: self.by()?,
            command: what,
            member: Some(&self.member()?.id),
            thing,
            network: network.as_deref(),
            ..Audit::default()
        };
        Ok(self.store()?.keep_audit(tenant, audit, self.now).await?)
    }

    /// The desk's origin, as browsers name it.
    ///
    /// # Errors
    /// `internal-error` without the grant.
    pub(crate) fn desk_origin(&self) -> Result<&str> {
        Ok(self.clients.desk_origin()?)
    }

    /// By whom the desk's members log in.
    ///
    /// # Errors
    /// `internal-error` without the grant.
    pub(crate) fn identity(&self) -> Result<&Arc<Provider>> {
        Ok(self.clients.identity()?)
    }

    /// By whom those of tenants with a provider of their own do.
    ///
    /// # Errors
    /// `internal-error` without the grant.
    pub(crate) fn tenant_providers(&self) -> Result<&TenantProviders> {
        Ok(self.clients.tenant_providers()?)
    }

    /// The platform's own user pool.
    ///
    /// # Errors
    /// `internal-error` without the grant.
    pub(crate) fn user_pool(&self) -> Result<&UserPool> {
        Ok(self.clients.user_pool()?)
    }

    /// The pseudonym of the device's network in the logs.
    ///
    /// # Errors
    /// `internal-error` without the grant.
    pub fn network(&self) -> Result<Option<String>> {
        let names = self.clients.pseudonyms()?;
        Ok(self.request.device_address().map(|address| names.network(address, self.now)))
    }

    /// A variable of the path. Text that can be no such id is a thing that does not exist.
    ///
    /// # Errors
    /// `not-found`.
    pub fn path<T: FromStr>(&self, name: &str) -> Result<T> {
        let text = self.variables.get(name).map(String::as_str).unwrap_or_default();
        text.parse().map_err(|_| Code::NotFound.into())
    }

    /// The table.
    ///
    /// # Errors
    /// `internal-error` without the grant; the same holds for the other clients.
    pub fn store(&self) -> Result<&Store> {
        Ok(self.clients.store()?)
    }

    /// The photo bucket.
    ///
    /// # Errors
    /// `internal-error` without the grant.
    pub fn photos(&self) -> Result<&Photos> {
        Ok(self.clients.photos()?)
    }

    /// The files of runs.
    ///
    /// # Errors
    /// `internal-error` without the grant.
    pub fn run_files(&self) -> Result<&RunFiles> {
        Ok(self.clients.run_files()?)
    }

    /// The queue whose worker goes on with runs.
    ///
    /// # Errors
    /// `internal-error` without the grant.
    pub fn run_queue(&self) -> Result<&Queue> {
        Ok(self.clients.run_queue()?)
    }

    /// The mail service.
    ///
    /// # Errors
    /// `internal-error` without the grant.
    pub fn mailer(&self) -> Result<&Mailer> {
        Ok(self.clients.mailer()?)
    }

    /// The tenants' own CRMs.
    ///
    /// # Errors
    /// `internal-error` without the grant.
    pub fn crm(&self) -> Result<&CrmClient> {
        Ok(self.clients.crm()?)
    }

    /// The tenants' webhooks.
    ///
    /// # Errors
    /// `internal-error` without the grant.
    pub fn webhook(&self) -> Result<&WebhookClient> {
        Ok(self.clients.webhook()?)
    }

    /// What reads text in photos; none: the deployment does not.
    pub fn ocr(&self) -> Option<&dyn Ocr> {
        self.clients.ocr()
    }

    /// Whether the deployment reads photos.
    pub fn reads_photos(&self) -> bool {
        self.clients.reads_photos()
    }

    /// Makes access tokens.
    ///
    /// # Errors
    /// `internal-error` without the grant.
    pub fn signer(&self) -> Result<&Signer> {
        Ok(self.clients.signer()?)
    }
}

/// The tenant's time zone.
pub(crate) fn time_zone(tenant: &Tenant) -> Result<TimeZone> {
    TimeZone::get(&tenant.application.time_zone).map_err(|error| Problem::internal(error).into())
}
