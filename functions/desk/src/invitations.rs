//! Invitations by mail to customers who have an address, and who has to get a letter instead.

use domain::config::{Application, CrmAdapter};
use domain::ids::{AccountId, SeasonId, TenantId};
use domain::job::resolved_config;
use domain::login::link_token;
use domain::text;
use domain::text::Text;
use domain::window::{self, Sending};
use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use jiff::civil::Date;
use mail::{Invitation, Message, Order};
use store::{Invitee, MailKind, Store, StoredJob, Tenant};

use crate::letters::{self, deadline, links};
use crate::mailing::{Courier, IN_FLIGHT, Outcome};
use crate::recipients::Recipients;
use crate::{Failure, patiently};

/// Accounts that are looked at together.
const BATCH: usize = 33;

/// The customers to invite, and the way.
#[derive(Debug, Default)]
pub struct Plan {
    /// Gets a mail now.
    pub due: Vec<Invited>,
    /// Has an open job and can be reached by letter only: without an address, declined, or suppressed before a mail went out for these jobs.
    pub without_mail: Vec<AccountId>,
    /// Was invited by mail to these jobs, and mails to the address come back.
    pub returned: Vec<AccountId>,
}

/// An account that gets an invitation.
#[derive(Debug)]
pub struct Invited {
    /// The account, with where it is written to.
    pub invitee: Invitee,
    /// The number of meters to read.
    pub meters: usize,
    /// The first of their last days that is still to come.
    pub deadline: Option<Date>,
    /// The end of a link to them that is made now.
    links_end: Timestamp,
    /// These are of this season alone.
    pub season: Option<SeasonId>,
}

/// Why no customer can be invited from here.
pub fn in_the_way(application: &Application) -> Option<Text> {
    if application.crm != CrmAdapter::Builtin {
        return Some(text!(
            "das Kundensystem des Mandanten hat die Adressen und muss die Einladungen versenden",
            "the tenant's own CRM keeps the addresses, and has to send the invitations"
        ));
    }
    application.communication_settings.sender_email.is_empty().then(|| {
        text!(
            "der Versorger hat keine Absenderadresse für E-Mails; sie legt fest, wer das Portal betreibt",
            "the utility has no sender's address for mails; whoever runs the portal sets it"
        )
    })
}

/// Looks at each of these accounts with jobs that can be read, of one season or of all.
///
/// An account that was invited gets no second mail for the same jobs: only one that was listed since then, or of another season, makes it due again (D-LETTERS-7, D-LETTERS-17).
pub async fn plan(
    store: &Store,
    tenant: &TenantId,
    application: &Application,
    season: Option<&SeasonId>,
    recipients: &mut Recipients<'_>,
    now: Timestamp,
    today: Date,
) -> Result<Plan, Failure> {
    if let Some(reason) = in_the_way(application) {
        return Err(Failure::Refused(reason));
    }
    let mut plan = Plan::default();
    while let Some(ids) = recipients.next().await? {
        for batch in ids.chunks(BATCH) {
            let invitees = patiently(|| store.invitees(tenant, batch, now)).await?;
            let is_there = |invitee: &Invitee| invitee.account.valid_until.is_none_or(|last| last >= today);
            let looked = stream::iter(invitees.into_iter().filter(is_there)).map(|invitee| async move {
                let open = letters::open_jobs(store, tenant, application, &invitee.account.id, season, today).await?;
                Ok::<_, Failure>((invitee, open))
            });
            let looked: Vec<_> = looked.buffered(IN_FLIGHT).try_collect().await?;
            for (invitee, open) in looked {
                plan.add(application, season, invitee, &open, today);
            }
        }
    }
    Ok(plan)
}

