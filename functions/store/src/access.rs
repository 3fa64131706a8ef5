//! Which jobs an account sees: its own, or those that came down a chain of shares.
//!
//! Jobs stay in the partition of the account at the top. A sub-account sees those of its set that every account above it still has, at
//! the moment when it looks.

use std::collections::{BTreeSet, HashMap};

use domain::ids::{AccountId, JobId, TenantId};
use domain::share::MAX_CHAIN;
use futures::future;
use jiff::Timestamp;

use crate::accounts::StoredAccount;
use crate::db::Read;
use crate::idempotency::IdempotencyRecord;
use crate::item::Item;
use crate::jobs::{Cursor, READ_OF_JOB, StoredJob};
use crate::keys::{self, Key};
use crate::logins::{EndedLogins, TokenOrigin};
use crate::shares::{StoredShare, shares_counted};
use crate::slots::Counters;
use crate::{Account, JobsPage, ListState, Result, Slot, Store};

/// Who is asking, with the accounts between them and the jobs as they are stored now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    account: AccountId,
    /// Of a sub-account: from the one at the top to the account itself.
    heads: Vec<Account>,
    /// Where the access token came from, until it was checked whether it has ended.
    token: Option<TokenOrigin>,
}

impl Access {
    /// An account of the utility's own: it sees what it has.
    pub fn owner(account: AccountId) -> Self {
        Self { account, heads: Vec::new(), token: None }
    }

    /// The same by an access token from there. Whether it has ended ([`StoreError::LoginEnded`]) says the first look at the account's jobs or
    /// sessions, in the same read.
    pub fn claimed(account: AccountId, token: TokenOrigin) -> Self {
        Self { token: Some(token), ..Self::owner(account) }
    }

    /// The same once it was checked whether its token has ended.
    #[must_use]
    pub fn looked_at(&self) -> Self {
        Self { token: None, ..self.clone() }
    }

    /// The account of the caller.
    pub fn account(&self) -> &AccountId {
        &self.account
    }

    /// The account that owns the jobs.
    pub fn root(&self) -> &AccountId {
        self.heads.first().map_or(&self.account, |head| &head.id)
    }

    /// Of a sub-account, the accounts from the one at the top to itself; of an account of the utility's own none, because nothing had to be read.
    pub fn heads(&self) -> &[Account] {
        &self.heads
    }

    /// The accounts above, the one at the top first, with the account itself: what its own shares have above them.
    pub fn lineage(&self) -> Vec<AccountId> {
        match self.heads.as_slice() {
            [] => vec![self.account.clone()],
            heads => heads.iter().map(|head| head.id.clone()).collect(),
        }
    }

    /// Which logins of the account have ended, unless the caller's is among them.
    pub(crate) fn admitted(&self, portfolio: Option<&Item>) -> Result<EndedLogins> {
        let ended = EndedLogins::read(portfolio)?;
        if let Some(token) = &self.token {
            ended.admit(token)?;
        }
        Ok(ended)
    }

    /// What has to be read beside, if the caller's token was not checked yet.
    fn portfolio_key(&self, tenant: &TenantId) -> Option<Key> {
        self.token.as_ref().map(|_| keys::portfolio(tenant, &self.account))
    }

