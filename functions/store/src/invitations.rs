//! Invitations by mail and letters of a season: whom the utility may write to, and when it did.

use std::collections::BTreeMap;
use std::slice;

use domain::email::EmailAddress;
use domain::ids::{AccountId, SeasonId, TenantId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::accounts::StoredAccount;
use crate::communication::Registration;
use crate::db::{OPTIMISTIC_ATTEMPTS, Read};
use crate::item::{Fields, Record, json, number, text};
use crate::keys;
use crate::tx::{Condition, Tx};
use crate::{Account, Result, Store, StoreError};

/// When an account was told of its jobs last: of those of all seasons, and of those of one alone (D-LETTERS-17).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Told {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    of_all: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    of: BTreeMap<SeasonId, Timestamp>,
}

impl Told {
    /// When it was told of the jobs of this season last, beside others or alone.
    pub fn about(&self, season: &SeasonId) -> Option<Timestamp> {
        self.of_all.max(self.of.get(season).copied())
    }

    /// When it was told of this season alone last, or of all.
    pub fn of(&self, season: Option<&SeasonId>) -> Option<Timestamp> {
        season.map_or(self.of_all, |season| self.of.get(season).copied())
    }

    fn now_of(mut self, season: Option<&SeasonId>, at: Timestamp) -> Self {
        match season {
            None => self.of_all = Some(at),
            Some(season) => {
                self.of.insert(season.clone(), at);
            }
        }
        self
    }

    /// What an item says that has but the last time: of all.
    fn at(last: Option<Timestamp>) -> Self {
        Self { of_all: last, of: BTreeMap::new() }
    }

    fn read(fields: &Fields<'_>, name: &str, last: Option<Timestamp>) -> Result<Self> {
        fields.optional_text(name)?.map_or_else(|| Ok(Self::at(last)), |_| fields.json(name))
    }
}

/// A letter of a season's that is handed over.
#[derive(Debug, Clone, Copy)]
pub struct HandedOver<'a> {
    /// The time at which it was drawn.
    pub drawn: Timestamp,
    /// It tells of the jobs of this season alone.
    pub season: Option<&'a SeasonId>,
    /// The person who hands it over.
    pub by: &'a str,
    /// Which of the account's login data it tells, see [`Account::generation`]; none: it brings a link only.
    pub login: Option<u64>,
}

/// An account with what an invitation needs to know of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Invitee {
    /// The account.
    pub account: Account,
    /// The registration of its owner.
    pub registration: Option<Registration>,
    /// When it was invited by mail for the last time.
    pub invited_at: Option<Timestamp>,
    /// When it was told of which jobs by mail.
    pub told_by_mail: Told,
    /// When it was told of which jobs by letter.
    pub told_by_letter: Told,
    /// When the last letter of a season's was drawn that was handed over, and who did that.
    pub lettered: Option<(Timestamp, String)>,
    /// When that letter came back, and who said so.
    pub returned: Option<(Timestamp, String)>,
    /// Mails to its address came back, or were called spam.
    pub is_suppressed: bool,
    /// Which of its login data the last letter or specimen told.
    login_by_letter: Option<u64>,
    version: u64,
}

impl Invitee {
    /// Where its owner can be written to: the address that the owner has confirmed, else that of the utility's file; none if the owner wants no such mails.
    pub fn email(&self) -> Option<&EmailAddress> {
        let registration = self.registration.as_ref();
        if self.has_declined() {
            return None;
        }
        registration.and_then(|registration| registration.confirmed.as_ref()).or(self.account.email.as_ref())
    }

    /// Its owner wants no mails that they did not ask for.
    pub fn has_declined(&self) -> bool {
        self.registration.as_ref().is_some_and(|registration| registration.no_reminders)
    }

    /// It has no login data, or has those alone that came back with its letter, or that a specimen told.
    pub fn needs_login(&self) -> bool {
        let came_back = self.told_by_letter == Told::default() && self.login_by_letter == Some(self.account.generation);
        self.account.username.is_none() || came_back
    }

    /// The number of the next invitation; each is used once in the account.
    pub fn next_number(&self) -> u64 {
        self.version + 1
    }
}

