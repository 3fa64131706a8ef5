//! Shares: sub-accounts with the jobs that were given to them.
//!
//! A share is two items. The sub-account's own item (`accounts`) is what every request of it and of those below it reads; it stays
//! small. The other one is in the partition of the account that made the share: what its list shows, and the set of its jobs.

use std::collections::{BTreeSet, HashSet, VecDeque};

use domain::ids::{AccountId, JobId, TenantId};
use domain::login::fold_name;
use domain::model::JobMaster;
use jiff::Timestamp;

use crate::accounts::StoredAccount;
use crate::communication::put_renewed;
use crate::db::{OPTIMISTIC_ATTEMPTS, Range, Read, Update, Written};
use crate::idempotency::{IdempotencyRecord, IdempotencyWrite, Submitted};
use crate::item::{Fields, Item, Record, flag, key_of, number, seconds, text, texts};
use crate::jobs::is_hidden;
use crate::keys::{self, Key};
use crate::logins::end_sessions;
use crate::table::EXPIRES_AT;
use crate::tx::{Condition, MAX_ITEMS, Tx};
use crate::{Access, Account, LinkSecretHash, Result, ShareTerms, Store, StoreError};

/// A share as the one who made it sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// The sub-account.
    pub id: AccountId,
    /// The name that its maker gave it.
    pub name: String,
    /// It may share its jobs on.
    pub allow_to_re_share: bool,
    /// Its jobs, by id.
    pub job_ids: BTreeSet<JobId>,
    /// Its user name.
    pub username: String,
    /// When its link ends, as far as the jobs go.
    pub link_expires_at: Timestamp,
    /// The time at which it was made.
    pub created: Timestamp,
}

/// Login data of a share, as they are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLogin {
    /// The user name.
    pub username: String,
    /// Argon2id hash in PHC form.
    pub password_hash: String,
    /// The link.
    pub link: LinkSecretHash,
}

/// A share to be made.
#[derive(Debug, Clone)]
pub struct NewShare<'a> {
    /// Id of the sub-account, random.
    pub id: AccountId,
    /// Its name.
    pub name: &'a str,
    /// It may share its jobs on.
    pub allow_to_re_share: bool,
    /// Its jobs, at least one.
    pub job_ids: &'a [JobId],
    /// Its login data.
    pub login: NewLogin,
    /// In which era of the account that shares, see [`Account::share_era`].
    pub era: u64,
    /// Most shares below the account at the top.
    pub most: u32,
    /// Now.
    pub created: Timestamp,
    /// The record for a repeated request.
    pub idempotency: IdempotencyWrite,
    /// The client named no key: once the login data in the answer are void, the same request is a new one.
    pub keyless: bool,
}

/// A share as it is stored in its maker's partition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredShare {
    pub share: Share,
    /// Of the set.
    pub version: u64,
    /// The sub-account is gone; what was below it may not be yet.
    pub ended: bool,
    /// In which era of its maker.
    era: u64,
    /// The record of its making, if its key was not the client's.
    keyless_record: Option<String>,
}

impl StoredShare {
    pub(crate) fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        let share = Share {
            id: fields.parsed("shareId")?,
            name: fields.text("shareName")?.to_owned(),
            allow_to_re_share: fields.flag("allowToReShare")?,
            job_ids: fields.parsed_set("jobIds")?,
            username: fields.text("username")?.to_owned(),
            link_expires_at: fields.time("linkExpiresAt")?,
            created: fields.parsed("created")?,
        };
        let keyless_record = fields.optional_text("keylessRecord")?.map(str::to_owned);
        let era = fields.optional_count("era")?.unwrap_or_default();
        Ok(Self { share, version: fields.version()?, ended: item.contains_key("ended"), era, keyless_record })
    }
}

/// One page of the shares that an account made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharesPage {
    /// The shares, by id.
    pub shares: Vec<Share>,
    /// Of the last one, for the next page; none: there is none.
    pub next: Option<AccountId>,
}

