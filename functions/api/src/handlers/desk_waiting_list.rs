use desk::{at_once, clearing};
use domain::clearing::Doubt;
use domain::ids::{AccountId, SeasonId, TenantId};
use domain::model::MeterType;
use edge::Answer;
use futures::try_join;
use http::StatusCode;
use store::{AnyReading, Waiting, WaitingFilter};

use crate::call::Call;
use crate::error::Result;
use crate::query::word;
use crate::view::desk::{DeskReading, DeskReadingWithoutJob, DeskWaiting, DeskWaitingItem};

/// Readings of one page.
const PAGE: u32 = 25;

/// The readings that wait for a clerk
///
/// The oldest first, and how many there are.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/waiting",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("reason" = Option<Doubt>, Query, description = "For this reason, among others"),
        ("meterType" = Option<MeterType>, Query, description = "Of meters that measure this"),
        ("season" = Option<SeasonId>, Query, description = "Of jobs of this season"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses((status = 200, description = "One page", body = DeskWaiting)),
)]
pub(crate) async fn desk_waiting_list(call: Call) -> Result<Answer> {
    let (store, tenant) = (call.store()?, call.tenant_id());
    let filter = WaitingFilter {
        season: word(&call, "season")?,
        meter_type: word(&call, "meterType")?,
        doubt: word(&call, "reason")?,
        before: None,
    };
    let cursor = call.request.query("cursor");
    let reads =
        async { try_join!(clearing::page(store, tenant, &filter, PAGE, cursor.as_deref()), clearing::count(store, tenant, &filter)) };
    let ((items, next_cursor), count) = at_once(reads).await?;
    call.keep_audit_of_minute("desk waiting list").await?;
    let mut accounts: Vec<_> = items.iter().filter_map(|item| account(item).cloned()).collect();
    accounts.sort();
    accounts.dedup();
    let contacts = store.contacts(tenant, &accounts).await?;
    let items = items.into_iter().map(|item| {
        let account = account(&item).cloned();
        let (reading, without_job) = match &item.reading {
            AnyReading::OfJob(reading) => (Some(DeskReading::waiting(reading)?), None),
            AnyReading::WithoutJob(reading) => (None, Some(DeskReadingWithoutJob::new(reading, None)?)),
        };
        Ok(DeskWaitingItem {
            job: item.reading.ids().0.clone(),
            name: account.as_ref().and_then(|account| contacts.get(account)).map(|contact| contact.name.clone()),
            account,
            season: item.season,
            meter_type: item.meter_type,
            district: item.district,
            reading,
            without_job,
        })
    });
    let items = items.collect::<Result<_>>()?;
    Ok(Answer::json(StatusCode::OK, &DeskWaiting { items, count, next_cursor })?)
}

fn account(item: &Waiting) -> Option<&AccountId> {
    match &item.reading {
        AnyReading::OfJob(reading) => reading.entry.account_id.as_ref(),
        AnyReading::WithoutJob(_) => None,
    }
}
