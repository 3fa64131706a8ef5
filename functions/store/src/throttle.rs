//! What a sender may do so often and no more: photos that are announced or read, readings of meters that have no job, login data of shares,
//! reminders.

use std::time::Duration;

use domain::ids::{AccountId, MemberId, TenantId};
use domain::network::Network;
use jiff::{SignedDuration, Timestamp};

use crate::db::{Update, Written};
use crate::item::{Item, number, seconds};
use crate::keys::{self, Key};
use crate::{Result, Store};

/// Seconds of the hour in which photos and readings are counted.
const HOUR: i64 = 3600;
impl Store {
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

    /// Counts so many more photos that a member of the staff announced, in the same way.
    pub async fn count_uploads_of_member(
        &self,
        tenant: &TenantId,
        member: &MemberId,
        photos: u32,
        limit: u32,
        now: Timestamp,
    ) -> Result<Option<u64>> {
        self.count_in_hour(&keys::uploads_of_member(tenant, member, &hour(now)), photos, limit, now).await
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

    /// Counts login data of a share that are made once more, in the same way.
    pub async fn count_share_login(
        &self,
        tenant: &TenantId,
        top: &AccountId,
        is_below: bool,
        limit: u32,
        now: Timestamp,
    ) -> Result<Option<u64>> {
        self.count_in_hour(&keys::share_logins_of_account(tenant, top, is_below, &hour(now)), 1, limit, now).await
    }

    /// Counts one more photo that is to be read, in the same way.
    pub async fn count_photo_reading(
        &self,
        tenant: &TenantId,
        top: &AccountId,
        is_below: bool,
        limit: u32,
        now: Timestamp,
    ) -> Result<Option<u64>> {
        self.count_in_hour(&keys::photo_readings_of_account(tenant, top, is_below, &hour(now)), 1, limit, now).await
    }

    /// Counts one more reading of a meter that has no job, for the account or session that sends it and, of a visitor, for the networks that it
    /// comes from; if one of them had its limit of them in this hour, gives the seconds that are left of it.
    pub async fn count_reading_without_job(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        limit: u32,
        networks: Option<(&[Network], u32)>,
        now: Timestamp,
    ) -> Result<Option<u64>> {
        let account = keys::readings_without_job_of_account(tenant, account, &hour(now));
        if let Some(wait) = self.count_in_hour(&account, 1, limit, now).await? {
            return Ok(Some(wait));
        }
        let Some((networks, limit)) = networks else { return Ok(None) };
        let hour = hour(now);
        let keys: Vec<_> = networks.iter().map(|network| keys::readings_without_job_of_network(tenant, &network.prefix, &hour)).collect();
        let has_room = self.count_in_networks(networks.iter().zip(&keys), limit, now + SignedDuration::from_secs(2 * HOUR)).await?;
        Ok((!has_room).then(|| left_of_hour(now)))
    }

    /// Counts one more reminder in this second, of any tenant; if there were `limit` of them, gives the time that is left of it.
    pub async fn count_reminder(&self, limit: u32, now: Timestamp) -> Result<Option<Duration>> {
        let has_room = self.count(&keys::reminders_of_second(now.as_second()), 1, limit, now + SignedDuration::from_secs(HOUR)).await?;
        let begun = Duration::from_nanos(now.subsec_nanosecond().unsigned_abs().into());
        Ok((!has_room).then(|| Duration::from_secs(1).saturating_sub(begun)))
    }

    /// Counts so many more in an item of this hour if it stays within `limit`, otherwise gives the seconds that are left of the hour.
    async fn count_in_hour(&self, key: &Key, more: u32, limit: u32, now: Timestamp) -> Result<Option<u64>> {
        let has_room = self.count(key, more, limit, now + SignedDuration::from_secs(2 * HOUR)).await?;
        Ok((!has_room).then(|| left_of_hour(now)))
    }

    /// Counts so many more in the item if it stays within `limit`, and says whether it did.
    pub(crate) async fn count(&self, key: &Key, more: u32, limit: u32, expires_at: Timestamp) -> Result<bool> {
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
}

/// The hour, as the keys of what is counted in it have it.
fn hour(now: Timestamp) -> String {
    now.strftime("%Y-%m-%dT%H").to_string()
}

/// Seconds that are left of the hour.
fn left_of_hour(now: Timestamp) -> u64 {
    (HOUR - now.as_second().rem_euclid(HOUR)).unsigned_abs()
}
