//! Who looked at and changed what.

use domain::ids::{AccountId, MemberId, TenantId};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use store::{AuditPage, AuditRecord, Store, fingerprint};

use crate::spreadsheet::no_formula;
use crate::{Failure, patiently};

/// Queries of one page of a list that is narrowed.
const QUERIES: usize = 10;
/// Most lines of a file.
const MOST_LINES: usize = 20_000;

/// What is wanted of the trail; what is not said does not matter.
#[derive(Debug, Clone)]
pub struct AuditFilter {
    /// From this moment on.
    pub since: Timestamp,
    /// Before this one.
    pub until: Timestamp,
    /// About this account.
    pub account: Option<AccountId>,
    /// By this member.
    pub member: Option<MemberId>,
    /// What was done, such as `desk customer`.
    pub action: Option<String>,
}

/// Some of the trail, by time; may be none although there are more pages.
///
/// # Errors
/// The store's.
pub async fn page(store: &Store, tenant: &TenantId, filter: &AuditFilter, cursor: Option<&str>) -> Result<AuditPage, Failure> {
    let account = filter.account.as_ref().map(|account| fingerprint(tenant, account));
    let is_wanted = |record: &AuditRecord| {
        account.as_ref().is_none_or(|account| record.account.as_ref() == Some(account))
            && filter.member.as_ref().is_none_or(|member| record.member.as_ref() == Some(member))
            && filter.action.as_ref().is_none_or(|action| record.command == *action)
    };
    let (mut records, mut cursor) = (Vec::new(), cursor.map(str::to_owned));
    for _ in 0..QUERIES {
        let page = patiently(|| store.audit_page(tenant, filter.since, filter.until, cursor.as_deref())).await?;
        records.extend(page.records.into_iter().filter(is_wanted));
        cursor = page.next_cursor;
        if cursor.is_none() || !records.is_empty() {
            break;
        }
    }
    Ok(AuditPage { records, next_cursor: cursor })
}

/// The same as a file: one line for each record, at most 20,000, with the mark by which a spreadsheet knows UTF-8.
///
/// # Errors
/// The store's.
pub async fn csv(store: &Store, tenant: &TenantId, filter: &AuditFilter, zone: &TimeZone) -> Result<String, Failure> {
    let mut writer = csv::WriterBuilder::new().delimiter(b';').terminator(csv::Terminator::CRLF).from_writer(vec![0xef, 0xbb, 0xbf]);
    let broken = |error: csv::Error| Failure::Unwritable(error.into());
    writer.write_record(["Zeit", "Wer", "Mitglied", "Was", "Konto", "Ding", "Netz"]).map_err(broken)?;
    let (mut lines, mut cursor) = (0, None::<String>);
    loop {
        let AuditPage { records, next_cursor } = page(store, tenant, filter, cursor.as_deref()).await?;
        for record in records.iter().take(MOST_LINES - lines) {
            let AuditRecord { at, by, command, account, member, thing, network } = record;
            let at = at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string();
            let of = |text: &Option<String>| text.clone().unwrap_or_default();
            let member = member.as_ref().map(ToString::to_string).unwrap_or_default();
            let cells = [at, by.clone(), member, command.clone(), of(account), of(thing), of(network)];
            writer.write_record(cells.iter().map(|cell| no_formula(cell).into_owned())).map_err(broken)?;
        }
        lines = (lines + records.len()).min(MOST_LINES);
        cursor = next_cursor;
        if cursor.is_none() || lines == MOST_LINES {
            break;
        }
    }
    let bytes = writer.into_inner().map_err(|error| Failure::Unwritable(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
