//! Previews of what a customer sees in the portal: for a member of the staff, for minutes, by a token that opens nothing else (D-DESK-16).

use domain::ids::{AccountId, MemberId, TenantId};
use jiff::Timestamp;

use crate::db::Read;
use crate::item::{Fields, Record, number, seconds, text};
use crate::keys;
use crate::table::EXPIRES_AT;
use crate::{Result, Store};

/// What the holder of the token may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomerPreview {
    /// The account whose portal is shown.
    pub account: AccountId,
    /// The member who asked for it.
    pub member: MemberId,
    /// Until when.
    pub until: Timestamp,
}

impl Store {
    /// Keeps what the holder of the token may see.
    pub async fn put_customer_preview(&self, tenant: &TenantId, token: &str, preview: &CustomerPreview) -> Result<()> {
        let CustomerPreview { account, member, until } = preview;
        let item = Record::at(&keys::customer_preview(tenant, &hash(token)))
            .with("accountId", text(account.as_str()))
            .with("memberId", text(member.as_str()))
            .with("until", number(until.as_millisecond()))
            .with(EXPIRES_AT, seconds(*until));
        self.put(item.item()).await
    }

    /// What the holder of the token may see, if that is not over.
    pub async fn customer_preview(&self, tenant: &TenantId, token: &str, now: Timestamp) -> Result<Option<CustomerPreview>> {
        let Some(item) = self.get(&keys::customer_preview(tenant, &hash(token)), Read::Latest).await? else { return Ok(None) };
        let fields = Fields(&item);
        let preview =
            CustomerPreview { account: fields.parsed("accountId")?, member: fields.parsed("memberId")?, until: fields.millis("until")? };
        Ok(Some(preview).filter(|preview| preview.until > now))
    }
}

fn hash(token: &str) -> String {
    keys::sha256_hex(token.as_bytes())
}
