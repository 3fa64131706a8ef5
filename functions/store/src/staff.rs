//! The utility's staff: members, what they may do for which tenant, and their sessions (D-DESK-1).
//!
//! A session's secret is in the browser's cookie and stored as a hash. It is read with the membership at each request, so that a member who was removed, or has
//! a role less, notices at once.

use std::collections::BTreeSet;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::device::DeviceKind;
use domain::email::EmailAddress;
use domain::ids::{MemberId, TenantId};
use domain::staff::{self, ProviderId, Role};
use jiff::{SignedDuration, Timestamp};

use crate::db::{OPTIMISTIC_ATTEMPTS, Range, Read, Update, Written};
use crate::item::{Fields, Item, Record, json, number, seconds, text, texts};
use crate::keys::{self, Key};
use crate::table::{EXPIRES_AT, SORT_KEY};
use crate::tx::{Condition, Tx};
use crate::{Result, Store, StoreError};

/// A session in which the member does nothing ends after this time (D-DESK-2).
const IDLE: SignedDuration = SignedDuration::from_mins(30);
/// Longest life of a session.
pub const STAFF_SESSION_LIFE: Duration = Duration::from_secs(10 * 3600);
/// A session is renewed at most this often.
const RENEWED_AFTER: SignedDuration = SignedDuration::from_mins(1);
const SECRET_BYTES: usize = 32;
/// Where a member says what leads to them: the partition of [`keys::identity`].
const IDENTITY: &str = "identity";
/// By which provider that is.
const PROVIDER: &str = "provider";

/// A person of the staff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Our id.
    pub id: MemberId,
    /// As it stands in decisions and lists; may be empty.
    pub name: String,
    /// As the provider or the invitation says it; opens nothing.
    pub email: Option<EmailAddress>,
    /// The time at which the last session began.
    pub logged_in_at: Option<Timestamp>,
    /// The provider that identifies the member.
    pub provider: ProviderId,
}

/// What a member may do for a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The person.
    pub member: Member,
    /// At least one.
    pub roles: BTreeSet<Role>,
    /// Since when.
    pub since: Timestamp,
    /// The name of who invited: a member, or the person or machine of a command.
    pub invited_by: String,
    /// When it ends by itself; none: never.
    pub until: Option<Timestamp>,
}

/// A person as an identity provider knows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The provider that identifies the person.
    pub provider: ProviderId,
    /// The person's `sub` there.
    pub subject: String,
}

/// A person who may be none of our members yet.
#[derive(Debug, Clone)]
pub struct NewMember {
    /// The person's identity at the provider.
    pub identity: Identity,
    /// As [`Member::name`].
    pub name: String,
    /// As [`Member::email`].
    pub email: Option<EmailAddress>,
    /// Fresh random bytes, see [`crate::random`].
    pub random: [u8; 16],
}

/// A membership that begins.
#[derive(Debug, Clone)]
pub struct NewMembership {
    /// At least one.
    pub roles: BTreeSet<Role>,
    /// The name of who invited: a member, or the person or machine of a command.
    pub invited_by: String,
    /// Now.
    pub now: Timestamp,
    /// When it ends by itself; none: never.
    pub until: Option<Timestamp>,
}

/// A tenant of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantOfMember {
    /// Which one; [`TenantId::platform`] among them.
    pub tenant: TenantId,
    /// What the member may do there; at least one.
    pub roles: BTreeSet<Role>,
    /// When that ends by itself; none: never.
    pub until: Option<Timestamp>,
}

/// A session of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaffSession {
    /// Its id, no secret: the hash of the secret.
    pub id: String,
    /// On what.
    pub device: DeviceKind,
    /// The time of its beginning.
    pub opened_at: Timestamp,
    /// When a person did something in it, to a minute.
    pub used_at: Timestamp,
    epoch: u64,
}

/// A member who is logged in at the desk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaffLogin {
    /// The person.
    pub member: Member,
    /// In which session.
    pub session: StaffSession,
    /// What the member may do for the tenant that was asked for; empty: it is none of the member's, or none was asked for.
    pub roles: BTreeSet<Role>,
    /// When that ends by itself; none: never.
    pub until: Option<Timestamp>,
}

/// The text of a session's cookie: `<member>.<secret>`.
#[derive(Clone, PartialEq, Eq)]
pub struct StaffCookie(String);

impl StaffCookie {
    /// The text for the browser.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Keeps the secret out of logs.
impl std::fmt::Debug for StaffCookie {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StaffCookie")
    }
}

