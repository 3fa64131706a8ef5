//! The seasons of a tenant: which jobs are read together.

use domain::ids::{SeasonId, TenantId};
use domain::season::Season;
use domain::text;
use domain::text::Text;
use store::Store;

use crate::{Failure, patiently};

/// The outcome of creating or changing a season.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// It is new.
    Created,
    /// It was there and is otherwise now.
    Changed,
    /// It was so already.
    Unchanged,
}

/// Creates a season, or changes the one that has its id; jobs that belong to it stay.
pub async fn put(store: &Store, tenant: &TenantId, season: &Season) -> Result<Named, Failure> {
    if patiently(|| store.tenant(tenant)).await?.is_none() {
        return Err(Failure::TenantUnknown(tenant.clone()));
    }
    if season.first_day > season.last_day {
        return Err(Failure::Refused(text!("die Saison endet, bevor sie beginnt", "the season ends before it begins")));
    }
    let before = patiently(|| store.season(tenant, &season.id)).await?;
    let named = match &before {
        Some(before) if before == season => return Ok(Named::Unchanged),
        Some(_) => Named::Changed,
        None => Named::Created,
    };
    patiently(|| store.put_season(tenant, season)).await?;
    Ok(named)
}

/// The tenant's seasons, the latest first.
pub async fn list(store: &Store, tenant: &TenantId) -> Result<Vec<Season>, Failure> {
    if patiently(|| store.tenant(tenant)).await?.is_none() {
        return Err(Failure::TenantUnknown(tenant.clone()));
    }
    let mut seasons = patiently(|| store.seasons(tenant)).await?;
    seasons.sort_by(|a, b| (b.first_day, &b.id).cmp(&(a.first_day, &a.id)));
    Ok(seasons)
}

/// The season that is named; none: it is that of jobs which name none, and has been given no name (D-SEASONS-1).
pub async fn known(store: &Store, tenant: &TenantId, season: &SeasonId) -> Result<Option<Season>, Failure> {
    match patiently(|| store.season(tenant, season)).await? {
        None if !season.is_default() => Err(Failure::Refused(unknown(season))),
        known => Ok(known),
    }
}

/// That there is no such season, and what to do.
pub fn unknown(season: &SeasonId) -> Text {
    text!(
        "die Saison `{season}` gibt es nicht; legen Sie sie beim Import am Arbeitsplatz oder mit `zaehlwerk seasons create` an",
        "there is no season `{season}`; create it at an import at the desk or by `zaehlwerk seasons create`"
    )
}
