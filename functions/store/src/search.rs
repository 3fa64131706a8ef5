//! How staff find accounts and jobs by words: entries under the beginnings of words, written and deleted with what they lead to (D-STORAGE-5).
//!
//! Each entry keeps all words of its account or job, so that a search reads the entries of one word and leaves out what lacks the others.

use std::collections::{HashMap, HashSet};

use domain::ids::{AccountId, JobId, TenantId};
use domain::search::{Findable, Search, common_beginning, entry};
use futures::{StreamExt, TryStreamExt, stream};

use crate::accounts::{Account, StoredAccount};
use crate::communication::Registration;
use crate::db::{OPTIMISTIC_ATTEMPTS, Query, Read};
use crate::item::{Fields, Item, Record, key_of, text};
use crate::jobs::{JOB, StoredJob};
use crate::keys::{self, Key};
use crate::table::SORT_KEY;
use crate::tx::{Condition, Tx};
use crate::{Result, Store, StoreError};

/// The attribute of an account or a job that has the words under which it stands.
pub(crate) const FINDABLE: &str = "findable";
/// The attribute of an entry that has all words of what it leads to.
const WORDS: &str = "w";

/// Most accounts or jobs of one page.
const PAGE: usize = 25;
/// Queries of one page; the accounts and jobs that they lead to are one round trip more.
const QUERIES: usize = 2;
/// Entries that a search by one word looks at in a query: several lead to one account.
const ENTRIES: u32 = 100;
/// Entries that the first query of a page looks at where other words narrow it: where many fit they are the page, and where few do the second query reads as much as one may.
const FIRST_LOOK: u32 = 400;
/// Jobs of an account whose entries change at once with its name.
const AT_ONCE: usize = 8;

/// An account that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundAccount {
    /// The account.
    pub account: Account,
    /// The job by which it was found, if it was by one, for its address and meter.
    pub job: Option<StoredJob>,
}

/// A job that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundJob {
    /// The job.
    pub job: StoredJob,
    /// The account that owns the job.
    pub account: Account,
}

/// A customer to write to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact {
    /// The account's name.
    pub name: String,
    /// Its owner has confirmed an e-mail address.
    pub has_email: bool,
}

/// One page of what was found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundPage<T> {
    /// At most 25; may be none although there are more pages.
    pub found: Vec<T>,
    /// For the next page; none: this was the last.
    pub next_cursor: Option<String>,
}

/// The kind of thing that is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Accounts,
    Jobs,
}

/// To what an entry leads.
struct Place {
    account: AccountId,
    job: Option<JobId>,
}

impl Place {
    fn read(item: &Item) -> Result<Self> {
        let unreadable = || StoreError::Internal { operation: "search", reason: "an entry leads nowhere".into() };
        let mut parts = Fields(item).text(SORT_KEY)?.split('#').skip(1);
        let account = parts.next().and_then(|account| account.parse().ok()).ok_or_else(unreadable)?;
        let job = match parts.next() {
            None | Some("") => None,
            Some(job) => Some(job.parse().map_err(|_| unreadable())?),
        };
        Ok(Self { account, job })
    }
}

/// Where a page begins: under which of the search's words, and after which entry.
#[derive(Default)]
struct Position {
    stage: usize,
    after: Option<String>,
}

impl Position {
    fn parse(cursor: &str) -> Option<Self> {
        let (stage, after) = cursor.split_once('.')?;
        Some(Self { stage: stage.parse().ok()?, after: (!after.is_empty()).then(|| after.to_owned()) })
    }
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.stage, self.after.as_deref().unwrap_or_default())
    }
}

/// How many items [`put_entries`] writes at most.
pub(crate) fn entries_between(before: &str, after: &str) -> usize {
    if before == after { 0 } else { Findable::parse(before).entries().count() + Findable::parse(after).entries().count() }
}

/// Changes the entries of an account or job in the transaction from those of its words before to those of its words now.
pub(crate) fn put_entries(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    account: &AccountId,
    job: Option<&JobId>,
    before: &str,
    after: &str,
) -> Result<()> {
    if before == after {
        return Ok(());
    }
    let before: Vec<_> = Findable::parse(before).entries().collect();
    let after: Vec<_> = Findable::parse(after).entries().collect();
    for (entry, words) in after.iter().filter(|entry| !before.contains(entry)) {
        let key = keys::search_entry(tenant, common_beginning(entry), entry, account, job);
        tx.put("the entry", Record::at(&key).with(WORDS, text(words)).item(), None)?;
    }
    for (entry, _) in before.iter().filter(|(entry, _)| !after.iter().any(|(other, _)| other == entry)) {
        tx.delete(&keys::search_entry(tenant, common_beginning(entry), entry, account, job), None)?;
    }
    Ok(())
}