impl StaffSession {
    /// When it ends if the member does nothing any more.
    pub fn idle_until(&self) -> Timestamp {
        self.ends_at().min(self.used_at + IDLE)
    }

    /// The time at which it ends in any case.
    pub fn ends_at(&self) -> Timestamp {
        self.opened_at + STAFF_SESSION_LIFE
    }

    fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        Ok(Self {
            id: fields.text(SORT_KEY)?.trim_start_matches(keys::STAFF_SESSIONS).to_owned(),
            device: fields.json("device")?,
            opened_at: fields.millis("openedAt")?,
            used_at: fields.millis("usedAt")?,
            epoch: fields.count("epoch")?,
        })
    }

    fn holds(&self, epoch: u64, now: Timestamp) -> bool {
        self.epoch == epoch && now < self.idle_until()
    }
}

impl Member {
    fn read(item: &Item) -> Result<Self> {
        let fields = Fields(item);
        Ok(Self {
            id: fields.parsed("memberId")?,
            name: fields.text("fullName")?.to_owned(),
            email: fields.optional_parsed("email")?,
            logged_in_at: fields.optional_millis("loggedInAt")?,
            // Members from before there were others are of the platform's.
            provider: fields.optional_text(PROVIDER)?.map_or_else(ProviderId::platform, ProviderId::stored),
        })
    }
}

/// Sessions of an earlier epoch have ended.
fn epoch(member: &Item) -> Result<u64> {
    Ok(Fields(member).optional_count("epoch")?.unwrap_or_default())
}

/// The roles that the membership gives now.
fn roles(membership: Option<&Item>, now: Timestamp) -> Result<BTreeSet<Role>> {
    let Some(item) = membership else { return Ok(BTreeSet::new()) };
    match ends_at(item)? {
        Some(until) if until <= now => Ok(BTreeSet::new()),
        _ => Fields(item).parsed_set("staffRoles"),
    }
}

pub(crate) fn ends_at(membership: &Item) -> Result<Option<Timestamp>> {
    Fields(membership).optional_millis("accessUntil")
}

/// The member and the key of the session, if the text has the form of a cookie: nothing else becomes part of a key.
fn parse(cookie: &str) -> Option<(MemberId, Key)> {
    // A member's id may have points in it.
    let (member, secret) = cookie.rsplit_once('.')?;
    let member = member.parse().ok()?;
    let is_secret = URL_SAFE_NO_PAD.decode(secret).is_ok_and(|bytes| bytes.len() == SECRET_BYTES);
    let key = keys::staff_session(&member, &keys::sha256_hex(secret.as_bytes()));
    is_secret.then_some((member, key))
}

pub(crate) fn add_membership(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    member: &MemberId,
    new: &NewMembership,
    condition: Option<Condition>,
) -> Result<()> {
    let goes_at = new.until.map(seconds);
    let membership = Record::at(&keys::membership(tenant, member))
        .with("staffRoles", texts(new.roles.iter().map(|role| role.as_str())))
        .with("since", number(new.now.as_millisecond()))
        .with("invitedBy", text(&new.invited_by))
        .with_some("accessUntil", new.until.map(|until| number(until.as_millisecond())))
        .with_some(EXPIRES_AT, goes_at.clone());
    tx.put("the membership", membership.item(), condition)?;
    let lead = Record::at(&keys::tenant_of_member(member, tenant)).with("tenant", text(tenant.as_str()));
    tx.put("the tenant", lead.with_some(EXPIRES_AT, goes_at).item(), None)
}

fn beginning_with(beginning: &str) -> Range<'static> {
    Range {
        condition: Some("begins_with(#sk, :beginning)"),
        values: Item::from([(":beginning".into(), text(beginning))]),
        ..Range::default()
    }
}

impl Store {
    /// Who is logged in with this cookie, and what they may do for this tenant. One read. None: the session is unknown or has ended.
    pub async fn staff_login(&self, cookie: &str, tenant: Option<&TenantId>, now: Timestamp) -> Result<Option<StaffLogin>> {
        let Some((id, session)) = parse(cookie) else { return Ok(None) };
        let (member, membership) = (keys::member(&id), tenant.map(|tenant| keys::membership(tenant, &id)));
        let wanted: Vec<_> = [session.clone(), member.clone()].into_iter().chain(membership.clone()).collect();
        let found = self.get_batch(&wanted, Read::Latest).await?;
        let (Some(session), Some(member)) = (found.get(&session), found.get(&member)) else { return Ok(None) };
        let session = StaffSession::read(session)?;
        if !session.holds(epoch(member)?, now) {
            return Ok(None);
        }
        let membership = membership.and_then(|key| found.get(&key));
        let until = membership.map(ends_at).transpose()?.flatten();
        Ok(Some(StaffLogin { member: Member::read(member)?, session, roles: roles(membership, now)?, until }))
    }