/// Most jobs whose shares are shown together: each is looked at, and the answer names them.
const JOBS_OF_PAGE: usize = 4000;

/// How many shares are counted in that item; a count that was too low by what was there before it is none.
pub(crate) fn shares_counted(item: &Item) -> Result<u32> {
    Ok(Fields(item).number("shares")?.max(0).try_into().unwrap_or(u32::MAX))
}

/// The share is not as it was read: another request changed or ended it.
const CHANGED: StoreError = StoreError::Conflict;

/// The share is there and has not ended.
const LIVE: &str = "attribute_exists(pk) AND attribute_not_exists(ended)";

fn live() -> Condition {
    Condition { expression: LIVE, values: Item::new(), refusal: CHANGED }
}

/// So many accounts are asked at most for a share that has ended, so that no request makes us read a whole tree for an id that is no share's.
const MAKERS_SEARCHED: usize = 50;

impl Store {
    /// Makes a share: the sub-account, its login data, its set, its place in the list and the idempotency record, in one transaction.
    ///
    /// [`Submitted::Stale`]: the account that shares has ended in the meantime. [`StoreError::TooManyShares`]: there are as many as there may be.
    pub async fn create_share(&self, tenant: &TenantId, access: &Access, new: NewShare<'_>) -> Result<Submitted> {
        let NewShare { id, login, .. } = &new;
        let parent = access.account();
        let terms = ShareTerms { ancestors: access.lineage(), allow_to_re_share: new.allow_to_re_share, jobs_version: 0, era: new.era };
        let account = Account {
            id: id.clone(),
            name: new.name.to_owned(),
            share: Some(terms),
            roles: Vec::new(),
            language: None,
            email: None,
            salutation: None,
            valid_until: None,
            username: Some(login.username.clone()),
            generation: FIRST_GENERATION,
            share_era: 0,
        };
        let head = StoredAccount {
            account,
            link: Some(login.link.clone()),
            further_links: Vec::new(),
            findable: String::new(),
            origin: None,
            renewed: false,
            jobless_since: None,
            version: 0,
        };
        let share = Record::at(&keys::share(tenant, parent, id))
            .with("shareId", text(id.as_str()))
            .with("shareName", text(new.name))
            .with("allowToReShare", flag(new.allow_to_re_share))
            .with("jobIds", texts(new.job_ids.iter().map(JobId::as_str)))
            .with("username", text(&login.username))
            .with("linkExpiresAt", seconds(login.link.expires_at))
            .with("created", text(new.created.to_string()))
            .with_some("era", (new.era > 0).then(|| number(new.era)))
            .with_some("keylessRecord", new.keyless.then(|| text(&new.idempotency.key_hash)))
            .with("version", number(0))
            .item();

        let mut tx = Tx::new(self);
        if !access.heads().is_empty() {
            // A share that is just being deleted must not get another one below it. Accounts of the utility's own are not looked at, so
            // that what they share at the same time does not meet.
            tx.check(&keys::account(tenant, parent), Condition::present(CHANGED))?;
        }
        tx.put("the share", head.item(tenant)?, Some(Condition::absent(CHANGED)))?;
        tx.put("the share", share, Some(Condition::absent(CHANGED)))?;
        put_login(&mut tx, tenant, id, login)?;
        new.idempotency.add_to(&mut tx, tenant, parent)?;
        // Beside the transaction, so that shares of one account that are made at the same time do not meet. A run that is stopped in between
        // leaves one counted that is not there.
        let top = access.root();
        if !self.count_share(tenant, top, new.most).await? {
            return Err(StoreError::TooManyShares);
        }
        let settled = self.settled(tx, tenant, parent, Some(&new.idempotency)).await;
        if !matches!(settled, Ok(Submitted::Stored)) {
            self.uncount_share(tenant, top).await?;
        }
        settled
    }

