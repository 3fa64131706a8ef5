//! Registrations for digital communication, as the built-in CRM keeps them: an address counts once its owner has confirmed it.
//!
//! And how far an account's readings have been receipted, whichever CRM sends the receipts.

use domain::email::EmailAddress;
use domain::ids::{AccountId, JobId, TenantId};
use domain::login::link_token;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::db::{OPTIMISTIC_ATTEMPTS, Read};
use crate::idempotency::{IdempotencyRecord, IdempotencyWrite};
use crate::item::{Fields, Item, Record, flag, json, number, seconds, text};
use crate::keys::{self, Key};
use crate::table::EXPIRES_AT;
use crate::tx::{Condition, Tx};
use crate::{Result, Store, StoreError};

const REGISTRATION: &str = "the registration";
const RECEIPTS: &str = "the receipts";
/// Marks what is left of a token that is not good any more.
const ENDED: &str = "ended";
/// How long it is left: as long as a client may repeat a request.
const ENDED_LIFE: SignedDuration = SignedDuration::from_hours(48);

/// What an account has registered. It is there, empty at first, once its owner, a clerk or an invitation needed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// The token that opens the registration's page; its holder may change the registration.
    pub self_service_token: String,
    /// The address that its owner has confirmed.
    pub confirmed: Option<EmailAddress>,
    /// The address that waits for that.
    pub pending: Option<Pending>,
    /// Its owner wants no reminders and no invitations; receipts still come.
    pub no_reminders: bool,
    confirmed_by: Option<String>,
    /// An address whose place the confirmed one took, and whose owner was not told yet.
    replaced: Option<EmailAddress>,
    version: u64,
}

impl Registration {
    /// Every address of it.
    pub fn addresses(&self) -> impl Iterator<Item = &EmailAddress> {
        self.confirmed.iter().chain(self.pending.iter().map(|pending| &pending.email))
    }
}

/// An address that its owner has not confirmed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    /// The address.
    pub email: EmailAddress,
    /// Hash of the token in the link that confirms it.
    pub confirmation_hash: String,
    /// The time at which the link stops working.
    pub expires_at: Timestamp,
}

/// An address whose owner has confirmed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmed {
    /// The account of the registration.
    pub account: AccountId,
    /// The confirmed one.
    pub address: EmailAddress,
    /// The address whose place it took, until its owner was told ([`Store::note_told`]).
    pub replaced: Option<EmailAddress>,
}

/// Up to which readings an account has got receipts.
///
/// A reading is stored a little after the time that it bears, so the last minute is remembered one by one; and so are receipts of one reading that do not say
/// anything of those before it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Receipted {
    through: Option<Timestamp>,
    recent: Vec<(JobId, Timestamp)>,
    version: u64,
}

#[derive(Serialize, Deserialize)]
struct ReceiptedDocument {
    through: Option<Timestamp>,
    recent: Vec<(JobId, Timestamp)>,
}

/// How long a reading may take from its time to the table: longer than any function runs.
const LATE: SignedDuration = SignedDuration::from_mins(1);

/// Most receipts that are remembered one by one; who never asks for receipts gets a second one of what is older.
const MOST_REMEMBERED: usize = 1000;

impl Receipted {
    /// Whether the job's last reading, of this time, has no receipt yet.
    pub fn is_new(&self, job: &JobId, read: Timestamp) -> bool {
        is_one_by_one(self.through, read) && !self.recent.iter().any(|(known, time)| known == job && *time == read)
    }

    /// With receipts of these jobs' last readings too, and of all that was stored before them.
    #[must_use]
    pub fn with(&self, jobs: &[(JobId, Timestamp)]) -> Self {
        self.remembering(jobs, jobs.iter().map(|(_, read)| *read).chain(self.through).max())
    }

    /// With the receipt of this job's last reading alone: readings before it may have none yet.
    #[must_use]
    pub fn with_one(&self, job: &JobId, read: Timestamp) -> Self {
        self.remembering(&[(job.clone(), read)], self.through)
    }

    fn remembering(&self, jobs: &[(JobId, Timestamp)], through: Option<Timestamp>) -> Self {
        let mut recent: Vec<_> = self.recent.iter().chain(jobs).filter(|(_, read)| is_one_by_one(through, *read)).cloned().collect();
        recent.sort_by(|(job, read), (other, time)| (read, job).cmp(&(time, other)));
        recent.dedup();
        recent.drain(..recent.len().saturating_sub(MOST_REMEMBERED));
        Self { through, recent, version: self.version }
    }

    fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        let ReceiptedDocument { through, recent } = fields.json("receipted")?;
        Ok(Self { through, recent, version: fields.version()? })
    }
}

