use domain::ids::{AccountId, TenantId};
use edge::{Answer, Code, Problem};
use store::{LettersTask, RunState, RunTask};

use crate::call::Call;
use crate::error::Result;
use crate::runs::{MOST_RUNS, beyond, known_filter, start};
use crate::view::desk::{DeskLettersRequest, DeskRun, files_until};

/// Most accounts of a list, so that the run fits into its item.
const MOST_ACCOUNTS: u64 = 1000;

/// Letters to customers with open jobs
///
/// Their login data do not work before they are handed over. `conflict` as long as letters that were drawn before are neither handed over nor called back.
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
    let runs = call.store()?.runs(call.tenant_id(), MOST_RUNS).await?;
    let is_undecided = runs.iter().any(|run| {
        let has_letters = run.outcome.as_ref().and_then(|outcome| outcome.letters.as_ref()).is_some_and(|drawn| drawn.letters > 0);
        let is_drawn = matches!(run.new.task, RunTask::Letters(_)) && run.state == RunState::Done && has_letters;
        is_drawn && run.letters_end.is_none() && files_until(run.new.asked) > call.now
    });
    if is_undecided {
        return Err(Code::Conflict.into());
    }
    start(&call, RunTask::Letters(task), None, ("desk letters drawn", None)).await
}