    /// Counts one more share below the account at the top, if there are fewer than `most`, and says whether there were.
    async fn count_share(&self, tenant: &TenantId, top: &AccountId, most: u32) -> Result<bool> {
        let room = Update {
            key: &keys::share_count(tenant, top),
            expression: "ADD shares :one",
            condition: Some("attribute_not_exists(shares) OR shares < :most"),
            values: Item::from([(":one".into(), number(1)), (":most".into(), number(most))]),
        };
        Ok(matches!(self.update(room).await?, Written::Done))
    }

    /// Counts one less.
    pub(crate) async fn uncount_share(&self, tenant: &TenantId, top: &AccountId) -> Result<()> {
        let values = Item::from([(":less".into(), number(-1))]);
        let condition = Some("attribute_exists(pk)");
        let key = keys::share_count(tenant, top);
        self.update(Update { key: &key, expression: "ADD shares :less", condition, values }).await?;
        Ok(())
    }

    /// How many shares there are below an account of the utility's own.
    pub async fn share_count(&self, tenant: &TenantId, top: &AccountId) -> Result<u32> {
        let counted = self.get(&keys::share_count(tenant, top), Read::Latest).await?;
        Ok(counted.as_ref().map(shares_counted).transpose()?.unwrap_or_default())
    }

    /// The account's own share, and the record of an earlier request with the same key; one read.
    pub async fn share_with_idempotency(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        share: &AccountId,
        key_hash: &str,
        now: Timestamp,
    ) -> Result<(Option<FoundShare>, Option<IdempotencyRecord>)> {
        let (share, record) = (keys::share(tenant, account, share), keys::idempotency(tenant, account, key_hash));
        let found = self.get_batch(&[share.clone(), record.clone()], Read::Latest).await?;
        let share = found.get(&share).map(StoredShare::read).transpose()?;
        let record = found.get(&record).map(|item| IdempotencyRecord::read(item, now)).transpose()?;
        let share = share.map(|stored| if stored.ended { FoundShare::Ended } else { FoundShare::Live(stored.share) });
        Ok((share, record.flatten()))
    }

    /// What a sub-account at any depth below this one sees; none: there is no such one, or not below it.
    pub async fn access_below(&self, tenant: &TenantId, above: &Access, below: &AccountId) -> Result<Option<Access>> {
        match self.terms_below(tenant, above, below).await? {
            Some(terms) => self.access(tenant, &terms.ancestors, below).await,
            None => Ok(None),
        }
    }

    /// The maker of a sub-account at any depth below this one; none as above.
    pub async fn maker_below(&self, tenant: &TenantId, above: &Access, below: &AccountId) -> Result<Option<AccountId>> {
        if let Some(terms) = self.terms_below(tenant, above, below).await? {
            return Ok(terms.ancestors.last().cloned());
        }
        // One whose deletion was stopped on the way has no account any more, and still its place among what its maker shared.
        let mut makers = VecDeque::from([above.account().clone()]);
        for _ in 0..MAKERS_SEARCHED {
            let Some(maker) = makers.pop_front() else { return Ok(None) };
            for stored in self.stored_shares(tenant, &maker).await? {
                if stored.share.id == *below {
                    return Ok(Some(maker));
                }
                makers.push_back(stored.share.id);
            }
        }
        Ok(None)
    }

    async fn terms_below(&self, tenant: &TenantId, above: &Access, below: &AccountId) -> Result<Option<ShareTerms>> {
        let terms = self.account(tenant, below).await?.and_then(|account| account.share);
        Ok(terms.filter(|terms| terms.ancestors.contains(above.account())))
    }

