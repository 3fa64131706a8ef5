//! The utility's staff: who is invited, who belongs to it, who leaves.

use std::collections::BTreeSet;

use domain::email::EmailAddress;
use domain::ids::{MemberId, TenantId};
use domain::login::link_token;
use domain::staff::{Role, invitation_days};
use domain::text;
use jiff::{SignedDuration, Timestamp};
use mail::{Brand, Envelope, Language, Mailer, Message, Mime};
use store::{Membership, StaffInvitation, Store};

use crate::Failure;

/// Who works for a tenant.
#[derive(Debug)]
pub struct Members {
    /// By name.
    pub members: Vec<Membership>,
    /// Who was invited and has not come yet.
    pub invited: Vec<StaffInvitation>,
}

/// Who is invited, by whom and to where.
#[derive(Debug)]
pub struct Invited<'a> {
    /// Where the mail goes.
    pub email: &'a EmailAddress,
    /// At least one.
    pub roles: BTreeSet<Role>,
    /// Who invites.
    pub by: &'a str,
    /// Where the desk is: `https://desk.example.org`.
    pub desk: &'a str,
}

/// The tenant's members and invitations.
///
/// # Errors
/// [`Failure::TenantUnknown`], or what storing says.
pub async fn list(store: &Store, tenant: &TenantId, now: Timestamp) -> Result<Members, Failure> {
    store.tenant(tenant).await?.ok_or_else(|| Failure::TenantUnknown(tenant.clone()))?;
    Ok(Members { members: store.members(tenant).await?, invited: store.staff_invitations(tenant, now).await? })
}

/// Invites somebody by mail, in the tenant's language; gives the invitation and its link, which the mail has too.
///
/// # Errors
/// [`Failure::TenantUnknown`], [`Failure::Refused`], or what storing says.
pub async fn invite(
    store: &Store,
    mailer: &Mailer,
    tenant: &TenantId,
    invited: Invited<'_>,
    now: Timestamp,
) -> Result<(StaffInvitation, String), Failure> {
    let settings = store.tenant(tenant).await?.ok_or_else(|| Failure::TenantUnknown(tenant.clone()))?;
    let Invited { email, roles, by, desk } = invited;
    let (token, days) = (link_token(store::random()?), invitation_days(&roles));
    let expires_at = now + SignedDuration::from_hours(24 * days);
    let invitation = StaffInvitation { email: email.clone(), roles, invited_by: by.to_owned(), expires_at };
    store.invite_member(tenant, &token, &invitation).await?;
    let link = format!("{desk}/invitation/{tenant}/{token}");
    let message = Message::StaffInvitation(mail::StaffInvitation { invited_by: by.to_owned(), link: link.clone(), days });
    let logo = store.logo(tenant).await?;
    let brand = Brand { application: &settings.application, logo: logo.as_ref().map(|logo| logo.png.as_slice()) };
    let id = domain::ids::text_of(store::random()?);
    let envelope = Envelope { id: &id, to: email, to_name: None, date: now };
    let mime = Mime::build(&message, Language::choose(None, &settings.application), &brand, &envelope);
    let mime = mime.map_err(|error| not_sent(&error))?;
    mailer.send(&mime, &[]).await.map_err(|error| not_sent(&error))?;
    Ok((invitation, link))
}

fn not_sent(error: &dyn std::fmt::Display) -> Failure {
    Failure::Refused(text!("die Einladung konnte nicht versendet werden: {error}", "the invitation could not be sent: {error}"))
}

/// Ends a membership: at the member's next click. False: there is none of this id.
///
/// # Errors
/// What storing says.
pub async fn remove(store: &Store, tenant: &TenantId, member: &MemberId) -> Result<bool, Failure> {
    if !store.members(tenant).await?.iter().any(|membership| membership.member.id == *member) {
        return Ok(false);
    }
    store.remove_member(tenant, member).await?;
    Ok(true)
}
