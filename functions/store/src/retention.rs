//! What a tenant no longer wants to keep: photos, comments, jobs and accounts whose time is over.
//!
//! Everything here may be stopped anywhere and done again: what leads to the rest is changed last.

use std::collections::{BTreeMap, BTreeSet};

use domain::ids::{AccountId, ImageId, JobId, TenantId};
use domain::login::fold_name;
use jiff::Timestamp;
use jiff::civil::Date;

use crate::accounts::StoredAccount;
use crate::clearing::{corrections_of, undecided_since};
use crate::db::{OPTIMISTIC_ATTEMPTS, Range, Read, Update, Written};
use crate::item::{Fields, Item, json, key_of, number, text};
use crate::jobs::{bump_portfolio, forgotten_entry, line_hash};
use crate::keys;
use crate::search::put_entries;
use crate::table::RESULTS_INDEX;
use crate::tx::{Condition, Tx};
use crate::{
    Account, Assigned, ClearingEntry, ClearingEntryWithoutJob, Entered, FoundPage, Holds, LedgerEntry, Photos, ReadingWithoutJob, Result,
    Store, StoreError, StoredJob,
};

/// Readings, jobs or accounts that one step looks at.
const STEP: u32 = 50;

/// The first moment from which a reading can be: the product is no older.
pub const BEGINNING: Timestamp = Timestamp::constant(1_767_225_600, 0);

/// What came before these moments goes; none: it stays.
#[derive(Debug, Clone, Copy)]
pub struct KeptSince {
    /// Photos.
    pub photos: Option<Timestamp>,
    /// Comments.
    pub comments: Option<Timestamp>,
    /// What is about a person as a whole.
    pub persons: Option<Timestamp>,
}

/// The result of one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retained {
    /// Readings, jobs or accounts that lost something.
    pub changed: usize,
    /// Deleted versions of objects.
    pub objects: usize,
    /// Where the next step begins; none: there is nothing more.
    pub next_cursor: Option<String>,
}

/// An account as retention sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedAccount {
    /// The account.
    pub id: AccountId,
    /// Its last day.
    pub valid_until: Option<Date>,
    /// It was made by sharing, and ends with what it was made from.
    pub is_share: bool,
    /// It has a user name or a link.
    pub has_logins: bool,
    /// Since when it is known to have no jobs.
    pub jobless_since: Option<Timestamp>,
}

impl Store {
    /// Takes photos that came before `photos_before` and comments that came before `comments_before` out of some readings, but of no person whose data is held.
    pub async fn trim_readings(
        &self,
        photos: &Photos,
        tenant: &TenantId,
        photos_before: Option<Timestamp>,
        comments_before: Option<Timestamp>,
        held: &BTreeSet<&AccountId>,
        cursor: Option<&str>,
    ) -> Result<Retained> {
        let Some(until) = photos_before.max(comments_before) else { return Ok(Retained { changed: 0, objects: 0, next_cursor: None }) };
        let (mut items, mut next_cursor) = self.result_items(tenant, BEGINNING, until, cursor, Some(STEP)).await?;
        // Most months of most tenants have nothing.
        while items.is_empty()
            && let Some(next) = next_cursor
        {
            (items, next_cursor) = self.result_items(tenant, BEGINNING, until, Some(&next), Some(STEP)).await?;
        }
        let mut by_job: BTreeMap<(JobId, Option<AccountId>), Vec<LedgerEntry>> = BTreeMap::new();
        let (mut gone, mut silent, mut changed, mut objects) = (Vec::new(), BTreeSet::new(), 0, 0);
        for item in items {
            let ClearingEntry { mut entry, clearing, .. } = ClearingEntry::read(&item)?;
            if entry.account_id.as_ref().is_some_and(|account| held.contains(account)) {
                continue;
            }
            if clearing.is_some_and(|clearing| clearing.says_why_corrected() && comments_before.is_some_and(|before| clearing.at < before))
            {
                self.forget_why_corrected(tenant, &entry).await?;
                changed += 1;
            }
            let is_old = |before: Option<Timestamp>| before.is_some_and(|before| entry.created < before);
            let (no_photos, no_comment) = (is_old(photos_before), is_old(comments_before));
            if !(no_photos && !entry.image_ids.is_empty() || no_comment && entry.has_words()) {
                continue;
            }
            if no_photos {
                for image in std::mem::take(&mut entry.image_ids) {
                    objects += photos.erase(tenant, &entry.job_id, &image).await?;
                    gone.push(image);
                }
            }
            if no_comment {
                silent.extend(entry.comment.as_ref().map(|_| entry.result_id.clone()));
                entry.forget_words();
            }
            by_job.entry((entry.job_id.clone(), entry.account_id.clone())).or_default().push(entry);
        }
        for ((job, account), entries) in by_job {
            let entries = self.with_their_corrections(tenant, &job, &gone, &silent, entries).await?;
            changed += self.rewrite_readings(tenant, account.as_ref(), &job, &entries).await?;
        }
        Ok(Retained { changed, objects, next_cursor })
    }

