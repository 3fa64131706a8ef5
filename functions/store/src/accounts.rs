//! Accounts and how they log in.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::email::EmailAddress;
use domain::ids::{AccountId, ImportId, TenantId};
use domain::login::fold_name;
use domain::search::Findable;
use jiff::{Timestamp, civil::Date};

use crate::db::{OPTIMISTIC_ATTEMPTS, Read, Update};
use crate::item::{Fields, Item, Record, flag, json, millis, number, seconds, text};
use crate::jobs::links_end_at;
use crate::keys;
use crate::logins::{EndedLogins, Entrant, end_sessions};
use crate::search::{FINDABLE, put_entries};
use crate::table::{EXPIRES_AT, RESULTS_PARTITION_KEY, RESULTS_SORT_KEY};
use crate::tx::{Condition, Tx};
use crate::{Origin, Result, Store, StoreError};

/// An account of a customer, a manager or a share's recipient, who can log in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The account's id, unique in the tenant.
    pub id: AccountId,
    /// The name that the portal shows.
    pub name: String,
    /// What makes it a sub-account; none: it is the utility's own.
    pub share: Option<ShareTerms>,
    /// Roles beside those that every account has.
    pub roles: Vec<String>,
    /// The language of the account's portal and mails.
    pub language: Option<String>,
    /// Where the utility's own file says that its owner can be written to; an address that the owner has confirmed goes before it (D-LETTERS-8).
    pub email: Option<EmailAddress>,
    /// How letters address its owner, in the utility's words.
    pub salutation: Option<String>,
    /// Last day of the account in the tenant's time zone.
    pub valid_until: Option<Date>,
    /// The user name as it is printed in the letter.
    pub username: Option<String>,
    /// Counts its login data: what was opened with earlier ones has ended. The table's own count; a value that is put is ignored.
    pub generation: u64,
    /// Counts how often everything that was shared from it was ended: what was shared in an earlier era has ended, and everything below that
    /// (D-SHARES-10). The table's own count, too.
    pub share_era: u64,
}

impl Account {
    /// The account at the top of its chain: itself, if it is the utility's own.
    pub fn top(&self) -> &AccountId {
        self.share.as_ref().and_then(|share| share.ancestors.first()).unwrap_or(&self.id)
    }
}

/// What a sub-account has beside what every account has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareTerms {
    /// The accounts above: the utility's own first, the one that made the share last.
    pub ancestors: Vec<AccountId>,
    /// It may share its jobs on.
    pub allow_to_re_share: bool,
    /// Counts the changes of its set of jobs.
    pub jobs_version: u64,
    /// In which era of the account that made it, see [`Account::share_era`].
    pub era: u64,
}

/// Hash of a link token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkSecretHash {
    /// SHA-256 of the token in hex; the token itself is stored nowhere.
    pub sha256_hex: String,
    /// The time at which the link stops working.
    pub expires_at: Timestamp,
}

/// An account to be created or brought up to date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccount {
    /// The account. `username: None` keeps a user name that is stored already, `share: None` a sub-account's terms.
    pub account: Account,
    /// Argon2id hash in PHC form; `None` keeps the stored one. Needed together with the first user name and with a new one.
    pub password_hash: Option<String>,
    /// The link; `None` keeps the stored one, another one revokes it.
    pub link: Option<LinkSecretHash>,
    /// What was shared from it ends together with the login data that it was shared with, if others take their place.
    pub end_shares: bool,
}

/// An account as an import finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownAccount {
    /// The account.
    pub account: Account,
    /// This import wrote it last.
    pub is_done: bool,
    /// Its login data came otherwise than by a file since it was there: those of a file are of before (D-IMPORTS-22).
    pub is_renewed: bool,
}

/// What an import did with an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imported {
    /// It is new.
    Created,
    /// Something changed.
    Updated,
    /// Exactly so it was stored already; nothing was written.
    Unchanged,
}

/// The login data of a user name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credential {
    /// The account that has the name.
    pub account_id: AccountId,
    /// Argon2id hash in PHC form.
    pub password_hash: String,
    /// To which of the account's login data it belongs, see [`Account::generation`]; of a share always 0, because its new login data have
    /// another name.
    pub generation: u64,
}

impl Credential {
    pub(crate) fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        Ok(Self {
            account_id: fields.parsed("accountId")?,
            password_hash: fields.text("passwordHash")?.to_owned(),
            generation: fields.optional_count("generation")?.unwrap_or_default(),
        })
    }
}