    /// One page of the shares that the account made, at most `limit`, each with the jobs that it really has now: those of its set that the
    /// account itself still has.
    pub async fn shares(&self, tenant: &TenantId, access: &Access, limit: u32, after: Option<&AccountId>) -> Result<SharesPage> {
        let maker = access.account();
        let after = after.map(|after| keys::share(tenant, maker, after));
        let page = self.query(&keys::account_partition(tenant, maker), of_shares(Some(limit), after.as_ref()), Read::Latest).await?;
        let (mut stored, mut jobs, mut more) = (Vec::new(), 0, page.more);
        for item in &page.items {
            let share = StoredShare::read(item)?;
            jobs += share.share.job_ids.len();
            if jobs > JOBS_OF_PAGE && !stored.is_empty() {
                more = true;
                break;
            }
            stored.push(share);
        }
        let next = stored.last().filter(|_| more).map(|last| last.share.id.clone());
        // Those of an earlier era have ended, and are about to be deleted. Of an account of the utility's own the operator's command does that to the end.
        let era = access.heads().last().map(|head| head.share_era);
        let is_live = |stored: &StoredShare| !stored.ended && era.is_none_or(|era| stored.era == era);
        let mut shares: Vec<Share> = stored.into_iter().filter(is_live).map(|stored| stored.share).collect();
        let wanted: BTreeSet<&JobId> = shares.iter().flat_map(|share| &share.job_ids).collect();
        let wanted: Vec<JobId> = wanted.into_iter().cloned().collect();
        let visible = self.visible_jobs(tenant, access, &wanted).await?;
        for share in &mut shares {
            share.job_ids.retain(|id| visible.contains(id));
        }
        Ok(SharesPage { shares, next })
    }

    /// What the jobs of a share are, as far as the account that made it still has them.
    pub async fn jobs_of_share(&self, tenant: &TenantId, access: &Access, share: &Share) -> Result<Vec<JobMaster>> {
        let ids: Vec<JobId> = share.job_ids.iter().cloned().collect();
        let (jobs, _) = self.seen_jobs(tenant, access, &ids, Vec::new()).await?;
        Ok(jobs.into_values().map(|job| job.master).collect())
    }

    /// Takes a job out of a share. [`Submitted::Stale`]: the share does not have it, or is gone.
    pub async fn remove_shared_job(
        &self,
        tenant: &TenantId,
        parent: &AccountId,
        share: &AccountId,
        job: &JobId,
        idempotency: &IdempotencyWrite,
    ) -> Result<Submitted> {
        let one = || Item::from([(":one".into(), number(1))]);
        let mut tx = Tx::new(self);
        // Neither of the two goes by what was read: changes that come together all happen.
        let values = one().into_iter().chain([(":job".into(), texts([job.as_str()]))]).collect();
        let has = Condition {
            expression: "contains(jobIds, :id) AND attribute_not_exists(ended)",
            values: Item::from([(":id".into(), text(job.as_str()))]),
            refusal: CHANGED,
        };
        tx.update(&keys::share(tenant, parent, share), "ADD version :one DELETE jobIds :job", values, Some(has))?;
        tx.update(&keys::account(tenant, share), "ADD version :one, jobsVersion :one", one(), Some(Condition::present(CHANGED)))?;
        idempotency.add_to(&mut tx, tenant, parent)?;
        self.settled(tx, tenant, parent, Some(idempotency)).await
    }

