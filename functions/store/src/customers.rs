//! What staff see of a customer at once, beside jobs and readings: a bounded number of items.

use domain::audit::Action;
use domain::email::EmailAddress;
use domain::ids::{AccountId, JobId, TenantId};
use futures::future::try_join_all;
use futures::try_join;
use jiff::Timestamp;

use crate::accounts::StoredAccount;
use crate::db::{Range, Read};
use crate::item::{Fields, Item, text};
use crate::keys;
use crate::mails::MailState;
use crate::reminders::Reminded;
use crate::retention::BEGINNING;
use crate::shares::StoredShare;
use crate::table::SORT_KEY;
use crate::{Access, Account, AuditFilter, AuditRecord, ListedSession, ReadingWithoutJob, Registration, Result, Share, Store};

/// Most mails that are looked at; an account gets a handful a year.
const MOST_MAILS: u32 = 200;
/// Most shares that are shown.
const MOST_SHARES: u32 = 50;
/// Most readings without a job that are shown.
const MOST_WITHOUT_JOB: u32 = 10;

/// A customer of the utility, beside jobs and readings.
#[derive(Debug, Clone)]
pub struct Customer {
    /// The account.
    pub account: Account,
    /// Until when the letter's link opens; none: there is no link.
    pub link_until: Option<Timestamp>,
    /// Further links open, too.
    pub has_further_links: bool,
    /// Its registration for digital communication.
    pub registration: Option<Registration>,
    /// Its addresses that get no mail, and since when.
    pub suppressed: Vec<(EmailAddress, Timestamp)>,
    /// When it was invited by mail last.
    pub invited_at: Option<Timestamp>,
    /// When it was reminded by mail last.
    pub reminded_at: Option<Timestamp>,
    /// What was sent to it, the last mail first.
    pub mails: Vec<SentMail>,
    /// Letters that were made for it alone, the last one first, as far as the audit trail reaches.
    pub letters: Vec<MadeLetter>,
    /// When the last letter of a season's was drawn that was handed over, and who did that.
    pub lettered: Option<(Timestamp, String)>,
    /// When that letter came back, and who said so.
    pub returned: Option<(Timestamp, String)>,
    /// The account's sessions, the one that was used last first.
    pub sessions: Vec<ListedSession>,
    /// The account's shares.
    pub shares: Vec<Share>,
    /// Readings of meters without a job.
    pub without_job: Vec<ReadingWithoutJob>,
    /// There are more mails, letters, shares or readings without a job than were looked at.
    pub is_cut: bool,
}

/// A mail to a customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentMail {
    /// What it is about, as [`crate::MailKind`] is stored.
    pub kind: String,
    /// The mail's state.
    pub state: MailState,
    /// The time of sending.
    pub at: Timestamp,
}

/// A letter that was made for one customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeLetter {
    /// The time at which the letter was made.
    pub at: Timestamp,
    /// By whom: a member's name, or who gave the command.
    pub by: String,
    /// It told new login data, and was made at the desk; otherwise it is one of the command `letters reprint`.
    pub is_of_desk: bool,
}

