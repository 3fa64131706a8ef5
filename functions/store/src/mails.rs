//! Mails: one record each, so that a repeated request sends none twice; addresses that get none; limits.
//!
//! No address and no text of a mail is stored, only hashes of addresses.

use std::time::Duration;

use domain::email::EmailAddress;
use domain::ids::{AccountId, TenantId};
use jiff::{SignedDuration, Timestamp};

use crate::accounts::StoredAccount;
use crate::db::{Query, Read, Update, Written};
use crate::item::{Fields, Item, Record, number, seconds, text};
use crate::keys::{self, Key};
use crate::table::{EXPIRES_AT, RESULTS_PARTITION_KEY, RESULTS_SORT_KEY};
use crate::tallies::{SENT, cells_of_sent};
use crate::tx::{Condition, Tx};
use crate::{Result, Store, StoreError};

/// How long a record is kept: as long as the answers to repeated requests.
const LIFE: SignedDuration = SignedDuration::from_hours(35 * 24);
/// How long an address is kept from getting mail after one came back or was not wanted.
const SUPPRESSED_LIFE: SignedDuration = SignedDuration::from_hours(2 * 365 * 24);
const HOUR: i64 = 3600;
/// Mails of a page.
const PAGE: u32 = 25;
const DAY: i64 = 24 * HOUR;
/// The kind of a mail that invites a member of the staff, in counts and tags; it has no record.
pub const STAFF_INVITATION: &str = "staff-invitation";
/// Most such mails of a tenant to one mailbox in a day, and to all together (D-MAILS-7).
const STAFF_INVITATIONS_TO_RECIPIENT: u32 = 5;
const STAFF_INVITATIONS_OF_DAY: u32 = 100;

/// The kind of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailKind {
    /// An access to shared jobs.
    Access,
    /// The link that confirms an address.
    Confirmation,
    /// A receipt of an account's readings.
    Receipt,
    /// A receipt of a reading without a job.
    VisitorReceipt,
    /// A reminder of open jobs.
    Reminder,
    /// An invitation to open jobs.
    Invitation,
    /// That another address has taken the place of this one.
    AddressChanged,
    /// That a reading was not accepted, and why.
    Rejection,
}

impl MailKind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Access,
        Self::Confirmation,
        Self::Receipt,
        Self::VisitorReceipt,
        Self::Reminder,
        Self::Invitation,
        Self::AddressChanged,
        Self::Rejection,
    ];

    /// Its name in records, tags and metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Access => "access",
            Self::Confirmation => "confirmation",
            Self::Receipt => "receipt",
            Self::VisitorReceipt => "unknown-receipt",
            Self::Reminder => "reminder",
            Self::Invitation => "invitation",
            Self::AddressChanged => "address-changed",
            Self::Rejection => "rejection",
        }
    }

    /// Most mails of this kind that one address gets of a tenant in a day (D-MAILS-7), because another person may have named it; none: its owner has
    /// confirmed it, or the utility's own file has it.
    const fn most_to_recipient(self) -> Option<u32> {
        match self {
            // A manager may share with one caretaker several times on one day.
            Self::Access => Some(20),
            Self::Confirmation => Some(5),
            // A flat has seldom more meters.
            Self::VisitorReceipt => Some(10),
            Self::Receipt | Self::Reminder | Self::Invitation | Self::AddressChanged | Self::Rejection => None,
        }
    }

    /// How many of a hundred recipients of the tenant's day mails of this kind may take (D-MAILS-11); none: all.
    const fn part_of_day(self) -> Option<u32> {
        match self {
            Self::Access => Some(40),
            Self::VisitorReceipt => Some(20),
            Self::Confirmation | Self::Receipt | Self::Reminder | Self::Invitation | Self::AddressChanged | Self::Rejection => None,
        }
    }

    /// How many recipients of the tenant's day there may be with one of this kind. A mail to the owner of an address that was replaced is not asked for a
    /// second time, and a confirmation, which has its own bounds, goes before each (D-MAILS-11).
    const fn most_of_day(self, limit: u32) -> u32 {
        match self {
            Self::AddressChanged => u32::MAX,
            _ => limit,
        }
    }

    /// How many of a hundred one account of the utility's own may take with all accounts below it; none: what asks for them is bounded elsewhere.
    const fn part_of_account(self) -> Option<u32> {
        match self {
            Self::Access => Some(20),
            Self::Confirmation | Self::Receipt => Some(10),
            Self::VisitorReceipt | Self::Reminder | Self::Invitation | Self::AddressChanged | Self::Rejection => None,
        }
    }
}

