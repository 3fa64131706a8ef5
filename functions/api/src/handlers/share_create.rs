use std::collections::{HashMap, HashSet};

use domain::config::Application;
use domain::finding::{Finding, FindingCode};
use domain::ids::{AccountId, JobId};
use domain::share::{self, MAX_CHAIN, MAX_SHARES};
use edge::{Answer, Code, Problem};
use http::StatusCode;
use store::{Access, NewShare, StoreError, StoredJob, Submitted, ToShare};

use crate::answer_cipher::AnswerCipher;
use crate::call::Call;
use crate::error::{Error, Result};
use crate::findings::field_error;
use crate::idempotency::Idempotency;
use crate::share_login;
use crate::view::{CreatedShare, ShareLogin, ShareRequest};

/// How often other login data are made when another account has the random user name already.
const ATTEMPTS: usize = 3;

/// Jobs for another person
///
/// Makes a sub-account with these jobs, or nothing at all. The login data are shown this once.
#[utoipa::path(
    post,
    path = "/api/pro/share/job",
    tag = "share",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 64 printable ASCII characters; without it the request's content is the key")),
    request_body = ShareRequest,
    responses((status = 201, description = "The share with its login data", body = CreatedShare)),
)]
pub(crate) async fn share_create(call: Call) -> Result<Answer> {
    let request: ShareRequest = call.request.json()?;
    let name = check_form(&request)?;
    let (idempotency, cipher) = (Idempotency::of(&call, &["share_create"])?, AnswerCipher::of(&call)?);
    let (store, tenant, access) = (call.store()?, call.tenant_id(), call.access()?);
    let found = store.jobs_to_share(tenant, access, &request.job_ids, &idempotency.key, call.now).await?;
    let ToShare { jobs, record, maker, shares } = found.ok_or(Code::TokenInvalid)?;
    if let Some(sealed) = idempotency.earlier_answer(record)? {
        return Ok(created(cipher.decrypt(&sealed)?));
    }
    // What is shared outlives the token: one of earlier login data shares nothing.
    if maker.generation != call.claims()?.generation {
        return Err(Code::TokenInvalid.into());
    }
    check_jobs(&request.job_ids, &jobs, access, &call.tenant.application)?;
    if shares >= MAX_SHARES {
        return Err(too_many());
    }

    share_login::count(&call).await?;
    for _ in 0..ATTEMPTS {
        let (login, stored_login) = share_login::make(&call, jobs.values().map(|job| &job.master)).await?;
        let id = AccountId::draw(store::random()?);
        // The last one that a chain has room for cannot share on.
        let allow_to_re_share = request.allow_to_re_share && access.lineage().len() + 1 < MAX_CHAIN;
        let mut job_ids = request.job_ids.clone();
        job_ids.sort();
        let ShareLogin { token, username, password, token_url } = login;
        let share = CreatedShare {
            id: id.clone(),
            name: name.to_owned(),
            allow_to_re_share,
            job_ids,
            has_token: true,
            created: call.now,
            token,
            username,
            password,
            token_url,
        };
        let answer = serde_json::to_string(&share)?;
        let new = NewShare {
            id,
            name,
            allow_to_re_share,
            job_ids: &share.job_ids,
            login: stored_login,
            era: maker.share_era,
            most: MAX_SHARES,
            created: call.now,
            idempotency: idempotency.record(cipher.encrypt(&answer)?, call.now),
            keyless: call.request.idempotency_key()?.is_none(),
        };
        match store.create_share(tenant, access, new).await {
            Ok(Submitted::Stored) => return Ok(created(answer).with_event(call.event("share-created", Some(&share.id))?)),
            Ok(Submitted::Replayed { response_body }) => return Ok(created(cipher.decrypt(&response_body)?)),
            Ok(Submitted::KeyReused) => return Err(Code::IdempotencyKeyReused.into()),
            // The caller is a share that was deleted at this moment.
            Ok(Submitted::Stale) => return Err(Code::TokenInvalid.into()),
            Err(StoreError::TooManyShares) => return Err(too_many()),
            Err(StoreError::NameTaken | StoreError::LinkTaken) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Problem::internal("no free user name was found").into())
}

fn too_many() -> Error {
    refused(vec![Finding::error(FindingCode::MaxShares, "").limit(MAX_SHARES)]).into()
}

fn created(body: String) -> Answer {
    Answer::bytes("application/json", body).with_status(StatusCode::CREATED)
}

/// What can be said without looking at the jobs; the name without white space around it.
fn check_form(request: &ShareRequest) -> Result<&str> {
    let mut findings = Vec::new();
    let name = share::name(&request.name).map_err(|finding| findings.push(finding));
    if let Err(finding) = share::job_count(request.job_ids.len()) {
        findings.push(finding);
    } else {
        let mut seen = HashSet::new();
        let twice = request.job_ids.iter().enumerate().filter(|(_, id)| !seen.insert(*id));
        findings.extend(twice.map(|(index, _)| on_job(index, FindingCode::JobTwice)));
    }
    match name {
        Ok(name) if findings.is_empty() => Ok(name),
        _ => Err(refused(findings).into()),
    }
}

/// All or nothing. A job that does not exist, that of another account and one that must not be shared get the same answer.
fn check_jobs(ids: &[JobId], jobs: &HashMap<JobId, StoredJob>, access: &Access, application: &Application) -> Result<()> {
    let shareable = |id: &JobId| access.may_share() && jobs.get(id).is_some_and(|job| share::is_job_shareable(application, &job.master));
    let unshareable = ids.iter().enumerate().filter(|(_, id)| !shareable(id));
    let findings: Vec<_> = unshareable.map(|(index, _)| on_job(index, FindingCode::JobNotShareable)).collect();
    if findings.is_empty() { Ok(()) } else { Err(refused(findings).into()) }
}

fn on_job(index: usize, code: FindingCode) -> Finding {
    Finding::error(code, format!("jobIds[{index}]"))
}

fn refused(findings: Vec<Finding>) -> Problem {
    Problem::new(Code::ShareInvalid).with_fields(findings.into_iter().map(field_error).collect())
}
