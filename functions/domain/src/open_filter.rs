//! Which jobs of the list of open jobs are wanted.

use std::collections::BTreeSet;
use std::ops::Not;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::SeasonId;
use crate::model::MeterType;

/// Which open jobs are wanted; what is not said does not matter. Of the list, and of letters, invitations and reminders to those who are on it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
// Code that reads past a field that it does not know chooses more than was wanted (D-PLATFORM-31).
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpenFilter {
    /// Of this season.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub season: Option<SeasonId>,
    /// Of meters that measure one of these; none: any.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub meter_types: BTreeSet<MeterType>,
    /// Beginnings of postcodes, towns or districts, folded as a search folds them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 100)]
    pub district: Option<String>,
    /// Of meters whose district is called just this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub in_district: Option<String>,
    /// With a deadline until this day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub due_until: Option<Date>,
    /// With a deadline that is over.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub overdue: bool,
    /// Whose owner has registered an address, or has not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<bool>,
}
