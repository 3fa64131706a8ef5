//! `zaehlwerk seasons`.

use desk::seasons::{self, Named};
use domain::ids::TenantId;
use domain::season::Season;
use domain::text;
use domain::text::{Text, counted};
use serde_json::json;
use store::Store;

use crate::cli::NewSeason;
use crate::{Failure, Say, Verdict, tell};
use desk::letters::Day;

/// Prints the seasons.
pub async fn list(store: &Store, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    let seasons = seasons::list(store, tenant).await?;
    if say.is_json() {
        tell(json!({ "seasons": seasons }))?;
        return Ok(Verdict::Sound);
    }
    for season in &seasons {
        let types: Vec<String> = season.meter_types.iter().filter_map(|kind| Some(json!(kind).as_str()?.to_owned())).collect();
        let parts: Vec<_> = types.iter().chain(&season.districts).map(String::as_str).collect();
        let parts = if parts.is_empty() { String::new() } else { format!("  {}", parts.join(", ")) };
        let (id, name) = (season.id.as_str(), &season.name);
        say.line(&Text::same(format!("{id:<12} {}  {}  {name}{parts}", Day(season.first_day), Day(season.last_day))))?;
    }
    say.line(&counted(seasons.len(), ["Ablesesaison", "Ablesesaisons"], ["season", "seasons"]))?;
    Ok(Verdict::Sound)
}

/// Creates a season or changes it.
pub async fn create(store: &Store, args: NewSeason, say: Say) -> Result<Verdict, Failure> {
    let NewSeason { id, tenant, name, from, to, meter_types, districts } = args;
    let (meter_types, districts) = (meter_types.into_iter().collect(), districts.into_iter().collect());
    let season = Season { id, name, first_day: from, last_day: to, meter_types, districts };
    let (word, done) = match seasons::put(store, &tenant, &season).await? {
        Named::Created => (text!("angelegt", "created"), "created"),
        Named::Changed => (text!("geändert", "changed"), "changed"),
        Named::Unchanged => (text!("war schon so", "was so already"), "unchanged"),
    };
    say.tell(&text!("Ablesesaison {id}: {word}", "season {id}: {word}", id = season.id; word), &json!({ "season": season, "done": done }))?;
    Ok(Verdict::Sound)
}
