use std::collections::BTreeSet;

use desk::platform::Deployed;
use domain::config::Application;
use domain::email::EmailAddress;
use domain::fault::FileFault;
use domain::ids::{MemberId, TenantId};
use domain::staff::Role;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::{AccessAsk, StaffInvitation};
use utoipa::ToSchema;

use super::{DeskInvited, DeskSettingsFault};
use crate::view::bound;

/// All tenants.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskTenants {
    /// By id.
    pub tenants: Vec<DeskTenantLine>,
}

/// A tenant in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskTenantLine {
    /// The tenant.
    pub tenant: TenantId,
    /// Its name.
    pub name: String,
    /// The portal's address.
    pub portal_url: String,
    /// The caller is one of its members at the moment.
    pub has_access: bool,
}

impl DeskTenantLine {
    /// The tenant's.
    pub fn new(application: &Application, has_access: bool) -> Self {
        Self {
            tenant: application.application_id.clone(),
            name: application.name.clone(),
            portal_url: application.portal_url.clone(),
            has_access,
        }
    }
}

/// A tenant, as the platform's staff sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskTenant {
    /// The tenant.
    pub tenant: TenantId,
    /// Its name.
    pub name: String,
    /// Host names of the portal.
    pub hosts: Vec<String>,
    /// The portal's address.
    pub portal_url: String,
    /// Address of the sender of mails; empty: none goes out.
    pub sender_email: String,
    /// The number of its leads.
    pub leads: usize,
    /// Persons who were invited to lead it and have not come yet.
    pub invited: Vec<DeskInvited>,
    /// The access that the caller has or asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access: Option<DeskTenantAccess>,
}

impl DeskTenant {
    /// The tenant with so many leads.
    pub fn new(application: &Application, leads: usize, invited: Vec<(String, StaffInvitation)>, access: Option<DeskTenantAccess>) -> Self {
        Self {
            tenant: application.application_id.clone(),
            name: application.name.clone(),
            hosts: application.hosts.clone(),
            portal_url: application.portal_url.clone(),
            sender_email: application.communication_settings.sender_email.clone(),
            leads,
            invited: invited.into_iter().map(DeskInvited::from).collect(),
            access,
        }
    }
}

/// Access to a tenant of a member of the platform's staff.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskTenantAccess {
    /// What the caller may do; nothing: it is asked for.
    pub roles: BTreeSet<Role>,
    /// The end of the access, or of the request for it.
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
}

impl DeskTenantAccess {
    /// These roles until then.
    pub fn given(roles: BTreeSet<Role>, until: Timestamp) -> Self {
        Self { roles, until }
    }
}

impl From<AccessAsk> for DeskTenantAccess {
    fn from(ask: AccessAsk) -> Self {
        Self { roles: BTreeSet::new(), until: ask.until() }
    }
}

/// A tenant is to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskTenantRequest {
    /// As it is to stand in paths; it stays.
    pub tenant: TenantId,
    /// The utility's name.
    #[schema(max_length = 80)]
    pub name: String,
    /// Host name of the portal.
    #[schema(max_length = 253)]
    pub host: String,
    /// The portal's address.
    #[schema(max_length = 300)]
    pub portal_url: String,
    /// Address of the sender of mails; empty: none goes out.
    #[schema(max_length = 254)]
    pub sender_email: String,
}

/// The addresses that a tenant is to have.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskTenantChange {
    /// Host names of the portal.
    #[serde(deserialize_with = "bound::entries")]
    #[schema(max_items = 50)]
    pub hosts: Vec<String>,
    /// The portal's address.
    #[schema(max_length = 300)]
    pub portal_url: String,
    /// Address of the sender of mails; empty: none goes out.
    #[schema(max_length = 254)]
    pub sender_email: String,
    /// What was shown: where it is otherwise by now, nothing is changed.
    pub seen: DeskTenantReached,
}

/// The addresses of a tenant.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskTenantReached {
    /// Host names of the portal.
    #[serde(deserialize_with = "bound::entries")]
    #[schema(max_items = 50)]
    pub hosts: Vec<String>,
    /// The portal's address.
    #[schema(max_length = 300)]
    pub portal_url: String,
    /// Address of the sender of mails; empty: none goes out.
    #[schema(max_length = 254)]
    pub sender_email: String,
}

impl From<DeskTenantReached> for Deployed {
    fn from(DeskTenantReached { hosts, portal_url, sender_email }: DeskTenantReached) -> Self {
        Self { hosts, portal_url, sender_email }
    }
}

/// The outcome of a change.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskTenantOutcome {
    /// What is wrong, so that nothing was done; nothing: it is so.
    pub faults: Vec<DeskSettingsFault>,
}

impl DeskTenantOutcome {
    /// These faults.
    pub fn new(faults: Vec<FileFault>) -> Self {
        Self { faults: faults.iter().map(DeskSettingsFault::from).collect() }
    }
}

/// The person who is to lead a tenant.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskTenantLeadRequest {
    /// The address of the mail.
    #[schema(value_type = String, max_length = 254)]
    pub email: EmailAddress,
}

/// A member of the platform's staff asks for access.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskAccessRequest {
    /// The reason, which the tenant's leads read.
    #[schema(min_length = 1, max_length = 500)]
    pub reason: String,
}

/// The roles for a time of the member who asked.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskAccessGrant {
    /// At least one.
    #[schema(min_items = 1)]
    pub roles: BTreeSet<Role>,
    /// For how long: a week at most.
    #[schema(minimum = 1, maximum = 168)]
    pub hours: u8,
}

/// A member of the platform's staff who asks for access.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskAccessAsk {
    /// The person.
    pub member: MemberId,
    /// The name of the member.
    pub by: String,
    /// The reason.
    pub reason: String,
    /// The time of the request.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

impl From<AccessAsk> for DeskAccessAsk {
    fn from(AccessAsk { member, by, reason, at }: AccessAsk) -> Self {
        Self { member, by, reason, at }
    }
}
