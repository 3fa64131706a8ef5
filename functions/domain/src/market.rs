//! Who sends meter readings to whom in the German market, and under which id (AHB MSCONS 3.2, use cases 13002 and 13017).

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::ids::TenantId;
use crate::meter::job_meter_type;
use crate::model::{Channel, JobMaster, MeterType};
use crate::text;
use crate::text::Text;

/// A medium (Sparte) that has market messages for counters; water and heat have no use case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Medium {
    /// Electricity.
    Electricity,
    /// Gas.
    Gas,
}

impl Medium {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Electricity, Self::Gas];

    /// The name in settings and exports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Electricity => "electricity",
            Self::Gas => "gas",
        }
    }

    /// The medium of a job's meter; none: it has no market messages.
    pub fn of(job: &JobMaster) -> Option<Self> {
        match job_meter_type(job) {
            MeterType::ElectricMeter => Some(Self::Electricity),
            MeterType::GasMeter => Some(Self::Gas),
            _ => None,
        }
    }

    /// The check identifier (Prüfidentifikator) of a counter.
    pub fn check_identifier(self) -> &'static str {
        match self {
            Self::Electricity => "13017",
            Self::Gas => "13002",
        }
    }

    /// The hour at which a market day begins, in German legal time: the gas day begins at six (AHB MSCONS, UB1 and UB2).
    pub fn day_begin(self) -> i8 {
        match self {
            Self::Electricity => 0,
            Self::Gas => 6,
        }
    }

    /// Whether a party may send counters to another (use cases of the check identifier).
    pub fn may_send(self, from: MarketRole, to: MarketRole) -> bool {
        use MarketRole::{HknR, Lf, Msb, Nb};
        match self {
            Self::Electricity => matches!((from, to), (Msb, Lf | Nb | Msb) | (Lf, Msb) | (Nb, Msb | HknR)),
            Self::Gas => matches!((from, to), (Msb, Nb) | (Nb, Msb | Lf | Nb) | (Lf, Nb)),
        }
    }

    /// What is wrong with the id of a market partner of this medium: BDEW gives ids for electricity, DVGW for gas, GS1 for both (conditions 117 and 118).
    pub fn check_id(self, id: &str) -> Result<(), Text> {
        if id.len() != 13 || !id.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(text!("muss eine Marktpartner-ID mit 13 Ziffern sein", "must be a market partner's id of 13 digits"));
        }
        match (self, Issuer::of(id)) {
            (Self::Electricity, Issuer::Dvgw) => Err(text!(
                "ist eine Gas-ID des DVGW; für Strom muss es eine des BDEW (99…) oder von GS1 sein",
                "is a gas id of DVGW; electricity needs one of BDEW (99…) or GS1"
            )),
            (Self::Gas, Issuer::Bdew) => Err(text!(
                "ist eine Strom-ID des BDEW; für Gas muss es eine des DVGW (98…) oder von GS1 sein",
                "is an electricity id of BDEW; gas needs one of DVGW (98…) or GS1"
            )),
            (_, Issuer::Gs1) if !has_check_digit(id) => Err(text!(
                "ist keine ID von GS1: die letzte Ziffer muss die Prüfziffer sein",
                "is no id of GS1: the last digit must be the check digit"
            )),
            _ => Ok(()),
        }
    }
}

/// What is wrong with a reference to another message of the market: an..35 of ISO 8859-1 (MSCONS MIG, SG1 RFF: DE1154 with Z30, the DE1004 that AGI names).
pub fn check_reference(text: &str) -> Result<(), Text> {
    let fits = (1..=35).contains(&text.chars().count()) && text.trim() == text && text.chars().all(|c| c <= 'ÿ' && !c.is_control());
    if fits {
        return Ok(());
    }
    Err(text!(
        "muss 1 bis 35 Zeichen aus ISO 8859-1 haben, ohne Leerzeichen am Anfang und Ende",
        "must have 1 to 35 characters of ISO 8859-1, without a blank at its ends"
    ))
}

/// Who gave a market partner its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Issuer {
    /// Electricity, `99…`.
    Bdew,
    /// Gas, `98…`.
    Dvgw,
    /// A global location number.
    Gs1,
}

impl Issuer {
    /// Of an id of 13 digits.
    pub fn of(id: &str) -> Self {
        match id.get(..2) {
            Some("99") => Self::Bdew,
            Some("98") => Self::Dvgw,
            _ => Self::Gs1,
        }
    }

