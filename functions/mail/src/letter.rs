//! What a mail says, before it is HTML or text: a few kinds of blocks, rendered by one template each.

use askama::Template;
use domain::config::Application;
use domain::job::last_result;
use domain::meter::job_meter_type;
use domain::model::{JobMaster, MeterAddress, MeterType};
use domain::obis::{display_name, task_unit};
use domain::value::MeterValue;
use jiff::Timestamp;
use jiff::civil::Date;
use store::StoredJob;

use crate::language::{Language, Texts};

/// Whose mail it is and what that looks like.
#[derive(Debug, Clone, Copy)]
pub struct Brand<'a> {
    /// The tenant.
    pub application: &'a Application,
    /// The tenant's logo, a PNG.
    pub logo: Option<&'a [u8]>,
    /// What it says in its own words.
    pub texts: &'a Texts,
}

/// A meter with the readings that were sent.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadMeter {
    /// The kind of meter.
    pub meter_type: MeterType,
    /// The tenant's own name for the type.
    pub custom_type: Option<String>,
    /// The number on its plate.
    pub number: String,
    /// Where it is, in one line.
    pub place: Option<String>,
    /// The day of the reading; of several days the last.
    pub date: Date,
    /// The readings.
    pub rates: Vec<ReadRate>,
}

impl ReadMeter {
    /// What a receipt says of a job, and when its last reading was taken; none: it has no reading.
    pub fn of_job(job: &StoredJob) -> Option<(Timestamp, Self)> {
        let StoredJob { master, states, .. } = job;
        let tasks = &master.meter.meter_rate_tasks;
        let last: Vec<_> = tasks.iter().filter_map(|task| Some((task, last_result(states, &task.task_id)?))).collect();
        let rates = last.iter().map(|(task, result)| ReadRate {
            name: display_name(task.rate_name.as_deref(), &task.obis),
            value: result.reading_value.clone(),
            unit: task_unit(task).map(str::to_owned),
            date: result.reading_date,
        });
        let meter = Self {
            meter_type: job_meter_type(master),
            custom_type: master.meter.custom_meter_type.clone(),
            number: master.meter.meter_number.clone(),
            place: place(master),
            date: last.iter().map(|(_, result)| result.reading_date).max()?,
            rates: rates.collect(),
        };
        Some((last.iter().map(|(_, result)| result.created).max()?, meter))
    }
}

/// Street and town in one line, as far as the job knows them.
fn place(master: &JobMaster) -> Option<String> {
    let MeterAddress { street, house_number, zip, city, .. } = &master.meter.meter_address;
    let joined = |parts: [&Option<String>; 2]| parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ");
    let lines = [joined([street, house_number]), joined([zip, city])];
    let text = lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join(", ");
    (!text.is_empty()).then_some(text)
}

/// One reading of a receipt.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadRate {
    /// The rate's name and code.
    pub name: String,
    /// The counter.
    pub value: MeterValue,
    pub unit: Option<String>,
    /// The day on which it was read.
    pub date: Date,
}

/// A mail's content.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Letter {
    pub subject: String,
    pub blocks: Vec<Block>,
    /// Where the recipient can end mails of this kind.
    pub unsubscribe: Option<Link>,
    /// What a mail program calls to do that at once (RFC 8058).
    pub one_click: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Link {
    pub label: String,
    pub url: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Block {
    Paragraph(String),
    Button(Link),
    /// Names and values, such as a user name and a password.
    Facts(Vec<(String, String)>),
    /// The link as a picture for a camera, and what it is for. Plain text has neither.
    Qr {
        hint: String,
        alt: String,
        png: Vec<u8>,
    },
    Readings(Vec<MeterLines>),
}

/// A meter of a receipt, in the language's words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MeterLines {
    pub title: String,
    pub place: Option<String>,
    pub lines: Vec<(String, String)>,
}

impl Letter {
    /// The picture for a camera, if there is one.
    pub(crate) fn qr(&self) -> Option<&[u8]> {
        self.blocks.iter().find_map(|block| match block {
            Block::Qr { png, .. } => Some(png.as_slice()),
            _ => None,
        })
    }
}

#[derive(Template)]
#[template(path = "mail.html")]
struct Html<'a> {
    language: Language,
    letter: &'a Letter,
    application: &'a Application,
    has_logo: bool,
    footer: &'a [Link],
}

#[derive(Template)]
#[template(path = "mail.txt")]
struct Plain<'a> {
    letter: &'a Letter,
    application: &'a Application,
    footer: &'a [Link],
}

/// The letter as HTML and as plain text.
pub(crate) fn render(letter: &Letter, language: Language, brand: &Brand<'_>) -> Result<(String, String), askama::Error> {
    let application = brand.application;
    let footer = footer(letter, language, application);
    let html = Html { language, letter, application, has_logo: brand.logo.is_some(), footer: &footer }.render()?;
    let text = Plain { letter, application, footer: &footer }.render()?;
    Ok((html, text))
}

/// The portal, the links that the law asks for, and the way out.
fn footer(letter: &Letter, language: Language, application: &Application) -> Vec<Link> {
    let legal = &application.config.legal;
    let portal_url = &application.portal_url;
    let absolute = |url: &str| if url.starts_with('/') { format!("{portal_url}{url}") } else { url.to_owned() };
    let shown = [
        (&legal.imprint, language.say("Impressum", "Impressum", "Imprint")),
        (&legal.privacy, language.say("Datenschutz", "Datenschutz", "Privacy")),
    ];
    let portal = Link { label: language.say("Ableseportal", "Ableseportal", "Meter reading portal").into(), url: portal_url.clone() };
    let legal =
        shown.into_iter().filter(|(link, _)| link.enabled).map(|(link, label)| Link { label: label.into(), url: absolute(&link.url) });
    std::iter::once(portal).chain(legal).chain(letter.unsubscribe.clone()).collect()
}