    /// Gives a share other login data; the old ones end with it, and what was opened and registered with them, and, where
    /// [`ShareRenewal::end_shared_on`] says so, everything that was shared from it, which [`Store::delete_ended_shares`] tidies up. [`Submitted::Stale`]: the share was changed in the meantime, or is gone.
    pub async fn renew_share_login(
        &self,
        tenant: &TenantId,
        parent: &AccountId,
        share: &AccountId,
        renewal: &ShareRenewal<'_>,
        idempotency: Option<&IdempotencyWrite>,
    ) -> Result<Submitted> {
        let ShareRenewal { login, end_shared_on, now } = *renewal;
        let (head_key, share_key, registration) =
            (keys::account(tenant, share), keys::share(tenant, parent, share), keys::registration(tenant, share));
        let found = self.get_batch(&[head_key.clone(), share_key.clone(), registration.clone()], Read::Latest).await?;
        let (Some(head), Some(stored)) = (found.get(&head_key), found.get(&share_key)) else { return Ok(Submitted::Stale) };
        let (head, stored) = (StoredAccount::read(head)?, StoredShare::read(stored)?);

        let mut tx = Tx::new(self);
        let values = Item::from([
            (":username".into(), text(&login.username)),
            (":link".into(), text(&login.link.sha256_hex)),
            (":ends".into(), seconds(login.link.expires_at)),
            (":one".into(), number(1)),
        ]);
        let change = match end_shared_on {
            true => "SET username = :username, link = :link, linkExpiresAt = :ends ADD generation :one, version :one, shareEra :one",
            false => "SET username = :username, link = :link, linkExpiresAt = :ends ADD generation :one, version :one",
        };
        tx.update(&head_key, change, values, Some(Condition::version(head.version)))?;
        let values = Item::from([(":username".into(), text(&login.username)), (":ends".into(), seconds(login.link.expires_at))]);
        tx.update(&share_key, "SET username = :username, linkExpiresAt = :ends REMOVE keylessRecord", values, Some(live()))?;
        end_sessions(&mut tx, tenant, share)?;
        delete_login(&mut tx, tenant, &head)?;
        put_login(&mut tx, tenant, share, login)?;
        if let Some(registration) = found.get(&registration) {
            put_renewed(&mut tx, tenant, share, registration, now)?;
        }
        if let Some(record) = &stored.keyless_record {
            tx.delete(&keys::idempotency(tenant, parent, record), None)?;
        }
        if let Some(idempotency) = idempotency {
            idempotency.add_to(&mut tx, tenant, parent)?;
        }
        self.settled(tx, tenant, parent, idempotency).await
    }

    /// Deletes a share, which `parent` made, and everything below it; `access` is that of the caller who deletes it, `parent` or an account above.
    ///
    /// The first transaction ends the sub-account and its logins, and with it every account below, because each request looks at the whole
    /// chain. The rest is tidied up from there; the share's place in the list goes last, together with the record of the request: a client
    /// that is stopped on the way can ask again.
    pub async fn delete_share(
        &self,
        tenant: &TenantId,
        access: &Access,
        parent: &AccountId,
        share: &AccountId,
        idempotency: &IdempotencyWrite,
    ) -> Result<Submitted> {
        self.end_with_all_below(tenant, access.root(), parent, share).await?;
        let key = keys::share(tenant, parent, share);
        let Some(item) = self.get(&key, Read::Latest).await? else { return self.overtaken(tenant, access.account(), idempotency).await };
        let mut tx = Tx::new(self);
        delete_entry(&mut tx, tenant, parent, &StoredShare::read(&item)?)?;
        idempotency.add_to(&mut tx, tenant, access.account())?;
        self.settled(tx, tenant, access.account(), Some(idempotency)).await
    }

    /// Deletes what an account shared in an earlier era, see [`Account::share_era`], and everything below; answers how many it had shared.
    pub async fn delete_ended_shares(&self, tenant: &TenantId, account: &AccountId) -> Result<usize> {
        let Some(maker) = self.account(tenant, account).await? else { return Ok(0) };
        let mut count = 0;
        for ended in self.stored_shares(tenant, account).await?.iter().filter(|stored| stored.era < maker.share_era) {
            self.end_with_all_below(tenant, maker.top(), account, &ended.share.id).await?;
            let mut tx = Tx::new(self);
            delete_entry(&mut tx, tenant, account, ended)?;
            match tx.commit("the share").await {
                // Another request did it at the same time.
                Ok(()) | Err(CHANGED) => count += 1,
                Err(error) => return Err(error),
            }
        }
        Ok(count)
    }

    /// Takes an erased share from its maker's list, see [`delete_entry`].
    pub(crate) async fn forget_share(&self, tenant: &TenantId, maker: &AccountId, share: &AccountId) -> Result<usize> {
        let Some(item) = self.get(&keys::share(tenant, maker, share), Read::Latest).await? else { return Ok(0) };
        let mut tx = Tx::new(self);
        delete_entry(&mut tx, tenant, maker, &StoredShare::read(&item)?)?;
        match tx.commit("the share").await {
            // Another request did it at the same time.
            Ok(()) | Err(CHANGED) => Ok(1),
            Err(error) => Err(error),
        }
    }