    /// The code in UNB (DE0007).
    pub fn in_interchange(self) -> &'static str {
        match self {
            Self::Bdew => "500",
            Self::Dvgw => "502",
            Self::Gs1 => "14",
        }
    }

    /// The code in NAD (DE3055).
    pub fn in_message(self) -> &'static str {
        match self {
            Self::Bdew => "293",
            Self::Dvgw => "332",
            Self::Gs1 => "9",
        }
    }
}

/// A role in the market.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub enum MarketRole {
    /// Metering point operator (Messstellenbetreiber).
    #[serde(rename = "MSB")]
    Msb,
    /// Network operator (Netzbetreiber).
    #[serde(rename = "NB")]
    Nb,
    /// Supplier (Lieferant).
    #[serde(rename = "LF")]
    Lf,
    /// Registry of guarantees of origin (Herkunftsnachweisregister).
    #[serde(rename = "HKN-R")]
    HknR,
}

impl MarketRole {
    /// As in the market's texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Msb => "MSB",
            Self::Nb => "NB",
            Self::Lf => "LF",
            Self::HknR => "HKN-R",
        }
    }
}

/// The reference of an interchange (UNB, DE0020): 14 upper-case letters and digits (condition 918), which follow from the export's number, the tenant that numbers
/// it (D-MARKET-10) and the two parties, because an export has a file for each recipient. Without a tenant it is that of a message from before tenants had theirs.
pub fn interchange_reference(export: u64, tenant: Option<&TenantId>, sender: &str, recipient: &str) -> String {
    let number = format!("ZW{export:06}");
    let whose = tenant.map_or_else(String::new, |tenant| format!("{tenant} "));
    let parties = upper_case_digest(&format!("{whose}{sender}>{recipient}"));
    let room = 14_usize.saturating_sub(number.len());
    format!("{number}{}", &parties[..room.min(parties.len())])
}

/// The number of a message (BGM, DE1004), of its interchange and of its reference in it (UNH, DE0062).
pub fn message_number(interchange: &str, message: &str) -> String {
    format!("{interchange}-{message}")
}

/// A message's reference in its interchange, of what nothing else in the interchange has.
pub fn message_reference(unique: &str) -> String {
    upper_case_digest(unique)[..8].to_owned()
}

/// Sixteen letters and digits that are not mistaken for one another.
fn upper_case_digest(text: &str) -> String {
    const SIGNS: &[u8; 32] = b"0123456789ABCDEFGHJKLMNPQRSTVWXY";
    Sha256::digest(text.as_bytes()).iter().take(16).map(|byte| char::from(SIGNS[usize::from(byte % 32)])).collect()
}

/// Whether a customer read the meter, through any channel (STS+Z33, Z83). For what came in a file this is unknown; a line that knows it names its
/// channel (D-MARKET-8).
pub fn is_self_reading(channel: Channel) -> bool {
    match channel {
        Channel::Portal | Channel::Phone | Channel::Card | Channel::Email => true,
        Channel::Technician | Channel::Import => false,
    }
}

