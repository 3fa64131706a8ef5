//! Reminders of open jobs: who can be reached, and how often somebody was reminded.

use std::collections::BTreeMap;

use domain::email::EmailAddress;
use domain::ids::{AccountId, TenantId};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde::{Deserialize, Serialize};

use crate::communication::Registration;
use crate::db::Read;
use crate::item::{Fields, Item, Record, json, number};
use crate::keys;
use crate::tx::{Condition, Tx};
use crate::{Result, Store, StoreError};

/// How many days after a deadline its reminders are forgotten.
const REMEMBERED_DAYS: i64 = 100;

/// An account whose owner has confirmed an address and has not declined reminders.
#[derive(Debug, Clone, PartialEq)]
pub struct Reachable {
    /// The account.
    pub account: AccountId,
    /// The address.
    pub email: EmailAddress,
    /// What opens the registration's page.
    pub self_service_token: String,
    /// How often it was reminded.
    pub reminded: Reminded,
}

/// How often an account was reminded of the jobs of each deadline: an account with thousands of jobs has few deadlines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reminded {
    deadlines: BTreeMap<Date, u8>,
    last: Option<Timestamp>,
    version: u64,
}

#[derive(Serialize, Deserialize)]
struct Document {
    deadlines: BTreeMap<Date, u8>,
    last: Timestamp,
}

impl Reminded {
    /// How often of jobs that are due on this day.
    pub fn times(&self, deadline: Date) -> u8 {
        self.deadlines.get(&deadline).copied().unwrap_or_default()
    }

    /// When for the last time.
    pub fn last(&self) -> Option<Timestamp> {
        self.last
    }

    /// The number of the next reminder; each is used once in the account.
    pub fn next_number(&self) -> u64 {
        self.version + 1
    }

    fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        let Document { deadlines, last } = fields.json("reminded")?;
        Ok(Self { deadlines, last: Some(last), version: fields.version()? })
    }
}

impl Store {
    /// Those of up to 50 accounts that can be reached; one read.
    pub async fn reachable(&self, tenant: &TenantId, accounts: &[AccountId]) -> Result<Vec<Reachable>> {
        let wanted: Vec<_> =
            accounts.iter().flat_map(|account| [keys::registration(tenant, account), keys::reminders(tenant, account)]).collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.get_batch(&wanted, Read::Latest).await?;
        let mut reachable = Vec::new();
        for account in accounts {
            let Some(item) = found.get(&keys::registration(tenant, account)) else { continue };
            let registration = Registration::read(item)?;
            let Some(email) = registration.confirmed.filter(|_| !registration.no_reminders) else { continue };
            let reminded = found.get(&keys::reminders(tenant, account)).map(Reminded::read).transpose()?.unwrap_or_default();
            reachable.push(Reachable { account: account.clone(), email, self_service_token: registration.self_service_token, reminded });
        }
        Ok(reachable)
    }

    /// Notes that the account was reminded of the jobs of these deadlines; [`StoreError::Conflict`]: somebody else noted one meanwhile.
    pub async fn note_reminder(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        before: &Reminded,
        deadlines: impl IntoIterator<Item = Date>,
        now: Timestamp,
    ) -> Result<()> {
        let mut counts = before.deadlines.clone();
        for deadline in deadlines {
            let count = counts.entry(deadline).or_default();
            *count = count.saturating_add(1);
        }
        let forgotten = now.to_zoned(TimeZone::UTC).date().saturating_sub(REMEMBERED_DAYS.days());
        counts.retain(|deadline, _| *deadline >= forgotten);
        let item = Record::at(&keys::reminders(tenant, account))
            .with("reminded", json(&Document { deadlines: counts, last: now })?)
            .with("version", number(before.next_number()));
        let condition = match before.version {
            0 => Condition::absent(StoreError::Conflict),
            version => Condition::version(version),
        };
        let mut tx = Tx::new(self);
        tx.put("the reminder", item.item(), Some(condition))?;
        tx.commit("the reminder").await
    }
}