    /// Ends a sub-account with its logins, and deletes everything that belongs to it and to those below it.
    async fn end_with_all_below(&self, tenant: &TenantId, root: &AccountId, parent: &AccountId, share: &AccountId) -> Result<()> {
        self.end_share(tenant, root, parent, share).await?;
        let mut pending = vec![(share.clone(), Step::EndBelow)];
        while let Some((account, step)) = pending.pop() {
            match step {
                Step::EndBelow => {
                    pending.push((account.clone(), Step::Clear));
                    for below in self.stored_shares(tenant, &account).await? {
                        self.end_share(tenant, root, &account, &below.share.id).await?;
                        pending.push((below.share.id, Step::EndBelow));
                    }
                }
                Step::Clear => self.clear_account(tenant, root, &account).await?,
            }
        }
        Ok(())
    }

    /// Ends a sub-account and its logins, if it has not ended yet.
    async fn end_share(&self, tenant: &TenantId, root: &AccountId, parent: &AccountId, share: &AccountId) -> Result<()> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let Some(item) = self.get(&keys::account(tenant, share), Read::Latest).await? else { return Ok(()) };
            let head = StoredAccount::read(&item)?;
            let mut tx = Tx::new(self);
            tx.delete(&keys::account(tenant, share), Some(Condition::version(head.version)))?;
            delete_login(&mut tx, tenant, &head)?;
            let values = Item::from([(":ended".into(), flag(true))]);
            tx.update(&keys::share(tenant, parent, share), "SET ended = :ended REMOVE jobIds", values, Some(Condition::present(CHANGED)))?;
            match tx.commit("the share").await {
                Err(CHANGED) => {}
                Ok(()) => return self.uncount_share(tenant, root).await,
                Err(error) => return Err(error),
            }
        }
        Err(CHANGED)
    }

    /// Deletes everything in the partition of a sub-account that has ended, and what leads to it from outside. Readings that belong to no job
    /// stay for the utility; from now on the account at the top leads to them, so that its erasure finds them.
    async fn clear_account(&self, tenant: &TenantId, root: &AccountId, account: &AccountId) -> Result<()> {
        loop {
            let page = self.query(&keys::account_partition(tenant, account), Range::default(), Read::Latest).await?;
            for items in page.items.chunks(MAX_ITEMS / 2) {
                let mut tx = Tx::new(self);
                for item in items {
                    let key = key_of(item)?;
                    self.close_registration(tenant, &key, item).await?;
                    if let Some(Ok(reading)) = key.sk.strip_prefix(keys::WITHOUT_JOB).map(str::parse::<JobId>) {
                        tx.put("the reading", Record::at(&keys::without_job_of(tenant, root, &reading)).item(), None)?;
                    }
                    tx.delete(&key, None)?;
                }
                tx.commit("the share").await?;
            }
            if !page.more {
                return Ok(());
            }
        }
    }

    /// All shares of an account, those too that are being deleted.
    async fn stored_shares(&self, tenant: &TenantId, parent: &AccountId) -> Result<Vec<StoredShare>> {
        let (mut shares, mut after) = (Vec::new(), None);
        loop {
            let page = self.query(&keys::account_partition(tenant, parent), of_shares(None, after.as_ref()), Read::Latest).await?;
            for item in &page.items {
                shares.push(StoredShare::read(item)?);
            }
            match page.items.last().filter(|_| page.more) {
                Some(last) => after = Some(key_of(last)?),
                None => return Ok(shares),
            }
        }
    }

    /// Which of these jobs the caller sees.
    async fn visible_jobs(&self, tenant: &TenantId, access: &Access, jobs: &[JobId]) -> Result<HashSet<JobId>> {
        let sets = self.get_many(&access.set_keys(tenant), None, Read::Latest).await?;
        let selection = access.selection(tenant, &sets)?;
        let jobs = jobs.iter().filter(|id| selection.as_ref().is_none_or(|selection| selection.ids.contains(id)));
        let keys: Vec<(&JobId, Key)> = jobs.map(|id| (id, keys::job(tenant, access.root(), id))).collect();
        let wanted: Vec<Key> = keys.iter().map(|(_, key)| key.clone()).collect();
        let found = self.get_many(&wanted, Some(&["closed", "done"]), Read::Recent).await?;
        let mut visible = HashSet::new();
        for (id, key) in keys {
            let Some(item) = found.get(&key) else { continue };
            let fields = Fields(item);
            if !is_hidden(fields.flag("closed")?, fields.flag("done")?) {
                visible.insert(id.clone());
            }
        }
        Ok(visible)
    }

    /// Sends the transaction of a request; if another request was faster, the request's record says what that means.
    async fn settled(
        &self,
        tx: Tx<'_>,
        tenant: &TenantId,
        account: &AccountId,
        idempotency: Option<&IdempotencyWrite>,
    ) -> Result<Submitted> {
        match (tx.commit("the share").await, idempotency) {
            (Ok(()), _) => Ok(Submitted::Stored),
            (Err(CHANGED), Some(idempotency)) => self.overtaken(tenant, account, idempotency).await,
            (Err(CHANGED), None) => Ok(Submitted::Stale),
            (Err(error), _) => Err(error),
        }
    }
}

