use edge::{Answer, Problem};
use http::StatusCode;

use crate::call::Call;
use crate::session::current_account;
use crate::view::AccountInfo;

/// Who is logged in
#[utoipa::path(
    get,
    path = "/api/pro/account/info",
    tag = "account",
    responses((status = 200, description = "The account", body = AccountInfo)),
)]
pub(crate) async fn account_info(call: Call) -> Result<Answer, Problem> {
    Answer::json(StatusCode::OK, &AccountInfo::from(current_account(&call).await?))
}
