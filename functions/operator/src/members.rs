//! `zaehlwerk members`.

use desk::members::{self, Changed, Invited, Members, OpenInvitation};
use domain::ids::{MemberId, TenantId};
use domain::staff::Role;
use domain::text;
use domain::text::{Text, counted};
use jiff::Timestamp;
use mail::Mailer;
use serde_json::json;
use store::Store;

use crate::cli::NewMember;
use crate::{Failure, Say, Verdict, tell};

fn words(roles: &std::collections::BTreeSet<Role>) -> String {
    roles.iter().map(|role| role.as_str()).collect::<Vec<_>>().join(", ")
}

/// Prints who works for the tenant, and who is invited.
pub async fn list(store: &Store, tenant: &TenantId, say: Say) -> Result<Verdict, Failure> {
    let Members { members, invited } = members::list(store, tenant, Timestamp::now()).await?;
    if say.is_json() {
        let of = |membership: &store::Membership| {
            let store::Membership { member, roles, since, invited_by, until } = membership;
            json!({ "id": member.id, "name": member.name, "email": member.email, "roles": roles, "since": since, "invitedBy": invited_by, "until": until })
        };
        let waits = |(_, invitation): &(String, store::StaffInvitation)| json!({ "email": invitation.email, "roles": invitation.roles, "invitedBy": invitation.invited_by, "expiresAt": invitation.expires_at });
        let (members, invited): (Vec<_>, Vec<_>) = (members.iter().map(of).collect(), invited.iter().map(waits).collect());
        tell(json!({ "members": members, "invited": invited }))?;
        return Ok(Verdict::Sound);
    }
    for membership in &members {
        let (member, roles) = (&membership.member, words(&membership.roles));
        let email = member.email.as_ref().map_or("", |email| email.as_str());
        say.line(&Text::same(format!("{}  {}  {email}  {roles}", member.id, member.name)))?;
    }
    for (_, invitation) in &invited {
        let (email, roles) = (invitation.email.as_str(), words(&invitation.roles));
        say.line(&text!("eingeladen: {email}  {roles}", "invited: {email}  {roles}"))?;
    }
    let count = counted(members.len(), ["Mitglied", "Mitglieder"], ["member", "members"]);
    let open = counted(invited.len(), ["Einladung", "Einladungen"], ["invitation", "invitations"]);
    say.line(&text!("{count}, {open}", "{count}, {open}"; count, open))?;
    Ok(Verdict::Sound)
}

/// Invites a person by mail, or by the link alone where there is none.
pub async fn invite(store: &Store, mailer: &Mailer, args: NewMember, by: &str, say: Say) -> Result<Verdict, Failure> {
    let NewMember { email, tenant, roles, member, desk_origin, configuration_set: _ } = args;
    let (roles, now) = (roles.into_iter().collect(), Timestamp::now());
    // Who joins the platform gets no mail.
    if tenant != TenantId::platform() {
        store.count_staff_invitation(&tenant, &email, now).await?;
    }
    let invited = Invited { email: &email, roles, by, inviter: None, desk: &desk_origin, member, shows_link: true };
    let OpenInvitation { invitation, link, not_mailed } = members::invite(store, mailer, &tenant, invited, now).await?;
    let until = invitation.expires_at.strftime("%Y-%m-%d %H:%M UTC").to_string();
    say.tell(
        &text!("eingeladen, bis {until}: {link}", "invited, until {until}: {link}"),
        &json!({ "link": link, "expiresAt": invitation.expires_at, "roles": invitation.roles, "notMailed": not_mailed }),
    )?;
    if store.tenant(&tenant).await?.is_none_or(|tenant| tenant.application.desk.login.is_none()) {
        let command = format!(
            "aws cognito-idp admin-create-user --user-pool-id <staffPool> --username {email} --desired-delivery-mediums EMAIL \
             --user-attributes Name=email,Value={email} Name=email_verified,Value=true",
            email = email.as_str()
        );
        say.line(&text!(
            "Wer noch kein Benutzer des Benutzerpools ist, wird es durch:\n{command}",
            "Whoever is no user of the user pool yet becomes one by:\n{command}"
        ))?;
    }
    let Some(reason) = not_mailed else { return Ok(Verdict::Sound) };
    say.complain(&text!(
        "die E-Mail ging nicht hinaus ({reason}); der Link gilt trotzdem, bitte selbst weitergeben",
        "the mail did not go out ({reason}); the link is good all the same, hand it over yourself"
    ));
    Ok(Verdict::Faulty)
}

/// Gives a member other roles.
pub async fn change(store: &Store, tenant: &TenantId, member: &MemberId, roles: Vec<Role>, say: Say) -> Result<Verdict, Failure> {
    let (roles, now) = (roles.into_iter().collect(), Timestamp::now());
    let before = store.roles_of(tenant, member, now).await?;
    let changed = has_changed(members::change(store, tenant, member, (&before, &roles), now).await?)?;
    let words = words(&roles);
    let said = match changed {
        true => text!("{member} darf jetzt: {words}", "{member} may now: {words}"),
        false => text!("ein Mitglied {member} gibt es nicht", "there is no member {member}"),
    };
    say.tell(&said, &json!({ "member": member, "changed": changed, "roles": roles }))?;
    Ok(if changed { Verdict::Sound } else { Verdict::Faulty })
}

/// Ends a membership.
pub async fn remove(store: &Store, tenant: &TenantId, member: &MemberId, say: Say) -> Result<Verdict, Failure> {
    let removed = has_changed(members::remove(store, tenant, member, Timestamp::now()).await?)?;
    let said = match removed {
        true => text!("{member} gehört nicht mehr dazu", "{member} is no member any more"),
        false => text!("ein Mitglied {member} gibt es nicht", "there is no member {member}"),
    };
    say.tell(&said, &json!({ "member": member, "removed": removed }))?;
    Ok(if removed { Verdict::Sound } else { Verdict::Faulty })
}

fn has_changed(changed: Changed) -> Result<bool, Failure> {
    match changed {
        Changed::Done => Ok(true),
        Changed::Unknown => Ok(false),
        Changed::TooFewLeads => Err(Failure::Desk(desk::Failure::Refused(text!(
            "ein Mandant mit Aufträgen behält zwei Leitungen (Rolle lead): Laden Sie zuerst eine weitere ein, mit `zaehlwerk members invite --role lead`",
            "a tenant with jobs keeps two leads: first invite another one, with `zaehlwerk members invite --role lead`"
        )))),
    }
}