/// An account with what ties it to its logins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredAccount {
    pub account: Account,
    pub link: Option<LinkSecretHash>,
    /// The words under which staff find it; none for a sub-account.
    pub findable: String,
    /// Hashes of further links, the oldest first: of later letters and of invitations, which leave the login data as they are (D-LETTERS-6).
    pub further_links: Vec<String>,
    pub origin: Option<Origin>,
    /// Its login data came otherwise than by a file since it was there.
    pub renewed: bool,
    /// Since when it is known to have no jobs.
    pub jobless_since: Option<Timestamp>,
    pub version: u64,
}

const RENEWED: &str = "renewed";

/// Most further links of an account; one more ends the oldest.
const MOST_FURTHER_LINKS: usize = 4;

impl StoredAccount {
    /// The words under which staff find an account.
    pub(crate) fn words(account: &Account) -> String {
        match account.share {
            None => Findable::account(&account.id, &account.name, account.username.as_deref()).text(),
            Some(_) => String::new(),
        }
    }

    /// Hashes of all its links.
    pub(crate) fn links(&self) -> impl Iterator<Item = &str> {
        self.link.iter().map(|link| link.sha256_hex.as_str()).chain(self.further_links.iter().map(String::as_str))
    }

    pub(crate) fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        let share = match item.contains_key("ancestors") {
            true => Some(ShareTerms {
                ancestors: fields.json("ancestors")?,
                allow_to_re_share: fields.flag("allowToReShare")?,
                jobs_version: fields.count("jobsVersion")?,
                era: fields.optional_count("era")?.unwrap_or_default(),
            }),
            false => None,
        };
        let account = Account {
            id: fields.parsed("accountId")?,
            name: fields.text("name")?.to_owned(),
            share,
            roles: fields.json("roles")?,
            language: fields.optional_text("language")?.map(str::to_owned),
            email: fields.optional_parsed("email")?,
            salutation: fields.optional_text("salutation")?.map(str::to_owned),
            valid_until: fields.optional_parsed("validUntil")?,
            username: fields.optional_text("username")?.map(str::to_owned),
            generation: fields.optional_count("generation")?.unwrap_or_default(),
            share_era: fields.optional_count("shareEra")?.unwrap_or_default(),
        };
        let link = match fields.optional_text("link")? {
            Some(hash) => Some(LinkSecretHash { sha256_hex: hash.to_owned(), expires_at: fields.time("linkExpiresAt")? }),
            None => None,
        };
        let findable = fields.optional_text(FINDABLE)?.unwrap_or_default().to_owned();
        let further_links = if item.contains_key("furtherLinks") { fields.json("furtherLinks")? } else { Vec::new() };
        let (origin, renewed) = (Origin::read(item)?, item.contains_key(RENEWED));
        let jobless_since = item.contains_key("joblessSince").then(|| fields.millis("joblessSince")).transpose()?;
        Ok(Self { account, link, further_links, findable, origin, renewed, jobless_since, version: fields.version()? })
    }

    pub(crate) fn item(&self, tenant: &TenantId) -> Result<Item> {
        let account = &self.account;
        let (list, place) = keys::account_index(tenant, &account.id);
        let share = account.share.as_ref();
        Ok(Origin::add_to(self.origin.as_ref(), Record::at(&keys::account(tenant, &account.id)))
            .with(RESULTS_PARTITION_KEY, text(list))
            .with(RESULTS_SORT_KEY, text(place))
            .with("accountId", text(account.id.as_str()))
            .with("name", text(&account.name))
            .with_some("ancestors", share.map(|share| json(&share.ancestors)).transpose()?)
            .with_some("allowToReShare", share.map(|share| flag(share.allow_to_re_share)))
            .with_some("generation", counted(account.generation))
            .with_some("shareEra", counted(account.share_era))
            .with_some("jobsVersion", share.map(|share| number(share.jobs_version)))
            .with_some("era", share.and_then(|share| counted(share.era)))
            .with("roles", json(&account.roles)?)
            .with_some("language", account.language.as_ref().map(text))
            .with_some("email", account.email.as_ref().map(|email| text(email.as_str())))
            .with_some("salutation", account.salutation.as_ref().map(text))
            .with_some("validUntil", account.valid_until.map(|date| text(date.to_string())))
            .with_some("username", account.username.as_ref().map(text))
            .with_some("link", self.link.as_ref().map(|link| text(&link.sha256_hex)))
            .with_some("linkExpiresAt", self.link.as_ref().map(|link| seconds(link.expires_at)))
            .with_some(FINDABLE, Some(&self.findable).filter(|words| !words.is_empty()).map(text))
            .with_some(RENEWED, self.renewed.then(|| flag(true)))
            .with_some("joblessSince", self.jobless_since.map(millis))
            .with_some("furtherLinks", (!self.further_links.is_empty()).then(|| json(&self.further_links)).transpose()?)
            .with("version", number(self.version))
            .item())
    }
}

