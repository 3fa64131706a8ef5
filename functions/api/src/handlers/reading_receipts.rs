use edge::{Answer, Code};
use http::StatusCode;
use mail::ReadMeter;
use store::{Receipted, StoredJob};

use crate::call::Call;
use crate::crm::{self, ReceiptOrder, ReceiptedJob};
use crate::digest::hex;
use crate::error::Result;
use crate::idempotency::Idempotency;
use crate::view::ReceiptAnswer;

/// Most jobs of one receipt; what is left is the next one's.
const MOST: usize = 500;
/// Jobs read at once.
const PAGE: u32 = 500;

/// Receipts of readings
///
/// Of all done jobs that have had none since their last reading, at most 500 at once. Without such a job it is refused until new readings
/// have been sent.
#[utoipa::path(
    post,
    path = "/api/pro/job/reading-receipts",
    tag = "communication",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 64 printable ASCII characters")),
    responses((status = 202, description = "The receipts are on their way", body = ReceiptAnswer)),
)]
pub(crate) async fn reading_receipts(call: Call) -> Result<Answer> {
    // Without a key a repeated request is one for the receipts of later readings.
    let idempotency = match call.request.idempotency_key()? {
        Some(_) => Some(Idempotency::of(&call, &["reading_receipts"])?),
        None => None,
    };
    let (store, tenant, account) = (call.store()?, call.tenant_id(), call.account_id()?);
    let key = idempotency.as_ref().map(|idempotency| idempotency.key.as_str());
    let state = store.receipt_state(tenant, account, key, call.now).await?;
    if let Some(answer) = idempotency.as_ref().map(|idempotency| idempotency.earlier_answer(state.record)).transpose()?.flatten() {
        return Ok(accepted(answer));
    }
    let jobs = new_jobs(&call, &state.receipted).await?;
    if jobs.is_empty() {
        return Err(Code::ReceiptBlocked.into());
    }
    let read: Vec<_> = jobs.iter().map(|job| (job.id.clone(), job.read)).collect();
    // A request for the same readings is one for the same receipt; another account that sees them too has its own.
    let parts = read.iter().flat_map(|(id, read)| [id.as_str().to_owned(), read.to_string()]);
    let parts: Vec<_> = [account.as_str().to_owned()].into_iter().chain(parts).collect();
    let content = hex(&parts.iter().map(String::as_bytes).collect::<Vec<_>>());
    let order = ReceiptOrder { account, registration: state.registration.as_ref(), jobs: &jobs, key: &content };
    crm::of(&call)?.send_receipts(order).await?;

    let answer = serde_json::to_string(&ReceiptAnswer { job_count: jobs.len() })?;
    let record = idempotency.map(|idempotency| idempotency.record(answer.clone(), call.now));
    store.note_receipts(tenant, account, &read, record.as_ref()).await?;
    Ok(accepted(answer))
}

fn accepted(body: String) -> Answer {
    Answer::bytes("application/json", body).with_status(StatusCode::ACCEPTED)
}

/// The done jobs whose last reading has no receipt, oldest reading first.
async fn new_jobs(call: &Call, receipted: &Receipted) -> Result<Vec<ReceiptedJob>> {
    let mut found = Vec::new();
    let mut cursor = None;
    loop {
        let page = call.store()?.accessible_jobs(call.tenant_id(), call.access()?, PAGE, cursor.as_deref()).await?;
        let done = page.jobs.iter().filter(|job| job.done).filter_map(receipt_of);
        found.extend(done.filter(|job| receipted.is_new(&job.id, job.read)));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    found.sort_by(|one, other| (one.read, &one.id).cmp(&(other.read, &other.id)));
    found.truncate(MOST);
    Ok(found)
}

fn receipt_of(job: &StoredJob) -> Option<ReceiptedJob> {
    let (read, meter) = ReadMeter::of_job(job)?;
    Some(ReceiptedJob { id: job.master.id.clone(), read, meter })
}
