//! Invitations of members: good once, for a person who has the link and is logged in at the desk (D-DESK-7).

use std::collections::BTreeSet;

use domain::email::EmailAddress;
use domain::ids::{MemberId, TenantId};
use domain::staff::Role;
use jiff::Timestamp;

use crate::db::Read;
use crate::item::{Fields, Item, Record, key_of, number, seconds, text, texts};
use crate::keys;
use crate::staff::{add_membership, ends_at};
use crate::table::{EXPIRES_AT, SORT_KEY};
use crate::tx::{Condition, Tx};
use crate::{Audit, NewMembership, Result, Store, StoreError, audit};

/// An invitation that is not accepted yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaffInvitation {
    /// The address of its mail.
    pub email: EmailAddress,
    /// What the member may do; at least one.
    pub roles: BTreeSet<Role>,
    /// The name of who invites: a member, or the person or machine of a command.
    pub invited_by: String,
    /// Which member that is; none: by command.
    pub inviter: Option<MemberId>,
    /// Until when it is good.
    pub expires_at: Timestamp,
    /// Who it is, whose login at the provider is another one now; none: the person who accepts.
    pub member: Option<MemberId>,
}

/// The member who invites, as what they may was seen.
#[derive(Debug, Clone, Copy)]
pub struct Inviter<'a> {
    /// The tenant of the membership: the one that invites, or [`TenantId::platform`].
    pub of: &'a TenantId,
    /// Who it is.
    pub member: &'a MemberId,
    /// What they may there.
    pub roles: &'a BTreeSet<Role>,
}

impl StaffInvitation {
    fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        Ok(Self {
            email: fields.parsed("email")?,
            roles: fields.parsed_set("staffRoles")?,
            invited_by: fields.text("invitedBy")?.to_owned(),
            inviter: fields.optional_parsed("inviterId")?,
            expires_at: fields.millis("until")?,
            member: fields.optional_parsed("memberId")?,
        })
    }
}

impl Store {
    /// Invites a person by a link with this token; gives the invitation's id. [`StoreError::Conflict`] where the inviter is not any more what they were seen as.
    pub async fn invite_member(
        &self,
        tenant: &TenantId,
        token: &str,
        invitation: &StaffInvitation,
        inviter: Option<Inviter<'_>>,
    ) -> Result<String> {
        let id = hash(token);
        let item = Record::at(&keys::staff_invitation(tenant, &id))
            .with("email", text(invitation.email.as_str()))
            .with("staffRoles", texts(invitation.roles.iter().map(|role| role.as_str())))
            .with("invitedBy", text(&invitation.invited_by))
            .with_some("inviterId", invitation.inviter.as_ref().map(|inviter| text(inviter.as_str())))
            .with("until", number(invitation.expires_at.as_millisecond()))
            .with_some("memberId", invitation.member.as_ref().map(|member| text(member.as_str())))
            .with(EXPIRES_AT, seconds(invitation.expires_at));
        let mut tx = Tx::new(self);
        tx.put("the invitation", item.item(), None)?;
        if let Some(Inviter { of, member, roles }) = inviter {
            // An invitation that is under way while its inviter leaves or loses a role would outlive that (D-DESK-11).
            let values = Item::from([(":roles".into(), texts(roles.iter().map(|role| role.as_str())))]);
            let unchanged = Condition { expression: "staffRoles = :roles", values, refusal: StoreError::Conflict };
            tx.check(&keys::membership(of, member), unchanged)?;
        }
        tx.commit("the invitation").await?;
        Ok(id)
    }

    /// The invitation with this token, if it is still good.
    pub async fn staff_invitation(&self, tenant: &TenantId, token: &str, now: Timestamp) -> Result<Option<StaffInvitation>> {
        let item = self.get(&keys::staff_invitation(tenant, &hash(token)), Read::Latest).await?;
        let invitation = item.as_ref().map(StaffInvitation::read).transpose()?;
        Ok(invitation.filter(|invitation| invitation.expires_at > now))
    }