/// Other login data for a share.
#[derive(Debug, Clone, Copy)]
pub struct ShareRenewal<'a> {
    /// The new ones.
    pub login: &'a NewLogin,
    /// Whether everything that was shared from it ends, too.
    pub end_shared_on: bool,
    /// The current time.
    pub now: Timestamp,
}

/// An account's own share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundShare {
    /// It can be used.
    Live(Share),
    /// Its deletion has begun and was not finished.
    Ended,
}

/// Where the deletion of a sub-account stands.
enum Step {
    EndBelow,
    Clear,
}

/// Tokens of an account of the utility's own have none, so that of a sub-account always count.
const FIRST_GENERATION: u64 = 1;

/// Asks for the shares in an account's partition.
fn of_shares(limit: Option<u32>, after: Option<&Key>) -> Range<'_> {
    let values = Item::from([(":shares".into(), text(keys::SHARES))]);
    Range { condition: Some("begins_with(#sk, :shares)"), values, limit, after, ..Range::default() }
}

/// Takes a share from its maker's list, and the record by which its making would be repeated.
fn delete_entry(tx: &mut Tx<'_>, tenant: &TenantId, parent: &AccountId, stored: &StoredShare) -> Result<()> {
    tx.delete(&keys::share(tenant, parent, &stored.share.id), Some(Condition::present(CHANGED)))?;
    match &stored.keyless_record {
        Some(record) => tx.delete(&keys::idempotency(tenant, parent, record), None),
        None => Ok(()),
    }
}

fn put_login(tx: &mut Tx<'_>, tenant: &TenantId, account: &AccountId, login: &NewLogin) -> Result<()> {
    let name = Record::at(&keys::name(tenant, &fold_name(&login.username)))
        .with("accountId", text(account.as_str()))
        .with("passwordHash", text(&login.password_hash))
        .item();
    tx.put("the login", name, Some(Condition::absent(StoreError::NameTaken)))?;
    let link = Record::at(&keys::link(tenant, &login.link.sha256_hex))
        .with("accountId", text(account.as_str()))
        .with(EXPIRES_AT, seconds(login.link.expires_at))
        .item();
    tx.put("the link", link, Some(Condition::absent(StoreError::LinkTaken)))
}

fn delete_login(tx: &mut Tx<'_>, tenant: &TenantId, head: &StoredAccount) -> Result<()> {
    if let Some(name) = &head.account.username {
        tx.delete(&keys::name(tenant, &fold_name(name)), None)?;
    }
    for link in head.links() {
        tx.delete(&keys::link(tenant, link), None)?;
    }
    Ok(())
}
