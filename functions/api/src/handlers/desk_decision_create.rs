use desk::clearing::{self, About, By, CorrectedValue, Decision, Outcome, Told, Undecided};
use desk::entry::{self, Desk, ENTERED_BEFORE, Remark};
use desk::without_job::{AboutWithoutJob, ToJob};
use desk::{at_once, without_job};
use domain::ids::{JobId, TenantId};
use domain::text::Lang;
use edge::{Answer, Code, Problem};
use http::StatusCode;
use jiff::Timestamp;
use store::{Clearing, Exchange, is_without_job};

use crate::call::Call;
use crate::desk_entry::{decision_problem, short};
use crate::error::{Error, Result};
use crate::view::desk::{DeskDecision, DeskDecisionAnswer, DeskDecisionKind, DeskMade};

/// A clerk's decision about a reading
///
/// On the version that they saw: of two who decide about the same, the second is told who decided what, and when. Of a reading without a job, its id stands for the job's
/// and the reading's.
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
    let outcome = at_once(carry_out(&call, (&job, &reading), &sent, true)).await?;
    let (mailed, proposed, at) = match outcome {
        Outcome::Decided { told, at } => (told == Told::Mailed, false, at),
        Outcome::Proposed { at } => (false, true, at),
    };
    Ok(Answer::json(StatusCode::OK, &DeskDecisionAnswer { mailed, proposed, at })?)
}

/// Decides as it is wished, and puts it in the trail; what needs a look at it alone only `singly`.
pub(crate) async fn carry_out(call: &Call, (job, reading): (&JobId, &str), sent: &DeskDecision, singly: bool) -> Result<Outcome> {
    if is_without_job(job) {
        let (told, at) = without_a_job(call, job, sent).await?;
        return Ok(Outcome::Decided { told, at });
    }
    let about = About { job, reading, version: Some(&sent.version) };
    let (store, tenant, name) = (call.store()?, call.tenant_id(), call.by()?);
    let (what, decision) = match sent.kind {
        DeskDecisionKind::Release => ("desk release", Decision::Release { exchange: None, confirmed: false }),
        DeskDecisionKind::Reject => ("desk reject", Decision::Reject(words(sent)?)),
        DeskDecisionKind::Exchange => ("desk exchange", Decision::Release { exchange: Some(exchange(sent)?), confirmed: sent.confirmed }),
        DeskDecisionKind::Correct => {
            let value = sent.value.clone().ok_or_else(|| Problem::invalid_field("value", "say which counter is right"))?;
            let corrected = CorrectedValue { value, reason: short("reason", &sent.reason)?, confirmed: sent.confirmed };
            ("desk correct", Decision::Correct(corrected))
        }
        DeskDecisionKind::Agree => ("desk agree", Decision::Agree),
        // Only what has none goes to a job.
        DeskDecisionKind::Assign => return Err(Code::NotFound.into()),
        DeskDecisionKind::Aside => {
            let note = short("note", &sent.note)?;
            let put = clearing::put_aside(store, tenant, about, note.as_deref(), name, call.now).await;
            let at = put.map_err(|undecided| problem(undecided, about, sent.lang))?;
            call.keep_audit_of_job("desk aside", job).await?;
            return Ok(Outcome::Decided { told: Told::Nobody, at });
        }
    };
    let by = By { name, member: Some(&call.member()?.id), singly };
    let outcome = clearing::decide(store, tenant, about, decision, (by, call.mailer()?), call.now).await;
    let outcome = outcome.map_err(|undecided| problem(undecided, about, sent.lang))?;
    call.keep_audit_of_job(if matches!(outcome, Outcome::Proposed { .. }) { "desk propose" } else { what }, job).await?;
    Ok(outcome)
}

