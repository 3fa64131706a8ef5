use domain::config::{ContactInformationItem, MeterReadingInstruction};
use serde::Serialize;
use utoipa::ToSchema;

/// How to read certain meters (L3).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeterReadingHelp {
    /// Each applies to the meters that its filters match.
    pub instructions: Vec<MeterReadingInstruction>,
}

/// In which languages the tenant has a help text.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HelpLanguages {
    /// Names of languages, such as `de-FORMAL`.
    pub languages: Vec<String>,
}

/// How to reach the utility (L3).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContactInformation {
    /// One for each language and place.
    pub contact_information_items: Vec<ContactInformationItem>,
}
