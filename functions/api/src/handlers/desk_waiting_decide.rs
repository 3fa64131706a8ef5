use desk::at_once;
use desk::clearing::{Outcome, Told};
use domain::ids::TenantId;
use edge::{Answer, Problem};
use futures::{StreamExt as _, stream};
use http::StatusCode;

use super::desk_decision_create::carry_out;
use crate::call::Call;
use crate::desk_entry::short;
use crate::error::{Error, Result};
use crate::view::desk::{DeskDecision, DeskDecisionKind, DeskOutcomeOfOne, DeskSeen, DeskSeveral, DeskSeveralAnswer, DeskSeveralKind};

/// Readings that are decided about at the same time.
const AT_ONCE: usize = 8;

/// A clerk's decision about several readings
///
/// Each on the version that they saw, and each for itself: those that others decided about meanwhile stay as they are, and the answer says so. The
/// same call once more changes nothing.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/waiting/decisions",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskSeveral,
    responses((status = 200, description = "What became of each", body = DeskSeveralAnswer)),
)]
pub(crate) async fn desk_waiting_decide(call: Call) -> Result<Answer> {
    let sent: DeskSeveral = call.request.json()?;
    let kind = match sent.kind {
        DeskSeveralKind::Release => DeskDecisionKind::Release,
        DeskSeveralKind::Reject => DeskDecisionKind::Reject,
        DeskSeveralKind::Aside => DeskDecisionKind::Aside,
    };
    let (reason, note) = (short("reason", &sent.reason)?, short("note", &sent.note)?);
    if kind == DeskDecisionKind::Reject && reason.is_none() {
        return Err(Problem::invalid_field("reason", "say why, in words for the customers").into());
    }
    if kind == DeskDecisionKind::Aside && note.is_none() {
        return Err(Problem::invalid_field("note", "say what has to be found out").into());
    }
    let mut decisions = Vec::with_capacity(sent.items.len());
    for seen in &sent.items {
        decisions.push(decide(&call, seen, DeskDecision::about(kind, &seen.version, &reason, &note)));
    }
    let decided: Vec<_> = at_once(stream::iter(decisions).buffered(AT_ONCE).collect()).await;
    let items = decided.into_iter().collect::<Result<_>>()?;
    Ok(Answer::json(StatusCode::OK, &DeskSeveralAnswer { items })?)
}

/// An error is ours: the call may be repeated.
async fn decide(call: &Call, seen: &DeskSeen, decision: DeskDecision) -> Result<DeskOutcomeOfOne> {
    let DeskSeen { job, reading, .. } = seen.clone();
    let problem = match carry_out(call, (&job, &reading), &decision, false).await {
        Ok(outcome) => {
            let mailed = matches!(outcome, Outcome::Decided { told: Told::Mailed, .. });
            return Ok(DeskOutcomeOfOne { job, reading, mailed, code: None, detail: None, decision: None });
        }
        Err(error) => Problem::from(error),
    };
    if problem.code().status().is_server_error() {
        return Err(Error::from(problem));
    }
    let body = problem.body("");
    Ok(DeskOutcomeOfOne { job, reading, mailed: false, code: Some(body.code), detail: Some(body.detail), decision: body.decision })
}