/// Of a hundred recipients of a tenant's day: when its operator is told that the day is nearly used up.
const NEARLY_FULL: u32 = 80;

/// So many of a hundred of a tenant's recipients of a day, rounded up.
const fn part_of(tenant_limit: u32, percent: u32) -> u32 {
    (tenant_limit as u64 * percent as u64).div_ceil(100) as u32
}

/// What became of a mail. A mail only goes from an earlier to a later state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MailState {
    /// A request or worker is about to send it.
    Claimed,
    /// The mail service has it.
    Sent,
    /// The recipient's server has it.
    Delivered,
    /// It came back.
    Bounced,
    /// The recipient called it spam.
    Complained,
}

impl MailState {
    const ALL: [Self; 5] = [Self::Claimed, Self::Sent, Self::Delivered, Self::Bounced, Self::Complained];

    pub(crate) fn read(fields: Fields<'_>) -> Result<Self> {
        let rank = fields.number("progress")?;
        let state = usize::try_from(rank).ok().and_then(|rank| Self::ALL.get(rank).copied());
        state.ok_or_else(|| StoreError::Internal { operation: "mail", reason: format!("there is no state {rank}") })
    }
}

/// A mail that is to be sent.
#[derive(Debug, Clone)]
pub struct NewMail<'a> {
    /// Its id, unique in the account: 1 to 64 letters, digits or hyphens.
    pub id: &'a str,
    /// The account of the mail.
    pub account: &'a AccountId,
    /// The account at the top of the chain, against which it counts: sub-accounts are free.
    pub top: &'a AccountId,
    /// The kind of the mail.
    pub kind: MailKind,
    /// Hash of the recipient's address.
    pub recipient_hash: &'a str,
    /// Hash of the mailbox that the address leads to, by which recipients are counted.
    pub mailbox_hash: &'a str,
    /// Hash of the request that wants it.
    pub request_hash: &'a str,
    /// Most recipients an hour, of mails of one kind, for the account at the top with all accounts below it.
    pub account_limit: u32,
    /// Most recipients a day for the tenant.
    pub tenant_limit: u32,
}

/// Who may send a mail: one at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease(i64);

impl Lease {
    /// How long a sender may take until another one goes on in its place: it must begin to hand the mail over so early that the call
    /// ends before that.
    pub const LIFE: Duration = Duration::from_secs(8);

    fn from(now: Timestamp) -> Self {
        Self((now + Self::LIFE).as_millisecond())
    }
}

/// Whether a mail is to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailClaim {
    /// Send it, then [`Store::mail_sent`] or [`Store::release_mail`].
    Claimed(Lease),
    /// It was sent for the same request before.
    Sent,
    /// Another request is sending it.
    Held {
        /// The time until that must be over.
        retry_after: Duration,
    },
    /// The id was used for another request.
    KeyReused,
}

/// A mail's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailRecord {
    /// The kind of the mail.
    pub kind: String,
    /// The mail's state.
    pub state: MailState,
    /// The mail service's id of it.
    pub message_id: Option<String>,
}

/// A mail of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedMail {
    /// The account of the mail.
    pub account: AccountId,
    /// What the account is called; none: it is a visitor's, or gone.
    pub name: Option<String>,
    /// The mail's state.
    pub state: MailState,
    /// The time of sending.
    pub at: Timestamp,
}

/// Some mails, the latest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailsPage {
    /// At most 25.
    pub mails: Vec<ListedMail>,
    /// For the next ones; none: these were the last.
    pub next_cursor: Option<String>,
}