/// When a letter was drawn that was handed over, and who did that.
pub(crate) fn lettered(fields: &Fields<'_>) -> Result<Option<(Timestamp, String)>> {
    noted(fields, "letteredAt", "letteredBy")
}

/// When it came back, and who said so.
pub(crate) fn returned(fields: &Fields<'_>) -> Result<Option<(Timestamp, String)>> {
    noted(fields, "returnedAt", "returnedBy")
}

fn noted(fields: &Fields<'_>, at: &str, by: &str) -> Result<Option<(Timestamp, String)>> {
    let by = fields.optional_text(by)?.unwrap_or_default();
    Ok(fields.optional_millis(at)?.map(|at| (at, by.to_owned())))
}

impl Store {
    /// Those of up to 33 accounts that are the utility's own; two reads.
    pub async fn invitees(&self, tenant: &TenantId, accounts: &[AccountId], now: Timestamp) -> Result<Vec<Invitee>> {
        let keys_of = |account| [keys::account(tenant, account), keys::registration(tenant, account), keys::invitation(tenant, account)];
        let wanted: Vec<_> = accounts.iter().flat_map(keys_of).collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.get_batch(&wanted, Read::Latest).await?;
        let mut invitees = Vec::new();
        for id in accounts {
            let [account, registration, invitation] = keys_of(id).map(|key| found.get(&key));
            let Some(account) = account.map(StoredAccount::read).transpose()?.map(|stored| stored.account) else { continue };
            if account.share.is_some() {
                continue;
            }
            let mut invitee = Invitee {
                account,
                registration: registration.map(Registration::read).transpose()?,
                invited_at: None,
                told_by_mail: Told::default(),
                told_by_letter: Told::default(),
                lettered: None,
                returned: None,
                is_suppressed: false,
                login_by_letter: None,
                version: 0,
            };
            if let Some(fields) = invitation.map(Fields) {
                invitee.invited_at = fields.optional_millis("invitedAt")?;
                invitee.told_by_mail = Told::read(&fields, "invitedOf", invitee.invited_at)?;
                invitee.lettered = lettered(&fields)?;
                invitee.told_by_letter = Told::read(&fields, "letteredOf", invitee.lettered.as_ref().map(|(at, _)| *at))?;
                invitee.returned = returned(&fields)?;
                invitee.login_by_letter = fields.optional_count("letteredLogin")?;
                invitee.version = fields.version()?;
            }
            invitees.push(invitee);
        }
        let suppressed = |invitee: &Invitee| invitee.email().map(|email| keys::suppressed(tenant, &email.hash()));
        let mut wanted: Vec<_> = invitees.iter().filter_map(suppressed).collect();
        wanted.sort();
        wanted.dedup();
        if !wanted.is_empty() {
            let found = self.get_batch(&wanted, Read::Latest).await?;
            for invitee in &mut invitees {
                let item = suppressed(invitee).and_then(|key| found.get(&key));
                invitee.is_suppressed =
                    item.map(|item| Fields(item).time(crate::table::EXPIRES_AT)).transpose()?.is_some_and(|end| end > now);
            }
        }
        Ok(invitees)
    }