impl Store {
    /// The account.
    pub async fn account(&self, tenant: &TenantId, account: &AccountId) -> Result<Option<Account>> {
        let item = self.get(&keys::account(tenant, account), Read::Latest).await?;
        item.map(|item| StoredAccount::read(&item).map(|stored| stored.account)).transpose()
    }

    /// The account as an import finds it.
    pub async fn account_by(&self, tenant: &TenantId, account: &AccountId, import: Option<&ImportId>) -> Result<Option<KnownAccount>> {
        let Some(item) = self.get(&keys::account(tenant, account), Read::Latest).await? else { return Ok(None) };
        let StoredAccount { account, origin, renewed, .. } = StoredAccount::read(&item)?;
        Ok(Some(KnownAccount { account, is_done: origin.is_some_and(|origin| Some(&origin.import) == import), is_renewed: renewed }))
    }

    /// Creates the account or brings it up to date, with its logins in the same transaction. Another user name, password or link ends what was
    /// opened with the earlier ones.
    ///
    /// A user name that another account holds is [`StoreError::NameTaken`], and an account in place of one that is being erased [`StoreError::BeingErased`]; nothing
    /// is stored then.
    pub async fn put_account(&self, tenant: &TenantId, new: &NewAccount) -> Result<Imported> {
        self.put_account_by(tenant, new, None).await
    }

