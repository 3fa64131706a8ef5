//! The utility's staff: who is invited, who belongs to it, who leaves.

use std::collections::BTreeSet;

use domain::email::EmailAddress;
use domain::ids::{MemberId, TenantId};
use domain::login::link_token;
use domain::staff::{self, Role, invitation_days};
use domain::text;
use jiff::{SignedDuration, Timestamp};
use mail::{Brand, Envelope, Language, Mailer, Message, Mime};
use store::{Cell, Inviter, Membership, STAFF_INVITATION, StaffInvitation, Store, StoreError};

use crate::Failure;

/// The members of a tenant, and those to be.
#[derive(Debug)]
pub struct Members {
    /// By name.
    pub members: Vec<Membership>,
    /// Persons who were invited and have not come yet, with the invitation's id.
    pub invited: Vec<(String, StaffInvitation)>,
}

/// The outcome of the change of a membership.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// It is so.
    Done,
    /// There is no such member.
    Unknown,
    /// A tenant with jobs would have less than two leads.
    TooFewLeads,
}

/// The invited person, the inviting one and the desk's address.
#[derive(Debug)]
pub struct Invited<'a> {
    /// The address of the mail.
    pub email: &'a EmailAddress,
    /// At least one.
    pub roles: BTreeSet<Role>,
    /// The name of the inviting person.
    pub by: &'a str,
    /// The inviting member; none: by command.
    pub inviter: Option<Inviter<'a>>,
    /// Where the desk is: `https://desk.example.org`.
    pub desk: &'a str,
    /// The member that it is, whose login at the provider is another one now.
    pub member: Option<MemberId>,
    /// Whether the inviting member may see the link, to hand it over where the mail does not go out. Else there is no invitation then (D-DESK-9).
    pub shows_link: bool,
}

/// An invitation that is open.
#[derive(Debug)]
pub struct OpenInvitation {
    /// The invitation.
    pub invitation: StaffInvitation,
    /// The link by which it is accepted.
    pub link: String,
    /// Why the mail with the link did not go out, so that it is to be handed over.
    pub not_mailed: Option<String>,
}

/// Leads that a tenant keeps whose customers can read.
const LEADS: usize = 2;

/// The tenant's members and invitations.
///
/// # Errors
/// [`Failure::TenantUnknown`], or what storing says.
pub async fn list(store: &Store, tenant: &TenantId, now: Timestamp) -> Result<Members, Failure> {
    if *tenant != TenantId::platform() {
        store.tenant(tenant).await?.ok_or_else(|| Failure::TenantUnknown(tenant.clone()))?;
    }
    Ok(Members { members: store.members(tenant, now).await?, invited: store.staff_invitations(tenant, now).await? })
}

