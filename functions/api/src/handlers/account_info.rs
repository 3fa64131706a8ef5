use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::session::current_account;
use crate::view::AccountInfo;

/// The account that is logged in
#[utoipa::path(
    get,
    path = "/api/pro/account/info",
    tag = "account",
    responses((status = 200, description = "The account", body = AccountInfo)),
)]
pub(crate) async fn account_info(call: Call) -> Result<Answer> {
    let info = match call.access()?.heads() {
        [] => AccountInfo::new(&[current_account(&call).await?]),
        heads => AccountInfo::new(heads),
    };
    Ok(Answer::json(StatusCode::OK, &info.ok_or(Code::TokenInvalid)?)?)
}