    /// These readings of a job, and before them its other ones that have something of what is gone, such as a correction: all without these photos, and without
    /// the comment of those that are `silent`.
    async fn with_their_corrections(
        &self,
        tenant: &TenantId,
        job: &JobId,
        gone: &[ImageId],
        silent: &BTreeSet<String>,
        mut entries: Vec<LedgerEntry>,
    ) -> Result<Vec<LedgerEntry>> {
        if gone.is_empty() && !entries.iter().any(|entry| silent.contains(&entry.result_id)) {
            return Ok(entries);
        }
        let ledger = self.job_readings(tenant, job).await?;
        let corrections = corrections_of(&ledger, |entry| silent.contains(&entry.result_id));
        let is_other = |entry: &LedgerEntry| !entries.iter().any(|known| known.result_id == entry.result_id);
        let names = |entry: &LedgerEntry| entry.image_ids.iter().any(|image| gone.contains(image));
        let repeats = |entry: &LedgerEntry| entry.comment.is_some() && corrections.contains(&entry.result_id);
        let others = ledger.into_iter().map(|reading| reading.entry).filter(|entry| is_other(entry) && (names(entry) || repeats(entry)));
        let mut all: Vec<LedgerEntry> = others.collect();
        all.append(&mut entries);
        for entry in &mut all {
            entry.image_ids.retain(|image| !gone.contains(image));
            entry.comment = entry.comment.take().filter(|_| !corrections.contains(&entry.result_id));
        }
        Ok(all)
    }

    /// Deletes or trims some of the readings of meters that have no job: they are about persons as a whole. What a person sent whose data is held, or with whom
    /// they shared, stays.
    pub async fn retain_readings_without_job(
        &self,
        photos: &Photos,
        tenant: &TenantId,
        since: KeptSince,
        holds: &Holds,
        cursor: Option<&str>,
    ) -> Result<Retained> {
        let Some(until) = since.persons.max(since.photos).max(since.comments) else {
            return Ok(Retained { changed: 0, objects: 0, next_cursor: None });
        };
        let mut page = self.readings_without_job_page(tenant, BEGINNING, until, cursor, Some(STEP)).await?;
        while page.entries.is_empty()
            && let Some(next) = page.next_cursor
        {
            page = self.readings_without_job_page(tenant, BEGINNING, until, Some(&next), Some(STEP)).await?;
        }
        let kept = self.kept_of(tenant, holds, page.entries.iter().map(|entry| &entry.login_account_id)).await?;
        // To what a share sent that was deleted, the account at the top leads.
        let held = holds.kept();
        let ways_to =
            |entry: &ReadingWithoutJob| held.iter().map(|account| keys::without_job_of(tenant, account, &entry.id)).collect::<Vec<_>>();
        let led_to = self.get_many(&page.entries.iter().flat_map(ways_to).collect::<Vec<_>>(), None, Read::Latest).await?;
        let is_kept =
            |entry: &ReadingWithoutJob| kept.contains(&entry.login_account_id) || ways_to(entry).iter().any(|way| led_to.contains_key(way));
        let (mut changed, mut objects) = (0, 0);
        for entry in page.entries.iter().filter(|entry| !is_kept(entry)) {
            let is_old = |before: Option<Timestamp>| before.is_some_and(|before| entry.created < before);
            let (no_photos, no_comment) = (is_old(since.photos), is_old(since.comments));
            if is_old(since.persons) {
                objects += self.erase_without_job(photos, tenant, &entry.login_account_id, &entry.id).await?;
            } else if no_photos && entry.image_ids().next().is_some() || no_comment && entry.comment.is_some() {
                objects += self.trim_without_job(photos, tenant, &entry.id, (no_photos, no_comment), &held).await?;
            } else {
                continue;
            }
            changed += 1;
        }
        Ok(Retained { changed, objects, next_cursor: page.next_cursor })
    }

