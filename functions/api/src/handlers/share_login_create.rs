use domain::ids::AccountId;
use edge::{Answer, Code, FieldError, Problem};
use store::{FoundShare, ShareRenewal, StoreError, Submitted};

use crate::answer_cipher::AnswerCipher;
use crate::call::Call;
use crate::error::Result;
use crate::idempotency::Idempotency;
use crate::share_login::{self, needs_credentials};
use crate::view::ShareLogin;

/// How often the share is read again when another request changed it between our read and our write.
const ATTEMPTS: usize = 5;

/// Other login data for a share
///
/// They are shown this once. The old ones end at once, and the sessions that were opened and the address that was registered with them; with `andSharedOn` so
/// does everything that was shared from it.
#[utoipa::path(
    post,
    path = "/api/pro/share/account/{shareId}/login",
    tag = "share",
    params(
        ("shareId" = AccountId, Path, description = "The sub-account"),
        ("andSharedOn" = Option<bool>, Query, description = "Ends everything that was shared from it, too"),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 64 printable ASCII characters; without it each request makes new login data"),
    ),
    responses((status = 200, description = "The login data", body = ShareLogin)),
)]
pub(crate) async fn share_login_create(call: Call) -> Result<Answer> {
    needs_credentials(&call)?;
    let share_id: AccountId = call.path("shareId")?;
    let end_shared_on = and_shared_on(&call)?;
    let about = ["share_login_create", share_id.as_str(), if end_shared_on { "and shared on" } else { "" }];
    let (idempotency, cipher) = (Idempotency::of(&call, &about)?, AnswerCipher::of(&call)?);
    // There is no body that could tell one wish for new login data from the next.
    let keyless = call.request.idempotency_key()?.is_none();
    let (store, tenant, access) = (call.store()?, call.tenant_id(), call.access()?);
    for attempt in 0..ATTEMPTS {
        let (found, record) = store.share_with_idempotency(tenant, access.account(), &share_id, &idempotency.key, call.now).await?;
        if let Some(sealed) = idempotency.earlier_answer(record)? {
            // The first request may have been stopped on its way through what it ended.
            if end_shared_on {
                store.delete_ended_shares(tenant, &share_id).await?;
            }
            return Ok(answer(cipher.decrypt(&sealed)?));
        }
        let Some(FoundShare::Live(share)) = found else { return Err(Code::NotFound.into()) };
        if attempt == 0 {
            share_login::count(&call).await?;
        }
        let jobs = store.jobs_of_share(tenant, access, &share).await?;
        let (login, stored) = share_login::make(&call, &jobs).await?;
        let shown = serde_json::to_string(&login)?;
        let record = match keyless {
            true => None,
            false => Some(idempotency.record(cipher.encrypt(&shown)?, call.now)),
        };
        let renewal = ShareRenewal { login: &stored, end_shared_on, now: call.now };
        match store.renew_share_login(tenant, access.account(), &share_id, &renewal, record.as_ref()).await {
            Ok(Submitted::Stored) => {
                if end_shared_on {
                    store.delete_ended_shares(tenant, &share_id).await?;
                }
                return Ok(answer(shown).with_event(call.event("share-renewed", Some(&share_id))?));
            }
            Ok(Submitted::Replayed { response_body }) => return Ok(answer(cipher.decrypt(&response_body)?)),
            Ok(Submitted::KeyReused) => return Err(Code::IdempotencyKeyReused.into()),
            Ok(Submitted::Stale) | Err(StoreError::NameTaken | StoreError::LinkTaken) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Code::Conflict.into())
}

fn and_shared_on(call: &Call) -> Result<bool> {
    let Some(text) = call.request.query("andSharedOn") else { return Ok(false) };
    text.parse().map_err(|_| {
        let error = FieldError::new("andSharedOn", "must be true or false");
        Problem::new(Code::MalformedRequest).with_fields(vec![error]).into()
    })
}

fn answer(body: String) -> Answer {
    Answer::bytes("application/json", body)
}
