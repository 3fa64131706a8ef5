//! Erasure of a person's data on request (GDPR, Art. 17).
//!
//! A request is an item of its own until everything is gone, so that an erasure that was stopped goes on. What stays is a record that
//! names no person: a fingerprint, by which a restored table can be cleaned again (D-STORAGE-4).

use std::slice;

use domain::erasure::ErasureGround;
use domain::ids::{AccountId, JobId, MemberId, TenantId};
use domain::login::fold_name;
use domain::search::Findable;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::accounts::StoredAccount;
use crate::clearing::corrections_of;
use crate::db::{Range, Read};
use crate::item::{Fields, Item, Record, key_of, number, text};
use crate::keys::{self, Key};
use crate::search::put_entries;
use crate::tx::{Condition, Tx};
use crate::{ClearingEntry, DeadLetter, Delivery, LedgerEntry, Photos, Result, Store, StoreError, StoredJob};

/// When the last look comes: a client that was logged in has no access token any more (15 minutes), and no permission to put a photo (15 more).
const LAST_LOOK: SignedDuration = SignedDuration::from_hours(1);
/// Where an erasure says that it awaits a second member.
const AWAITS_SECOND: &str = "awaitsSecond";
/// Items of one page.
const PAGE: u32 = 25;

/// An erasure that is not through yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// Whose data it is: an account with all that it shared.
    pub account: AccountId,
    /// Of a sub-account, the accounts above: the utility's own first, the one that made the share last.
    pub ancestors: Vec<AccountId>,
    /// The time of the request.
    pub requested_at: Timestamp,
    /// When everything was gone for the first time.
    pub erased_at: Option<Timestamp>,
    /// Who asked for it at the desk; none: a command did, or the end of the tenant's time limit.
    pub asked: Option<AskedErasure>,
    /// Nothing happens before another member has confirmed it.
    pub awaits_second: bool,
}

/// Who asked for an erasure, and on which ground.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AskedErasure {
    /// The member who asked for it.
    pub member: MemberId,
    /// The member's name at that time.
    pub by: String,
    /// The ground.
    pub ground: ErasureGround,
}

/// What stays of an erasure: nothing that names a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErasureRecord {
    /// SHA-256 of tenant and account.
    pub fingerprint: String,
    /// The time of the request.
    pub requested_at: Timestamp,
    /// The time at which everything was gone.
    pub erased_at: Timestamp,
}

/// The result of one run of an erasure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Erased {
    /// Deleted items of the table.
    pub items: usize,
    /// Deleted versions of objects.
    pub objects: usize,
    /// Everything is gone.
    pub finished: bool,
}

impl Erased {
    /// A run erases something at least, so that runs that are too short come to an end too.
    fn is_begun(self) -> bool {
        self.items + self.objects > 0
    }
}

/// Tells when a run should begin nothing new.
pub type IsOver<'a> = &'a (dyn Fn() -> bool + Sync);

/// By what an erased account is found again in a restored table.
pub fn fingerprint(tenant: &TenantId, account: &AccountId) -> String {
    keys::sha256_hex(format!("{tenant}/{account}").as_bytes())
}

fn still_awaits() -> Condition {
    Condition { expression: "attribute_exists(awaitsSecond)", values: Item::new(), refusal: StoreError::Conflict }
}

impl Erasure {
    fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        let erased_at = item.contains_key("erasedAt").then(|| fields.millis("erasedAt")).transpose()?;
        Ok(Self {
            account: fields.parsed("accountId")?,
            ancestors: fields.json("ancestors")?,
            requested_at: fields.millis("requestedAt")?,
            erased_at,
            asked: item.contains_key("asked").then(|| fields.json("asked")).transpose()?,
            awaits_second: item.contains_key(AWAITS_SECOND),
        })
    }

    fn item(&self, tenant: &TenantId) -> Result<Item> {
        Ok(Record::at(&keys::erasure(tenant, &fingerprint(tenant, &self.account)))
            .with("accountId", text(self.account.as_str()))
            .with("ancestors", crate::item::json(&self.ancestors)?)
            .with("requestedAt", number(self.requested_at.as_millisecond()))
            .with_some("erasedAt", self.erased_at.map(|time| number(time.as_millisecond())))
            .with_some("asked", self.asked.as_ref().map(crate::item::json).transpose()?)
            .with_some(AWAITS_SECOND, self.awaits_second.then(|| text("1")))
            .item())
    }
}

