//! What of readings stands in messages to the market, and what the partners answered.
//!
//! What was said is kept with the reading itself, even when job and settings change: a message can be written once more, and cancelled under its own number
//! (D-MARKET-4). An answer is an item of its own, because it knows a message's number only.

use std::collections::BTreeSet;

use domain::ids::TenantId;
use domain::market::{self, Medium};
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::item::{Fields, Record, json, seconds};
use crate::table::EXPIRES_AT;
use crate::{Result, Store, keys};

/// How long an answer is kept: as long as clerks look back at readings, and a season more.
const KEPT: SignedDuration = SignedDuration::from_hours(2 * 366 * 24);

/// What of a reading is in one message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MarketLine {
    /// The message, unique in its interchange: upper-case letters and digits (UNH, DE0062).
    pub message: String,
    /// The medium.
    pub medium: Medium,
    /// Whose it is, as two tenants may send under one id (D-MARKET-10); none: of before references followed from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<TenantId>,
    /// The id of who sends.
    pub sender: String,
    /// The id of who receives.
    pub recipient: String,
    /// The metering location (33 characters).
    pub location: String,
    /// The content of the message.
    pub content: MarketContent,
}

/// What a message says of a reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MarketContent {
    /// A counter (check identifier 13002 or 13017).
    Counter(MarketCounter),
    /// That the message of this number does not hold (13006).
    Cancels(String),
}

/// The role of a counter in a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CounterOf {
    /// The last one of the meter that went.
    Removed,
    /// The first one of the meter that came.
    Installed,
    /// The one that was read.
    Read,
}

/// A counter as a message has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MarketCounter {
    /// The role of the counter.
    pub of: CounterOf,
    /// The meter's number.
    pub meter_number: String,
    /// The register.
    pub obis: String,
    /// The number, with at most three decimals.
    pub value: String,
    /// The day of the reading (DTM+9); none at an exchange.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<Date>,
    /// From when on it counts (DTM+7).
    pub at: Timestamp,
    /// The moment of the exchange (DTM+60).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_at: Option<Timestamp>,
    /// The transaction that announced the exchange (RFF+Z30).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction: Option<String>,
    /// The message that ordered the reading (RFF+AGI).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// What speaks for it (STS+Z33).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// Why it takes another one's place (STS+Z34).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<String>,
}

impl MarketLine {
    /// The interchange that has it, of an export's number.
    pub fn interchange(&self, export: u64) -> String {
        market::interchange_reference(export, self.tenant.as_ref(), &self.sender, &self.recipient)
    }

    /// The message's number (BGM, DE1004), of an export's number.
    pub fn number(&self, export: u64) -> String {
        market::message_number(&self.interchange(export), &self.message)
    }
}

/// Which service message an answer was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum AnswerKind {
    /// Whether it could be read.
    Contrl,
    /// Whether it could be understood and processed.
    Aperak,
}

/// What a partner answered to a message or to an interchange.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MarketAnswer {
    /// The message's number, or the interchange's reference.
    pub reference: String,
    /// The kind of service message.
    pub kind: AnswerKind,
    /// Whether it was taken.
    pub accepted: bool,
    /// Why not: the codes of the AHB, such as `Z19`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<String>,
    /// The partner's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The reference of the interchange that brought the answer.
    pub interchange: String,
    /// The time at which it was read.
    pub at: Timestamp,
    /// The clerk has what was refused sent once more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

impl Store {
    /// Keeps an answer in place of an earlier one of the same kind.
    pub async fn keep_market_answer(&self, tenant: &TenantId, answer: &MarketAnswer) -> Result<()> {
        let key = keys::market_answer(tenant, &answer.reference, answer.kind == AnswerKind::Contrl);
        self.put(Record::at(&key).with("answer", json(answer)?).with(EXPIRES_AT, seconds(answer.at + KEPT)).item()).await
    }

    /// All answers of the last two years.
    pub async fn market_answers(&self, tenant: &TenantId) -> Result<Vec<MarketAnswer>> {
        let items = self.whole_partition(&keys::market_answers(tenant)).await?;
        items.iter().map(|item| Fields(item).json("answer")).collect()
    }

    /// Deletes what was answered to messages: a partner's words may name a meter.
    pub(crate) async fn erase_market_answers(&self, tenant: &TenantId, messages: &BTreeSet<String>) -> Result<()> {
        for message in messages {
            for contrl in [false, true] {
                self.delete(&keys::market_answer(tenant, message, contrl), None).await?;
            }
        }
        Ok(())
    }
}
