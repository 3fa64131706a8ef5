//! Having runs gone on with.

use desk::runs::{self, Wake};
use desk::{Failure, at_once, seasons};
use domain::ids::{RunId, SeasonId};
use domain::job_check::MAX_TEXT;
use domain::open_filter::OpenFilter;
use edge::{Answer, Code, FieldError, Problem};
use http::StatusCode;
use jiff::Timestamp;
use store::{NewRun, Run, RunState, RunTask, StoreError};

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::{DeskRun, files_until};

/// Most runs that are looked at.
pub(crate) const MOST_RUNS: usize = 60;
/// Most runs on a list.
pub(crate) const LISTED_RUNS: usize = 20;
/// Most characters of the district of a filter.
pub(crate) const LONGEST_DISTRICT: usize = 100;

/// Has something done by a run of this id, or a new one: what was asked for, as the trail names it, and about which thing. To ask for the same again while it
/// goes on starts nothing twice.
///
/// # Errors
/// `conflict` while something else goes on.
pub(crate) async fn start(call: &Call, task: RunTask, id: Option<RunId>, (what, thing): (&str, Option<&str>)) -> Result<Answer> {
    let (store, tenant, member) = (call.store()?, call.tenant_id(), &call.member()?.id);
    let by_id = match &id {
        Some(id) => store.run(tenant, id).await?,
        None => None,
    };
    let same = match by_id {
        Some(same) => Some(same),
        None => runs::same(&store.runs(tenant, MOST_RUNS, |_| true).await?, &task, member, call.now)?.cloned(),
    };
    let run = match same {
        Some(same) => same,
        None => {
            call.keep_audit_of_many(what, thing, task.filter()).await?;
            let id = id.map_or_else(|| runs::new_id(call.now), Ok)?;
            let new = NewRun { id, task, member: Some(member.clone()), by: call.by()?.to_owned(), asked: call.now };
            match store.put_run(tenant, &new).await {
                // Another request was faster.
                Err(StoreError::Conflict) => {}
                put => put?,
            }
            store.run(tenant, &new.id).await?.ok_or(Code::NotFound)?
        }
    };
    let wake = serde_json::to_string(&Wake { tenant: tenant.clone(), run: run.new.id.clone() })?;
    // Without the message the clock finds it within a minute.
    drop(call.run_queue()?.send(tenant.as_str(), &wake).await);
    Ok(Answer::json(StatusCode::ACCEPTED, &DeskRun::new(run, member, call.now))?)
}

/// Has a run that was cancelled wait for a worker again, if it is one: what is noted in the trail, and about which thing.
///
/// # Errors
/// `run-under-way` while something else goes on.
pub(crate) async fn resume(call: &Call, run: &Run, (what, thing): (&str, Option<&str>)) -> Result<()> {
    if run.state != RunState::Cancelled {
        return Ok(());
    }
    let (store, tenant) = (call.store()?, call.tenant_id());
    runs::same(&store.runs(tenant, MOST_RUNS, |_| true).await?, &run.new.task, &call.member()?.id, call.now)?;
    call.keep_audit(what, None, thing).await?;
    store.resume_run(tenant, &run.new.id).await?;
    Ok(())
}

/// Whether a season that was named is one of the tenant's.
///
/// # Errors
/// `request-invalid` when it is none.
pub(crate) async fn known_season(call: &Call, season: Option<&SeasonId>) -> Result<()> {
    let Some(season) = season else { return Ok(()) };
    match at_once(seasons::known(call.store()?, call.tenant_id(), season)).await {
        Err(Failure::Refused(_)) => Err(Problem::invalid_field("season", "must be one of the tenant's seasons").into()),
        known => known.map(drop).map_err(Into::into),
    }
}

/// Whether a filter by which a member chooses is one of the list of open jobs; beside it no season is named, because it has one.
///
/// # Errors
/// `request-invalid` when it is none.
pub(crate) async fn known_filter(call: &Call, filter: Option<&OpenFilter>, season: Option<&SeasonId>) -> Result<()> {
    let Some(filter) = filter else { return known_season(call, season).await };
    if season.is_some() {
        return Err(Problem::invalid_field("season", "stands in the filter").into());
    }
    // One is typed; the other is as long as a job's may be.
    for (field, district, most) in
        [("filter.district", &filter.district, LONGEST_DISTRICT), ("filter.inDistrict", &filter.in_district, MAX_TEXT)]
    {
        if district.as_ref().is_some_and(|district| district.chars().count() > most) {
            return Err(beyond(field, &format!("has at most {most} characters"), most as u64).into());
        }
    }
    if filter.district.as_deref().is_some_and(|district| domain::search::words(district).is_empty()) {
        return Err(Problem::invalid_field("filter.district", "must have a word").into());
    }
    known_season(call, filter.season.as_ref()).await
}

/// It drew letters that can still be handed over or called back.
pub(crate) fn is_undecided(run: &Run, now: Timestamp) -> bool {
    has_letters(run, now) && run.state == RunState::Done && run.letters_end.is_none()
}

/// It drew letters whose files are still there.
pub(crate) fn has_letters(run: &Run, now: Timestamp) -> bool {
    let drawn = run.outcome.as_ref().and_then(|outcome| outcome.letters.as_ref());
    matches!(run.new.task, RunTask::Letters(_)) && drawn.is_some_and(|drawn| drawn.letters > 0) && files_until(run.new.asked) > now
}

/// A problem with a field that has a limit.
pub(crate) fn beyond(field: &str, rule: &str, limit: u64) -> Problem {
    let mut error = FieldError::new(field, rule);
    error.limit = Some(limit.to_string());
    Problem::new(Code::RequestInvalid).with_fields(vec![error])
}