    /// Checks the caller's token, unless that was done, in what was read beside.
    fn admit(&self, tenant: &TenantId, found: &HashMap<Key, Item>) -> Result<()> {
        match self.portfolio_key(tenant) {
            Some(key) => self.admitted(found.get(&key)).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Whether sharing on is allowed all the way down to here, and the chain is not too long yet.
    pub fn may_share(&self) -> bool {
        let allowed = self.heads.iter().filter_map(|head| head.share.as_ref()).all(|share| share.allow_to_re_share);
        allowed && self.lineage().len() < MAX_CHAIN
    }

    /// The sets between the jobs and the caller; none for an account of the utility's own.
    pub(crate) fn set_keys(&self, tenant: &TenantId) -> Vec<Key> {
        self.heads.windows(2).map(|pair| keys::share(tenant, &pair[0].id, &pair[1].id)).collect()
    }

    /// What the sets leave; none: everything, because there is no set.
    pub(crate) fn selection(&self, tenant: &TenantId, found: &HashMap<Key, Item>) -> Result<Option<Selection>> {
        let mut selection: Option<Selection> = None;
        for key in self.set_keys(tenant) {
            let share = found.get(&key).map(StoredShare::read).transpose()?;
            let (version, ids) =
                share.filter(|stored| !stored.ended).map(|stored| (stored.version, stored.share.job_ids)).unwrap_or_default();
            selection = Some(match selection {
                None => Selection { versions: vec![version], ids },
                Some(Selection { mut versions, ids: above }) => {
                    versions.push(version);
                    Selection { versions, ids: above.intersection(&ids).cloned().collect() }
                }
            });
        }
        Ok(selection)
    }
}

/// What a caller who wants to share needs to know.
#[derive(Debug, Clone, PartialEq)]
pub struct ToShare {
    /// The jobs that they see, of those asked for.
    pub jobs: HashMap<JobId, StoredJob>,
    /// The record of an earlier request with the same key.
    pub record: Option<IdempotencyRecord>,
    /// Who shares, as stored now.
    pub maker: Account,
    /// How many shares there are below the account at the top.
    pub shares: u32,
}

/// The ids that the sets of a chain have in common.
pub(crate) struct Selection {
    /// Of each set.
    versions: Vec<u64>,
    pub ids: BTreeSet<JobId>,
}

impl Store {
    /// The chain of a sub-account, in one read; none: one of its accounts is gone, or has ended what it shared since (D-SHARES-10).
    ///
    /// Whether an account has ended, and whether its login data are still those of the caller, is for the caller to judge.
    pub async fn access(&self, tenant: &TenantId, ancestors: &[AccountId], account: &AccountId) -> Result<Option<Access>> {
        Ok(self.chain(tenant, ancestors, account).await?.map(|(access, _)| access))
    }

    /// The same by an access token from there; [`StoreError::LoginEnded`] if it has ended.
    pub async fn claimed_access(
        &self,
        tenant: &TenantId,
        ancestors: &[AccountId],
        account: &AccountId,
        token: &TokenOrigin,
    ) -> Result<Option<Access>> {
        let Some((access, ended)) = self.chain(tenant, ancestors, account).await? else { return Ok(None) };
        ended.admit(token)?;
        Ok(Some(access))
    }

    async fn chain(&self, tenant: &TenantId, ancestors: &[AccountId], account: &AccountId) -> Result<Option<(Access, EndedLogins)>> {
        let mut keys: Vec<Key> = ancestors.iter().chain([account]).map(|id| keys::account(tenant, id)).collect();
        if keys.len() > MAX_CHAIN {
            return Ok(None);
        }
        let portfolio = keys::portfolio(tenant, account);
        keys.push(portfolio.clone());
        let mut found = self.get_batch(&keys, Read::Latest).await?;
        let ended = EndedLogins::read(found.remove(&portfolio).as_ref())?;
        let heads = keys.iter().filter_map(|key| found.get(key)).map(|item| StoredAccount::read(item).map(|stored| stored.account));
        let heads = heads.collect::<Result<Vec<_>>>()?;
        let holds = |pair: &[Account]| pair[1].share.as_ref().is_some_and(|terms| terms.era == pair[0].share_era);
        let unbroken = heads.len() + 1 == keys.len() && heads.windows(2).all(holds);
        Ok(unbroken.then(|| (Access { account: account.clone(), heads, token: None }, ended)))
    }

    /// Changes with every change of any job that the caller sees, and of what it sees. One small read beside the chain, which sees the reader's own last reading: a
    /// stale answer would make the portal show a job as open again that was just read.
    pub async fn accessible_state(&self, tenant: &TenantId, access: &Access) -> Result<ListState> {
        let sets = access.heads.iter().filter_map(|head| head.share.as_ref()).map(|share| share.jobs_version);
        let portfolio = self.get(&keys::portfolio(tenant, access.root()), Read::Latest).await?;
        if access.token.is_some() {
            access.admitted(portfolio.as_ref())?;
        }
        Ok(ListState::new(Counters::read(portfolio.as_ref())?, sets.collect()))
    }

    /// One page of the jobs that the caller sees, at most `limit`.
    ///
    /// Of an account of the utility's own one query; of a sub-account one read of the sets and one for each hundred jobs.
    pub async fn accessible_jobs(&self, tenant: &TenantId, access: &Access, limit: u32, cursor: Option<&str>) -> Result<JobsPage> {
        if access.heads.is_empty() {
            return self.own_jobs(tenant, access, limit, cursor).await;
        }
        let cursor = cursor.map(Cursor::parse).transpose()?;
        let portfolio = keys::portfolio(tenant, access.root());
        let mut wanted = access.set_keys(tenant);
        wanted.push(portfolio.clone());
        // Before the jobs, so that a change in between is never hidden behind the newer counters.
        let found = self.get_batch(&wanted, Read::Latest).await?;
        let selection = access.selection(tenant, &found)?.unwrap_or_else(|| Selection { versions: Vec::new(), ids: BTreeSet::new() });
        let counters = Counters::read(found.get(&portfolio))?;
        let state = cursor.is_none().then(|| ListState::new(counters, selection.versions));

        let Cursor { within, after } = cursor.unwrap_or_default();
        let is_wanted = |id: &JobId| after.as_ref().is_none_or(|after| id > after) && within.contains(Slot::of(id));
        let mut rest = selection.ids.into_iter().filter(is_wanted);
        let ids: Vec<JobId> = rest.by_ref().take(usize::try_from(limit).unwrap_or(usize::MAX)).collect();
        let last = ids.last().cloned().filter(|_| rest.next().is_some());
        let keys: Vec<Key> = ids.iter().map(|id| keys::job(tenant, access.root(), id)).collect();
        let found = self.get_many(&keys, Some(READ_OF_JOB), Read::Latest).await?;
        let jobs = keys.iter().filter_map(|key| found.get(key)).map(StoredJob::read).collect::<Result<Vec<_>>>()?;
        let next_cursor = last.map(|after| Cursor { within, after: Some(after) }.to_string());
        Ok(JobsPage { jobs: jobs.into_iter().filter(|job| !job.is_hidden()).collect(), next_cursor, lanes: Vec::new(), state })
    }

    /// One page of the jobs of an account of the utility's own. The first page brings the portfolio along, which says whether the token still holds.
    async fn own_jobs(&self, tenant: &TenantId, access: &Access, limit: u32, cursor: Option<&str>) -> Result<JobsPage> {
        let jobs = self.jobs_with_portfolio(tenant, &access.account, limit, cursor);
        let (mut page, portfolio) = match access.portfolio_key(tenant).filter(|_| cursor.is_some()) {
            None => jobs.await?,
            Some(key) => {
                let ((page, _), portfolio) = future::try_join(jobs, self.get(&key, Read::Latest)).await?;
                (page, portfolio)
            }
        };
        access.admitted(portfolio.as_ref())?;
        page.jobs.retain(|job| !job.is_hidden());
        Ok(page)
    }

    /// One job, if the caller sees it; one read.
    pub async fn accessible_job(&self, tenant: &TenantId, access: &Access, job: &JobId) -> Result<Option<StoredJob>> {
        if access.heads.is_empty() && access.token.is_none() {
            return self.job(tenant, &access.account, job).await;
        }
        let mut wanted = access.set_keys(tenant);
        wanted.push(keys::job(tenant, access.root(), job));
        wanted.extend(access.portfolio_key(tenant));
        let found = self.get_batch(&wanted, Read::Latest).await?;
        access.admit(tenant, &found)?;
        Ok(access.job_of(tenant, job, &found)?.filter(|job| !job.is_hidden()))
    }

    /// What a submission needs to know, in one read: the job, also one that is not shown any more because it was closed, and the record of an earlier request with
    /// the same key. The record is the caller's, whosever the job is.
    pub async fn accessible_job_with_idempotency(
        &self,
        tenant: &TenantId,
        access: &Access,
        job: &JobId,
        key_hash: &str,
        now: Timestamp,
    ) -> Result<(Option<StoredJob>, Option<IdempotencyRecord>)> {
        let record = keys::idempotency(tenant, &access.account, key_hash);
        let mut wanted = access.set_keys(tenant);
        wanted.extend([keys::job(tenant, access.root(), job), record.clone()]);
        wanted.extend(access.portfolio_key(tenant));
        let found = self.get_batch(&wanted, Read::Latest).await?;
        access.admit(tenant, &found)?;
        let record = found.get(&record).map(|item| IdempotencyRecord::read(item, now)).transpose()?;
        Ok((access.job_of(tenant, job, &found)?, record.flatten()))
    }

    /// What a caller who wants to share these jobs needs to know. One read for each hundred jobs. None: the account is gone.
    pub async fn jobs_to_share(
        &self,
        tenant: &TenantId,
        access: &Access,
        jobs: &[JobId],
        key_hash: &str,
        now: Timestamp,
    ) -> Result<Option<ToShare>> {
        let record = keys::idempotency(tenant, &access.account, key_hash);
        let (count, own) = (keys::share_count(tenant, access.root()), keys::account(tenant, &access.account));
        let mut beside = vec![record.clone(), count.clone()];
        // Of a sub-account it was read with its chain.
        if access.heads.is_empty() {
            beside.push(own.clone());
        }
        let (jobs, mut found) = self.seen_jobs(tenant, access, jobs, beside).await?;
        let maker = match access.heads.last() {
            Some(head) => Some(head.clone()),
            None => found.get(&own).map(StoredAccount::read).transpose()?.map(|stored| stored.account),
        };
        let Some(maker) = maker else { return Ok(None) };
        let record = found.remove(&record).map(|item| IdempotencyRecord::read(&item, now)).transpose()?;
        let shares = found.get(&count).map(shares_counted).transpose()?.unwrap_or_default();
        Ok(Some(ToShare { jobs, record: record.flatten(), maker, shares }))
    }

    /// Those of these jobs that the caller sees, and what was read, the items of `beside` too.
    pub(crate) async fn seen_jobs(
        &self,
        tenant: &TenantId,
        access: &Access,
        jobs: &[JobId],
        beside: Vec<Key>,
    ) -> Result<(HashMap<JobId, StoredJob>, HashMap<Key, Item>)> {
        let mut wanted = access.set_keys(tenant);
        wanted.extend(beside);
        wanted.extend(jobs.iter().map(|job| keys::job(tenant, access.root(), job)));
        let found = self.get_many(&wanted, None, Read::Latest).await?;
        let selection = access.selection(tenant, &found)?;
        let mut seen = HashMap::with_capacity(jobs.len());
        for id in jobs.iter().filter(|id| selection.as_ref().is_none_or(|selection| selection.ids.contains(id))) {
            let job = found.get(&keys::job(tenant, access.root(), id)).map(StoredJob::read).transpose()?;
            seen.extend(job.filter(|job| !job.is_hidden()).map(|job| (id.clone(), job)));
        }
        Ok((seen, found))
    }
}

impl Access {
    /// The job among what was read, if the sets leave it.
    fn job_of(&self, tenant: &TenantId, job: &JobId, found: &HashMap<Key, Item>) -> Result<Option<StoredJob>> {
        if self.selection(tenant, found)?.is_some_and(|selection| !selection.ids.contains(job)) {
            return Ok(None);
        }
        found.get(&keys::job(tenant, self.root(), job)).map(StoredJob::read).transpose()
    }
}
