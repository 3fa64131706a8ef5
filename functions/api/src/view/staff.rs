use std::collections::BTreeSet;

use domain::ids::{MemberId, TenantId};
use domain::staff::Role;
use jiff::Timestamp;
use serde::Serialize;
use store::StaffLogin;
use utoipa::ToSchema;

/// Who is logged in at the desk.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskMe {
    /// The member.
    pub id: MemberId,
    /// What the member is called; never empty.
    pub name: String,
    /// Where invitations go.
    #[schema(format = "email")]
    pub email: String,
    /// The member's tenants.
    pub memberships: Vec<DeskMembership>,
    /// When the session ends if nobody does anything any more.
    #[schema(value_type = String, format = DateTime)]
    pub idle_until: Timestamp,
    /// When it ends in any case.
    #[schema(value_type = String, format = DateTime)]
    pub ends_at: Timestamp,
}

/// What a member may do for a tenant.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskMembership {
    /// The tenant, as it stands in paths.
    pub tenant: TenantId,
    /// Its name.
    pub name: String,
    /// At least one.
    pub roles: BTreeSet<Role>,
}

impl DeskMe {
    /// The member who is called so, with these memberships.
    pub fn new(login: &StaffLogin, name: &str, memberships: Vec<DeskMembership>) -> Self {
        let StaffLogin { member, session, .. } = login;
        Self {
            id: member.id.clone(),
            name: name.to_owned(),
            email: member.email.as_str().to_owned(),
            memberships,
            idle_until: session.idle_until(),
            ends_at: session.ends_at(),
        }
    }
}