impl Store {
    /// Accounts of the utility's own with all words of the search in their name, number or user name, or in one of their jobs; those with exactly the
    /// rarest word come first. At most three round trips.
    ///
    /// A page looks at a bounded number of entries: of a search of very common words it may have nothing although later pages do. An account that has
    /// several fitting words may come again on another page.
    pub async fn find_accounts(&self, tenant: &TenantId, search: &Search, cursor: Option<&str>) -> Result<FoundPage<FoundAccount>> {
        let (places, next_cursor) = self.find(tenant, search, Kind::Accounts, cursor).await?;
        let mut items = self.places(tenant, &places).await?;
        let mut found = Vec::with_capacity(places.len());
        for Place { account, job } in places {
            let Some(head) = items.remove(&keys::account(tenant, &account)) else { continue };
            let job = job.and_then(|job| items.remove(&keys::job(tenant, &account, &job)));
            let job = job.map(|item| StoredJob::read(&item)).transpose()?;
            found.push(FoundAccount { account: StoredAccount::read(&head)?.account, job });
        }
        Ok(FoundPage { found, next_cursor })
    }

    /// The same for jobs that the utility lists.
    pub async fn find_jobs(&self, tenant: &TenantId, search: &Search, cursor: Option<&str>) -> Result<FoundPage<FoundJob>> {
        let (places, next_cursor) = self.find(tenant, search, Kind::Jobs, cursor).await?;
        let items = self.places(tenant, &places).await?;
        let mut found = Vec::with_capacity(places.len());
        for Place { account, job } in places {
            let job = job.and_then(|job| items.get(&keys::job(tenant, &account, &job)));
            if let (Some(head), Some(job)) = (items.get(&keys::account(tenant, &account)), job) {
                found.push(FoundJob { job: StoredJob::read(job)?, account: StoredAccount::read(head)?.account });
            }
        }
        Ok(FoundPage { found, next_cursor })
    }

    /// Names of up to 50 accounts, and whether they can be written to by e-mail; one read.
    pub async fn contacts(&self, tenant: &TenantId, accounts: &[AccountId]) -> Result<HashMap<AccountId, Contact>> {
        let wanted = accounts.iter().flat_map(|account| [keys::account(tenant, account), keys::registration(tenant, account)]);
        let wanted: Vec<Key> = wanted.collect();
        let found = if wanted.is_empty() { HashMap::new() } else { self.get_many(&wanted, None, Read::Recent).await? };
        let mut contacts = HashMap::new();
        for account in accounts {
            let Some(head) = found.get(&keys::account(tenant, account)) else { continue };
            let registration = found.get(&keys::registration(tenant, account)).map(Registration::read).transpose()?;
            let has_email = registration.is_some_and(|registration| registration.confirmed.is_some());
            contacts.insert(account.clone(), Contact { name: Fields(head).text("name")?.to_owned(), has_email });
        }
        Ok(contacts)
    }

    async fn places(&self, tenant: &TenantId, places: &[Place]) -> Result<HashMap<Key, Item>> {
        let mut wanted = HashSet::new();
        for Place { account, job } in places {
            wanted.insert(keys::account(tenant, account));
            wanted.extend(job.iter().map(|job| keys::job(tenant, account, job)));
        }
        let wanted: Vec<Key> = wanted.into_iter().collect();
        if wanted.is_empty() { Ok(Default::default()) } else { self.get_many(&wanted, None, Read::Recent).await }
    }

