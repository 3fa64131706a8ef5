use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use desk::letters;
use desk::opening::Step;
use desk::settings::{Draft, Settings};
use domain::config_check::LOGO_FILE;
use domain::fault::FileFault;
use jiff::Timestamp;
use mail::{Preview, Sample};
use serde::{Deserialize, Serialize};
use store::{TenantFiles, TenantVersion};
use utoipa::ToSchema;

use super::DeskRunText;

/// What the tenant may set itself: the files of its bundle.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSettings {
    /// What is shown here, as one word: the request that puts it into effect repeats it.
    pub state: String,
    /// The files in effect and those that are to be there, by name.
    pub files: Vec<DeskSettingsFile>,
    /// What is wrong with the files as they are to be; nothing can be put into effect with it.
    pub faults: Vec<DeskSettingsFault>,
    /// What was in effect, the last one first: at most 100.
    pub versions: Vec<DeskSettingsVersion>,
    /// What it takes to leave the rehearsal; absent: the tenant is in none, or its files have faults of shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<Vec<DeskOpeningStep>>,
    /// How many readings of jobs came since the day of the last export, or ever, and go out like any other when it leaves it; absent: as of the steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening_readings: Option<usize>,
}

/// Something that a tenant has to have before it leaves its rehearsal.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskOpeningStep {
    /// The step.
    pub step: DeskOpeningName,
    /// It is there, in the files as they are to be.
    pub is_done: bool,
}

/// The steps before a tenant's operation.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DeskOpeningName {
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
    /// An address of the portal that browsers trust.
    Address,
    /// Two members who may lead.
    Leads,
}

impl From<&(Step, bool)> for DeskOpeningStep {
    fn from((step, is_done): &(Step, bool)) -> Self {
        let step = match step {
            Step::Imprint => DeskOpeningName::Imprint,
            Step::Privacy => DeskOpeningName::Privacy,
            Step::Accessibility => DeskOpeningName::Accessibility,
            Step::Contact => DeskOpeningName::Contact,
            Step::Sender => DeskOpeningName::Sender,
            Step::LetterFooter => DeskOpeningName::LetterFooter,
            Step::Address => DeskOpeningName::Address,
            Step::Leads => DeskOpeningName::Leads,
        };
        Self { step, is_done: *is_done }
    }
}

/// The texts of mails and letters that a tenant may write itself, in one language.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskOwnTexts {
    /// In the order in which they are shown.
    pub texts: Vec<DeskOwnText>,
}

/// A text of mails or letters.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskOwnText {
    /// Its key in the language's `translations`, such as `mail.reminder.subject`: of mails of one kind, of all (`mail.regards`), or of letters (`letter.text`).
    pub key: String,
    /// The names that it may have in braces.
    pub places: Vec<String>,
    /// The names that it must have.
    pub needed: Vec<String>,
    /// It is one line.
    pub is_line: bool,
    /// What stands there without one of the tenant's; empty: nothing.
    pub text: String,
}

impl DeskOwnTexts {
    /// Those of the language; mails are not written in every one.
    pub fn new(language: &str) -> Self {
        let texts = |places: &[&str]| places.iter().map(|place| (*place).to_owned()).collect::<Vec<_>>();
        let written = mail::Language::ALL.into_iter().find(|known| known.name() == language);
        let of_mails = written.into_iter().flat_map(|language| {
            mail::texts::OWN_TEXTS.iter().map(move |own| DeskOwnText {
                key: own.key.to_owned(),
                places: texts(&[&["tenant"], own.places].concat()),
                needed: texts(own.needed),
                is_line: own.is_line,
                text: own.says(language).to_owned(),
            })
        });
        let of_letters = DeskOwnText {
            key: letters::OWN_TEXT.to_owned(),
            places: texts(&letters::PLACES),
            needed: texts(&letters::NEEDED),
            is_line: false,
            text: letters::Template::built_in(language).text().to_owned(),
        };
        Self { texts: of_mails.chain([of_letters]).collect() }
    }
}

/// A kind of mail.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DeskMailSample {
    /// An invitation to open jobs.
    Invitation,
    /// A reminder of open jobs.
    Reminder,
    /// A receipt of an account's readings.
    Receipt,
    /// A receipt of a reading without a job.
    VisitorReceipt,
    /// That a reading was not accepted.
    Rejection,
    /// The link that confirms an address.
    Confirmation,
    /// An access to shared jobs.
    Access,
    /// That another address has taken the place of this one.
    AddressChanged,
}

impl From<DeskMailSample> for Sample {
    fn from(sample: DeskMailSample) -> Self {
        match sample {
            DeskMailSample::Invitation => Self::Invitation,
            DeskMailSample::Reminder => Self::Reminder,
            DeskMailSample::Receipt => Self::Receipt,
            DeskMailSample::VisitorReceipt => Self::VisitorReceipt,
            DeskMailSample::Rejection => Self::Rejection,
            DeskMailSample::Confirmation => Self::Confirmation,
            DeskMailSample::Access => Self::Access,
            DeskMailSample::AddressChanged => Self::AddressChanged,
        }
    }
}

/// A mail as its reader's program shows it.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskMailPreview {
    /// The kind of mail.
    pub kind: DeskMailSample,
    /// The subject.
    pub subject: String,
    /// The part with pictures, which are inside: it fetches nothing and runs nothing.
    pub html: String,
    /// The part without.
    pub text: String,
}

