//! Invitations by mail and letters of a season: whom the utility may write to, and when it did.

use std::slice;

use domain::email::EmailAddress;
use domain::ids::{AccountId, TenantId};
use jiff::Timestamp;

use crate::accounts::StoredAccount;
use crate::communication::Registration;
use crate::db::{OPTIMISTIC_ATTEMPTS, Read};
use crate::item::{Fields, Record, number, text};
use crate::keys;
use crate::tx::{Condition, Tx};
use crate::{Account, Result, Store, StoreError};

/// An account with what an invitation needs to know of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Invitee {
    /// The account.
    pub account: Account,
    /// What its owner has registered.
    pub registration: Option<Registration>,
    /// When it was invited by mail for the last time.
    pub invited_at: Option<Timestamp>,
    /// When the last letter of a season's was drawn that was handed over, and who did that.
    pub lettered: Option<(Timestamp, String)>,
    /// When that letter came back, and who said so.
    pub returned: Option<(Timestamp, String)>,
    /// Mails to its address came back, or were called spam.
    pub is_suppressed: bool,
    version: u64,
}

impl Invitee {
    /// Where its owner can be written to: the address that the owner has confirmed, else that of the utility's file; none if the owner wants no such mails.
    pub fn email(&self) -> Option<&EmailAddress> {
        let registration = self.registration.as_ref();
        if self.has_declined() {
            return None;
        }
        registration.and_then(|registration| registration.confirmed.as_ref()).or(self.account.email.as_ref())
    }

    /// Its owner wants no mails that nobody asked for.
    pub fn has_declined(&self) -> bool {
        self.registration.as_ref().is_some_and(|registration| registration.no_reminders)
    }

    /// The number of the next invitation; each is used once in the account.
    pub fn next_number(&self) -> u64 {
        self.version + 1
    }
}

/// When a letter was drawn that was handed over, and who did that.
pub(crate) fn lettered(fields: &Fields<'_>) -> Result<Option<(Timestamp, String)>> {
    noted(fields, "letteredAt", "letteredBy")
}

/// When it came back, and who said so.
pub(crate) fn returned(fields: &Fields<'_>) -> Result<Option<(Timestamp, String)>> {
    noted(fields, "returnedAt", "returnedBy")
}

fn noted(fields: &Fields<'_>, at: &str, by: &str) -> Result<Option<(Timestamp, String)>> {
    let by = fields.optional_text(by)?.unwrap_or_default();
    Ok(fields.optional_millis(at)?.map(|at| (at, by.to_owned())))
}

impl Store {
    /// Those of up to 33 accounts that are the utility's own; two reads.
    pub async fn invitees(&self, tenant: &TenantId, accounts: &[AccountId], now: Timestamp) -> Result<Vec<Invitee>> {
        let keys_of = |account| [keys::account(tenant, account), keys::registration(tenant, account), keys::invitation(tenant, account)];
        let wanted: Vec<_> = accounts.iter().flat_map(keys_of).collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.get_batch(&wanted, Read::Latest).await?;
        let mut invitees = Vec::new();
        for id in accounts {
            let [account, registration, invitation] = keys_of(id).map(|key| found.get(&key));
            let Some(account) = account.map(StoredAccount::read).transpose()?.map(|stored| stored.account) else { continue };
            if account.share.is_some() {
                continue;
            }
            let invitation = invitation.map(Fields);
            invitees.push(Invitee {
                account,
                registration: registration.map(Registration::read).transpose()?,
                invited_at: invitation.map(|fields| fields.optional_millis("invitedAt")).transpose()?.flatten(),
                lettered: invitation.map(|fields| lettered(&fields)).transpose()?.flatten(),
                returned: invitation.map(|fields| returned(&fields)).transpose()?.flatten(),
                is_suppressed: false,
                version: invitation.map(|fields| fields.version()).transpose()?.unwrap_or_default(),
            });
        }
        let suppressed = |invitee: &Invitee| invitee.email().map(|email| keys::suppressed(tenant, &email.hash()));
        let mut wanted: Vec<_> = invitees.iter().filter_map(suppressed).collect();
        wanted.sort();
        wanted.dedup();
        if !wanted.is_empty() {
            let found = self.get_batch(&wanted, Read::Latest).await?;
            for invitee in &mut invitees {
                let item = suppressed(invitee).and_then(|key| found.get(&key));
                invitee.is_suppressed =
                    item.map(|item| Fields(item).time(crate::table::EXPIRES_AT)).transpose()?.is_some_and(|end| end > now);
            }
        }
        Ok(invitees)
    }

    /// Notes that the account was invited by mail, unless somebody else noted that meanwhile, or it is gone.
    pub async fn note_invitation(&self, tenant: &TenantId, before: &Invitee, now: Timestamp) -> Result<()> {
        let (id, mut latest) = (&before.account.id, before.clone());
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            match self.note(tenant, &latest, &Invitee { invited_at: Some(now), ..latest.clone() }).await {
                Err(StoreError::Conflict) => {}
                done => return done,
            }
            // What was noted meanwhile may be of the account's letter.
            match self.invitees(tenant, slice::from_ref(id), now).await?.pop() {
                Some(noted) if noted.invited_at == before.invited_at => latest = noted,
                _ => return Ok(()),
            }
        }
        Err(StoreError::Conflict)
    }

    /// Notes that a letter was handed over that was drawn then; [`StoreError::Conflict`]: somebody else noted something meanwhile.
    pub async fn note_letter(&self, tenant: &TenantId, before: &Invitee, by: &str, drawn: Timestamp) -> Result<()> {
        self.note(tenant, before, &Invitee { lettered: Some((drawn, by.to_owned())), returned: None, ..before.clone() }).await
    }

    /// Notes that the account's letter came back, or that it can be written to again; [`StoreError::Conflict`] as with [`Self::note_letter`].
    pub async fn note_return(&self, tenant: &TenantId, before: &Invitee, returned: Option<(Timestamp, String)>) -> Result<()> {
        self.note(tenant, before, &Invitee { returned, ..before.clone() }).await
    }

    async fn note(&self, tenant: &TenantId, before: &Invitee, Invitee { invited_at, lettered, returned, .. }: &Invitee) -> Result<()> {
        let (at, by) = (|note: &(Timestamp, String)| number(note.0.as_millisecond()), |note: &(Timestamp, String)| text(&note.1));
        let item = Record::at(&keys::invitation(tenant, &before.account.id))
            .with_some("invitedAt", invited_at.map(|at| number(at.as_millisecond())))
            .with_some("letteredAt", lettered.as_ref().map(at))
            .with_some("letteredBy", lettered.as_ref().map(by))
            .with_some("returnedAt", returned.as_ref().map(at))
            .with_some("returnedBy", returned.as_ref().map(by))
            .with("version", number(before.next_number()));
        let condition = match before.version {
            0 => Condition::absent(StoreError::Conflict),
            version => Condition::version(version),
        };
        let mut tx = Tx::new(self);
        tx.put("the invitation", item.item(), Some(condition))?;
        tx.commit("the invitation").await
    }
}
