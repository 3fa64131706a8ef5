use std::collections::BTreeSet;

use desk::members::Members;
use domain::email::EmailAddress;
use domain::ids::MemberId;
use domain::staff::{ProviderId, Role, may_give};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::{AccessAsk, Membership, StaffInvitation};
use utoipa::ToSchema;

use super::DeskAccessAsk;

/// The members of a tenant.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskMembers {
    /// By name.
    pub members: Vec<DeskMember>,
    /// Persons who were invited and have not come yet; by address.
    pub invited: Vec<DeskInvited>,
    /// The roles that the caller can give and take.
    pub roles: Vec<Role>,
    /// The platform's staff who ask for access.
    pub asked: Vec<DeskAccessAsk>,
}

impl DeskMembers {
    /// As the member with this id and these roles sees them.
    pub fn new(members: Members, asks: Vec<AccessAsk>, me: &MemberId, own: &BTreeSet<Role>, provider: &ProviderId) -> Self {
        let Members { members, invited } = members;
        let mut invited: Vec<_> = invited.into_iter().map(DeskInvited::from).collect();
        invited.sort_by(|one, other| one.email.as_str().cmp(other.email.as_str()));
        Self {
            members: members.into_iter().map(|membership| DeskMember::new(membership, me, provider)).collect(),
            invited,
            roles: Role::ALL.into_iter().filter(|role| may_give(own, *role)).collect(),
            asked: asks.into_iter().map(DeskAccessAsk::from).collect(),
        }
    }
}

/// A member of a tenant.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskMember {
    /// The member.
    pub id: MemberId,
    /// May be empty.
    pub name: String,
    /// As the identity provider said it at the first login.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub email: Option<EmailAddress>,
    /// At least one.
    pub roles: BTreeSet<Role>,
    /// Since when the member belongs to the tenant.
    #[schema(value_type = String, format = DateTime)]
    pub since: Timestamp,
    /// The person who invited them.
    pub invited_by: String,
    /// When access that was given for a time ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
    /// When the member logged in last, at any tenant.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub logged_in_at: Option<Timestamp>,
    /// It is the caller.
    pub is_me: bool,
    /// The member logs in by another provider than the tenant's members do now, and so can do nothing here.
    pub is_locked_out: bool,
}

impl DeskMember {
    fn new(membership: Membership, me: &MemberId, expected: &ProviderId) -> Self {
        let Membership { member, roles, since, invited_by, until } = membership;
        let store::Member { id, name, email, logged_in_at, provider } = member;
        let (is_me, is_locked_out) = (id == *me, !provider.opens(expected, until.is_some()));
        Self { id, name, email, roles, since, invited_by, until, logged_in_at, is_me, is_locked_out }
    }
}

/// An invitation that is not accepted yet.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskInvited {
    /// The invitation.
    pub id: String,
    /// The address of the invitation's mail.
    #[schema(value_type = String)]
    pub email: EmailAddress,
    /// At least one.
    pub roles: BTreeSet<Role>,
    /// The person who invited them.
    pub invited_by: String,
    /// Until when it is good.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    /// The member whose login is another one now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<MemberId>,
}

impl From<(String, StaffInvitation)> for DeskInvited {
    fn from((id, invitation): (String, StaffInvitation)) -> Self {
        let StaffInvitation { email, roles, invited_by, expires_at, member, inviter: _ } = invitation;
        Self { id, email, roles, invited_by, expires_at, member }
    }
}

/// The person to invite, and their roles.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskMemberRequest {
    /// The address of the mail.
    #[schema(value_type = String, max_length = 254)]
    pub email: EmailAddress,
    /// At least one.
    #[schema(min_items = 1)]
    pub roles: BTreeSet<Role>,
    /// The invitation that is sent again, as it was shown: where it is not open any more, or has other roles, no invitation is sent.
    #[serde(default)]
    #[schema(max_length = 64)]
    pub again: Option<String>,
}

/// An invitation whose mail did not go out.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskInvitationLink {
    /// The link by which it is accepted: told this once, to be handed over.
    pub link: String,
}

/// The roles of a member from now on.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskRolesRequest {
    /// At least one.
    #[schema(min_items = 1)]
    pub roles: BTreeSet<Role>,
    /// Those that were shown: where the member has others by now, nothing is changed.
    pub seen: BTreeSet<Role>,
}