    /// The tenant's invitations that are still good, each with its id: the hash of its token, no secret.
    pub async fn staff_invitations(&self, tenant: &TenantId, now: Timestamp) -> Result<Vec<(String, StaffInvitation)>> {
        let items = self.whole_partition(&keys::staff_invitations(tenant)).await?;
        let read = |item: &Item| Ok((Fields(item).text(SORT_KEY)?.to_owned(), StaffInvitation::read(item)?));
        let mut invitations = items.iter().map(read).collect::<Result<Vec<_>>>()?;
        invitations.retain(|(_, invitation)| invitation.expires_at > now);
        Ok(invitations)
    }

    /// Takes back the open invitations of which this is so.
    pub async fn withdraw_staff_invitations(&self, tenant: &TenantId, is_meant: impl Fn(&StaffInvitation) -> bool) -> Result<()> {
        for item in self.whole_partition(&keys::staff_invitations(tenant)).await? {
            if is_meant(&StaffInvitation::read(&item)?) {
                self.delete(&key_of(&item)?, None).await?;
            }
        }
        Ok(())
    }

    /// Takes back the open invitation of this id, if there is one.
    pub async fn withdraw_staff_invitation(&self, tenant: &TenantId, id: &str) -> Result<()> {
        self.delete(&keys::staff_invitation(tenant, id), None).await
    }

    /// Makes the member one of the tenant, uses the invitation up and remembers it. Of an invitation that says who it is, the person who accepts it is that member from
    /// the next login on, and gets the history; not if either belongs to another tenant.
    pub async fn accept_staff_invitation(
        &self,
        tenant: &TenantId,
        token: &str,
        member: &MemberId,
        audit: Audit<'_>,
        now: Timestamp,
    ) -> Result<Accepted> {
        let Some(invitation) = self.staff_invitation(tenant, token, now).await? else { return Ok(Accepted::Gone) };
        let StaffInvitation { roles, invited_by, member: named, .. } = invitation;
        let mut tx = Tx::new(self);
        // Decisions and the audit trail name a member's id, which stays when the login at the provider does not (D-DESK-9).
        let kept = named.as_ref().filter(|named| *named != member);
        if let Some(kept) = kept
            && !self.rebind(&mut tx, tenant, member, kept, now).await?
        {
            return Ok(Accepted::NotTheirs);
        }
        // No member changes their own roles (D-DESK-11), be it by an invitation that was meant for another person.
        let is_new = named.is_none().then(|| Condition {
            expression: "attribute_not_exists(pk) OR attribute_exists(accessUntil)",
            values: Item::new(),
            refusal: StoreError::Conflict,
        });
        if is_new.is_some()
            && let Some(membership) = self.get(&keys::membership(tenant, member), Read::Latest).await?
            && ends_at(&membership)?.is_none()
        {
            return Ok(Accepted::Already);
        }
        let member = kept.unwrap_or(member);
        let audit = Audit { member: Some(member), ..audit };
        tx.delete(&keys::staff_invitation(tenant, &hash(token)), Some(Condition::present(StoreError::Conflict)))?;
        add_membership(&mut tx, tenant, member, &NewMembership { roles, invited_by, now, until: None }, is_new)?;
        tx.put("the audit record", audit::item(tenant, audit, now)?, None)?;
        match tx.commit("the membership").await {
            Ok(()) => Ok(Accepted::Done),
            Err(StoreError::Conflict) => Ok(Accepted::Gone),
            Err(error) => Err(error),
        }
    }
}

/// What became of an invitation that a person accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepted {
    /// The member belongs to the tenant.
    Done,
    /// The member belonged to it before; the invitation is still open.
    Already,
    /// It says who it is, and that member belongs to another tenant, or the person who accepts it belongs to any tenant already.
    NotTheirs,
    /// It was used, or it is no longer good.
    Gone,
}

impl StaffInvitation {
    /// Whether its mail went to this address.
    pub fn went_to(&self, address: &EmailAddress) -> bool {
        self.email.as_str().eq_ignore_ascii_case(address.as_str())
    }
}

fn hash(token: &str) -> String {
    keys::sha256_hex(token.as_bytes())
}