/// Invites a person by mail, in the tenant's language, in place of what they were invited to before, by any address. A person who is to join the platform's staff
/// gets no mail, which needs a tenant to come from: the link is handed over.
///
/// # Errors
/// [`Failure::TenantUnknown`], [`Failure::Refused`], [`Failure::NotMailed`], [`Failure::MailUnanswered`], or what storing says.
pub async fn invite(
    store: &Store,
    mailer: &Mailer,
    tenant: &TenantId,
    invited: Invited<'_>,
    now: Timestamp,
) -> Result<OpenInvitation, Failure> {
    let Invited { email, roles, by, inviter, desk, member, shows_link } = invited;
    check_fit(tenant, &roles)?;
    let settings = match store.tenant(tenant).await? {
        None if *tenant != TenantId::platform() => return Err(Failure::TenantUnknown(tenant.clone())),
        settings => settings,
    };
    let mut replaced = store.staff_invitations(tenant, now).await?;
    replaced.retain(|(_, open)| open.went_to(email) || is_for(open, member.as_ref()));
    let logo = store.logo(tenant).await?;
    let (token, mail_id, days) = (link_token(store::random()?), domain::ids::text_of(store::random()?), invitation_days(&roles));
    let expires_at = now + SignedDuration::from_hours(24 * days);
    let inviting = inviter.map(|inviter| inviter.member.clone());
    let invitation = StaffInvitation { email: email.clone(), roles, invited_by: by.to_owned(), inviter: inviting, expires_at, member };
    let id = store.invite_member(tenant, &token, &invitation, inviter).await?;
    let link = format!("{desk}/invitation/{tenant}/{token}");
    let sent = match &settings {
        Some(_) if !store.suppressed(tenant, &[email], now).await?.is_empty() => {
            Err(Unsent { reason: StoreError::RecipientSuppressed.to_string(), is_certain: true })
        }
        Some(settings) => {
            let message = Message::StaffInvitation(mail::StaffInvitation { invited_by: by.to_owned(), link: link.clone(), days });
            let brand = Brand {
                application: &settings.application,
                logo: logo.as_ref().map(|logo| logo.png.as_slice()),
                texts: &settings.translations,
            };
            send(mailer, tenant, &message, &brand, &Envelope { id: &mail_id, to: email, to_name: None, date: now }).await
        }
        None => Ok(()),
    };
    if let Err(unsent) = &sent
        && !shows_link
    {
        let reason = unsent.reason.clone();
        // The mail may have arrived, with this link.
        if !unsent.is_certain {
            return Err(Failure::MailUnanswered(reason));
        }
        store.withdraw_staff_invitation(tenant, &id).await?;
        return Err(Failure::NotMailed(reason));
    }
    // Only now: a mail that does not go out does not take along the link that the person has.
    for (id, _) in replaced {
        store.withdraw_staff_invitation(tenant, &id).await?;
    }
    Ok(OpenInvitation { invitation, link, not_mailed: sent.err().map(|unsent| unsent.reason) })
}

/// The reason why a mail did not go out.
struct Unsent {
    reason: String,
    /// It has not arrived, for certain.
    is_certain: bool,
}

async fn send(mailer: &Mailer, tenant: &TenantId, message: &Message, brand: &Brand<'_>, envelope: &Envelope<'_>) -> Result<(), Unsent> {
    let mime = Mime::build(message, Language::choose(None, brand.application), brand, envelope);
    let mime = mime.map_err(|error| Unsent { reason: error.to_string(), is_certain: true })?;
    let sent = mailer.send(&mime, &[("tenant", tenant.to_string()), ("kind", STAFF_INVITATION.to_owned())]).await;
    sent.map(drop).map_err(|error| Unsent { reason: error.to_string(), is_certain: error.was_not_sent() })
}

/// Ends a membership: at the member's next click. Open invitations to the member's address, for this member, or by this member end with it, and for a member of
/// the platform's staff every access for a time, and every invitation that they wrote for a tenant (D-DESK-11).
///
/// # Errors
/// The store's.
pub async fn remove(store: &Store, tenant: &TenantId, member: &MemberId, now: Timestamp) -> Result<Changed, Failure> {
    let changed = end_membership(store, tenant, member, now).await?;
    if changed == Changed::TooFewLeads {
        return Ok(changed);
    }
    // Once more, as one may have been written until the membership ended, and also when a removal before was cut off here.
    withdraw_written_by(store, tenant, member).await?;
    if *tenant == TenantId::platform() {
        end_accesses(store, member, now).await?;
        for led in store.tenant_ids().await? {
            withdraw_written_by(store, &led, member).await?;
        }
    }
    Ok(changed)
}

async fn end_membership(store: &Store, tenant: &TenantId, member: &MemberId, now: Timestamp) -> Result<Changed, Failure> {
    let members = store.members(tenant, now).await?;
    let Some(leaves) = members.iter().find(|membership| membership.member.id == *member) else { return Ok(Changed::Unknown) };
    let Some(leads) = leads_besides(store, tenant, &members, member).await? else { return Ok(Changed::TooFewLeads) };
    // A removed member does not come back by a link that is still open.
    store.withdraw_staff_invitations(tenant, |open| leads_back(open, leaves)).await?;
    match store.remove_member(tenant, member, &leads).await {
        Err(StoreError::Conflict) => Ok(Changed::TooFewLeads),
        removed => Ok(removed.map(|()| Changed::Done)?),
    }
}

