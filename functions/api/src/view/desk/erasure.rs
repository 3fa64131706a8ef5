use domain::erasure::ErasureGround;
use domain::ids::{AccountId, MemberId, TenantId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{Erasure, ErasureRecord, Hold, Holds};
use utoipa::ToSchema;

/// All that is stored about a person.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskDisclosure {
    /// The tenant.
    pub tenant: TenantId,
    /// The account.
    pub account: AccountId,
    /// The time at which it was looked up.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// One object a record, with its `kind`.
    #[schema(value_type = Vec<Object>)]
    pub items: Vec<Value>,
}

/// The person to erase, and the ground.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskErasureRequest {
    /// The account's id once more.
    #[schema(max_length = 100)]
    pub confirmation: String,
    /// The ground.
    pub ground: ErasureGround,
}

/// Erasures of persons' data.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskErasures {
    /// The tenant keeps everything for a dispute: nothing is erased.
    pub is_held: bool,
    /// A second member has to confirm each.
    pub needs_second_member: bool,
    /// Those under way.
    pub open: Vec<DeskErasure>,
    /// Those that were carried out, the last one first; at most 100.
    pub done: Vec<DeskErased>,
    /// Persons of whom nothing goes.
    pub holds: Vec<DeskHold>,
}

/// The reason of a hold.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskHoldRequest {
    /// The reason.
    #[schema(min_length = 1, max_length = 1000)]
    pub reason: String,
    /// `since` of the hold that was shown, in whose place it is to be; absent: none was.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub seen: Option<Timestamp>,
}

/// A person of whom nothing goes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskHold {
    /// The account that is held.
    pub account: AccountId,
    /// The reason.
    pub reason: String,
    /// The member who set it.
    pub by: String,
    /// Since when.
    #[schema(value_type = String, format = DateTime)]
    pub since: Timestamp,
}

impl From<Hold> for DeskHold {
    fn from(Hold { account, reason, by, at, ancestors: _, member: _ }: Hold) -> Self {
        Self { account, reason, by, since: at }
    }
}

/// The state of an erasure.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DeskErasureState {
    /// Another member has to confirm it.
    AwaitsSecond,
    /// It goes on when a hold ends.
    Held,
    /// It begins within a quarter of an hour, or is at work.
    UnderWay,
    /// Everything is gone; an hour later it looks a last time.
    LastLook,
}

/// An erasure that is not through yet.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskErasure {
    /// The account to erase.
    pub account: AccountId,
    /// The time of the request.
    #[schema(value_type = String, format = DateTime)]
    pub requested_at: Timestamp,
    /// The member who asked; absent: a command, or the tenant's time limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<ErasureGround>,
    /// The caller asked for it.
    pub is_mine: bool,
    /// The state of the erasure.
    pub state: DeskErasureState,
    /// Another member has to confirm it; until then it can be withdrawn, also while it is held.
    pub awaits_second: bool,
}

impl DeskErasure {
    /// As the member sees it, among these holds.
    pub fn new(erasure: Erasure, me: &MemberId, holds: &Holds) -> Self {
        let state = match erasure {
            _ if holds.of(&erasure.account, &erasure.ancestors).is_some() => DeskErasureState::Held,
            Erasure { awaits_second: true, .. } => DeskErasureState::AwaitsSecond,
            Erasure { erased_at: None, .. } => DeskErasureState::UnderWay,
            Erasure { .. } => DeskErasureState::LastLook,
        };
        let Erasure { account, requested_at, asked, awaits_second, .. } = erasure;
        let is_mine = asked.as_ref().is_some_and(|asked| asked.member == *me);
        let ground = asked.as_ref().map(|asked| asked.ground);
        Self { account, requested_at, by: asked.map(|asked| asked.by), ground, is_mine, state, awaits_second }
    }
}

/// An erasure that was carried out; it names no person.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskErased {
    /// Of tenant and account, as the audit trail has it.
    pub fingerprint: String,
    /// The time of the request.
    #[schema(value_type = String, format = DateTime)]
    pub requested_at: Timestamp,
    /// The time at which everything was gone.
    #[schema(value_type = String, format = DateTime)]
    pub erased_at: Timestamp,
}

impl From<ErasureRecord> for DeskErased {
    fn from(ErasureRecord { fingerprint, requested_at, erased_at }: ErasureRecord) -> Self {
        Self { fingerprint, requested_at, erased_at }
    }
}