    /// Notes that the account was invited by mail to its jobs of this season or of all, unless another worker noted that meanwhile, or it is gone.
    pub async fn note_invitation(&self, tenant: &TenantId, before: &Invitee, season: Option<&SeasonId>, now: Timestamp) -> Result<()> {
        let (id, mut latest) = (&before.account.id, before.clone());
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let told_by_mail = latest.told_by_mail.clone().now_of(season, now);
            match self.note(tenant, &latest, &Invitee { invited_at: Some(now), told_by_mail, ..latest.clone() }).await {
                Err(StoreError::Conflict) => {}
                done => return done,
            }
            // What was noted meanwhile may be of the account's letter.
            match self.invitees(tenant, slice::from_ref(id), now).await?.pop() {
                Some(noted) if noted.invited_at == before.invited_at => latest = noted,
                _ => return Ok(()),
            }
        }
        Err(StoreError::Conflict)
    }

    /// Notes that a letter was handed over; [`StoreError::Conflict`]: another worker noted something meanwhile.
    pub async fn note_letter(&self, tenant: &TenantId, before: &Invitee, letter: HandedOver<'_>) -> Result<()> {
        let HandedOver { drawn, season, by, login } = letter;
        let told_by_letter = before.told_by_letter.clone().now_of(season, drawn);
        let lettered = Some((drawn, by.to_owned()));
        self.note(tenant, before, &Invitee { told_by_letter, lettered, returned: None, login_by_letter: login, ..before.clone() }).await
    }

    /// Notes that the account's letter came back, or that it can be written to again, of which it was told by no letter then; [`StoreError::Conflict`] as with
    /// [`Self::note_letter`].
    pub async fn note_return(&self, tenant: &TenantId, before: &Invitee, returned: Option<(Timestamp, String)>) -> Result<()> {
        let told_by_letter = if returned.is_some() { before.told_by_letter.clone() } else { Told::default() };
        self.note(tenant, before, &Invitee { returned, told_by_letter, ..before.clone() }).await
    }

    /// Notes that the account's login data stand in a specimen alone, which is not sent: the next letter brings others ([`Invitee::needs_login`]).
    pub async fn note_specimen(&self, tenant: &TenantId, account: &AccountId, now: Timestamp) -> Result<()> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let Some(invitee) = self.invitees(tenant, slice::from_ref(account), now).await?.pop() else { return Ok(()) };
            let (login_by_letter, told_by_letter) = (Some(invitee.account.generation), Told::default());
            match self.note(tenant, &invitee, &Invitee { login_by_letter, told_by_letter, ..invitee.clone() }).await {
                Err(StoreError::Conflict) => {}
                done => return done,
            }
        }
        Err(StoreError::Conflict)
    }

    /// Notes that the account's last letter brings a link only, by a command, whose letters are not noted otherwise: if it comes back, the login data of an earlier
    /// one were read all the same (D-LETTERS-12). Those of one that has come back already were not.
    pub async fn note_link_letter(&self, tenant: &TenantId, account: &AccountId, now: Timestamp) -> Result<()> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            let told =
                self.invitees(tenant, slice::from_ref(account), now).await?.pop().filter(|invitee| invitee.login_by_letter.is_some());
            let Some(invitee) = told.filter(|invitee| invitee.returned.is_none() && !invitee.needs_login()) else { return Ok(()) };
            match self.note(tenant, &invitee, &Invitee { login_by_letter: None, ..invitee.clone() }).await {
                Err(StoreError::Conflict) => {}
                done => return done,
            }
        }
        Err(StoreError::Conflict)
    }

    async fn note(&self, tenant: &TenantId, before: &Invitee, after: &Invitee) -> Result<()> {
        let Invitee { invited_at, told_by_mail, lettered, told_by_letter, returned, login_by_letter, .. } = after;
        let (at, by) = (|note: &(Timestamp, String)| number(note.0.as_millisecond()), |note: &(Timestamp, String)| text(&note.1));
        let lettered_at = lettered.as_ref().map(|(at, _)| *at);
        let of = |told: &Told, last| (*told != Told::at(last)).then(|| json(told)).transpose();
        let item = Record::at(&keys::invitation(tenant, &before.account.id))
            .with_some("invitedAt", invited_at.map(|at| number(at.as_millisecond())))
            .with_some("invitedOf", of(told_by_mail, *invited_at)?)
            .with_some("letteredAt", lettered.as_ref().map(at))
            .with_some("letteredBy", lettered.as_ref().map(by))
            .with_some("letteredOf", of(told_by_letter, lettered_at)?)
            .with_some("letteredLogin", login_by_letter.map(number))
            .with_some("returnedAt", returned.as_ref().map(at))
            .with_some("returnedBy", returned.as_ref().map(by))
            .with("version", number(before.next_number()));
        let condition = match before.version {
            0 => Condition::absent(StoreError::Conflict),
            version => Condition::version(version),
        };
        let mut tx = Tx::new(self);
        tx.put("the invitation", item.item(), Some(condition))?;
        tx.commit("the invitation").await
    }
}