impl Store {
    /// Asks for the erasure of an account; asking again while it is under way changes nothing, and one that awaits a second member begins.
    pub async fn request_erasure(&self, tenant: &TenantId, account: &AccountId, now: Timestamp) -> Result<Erasure> {
        let erasure = match self.erasure(tenant, account).await? {
            Some(erasure) if !erasure.awaits_second => return Ok(erasure),
            Some(erasure) => Erasure { awaits_second: false, ..erasure },
            None => {
                let ancestors = self.ancestors(tenant, account).await?;
                Erasure { account: account.clone(), ancestors, requested_at: now, erased_at: None, asked: None, awaits_second: false }
            }
        };
        self.put(erasure.item(tenant)?).await?;
        Ok(erasure)
    }

    /// Asks for the erasure of an account at the desk; the worker carries it out, with `awaits_second` once another member has confirmed it. An erasure that was
    /// asked for before stays as it is.
    pub async fn ask_for_erasure(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        asked: AskedErasure,
        awaits_second: bool,
        now: Timestamp,
    ) -> Result<Erasure> {
        let ancestors = self.ancestors(tenant, account).await?;
        let erasure =
            Erasure { account: account.clone(), ancestors, requested_at: now, erased_at: None, asked: Some(asked), awaits_second };
        let mut tx = Tx::new(self);
        tx.put("the erasure", erasure.item(tenant)?, Some(Condition::absent(StoreError::Conflict)))?;
        match tx.commit("the erasure").await {
            Ok(()) => Ok(erasure),
            Err(StoreError::Conflict) => Ok(self.erasure(tenant, account).await?.unwrap_or(erasure)),
            Err(error) => Err(error),
        }
    }

