//! Failed logins are counted: 10 in 15 minutes for a name, 100 for an address. So are photos that are announced or read, readings of meters that
//! have no job, and reminders.

use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::ids::{AccountId, TenantId};
use futures::future;
use jiff::{SignedDuration, Timestamp};

use crate::db::{OPTIMISTIC_ATTEMPTS, Update, Written};
use crate::error::RETRY_AFTER;
use crate::item::{Fields, Item, number, seconds};
use crate::keys::{self, Key};
use crate::{Result, Store, StoreError};

/// How long a failure counts.
const WINDOW: SignedDuration = SignedDuration::from_mins(15);
/// Most failures of a name in that time.
const NAME_LIMIT: usize = 10;
/// Most failures from an address in that time.
const ADDRESS_LIMIT: usize = 100;
/// Seconds of the hour in which photos and readings are counted.
const HOUR: i64 = 3600;
/// The set of failures; each is a [`mark`].
const MARKS: &str = "marks";

/// A login attempt that holds one of the places of its name and of its address. Give it back with [`Store::login_succeeded`];
/// an attempt that is not given back counts as failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    pub(crate) name_hash: Option<String>,
    pub(crate) address_hash: String,
    pub(crate) mark: String,
}

/// Whether a login may be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Throttle {
    /// Try it.
    Allowed(Attempt),
    /// Too many failed.
    Blocked {
        /// Seconds until the oldest failure is 15 minutes old.
        retry_after_seconds: u64,
    },
}

impl Store {
    /// Asks for a login attempt and counts it as failed at once, so that parallel guesses cannot slip through while a password is
    /// still being verified. `name_hash` is absent for a login by link. Both are hashes, so that no address is stored.
    pub async fn login_attempts(&self, tenant: &TenantId, name_hash: Option<&str>, address_hash: &str, now: Timestamp) -> Result<Throttle> {
        let attempt = Attempt { name_hash: name_hash.map(str::to_owned), address_hash: address_hash.to_owned(), mark: mark(now)? };
        let by_name = async {
            match name_hash {
                Some(name_hash) => self.take_place(&keys::failures_of_name(tenant, name_hash), NAME_LIMIT, &attempt.mark, now).await,
                None => Ok(None),
            }
        };
        let address = keys::failures_of_address(tenant, address_hash);
        let by_address = self.take_place(&address, ADDRESS_LIMIT, &attempt.mark, now);
        let (name_wait, address_wait) = future::try_join(by_name, by_address).await?;

        let Some(retry_after_seconds) = name_wait.max(address_wait) else { return Ok(Throttle::Allowed(attempt)) };
        // A refused attempt is no failed one: otherwise one blocked name would in time block its whole address.
        if address_wait.is_none() {
            self.give_back(&address, &attempt.mark).await?;
        } else if let (Some(name_hash), None) = (name_hash, name_wait) {
            self.give_back(&keys::failures_of_name(tenant, name_hash), &attempt.mark).await?;
        }
        Ok(Throttle::Blocked { retry_after_seconds })
    }

    /// The attempt was no failure: forgets all failures of the name and this one of the address.
    pub async fn login_succeeded(&self, tenant: &TenantId, attempt: &Attempt) -> Result<()> {
        let name = async {
            match &attempt.name_hash {
                Some(name_hash) => self.delete(&keys::failures_of_name(tenant, name_hash), None).await,
                None => Ok(()),
            }
        };
        let address = keys::failures_of_address(tenant, &attempt.address_hash);
        future::try_join(name, self.give_back(&address, &attempt.mark)).await?;
        Ok(())
    }

    /// Counts so many more permissions to send a photo ahead, or photos inside a reading; if the account had more than `limit` of them in this hour,
    /// gives the seconds that are left of it. A permission that was not used counts too.
    pub async fn count_uploads(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        photos: u32,
        limit: u32,
        now: Timestamp,
    ) -> Result<Option<u64>> {
        self.count_in_hour(&keys::uploads_of_account(tenant, account, &hour(now)), photos, limit, now).await
    }

    /// Counts one more reading of a job that was read on that day already, for the account at the top or, all together, for those below it; if
    /// there were `limit` of them in this hour, gives the seconds that are left of it.
    pub async fn count_repeat(
        &self,
        tenant: &TenantId,
        top: &AccountId,
        is_below: bool,
        limit: u32,
        now: Timestamp,
    ) -> Result<Option<u64>> {
        self.count_in_hour(&keys::repeats_of_account(tenant, top, is_below, &hour(now)), 1, limit, now).await
    }

    /// Counts one more photo that is to be read, in the same way.
    pub async fn count_photo_reading(&self, tenant: &TenantId, account: &AccountId, limit: u32, now: Timestamp) -> Result<Option<u64>> {
        self.count_in_hour(&keys::photo_readings_of_account(tenant, account, &hour(now)), 1, limit, now).await
    }

