//! Whom letters and invitations are about: all customers, those with an open job that a filter wants, or those on a list.

use std::collections::BTreeSet;

use domain::config::Application;
use domain::ids::{AccountId, SeasonId, TenantId};
use domain::open_filter::OpenFilter;
use domain::text;
use jiff::civil::Date;
use store::{OpenPlace, Store};

use crate::letters::{Day, german_medium};
use crate::{Failure, lists, patiently};

/// Accounts of a list that are handed out together.
const NAMED_AT_ONCE: usize = 500;

/// Accounts of the utility's own, page by page, each once.
pub struct Recipients<'a> {
    store: &'a Store,
    application: &'a Application,
    of: Of<'a>,
    is_over: bool,
}

enum Of<'a> {
    Everybody { cursor: Option<String> },
    Open { filter: &'a OpenFilter, today: Date, place: Option<OpenPlace>, seen: BTreeSet<AccountId> },
    Named(std::slice::Chunks<'a, AccountId>),
}

impl<'a> Recipients<'a> {
    /// All of them, or customers with an open job that the filter wants on this day.
    pub fn all(store: &'a Store, application: &'a Application, filter: Option<(&'a OpenFilter, Date)>) -> Self {
        let of = match filter {
            None => Of::Everybody { cursor: None },
            Some((filter, today)) => Of::Open { filter, today, place: None, seen: BTreeSet::new() },
        };
        Self { store, application, of, is_over: false }
    }

    /// Those on a list, whether or not there are such accounts.
    pub fn named(store: &'a Store, application: &'a Application, accounts: &'a [AccountId]) -> Self {
        Self { store, application, of: Of::Named(accounts.chunks(NAMED_AT_ONCE)), is_over: false }
    }

    /// The next ones, which may be none although there are more; none at all: these were the last.
    ///
    /// # Errors
    /// The store's.
    pub async fn next(&mut self) -> Result<Option<Vec<AccountId>>, Failure> {
        if self.is_over {
            return Ok(None);
        }
        let (store, tenant) = (self.store, &self.application.application_id);
        match &mut self.of {
            Of::Named(lists) => Ok(lists.next().map(<[AccountId]>::to_vec)),
            Of::Everybody { cursor } => {
                let (accounts, next) = patiently(|| store.accounts(tenant, cursor.as_deref())).await?;
                (self.is_over, *cursor) = (next.is_none(), next);
                Ok(Some(accounts.into_iter().filter(|account| !account.is_share).map(|account| account.id).collect()))
            }
            Of::Open { filter, today, place, seen } => {
                let (owners, next) = lists::owners_of_open(store, self.application, filter, *today, place.as_ref()).await?;
                (self.is_over, *place) = (next.is_none(), next);
                Ok(Some(owners.into_iter().filter(|owner| seen.insert(owner.clone())).collect()))
            }
        }
    }

    /// That a filter found no customer, and what to do about it; nothing is wrong where the recipients were chosen otherwise.
    ///
    /// # Errors
    /// [`Failure::Refused`] with these words; the store's.
    pub async fn refuse_nobody(&self, today: Date) -> Result<(), Failure> {
        match &self.of {
            Of::Open { filter, seen, .. } if seen.is_empty() => {
                Err(nothing_open(self.store, &self.application.application_id, filter.season.as_ref(), today).await?)
            }
            _ => Ok(()),
        }
    }
}

/// That no job is open that the filter wants.
pub(crate) async fn nothing_open(store: &Store, tenant: &TenantId, season: Option<&SeasonId>, today: Date) -> Result<Failure, Failure> {
    let season = match season {
        Some(season) => patiently(|| store.season(tenant, season)).await?,
        None => None,
    };
    Ok(Failure::Refused(match season.filter(|season| season.last_day < today) {
        Some(season) => {
            let (name, day, last) = (season.name, Day(season.last_day), season.last_day);
            text!(
                "Die Ablesesaison „{name}“ ging am {day} zu Ende, und in dieser Auswahl ist kein Zähler mehr offen. Wählen Sie eine andere Saison.",
                "The season “{name}” ended on {last}, and no meter of this selection is open any more. Choose another season."
            )
        }
        None => text!(
            "In dieser Auswahl ist kein Zähler offen. Unter „Offene“ steht, wer noch nicht geantwortet hat; ändern Sie den Filter.",
            "No meter of this selection is open. “Open” lists who has not answered yet; change the filter."
        ),
    }))
}

/// The words of a filter, in German.
pub(crate) fn words(filter: &OpenFilter) -> String {
    let OpenFilter { season, meter_types, district, in_district, due_until, overdue, email } = filter;
    let media: Vec<_> = meter_types.iter().map(|meter_type| german_medium(*meter_type)).collect();
    let said = [
        season.as_ref().map(|season| format!("Ablesesaison {season}")),
        (!media.is_empty()).then(|| media.join(" oder ")),
        district.as_ref().map(|district| format!("PLZ, Ort oder Bezirk beginnt mit „{district}“")),
        in_district.as_ref().map(|district| format!("Bezirk „{district}“")),
        due_until.map(|day| format!("Frist bis {}", Day(day))),
        overdue.then(|| "überfällig".to_owned()),
        email.map(|has| if has { "per E-Mail erreichbar" } else { "nicht per E-Mail erreichbar" }.to_owned()),
    ];
    let said: Vec<_> = said.into_iter().flatten().collect();
    if said.is_empty() { "alle offenen Ablesungen".to_owned() } else { said.join(", ") }
}

#[cfg(test)]
mod tests {
    use domain::model::MeterType;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_filter_is_said_in_words() {
        assert_eq!(words(&OpenFilter::default()), "alle offenen Ablesungen");
        let filter = json!({ "season": "2026", "meterTypes": ["GAS_METER", "WATER_METER"], "district": "Nord", "inDistrict": "Nord-West", "dueUntil": "2026-12-31" });
        let filter = OpenFilter { overdue: true, email: Some(false), ..serde_json::from_value(filter).unwrap() };
        assert!(filter.meter_types.contains(&MeterType::GasMeter));
        let expected = "Ablesesaison 2026, Gas oder Kaltwasser, PLZ, Ort oder Bezirk beginnt mit „Nord“, Bezirk „Nord-West“, Frist bis 31.12.2026, überfällig, nicht per E-Mail erreichbar";
        assert_eq!(words(&filter), expected);
    }
}