/// Whether readings of this time are known one by one.
fn is_one_by_one(through: Option<Timestamp>, read: Timestamp) -> bool {
    through.is_none_or(|through| read > through - LATE)
}

/// What a request for receipts needs to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptState {
    /// The readings that were receipted.
    pub receipted: Receipted,
    /// The built-in CRM's registration.
    pub registration: Option<Registration>,
    /// The record of an earlier request with the same key.
    pub record: Option<IdempotencyRecord>,
}

impl Registration {
    pub(crate) fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        let pending = match fields.optional_parsed("pendingEmail")? {
            None => None,
            Some(email) => {
                Some(Pending { email, confirmation_hash: fields.text("pendingHash")?.to_owned(), expires_at: fields.time("pendingUntil")? })
            }
        };
        Ok(Self {
            self_service_token: fields.text("selfServiceToken")?.to_owned(),
            confirmed: fields.optional_parsed("email")?,
            pending,
            no_reminders: item.contains_key("noReminders") && fields.flag("noReminders")?,
            confirmed_by: fields.optional_text("confirmedBy")?.map(str::to_owned),
            replaced: fields.optional_parsed("replacedEmail")?,
            version: fields.version()?,
        })
    }

    fn item(&self, tenant: &TenantId, account: &AccountId) -> Item {
        let pending = self.pending.as_ref();
        Record::at(&keys::registration(tenant, account))
            .with("selfServiceToken", text(&self.self_service_token))
            .with_some("email", self.confirmed.as_ref().map(|email| text(email.as_str())))
            .with_some("noReminders", self.no_reminders.then(|| flag(true)))
            .with_some("confirmedBy", self.confirmed_by.as_ref().map(text))
            .with_some("replacedEmail", self.replaced.as_ref().map(|email| text(email.as_str())))
            .with_some("pendingEmail", pending.map(|pending| text(pending.email.as_str())))
            .with_some("pendingHash", pending.map(|pending| text(&pending.confirmation_hash)))
            .with_some("pendingUntil", pending.map(|pending| seconds(pending.expires_at)))
            .with("version", number(self.version))
            .item()
    }
}

impl Store {
    /// The account's registration; one read.
    pub async fn registration(&self, tenant: &TenantId, account: &AccountId) -> Result<Option<Registration>> {
        let item = self.get(&keys::registration(tenant, account), Read::Latest).await?;
        item.map(|item| Registration::read(&item)).transpose()
    }

    /// The account's registration, or a new empty one under this token.
    pub async fn open_registration(&self, tenant: &TenantId, account: &AccountId, token: &str) -> Result<Registration> {
        if let Some(registration) = self.registration(tenant, account).await? {
            return Ok(registration);
        }
        let new = Registration {
            self_service_token: token.to_owned(),
            confirmed: None,
            pending: None,
            no_reminders: false,
            confirmed_by: None,
            replaced: None,
            version: 1,
        };
        let mut tx = Tx::new(self);
        tx.put(REGISTRATION, new.item(tenant, account), Some(Condition::absent(StoreError::Conflict)))?;
        let door = keys::self_service(tenant, &keys::sha256_hex(token.as_bytes()));
        let door = Record::at(&door).with("accountId", text(account.as_str())).item();
        tx.put(REGISTRATION, door, Some(Condition::absent(StoreError::Conflict)))?;
        match tx.commit(REGISTRATION).await {
            Ok(()) => Ok(new),
            Err(StoreError::Conflict) => self.registration(tenant, account).await?.ok_or(StoreError::Conflict),
            Err(error) => Err(error),
        }
    }

    /// Whose registration a token opens, and the registration.
    pub async fn registration_by_token(&self, tenant: &TenantId, token: &str) -> Result<Option<(AccountId, Registration)>> {
        let door = self.get(&keys::self_service(tenant, &keys::sha256_hex(token.as_bytes())), Read::Latest).await?;
        let Some(door) = door.filter(|door| !door.contains_key(ENDED)) else { return Ok(None) };
        let account: AccountId = Fields(&door).parsed("accountId")?;
        let registration = self.registration(tenant, &account).await?;
        Ok(registration.map(|registration| (account, registration)))
    }

    /// Notes an address that waits for its owner's confirmation; an earlier one that waits is forgotten.
    pub async fn await_confirmation(&self, tenant: &TenantId, account: &AccountId, pending: Pending) -> Result<()> {
        let door = Record::at(&keys::confirmation(tenant, &pending.confirmation_hash))
            .with("accountId", text(account.as_str()))
            .with(EXPIRES_AT, seconds(pending.expires_at))
            .item();
        self.change_registration(tenant, account, |registration, tx| {
            tx.put(REGISTRATION, door.clone(), None)?;
            forget_pending(tenant, registration, tx)?;
            registration.pending = Some(pending.clone());
            Ok(true)
        })
        .await
    }

