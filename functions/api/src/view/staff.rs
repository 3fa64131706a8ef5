use std::collections::BTreeSet;

use domain::device::DeviceKind;
use domain::ids::{MemberId, TenantId};
use domain::staff::Role;
use jiff::Timestamp;
use serde::Serialize;
use store::{StaffInvitation, StaffLogin, StaffSession};
use utoipa::ToSchema;

/// The member who is logged in at the desk.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskMe {
    /// The member.
    pub id: MemberId,
    /// The member's name; never empty.
    pub name: String,
    /// The member's address; null if it is not known.
    #[schema(required, format = "email")]
    pub email: Option<String>,
    /// The member's tenants.
    pub memberships: Vec<DeskMembership>,
    /// The member runs the product.
    pub is_platform: bool,
    /// The tenant by whose own provider the member logged in; null: by the platform's.
    #[schema(required)]
    pub login_tenant: Option<TenantId>,
    /// When the session ends if the member does nothing any more.
    #[schema(value_type = String, format = DateTime)]
    pub idle_until: Timestamp,
    /// The end of the session in any case.
    #[schema(value_type = String, format = DateTime)]
    pub ends_at: Timestamp,
}

/// The roles of a member for a tenant.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskMembership {
    /// The tenant, as it stands in paths.
    pub tenant: TenantId,
    /// Its name.
    pub name: String,
    /// Letters have a watermark, and mails go to members only.
    pub is_in_rehearsal: bool,
    /// At least one.
    pub roles: BTreeSet<Role>,
}

/// An invitation to a tenant, as it is shown before it is accepted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskInvitation {
    /// The tenant, as it stands in paths.
    pub tenant: TenantId,
    /// Its name; absent: it is to run the product.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What the member may do there; at least one.
    pub roles: BTreeSet<Role>,
    /// The person who invites.
    pub invited_by: String,
    /// Until when it is good.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    /// The person who is logged in, and would accept it.
    pub accepted_by: String,
    /// They cannot accept it: the tenant's members log in by another provider.
    pub needs_other_login: bool,
}

impl DeskInvitation {
    /// The invitation to the tenant of this name, as it is shown to the person of this name.
    pub fn new(tenant: TenantId, name: Option<String>, invitation: StaffInvitation, accepted_by: String) -> Self {
        let StaffInvitation { roles, invited_by, expires_at, email: _, member: _, inviter: _ } = invitation;
        Self { tenant, name, roles, invited_by, expires_at, accepted_by, needs_other_login: false }
    }
}

/// The steps that are left after a logout.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskLogout {
    /// Where the browser ends the identity provider's session; null: nowhere.
    #[schema(required)]
    pub location: Option<String>,
}

/// The sessions of a member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSessions {
    /// The one used last first.
    pub sessions: Vec<DeskSession>,
}

/// A session at the desk.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSession {
    /// Names it where it is ended.
    pub id: String,
    /// On what.
    pub device: DeviceKind,
    /// The start of the session.
    #[schema(value_type = String, format = DateTime)]
    pub opened_at: Timestamp,
    /// When the member did something in it, to a minute.
    #[schema(value_type = String, format = DateTime)]
    pub used_at: Timestamp,
    /// It is the one that asks.
    pub is_current: bool,
}

impl DeskSession {
    /// The session as it is told to the member who is in `own`.
    pub fn new(session: &StaffSession, own: &StaffSession) -> Self {
        let StaffSession { id, device, opened_at, used_at, .. } = session.clone();
        Self { is_current: id == own.id, id, device, opened_at, used_at }
    }
}

impl DeskMe {
    /// The member who is called so, with these memberships.
    pub fn new(login: &StaffLogin, name: &str, memberships: Vec<DeskMembership>, is_platform: bool) -> Self {
        let StaffLogin { member, session, .. } = login;
        Self {
            id: member.id.clone(),
            name: name.to_owned(),
            email: member.email.as_ref().map(|email| email.as_str().to_owned()),
            memberships,
            is_platform,
            login_tenant: login.member.provider.tenant(),
            idle_until: session.idle_until(),
            ends_at: session.ends_at(),
        }
    }
}
