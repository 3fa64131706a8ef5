use domain::ids::AccountId;
use edge::{Answer, Code};
use http::StatusCode;
use store::Submitted;

use crate::call::Call;
use crate::error::Result;
use crate::idempotency::Idempotency;
use crate::share_login::needs_credentials;

/// The end of a share
///
/// One that the account made, or a sub-account at any depth below it. Its logins end at once, open sessions too, and so does everything that was shared from it.
#[utoipa::path(
    delete,
    path = "/api/pro/share/account/{shareId}",
    tag = "share",
    params(
        ("shareId" = AccountId, Path, description = "The sub-account"),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 64 printable ASCII characters; without it the address is the key"),
    ),
    responses((status = 204, description = "The share is gone")),
)]
pub(crate) async fn share_delete(call: Call) -> Result<Answer> {
    needs_credentials(&call)?;
    let share: AccountId = call.path("shareId")?;
    let idempotency = Idempotency::of(&call, &["share_delete", share.as_str()])?;
    let (store, tenant, access) = (call.store()?, call.tenant_id(), call.access()?);
    let (found, record) = store.share_with_idempotency(tenant, access.account(), &share, &idempotency.key, call.now).await?;
    if idempotency.earlier_answer(record)?.is_some() {
        return Ok(Answer::empty(StatusCode::NO_CONTENT));
    }
    // One whose deletion was stopped on the way is deleted to the end.
    let parent = match found {
        Some(_) => access.account().clone(),
        None => store.maker_below(tenant, access, &share).await?.ok_or(Code::NotFound)?,
    };
    let record = idempotency.record(String::new(), call.now);
    match store.delete_share(tenant, access, &parent, &share, &record).await? {
        Submitted::Stored | Submitted::Replayed { .. } => {
            Ok(Answer::empty(StatusCode::NO_CONTENT).with_event(call.event("share-deleted", Some(&share))?))
        }
        Submitted::KeyReused => Err(Code::IdempotencyKeyReused.into()),
        // Another request deleted it at the same time.
        Submitted::Stale => Err(Code::NotFound.into()),
    }
}
