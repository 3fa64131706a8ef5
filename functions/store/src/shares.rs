//! Shares: sub-accounts with the jobs that were given to them.
//!
//! A share is two items. The sub-account's own item (`accounts`) is what every request of it and of those below it reads; it stays
//! small. The other one is in the partition of the account that made the share: what its list shows, and the set of its jobs.

use std::collections::{BTreeSet, HashSet};

use domain::ids::{AccountId, JobId, TenantId};
use domain::login::fold_name;
use domain::model::JobMaster;
use jiff::Timestamp;

use crate::accounts::StoredAccount;
use crate::db::{OPTIMISTIC_ATTEMPTS, Range, Read};
use crate::idempotency::{IdempotencyRecord, IdempotencyWrite, Submitted};
use crate::item::{Fields, Item, Record, flag, key_of, number, seconds, text, texts};
use crate::jobs::is_hidden;
use crate::keys::{self, Key};
use crate::table::EXPIRES_AT;
use crate::tx::{Condition, MAX_ITEMS, Tx};
use crate::{Access, Account, LinkSecretHash, Result, ShareTerms, Store, StoreError};

/// A share as the one who made it sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// The sub-account.
    pub id: AccountId,
    /// What its maker called it.
    pub name: String,
    /// It may share its jobs on.
    pub allow_to_re_share: bool,
    /// Its jobs, by id.
    pub job_ids: BTreeSet<JobId>,
    /// Its user name.
    pub username: String,
    /// When its link ends, as far as the jobs go.
    pub link_expires_at: Timestamp,
    /// When it was made.
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
    /// What it is called.
    pub name: &'a str,
    /// It may share its jobs on.
    pub allow_to_re_share: bool,
    /// Its jobs, at least one.
    pub job_ids: &'a [JobId],
    /// How it logs in.
    pub login: NewLogin,
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
        Ok(Self { share, version: fields.version()?, ended: item.contains_key("ended"), keyless_record })
    }
}

/// Nobody who was there when the share was read; somebody else changed or ended it.
const CHANGED: StoreError = StoreError::Conflict;

/// The share is there and has not ended.
const LIVE: &str = "attribute_exists(pk) AND attribute_not_exists(ended)";

fn live() -> Condition {
    Condition { expression: LIVE, values: Item::new(), refusal: CHANGED }
}

impl Store {
    /// Makes a share: the sub-account, its login data, its set, its place in the list and the idempotency record, in one transaction.
    ///
    /// [`Submitted::Stale`]: the account that shares has ended in the meantime.
    pub async fn create_share(&self, tenant: &TenantId, access: &Access, new: NewShare<'_>) -> Result<Submitted> {
        let NewShare { id, login, .. } = &new;
        let parent = access.account();
        let terms = ShareTerms { ancestors: access.lineage(), allow_to_re_share: new.allow_to_re_share, jobs_version: 0 };
        let account = Account {
            id: id.clone(),
            name: new.name.to_owned(),
            share: Some(terms),
            roles: Vec::new(),
            language: None,
            valid_until: None,
            username: Some(login.username.clone()),
            generation: FIRST_GENERATION,
        };
        let head = StoredAccount { account, link: Some(login.link.clone()), version: 0 };
        let share = Record::at(&keys::share(tenant, parent, id))
            .with("shareId", text(id.as_str()))
            .with("shareName", text(new.name))
            .with("allowToReShare", flag(new.allow_to_re_share))
            .with("jobIds", texts(new.job_ids.iter().map(JobId::as_str)))
            .with("username", text(&login.username))
            .with("linkExpiresAt", seconds(login.link.expires_at))
            .with("created", text(new.created.to_string()))
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
        self.settled(tx, tenant, parent, Some(&new.idempotency)).await
    }

    /// The account's own share, and the record of an earlier request with the same key; one read.
    pub async fn share_with_idempotency(
        &self,
        tenant: &TenantId,
        parent: &AccountId,
        share: &AccountId,
        key_hash: &str,
        now: Timestamp,
    ) -> Result<(Option<FoundShare>, Option<IdempotencyRecord>)> {
        let (share, record) = (keys::share(tenant, parent, share), keys::idempotency(tenant, parent, key_hash));
        let found = self.get_batch(&[share.clone(), record.clone()], Read::Latest).await?;
        let share = found.get(&share).map(StoredShare::read).transpose()?;
        let record = found.get(&record).map(|item| IdempotencyRecord::read(item, now)).transpose()?;
        let share = share.map(|stored| if stored.ended { FoundShare::Ended } else { FoundShare::Live(stored.share) });
        Ok((share, record.flatten()))
    }