    /// The owner of the address has opened the link; none: there is no such link, or not any more. Opening it again changes nothing.
    ///
    /// When it takes the place of another address, the registration gets another token: the mails of the earlier one have the old token.
    pub async fn confirm_registration(&self, tenant: &TenantId, confirmation_hash: &str, now: Timestamp) -> Result<Option<Confirmed>> {
        let Some(door) = self.get(&keys::confirmation(tenant, confirmation_hash), Read::Latest).await? else { return Ok(None) };
        let fields = Fields(&door);
        if fields.time(EXPIRES_AT)? <= now {
            return Ok(None);
        }
        let account: AccountId = fields.parsed("accountId")?;
        let (mut address, mut replaced) = (None, None);
        self.change_registration(tenant, &account, |registration, tx| {
            let is_again = registration.confirmed_by.as_deref() == Some(confirmation_hash);
            address = registration.confirmed.clone().filter(|_| is_again);
            replaced = registration.replaced.clone().filter(|_| is_again);
            let Some(pending) = registration.pending.take_if(|pending| pending.confirmation_hash == confirmation_hash) else {
                return Ok(false);
            };
            address = Some(pending.email.clone());
            let is_other = |earlier: &EmailAddress| earlier.hash() != pending.email.hash();
            let earlier = registration.confirmed.replace(pending.email.clone()).filter(is_other);
            if earlier.is_some() {
                renew_token(tenant, &account, registration, now, tx)?;
            }
            // The owner who has waited longest to be told had the registration before all others.
            registration.replaced = registration.replaced.take().filter(is_other).or(earlier);
            replaced.clone_from(&registration.replaced);
            registration.no_reminders = false;
            registration.confirmed_by = Some(pending.confirmation_hash);
            Ok(true)
        })
        .await?;
        Ok(address.map(|address| Confirmed { account, address, replaced }))
    }

    /// The owner of the address that was replaced has been told, or cannot be: nothing is kept of it any more.
    pub async fn note_told(&self, tenant: &TenantId, account: &AccountId, told: &EmailAddress) -> Result<()> {
        self.change_registration(tenant, account, |registration, _| {
            Ok(registration.replaced.take_if(|replaced| replaced == told).is_some())
        })
        .await
    }

    /// Forgets the addresses of the registration that this token opens; false: it opens none. A confirmed address takes the token with it,
    /// which is in its mails; doing it again with that token changes nothing.
    pub async fn revoke_registration(&self, tenant: &TenantId, token: &str, now: Timestamp) -> Result<bool> {
        let door = self.get(&keys::self_service(tenant, &keys::sha256_hex(token.as_bytes())), Read::Latest).await?;
        let Some(door) = door else { return Ok(false) };
        if door.contains_key(ENDED) {
            return Ok(Fields(&door).time(EXPIRES_AT)? > now);
        }
        let account: AccountId = Fields(&door).parsed("accountId")?;
        self.end_registration(tenant, &account, now).await?;
        Ok(true)
    }

    /// The same for a caller that knows the account; without an address nothing changes.
    pub async fn end_registration(&self, tenant: &TenantId, account: &AccountId, now: Timestamp) -> Result<()> {
        self.change_registration(tenant, account, |registration, tx| {
            if registration.confirmed.is_none() && registration.pending.is_none() {
                return Ok(false);
            }
            if forget_addresses(tenant, registration, tx)? {
                renew_token(tenant, account, registration, now, tx)?;
            }
            // Otherwise the address of the utility's file would take its place (D-LETTERS-8).
            registration.no_reminders = true;
            Ok(true)
        })
        .await
    }

    /// Forgets what earlier holders of the login data have registered, and the token with which they could register more. What the owner wants stays.
    pub async fn renew_registration(&self, tenant: &TenantId, account: &AccountId, now: Timestamp) -> Result<()> {
        self.change_registration(tenant, account, |registration, tx| renew(tenant, account, registration, now, tx).map(|()| true)).await
    }

    /// The owner of the registration wants no reminders, until they confirm an address again. Saying it again changes nothing.
    pub async fn stop_reminders(&self, tenant: &TenantId, account: &AccountId) -> Result<()> {
        self.change_registration(tenant, account, |registration, _| Ok(!std::mem::replace(&mut registration.no_reminders, true))).await
    }

