use desk::at_once;
use desk::clearing::{self, About, CorrectedValue, Decision, Told, Undecided};
use domain::ids::{JobId, TenantId};
use domain::text::Lang;
use edge::{Answer, Code, Problem};
use http::StatusCode;
use store::{Clearing, Exchange};

use crate::call::Call;
use crate::desk_entry::{short, value_problem};
use crate::error::{Error, Result};
use crate::view::desk::{DeskDecision, DeskDecisionAnswer, DeskDecisionKind, DeskMade};

/// A clerk's decision about a reading
///
/// On the version that they saw: of two who decide about the same, the second is told who decided what, and when.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/jobs/{job}/readings/{reading}/decision",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("job" = JobId, Path, description = "The job"),
        ("reading" = String, Path, description = "The reading's id"),
    ),
    request_body = DeskDecision,
    responses((status = 200, description = "Decided", body = DeskDecisionAnswer)),
)]
pub(crate) async fn desk_decision_create(call: Call) -> Result<Answer> {
    let (job, reading): (JobId, String) = (call.path("job")?, call.path("reading")?);
    let sent: DeskDecision = call.request.json()?;
    let about = About { job: &job, reading: &reading, version: Some(&sent.version) };
    let (store, tenant, by) = (call.store()?, call.tenant_id(), call.by()?);
    let (what, decision) = match sent.kind {
        DeskDecisionKind::Release => ("desk release", Decision::Release(None)),
        DeskDecisionKind::Reject => {
            let reason = short("reason", &sent.reason)?;
            ("desk reject", Decision::Reject(reason.ok_or_else(|| Problem::invalid_field("reason", "say why, in words for the customer"))?))
        }
        DeskDecisionKind::Exchange => ("desk exchange", Decision::Release(Some(exchange(&sent)?))),
        DeskDecisionKind::Correct => {
            let value = sent.value.clone().ok_or_else(|| Problem::invalid_field("value", "say which counter is right"))?;
            let corrected = CorrectedValue { value, reason: short("reason", &sent.reason)?, confirmed: sent.confirmed };
            ("desk correct", Decision::Correct(corrected))
        }
        DeskDecisionKind::Aside => {
            let note = short("note", &sent.note)?;
            let put = clearing::put_aside(store, tenant, about, note.as_deref(), by, call.now);
            at_once(put).await.map_err(|undecided| problem(undecided, about))?;
            call.keep_audit("desk aside", None, Some(job.as_str())).await?;
            return Ok(Answer::json(StatusCode::OK, &DeskDecisionAnswer { mailed: false })?);
        }
    };
    let told = at_once(clearing::decide(store, tenant, about, decision, (by, call.mailer()?), call.now)).await;
    let told = told.map_err(|undecided| problem(undecided, about))?;
    call.keep_audit(what, None, Some(job.as_str())).await?;
    Ok(Answer::json(StatusCode::OK, &DeskDecisionAnswer { mailed: told == Told::Mailed })?)
}

fn exchange(sent: &DeskDecision) -> Result<Exchange> {
    let named = sent.exchange.as_ref().ok_or_else(|| Problem::invalid_field("exchange", "say when, and both counters"))?;
    Ok(Exchange {
        day: named.day,
        time: None,
        new_number: short("exchange.newNumber", &named.new_number)?,
        transaction: None,
        final_value: named.final_value.clone(),
        initial_value: named.initial_value.clone(),
    })
}

fn problem(undecided: Undecided, about: About<'_>) -> Error {
    let detail = undecided.text(about);
    let detail = detail.of(Lang::En);
    match undecided {
        Undecided::Failed(failure) => failure.into(),
        Undecided::Unknown | Undecided::Several | Undecided::Gone => Code::NotFound.into(),
        Undecided::Overtaken(clearing) => overtaken(clearing.as_deref(), detail).into(),
        Undecided::ExchangedAfter { .. } => Problem::invalid_field("exchange.day", detail).into(),
        Undecided::SameNumber => Problem::invalid_field("exchange.newNumber", detail).into(),
        Undecided::Misread(remarks) => value_problem(Code::ReadingInvalid, &remarks).into(),
        Undecided::Unconfirmed(remarks) => value_problem(Code::ConfirmationRequired, &remarks).into(),
    }
}

fn overtaken(clearing: Option<&Clearing>, detail: &str) -> Problem {
    let problem = Problem::new(Code::DecidedAlready).with_detail(detail);
    match clearing.map(|clearing| serde_json::to_value(DeskMade::new(clearing, None))) {
        Some(Ok(made)) => problem.with_decision(made),
        _ => problem,
    }
}
