//! Reminders of open jobs: who can be reached, and how often they were reminded.

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
const DEADLINE_REMEMBERED_DAYS: i64 = 100;
/// How many days after the opening of jobs without a deadline their reminders are forgotten.
const OPENING_REMEMBERED_DAYS: i64 = 400;

/// An account whose owner has confirmed an address and has not declined reminders.
#[derive(Debug, Clone, PartialEq)]
pub struct Reachable {
    /// The account.
    pub account: AccountId,
    /// The address.
    pub email: EmailAddress,
    /// What opens the registration's page.
    pub self_service_token: String,
    /// The reminders that the account got.
    pub reminded: Reminded,
}

/// What one reminder is about: an account with thousands of jobs has few of either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Occasion {
    /// The jobs whose last day this is.
    Deadline(Date),
    /// The jobs without a last day that were opened on this day.
    Opening(Date),
}

impl Occasion {
    /// Whether it is so long ago that no account is reminded of it any more, because it is not known any more how often that was done.
    pub fn is_over(self, today: Date) -> bool {
        match self {
            Self::Deadline(day) => day < today,
            Self::Opening(day) => day.saturating_add(OPENING_REMEMBERED_DAYS.days()) < today,
        }
    }
}

/// How often an account was reminded on each occasion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reminded {
    deadlines: BTreeMap<Date, u8>,
    openings: BTreeMap<Date, u8>,
    last: Option<Timestamp>,
    version: u64,
}

#[derive(Serialize, Deserialize)]
struct Document {
    deadlines: BTreeMap<Date, u8>,
    #[serde(default)]
    openings: BTreeMap<Date, u8>,
    last: Timestamp,
}

impl Reminded {
    /// The number of reminders on this occasion.
    pub fn times(&self, occasion: Occasion) -> u8 {
        let times = match occasion {
            Occasion::Deadline(day) => self.deadlines.get(&day),
            Occasion::Opening(day) => self.openings.get(&day),
        };
        times.copied().unwrap_or_default()
    }

    /// The time of the last reminder.
    pub fn last(&self) -> Option<Timestamp> {
        self.last
    }

    /// The number of the next reminder; each is used once in the account.
    pub fn next_number(&self) -> u64 {
        self.version + 1
    }

    pub(crate) fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        let Document { deadlines, openings, last } = fields.json("reminded")?;
        Ok(Self { deadlines, openings, last: Some(last), version: fields.version()? })
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

    /// Notes that the account was reminded on these occasions; [`StoreError::Conflict`]: another worker noted one meanwhile.
    pub async fn note_reminder(
        &self,
        tenant: &TenantId,
        account: &AccountId,
        before: &Reminded,
        occasions: impl IntoIterator<Item = Occasion>,
        now: Timestamp,
    ) -> Result<()> {
        let Reminded { mut deadlines, mut openings, .. } = before.clone();
        for occasion in occasions {
            let count = match occasion {
                Occasion::Deadline(day) => deadlines.entry(day).or_default(),
                Occasion::Opening(day) => openings.entry(day).or_default(),
            };
            *count = count.saturating_add(1);
        }
        let today = now.to_zoned(TimeZone::UTC).date();
        let since = |days: i64| today.saturating_sub(days.days());
        deadlines.retain(|day, _| *day >= since(DEADLINE_REMEMBERED_DAYS));
        // A day more, because the tenant's day may be the one before.
        openings.retain(|day, _| *day >= since(OPENING_REMEMBERED_DAYS + 1));
        let item = Record::at(&keys::reminders(tenant, account))
            .with("reminded", json(&Document { deadlines, openings, last: now })?)
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