    /// Notes that a person did something in the session, at most once a minute; false: it has ended meanwhile.
    pub async fn renew_staff_session(&self, member: &MemberId, session: &StaffSession, now: Timestamp) -> Result<bool> {
        if now.duration_since(session.used_at) < RENEWED_AFTER {
            return Ok(true);
        }
        let renewed = StaffSession { used_at: now, ..session.clone() };
        let written = self
            .update(Update {
                key: &keys::staff_session(member, &session.id),
                expression: "SET usedAt = :now, expiresAt = :end",
                condition: Some("attribute_exists(pk)"),
                values: Item::from([(":now".into(), number(now.as_millisecond())), (":end".into(), seconds(renewed.idle_until()))]),
            })
            .await?;
        Ok(matches!(written, Written::Done))
    }

    /// Opens a session; none: there is no such member.
    pub async fn open_staff_session(
        &self,
        member: &MemberId,
        device: DeviceKind,
        random: [u8; SECRET_BYTES],
        now: Timestamp,
    ) -> Result<Option<StaffCookie>> {
        let Some(item) = self.get(&keys::member(member), Read::Latest).await? else { return Ok(None) };
        let secret = URL_SAFE_NO_PAD.encode(random);
        let id = keys::sha256_hex(secret.as_bytes());
        let session = StaffSession { id, device, opened_at: now, used_at: now, epoch: epoch(&item)? };
        let item = Record::at(&keys::staff_session(member, &session.id))
            .with("device", json(&session.device)?)
            .with("openedAt", number(now.as_millisecond()))
            .with("usedAt", number(now.as_millisecond()))
            .with("epoch", number(session.epoch))
            .with(EXPIRES_AT, seconds(session.idle_until()));
        let mut tx = Tx::new(self);
        tx.put("the session", item.item(), None)?;
        let values = Item::from([(":now".into(), number(now.as_millisecond()))]);
        tx.update(&keys::member(member), "SET loggedInAt = :now", values, Some(Condition::present(StoreError::Conflict)))?;
        tx.commit("the session").await?;
        Ok(Some(StaffCookie(format!("{member}.{secret}"))))
    }

    /// Ends one of the member's sessions; of none it does nothing.
    pub async fn end_staff_session(&self, member: &MemberId, session: &str) -> Result<()> {
        self.delete(&keys::staff_session(member, session), None).await
    }

    /// Ends every session of the member. One write, however many there are.
    pub async fn end_staff_sessions(&self, member: &MemberId) -> Result<()> {
        let key = keys::member(member);
        let values = Item::from([(":one".into(), number(1))]);
        self.update(Update { key: &key, expression: "ADD epoch :one", condition: Some("attribute_exists(pk)"), values }).await?;
        Ok(())
    }

    /// The member's sessions that have not ended, the one used last first; those of the first megabyte, which are thousands.
    pub async fn staff_sessions(&self, member: &MemberId, now: Timestamp) -> Result<Vec<StaffSession>> {
        let Some(item) = self.get(&keys::member(member), Read::Latest).await? else { return Ok(Vec::new()) };
        let epoch = epoch(&item)?;
        let page = self.query(&keys::member_partition(member), beginning_with(keys::STAFF_SESSIONS), Read::Latest).await?;
        let mut sessions = page.items.iter().map(StaffSession::read).collect::<Result<Vec<_>>>()?;
        sessions.retain(|session| session.holds(epoch, now));
        sessions.sort_by(|one, other| (other.used_at, &one.id).cmp(&(one.used_at, &other.id)));
        Ok(sessions)
    }

    /// The member's tenants. Two reads.
    pub async fn tenants_of_member(&self, member: &MemberId, now: Timestamp) -> Result<Vec<TenantOfMember>> {
        let page = self.query(&keys::member_partition(member), beginning_with(keys::TENANTS_OF_MEMBER), Read::Latest).await?;
        let tenants = page.items.iter().map(|item| Fields(item).parsed("tenant")).collect::<Result<Vec<TenantId>>>()?;
        let wanted: Vec<_> = tenants.iter().map(|tenant| keys::membership(tenant, member)).collect();
        let found = if wanted.is_empty() { Default::default() } else { self.get_many(&wanted, None, Read::Latest).await? };
        let mut memberships = Vec::with_capacity(tenants.len());
        for (tenant, key) in tenants.into_iter().zip(&wanted) {
            let item = found.get(key);
            let roles = roles(item, now)?;
            if !roles.is_empty() {
                memberships.push(TenantOfMember { tenant, roles, until: item.map(ends_at).transpose()?.flatten() });
            }
        }
        Ok(memberships)
    }