    async fn find(&self, tenant: &TenantId, search: &Search, kind: Kind, cursor: Option<&str>) -> Result<(Vec<Place>, Option<String>)> {
        let mut position = match cursor {
            None => Position::default(),
            Some(cursor) => Position::parse(cursor).ok_or(StoreError::InvalidCursor)?,
        };
        let mut found: Vec<Place> = Vec::new();
        let mut seen: HashSet<String> = HashSet::new();
        for query in 0..QUERIES {
            let Some(key) = search.keys().get(position.stage) else { return Ok((found, None)) };
            // A town's postcode would lead to every customer in it.
            if position.stage > 0 && Search::is_common(key) && !found.is_empty() {
                return Ok((found, None));
            }
            let Some(wanted) = entry(key) else { return Ok((found, None)) };
            // Of another search.
            if position.after.as_ref().is_some_and(|after| !after.starts_with(&wanted)) {
                return Err(StoreError::InvalidCursor);
            }
            let narrows: Vec<String> = search.narrows(key).collect();
            let partition = keys::search_entries(tenant, common_beginning(&wanted));
            let limit = match (narrows.is_empty(), kind) {
                (true, Kind::Accounts) => Some(ENTRIES),
                (true, Kind::Jobs) => None,
                (false, _) => (query == 0).then_some(FIRST_LOOK),
            };
            let looked_at = Query { limit, ..narrowed(&partition, &wanted, &narrows, position.after.as_deref()) };
            let page = self.query_narrowed(&looked_at).await?;
            for item in &page.items {
                if search.is_found_before(position.stage, Fields(item).text(WORDS)?) {
                    continue;
                }
                let place = Place::read(item)?;
                let name = match (kind, &place.job) {
                    (Kind::Jobs, Some(job)) => job.as_str().to_owned(),
                    _ => place.account.as_str().to_owned(),
                };
                if seen.contains(&name) {
                    // The account's own entry comes before those of its jobs.
                    if let Some(last) = found.last_mut().filter(|last| last.account == place.account && last.job.is_none()) {
                        last.job = place.job;
                    }
                    continue;
                }
                if found.len() == PAGE {
                    let after = position.after.map(|after| beyond(after, kind, &seen));
                    return Ok((found, Some(Position { stage: position.stage, after }.to_string())));
                }
                seen.insert(name);
                position.after = Some(key_of(item)?.sk);
                found.push(place);
            }
            position = match page.last {
                None => Position { stage: position.stage + 1, after: None },
                Some(last) => Position { stage: position.stage, after: Some(beyond(last.sk, kind, &seen)) },
            };
            if found.len() == PAGE {
                break;
            }
        }
        let more = position.stage < search.keys().len();
        let is_over = position.stage > 0 && position.after.is_none() && !found.is_empty();
        let common = search.keys().get(position.stage).is_some_and(|key| Search::is_common(key));
        Ok((found, (more && !(is_over && common)).then(|| position.to_string())))
    }

    /// Brings the entries of an account's jobs in line with the account's new name. Done before the account itself is changed: an import that is
    /// stopped in between imports the account once more.
    pub(crate) async fn rename_in_jobs(&self, tenant: &TenantId, account: &AccountId, name: &str) -> Result<()> {
        let mut cursor = None;
        loop {
            let page = self.jobs_with_hidden(tenant, account, 100, cursor.as_deref()).await?;
            let listed = page.jobs.into_iter().filter(|job| !job.closed);
            stream::iter(listed).map(|job| self.rename_in_job(tenant, job, name)).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
            match page.next_cursor {
                Some(next) => cursor = Some(next),
                None => return Ok(()),
            }
        }
    }

    async fn rename_in_job(&self, tenant: &TenantId, mut job: StoredJob, name: &str) -> Result<()> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let words = Findable::job(&job.account_id, name, &job.master).text();
            if words == job.findable || job.closed {
                return Ok(());
            }
            let before = job.version;
            let next = StoredJob { findable: words, version: before + 1, ..job.clone() };
            let mut tx = Tx::new(self);
            let zone = self.zone(tenant).await?;
            next.put(&mut tx, tenant, zone.as_ref(), Some(&job), Condition::version(before))?;
            match tx.commit(JOB).await {
                Err(StoreError::Conflict) => {}
                done => return done,
            }
            let item = self.get(&keys::job(tenant, &job.account_id, &job.master.id), Read::Latest).await?;
            let Some(item) = item else { return Ok(()) };
            job = StoredJob::read(&item)?;
        }
        Err(StoreError::Conflict)
    }

    /// Deletes the entries of a job that is erased, by its words; answers how many.
    pub(crate) async fn erase_entries(&self, tenant: &TenantId, account: &AccountId, job: &JobId, findable: &str) -> Result<usize> {
        let mut count = 0;
        for (entry, _) in Findable::parse(findable).entries() {
            self.delete(&keys::search_entry(tenant, common_beginning(&entry), &entry, account, Some(job)), None).await?;
            count += 1;
        }
        Ok(count)
    }
}

/// The query for entries that begin so and have all these words.
fn narrowed<'a>(partition: &'a str, entry: &str, narrows: &[String], after: Option<&str>) -> Query<'a> {
    let mut values = Item::from([(":entry".into(), text(entry))]);
    let mut filter: Vec<String> = Vec::new();
    for (place, word) in narrows.iter().enumerate() {
        values.insert(format!(":w{place}"), text(word));
        filter.push(format!("contains({WORDS}, :w{place})"));
    }
    Query {
        read: Read::Recent,
        partition,
        index: false,
        newest_first: false,
        condition: "begins_with(sk, :entry)",
        filter: (!filter.is_empty()).then(|| filter.join(" AND ")),
        values,
        limit: None,
        after: after.map(|sk| Key { pk: partition.to_owned(), sk: sk.to_owned() }),
    }
}

/// After which entry to go on: of an account that was found already, the entries of its other jobs need not be read.
fn beyond(last: String, kind: Kind, seen: &HashSet<String>) -> String {
    let mut parts = last.split('#');
    match (parts.next(), parts.next()) {
        (Some(entry), Some(account)) if kind == Kind::Accounts && seen.contains(account) => format!("{entry}#{account}#\u{7f}"),
        _ => last,
    }
}