/// What the mail service says of a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailEvent {
    /// The tenant.
    pub tenant: TenantId,
    /// The account of the mail, and the mail's id; none: it is a [`STAFF_INVITATION`], which has no record.
    pub record: Option<(AccountId, String)>,
    /// When the mail service took it, as far as it says so.
    pub sent_at: Option<Timestamp>,
    /// The kind of the event.
    pub kind: MailEventKind,
    /// Hashes of the addresses that get no more mail; none for a delivery and for what may work tomorrow.
    pub suppress: Vec<String>,
}

/// What can happen to a mail once it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailEventKind {
    /// The recipient's server took it.
    Delivered,
    /// It came back.
    Bounced,
    /// The recipient called it spam.
    Complained,
}

impl MailEventKind {
    fn state(self) -> MailState {
        match self {
            Self::Delivered => MailState::Delivered,
            Self::Bounced => MailState::Bounced,
            Self::Complained => MailState::Complained,
        }
    }
}

/// The change that an event made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noted {
    /// The mail's state.
    Changed,
    /// Nothing: the mail is that far already.
    Known,
    /// Nothing: there is no such mail, or not yet.
    UnknownMail,
}

impl Store {
    /// Asks whether this mail is to be sent; one transaction for a new one. Its recipient is counted once, however often it is tried.
    ///
    /// [`StoreError::RecipientSuppressed`] and [`StoreError::TooManyRecipients`] refuse it.
    pub async fn claim_mail(&self, tenant: &TenantId, mail: &NewMail<'_>, now: Timestamp) -> Result<MailClaim> {
        let lease = Lease::from(now);
        let mut put = self.put_mail(tenant, mail, lease, now, Day::Begun).await;
        // The count is not read while there is room, so that only the day's last mails cost more.
        if let Err(StoreError::MailDayNearlyFull) = put {
            self.meter().mail_day_nearly_full(tenant);
            put = self.put_mail(tenant, mail, lease, now, Day::NearlyFull).await;
        }
        match put {
            Ok(()) => Ok(MailClaim::Claimed(lease)),
            Err(StoreError::Conflict) => self.claim_again(tenant, mail, now).await,
            Err(error) => Err(error),
        }
    }

    async fn put_mail(&self, tenant: &TenantId, mail: &NewMail<'_>, lease: Lease, now: Timestamp, of: Day) -> Result<()> {
        let mut tx = Tx::new(self);
        let record = Record::at(&keys::mail(tenant, mail.account, mail.id))
            .with("kind", text(mail.kind.as_str()))
            .with("progress", number(MailState::Claimed as u8))
            .with("requestHash", text(mail.request_hash))
            .with("recipientHash", text(mail.recipient_hash))
            .with("leaseUntil", number(lease.0))
            .with("created", number(now.as_millisecond()))
            .with(RESULTS_PARTITION_KEY, text(keys::mails_of_kind(tenant, mail.kind.as_str())))
            .with(RESULTS_SORT_KEY, text(keys::mail_at(now, mail.account, mail.id)))
            .with(EXPIRES_AT, seconds(now + LIFE));
        tx.put("the mail", record.item(), Some(Condition::absent(StoreError::Conflict)))?;
        tx.check(&keys::suppressed(tenant, mail.recipient_hash), suppressed_no_more(now))?;
        let (kind, limit) = (mail.kind.as_str(), mail.tenant_limit);
        let (hour, day) = (now.strftime("%Y-%m-%dT%H").to_string(), now.strftime("%Y-%m-%d").to_string());
        count_recipient(&mut tx, &keys::recipients_of_account(tenant, mail.top, kind, &hour), mail.account_limit, HOUR, now)?;
        if let Some(percent) = mail.kind.part_of_account() {
            let of_account = keys::recipients_of_account(tenant, mail.top, kind, &day);
            count_recipient(&mut tx, &of_account, part_of(limit, percent), DAY, now)?;
        }
        if let Some(most) = mail.kind.most_to_recipient() {
            count_recipient(&mut tx, &keys::mails_to_recipient(tenant, mail.mailbox_hash, kind, &day), most, DAY, now)?;
        }
        if let Some(percent) = mail.kind.part_of_day() {
            count_recipient(&mut tx, &keys::recipients_of_kind(tenant, kind, &day), part_of(limit, percent), DAY, now)?;
        }
        // Last, so that a mail which is refused anyway does not report that the day is nearly used up.
        let of_tenant = keys::recipients_of_tenant(tenant, &day);
        self.count_mail(&mut tx, tenant, mail.account, kind, now, 1).await?;
        match of {
            Day::Begun => count_up(&mut tx, &of_tenant, part_of(limit, NEARLY_FULL), DAY, now, StoreError::MailDayNearlyFull)?,
            Day::NearlyFull => count_recipient(&mut tx, &of_tenant, mail.kind.most_of_day(limit), DAY, now)?,
        }
        tx.commit("the mail").await
    }