    /// The tenant's members, by name.
    pub async fn members(&self, tenant: &TenantId, now: Timestamp) -> Result<Vec<Membership>> {
        let items = self.whole_partition(&keys::memberships(tenant)).await?;
        let ids = items.iter().map(|item| Fields(item).parsed(SORT_KEY)).collect::<Result<Vec<MemberId>>>()?;
        let persons = self.get_many(&ids.iter().map(keys::member).collect::<Vec<_>>(), None, Read::Latest).await?;
        let mut members = Vec::with_capacity(items.len());
        for (item, id) in items.iter().zip(&ids) {
            let Some(person) = persons.get(&keys::member(id)) else { continue };
            let (fields, roles) = (Fields(item), roles(Some(item), now)?);
            if roles.is_empty() {
                continue;
            }
            members.push(Membership {
                member: Member::read(person)?,
                roles,
                since: fields.millis("since")?,
                invited_by: fields.text("invitedBy")?.to_owned(),
                until: ends_at(item)?,
            });
        }
        members.sort_by(|one, other| (&one.member.name, &one.member.id).cmp(&(&other.member.name, &other.member.id)));
        Ok(members)
    }

    /// Whether a member of the tenant has this address; a few reads that every sender of mails may do.
    pub async fn is_address_of_member(&self, tenant: &TenantId, address: &EmailAddress, now: Timestamp) -> Result<bool> {
        let items = self.whole_partition(&keys::memberships(tenant)).await?;
        for item in items {
            if roles(Some(&item), now)?.is_empty() {
                continue;
            }
            let person = self.get(&keys::member(&Fields(&item).parsed(SORT_KEY)?), Read::Recent).await?;
            let email = person.as_ref().map(Member::read).transpose()?.and_then(|member| member.email);
            if email.is_some_and(|email| email.mailbox_hash() == address.mailbox_hash()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What the member may do for the tenant; empty: it is none of the member's.
    pub async fn roles_of(&self, tenant: &TenantId, member: &MemberId, now: Timestamp) -> Result<BTreeSet<Role>> {
        roles(self.get(&keys::membership(tenant, member), Read::Latest).await?.as_ref(), now)
    }

    /// The member that this person is.
    pub async fn member_of(&self, identity: &Identity) -> Result<Option<MemberId>> {
        let item = self.get(&keys::identity(identity.provider.as_str(), &identity.subject), Read::Latest).await?;
        item.map(|item| Fields(&item).parsed("memberId")).transpose()
    }

    /// The member that this person is, and from now on if there is none yet: one without a tenant.
    pub async fn member_for(&self, person: &NewMember) -> Result<MemberId> {
        for _ in 0..OPTIMISTIC_ATTEMPTS {
            if let Some(member) = self.member_of(&person.identity).await? {
                return Ok(member);
            }
            let member = MemberId::draw(person.random);
            let NewMember { identity, name, email, .. } = person;
            let absent = || Some(Condition::absent(StoreError::Conflict));
            let mut tx = Tx::new(self);
            let lead = Record::at(&keys::identity(identity.provider.as_str(), &identity.subject)).with("memberId", text(member.as_str()));
            tx.put("the identity", lead.item(), absent())?;
            let record = Record::at(&keys::member(&member)).with("memberId", text(member.as_str())).with("fullName", text(name));
            let record = record.with(IDENTITY, text(keys::identity(identity.provider.as_str(), &identity.subject).pk));
            let record = record.with(PROVIDER, text(identity.provider.as_str()));
            tx.put("the member", record.with_some("email", email.as_ref().map(|email| text(email.as_str()))).item(), absent())?;
            match tx.commit("the member").await {
                Ok(()) => return Ok(member),
                // The same person logs in twice at the same time.
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error),
            }
        }
        Err(StoreError::Conflict)
    }

    /// Makes a member one of the tenant, or gives one of the tenant these roles.
    pub async fn join_tenant(&self, tenant: &TenantId, member: &MemberId, new: &NewMembership) -> Result<()> {
        let mut tx = Tx::new(self);
        add_membership(&mut tx, tenant, member, new, None)?;
        tx.commit("the membership").await
    }

    /// Gives a member of the tenant who has the roles `before` others, at least one, as long as these others are leads; false: the member has not, or one of them
    /// is none.
    pub async fn change_roles(
        &self,
        tenant: &TenantId,
        member: &MemberId,
        (before, roles): (&BTreeSet<Role>, &BTreeSet<Role>),
        leads: &[MemberId],
    ) -> Result<bool> {
        let set = |roles: &BTreeSet<Role>| texts(roles.iter().map(|role| role.as_str()));
        let values = Item::from([(":roles".into(), set(roles))]);
        let mut tx = Tx::new(self);
        let before = Item::from([(":before".into(), set(before))]);
        let unchanged = Condition { expression: "staffRoles = :before", values: before, refusal: StoreError::Conflict };
        tx.update(&keys::membership(tenant, member), "SET staffRoles = :roles", values, Some(unchanged))?;
        hold_to_leads(&mut tx, tenant, leads)?;
        match tx.commit("the membership").await {
            Ok(()) => Ok(true),
            Err(StoreError::Conflict) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Ends a membership, as long as these others are leads, else [`StoreError::Conflict`]. The person stays a member of other tenants, and may be invited again.
    pub async fn remove_member(&self, tenant: &TenantId, member: &MemberId, leads: &[MemberId]) -> Result<()> {
        let mut tx = Tx::new(self);
        hold_to_leads(&mut tx, tenant, leads)?;
        tx.delete(&keys::membership(tenant, member), None)?;
        tx.delete(&keys::tenant_of_member(member, tenant), None)?;
        tx.commit("the membership").await
    }
}

/// Holds the transaction to these members being leads of the tenant.
fn hold_to_leads(tx: &mut Tx<'_>, tenant: &TenantId, leads: &[MemberId]) -> Result<()> {
    for lead in leads {
        let values = Item::from([(":lead".into(), text(Role::Lead.as_str()))]);
        let condition = Condition { expression: "contains(staffRoles, :lead)", values, refusal: StoreError::Conflict };
        tx.check(&keys::membership(tenant, lead), condition)?;
    }
    Ok(())
}

impl Store {
    /// Puts in the transaction that the person who logs in as `newcomer`, who has no history, is `kept` from now on, a member who has no other tenant than this.
    /// False: it is not so.
    pub(crate) async fn rebind(
        &self,
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        newcomer: &MemberId,
        kept: &MemberId,
        now: Timestamp,
    ) -> Result<bool> {
        let (new, old) = (keys::member(newcomer), keys::member(kept));
        let found = self.get_batch(&[new.clone(), old.clone()], Read::Latest).await?;
        let (Some(new_item), Some(old_item)) = (found.get(&new), found.get(&old)) else { return Ok(false) };
        let Some(identity) = Fields(new_item).optional_text(IDENTITY)? else { return Ok(false) };
        let elsewhere = self.tenants_of_member(kept, now).await?.into_iter().any(|other| other.tenant != *tenant);
        if elsewhere || !self.tenants_of_member(newcomer, now).await?.is_empty() {
            return Ok(false);
        }
        let leads_to = |partition: &str| Key { pk: partition.to_owned(), sk: "IDENTITY".to_owned() };
        tx.put("the identity", Record::at(&leads_to(identity)).with("memberId", text(kept.as_str())).item(), None)?;
        if let Some(former) = Fields(old_item).optional_text(IDENTITY)?.filter(|former| *former != identity) {
            tx.delete(&leads_to(former), None)?;
        }
        tx.delete(&new, Some(Condition::present(StoreError::Conflict)))?;
        // Sessions by the former login end, and name and address are those of the new one.
        let epoch = number(epoch(old_item)? + 1);
        let record = Record::at(&old).with("memberId", text(kept.as_str())).with("fullName", text(Fields(new_item).text("fullName")?));
        let record = record.with_some("email", Fields(new_item).optional_text("email")?.map(text)).with(IDENTITY, text(identity));
        let record = record.with_some(PROVIDER, Fields(new_item).optional_text(PROVIDER)?.map(text));
        let record = record.with_some("loggedInAt", Fields(new_item).optional_millis("loggedInAt")?.map(|at| number(at.as_millisecond())));
        tx.put("the member", record.with("epoch", epoch).item(), Some(Condition::present(StoreError::Conflict)))?;
        Ok(true)
    }
}

impl StaffLogin {
    /// Whether the member may do, for the tenant that was asked for, what needs this role.
    pub fn may(&self, needed: Role) -> bool {
        staff::may(&self.roles, needed)
    }
}