/// Gives a member who has the roles `before` others, at least one. Open invitations for this member end, and a member who loses a role does not get it back by one
/// to their address or by themselves.
///
/// # Errors
/// As of [`remove`], [`Failure::Refused`], and [`Failure::Stale`] when the member, or a lead who has to stay, has other roles by now.
pub async fn change(
    store: &Store,
    tenant: &TenantId,
    member: &MemberId,
    (before, roles): (&BTreeSet<Role>, &BTreeSet<Role>),
    now: Timestamp,
) -> Result<Changed, Failure> {
    check_fit(tenant, roles)?;
    let members = store.members(tenant, now).await?;
    let Some(found) = members.iter().find(|membership| membership.member.id == *member) else { return Ok(Changed::Unknown) };
    let leads = if roles.contains(&Role::Lead) { Some(Vec::new()) } else { leads_besides(store, tenant, &members, member).await? };
    let Some(leads) = leads else { return Ok(Changed::TooFewLeads) };
    let loses = !before.is_subset(roles);
    // An invitation for this member has the roles of before.
    store.withdraw_staff_invitations(tenant, |open| is_for(open, Some(member)) || (loses && leads_back(open, found))).await?;
    let is_changed = store.change_roles(tenant, member, (before, roles), &leads).await?;
    if loses {
        // Once more, as one may have been written until the roles changed.
        withdraw_written_by(store, tenant, member).await?;
    }
    is_changed.then_some(Changed::Done).ok_or(Failure::Stale)
}

/// Whether an invitation says that it is for this member.
fn is_for(open: &StaffInvitation, member: Option<&MemberId>) -> bool {
    member.is_some() && open.member.as_ref() == member
}

/// Whether a member could come back by an invitation, or has written it.
fn leads_back(open: &StaffInvitation, Membership { member, .. }: &Membership) -> bool {
    let is_theirs = member.email.as_ref().is_some_and(|email| open.went_to(email));
    is_theirs || is_for(open, Some(&member.id)) || open.inviter.as_ref() == Some(&member.id)
}

async fn withdraw_written_by(store: &Store, tenant: &TenantId, member: &MemberId) -> Result<(), Failure> {
    Ok(store.withdraw_staff_invitations(tenant, |open| open.inviter.as_ref() == Some(member)).await?)
}

/// Ends every access for a time of this member of the platform's staff.
async fn end_accesses(store: &Store, member: &MemberId, now: Timestamp) -> Result<(), Failure> {
    for access in store.tenants_of_member(member, now).await? {
        if access.until.is_some() {
            store.end_access(&access.tenant, member).await?;
        }
    }
    Ok(())
}

fn check_fit(tenant: &TenantId, roles: &BTreeSet<Role>) -> Result<(), Failure> {
    let fit = staff::fit(tenant, roles);
    fit.then_some(()).ok_or_else(|| {
        Failure::Refused(text!(
            "die Rolle platform gibt es für `platform` allein, und dort keine andere",
            "the role platform is for `platform` alone, which has no other"
        ))
    })
}

/// The leads who have to stay when this one goes: none, if the member is no lead or the tenant has no jobs yet. None: there are too few.
async fn leads_besides(
    store: &Store,
    tenant: &TenantId,
    members: &[Membership],
    member: &MemberId,
) -> Result<Option<Vec<MemberId>>, Failure> {
    // A lead for a time only leaves the tenant alone afterwards.
    let is_lead = |membership: &&Membership| membership.roles.contains(&Role::Lead) && membership.until.is_none();
    let is_live =
        store.tallies(tenant).await?.values().any(|tally| tally.cells.keys().any(|name| matches!(Cell::parse(name), Some(Cell::Jobs(..)))));
    if !is_live || !members.iter().filter(is_lead).any(|membership| membership.member.id == *member) {
        return Ok(Some(Vec::new()));
    }
    let others = members.iter().filter(is_lead).map(|membership| membership.member.id.clone()).filter(|other| other != member);
    let others: Vec<MemberId> = others.take(LEADS).collect();
    Ok(Some(others).filter(|others| others.len() == LEADS))
}