    /// Asks again for a mail that another request is sending; [`StoreError::Conflict`] when there is no record of it any more.
    pub async fn claim_again(&self, tenant: &TenantId, mail: &NewMail<'_>, now: Timestamp) -> Result<MailClaim> {
        let lease = Lease::from(now);
        let key = keys::mail(tenant, mail.account, mail.id);
        let Some(item) = self.get(&key, Read::Latest).await? else { return Err(StoreError::Conflict) };
        let fields = Fields(&item);
        if fields.text("requestHash")? != mail.request_hash {
            return Ok(MailClaim::KeyReused);
        }
        if MailState::read(fields)? != MailState::Claimed {
            return Ok(MailClaim::Sent);
        }
        let held_until = fields.number("leaseUntil")?;
        let left = held_until - now.as_millisecond();
        if let Ok(left @ 1..) = u64::try_from(left) {
            return Ok(MailClaim::Held { retry_after: Duration::from_millis(left) });
        }
        let values =
            Item::from([(":lease".into(), number(lease.0)), (":before".into(), number(held_until)), (":claimed".into(), number(0))]);
        let condition = Some("leaseUntil = :before AND progress = :claimed");
        let taken = self.update(Update { key: &key, expression: "SET leaseUntil = :lease", condition, values }).await?;
        Ok(match taken {
            Written::Done => MailClaim::Claimed(lease),
            // Another request took it just now.
            Written::Refused(_) => MailClaim::Held { retry_after: Lease::LIFE },
        })
    }

    /// The mail service took the mail.
    pub async fn mail_sent(&self, tenant: &TenantId, account: &AccountId, mail: &str, message_id: &str) -> Result<()> {
        let values = Item::from([
            (":sent".into(), number(MailState::Sent as u8)),
            (":claimed".into(), number(MailState::Claimed as u8)),
            (":message".into(), text(message_id)),
        ]);
        let key = keys::mail(tenant, account, mail);
        // Refused when an event was faster: the mail is further than sent.
        self.update(Update {
            key: &key,
            expression: "SET progress = :sent, messageId = :message",
            condition: Some("progress = :claimed"),
            values,
        })
        .await?;
        Ok(())
    }