impl Plan {
    fn add(&mut self, application: &Application, season: Option<&SeasonId>, invitee: Invitee, open: &[StoredJob], today: Date) {
        let id = &invitee.account.id;
        if open.is_empty() {
            return;
        }
        let invited = |job: &StoredJob| invitee.told_by_mail.about(&job.season);
        let is_new = open.iter().any(|job| invited(job).is_none_or(|invited| job.listed_at.is_some_and(|listed| listed > invited)));
        let can_be_read = |job: &&StoredJob| {
            let features = resolved_config(application, &job.master).features;
            window::sending(&job.master.job_constraints, &features, today) == Sending::Open
        };
        let can_read = open.iter().filter(can_be_read).count();
        let has_address = invitee.email().is_some();
        if !is_new {
            if has_address && invitee.is_suppressed {
                self.returned.push(id.clone());
            }
        } else if !has_address || invitee.is_suppressed {
            self.without_mail.push(id.clone());
        } else if can_read > 0 {
            let deadline = deadline(open.iter().map(|job| &job.master), today);
            let links_end = links::end(application, open.iter().map(|job| &job.master), today);
            self.due.push(Invited { invitee, meters: can_read, deadline, links_end, season: season.cloned() });
        }
    }
}

/// Sends these at the tenant's pace, and tells what became of each.
///
/// # Errors
/// The store's; a customer who got theirs is due no more.
pub async fn send_all<'a>(
    store: &Store,
    courier: &Courier<'_>,
    tenant: &Tenant,
    due: &'a [Invited],
    tell: impl FnMut(&'a Invited, Outcome),
) -> Result<(), Failure> {
    courier.send_all(due, async |invited| send(store, courier, tenant, invited).await, tell).await
}

/// Sends one invitation with a link of its own; the account's login data and earlier links stay.
async fn send(store: &Store, courier: &Courier<'_>, tenant: &Tenant, invited: &Invited) -> Result<Outcome, Failure> {
    let Invited { invitee: planned, meters, deadline, links_end, season } = invited;
    let application = &tenant.application;
    let id = &application.application_id;
    // An hour may have gone since the plan: what counts is the address of now (D-LETTERS-8).
    let ids = std::slice::from_ref(&planned.account.id);
    let Some(invitee) = patiently(|| store.invitees(id, ids, Timestamp::now())).await?.pop() else { return Ok(Outcome::gone()) };
    if invitee.invited_at != planned.invited_at {
        // Another run sent and noted the same invitation.
        return Ok(Outcome::Sent);
    }
    let Some(email) = invitee.email() else { return Ok(Outcome::Suppressed) };
    let account = &invitee.account;
    // In spite of letters that were noted since, it is the same invitation (D-LETTERS-7).
    let number = planned.next_number().to_string();
    let order = Order {
        account: &account.id,
        top: &account.id,
        kind: MailKind::Invitation,
        key: &number,
        request_hash: &number,
        to: email,
        to_name: None,
        language: account.language.as_deref(),
    };
    // One for all tries: each further link may end an earlier one, among them that of a letter (D-LETTERS-6).
    let token = link_token(store::random()?);
    let link = letters::link(&token);
    let write = async || {
        patiently(|| store.put_off_links(id, &account.id, *links_end)).await?;
        if !patiently(|| store.add_link(id, &account.id, &link)).await? {
            return Ok(None);
        }
        let page = link_token(store::random()?);
        let registration = patiently(|| store.open_registration(id, &account.id, &page)).await?;
        let stop = &registration.self_service_token;
        Ok(Some(Message::Invitation(Invitation {
            salutation: account.salutation.clone(),
            name: account.name.clone(),
            link: format!("{}/m/{token}", application.portal_url),
            meters: *meters,
            deadline: *deadline,
            unsubscribe: application.unsubscribe_page(stop),
            one_click: format!("{}/api/public/unsubscribe/{stop}", application.portal_url),
        })))
    };
    let outcome = courier.send(order, write).await?;
    match outcome {
        Outcome::Sent => store.note_invitation(id, &invitee, season.as_ref(), Timestamp::now()).await?,
        // No customer has it, and those of further tries would end one after the other the links that customers have.
        Outcome::Failed { may_have_gone: false, .. } => patiently(|| store.end_link(id, &account.id, &link.sha256_hex)).await?,
        _ => {}
    }
    Ok(outcome)
}