    /// Takes photos, comment or both out of a reading without a job, and before that out of what it became in a job, unless the data of that one's owner is held.
    /// Gives the number of deleted versions of objects.
    async fn trim_without_job(
        &self,
        photos: &Photos,
        tenant: &TenantId,
        id: &JobId,
        (no_photos, no_comment): (bool, bool),
        held: &BTreeSet<&AccountId>,
    ) -> Result<usize> {
        let key = keys::reading_without_job(tenant, id);
        let mut objects = 0;
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let Some(item) = self.get(&key, Read::Latest).await? else { return Ok(objects) };
            let ClearingEntryWithoutJob { mut entry, clearing, .. } = ClearingEntryWithoutJob::read(&item)?;
            let gone: Vec<ImageId> = if no_photos { entry.image_ids().cloned().collect() } else { Vec::new() };
            if let Some(Assigned { job, .. }) = clearing.and_then(|clearing| clearing.assigned) {
                let is_of = |entry: &LedgerEntry| entry.without_job.as_ref() == Some(id);
                let mut became: Vec<_> = self.ledger(tenant, &job).await?.into_iter().filter(is_of).collect();
                let owner = became.first().and_then(|entry| entry.account_id.clone());
                if owner.as_ref().is_none_or(|owner| !held.contains(owner)) {
                    for image in &gone {
                        objects += photos.erase(tenant, &job, image).await?;
                    }
                    let mut silent = BTreeSet::new();
                    for entry in became.iter_mut().filter(|_| no_comment) {
                        silent.extend(entry.comment.take().map(|_| entry.result_id.clone()));
                    }
                    let entries = self.with_their_corrections(tenant, &job, &gone, &silent, became).await?;
                    self.rewrite_readings(tenant, owner.as_ref(), &job, &entries).await?;
                }
            }
            for image in &gone {
                objects += photos.erase(tenant, id, image).await?;
            }
            for value in &mut entry.reading_values {
                value.image_ids.retain(|image| !gone.contains(image));
            }
            entry.comment = entry.comment.filter(|_| !no_comment);
            let mut tx = Tx::new(self);
            // A clerk who decided meanwhile may have made it a job's.
            tx.update(&key, "SET entry = :entry", Item::from([(":entry".into(), json(&entry)?)]), Some(undecided_since(&item)))?;
            match tx.commit("the reading").await {
                Err(StoreError::Conflict) => {}
                done => return done.map(|()| objects),
            }
        }
        Err(StoreError::Conflict)
    }

    /// Forgets some of the jobs that were done or closed, and last touched, before that moment. Of their readings the values stay.
    pub async fn forget_jobs(
        &self,
        photos: &Photos,
        tenant: &TenantId,
        before: Timestamp,
        held: &BTreeSet<&AccountId>,
        cursor: Option<&str>,
    ) -> Result<Retained> {
        let mut page = self.job_ids_page(tenant, cursor, Some(STEP)).await?;
        while page.jobs.is_empty()
            && let Some(next) = page.next_cursor
        {
            page = self.job_ids_page(tenant, Some(&next), Some(STEP)).await?;
        }
        let listed: Vec<_> = page.jobs.iter().map(|job| keys::job(tenant, &job.account_id, &job.job_id)).collect();
        let found = if listed.is_empty() { Default::default() } else { self.get_batch(&listed, Read::Latest).await? };
        let (mut changed, mut objects) = (0, 0);
        for item in found.values() {
            let job = StoredJob::read(item)?;
            let is_over = (job.done || job.closed) && !held.contains(&job.account_id);
            if is_over && job.last_touched().is_some_and(|touched| touched < before) {
                objects += self.forget_job(photos, tenant, &job).await?;
                changed += 1;
            }
        }
        Ok(Retained { changed, objects, next_cursor: page.next_cursor })
    }

    async fn forget_job(&self, photos: &Photos, tenant: &TenantId, job: &StoredJob) -> Result<usize> {
        let id = &job.master.id;
        let objects = photos.erase_job(tenant, id).await?;
        let of_job = |entry: LedgerEntry| LedgerEntry {
            season: entry.season_by(Some(&job.season)).clone(),
            // Without an account it is of another one that had the id.
            listed_at: if entry.account_id.is_some() { job.listed_at } else { entry.listed_at },
            ..entry
        };
        let entries = self.ledger(tenant, id).await?.into_iter().map(of_job).map(LedgerEntry::without_person);
        self.rewrite_readings(tenant, None, id, &entries.collect::<Vec<_>>()).await?;
        for item in self.whole_partition(&keys::ledger(tenant, id)).await? {
            self.forget_notes(tenant, &item).await?;
        }
        self.release_meter(tenant, &job.account_id, &job.master).await?;
        let mut tx = Tx::new(self);
        job.forget(&mut tx, tenant, Condition::version(job.version))?;
        match job.closed {
            true => tx.delete(&keys::job_entry(tenant, id), None)?,
            // The utility still lists it: the same line must not make it an open job again (D-IMPORTS-4).
            false => {
                let line = line_hash(&job.account_id, &job.season, &job.master)?;
                tx.put("the job", forgotten_entry(tenant, id, &line), None)?;
            }
        }
        if job.origin.is_some() {
            tx.delete(&keys::job_before(tenant, &job.account_id, id), None)?;
        }
        bump_portfolio(&mut tx, tenant, &job.account_id, id)?;
        match tx.commit("the job").await {
            // A reading came in meanwhile: the job is not old any more.
            Ok(()) | Err(StoreError::Conflict) => Ok(objects),
            Err(error) => Err(error),
        }
    }

    /// Some of a tenant's accounts, and where to go on.
    pub async fn accounts(&self, tenant: &TenantId, cursor: Option<&str>) -> Result<(Vec<ListedAccount>, Option<String>)> {
        let (items, next_cursor) = self.account_items(tenant, cursor).await?;
        Ok((items.iter().map(ListedAccount::read).collect::<Result<_>>()?, next_cursor))
    }

    /// The same as staff see them, with names; sub-accounts too.
    pub async fn account_page(&self, tenant: &TenantId, cursor: Option<&str>) -> Result<FoundPage<Account>> {
        let (items, next_cursor) = self.account_items(tenant, cursor).await?;
        let account = |item| StoredAccount::read(item).map(|stored| stored.account);
        Ok(FoundPage { found: items.iter().map(account).collect::<Result<_>>()?, next_cursor })
    }

    async fn account_items(&self, tenant: &TenantId, cursor: Option<&str>) -> Result<(Vec<Item>, Option<String>)> {
        let (shard, after) = match cursor {
            None => (0, ""),
            Some(cursor) => {
                let (shard, after) = cursor.split_once('/').ok_or(StoreError::InvalidCursor)?;
                (shard.parse().map_err(|_| StoreError::InvalidCursor)?, after)
            }
        };
        let range = Range {
            condition: Some("#sk > :after"),
            // Every id is greater than a blank; an empty text is none for DynamoDB.
            values: Item::from([(":after".into(), text(if after.is_empty() { " " } else { after }))]),
            limit: Some(STEP),
            index: Some(RESULTS_INDEX),
            ..Range::default()
        };
        let page = self.query(&keys::account_list(tenant, shard), range, Read::Recent).await?;
        let next_cursor = match page.items.last().filter(|_| page.more) {
            Some(last) => Some(format!("{shard}/{}", Fields(last).text("accountId")?)),
            None => (shard + 1 < keys::ACCOUNT_SHARDS).then(|| format!("{}/", shard + 1)),
        };
        Ok((page.items, next_cursor))
    }

    /// Takes user name, link and sessions from an account whose last day is before today; the account and its jobs stay. Answers how many items went: none if its
    /// last day was put off meanwhile.
    pub async fn end_logins(&self, tenant: &TenantId, account: &AccountId, today: Date) -> Result<usize> {
        let Some(item) = self.get(&keys::account(tenant, account), Read::Latest).await? else { return Ok(0) };
        let stored = StoredAccount::read(&item)?;
        if stored.account.valid_until.is_none_or(|last| last >= today) {
            return Ok(0);
        }
        let mut ended = 0;
        // What leads to the account's logins goes last.
        let range = Range {
            condition: Some("begins_with(#sk, :sessions)"),
            values: Item::from([(":sessions".into(), text(keys::SESSIONS))]),
            ..Range::default()
        };
        for session in self.query(&keys::account_partition(tenant, account), range, Read::Latest).await?.items {
            self.delete(&key_of(&session)?, None).await?;
            ended += 1;
        }
        let mut tx = Tx::new(self);
        if let Some(name) = &stored.account.username {
            tx.delete(&keys::name(tenant, &fold_name(name)), None)?;
            ended += 1;
        }
        for link in stored.links() {
            tx.delete(&keys::link(tenant, link), None)?;
            ended += 1;
        }
        if !tx.is_empty() {
            let version = stored.version;
            let mut without = StoredAccount { link: None, further_links: Vec::new(), renewed: false, version: version + 1, ..stored };
            without.account.username = None;
            let before = std::mem::replace(&mut without.findable, StoredAccount::words(&without.account));
            put_entries(&mut tx, tenant, account, None, &before, &without.findable)?;
            tx.put("the account", without.item(tenant)?, Some(Condition::version(version)))?;
            tx.commit("the account").await?;
        }
        Ok(ended)
    }

    /// Whether the account has any job, hidden ones included.
    pub async fn has_jobs(&self, tenant: &TenantId, account: &AccountId) -> Result<bool> {
        let range = Range {
            condition: Some("begins_with(#sk, :jobs)"),
            values: Item::from([(":jobs".into(), text(keys::JOB))]),
            limit: Some(1),
            ..Range::default()
        };
        Ok(!self.query(&keys::account_partition(tenant, account), range, Read::Latest).await?.items.is_empty())
    }

    /// Notes since when an account has no jobs, or that it has some again.
    pub async fn note_jobless(&self, tenant: &TenantId, account: &AccountId, since: Option<Timestamp>) -> Result<()> {
        let key = keys::account(tenant, account);
        let (expression, values) = match since {
            Some(since) => ("SET joblessSince = :since", Item::from([(":since".into(), number(since.as_millisecond()))])),
            None => ("REMOVE joblessSince", Item::new()),
        };
        let update = Update { key: &key, expression, condition: Some("attribute_exists(pk)"), values };
        match self.update(update).await? {
            // An account that went meanwhile has no jobs either.
            Written::Done | Written::Refused(_) => Ok(()),
        }
    }
}

impl ListedAccount {
    fn read(item: &Item) -> Result<Self> {
        let stored = StoredAccount::read(item)?;
        let has_logins = stored.account.username.is_some() || stored.links().next().is_some();
        Ok(Self {
            id: stored.account.id,
            valid_until: stored.account.valid_until,
            is_share: item.contains_key("ancestors"),
            has_logins,
            jobless_since: stored.jobless_since,
        })
    }
}

impl LedgerEntry {
    /// The reader or a clerk wrote something beside the value.
    fn has_words(&self) -> bool {
        let noted = |entered: &Entered| entered.confirmed.is_some() || entered.late.is_some();
        self.comment.is_some() || self.entered.as_ref().is_some_and(noted)
    }

    fn forget_words(&mut self) {
        self.comment = None;
        if let Some(entered) = &mut self.entered {
            (entered.confirmed, entered.late) = (None, None);
        }
    }

    /// What the utility must keep: the value, its day, and to which of its jobs it belongs.
    fn without_person(self) -> Self {
        Self {
            account_id: None,
            login_account_id: None,
            without_job: None,
            entered: None,
            meter_number: None,
            comment: None,
            image_ids: Vec::new(),
            ..self
        }
    }
}
