use std::collections::BTreeSet;

use desk::season::{Figures, Overview};
use domain::ids::SeasonId;
use domain::model::MeterType;
use domain::season::Season;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A season at a glance, beside the one of the year before.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSeason {
    /// All seasons of the tenant, the latest first.
    pub seasons: Vec<DeskSeasonName>,
    /// The one that is looked at; absent: all jobs together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season: Option<DeskSeasonName>,
    /// Its figures.
    pub figures: Figures,
    /// The season a year before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<DeskSeasonBefore>,
}

/// A season.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSeasonName {
    /// Its id.
    pub id: SeasonId,
    /// Its name.
    pub name: String,
    /// Its first day.
    #[schema(value_type = String, format = Date)]
    pub first_day: Date,
    /// Its last day.
    #[schema(value_type = String, format = Date)]
    pub last_day: Date,
    /// The kinds of meter that belong to it; empty: all.
    pub meter_types: BTreeSet<MeterType>,
    /// The districts that belong to it; empty: all.
    pub districts: BTreeSet<String>,
    /// The last day on which exports of it begin by themselves.
    #[schema(value_type = String, format = Date)]
    pub exported_until: Date,
}

/// A season as it is to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskSeasonRequest {
    /// Its id, such as `2026`; jobs name it.
    pub id: SeasonId,
    /// Its name, such as `Jahresablesung 2026`.
    #[schema(min_length = 1, max_length = 80)]
    pub name: String,
    /// Its first day.
    #[schema(value_type = String, format = Date)]
    pub first_day: Date,
    /// Its last day.
    #[schema(value_type = String, format = Date)]
    pub last_day: Date,
    /// The kinds of meter that belong to it; empty: all.
    #[serde(default)]
    pub meter_types: BTreeSet<MeterType>,
    /// The districts that belong to it, as the addresses of meters have them (`cityDistrict`); empty: all.
    #[serde(default)]
    pub districts: BTreeSet<String>,
}

/// Another season in the place of the one that was shown.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskSeasonChange {
    /// The season as it is to be.
    pub season: DeskSeasonRequest,
    /// The season as it was shown.
    pub seen: DeskSeasonRequest,
}

impl From<DeskSeasonRequest> for Season {
    fn from(season: DeskSeasonRequest) -> Self {
        let DeskSeasonRequest { id, name, first_day, last_day, meter_types, districts } = season;
        Self { id, name, first_day, last_day, meter_types, districts }
    }
}

/// A season and its figures.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSeasonBefore {
    /// The season.
    pub season: DeskSeasonName,
    /// Its figures as they are now.
    pub figures: Figures,
}

impl From<Season> for DeskSeasonName {
    fn from(season: Season) -> Self {
        let exported_until = season.exported_until();
        let Season { id, name, first_day, last_day, meter_types, districts } = season;
        Self { id, name, first_day, last_day, meter_types, districts, exported_until }
    }
}

impl From<Overview> for DeskSeason {
    fn from(Overview { seasons, season, figures, before }: Overview) -> Self {
        Self {
            seasons: seasons.into_iter().map(DeskSeasonName::from).collect(),
            season: season.map(DeskSeasonName::from),
            figures,
            before: before.map(|(season, figures)| DeskSeasonBefore { season: season.into(), figures }),
        }
    }
}