    /// Has an erasure that awaits a second member begin; one that does not goes on as it does.
    pub async fn confirm_erasure(&self, tenant: &TenantId, account: &AccountId) -> Result<()> {
        let mut tx = Tx::new(self);
        tx.update(&keys::erasure(tenant, &fingerprint(tenant, account)), "REMOVE awaitsSecond", Item::new(), Some(still_awaits()))?;
        match tx.commit("the erasure").await {
            Ok(()) | Err(StoreError::Conflict) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Takes back what awaits a second member; what does not goes on.
    pub async fn withdraw_erasure(&self, tenant: &TenantId, account: &AccountId) -> Result<()> {
        let mut tx = Tx::new(self);
        tx.delete(&keys::erasure(tenant, &fingerprint(tenant, account)), Some(still_awaits()))?;
        match tx.commit("the erasure").await {
            Ok(()) | Err(StoreError::Conflict) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The account's erasure, if it is not through yet.
    pub async fn erasure(&self, tenant: &TenantId, account: &AccountId) -> Result<Option<Erasure>> {
        let item = self.get(&keys::erasure(tenant, &fingerprint(tenant, account)), Read::Latest).await?;
        item.as_ref().map(Erasure::read).transpose()
    }

    /// Whether an erasure of the account has begun that goes on taking along what is there.
    pub async fn is_being_erased(&self, tenant: &TenantId, account: &AccountId) -> Result<bool> {
        Ok(self.erasure(tenant, account).await?.is_some_and(|erasure| !erasure.awaits_second))
    }

    /// The tenant's erasures that are not through yet, those that await a second member among them.
    pub async fn open_erasures(&self, tenant: &TenantId) -> Result<Vec<Erasure>> {
        self.whole_partition(&keys::erasures(tenant)).await?.iter().map(Erasure::read).collect()
    }

    /// The tenant's erasures by time.
    pub async fn erasure_records(&self, tenant: &TenantId) -> Result<Vec<ErasureRecord>> {
        let items = self.whole_partition(&keys::erasure_records(tenant)).await?;
        items.iter().map(|item| Fields(item).json("record")).collect()
    }

    /// Goes on with an erasure until it is through or the run is over. An hour after everything was gone it looks a last time, for what
    /// a client sent that was still logged in, and forgets whom it was about.
    pub async fn erase(&self, photos: &Photos, tenant: &TenantId, erasure: &Erasure, now: Timestamp, over: IsOver<'_>) -> Result<Erased> {
        let mut erased = Erased::default();
        if !self.erase_account(photos, tenant, erasure, over, &mut erased).await? {
            return Ok(erased);
        }
        erased.finished = true;
        let fingerprint = fingerprint(tenant, &erasure.account);
        match erasure.erased_at {
            None => {
                let record = ErasureRecord { fingerprint: fingerprint.clone(), requested_at: erasure.requested_at, erased_at: now };
                let item = Record::at(&keys::erasure_record(tenant, now, &fingerprint)).with("record", crate::item::json(&record)?).item();
                let mut tx = Tx::new(self);
                tx.put("the record", item, None)?;
                tx.put("the erasure", Erasure { erased_at: Some(now), ..erasure.clone() }.item(tenant)?, None)?;
                tx.commit("the erasure").await?;
            }
            Some(erased_at) if now.duration_since(erased_at) >= LAST_LOOK => {
                self.delete(&keys::erasure(tenant, &fingerprint), None).await?;
            }
            Some(_) => {}
        }
        Ok(erased)
    }

    /// Erases an account and everything below it, the lowest first: what leads to a sub-account goes after it. False: there is more.
    async fn erase_account(
        &self,
        photos: &Photos,
        tenant: &TenantId,
        erasure: &Erasure,
        over: IsOver<'_>,
        erased: &mut Erased,
    ) -> Result<bool> {
        let mut path = vec![erasure.account.clone()];
        while let Some(account) = path.last().cloned() {
            if erased.is_begun() && over() {
                return Ok(false);
            }
            erased.items += self.end_account(tenant, &account).await?;
            if let Some(share) = self.first_share(tenant, &account).await? {
                path.push(share);
                continue;
            }
            if !self.erase_partition(photos, tenant, &account, over, erased).await? {
                return Ok(false);
            }
            erased.objects += photos.erase_uploads(tenant, &account).await?;
            erased.items += self.forget_in_audit(tenant, &account).await?;
            if let Some(root) = erasure.ancestors.first()
                && !self.forget_sender(photos, tenant, root, &account, over, erased).await?
            {
                return Ok(false);
            }
            path.pop();
            if let Some(maker) = path.last().or(erasure.ancestors.last()) {
                erased.items += self.forget_share(tenant, maker, &account).await?;
            }
        }
        Ok(true)
    }

    /// Ends an account with its user name and its link, all at once: without its head no client gets in any more, and nothing else leads to
    /// the other two. [`StoreError::Conflict`] when a hold was set since holds were checked, or the account changed meanwhile.
    async fn end_account(&self, tenant: &TenantId, account: &AccountId) -> Result<usize> {
        let Some(head) = self.get(&keys::account(tenant, account), Read::Latest).await? else { return Ok(0) };
        let stored = StoredAccount::read(&head)?;
        let version = Condition::version(stored.version);
        let mut tx = Tx::new(self);
        tx.delete(&keys::account(tenant, account), Some(version))?;
        let above = stored.account.share.iter().flat_map(|share| &share.ancestors);
        for held in above.chain([account]) {
            tx.check(&keys::hold(tenant, held), Condition::absent(StoreError::Conflict))?;
        }
        let mut items = 1;
        if let Some(name) = &stored.account.username {
            let name = fold_name(name);
            tx.delete(&keys::name(tenant, &name), None)?;
            tx.delete(&keys::attempts_with_name(tenant, &name), None)?;
            items += 2;
        }
        for link in stored.links() {
            tx.delete(&keys::link(tenant, link), None)?;
            items += 1;
        }
        items += Findable::parse(&stored.findable).entries().count();
        put_entries(&mut tx, tenant, account, None, &stored.findable, "")?;
        tx.commit("the account").await?;
        if stored.account.share.is_some() {
            self.uncount_share(tenant, stored.account.top()).await?;
        }
        Ok(items)
    }

    /// Deletes everything in an account's partition, and what hangs on its jobs. False: there is more.
    async fn erase_partition(
        &self,
        photos: &Photos,
        tenant: &TenantId,
        account: &AccountId,
        over: IsOver<'_>,
        erased: &mut Erased,
    ) -> Result<bool> {
        let partition = keys::account_partition(tenant, account);
        let dead = self.dead_letters(tenant).await?;
        loop {
            let range = Range { limit: Some(PAGE), ..Range::default() };
            let page = self.query(&partition, range, Read::Latest).await?;
            if page.items.is_empty() {
                return Ok(true);
            }
            for item in &page.items {
                if erased.is_begun() && over() {
                    return Ok(false);
                }
                let key = key_of(item)?;
                let without_job = key.sk.strip_prefix(keys::WITHOUT_JOB).map(str::parse::<JobId>);
                match (keys::job_at(&key.sk), without_job) {
                    (Some(job), _) => {
                        self.discard_dead_letters(tenant, &job, &dead, erased).await?;
                        self.erase_job(photos, tenant, account, &job, item, erased).await?;
                    }
                    (_, Some(Ok(reading))) => {
                        erased.objects += self.erase_without_job(photos, tenant, account, &reading).await?;
                        erased.items += 2;
                    }
                    _ => {
                        erased.items += self.close_registration(tenant, &key, item).await?;
                        self.delete(&key, None).await?;
                        erased.items += 1;
                    }
                }
            }
        }
    }

    /// Discards what could not be delivered of a job's readings: one that says that a decision was taken back stands under a moment that is
    /// noted nowhere else. Those of a forgotten job that had the id stay (D-IMPORTS-4).
    async fn discard_dead_letters(&self, tenant: &TenantId, job: &JobId, dead: &[DeadLetter], erased: &mut Erased) -> Result<()> {
        let mut of_job: Vec<_> = dead.iter().filter(|letter| letter.delivery.job() == job).collect();
        if of_job.is_empty() {
            return Ok(());
        }
        let mut theirs = Vec::new();
        for reading in self.whole_partition(&keys::ledger(tenant, job)).await? {
            if ClearingEntry::read(&reading)?.entry.account_id.is_none() {
                theirs.push(key_of(&reading)?.sk);
            }
        }
        of_job.retain(|letter| !letter.delivery.is_of_some(&theirs));
        for letter in of_job {
            self.discard_dead_letter(tenant, letter).await?;
            erased.items += 1;
        }
        Ok(())
    }

    /// Erases a job: its photos, its readings, its place in the tenant's list, and last the item that leads to all of them. If a reading
    /// came in meanwhile, the job stays for another look.
    async fn erase_job(
        &self,
        photos: &Photos,
        tenant: &TenantId,
        account: &AccountId,
        job: &JobId,
        item: &Item,
        erased: &mut Erased,
    ) -> Result<()> {
        erased.objects += photos.erase_job(tenant, job).await?;
        for reading in self.whole_partition(&keys::ledger(tenant, job)).await? {
            let ClearingEntry { entry, clearing, sent, aside: _, proposal: _ } = ClearingEntry::read(&reading)?;
            // A forgotten job had the id: its values are no person's and stay (D-IMPORTS-4).
            if entry.account_id.is_none() {
                continue;
            }
            self.erase_market_answers(tenant, &sent.messages()).await?;
            if let Some(clearing) = &clearing {
                self.delete(&keys::decision(tenant, clearing.at, job, &entry.result_id), None).await?;
            }
            let cleared = clearing.map(|clearing| Delivery::of_clearing(&entry, clearing.at, tenant));
            for delivery in Delivery::of_job(job, slice::from_ref(&entry), tenant).iter().chain(&cleared) {
                self.erase_delivery(tenant, delivery).await?;
            }
            self.delete(&key_of(&reading)?, None).await?;
            erased.items += 1;
        }
        let stored = StoredJob::read(item)?;
        self.release_meter(tenant, account, &stored.master).await?;
        erased.items += self.erase_entries(tenant, account, job, &stored.findable).await?;
        let ours = Item::from([(":account".into(), text(account.as_str()))]);
        self.delete(&keys::job_entry(tenant, job), Some(("accountId = :account", ours))).await?;
        let stored = StoredJob { findable: String::new(), ..stored };
        let mut tx = Tx::new(self);
        stored.remove(&mut tx, tenant, Condition::version(stored.version))?;
        erased.items += 2 + stored.waiting.len();
        match tx.commit("the job").await {
            // A reading came in meanwhile.
            Ok(()) | Err(StoreError::Conflict) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Takes a sub-account out of the readings that it sent for the owner, and its words out of what a clerk put in their place. Values and photos are the owner's.
    /// What it sent without a job goes as a whole. False: there is more.
    async fn forget_sender(
        &self,
        photos: &Photos,
        tenant: &TenantId,
        root: &AccountId,
        sender: &AccountId,
        over: IsOver<'_>,
        erased: &mut Erased,
    ) -> Result<bool> {
        let mut cursor = None;
        loop {
            if erased.is_begun() && over() {
                return Ok(false);
            }
            let page = self.jobs_with_hidden(tenant, root, PAGE, cursor.as_deref()).await?;
            for job in &page.jobs {
                let sent = |entry: &LedgerEntry| entry.login_account_id.as_ref() == Some(sender);
                let ledger = self.job_readings(tenant, &job.master.id).await?;
                let corrections = corrections_of(&ledger, sent);
                let repeats = |entry: &LedgerEntry| entry.comment.is_some() && corrections.contains(&entry.result_id);
                let mut anonymous: Vec<LedgerEntry> = ledger.into_iter().map(|reading| reading.entry).collect();
                anonymous.retain(|entry| sent(entry) || repeats(entry));
                // What leads to the corrections is changed last.
                anonymous.sort_by_key(|entry| sent(entry));
                for entry in &mut anonymous {
                    (entry.login_account_id, entry.comment) = (None, None);
                }
                erased.items += self.rewrite_readings(tenant, Some(root), &job.master.id, &anonymous).await?;
            }
            match page.next_cursor {
                Some(next) => cursor = Some(next),
                None => return self.erase_left_without_job(photos, tenant, root, sender, over, erased).await,
            }
        }
    }

    /// Erases what a sub-account sent without a job, where the account at the top leads to it because the share was deleted. False: there is more.
    async fn erase_left_without_job(
        &self,
        photos: &Photos,
        tenant: &TenantId,
        root: &AccountId,
        sender: &AccountId,
        over: IsOver<'_>,
        erased: &mut Erased,
    ) -> Result<bool> {
        let mut last: Option<Key> = None;
        loop {
            let range = Range {
                condition: Some("begins_with(#sk, :readings)"),
                values: Item::from([(":readings".into(), text(keys::WITHOUT_JOB))]),
                limit: Some(PAGE),
                after: last.as_ref(),
                ..Range::default()
            };
            let page = self.query(&keys::account_partition(tenant, root), range, Read::Latest).await?;
            for item in &page.items {
                if erased.is_begun() && over() {
                    return Ok(false);
                }
                let Some(Ok(id)) = key_of(item)?.sk.strip_prefix(keys::WITHOUT_JOB).map(str::parse::<JobId>) else { continue };
                let entry = self.reading_without_job(tenant, &id).await?;
                if entry.is_some_and(|entry| entry.login_account_id == *sender) {
                    erased.objects += self.erase_without_job(photos, tenant, root, &id).await?;
                    erased.items += 2;
                }
            }
            last = page.items.last().map(key_of).transpose()?;
            if !page.more {
                return Ok(true);
            }
        }
    }

    /// The accounts above a sub-account, the utility's own first.
    pub async fn ancestors(&self, tenant: &TenantId, account: &AccountId) -> Result<Vec<AccountId>> {
        match self.get(&keys::account(tenant, account), Read::Latest).await? {
            Some(head) if head.contains_key("ancestors") => Fields(&head).json("ancestors"),
            _ => Ok(Vec::new()),
        }
    }

    /// The first of the accounts with which an account shares.
    async fn first_share(&self, tenant: &TenantId, account: &AccountId) -> Result<Option<AccountId>> {
        let range = Range {
            condition: Some("begins_with(#sk, :shares)"),
            values: Item::from([(":shares".into(), text(keys::SHARES))]),
            limit: Some(1),
            ..Range::default()
        };
        let page = self.query(&keys::account_partition(tenant, account), range, Read::Latest).await?;
        let Some(share) = page.items.first() else { return Ok(None) };
        let id = key_of(share)?.sk.trim_start_matches(keys::SHARES).parse();
        id.map(Some).map_err(|_| StoreError::Internal { operation: "shares", reason: "a share has no id".into() })
    }

    /// All items of a partition.
    pub(crate) async fn whole_partition(&self, partition: &str) -> Result<Vec<Item>> {
        let mut items: Vec<Item> = Vec::new();
        loop {
            let after = items.last().map(key_of).transpose()?;
            let range = Range { after: after.as_ref(), ..Range::default() };
            let page = self.query(partition, range, Read::Latest).await?;
            items.extend(page.items);
            if !page.more {
                return Ok(items);
            }
        }
    }
}