    /// The mail is not to be sent after all. It is forgotten, so that another request for it is counted again.
    pub async fn forget_mail(&self, tenant: &TenantId, account: &AccountId, mail: &str, lease: Lease) -> Result<()> {
        let values = Item::from([(":lease".into(), number(lease.0)), (":claimed".into(), number(MailState::Claimed as u8))]);
        let key = keys::mail(tenant, account, mail);
        let Some(item) = self.get(&key, Read::Latest).await? else { return Ok(()) };
        let (kind, created) = (Fields(&item).text("kind")?, Fields(&item).millis("created")?);
        let mut tx = Tx::new(self);
        let its = Condition { expression: "leaseUntil = :lease AND progress = :claimed", values, refusal: StoreError::Conflict };
        tx.delete(&key, Some(its))?;
        self.count_mail(&mut tx, tenant, account, kind, created, -1).await?;
        match tx.commit("the mail").await {
            // Not its any more when another request went on with it.
            Ok(()) | Err(StoreError::Conflict) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn count_mail(
        &self,
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        account: &AccountId,
        kind: &str,
        at: Timestamp,
        times: i64,
    ) -> Result<()> {
        let zone = self.zone(tenant).await?;
        tx.count(keys::account_change_shard(account), tenant, SENT, &cells_of_sent(kind, at, zone.as_ref(), times));
        Ok(())
    }

    /// The mail was certainly not sent: the next request may try at once.
    pub async fn release_mail(&self, tenant: &TenantId, account: &AccountId, mail: &str, lease: Lease) -> Result<()> {
        let values = Item::from([
            (":free".into(), number(0)),
            (":lease".into(), number(lease.0)),
            (":claimed".into(), number(MailState::Claimed as u8)),
        ]);
        let key = keys::mail(tenant, account, mail);
        self.update(Update {
            key: &key,
            expression: "SET leaseUntil = :free",
            condition: Some("leaseUntil = :lease AND progress = :claimed"),
            values,
        })
        .await?;
        Ok(())
    }

    /// Counts one more mail that invites this person to the staff; [`StoreError::TooManyRecipients`] refuses it.
    pub async fn count_staff_invitation(&self, tenant: &TenantId, email: &EmailAddress, now: Timestamp) -> Result<()> {
        let day = now.strftime("%Y-%m-%d").to_string();
        let of_recipient = keys::mails_to_recipient(tenant, &email.mailbox_hash(), STAFF_INVITATION, &day);
        let of_day = keys::recipients_of_kind(tenant, STAFF_INVITATION, &day);
        let mut tx = Tx::new(self);
        count_recipient(&mut tx, &of_recipient, STAFF_INVITATIONS_TO_RECIPIENT, DAY, now)?;
        count_recipient(&mut tx, &of_day, STAFF_INVITATIONS_OF_DAY, DAY, now)?;
        tx.commit("the count").await
    }

    /// A mail's record.
    pub async fn mail(&self, tenant: &TenantId, account: &AccountId, mail: &str) -> Result<Option<MailRecord>> {
        let item = self.get(&keys::mail(tenant, account, mail), Read::Latest).await?;
        item.map(|item| {
            let fields = Fields(&item);
            Ok(MailRecord {
                kind: fields.text("kind")?.to_owned(),
                state: MailState::read(fields)?,
                message_id: fields.optional_text("messageId")?.map(str::to_owned),
            })
        })
        .transpose()
    }

    /// The mails of a kind that were sent from one time until before another, of the last 35 days; two reads.
    pub async fn mails_of_kind(
        &self,
        tenant: &TenantId,
        kind: MailKind,
        (from, until): (Timestamp, Timestamp),
        cursor: Option<&str>,
        now: Timestamp,
    ) -> Result<MailsPage> {
        let (first, last) = (keys::instant(from.max(now - LIFE)), cursor.map_or_else(|| keys::instant(until), str::to_owned));
        if first > last {
            return Ok(MailsPage { mails: Vec::new(), next_cursor: None });
        }
        let query = Query {
            partition: &keys::mails_of_kind(tenant, kind.as_str()),
            index: true,
            newest_first: true,
            condition: "gsi1sk BETWEEN :from AND :to",
            filter: None,
            values: Item::from([(":from".into(), text(first)), (":to".into(), text(last))]),
            // The one too many is where the next page begins.
            limit: Some(PAGE + 1),
            after: None,
            read: Read::Recent,
        };
        let mut items = self.query_narrowed(&query).await?.items;
        let over = items.split_off(items.len().min(PAGE as usize));
        let next_cursor = over.first().map(|item| Fields(item).text(RESULTS_SORT_KEY).map(str::to_owned)).transpose()?;
        let mut mails = Vec::with_capacity(items.len());
        for item in &items {
            let fields = Fields(item);
            let place = fields.text(RESULTS_SORT_KEY)?.split('#').nth(1).unwrap_or_default();
            let account: AccountId =
                place.parse().map_err(|_| StoreError::Internal { operation: "mails", reason: "a mail is nobody's".to_owned() })?;
            mails.push(ListedMail { account, name: None, state: MailState::read(fields)?, at: fields.millis("created")? });
        }
        let mut wanted: Vec<_> = mails.iter().map(|mail| keys::account(tenant, &mail.account)).collect();
        wanted.sort();
        wanted.dedup();
        let accounts = self.get_many(&wanted, None, Read::Recent).await?;
        for mail in &mut mails {
            let item = accounts.get(&keys::account(tenant, &mail.account));
            mail.name = item.map(|item| Ok::<_, StoreError>(StoredAccount::read(item)?.account.name)).transpose()?;
        }
        Ok(MailsPage { mails, next_cursor })
    }

    /// Notes what the mail service says of a mail, and which addresses get no more; saying it again changes nothing.
    pub async fn note_mail_event(&self, event: &MailEvent, now: Timestamp) -> Result<Noted> {
        for recipient_hash in &event.suppress {
            self.suppress(&event.tenant, recipient_hash, now).await?;
        }
        let Some((account, mail)) = &event.record else { return Ok(Noted::Known) };
        let values = Item::from([(":next".into(), number(event.kind.state() as u8))]);
        let key = keys::mail(&event.tenant, account, mail);
        let condition = Some("attribute_exists(pk) AND progress < :next");
        Ok(match self.update(Update { key: &key, expression: "SET progress = :next", condition, values }).await? {
            Written::Done => Noted::Changed,
            Written::Refused(Some(_)) => Noted::Known,
            Written::Refused(None) => Noted::UnknownMail,
        })
    }

    /// This address gets no more mail of the tenant, for two years.
    pub async fn suppress(&self, tenant: &TenantId, recipient_hash: &str, now: Timestamp) -> Result<()> {
        let key = keys::suppressed(tenant, recipient_hash);
        self.put(Record::at(&key).with("since", number(now.as_millisecond())).with(EXPIRES_AT, seconds(now + SUPPRESSED_LIFE)).item()).await
    }

    /// Which of these addresses get no mail of the tenant, and since when.
    pub async fn suppressed(
        &self,
        tenant: &TenantId,
        addresses: &[&EmailAddress],
        now: Timestamp,
    ) -> Result<Vec<(EmailAddress, Timestamp)>> {
        let wanted: Vec<_> = addresses.iter().map(|address| keys::suppressed(tenant, &address.hash())).collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.get_batch(&wanted, Read::Latest).await?;
        let mut suppressed = Vec::new();
        for (address, key) in addresses.iter().zip(&wanted) {
            let Some(item) = found.get(key) else { continue };
            if Fields(item).number(EXPIRES_AT)? > now.as_second() {
                suppressed.push(((*address).clone(), Fields(item).millis("since")?));
            }
        }
        Ok(suppressed)
    }

    /// This address gets mail again.
    pub async fn lift_suppression(&self, tenant: &TenantId, recipient_hash: &str) -> Result<()> {
        self.delete(&keys::suppressed(tenant, recipient_hash), None).await
    }
}

/// The address may get mail: it was never suppressed, or long ago.
fn suppressed_no_more(now: Timestamp) -> Condition {
    Condition {
        expression: "attribute_not_exists(pk) OR expiresAt <= :now",
        values: Item::from([(":now".into(), seconds(now))]),
        refusal: StoreError::RecipientSuppressed,
    }
}

/// How much of the tenant's day a mail may be counted in.
#[derive(Clone, Copy)]
enum Day {
    /// Up to where its operator is told; a mail beyond is [`StoreError::MailDayNearlyFull`].
    Begun,
    /// All of it.
    NearlyFull,
}

/// One more recipient in a window of so many seconds, if there is room.
fn count_recipient(tx: &mut Tx<'_>, key: &Key, limit: u32, window: i64, now: Timestamp) -> Result<()> {
    let left = u64::try_from(window - now.as_second().rem_euclid(window)).unwrap_or_default();
    count_up(tx, key, limit, window, now, StoreError::TooManyRecipients { retry_after: Duration::from_secs(left) })
}

fn count_up(tx: &mut Tx<'_>, key: &Key, limit: u32, window: i64, now: Timestamp, refusal: StoreError) -> Result<()> {
    let Some(most_before) = limit.checked_sub(1) else { return Err(refusal) };
    let room = Condition {
        expression: "attribute_not_exists(recipients) OR recipients <= :most",
        values: Item::from([(":most".into(), number(most_before))]),
        refusal,
    };
    let expires_at = now + SignedDuration::from_secs(2 * window);
    let values = Item::from([(":one".into(), number(1)), (":expiresAt".into(), seconds(expires_at))]);
    tx.update(key, "ADD recipients :one SET expiresAt = :expiresAt", values, Some(room))
}