impl DeskMailPreview {
    /// Of this kind.
    pub fn new(kind: DeskMailSample, Preview { subject, html, text }: Preview) -> Self {
        Self { kind, subject, html, text }
    }
}

/// One file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSettingsFile {
    /// Such as `tenant.json` or `help/de-FORMAL.md`.
    pub name: String,
    /// The file's content, a picture in Base64; absent: there is no such file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Hash of what it is to have; absent: there is to be no such file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The draft of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<DeskSettingsDraft>,
}

/// A draft of a file.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSettingsDraft {
    /// The content that it is to have, a picture in Base64; absent: it is to go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The member who changed it last.
    pub by: String,
    /// The time of that change.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// Another file was put into effect since it was begun: to keep it again says that it is meant nevertheless.
    pub is_outdated: bool,
}

/// Something that is wrong.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskSettingsFault {
    /// In which file.
    pub file: String,
    /// Where in it, such as `theme.primaryColor`; empty: all of it.
    pub path: String,
    /// The fault.
    pub reason: DeskRunText,
}

impl From<&FileFault> for DeskSettingsFault {
    fn from(FileFault { file, fault }: &FileFault) -> Self {
        Self { file: file.clone(), path: fault.path.clone(), reason: fault.reason.clone().into() }
    }
}

/// A version that was put into effect once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskSettingsVersion {
    /// Its id.
    pub id: String,
    /// The time at which it was put into effect.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The member or clerk who did it.
    pub by: String,
    /// By the command, not at the desk.
    pub by_command: bool,
    /// It is in effect now.
    pub is_current: bool,
    /// The files that the one before had otherwise; absent when the one before is not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<Vec<String>>,
}

/// The files of a version.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskSettingsFiles {
    /// By name.
    pub files: Vec<DeskSettingsContent>,
}

/// The content of a file of a version.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskSettingsContent {
    /// Such as `tenant.json`.
    pub name: String,
    /// A picture in Base64.
    pub content: String,
}

/// A file is to be different.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskSettingsDraftRequest {
    /// Such as `tenant.json`.
    pub file: String,
    /// The content that it is to have, a picture in Base64; absent: it is to go.
    #[serde(default)]
    pub content: Option<String>,
    /// The hash of what it was to have when that was written; absent: there was no such file.
    #[serde(default)]
    pub seen: Option<String>,
}

/// A request about the settings as they were shown.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskSettingsRequest {
    /// The state that was shown.
    pub state: String,
}

/// Where the portal is to be seen as another person sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskPreview {
    /// The address.
    pub url: String,
    /// The time at which the address stops working.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
}

/// A file's content in a document.
fn written(name: &str, content: &[u8]) -> String {
    if name == LOGO_FILE { BASE64.encode(content) } else { String::from_utf8_lossy(content).into_owned() }
}

/// What a document says that a file has; none: it is no Base64.
pub fn content_of(file: &str, content: &str) -> Option<Vec<u8>> {
    if file == LOGO_FILE { BASE64.decode(content).ok() } else { Some(content.as_bytes().to_vec()) }
}

impl DeskSettings {
    /// The settings as the desk shows them.
    pub fn new(settings: &Settings, versions: &[TenantVersion]) -> Self {
        let drafted = settings.drafts.iter().map(|Draft { draft, .. }| &draft.file);
        let mut names: Vec<_> = settings.files.keys().chain(drafted).collect();
        names.sort();
        names.dedup();
        let file = |name: &String| {
            let draft = settings.drafts.iter().find(|Draft { draft, .. }| draft.file == *name);
            DeskSettingsFile {
                name: name.clone(),
                content: settings.files.get(name).map(|content| written(name, content)),
                hash: settings.hash(name),
                draft: draft.map(|Draft { draft, content, is_outdated }| DeskSettingsDraft {
                    content: content.as_ref().map(|content| written(name, content)),
                    by: draft.by.clone(),
                    at: draft.at,
                    is_outdated: *is_outdated,
                }),
            }
        };
        let before = versions.iter().skip(1).map(Some).chain([None]);
        let versions = versions.iter().zip(before).enumerate().map(|(place, (version, before))| DeskSettingsVersion {
            id: version_id(version),
            at: version.at,
            by: version.by.clone(),
            by_command: version.member.is_none(),
            is_current: place == 0,
            changed: before.map(|before| changed(version, before)),
        });
        Self {
            state: settings.state(),
            files: names.into_iter().map(file).collect(),
            faults: settings.faults.iter().map(DeskSettingsFault::from).collect(),
            versions: versions.collect(),
            opening: settings.opening.as_ref().map(|opening| opening.steps.iter().map(Into::into).collect()),
            opening_readings: settings.opening.as_ref().map(|opening| opening.readings),
        }
    }
}

impl DeskSettingsFiles {
    /// These files.
    pub fn new(files: &TenantFiles) -> Self {
        let files = files.iter().map(|(name, content)| DeskSettingsContent { name: name.clone(), content: written(name, content) });
        Self { files: files.collect() }
    }
}

/// By which a version is asked for.
pub fn version_id(version: &TenantVersion) -> String {
    version.at.as_microsecond().to_string()
}

fn changed(version: &TenantVersion, before: &TenantVersion) -> Vec<String> {
    let mut names: Vec<_> = version
        .files
        .keys()
        .chain(before.files.keys())
        .filter(|name| version.files.get(*name) != before.files.get(*name))
        .cloned()
        .collect();
    names.sort();
    names.dedup();
    names
}
