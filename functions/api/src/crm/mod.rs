//! Digital communication: who takes part in it, and receipts. Each tenant has one of two adapters behind the same port.

mod builtin;
mod http;

use domain::config::CrmAdapter;
use domain::email::EmailAddress;
use domain::ids::{AccountId, JobId};
use jiff::Timestamp;
use mail::ReadMeter;
use runtime::BoxFuture;
use store::Registration;

use crate::call::Call;
use crate::error::Result;

pub(crate) use builtin::Builtin;

/// What the portal is told of an account's registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RegistrationState {
    /// The account takes part.
    pub registered: bool,
    /// E-mail is confirmed.
    pub email_confirmed: bool,
    /// The token of the registration's page.
    pub self_service_token: Option<String>,
    /// Address of the registration pages.
    pub registration_url: Option<String>,
}

/// A job whose readings are receipted.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReceiptedJob {
    pub id: JobId,
    /// The time of its last reading.
    pub read: Timestamp,
    /// The meter with its readings.
    pub meter: ReadMeter,
}

/// Receipts that an account asks for.
pub(crate) struct ReceiptOrder<'a> {
    pub account: &'a AccountId,
    /// The built-in registration, if there is one.
    pub registration: Option<&'a Registration>,
    /// The jobs, oldest reading first.
    pub jobs: &'a [ReceiptedJob],
    /// The key of the receipt, under which it is sent once.
    pub key: &'a str,
}

/// The receipt that a visitor asks for.
pub(crate) struct VisitorReceiptOrder<'a> {
    /// What stands for the visitor at the reading.
    pub sender: &'a AccountId,
    /// The reading.
    pub id: &'a JobId,
    pub meter: &'a ReadMeter,
    /// The address that it goes to, which is not confirmed.
    pub to: &'a EmailAddress,
    /// The visitor's language.
    pub language: Option<&'a str>,
}

/// The port.
pub(crate) trait Crm: Send + Sync {
    /// The registration of an account.
    fn registration<'a>(&'a self, account: &'a AccountId) -> BoxFuture<'a, Result<RegistrationState>>;

    /// Sends receipts; `registration-missing` when the account has not confirmed an address.
    fn send_receipts<'a>(&'a self, order: ReceiptOrder<'a>) -> BoxFuture<'a, Result<()>>;

    /// Sends the receipt of a reading without a job; `receipt-blocked` when it went to another address.
    fn send_visitor_receipt<'a>(&'a self, order: VisitorReceiptOrder<'a>) -> BoxFuture<'a, Result<()>>;
}

/// The tenant's CRM.
pub(crate) fn of(call: &Call) -> Result<Box<dyn Crm + '_>> {
    Ok(match &call.tenant.application.crm {
        CrmAdapter::Builtin => Box::new(Builtin::new(call)),
        CrmAdapter::Http { base_url, credentials_parameter } => Box::new(http::Http::new(call, base_url, credentials_parameter)?),
    })
}