/// The last digit of a global location number: weights 1 and 3, sum to the next ten.
fn has_check_digit(id: &str) -> bool {
    let sum: u32 = id.bytes().enumerate().map(|(place, digit)| u32::from(digit - b'0') * if place % 2 == 0 { 1 } else { 3 }).sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn role_and_medium_decide_who_writes_to_whom() {
        use MarketRole::{HknR, Lf, Msb, Nb};
        let allowed = |medium: Medium| {
            let roles = [Msb, Nb, Lf, HknR];
            let pairs = roles.into_iter().flat_map(|from| roles.map(|to| (from, to)));
            pairs
                .filter(|(from, to)| medium.may_send(*from, *to))
                .map(|(from, to)| format!("{}>{}", from.name(), to.name()))
                .collect::<Vec<_>>()
        };
        // A network operator writes to no electricity supplier; in gas it is the one that does.
        assert_eq!(allowed(Medium::Electricity), ["MSB>MSB", "MSB>NB", "MSB>LF", "NB>MSB", "NB>HKN-R", "LF>MSB"]);
        assert_eq!(allowed(Medium::Gas), ["MSB>NB", "NB>MSB", "NB>NB", "NB>LF", "LF>NB"]);
    }

    #[test]
    fn a_medium_has_its_check_identifier_and_its_day() {
        let all = Medium::ALL.map(|medium| (medium.name(), medium.check_identifier(), medium.day_begin()));
        assert_eq!(all, [("electricity", "13017", 0), ("gas", "13002", 6)]);
    }

    #[test]
    fn only_electricity_and_gas_have_market_messages() {
        let of = |meter_type: &str| {
            let job = json!({ "id": "j", "meter": { "meterNumber": "1", "meterType": meter_type, "meterRateTasks": [] } });
            Medium::of(&serde_json::from_value(job).unwrap())
        };
        let found = ["ELECTRIC_METER", "GAS_METER", "WATER_METER", "HEAT_METER", "GENERIC_METER"].map(of);
        assert_eq!(found, [Some(Medium::Electricity), Some(Medium::Gas), None, None, None]);
    }

    #[test]
    fn references_fit_the_market_and_are_unique_by_tenant_and_party() {
        let [tenant, other] = ["birkenfurt", "nachbar"].map(|id| TenantId::new(id).unwrap());
        let reference = interchange_reference(7, Some(&tenant), "9900000000001", "9900000000002");
        assert!(reference.len() == 14 && reference.starts_with("ZW000007"), "{reference}");
        assert!(reference.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase()), "{reference}");
        assert_ne!(reference, interchange_reference(7, Some(&tenant), "9900000000001", "9900000000009"));
        assert_ne!(reference, interchange_reference(7, Some(&other), "9900000000001", "9900000000002"));
        assert_eq!(interchange_reference(u64::from(u32::MAX), None, "a", "b").len(), 14);
        assert!(message_number(&reference, &message_reference("j r")).len() <= 35);
    }

    #[test]
    fn an_id_belongs_to_its_medium() {
        for (medium, id, sound) in [
            (Medium::Electricity, "9900000000001", true),
            (Medium::Gas, "9800000000003", true),
            (Medium::Gas, "9900000000001", false),
            (Medium::Electricity, "9800000000003", false),
            (Medium::Electricity, "4012345000023", true),
            (Medium::Gas, "4012345000023", true),
            (Medium::Gas, "4012345000024", false),
            (Medium::Gas, "980000000000", false),
            (Medium::Gas, "98000000000O3", false),
        ] {
            assert_eq!(medium.check_id(id).is_ok(), sound, "{medium:?} {id}");
        }
    }

    /// Worked out by another program.
    #[test]
    fn a_reference_is_the_same_for_ever() {
        let tenant = TenantId::new("birkenfurt").unwrap();
        assert_eq!(interchange_reference(7, Some(&tenant), "9900000000001", "9900000000002"), "ZW000007E6H8E0");
        assert_eq!(interchange_reference(7, None, "9900000000001", "9900000000002"), "ZW000007T8EDJV");
        assert_eq!(message_reference("j r"), "0BB1NM44");
        assert_eq!(message_number("ZW000007T8EDJV", "0BB1NM44"), "ZW000007T8EDJV-0BB1NM44");
    }

    #[test]
    fn a_reference_of_another_message_has_35_signs_of_latin_1() {
        for text in ["A", "ZW000007-ÄÖÜ ß~ÿ", &"x".repeat(35)] {
            assert_eq!(check_reference(text), Ok(()), "{text}");
        }
        for text in ["", " ", " A", "A ", "A\tB", "A\u{85}B", "Ā", "€ 7", &"x".repeat(36)] {
            assert!(check_reference(text).is_err(), "{text:?}");
        }
    }

    /// Code lists of UNB (DE0007) and NAD (DE3055).
    #[test]
    fn each_issuer_has_its_codes() {
        let codes = [Issuer::Bdew, Issuer::Dvgw, Issuer::Gs1].map(|issuer| (issuer.in_interchange(), issuer.in_message()));
        assert_eq!(codes, [("500", "293"), ("502", "332"), ("14", "9")]);
    }

    #[test]
    fn a_customer_reads_by_every_way_that_customers_have() {
        use Channel::{Card, Email, Import, Phone, Portal, Technician};
        let own = [Portal, Phone, Card, Email, Technician, Import].map(is_self_reading);
        assert_eq!(own, [true, true, true, true, false, false]);
    }
}
