use domain::ids::AccountId;
use serde::Serialize;
use store::Account;
use utoipa::ToSchema;

/// Who is logged in (L3).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountInfo {
    /// The account.
    pub id: AccountId,
    /// Its name.
    pub name: String,
    /// Name of the account that shared its jobs with this one; null for an account of the utility's own.
    #[schema(required)]
    pub parent_name: Option<String>,
    /// Id of that account.
    #[schema(required)]
    pub parent_id: Option<AccountId>,
    /// The language that the utility noted for the account.
    #[schema(required)]
    pub language: Option<String>,
}

impl From<Account> for AccountInfo {
    fn from(account: Account) -> Self {
        let Account { id, name, parent_id, parent_name, language, .. } = account;
        Self { id, name, parent_name, parent_id, language }
    }
}