    /// Counts one more reading of a meter that has no job, for the account or session that sends it and, of a visitor, for the network that it
    /// comes from, which is hashed; if one of them had its limit of them in this hour, gives the seconds that are left of it.
    pub async fn count_reading_without_job(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        limit: u32,
        network: Option<(&str, u32)>,
        now: Timestamp,
    ) -> Result<Option<u64>> {
        let account = keys::readings_without_job_of_account(tenant, account, &hour(now));
        if let Some(wait) = self.count_in_hour(&account, 1, limit, now).await? {
            return Ok(Some(wait));
        }
        match network {
            Some((network_hash, limit)) => {
                self.count_in_hour(&keys::readings_without_job_of_network(tenant, network_hash, &hour(now)), 1, limit, now).await
            }
            None => Ok(None),
        }
    }

    /// Counts one more reminder in this second, of whatever tenant; if there were `limit` of them, gives the time that is left of it.
    pub async fn count_reminder(&self, limit: u32, now: Timestamp) -> Result<Option<Duration>> {
        let has_room = self.count(&keys::reminders_of_second(now.as_second()), 1, limit, now + SignedDuration::from_secs(HOUR)).await?;
        let begun = Duration::from_nanos(now.subsec_nanosecond().unsigned_abs().into());
        Ok((!has_room).then(|| Duration::from_secs(1).saturating_sub(begun)))
    }

    /// Counts so many more in an item of this hour if it stays within `limit`, otherwise gives the seconds that are left of the hour.
    async fn count_in_hour(&self, key: &Key, more: u32, limit: u32, now: Timestamp) -> Result<Option<u64>> {
        let has_room = self.count(key, more, limit, now + SignedDuration::from_secs(2 * HOUR)).await?;
        let left = HOUR - now.as_second().rem_euclid(HOUR);
        Ok((!has_room).then_some(left.unsigned_abs()))
    }

    /// Counts so many more in the item if it stays within `limit`, and says whether it did.
    async fn count(&self, key: &Key, more: u32, limit: u32, expires_at: Timestamp) -> Result<bool> {
        let Some(most_before) = limit.checked_sub(more) else { return Ok(false) };
        let values = [(":more".into(), number(more)), (":most".into(), number(most_before)), (":expiresAt".into(), seconds(expires_at))];
        let room = Update {
            key,
            expression: "ADD used :more SET expiresAt = :expiresAt",
            condition: Some("attribute_not_exists(used) OR used <= :most"),
            values: Item::from(values),
        };
        Ok(matches!(self.update(room).await?, Written::Done))
    }

    /// Adds the mark if fewer than `limit` are young; otherwise the seconds until one of them is old.
    async fn take_place(&self, key: &Key, limit: usize, mark: &str, now: Timestamp) -> Result<Option<u64>> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let room = Update {
                key,
                expression: "ADD marks :mark SET expiresAt = :expiresAt",
                condition: Some("attribute_not_exists(marks) OR size(marks) < :limit"),
                values: Item::from([
                    (":mark".into(), AttributeValue::Ss(vec![mark.to_owned()])),
                    (":limit".into(), number(limit)),
                    (":expiresAt".into(), seconds(now + WINDOW)),
                ]),
            };
            let Written::Refused(Some(full)) = self.update(room).await? else { return Ok(None) };
            let marks = Fields(&full).texts(MARKS)?;
            let mut young: Vec<&String> = marks.iter().filter(|mark| age(mark, now) < WINDOW).collect();
            young.sort();
            if let Some(next_to_go) = young.len().checked_sub(limit).and_then(|index| young.get(index)) {
                let wait = WINDOW - age(next_to_go, now);
                return Ok(Some(wait.as_secs().unsigned_abs() + 1));
            }
            let tidied = Update {
                key,
                expression: "SET marks = :young, expiresAt = :expiresAt",
                condition: Some("marks = :marks"),
                values: Item::from([
                    (":young".into(), AttributeValue::Ss(young.into_iter().cloned().chain([mark.to_owned()]).collect())),
                    (":marks".into(), AttributeValue::Ss(marks.to_vec())),
                    (":expiresAt".into(), seconds(now + WINDOW)),
                ]),
            };
            if let Written::Done = self.update(tidied).await? {
                return Ok(None);
            }
        }
        Err(StoreError::Unavailable { operation: "login_attempts", retry_after: RETRY_AFTER })
    }

    async fn give_back(&self, key: &Key, mark: &str) -> Result<()> {
        let values = Item::from([(":mark".into(), AttributeValue::Ss(vec![mark.to_owned()]))]);
        self.update(Update { key, expression: "DELETE marks :mark", condition: Some("attribute_exists(pk)"), values }).await?;
        Ok(())
    }
}

/// The hour, as the keys of what is counted in it have it.
fn hour(now: Timestamp) -> String {
    now.strftime("%Y-%m-%dT%H").to_string()
}

/// A failure: when it was, in milliseconds and at a fixed width, and something that tells it from others at the same time.
fn mark(now: Timestamp) -> Result<String> {
    let random = u32::from_le_bytes(crate::random()?);
    Ok(format!("{:013}-{random:08x}", now.as_millisecond()))
}

fn age(mark: &str, now: Timestamp) -> SignedDuration {
    let then = mark.split('-').next().and_then(|millis| millis.parse().ok()).and_then(|millis| Timestamp::from_millisecond(millis).ok());
    then.map_or(SignedDuration::MAX, |then| now.duration_since(then))
}