impl Store {
    /// What there is about one of the utility's own accounts beside jobs and readings: six reads at once, one of what its addresses are, and one for each reading without a job. None: there is no
    /// such account, or it is a sub-account.
    pub async fn customer(&self, tenant: &TenantId, account: &AccountId, now: Timestamp) -> Result<Option<Customer>> {
        let key = keys::account(tenant, account);
        let registration = keys::registration(tenant, account);
        let (invitation, reminders) = (keys::invitation(tenant, account), keys::reminders(tenant, account));
        let heads = [key.clone(), registration.clone(), invitation.clone(), reminders.clone()];
        let owner = Access::owner(account.clone());
        let (found, mails, letters, sessions, shares, without_job) = try_join!(
            self.get_batch(&heads, Read::Latest),
            self.some_of(tenant, account, "MAIL#", MOST_MAILS),
            // Without it all reads together are a future too large for the stack of a thread.
            Box::pin(self.letters(tenant, account, now)),
            self.sessions(tenant, &owner, now),
            self.some_of(tenant, account, keys::SHARES, MOST_SHARES),
            self.some_of(tenant, account, keys::WITHOUT_JOB, MOST_WITHOUT_JOB),
        )?;
        let Some(stored) = found.get(&key).map(StoredAccount::read).transpose()? else { return Ok(None) };
        if stored.account.share.is_some() {
            return Ok(None);
        }
        let registered = found.get(&registration).map(Registration::read).transpose()?;
        let mut addresses: Vec<_> = stored.account.email.iter().chain(registered.iter().flat_map(Registration::addresses)).collect();
        addresses.sort_by_key(|address| address.as_str());
        addresses.dedup();
        let suppressed = self.suppressed(tenant, &addresses, now).await?;
        let is_cut = mails.1 || letters.1 || shares.1 || without_job.1;
        let mut mails = mails.0.iter().map(sent_mail).collect::<Result<Vec<_>>>()?;
        mails.sort_by_key(|mail| std::cmp::Reverse(mail.at));
        let shares = shares.0.iter().map(StoredShare::read).collect::<Result<Vec<_>>>()?;
        let shares = shares.into_iter().filter(|share| !share.ended).map(|share| share.share).collect();
        let ids =
            without_job.0.iter().map(|item| Ok(Fields(item).text(SORT_KEY)?.trim_start_matches(keys::WITHOUT_JOB).parse::<JobId>().ok()));
        let ids = ids.collect::<Result<Vec<_>>>()?;
        let readings = ids.iter().flatten().map(|id| self.reading_without_job(tenant, id));
        Ok(Some(Customer {
            link_until: stored.link.as_ref().map(|link| link.expires_at),
            has_further_links: !stored.further_links.is_empty(),
            account: stored.account,
            registration: registered,
            suppressed,
            invited_at: found.get(&invitation).map(|item| Fields(item).optional_millis("invitedAt")).transpose()?.flatten(),
            lettered: found.get(&invitation).map(|item| crate::invitations::lettered(&Fields(item))).transpose()?.flatten(),
            returned: found.get(&invitation).map(|item| crate::invitations::returned(&Fields(item))).transpose()?.flatten(),
            reminded_at: found.get(&reminders).map(Reminded::read).transpose()?.and_then(|reminded| reminded.last()),
            mails,
            letters: letters.0,
            sessions,
            shares,
            without_job: try_join_all(readings).await?.into_iter().flatten().collect(),
            is_cut,
        }))
    }

    /// The letters that were made for an account alone, and whether there are more.
    async fn letters(&self, tenant: &TenantId, account: &AccountId, now: Timestamp) -> Result<(Vec<MadeLetter>, bool)> {
        let filter = AuditFilter {
            since: BEGINNING,
            until: now,
            account: Some(account.clone()),
            member: None,
            actions: vec![Action::NewLogin, Action::LettersReprint],
        };
        let page = self.audit_page(tenant, &filter, None).await?;
        // A record that an erasure took the account out of is not about the account that has its id now.
        let own = page.records.into_iter().filter(|record| record.customer.is_some());
        let letter = |record: AuditRecord| MadeLetter { at: record.at, is_of_desk: record.member.is_some(), by: record.by };
        Ok((own.map(letter).collect(), page.next_cursor.is_some()))
    }

    /// At most so many items of an account whose sort keys begin so, and whether there are more.
    async fn some_of(&self, tenant: &TenantId, account: &AccountId, beginning: &str, most: u32) -> Result<(Vec<Item>, bool)> {
        let range = Range {
            condition: Some("begins_with(#sk, :beginning)"),
            values: Item::from([(":beginning".into(), text(beginning))]),
            limit: Some(most),
            ..Range::default()
        };
        let page = self.query(&keys::account_partition(tenant, account), range, Read::Recent).await?;
        Ok((page.items, page.more))
    }
}

fn sent_mail(item: &Item) -> Result<SentMail> {
    let fields = Fields(item);
    Ok(SentMail { kind: fields.text("kind")?.to_owned(), state: MailState::read(fields)?, at: fields.millis("created")? })
}