    /// Changes the registration, if there is one and the change says so, and begins anew when another request was faster.
    async fn change_registration(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        mut change: impl FnMut(&mut Registration, &mut Tx<'_>) -> Result<bool>,
    ) -> Result<()> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let Some(mut registration) = self.registration(tenant, account).await? else { return Ok(()) };
            let before = registration.version;
            let mut tx = Tx::new(self);
            if !change(&mut registration, &mut tx)? {
                return Ok(());
            }
            registration.version += 1;
            tx.put(REGISTRATION, registration.item(tenant, account), Some(Condition::version(before)))?;
            match tx.commit(REGISTRATION).await {
                Err(StoreError::Conflict) => {}
                done => return done,
            }
        }
        Err(StoreError::Conflict)
    }

    /// Deletes what leads to a registration from outside, if this is one, and counts it. The item itself stays: it leads there.
    pub(crate) async fn close_registration(&self, tenant: &TenantId, key: &Key, item: &Item) -> Result<usize> {
        if key.sk != keys::REGISTRATION {
            return Ok(0);
        }
        let registration = Registration::read(item)?;
        let page = keys::self_service(tenant, &keys::sha256_hex(registration.self_service_token.as_bytes()));
        let hashes = registration.confirmed_by.into_iter().chain(registration.pending.map(|pending| pending.confirmation_hash));
        let doors: Vec<_> = hashes.map(|hash| keys::confirmation(tenant, &hash)).chain([page]).collect();
        for door in &doors {
            self.delete(door, None).await?;
        }
        Ok(doors.len())
    }

    /// What a request for receipts needs to know, in one read.
    pub async fn receipt_state(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        key_hash: Option<&str>,
        now: Timestamp,
    ) -> Result<ReceiptState> {
        let (receipts, registration) = (keys::receipts(tenant, account), keys::registration(tenant, account));
        let record = key_hash.map(|key_hash| keys::idempotency(tenant, account, key_hash));
        let wanted: Vec<_> = [&receipts, &registration].into_iter().chain(&record).cloned().collect();
        let found = self.get_batch(&wanted, Read::Latest).await?;
        let record = record.and_then(|record| found.get(&record)).map(|item| IdempotencyRecord::read(item, now)).transpose()?;
        Ok(ReceiptState {
            receipted: found.get(&receipts).map(Receipted::read).transpose()?.unwrap_or_default(),
            registration: found.get(&registration).map(Registration::read).transpose()?,
            record: record.flatten(),
        })
    }

    /// Notes that these jobs' last readings have their receipt, and all that was stored before them, together with the record for a repeated request.
    pub async fn note_receipts(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        jobs: &[(JobId, Timestamp)],
        idempotency: Option<&IdempotencyWrite>,
    ) -> Result<()> {
        self.keep_receipted(tenant, account, |receipted| receipted.with(jobs), idempotency).await
    }

    /// Notes that this job's last reading has its receipt, and says nothing of others.
    pub async fn note_receipt(&self, tenant: &TenantId, account: &AccountId, job: &JobId, read: Timestamp) -> Result<()> {
        self.keep_receipted(tenant, account, |receipted| receipted.with_one(job, read), None).await
    }

    async fn keep_receipted(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        change: impl Fn(&Receipted) -> Receipted,
        idempotency: Option<&IdempotencyWrite>,
    ) -> Result<()> {
        let key = keys::receipts(tenant, account);
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let item = self.get(&key, Read::Latest).await?;
            let before = item.map(|item| Receipted::read(&item)).transpose()?;
            let condition = match &before {
                Some(before) => Condition::version(before.version),
                None => Condition::absent(StoreError::Conflict),
            };
            let Receipted { through, recent, version } = change(&before.unwrap_or_default());
            let item =
                Record::at(&key).with("receipted", json(&ReceiptedDocument { through, recent })?).with("version", number(version + 1));
            let mut tx = Tx::new(self);
            tx.put(RECEIPTS, item.item(), Some(condition))?;
            if let Some(idempotency) = idempotency {
                idempotency.add_to(&mut tx, tenant, account)?;
            }
            match tx.commit(RECEIPTS).await {
                // Either the receipts or the record were written by another request in the meantime; a record says that both were.
                Err(StoreError::Conflict) => {
                    let record = idempotency.map(|write| keys::idempotency(tenant, account, &write.key_hash));
                    if let Some(record) = record
                        && self.get(&record, Read::Latest).await?.is_some()
                    {
                        return Ok(());
                    }
                }
                done => return done,
            }
        }
        Err(StoreError::Conflict)
    }
}

