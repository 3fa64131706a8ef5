use domain::ids::{AccountId, TenantId};
use edge::{Answer, Code, Problem};
use store::{LettersTask, RunTask};

use crate::call::Call;
use crate::error::Result;
use crate::runs::{beyond, is_undecided, known_filter, start};
use crate::view::desk::{DeskLettersRequest, DeskRun};

/// Most accounts of a list, so that the run fits into its item.
const MOST_ACCOUNTS: u64 = 1000;

/// Letters to customers with open jobs
///
/// Their login data do not work before they are handed over. `conflict` as long as letters that were drawn before are neither handed over nor called back
/// and their files are there.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/letters",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskLettersRequest,
    responses((status = 202, description = "It goes on", body = DeskRun)),
)]
pub(crate) async fn desk_letter_create(call: Call) -> Result<Answer> {
    let DeskLettersRequest { trial, season, filter, only_without_mail, accounts, reply_cards, lang } = call.request.json()?;
    let accounts: Result<Vec<AccountId>, _> = accounts.into_iter().map(AccountId::new).collect();
    let mut accounts = accounts.map_err(|_| Problem::invalid_field("accounts", "has something that is no account"))?;
    accounts.sort();
    accounts.dedup();
    if accounts.len() as u64 > MOST_ACCOUNTS {
        return Err(beyond("accounts", "has at most 1,000 accounts", MOST_ACCOUNTS).into());
    }
    if filter.is_some() && !accounts.is_empty() {
        return Err(Problem::invalid_field("accounts", "are not named beside a filter").into());
    }
    known_filter(&call, filter.as_ref(), season.as_ref()).await?;
    let season = filter.as_ref().map_or(season, |filter| filter.season.clone());
    let task = LettersTask { season, filter, only_without_mail, accounts, reply_cards, lang };
    if trial {
        return start(&call, RunTask::DueLetters(task), None, ("desk letters listed", None)).await;
    }
    if !call.store()?.runs(call.tenant_id(), 1, |run| is_undecided(run, call.now)).await?.is_empty() {
        return Err(Code::Conflict.into());
    }
    start(&call, RunTask::Letters(task), None, ("desk letters drawn", None)).await
}
