//! One call of one endpoint, as its handler sees it.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

use domain::ids::{AccountId, TenantId};
use edge::{Claims, Code, Problem, Request, SecurityEvent, Signer};
use jiff::civil::Date;
use jiff::{Timestamp, tz::TimeZone};
use mail::Mailer;
use outbound::crm::CrmClient;
use outbound::ocr::Ocr;
use store::{Access, Photos, Store, Tenant};

use grants::Clients;

use crate::error::Result;

/// A request whose tenant is known and whose caller has been checked.
pub struct Call {
    pub request: Request,
    /// The tenant whose portal was called.
    pub tenant: Arc<Tenant>,
    /// When the request came in.
    pub now: Timestamp,
    pub(crate) caller: Option<CheckedCaller>,
    pub(crate) variables: BTreeMap<String, String>,
    pub(crate) clients: Clients,
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

    /// Whose jobs the caller sees.
    ///
    /// # Errors
    /// As [`Self::account_id`].
    pub fn access(&self) -> Result<&Access> {
        Ok(&self.caller()?.access)
    }

    fn caller(&self) -> Result<&CheckedCaller> {
        self.caller.as_ref().ok_or(Code::TokenMissing.into())
    }

    /// A variable of the path. Text that can be no such id is a thing that does not exist.
    ///
    /// # Errors
    /// `not-found`.
    pub fn path<T: FromStr>(&self, name: &str) -> Result<T> {
        let text = self.variables.get(name).map(String::as_str).unwrap_or_default();
        text.parse().map_err(|_| Code::NotFound.into())
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

    /// What reads text in photos; none: the deployment does not.
    pub fn ocr(&self) -> Option<&dyn Ocr> {
        self.clients.ocr()
    }

    /// Whether the deployment reads photos.
    pub fn reads_photos(&self) -> bool {
        self.clients.reads_photos()
    }

    /// What the security log says of this request and of whoever it is about.
    ///
    /// # Errors
    /// `internal-error` without the grant.
    pub fn event(&self, event: &'static str, account: Option<&AccountId>) -> Result<SecurityEvent> {
        let names = self.clients.pseudonyms()?;
        Ok(SecurityEvent {
            event,
            account: account.map(|account| names.account(self.tenant_id(), account, self.now)),
            network: self.request.device_address().map(|address| names.network(address, self.now)),
        })
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
