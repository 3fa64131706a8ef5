//! Who is logged in, and for how long.

use domain::ids::TenantId;
use edge::{Code, Problem};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use store::Account;

use crate::call::Call;
use crate::error::store_problem;

/// The application named in a login must be that of the portal. The answer is the same for another tenant's and for none.
pub(crate) fn check_application(call: &Call, application: &TenantId) -> Result<(), Problem> {
    if application == call.tenant_id() {
        return Ok(());
    }
    Err(Problem::invalid_field("applicationId", "is not the application of this portal"))
}

/// The caller's account, if it still exists and has not ended.
pub(crate) async fn current_account(call: &Call) -> Result<Account, Problem> {
    let account = call.store()?.account(call.tenant_id(), call.account_id()?).await.map_err(store_problem)?;
    let zone = call.time_zone()?;
    account.filter(|account| !has_ended(account, call.now, &zone)).ok_or_else(|| Problem::new(Code::TokenInvalid))
}

/// Whether the account's last day is over.
pub(crate) fn has_ended(account: &Account, now: Timestamp, zone: &TimeZone) -> bool {
    end(account.valid_until, zone).is_some_and(|end| end <= now)
}

/// The moment at which an account's last day is over.
pub(crate) fn end(valid_until: Option<Date>, zone: &TimeZone) -> Option<Timestamp> {
    Some(valid_until?.tomorrow().ok()?.to_zoned(zone.clone()).ok()?.timestamp())
}
