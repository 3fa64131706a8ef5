use desk::at_once;
use desk::letters::renewal_with_letter;
use domain::ids::{AccountId, TenantId};
use domain::text;
use edge::{Answer, Code, Problem};
use http::header;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskLoginRequest;

/// New login data for a customer
///
/// The answer is the letter that tells them, and the only place that does: a repeated request makes others. The old password, the old links and the sessions end at
/// once, and an address that was registered is forgotten. A letter that would not arrive is refused, and nothing changes. In rehearsal it is a specimen, and the
/// customer's next letter brings other login data.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/customers/{account}/login",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("account" = AccountId, Path, description = "The account"),
    ),
    request_body = DeskLoginRequest,
    responses((status = 200, description = "The letter", body = [u8], content_type = "application/pdf")),
)]
pub(crate) async fn desk_customer_login_create(call: Call) -> Result<Answer> {
    let id: AccountId = call.path("account")?;
    let DeskLoginRequest { end_shares, language } = call.request.json()?;
    let (store, application) = (call.store()?, &call.tenant.application);
    // A share's login data are given by the account that made it.
    let own = store.account(call.tenant_id(), &id).await?.filter(|account| account.share.is_none());
    let account = own.ok_or(Code::NotFound)?;
    let now = call.now.to_zoned(call.time_zone()?);
    let (renewal, pdf) = at_once(renewal_with_letter(store, &call.tenant, &account, now)).await?.map_err(|refusal| {
        let reason = refusal.text();
        let told = text!("Kein Brief: {reason}. Geändert wurde nichts.", "No letter: {reason}. Nothing has changed."; reason);
        Problem::new(Code::LetterRefused).with_detail(told.of(language))
    })?;
    call.keep_audit("desk new login", Some(&id), None).await?;
    at_once(renewal.store(store, application, end_shares)).await?;
    if application.rehearsal {
        store.note_specimen(call.tenant_id(), &id, call.now).await?;
    }
    Ok(Answer::bytes("application/pdf", pdf).with_header(header::CONTENT_DISPOSITION, "attachment; filename=\"brief.pdf\""))
}
