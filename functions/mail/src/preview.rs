//! Mails without a recipient, which show how a tenant's mails look.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::config::Application;
use domain::model::MeterType;
use domain::value::MeterValue;
use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::language::{Language, Words};
use crate::letter::{Brand, ReadMeter, ReadRate, render};
use crate::messages::{Access, AddressChanged, Confirmation, Invitation, Message, Receipt, Rejection, Reminder, VisitorReceipt};
use crate::mime::MimeError;

/// A kind of mail, as an example of it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sample {
    /// To open jobs.
    Invitation,
    /// Of open jobs.
    Reminder,
    /// Of an account's readings.
    Receipt,
    /// Of a reading without a job.
    VisitorReceipt,
    /// Of a reading.
    Rejection,
    /// Of an address.
    Confirmation,
    /// To shared jobs.
    Access,
    /// Of an address that is used no more.
    AddressChanged,
}

/// A mail as its reader's program shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// The subject.
    pub subject: String,
    /// The part with pictures, which are inside.
    pub html: String,
    /// The part without.
    pub text: String,
}

impl Sample {
    /// An example, of so many meters where the mail names several, and with a deadline or without; what is in it opens no login.
    pub fn message(self, application: &Application, today: Date, meters: usize, has_deadline: bool) -> Message {
        let portal = &application.portal_url;
        let deadline = has_deadline.then(|| today.saturating_add(2.weeks()));
        let unsubscribe = application.unsubscribe_page("muster");
        let registration = application.registration_page("muster");
        let one_click = format!("{portal}/api/public/unsubscribe/muster");
        let link = format!("{portal}/m/muster");
        let read = read_meters(today);
        match self {
            Self::Invitation => Message::Invitation(Invitation {
                salutation: None,
                name: "Erika Mustermann".into(),
                link,
                meters,
                deadline,
                unsubscribe,
                one_click,
            }),
            Self::Reminder => Message::Reminder(Reminder { meters, deadline, unsubscribe, one_click }),
            Self::Receipt => Message::Receipt(Receipt { meters: read.into_iter().take(meters).collect(), unsubscribe: registration }),
            Self::VisitorReceipt => {
                let [meter, _] = read;
                Message::VisitorReceipt(VisitorReceipt { meter: ReadMeter { place: None, ..meter } })
            }
            Self::Rejection => {
                let [meter, _] = read;
                Message::Rejection(Rejection { meter, reason: "…".into(), may_read_again: true, unsubscribe: Some(registration) })
            }
            Self::Confirmation => {
                Message::Confirmation(Confirmation { link: format!("{}/bestaetigen/muster", application.registration_url()), hours: 48 })
            }
            Self::Access => Message::Access(Access {
                sharer: "Erika Mustermann".into(),
                name: "Keller".into(),
                meters,
                salutation: None,
                recipient: Some("Max Mustermann".into()),
                link: Some(link),
                credentials: Some(("MUSTERNAME".into(), "MUSTERPASSWORT".into())),
            }),
            Self::AddressChanged => Message::AddressChanged(AddressChanged),
        }
    }
}

fn read_meters(date: Date) -> [ReadMeter; 2] {
    let meter = |meter_type, number: &str, name: &str, digits: &str, unit: &str| ReadMeter {
        meter_type,
        custom_type: None,
        number: number.to_owned(),
        place: Some("Musterstraße 1, 12345 Musterstadt".to_owned()),
        date,
        rates: MeterValue::parse(digits)
            .map(|value| ReadRate { name: name.to_owned(), value, unit: Some(unit.to_owned()), date })
            .into_iter()
            .collect(),
    };
    [
        meter(MeterType::ElectricMeter, "1ABC0000000001", "1.8.0", "004711.0", "kWh"),
        meter(MeterType::WaterMeter, "8DEF0000000002", "8.1.0.1.0", "00087.123", "m³"),
    ]
}

/// The message as it looks to its recipient.
///
/// # Errors
/// [`MimeError`].
pub fn preview(message: &Message, language: Language, brand: &Brand<'_>) -> Result<Preview, MimeError> {
    let letter = message.letter(Words::new(language, brand.texts, brand.application), brand.application)?;
    let (mut html, text) = render(&letter, language, brand)?;
    for (cid, picture) in [("logo", brand.logo), ("qr", letter.qr())] {
        if let Some(picture) = picture {
            html = html.replace(&format!("src=\"cid:{cid}\""), &format!("src=\"data:image/png;base64,{}\"", STANDARD.encode(picture)));
        }
    }
    Ok(Preview { subject: letter.subject, html, text })
}
