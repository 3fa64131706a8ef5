use domain::ids::AccountId;
use serde::Serialize;
use store::Account;
use utoipa::ToSchema;

/// The account that is logged in (L3).
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
    /// The language that the utility noted for the account, or for the one that shared with it.
    #[schema(required)]
    pub language: Option<String>,
}

impl AccountInfo {
    /// The last of these accounts, of which each shared with the next. A sub-account speaks the language of those above it.
    pub fn new(chain: &[Account]) -> Option<Self> {
        let (account, above) = chain.split_last()?;
        let parent = above.last();
        Some(Self {
            id: account.id.clone(),
            name: account.name.clone(),
            parent_name: parent.map(|parent| parent.name.clone()),
            parent_id: parent.map(|parent| parent.id.clone()),
            language: chain.iter().rev().find_map(|account| account.language.clone()),
        })
    }
}
