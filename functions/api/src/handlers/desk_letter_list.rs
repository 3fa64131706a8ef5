use std::collections::BTreeSet;

use desk::invitations;
use domain::ids::TenantId;
use edge::Answer;
use http::StatusCode;
use store::{Run, RunState, RunTask};

use crate::call::Call;
use crate::error::Result;
use crate::runs::{LISTED_RUNS, has_letters, is_undecided};
use crate::view::desk::{DeskLetters, DeskRun};

/// Letters and invitations
///
/// What was asked for at the desk lately, and the seasons that they can be about.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/letters",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 200, description = "The letters", body = DeskLetters)),
)]
pub(crate) async fn desk_letter_list(call: Call) -> Result<Answer> {
    let (store, tenant, member) = (call.store()?, call.tenant_id(), &call.member()?.id);
    let (runs, mut seasons) = tokio::try_join!(store.runs(tenant, usize::MAX, is_about_letters), store.seasons(tenant))?;
    seasons.sort_by_key(|season| std::cmp::Reverse(season.first_day));
    let handed_over = runs.iter().filter(|run| run.state == RunState::Done).filter_map(|run| match &run.new.task {
        RunTask::HandOver { letters, .. } => Some(letters.clone()),
        _ => None,
    });
    let handed_over: BTreeSet<_> = handed_over.collect();
    // Runs of any age: a member has to decide about their letters, or to go on.
    let waits = |run: &Run| {
        let is_half = run.letters_end.as_ref().is_some_and(|end| end.handed_over) && !handed_over.contains(&run.new.id);
        is_undecided(run, call.now) || is_half && has_letters(run, call.now)
    };
    let listed = runs.into_iter().enumerate().filter(|(place, run)| *place < LISTED_RUNS || waits(run));
    Ok(Answer::json(
        StatusCode::OK,
        &DeskLetters {
            no_mails: invitations::in_the_way(&call.tenant.application).map(Into::into),
            seasons: seasons.into_iter().map(Into::into).collect(),
            runs: listed.map(|(_, run)| DeskRun::new(run, member, call.now)).collect(),
        },
    )?)
}

/// It is about letters or invitations, or keeps them from going on.
fn is_about_letters(run: &Run) -> bool {
    let task = &run.new.task;
    let is_letter = matches!(task, RunTask::DueLetters(_) | RunTask::Letters(_) | RunTask::HandOver { .. });
    run.state == RunState::Open || is_letter || matches!(task, RunTask::DueInvitations { .. } | RunTask::Invitations { .. })
}
