//! The audit trail.

use domain::audit::Action;
use domain::ids::{AccountId, TenantId};
use domain::search::Search;
use domain::text::Lang;
use jiff::tz::TimeZone;
use store::{AuditFilter, AuditPage, AuditRecord, Store};

use crate::spreadsheet::{begin_table, no_formula};
use crate::{Failure, patiently, recipients};

/// Most lines of a file: some three megabytes, of the six that an answer may have.
const MOST_LINES: usize = 20_000;

/// The account that is meant: by its id, or by the customer number that it has in a job; an id that leads nowhere any more is one of an account that was
/// erased. None: nothing in the trail can be about it.
///
/// # Errors
/// The store's.
pub async fn account(store: &Store, tenant: &TenantId, told: &str) -> Result<Option<AccountId>, Failure> {
    let id: Option<AccountId> = told.parse().ok();
    if let Some(id) = &id
        && patiently(|| store.account(tenant, id)).await?.is_some()
    {
        return Ok(Some(id.clone()));
    }
    let Ok(search) = Search::parse(told) else { return Ok(id) };
    let page = patiently(|| store.find_accounts(tenant, &search, None)).await?;
    let is_it = |number: Option<&String>| number.is_some_and(|number| number == told);
    let found = page.found.into_iter().find(|found| {
        found.job.as_ref().and_then(|job| job.master.customer.as_ref()).is_some_and(|customer| is_it(customer.customer_number.as_ref()))
    });
    Ok(found.map(|found| found.account.id).or(id))
}

/// All of the trail that is wanted as a file, the latest first, one line for each record, with the mark by which a spreadsheet knows UTF-8.
///
/// # Errors
/// [`Failure::TooLong`]: there are more than 20,000; and the store's.
pub async fn csv(store: &Store, tenant: &TenantId, filter: &AuditFilter, zone: &TimeZone) -> Result<String, Failure> {
    let mut writer = begin_table();
    let broken = |error: csv::Error| Failure::Unwritable(error.into());
    writer.write_record(["Zeit", "Wer", "Mitglied", "Was", "Vorgang", "Konto", "Ding", "Auswahl", "Netz"]).map_err(broken)?;
    let (mut lines, mut cursor) = (0, None::<String>);
    loop {
        let AuditPage { records, next_cursor } = patiently(|| store.audit_page(tenant, filter, cursor.as_deref())).await?;
        lines += records.len();
        if lines > MOST_LINES {
            return Err(Failure::TooLong { limit: MOST_LINES });
        }
        for AuditRecord { at, by, command, account, customer, member, thing, filter, network } in records {
            let at = at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string();
            let words = command.parse::<Action>().map_or_else(|_| command.clone(), |action| action.words().of(Lang::De).to_owned());
            let account = customer.map(|customer| customer.to_string()).or(account).unwrap_or_default();
            let member = member.map(|member| member.to_string()).unwrap_or_default();
            let chosen = filter.as_ref().map(recipients::words).unwrap_or_default();
            let cells = [at, by, member, words, command, account, thing.unwrap_or_default(), chosen, network.unwrap_or_default()];
            writer.write_record(cells.iter().map(|cell| no_formula(cell).into_owned())).map_err(broken)?;
        }
        cursor = next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    let bytes = writer.into_inner().map_err(|error| Failure::Unwritable(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
