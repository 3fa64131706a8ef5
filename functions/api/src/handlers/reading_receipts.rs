use domain::job::last_result;
use domain::meter::job_meter_type;
use domain::model::{JobMaster, MeterAddress};
use domain::obis::{display_name, task_unit};
use edge::{Answer, Code};
use http::StatusCode;
use mail::{ReadMeter, ReadRate};
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
    // Whoever asks for the same readings asks for the same receipt.
    let parts: Vec<_> = read.iter().flat_map(|(id, read)| [id.as_str().to_owned(), read.to_string()]).collect();
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

/// What the receipt says of a job; none: it has no reading.
fn receipt_of(job: &StoredJob) -> Option<ReceiptedJob> {
    let StoredJob { master, states, .. } = job;
    let tasks = &master.meter.meter_rate_tasks;
    let last: Vec<_> = tasks.iter().filter_map(|task| Some((task, last_result(states, &task.task_id)?))).collect();
    let rates = last.iter().map(|(task, result)| ReadRate {
        name: display_name(task.rate_name.as_deref(), &task.obis),
        value: result.reading_value.clone(),
        unit: task_unit(task).map(str::to_owned),
    });
    Some(ReceiptedJob {
        id: master.id.clone(),
        read: last.iter().map(|(_, result)| result.created).max()?,
        meter: ReadMeter {
            meter_type: job_meter_type(master),
            custom_type: master.meter.custom_meter_type.clone(),
            number: master.meter.meter_number.clone(),
            place: place(master),
            date: last.iter().map(|(_, result)| result.reading_date).max()?,
            rates: rates.collect(),
        },
    })
}

/// Street and town in one line, as far as the job knows them.
fn place(master: &JobMaster) -> Option<String> {
    let MeterAddress { street, house_number, zip, city, .. } = &master.meter.meter_address;
    let joined = |parts: [&Option<String>; 2]| parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ");
    let lines = [joined([street, house_number]), joined([zip, city])];
    let text = lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join(", ");
    (!text.is_empty()).then_some(text)
}