    /// The same, by an import that can be undone.
    pub async fn put_account_by(&self, tenant: &TenantId, new: &NewAccount, import: Option<&ImportId>) -> Result<Imported> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            match self.try_put_account(tenant, new, import).await {
                Err(StoreError::Conflict) => {}
                done => return done,
            }
        }
        Err(StoreError::Conflict)
    }

    /// What the user name stands for; upper and lower case and white space do not matter.
    pub async fn credential(&self, tenant: &TenantId, name: &str) -> Result<Option<Credential>> {
        let item = self.get(&keys::name(tenant, &fold_name(name)), Read::Latest).await?;
        item.as_ref().map(Credential::read).transpose()
    }

    /// The account that a link token opens: none if it is unknown, revoked or expired.
    pub async fn link_login(&self, tenant: &TenantId, sha256_hex: &str, now: Timestamp) -> Result<Option<AccountId>> {
        let Some(item) = self.get(&keys::link(tenant, sha256_hex), Read::Latest).await? else { return Ok(None) };
        let fields = Fields(&item);
        if fields.time(EXPIRES_AT)? <= now {
            return Ok(None);
        }
        fields.parsed("accountId").map(Some)
    }

    /// The account that a link token opens, as long as the token is still that account's, and its jobs have not ended all its links.
    pub async fn account_of_link(&self, tenant: &TenantId, sha256_hex: &str, now: Timestamp) -> Result<Option<Entrant>> {
        let Some(id) = self.link_login(tenant, sha256_hex, now).await? else { return Ok(None) };
        let (account, portfolio) = (keys::account(tenant, &id), keys::portfolio(tenant, &id));
        let found = self.get_batch(&[account.clone(), portfolio.clone()], Read::Latest).await?;
        if found.get(&portfolio).map(links_end_at).transpose()?.flatten().is_some_and(|end| end <= now) {
            return Ok(None);
        }
        let stored = found.get(&account).map(StoredAccount::read).transpose()?;
        let owns = |stored: &StoredAccount| stored.links().any(|link| link == sha256_hex);
        let ended = EndedLogins::read(found.get(&portfolio))?;
        Ok(stored.filter(owns).map(|stored| Entrant { account: stored.account, ended }))
    }

    /// Gives the account one more link; its login data, its earlier links and what was opened with them stay. Adding it again changes nothing. False: there is
    /// no such account.
    pub async fn add_link(&self, tenant: &TenantId, account: &AccountId, link: &LinkSecretHash) -> Result<bool> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let Some(item) = self.get(&keys::account(tenant, account), Read::Latest).await? else { return Ok(false) };
            let mut stored = StoredAccount::read(&item)?;
            if stored.links().any(|known| known == link.sha256_hex) {
                return Ok(true);
            }
            let mut tx = Tx::new(self);
            while stored.further_links.len() >= MOST_FURTHER_LINKS {
                tx.delete(&keys::link(tenant, &stored.further_links.remove(0)), None)?;
            }
            stored.further_links.push(link.sha256_hex.clone());
            let door = Record::at(&keys::link(tenant, &link.sha256_hex))
                .with("accountId", text(account.as_str()))
                .with(EXPIRES_AT, seconds(link.expires_at))
                .item();
            tx.put("the link", door, Some(ours(account, StoreError::LinkTaken)))?;
            let before = stored.version;
            let item = StoredAccount { version: before + 1, ..stored }.item(tenant)?;
            tx.put("the account", item, Some(Condition::version(before)))?;
            match tx.commit("the link").await {
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error),
                Ok(()) => return Ok(true),
            }
        }
        Err(StoreError::Conflict)
    }

    /// Ends one of the account's further links; without it nothing happens.
    pub async fn end_link(&self, tenant: &TenantId, account: &AccountId, sha256_hex: &str) -> Result<()> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let Some(item) = self.get(&keys::account(tenant, account), Read::Latest).await? else { return Ok(()) };
            let mut stored = StoredAccount::read(&item)?;
            let Some(place) = stored.further_links.iter().position(|link| link == sha256_hex) else { return Ok(()) };
            stored.further_links.remove(place);
            let mut tx = Tx::new(self);
            tx.delete(&keys::link(tenant, sha256_hex), None)?;
            let before = stored.version;
            let item = StoredAccount { version: before + 1, ..stored }.item(tenant)?;
            tx.put("the account", item, Some(Condition::version(before)))?;
            match tx.commit("the link").await {
                Err(StoreError::Conflict) => {}
                done => return done,
            }
        }
        Err(StoreError::Conflict)
    }

    /// Lets the account's links live until then, if its jobs end them earlier: one more is about to be made.
    pub async fn put_off_links(&self, tenant: &TenantId, account: &AccountId, end: Timestamp) -> Result<()> {
        let portfolio = keys::portfolio(tenant, account);
        let values = Item::from([(":end".into(), seconds(end))]);
        let later = Some("linksEndAt < :end");
        self.update(Update { key: &portfolio, expression: "SET linksEndAt = :end", condition: later, values }).await?;
        Ok(())
    }

    async fn try_put_account(&self, tenant: &TenantId, new: &NewAccount, import: Option<&ImportId>) -> Result<Imported> {
        let id = &new.account.id;
        let before = self.get(&keys::account(tenant, id), Read::Latest).await?;
        let before = before.map(|item| StoredAccount::read(&item)).transpose()?;
        if before.is_none() && self.is_being_erased(tenant, id).await? {
            return Err(StoreError::BeingErased);
        }
        let before_name = before.as_ref().and_then(|stored| stored.account.username.as_deref());
        let before_link = before.as_ref().and_then(|stored| stored.link.as_ref());

        let mut account = new.account.clone();
        account.username = account.username.or_else(|| before_name.map(str::to_owned));
        account.share = account.share.or_else(|| before.as_ref()?.account.share.clone());
        let link = new.link.as_ref().or(before_link);
        let version = before.as_ref().map_or(0, |stored| stored.version);
        let mut tx = Tx::new(self);

        let old = before_name.map(fold_name);
        let name = account.username.as_deref().map(fold_name);
        let renamed = old != name;
        let stored = match &name {
            Some(name) if !renamed => self.credential(tenant, name).await?,
            _ => None,
        };
        let other_password =
            new.password_hash.as_ref().is_some_and(|hash| stored.as_ref().is_some_and(|stored| stored.password_hash != *hash));
        // An account that was invited by mail only has no link of its login data, and new ones end that of the mail all the same.
        let had_link = before.as_ref().is_some_and(|stored| stored.links().next().is_some());
        let other_link =
            had_link && new.link.as_ref().is_some_and(|new| before_link.is_none_or(|before| new.sha256_hex != before.sha256_hex));
        let replaced = old.is_some() && renamed || other_password || other_link;
        account.generation = before.as_ref().map_or(0, |stored| stored.account.generation) + u64::from(replaced);
        account.share_era = before.as_ref().map_or(0, |stored| stored.account.share_era) + u64::from(replaced && new.end_shares);
        let generation = if account.share.is_some() { 0 } else { account.generation };
        let findable = StoredAccount::words(&account);
        let earlier_links = before.as_ref().map(|stored| stored.further_links.clone()).unwrap_or_default();
        let (ended_links, further_links) = if replaced { (earlier_links, Vec::new()) } else { (Vec::new(), earlier_links) };
        let origin = before.as_ref().and_then(|stored| stored.origin.clone());
        let is_named = before.is_some() && old.is_none() && name.is_some();
        let renewed = before.as_ref().is_some_and(|stored| stored.renewed) || import.is_none() && (replaced || is_named);
        let jobless_since = before.as_ref().and_then(|stored| stored.jobless_since);
        let after = StoredAccount { account, link: link.cloned(), further_links, findable, origin, renewed, jobless_since, version };
        for ended in ended_links.iter().filter(|ended| link.is_none_or(|link| link.sha256_hex != **ended)) {
            tx.delete(&keys::link(tenant, ended), None)?;
        }
        if let Some(before) = before.as_ref().filter(|before| before.account.name != after.account.name && after.account.share.is_none()) {
            self.rename_in_jobs(tenant, &before.account.id, &after.account.name).await?;
        }

        if let Some(name) = &name {
            let key = keys::name(tenant, name);
            let hash = new.password_hash.as_deref().or(stored.as_ref().map(|credential| credential.password_hash.as_str()));
            let hash = hash.ok_or(StoreError::Internal { operation: "put_account", reason: "a new user name needs a password".into() })?;
            if stored.as_ref().is_none_or(|credential| credential.password_hash != hash || credential.generation != generation) {
                let login = Record::at(&key)
                    .with("accountId", text(id.as_str()))
                    .with("passwordHash", text(hash))
                    .with_some("generation", counted(generation))
                    .item();
                tx.put("the login", login, Some(ours(id, StoreError::NameTaken)))?;
            }
            if let Some(old) = old.filter(|_| renamed) {
                tx.delete(&keys::name(tenant, &old), None)?;
            }
        }
        if let Some(link) = link.filter(|link| before_link != Some(link)) {
            let login = Record::at(&keys::link(tenant, &link.sha256_hex))
                .with("accountId", text(id.as_str()))
                .with(EXPIRES_AT, seconds(link.expires_at))
                .item();
            tx.put("the link", login, Some(ours(id, StoreError::LinkTaken)))?;
            if let Some(old) = before_link.filter(|old| old.sha256_hex != link.sha256_hex) {
                tx.delete(&keys::link(tenant, &old.sha256_hex), None)?;
            }
        }

        if replaced {
            end_sessions(&mut tx, tenant, id)?;
        }
        // What an import that was stopped had done already.
        let done = after.origin.as_ref().filter(|origin| Some(&origin.import) == import);
        if tx.is_empty() && before.as_ref() == Some(&after) {
            return Ok(match done {
                None => Imported::Unchanged,
                Some(origin) if origin.created => Imported::Created,
                Some(_) => Imported::Updated,
            });
        }
        let is_new = before.is_none() || done.is_some_and(|origin| origin.created);
        let words_before = before.as_ref().map_or("", |stored| stored.findable.as_str());
        put_entries(&mut tx, tenant, id, None, words_before, &after.findable)?;
        let (condition, imported) = match &before {
            Some(stored) => (Condition::version(stored.version), if is_new { Imported::Created } else { Imported::Updated }),
            None => (Condition::absent(StoreError::Conflict), Imported::Created),
        };
        // What is no import's leaves it the import's, which finds it when it is undone.
        let origin = import.map_or(after.origin, |import| Some(Origin { created: is_new, ..Origin::by(import) }));
        let item = StoredAccount { version: version + 1, origin, ..after }.item(tenant)?;
        tx.put("the account", item, Some(condition))?;
        tx.commit("the account").await?;
        Ok(imported)
    }
}

/// A generation or an era as it is stored: the first one of an account of the utility's own is left out.
fn counted(generation: u64) -> Option<AttributeValue> {
    (generation > 0).then(|| number(generation))
}

/// The login is free or this account's already.
fn ours(account: &AccountId, refusal: StoreError) -> Condition {
    let values = Item::from([(":account".into(), text(account.as_str()))]);
    Condition { expression: "attribute_not_exists(pk) OR accountId = :account", values, refusal }
}
