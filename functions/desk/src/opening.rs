//! What a tenant has to have before it leaves its rehearsal, and what it takes along.

use domain::config::Application;
use domain::config_check::TENANT_FILE;
use domain::fault::FileFault;
use domain::staff::Role;
use domain::text;
use domain::text::Text;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use store::{ExportState, Store, TenantBundle};

use crate::exports::tables;
use crate::{Failure, at_once, season_readings};

/// Members who may lead, of whom one can be away.
const LEADS: usize = 2;

/// A thing that has to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The footer's link to the imprint.
    Imprint,
    /// The footer's link to the privacy notice.
    Privacy,
    /// The footer's link to the accessibility statement.
    Accessibility,
    /// The ways to reach the utility.
    Contact,
    /// The address that mails come from.
    Sender,
    /// The sender of the letters.
    LetterFooter,
    /// An address that browsers trust.
    Address,
    /// Two members who may lead.
    Leads,
}

impl Step {
    /// The name in a list of what is missing.
    pub fn text(self) -> Text {
        match self {
            Self::Imprint => text!("Impressum", "imprint"),
            Self::Privacy => text!("Datenschutz", "privacy notice"),
            Self::Accessibility => text!("Barrierefreiheit", "accessibility statement"),
            Self::Contact => text!("Kontakt", "contact"),
            Self::Sender => text!("Absender der E-Mails", "sender of mails"),
            Self::LetterFooter => text!("Fußzeilen der Anschreiben", "footer of letters"),
            Self::Address => text!("Adresse des Portals mit https://", "address of the portal with https://"),
            Self::Leads => text!("zwei Leitungen", "two leads"),
        }
    }
}

/// What the staff who put a tenant into operation have to know.
#[derive(Debug)]
pub struct Opening {
    /// All steps, and whether each is done.
    pub steps: Vec<(Step, bool)>,
    /// How many readings of jobs came since the day of the last export, or ever: those that were only tried are billed like any other (D-SETTINGS-6).
    pub readings: usize,
}

/// The opening of the tenant as its files are to be.
///
/// # Errors
/// [`Failure::Store`].
pub async fn of(store: &Store, bundle: &TenantBundle, now: Timestamp) -> Result<Opening, Failure> {
    let Application { application_id, portal_url, time_zone, config, communication_settings, desk, .. } = &bundle.application;
    let members = at_once(store.members(application_id, now)).await?;
    // A member with access for a time leads nothing.
    let leads = members.iter().filter(|membership| membership.until.is_none() && membership.roles.contains(&Role::Lead)).count();
    let legal = &config.legal;
    let steps = vec![
        (Step::Imprint, legal.imprint.enabled),
        (Step::Privacy, legal.privacy.enabled),
        (Step::Accessibility, legal.accessibility.enabled),
        (Step::Contact, !bundle.contact.is_empty()),
        (Step::Sender, !communication_settings.sender_email.is_empty()),
        (Step::LetterFooter, !desk.letter.footer.is_empty()),
        (Step::Address, portal_url.starts_with("https://")),
        (Step::Leads, leads >= LEADS),
    ];
    let exports = at_once(store.exports_of_readings(application_id)).await?;
    let exported = exports.iter().filter(|export| export.state == ExportState::Done && export.medium != tables::WITHOUT_JOB);
    let zone = TimeZone::get(time_zone).unwrap_or(TimeZone::UTC);
    let last = exported.map(|export| export.created).max().map(|last| last.to_zoned(zone).date());
    Ok(Opening { steps, readings: season_readings::count(store, application_id, last).await? })
}

/// What keeps the tenant in its rehearsal, at the field that ends it.
pub fn fault(steps: &[(Step, bool)]) -> Option<FileFault> {
    let missing: Vec<Text> = steps.iter().filter(|(_, is_done)| !is_done).map(|(step, _)| step.text()).collect();
    let listed = |of: fn(&Text) -> &str| missing.iter().map(of).collect::<Vec<_>>().join(", ");
    let (de, en) = (listed(|text| &text.de), listed(|text| &text.en));
    (!missing.is_empty()).then(|| {
        FileFault::new(TENANT_FILE, "rehearsal", text!("vor dem Betrieb fehlt noch: {de}", "still missing before operation: {en}"))
    })
}