    /// The shares that the account made, each with the jobs that it really has now: those of its set that the account itself still has.
    pub async fn shares(&self, tenant: &TenantId, access: &Access) -> Result<Vec<Share>> {
        let stored = self.stored_shares(tenant, access.account()).await?;
        let mut shares: Vec<Share> = stored.into_iter().filter(|stored| !stored.ended).map(|stored| stored.share).collect();
        let wanted: BTreeSet<&JobId> = shares.iter().flat_map(|share| &share.job_ids).collect();
        let wanted: Vec<JobId> = wanted.into_iter().cloned().collect();
        let visible = self.visible_jobs(tenant, access, &wanted).await?;
        for share in &mut shares {
            share.job_ids.retain(|id| visible.contains(id));
        }
        Ok(shares)
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

    /// Gives a share other login data; the old ones end with it, and what was opened with them. [`Submitted::Stale`]: the share was changed
    /// in the meantime, or is gone.
    pub async fn renew_share_login(
        &self,
        tenant: &TenantId,
        parent: &AccountId,
        share: &AccountId,
        login: &NewLogin,
        idempotency: Option<&IdempotencyWrite>,
    ) -> Result<Submitted> {
        let (head_key, share_key) = (keys::account(tenant, share), keys::share(tenant, parent, share));
        let found = self.get_batch(&[head_key.clone(), share_key.clone()], Read::Latest).await?;
        let (Some(head), Some(stored)) = (found.get(&head_key), found.get(&share_key)) else { return Ok(Submitted::Stale) };
        let (head, stored) = (StoredAccount::read(head)?, StoredShare::read(stored)?);

        let mut tx = Tx::new(self);
        let values = Item::from([
            (":username".into(), text(&login.username)),
            (":link".into(), text(&login.link.sha256_hex)),
            (":ends".into(), seconds(login.link.expires_at)),
            (":one".into(), number(1)),
        ]);
        let change = "SET username = :username, link = :link, linkExpiresAt = :ends ADD generation :one, version :one";
        tx.update(&head_key, change, values, Some(Condition::version(head.version)))?;
        let values = Item::from([(":username".into(), text(&login.username)), (":ends".into(), seconds(login.link.expires_at))]);
        tx.update(&share_key, "SET username = :username, linkExpiresAt = :ends REMOVE keylessRecord", values, Some(live()))?;
        delete_login(&mut tx, tenant, &head)?;
        put_login(&mut tx, tenant, share, login)?;
        if let Some(record) = &stored.keyless_record {
            tx.delete(&keys::idempotency(tenant, parent, record), None)?;
        }
        if let Some(idempotency) = idempotency {
            idempotency.add_to(&mut tx, tenant, parent)?;
        }
        self.settled(tx, tenant, parent, idempotency).await
    }

    /// Deletes a share and everything below it.
    ///
    /// The first transaction ends the sub-account and its logins, and with it every account below, because each request looks at the whole
    /// chain. The rest is tidied up from there; the share's place in the list goes last, together with the record of the request: whoever
    /// is stopped on the way can ask again.
    pub async fn delete_share(
        &self,
        tenant: &TenantId,
        access: &Access,
        share: &AccountId,
        idempotency: &IdempotencyWrite,
    ) -> Result<Submitted> {
        let (root, parent) = (access.root(), access.account());
        self.end_share(tenant, parent, share).await?;
        let mut pending = vec![(share.clone(), Step::EndBelow)];
        while let Some((account, step)) = pending.pop() {
            match step {
                Step::EndBelow => {
                    pending.push((account.clone(), Step::Clear));
                    for below in self.stored_shares(tenant, &account).await? {
                        self.end_share(tenant, &account, &below.share.id).await?;
                        pending.push((below.share.id, Step::EndBelow));
                    }
                }
                Step::Clear => self.clear_account(tenant, root, &account).await?,
            }
        }
        let key = keys::share(tenant, parent, share);
        let Some(item) = self.get(&key, Read::Latest).await? else { return self.overtaken(tenant, parent, idempotency).await };
        let mut tx = Tx::new(self);
        tx.delete(&key, Some(Condition::present(CHANGED)))?;
        if let Some(record) = StoredShare::read(&item)?.keyless_record {
            tx.delete(&keys::idempotency(tenant, parent, &record), None)?;
        }
        idempotency.add_to(&mut tx, tenant, parent)?;
        self.settled(tx, tenant, parent, Some(idempotency)).await
    }

    /// Ends a sub-account and its logins, if it has not ended yet.
    async fn end_share(&self, tenant: &TenantId, parent: &AccountId, share: &AccountId) -> Result<()> {
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
                done => return done,
            }
        }
        Err(CHANGED)
    }

    /// Deletes everything in the partition of a sub-account that has ended, and what leads to it from outside. Readings that belong to no job
    /// stay for the utility; from now on the account at the top leads to them, so that its erasure finds them.
    async fn clear_account(&self, tenant: &TenantId, root: &AccountId, account: &AccountId) -> Result<()> {
        loop {
            let range = Range { condition: None, values: Item::new(), limit: None, after: None, index: None };
            let page = self.query(&keys::account_partition(tenant, account), range, Read::Latest).await?;
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
            let range = Range {
                condition: Some("begins_with(#sk, :shares)"),
                values: Item::from([(":shares".into(), text(keys::SHARES))]),
                limit: None,
                after: after.as_ref(),
                index: None,
            };
            let page = self.query(&keys::account_partition(tenant, parent), range, Read::Latest).await?;
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

    /// Sends the transaction of a request; what it means that somebody was faster says the request's record.
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
    if let Some(link) = &head.link {
        tx.delete(&keys::link(tenant, &link.sha256_hex), None)?;
    }
    Ok(())
}