/// [`Store::renew_registration`] of the registration that was read, in a transaction with what ends beside it.
pub(crate) fn put_renewed(tx: &mut Tx<'_>, tenant: &TenantId, account: &AccountId, registration: &Item, now: Timestamp) -> Result<()> {
    let mut registration = Registration::read(registration)?;
    let before = registration.version;
    renew(tenant, account, &mut registration, now, tx)?;
    registration.version += 1;
    tx.put(REGISTRATION, registration.item(tenant, account), Some(Condition::version(before)))
}

fn renew(tenant: &TenantId, account: &AccountId, registration: &mut Registration, now: Timestamp, tx: &mut Tx<'_>) -> Result<()> {
    forget_addresses(tenant, registration, tx)?;
    renew_token(tenant, account, registration, now, tx)
}

/// Another token for the registration. What is left of the old one names no account, and lets a repeated request see that it was carried out.
fn renew_token(tenant: &TenantId, account: &AccountId, registration: &mut Registration, now: Timestamp, tx: &mut Tx<'_>) -> Result<()> {
    let door = |token: &str| keys::self_service(tenant, &keys::sha256_hex(token.as_bytes()));
    let old = Record::at(&door(&registration.self_service_token)).with(ENDED, flag(true)).with(EXPIRES_AT, seconds(now + ENDED_LIFE));
    tx.put(REGISTRATION, old.item(), None)?;
    registration.self_service_token = link_token(crate::random()?);
    let new = Record::at(&door(&registration.self_service_token)).with("accountId", text(account.as_str()));
    tx.put(REGISTRATION, new.item(), Some(Condition::absent(StoreError::Conflict)))
}

/// Whether one was confirmed.
fn forget_addresses(tenant: &TenantId, registration: &mut Registration, tx: &mut Tx<'_>) -> Result<bool> {
    forget_pending(tenant, registration, tx)?;
    registration.replaced = None;
    if let Some(hash) = registration.confirmed_by.take() {
        tx.delete(&keys::confirmation(tenant, &hash), None)?;
    }
    Ok(registration.confirmed.take().is_some())
}

fn forget_pending(tenant: &TenantId, registration: &mut Registration, tx: &mut Tx<'_>) -> Result<()> {
    match registration.pending.take() {
        Some(pending) => tx.delete(&keys::confirmation(tenant, &pending.confirmation_hash), None),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_reading_that_was_stored_late_is_not_lost() {
        let job = |id: &str| JobId::new(id).unwrap();
        let none = Receipted::default();
        assert!(none.is_new(&job("a"), at("2026-11-21T12:00:00Z")));
        let some = none.with(&[(job("a"), at("2026-11-21T12:00:00Z")), (job("b"), at("2026-11-21T11:00:00Z"))]);
        assert!(!some.is_new(&job("a"), at("2026-11-21T12:00:00Z")));
        assert!(!some.is_new(&job("b"), at("2026-11-21T11:00:00Z")), "long ago");
        assert!(some.is_new(&job("c"), at("2026-11-21T11:59:30Z")), "sent before, stored after");
        assert!(some.is_new(&job("a"), at("2026-11-21T12:00:01Z")), "read again");
        let more = some.with(&[(job("c"), at("2026-11-21T11:59:30Z"))]);
        assert!(!more.is_new(&job("c"), at("2026-11-21T11:59:30Z")) && !more.is_new(&job("a"), at("2026-11-21T12:00:00Z")));
        let later = more.with(&[(job("d"), at("2026-11-21T13:00:00Z"))]);
        assert_eq!(later.recent.len(), 1, "what is long ago is not kept one by one");
    }

    #[test]
    fn a_receipt_of_one_reading_alone_leaves_the_others_new() {
        let [electricity, gas, water] = ["electricity", "gas", "water"].map(|id| JobId::new(id).unwrap());
        let [eight, nine, eleven] = ["08", "09", "11"].map(|hour| at(&format!("2026-11-21T{hour}:00:00Z")));
        for before in [Receipted::default(), Receipted::default().with(&[(water.clone(), eight)])] {
            let told = before.with_one(&gas, eleven);
            assert!(told.is_new(&electricity, nine), "it came in a file, without a receipt");
            assert!(!told.is_new(&gas, eleven));
            let asked = told.with(&[(electricity.clone(), nine)]);
            assert!(!asked.is_new(&electricity, nine) && !asked.is_new(&gas, eleven), "one receipt each");
        }
        let many =
            (0..=MOST_REMEMBERED as i64).fold(Receipted::default(), |told, n| told.with_one(&gas, eight + SignedDuration::from_secs(n)));
        assert_eq!(many.recent.len(), MOST_REMEMBERED);
    }
}