/// What the sender is told, and when it was decided.
async fn without_a_job(call: &Call, reading: &JobId, sent: &DeskDecision) -> Result<(Told, Timestamp)> {
    let (store, tenant, name) = (call.store()?, call.tenant_id(), call.by()?);
    let about = About { job: reading, reading: reading.as_str(), version: Some(&sent.version) };
    let which = AboutWithoutJob { reading, version: &sent.version };
    let by = By { name, member: Some(&call.member()?.id), singly: true };
    let refused = |undecided| problem(undecided, about, sent.lang);
    match sent.kind {
        DeskDecisionKind::Assign => {
            let to = to_job(sent)?;
            let desk = Desk::of(store, tenant).await?;
            let (stored, at) = without_job::assign(&desk, call.photos()?, which, &to, by, call.now).await.map_err(refused)?;
            call.keep_audit("desk assign", Some(&stored.job.account_id), Some(reading.as_str())).await?;
            entry::receipt(&desk, call.mailer()?, &stored, call.now).await?;
            Ok((Told::Nobody, at))
        }
        DeskDecisionKind::Reject => {
            let words = words(sent)?;
            let refuse = without_job::refuse(store, tenant, which, &words, (by, call.mailer()?), call.now);
            let told = refuse.await.map_err(refused)?;
            call.keep_audit("desk reject", None, Some(reading.as_str())).await?;
            Ok(told)
        }
        DeskDecisionKind::Aside => {
            let note = short("note", &sent.note)?;
            let at = without_job::put_aside(store, tenant, which, note.as_deref(), name, call.now).await.map_err(refused)?;
            call.keep_audit("desk aside", None, Some(reading.as_str())).await?;
            Ok((Told::Nobody, at))
        }
        DeskDecisionKind::Release | DeskDecisionKind::Exchange | DeskDecisionKind::Correct | DeskDecisionKind::Agree => {
            Err(Problem::invalid_field("kind", "the reading has no job: assign or reject it").into())
        }
    }
}

fn words(sent: &DeskDecision) -> Result<String> {
    let reason = short("reason", &sent.reason)?;
    Ok(reason.ok_or_else(|| Problem::invalid_field("reason", "say why, in words for the customer"))?)
}

fn to_job(sent: &DeskDecision) -> Result<ToJob> {
    let job = sent.job.clone().ok_or_else(|| Problem::invalid_field("job", "say to which job"))?;
    let why = short("reason", &sent.reason)?;
    let confirmed = match (sent.confirmed, why) {
        (true, None) => return Err(Problem::invalid_field("reason", "say why the value is right").into()),
        (true, why) => why,
        (false, _) => None,
    };
    let (register, late) = (short("register", &sent.register)?, short("late", &sent.late)?);
    Ok(ToJob { job, register, confirmed, late, replaces: sent.replaces.clone(), lower_reason: sent.lower_reason })
}

fn exchange(sent: &DeskDecision) -> Result<Exchange> {
    let named = sent.exchange.as_ref().ok_or_else(|| Problem::invalid_field("exchange", "say when, and both counters"))?;
    Ok(Exchange {
        day: named.day,
        time: None,
        new_number: short("exchange.newNumber", &named.new_number)?,
        old_number: short("exchange.oldNumber", &named.old_number)?,
        transaction: None,
        final_value: named.final_value.clone(),
        initial_value: named.initial_value.clone(),
    })
}

fn problem(undecided: Undecided, about: About<'_>, lang: Lang) -> Error {
    let detail = undecided.text(about);
    let detail = detail.of(lang);
    match undecided {
        Undecided::Failed(failure) => failure.into(),
        Undecided::Unknown | Undecided::Several | Undecided::Gone => Code::NotFound.into(),
        Undecided::JobClosed => Code::JobClosed.into(),
        Undecided::Overtaken(clearing) => overtaken(clearing.as_deref(), detail).into(),
        Undecided::OwnProposal | Undecided::NeedsSecond => Problem::new(Code::SecondMemberNeeded).with_detail(detail).into(),
        Undecided::ExchangedAfter { .. } | Undecided::ExchangedLongAgo { .. } => Problem::invalid_field("exchange.day", detail).into(),
        Undecided::ExchangeReported => Problem::invalid_field("kind", detail).into(),
        Undecided::SameNumber => Problem::invalid_field("exchange.newNumber", detail).into(),
        Undecided::NotOldNumber => Problem::invalid_field("exchange.oldNumber", detail).into(),
        Undecided::Misread(remarks) => {
            let code = match () {
                () if remarks.iter().all(|remark| remark.code == ENTERED_BEFORE) => Code::EnteredBefore,
                () if remarks.iter().all(Remark::is_of_another) => Code::ReadAlready,
                () => Code::ReadingInvalid,
            };
            decision_problem(code, &remarks, lang).into()
        }
        Undecided::Unconfirmed(remarks) => decision_problem(Code::ConfirmationRequired, &remarks, lang).into(),
    }
}

/// Tells who decided what.
pub(super) fn overtaken(clearing: Option<&Clearing>, detail: &str) -> Problem {
    let problem = Problem::new(Code::DecidedAlready).with_detail(detail);
    // No problem repeats ids that the caller sent.
    let made = |clearing| DeskMade { assigned_to: None, ..DeskMade::new(clearing, None) };
    match clearing.map(|clearing| serde_json::to_value(made(clearing))) {
        Some(Ok(made)) => problem.with_decision(made),
        _ => problem,
    }
}
