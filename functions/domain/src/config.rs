//! A tenant's application config: the document `tenant.json` (L3, L9, P3, P9).
//!
//! It is validated whole when the operator applies it and never at request time. Every field but the identity has the
//! specification's default, so that a small document is a complete one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::{SeasonId, TenantId};
use crate::market::MarketRole;
use crate::model::{MeterType, ReadingReason};

/// The whole document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Application {
    /// Where editors find the schema of this document; means nothing to the product and is not stored.
    #[serde(rename = "$schema", default, skip_serializing_if = "is_for_editors")]
    pub schema: Option<String>,
    /// The tenant.
    pub application_id: TenantId,
    /// The name that the portal shows.
    pub name: String,
    /// Host names under which the tenant's portal is reached, lower case, without port.
    pub hosts: Vec<String>,
    /// The portal's address for links in letters and mails, such as `https://zaehler.example.de`.
    pub portal_url: String,
    /// In rehearsal letters have a watermark, mails go to the tenant's members only, and no export begins by itself.
    #[serde(default, skip_serializing_if = "is_false")]
    pub rehearsal: bool,
    /// The time zone in which the tenant's days begin and end; an IANA name.
    #[serde(default = "default_time_zone")]
    pub time_zone: String,
    /// Entry, unknown meters, legal links.
    #[serde(default)]
    pub config: ApplicationConfig,
    /// Switches of the portal.
    #[serde(default)]
    pub features: Features,
    /// Flags of reading jobs, for all jobs that do not deviate.
    #[serde(default)]
    pub job_features: JobFeatures,
    /// Login rules.
    #[serde(default)]
    pub login: LoginConfig,
    /// The languages on offer, in the order of the switch.
    #[serde(default = "default_languages")]
    pub languages: Vec<Language>,
    /// One of `languages`.
    #[serde(default = "default_language")]
    pub default_language: String,
    /// Colours.
    #[serde(default)]
    pub theme: Theme,
    /// E-mail.
    #[serde(default)]
    pub communication_settings: CommunicationSettings,
    /// Digital communication and receipts.
    #[serde(default)]
    pub crm_settings: CrmSettings,
    /// What keeps the registrations for digital communication and sends receipts.
    #[serde(default)]
    pub crm: CrmAdapter,
    /// Where readings are sent as they come; absent: nowhere, and none waits to be sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook: Option<WebhookSettings>,
    /// The evaluation area.
    #[serde(default)]
    pub evaluation: EvaluationConfig,
    /// The accessibility statement.
    #[serde(default)]
    pub accessibility: AccessibilityConfig,
    /// Reading without a job or login.
    #[serde(default)]
    pub unknown_reading: VisitorReadingConfig,
    /// Who may fill in readings from outside.
    #[serde(default)]
    pub remote_readings: RemoteReadings,
    /// How long personal data is kept.
    #[serde(default)]
    pub retention: Retention,
    /// What only the utility's command line needs; the portal never sees it.
    #[serde(default)]
    pub desk: DeskSettings,
}

impl Application {
    /// Address of the built-in registration pages, or of those that the tenant names.
    pub fn registration_url(&self) -> String {
        self.crm_settings.registration_url.clone().unwrap_or_else(|| format!("{}/registrierung", self.portal_url))
    }

    /// The page on which the holder of this token changes or ends what is sent; the parameter says where its visitor comes from (P9).
    pub fn registration_page(&self, self_service_token: &str) -> String {
        format!("{}/m/{self_service_token}?ref=zaehlwerk", self.registration_url())
    }

    /// The portal's page on which the holder of this token ends reminders.
    pub fn unsubscribe_page(&self, self_service_token: &str) -> String {
        format!("{}{}", self.portal_url, unsubscribe_path(self_service_token))
    }
}

/// Path of the portal's page on which the holder of this token ends reminders.
pub fn unsubscribe_path(self_service_token: &str) -> String {
    format!("/abmelden/{self_service_token}")
}

/// The schema's place is no setting, so a folder with it and one without it are the same tenant.
fn is_for_editors(_: &Option<String>) -> bool {
    true
}

/// Nothing is written of what no tenant in operation has.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_false(value: &bool) -> bool {
    !value
}

fn default_time_zone() -> String {
    "Europe/Berlin".into()
}

fn default_language() -> String {
    "de-FORMAL".into()
}

fn default_languages() -> Vec<Language> {
    [("de-FORMAL", "Deutsch"), ("de-INFORMAL", "Deutsch (Du)"), ("en-FORMAL", "English")]
        .map(|(name, readable)| Language { name: name.into(), readable_name: readable.into() })
        .into()
}

/// Readings that come from outside the portal, such as from a reading device (L7): they fill in an entry and are never sent by themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RemoteReadings {
    /// Origins whose windows may post `remote-result-received`, such as `https://app.example.de`.
    pub allowed_origins: Vec<String>,
}

/// One language on offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Language {
    /// `de-FORMAL`, `de-INFORMAL`, `en-FORMAL`, or a further one that the tenant brings all texts for.
    pub name: String,
    /// What the switch shows.
    pub readable_name: String,
}

/// Entry, unknown meters and legal links (L3).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ApplicationConfig {
    /// How readings are entered.
    pub meter_reading: MeterReadingConfig,
    /// Which values are asked about.
    pub plausibility: Plausibility,
    /// Readings of meters that have no job.
    pub unknown_user_reading: VisitorReadingSwitch,
    /// Links in the footer.
    pub legal: Legal,
}

/// How readings are entered (L3, L5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MeterReadingConfig {
    /// Ask for digits after the point.
    pub query_post_decimals: bool,
    /// Show the digits after the point masked, without asking for them.
    pub mask_post_decimals: bool,
    /// Preset comments as translation keys or texts.
    pub default_comments: Vec<String>,
    /// How many days back a reading date may lie.
    pub reading_date_max_days_in_past: u16,
    /// How many days ahead a reading date may lie.
    pub reading_date_max_days_in_future: u16,
    /// Milliseconds until the entry field comments on what was typed.
    pub validation_feedback_delay: u16,
}

impl Default for MeterReadingConfig {
    fn default() -> Self {
        Self {
            query_post_decimals: true,
            mask_post_decimals: false,
            default_comments: vec!["meterWasChanged".into()],
            reading_date_max_days_in_past: 30,
            reading_date_max_days_in_future: 0,
            validation_feedback_delay: 1500,
        }
    }
}

/// A job's deviations from [`MeterReadingConfig`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MeterReadingOverrides {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_post_decimals: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mask_post_decimals: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_comments: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading_date_max_days_in_past: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading_date_max_days_in_future: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation_feedback_delay: Option<u16>,
}

impl MeterReadingConfig {
    /// These settings with a job's deviations.
    pub fn with(&self, job: &MeterReadingOverrides) -> Self {
        Self {
            query_post_decimals: job.query_post_decimals.unwrap_or(self.query_post_decimals),
            mask_post_decimals: job.mask_post_decimals.unwrap_or(self.mask_post_decimals),
            default_comments: job.default_comments.clone().unwrap_or_else(|| self.default_comments.clone()),
            reading_date_max_days_in_past: job.reading_date_max_days_in_past.unwrap_or(self.reading_date_max_days_in_past),
            reading_date_max_days_in_future: job.reading_date_max_days_in_future.unwrap_or(self.reading_date_max_days_in_future),
            validation_feedback_delay: job.validation_feedback_delay.unwrap_or(self.validation_feedback_delay),
        }
    }
}

/// How far a value may be from what is expected until the reader is asked and a clerk looks at it (D-READING-20).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Plausibility {
    /// Consumption of electricity.
    pub electricity: PlausibilityOfMedium,
    /// Consumption of electricity where some is generated, too.
    pub own_generation: PlausibilityOfMedium,
    /// What is fed into the grid.
    pub feed_in: PlausibilityOfMedium,
    /// Gas.
    pub gas: PlausibilityOfMedium,
    /// Heat.
    pub heat: PlausibilityOfMedium,
    /// Cold and warm water.
    pub water: PlausibilityOfMedium,
    /// Meters of no known medium.
    pub other: PlausibilityOfMedium,
}

/// How far values of one medium may be from what is expected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlausibilityOfMedium {
    /// What is this near to the expected consumption is not asked about: kWh of electricity and heat, m³ of gas and water; at most 100000.
    pub floor: u32,
    /// By the size of a year's use, the smallest first, 1 to 10; of use below the first the first holds.
    pub bands: Vec<PlausibilityBand>,
}

/// How far a consumption may be from what is expected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlausibilityBand {
    /// Holds from this use a year on, in the unit of the floor.
    pub annual_from: u32,
    /// Less than so many percent of the expected consumption is asked about: 1 to 99.
    pub below_percent: u16,
    /// More than so many percent of it is asked about: 101 to 1000.
    pub above_percent: u16,
}

impl Default for Plausibility {
    fn default() -> Self {
        let medium = |floor, below_percent, above_percent| PlausibilityOfMedium {
            floor,
            bands: vec![PlausibilityBand { annual_from: 0, below_percent, above_percent }],
        };
        // The double is the law's own mark for doubt (StromGVV and GasGVV, § 17 (1) sentence 2 no. 2).
        Self {
            electricity: medium(200, 50, 200),
            own_generation: medium(200, 30, 300),
            feed_in: medium(200, 30, 300),
            gas: medium(40, 50, 200),
            heat: medium(400, 50, 200),
            water: medium(15, 40, 250),
            other: medium(0, 30, 300),
        }
    }
}

/// Whether visitors may read meters without a login (L3).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct VisitorReadingSwitch {
    /// The public five-step flow is on.
    pub unknown_user_reading_allowed: bool,
}

/// Links that the law asks for (L3).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Legal {
    pub imprint: LegalLink,
    pub privacy: LegalLink,
    pub accessibility: LegalLink,
}

/// One link of the footer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct LegalLink {
    /// Absolute `https` address, or a path of the portal.
    pub url: String,
    /// Shown at all.
    pub enabled: bool,
}

macro_rules! switches {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty = $default:expr,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "camelCase", default)]
        pub struct $name { $($(#[$field_doc])* pub $field: $type,)* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }
    };
    ($(#[$doc:meta])* $name:ident, overridden by $overrides:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty = $default:expr,)* }) => {
        switches!($(#[$doc])* $name { $($(#[$field_doc])* $field: $type = $default,)* });

        #[doc = concat!("A job's deviations from [`", stringify!($name), "`].")]
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "camelCase", default)]
        pub struct $overrides {
            $($(#[$field_doc])* #[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,)*
        }

        impl $name {
            /// These flags with a job's deviations.
            pub fn with(&self, job: &$overrides) -> Self {
                Self { $($field: job.$field.unwrap_or(self.$field),)* }
            }
        }
    };
}

switches! {
    /// Switches of the portal (L6, L9, P6, P9).
    Features {
        /// Several accounts may be logged in at once.
        multiple_accounts_login_enabled: bool = true,
        /// A single job is opened at once.
        preselect_job_if_single_enabled: bool = false,
        /// After a login the portal opens the jobs and not the home screen.
        redirect_to_jobs_screen_on_login_enabled: bool = false,
        /// The evaluation area exists.
        evaluation_enabled: bool = true,
        /// A logged-in user may read a meter that has no job.
        unknown_readings_allowed: bool = false,
        /// Such a reading needs a photo.
        unknown_readings_image_required: bool = false,
        /// Jobs may be shared.
        reshare_allowed: bool = true,
        /// The Excel export is offered.
        xlsx_export_enabled: bool = true,
        /// Access links may be sent by e-mail.
        email_sharing_enabled: bool = true,
        /// The link to the e-mail reminder is shown.
        email_reminder_link_enabled: bool = false,
        /// The global help is offered.
        help_enabled: bool = true,
    }
}

switches! {
    /// Flags of a reading job (L9).
    JobFeatures, overridden by JobFeatureOverrides {
        /// The job may be shared, if the portal allows it at all or not.
        reshare_allowed: bool = false,
        /// No photos.
        images_forbidden: bool = false,
        /// A photo for every rate.
        image_always_required: bool = false,
        /// The day of the reading is today and not asked for.
        hide_reading_date_input: bool = false,
        /// An implausible value needs a comment.
        unplausible_readings_comment_required: bool = false,
        /// An implausible value needs a photo.
        unplausible_readings_image_required: bool = false,
        /// The value must not be lower than the last earlier reading.
        historic_readings_validation_required: bool = true,
        /// The value must not be lower than the last result.
        continuous_readings_validation_required: bool = true,
        /// Who sends much more or less than the meter used before is asked.
        expected_readings_validation_required: bool = true,
        /// Days before `earliestExecution` on which sending is allowed.
        duration_sending_reading_values_based_on_earliest_execution_is_allowed: u16 = 0,
        /// Days after `latestExecution` on which sending is allowed.
        duration_sending_reading_values_based_on_latest_execution_is_allowed: u16 = 0,
        /// Photos of sent readings are shown.
        show_reading_images_allowed: bool = true,
        /// A comment can be entered and is shown.
        show_reading_comment_allowed: bool = true,
        /// The portal may propose the digits that it sees in a photo.
        ai_reading_enabled: bool = true,
    }
}

switches! {
    /// Login rules (L5).
    LoginConfig {
        /// Shortest user name.
        user_name_min_length: u8 = 5,
        /// Shortest password.
        password_min_length: u8 = 5,
        /// The password is shown in clear text.
        password_visible: bool = false,
    }
}

switches! {
    /// The evaluation area (P9).
    EvaluationConfig {
        /// The utility's earlier readings are part of the history.
        use_historic_readings: bool = true,
        /// Readings sent in the running job are part of the history.
        show_current_readings: bool = true,
        /// Only finished jobs are listed.
        show_only_done_jobs: bool = true,
        /// Photos are shown in the history.
        show_reading_images: bool = true,
    }
}

/// The tenant's colours, as `#rrggbb`; each is used with white text and must have a contrast of at least 4.5:1 to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Theme {
    /// Buttons, links, the progress bar.
    pub primary_color: String,
    /// The bar at the top.
    pub header_color: String,
}

impl Default for Theme {
    fn default() -> Self {
        Self { primary_color: "#0b5c63".into(), header_color: "#0b3b40".into() }
    }
}

/// E-mail of a tenant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CommunicationSettings {
    /// Name of the sender.
    pub sender_name: String,
    /// Address of the sender; a verified identity of the platform.
    pub sender_email: String,
    /// Recipients an hour for one account.
    pub account_recipients_per_hour: u32,
    /// Recipients a day for the whole tenant.
    pub tenant_recipients_per_day: u32,
}

impl Default for CommunicationSettings {
    fn default() -> Self {
        Self { sender_name: String::new(), sender_email: String::new(), account_recipients_per_hour: 50, tenant_recipients_per_day: 500 }
    }
}

/// How long personal data is kept; what has no limit is kept until its erasure is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Retention {
    /// Days after which a reading's photos go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub photo_days: Option<u16>,
    /// Days after which a reading's comment goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment_days: Option<u16>,
    /// Days after which a done or closed job, an account that has ended or has no jobs, and a reading without a job lose all that leads
    /// to a person. The values of readings stay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub personal_data_days: Option<u16>,
    /// Days for which the audit trail is kept; two years if it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit_days: Option<u16>,
    /// Nothing is deleted, neither by time nor on request: a dispute needs the data.
    pub legal_hold: bool,
}

impl Retention {
    /// Days for which the audit trail is kept.
    pub fn audit_days(&self) -> u16 {
        self.audit_days.unwrap_or(2 * 365)
    }
}

/// Where the button for digital communication may stand (L6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Placement {
    Menu,
    Home,
}

/// Digital communication and receipts (L3, P6).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CrmSettings {
    /// Where registration is offered.
    pub registration_placements: Vec<Placement>,
    /// Where a receipt is offered.
    pub receipt_placements: Vec<Placement>,
    /// The dialog opens when the last job is done.
    pub show_modal_after_last_job_completed: bool,
    /// Visitors without login may ask for a receipt.
    pub unknown_user_receipt_allowed: bool,
    /// Address of the registration pages, without `/m/{selfServiceToken}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registration_url: Option<String>,
}

impl CrmSettings {
    /// Digital communication is offered anywhere: to register, to have receipts, or by the dialog after the last job (L6, P6).
    pub fn offers_communication(&self) -> bool {
        self.show_modal_after_last_job_completed || !self.registration_placements.is_empty() || !self.receipt_placements.is_empty()
    }
}

/// What keeps the registrations for digital communication and sends receipts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", tag = "adapter")]
pub enum CrmAdapter {
    /// The product itself: e-mail with double opt-in.
    #[default]
    Builtin,
    /// The tenant's own system, by the calls of `docs/crm.md`.
    Http {
        /// Address under which the calls are, without a closing slash.
        #[serde(rename = "baseUrl")]
        base_url: String,
        /// Last part of the name of the parameter in the parameter store that holds the access key.
        #[serde(rename = "credentialsParameter")]
        credentials_parameter: String,
    },
}

/// The tenant's receiver of readings as they come, by `docs/webhook.md`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookSettings {
    /// Where they are posted: an https address.
    pub url: String,
    /// Last part of the name of the parameter in the parameter store that holds the signing secrets.
    pub secret_parameter: String,
    /// True: readings wait, and nothing is sent.
    #[serde(default)]
    pub paused: bool,
}

/// Content of the accessibility statement (P2, P3).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AccessibilityConfig {
    /// The law that the portal is under; absent: the statement names none, and no office that enforces it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regime: Option<AccessibilityRegime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub main_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub company_name: Option<String>,
    pub legals: Vec<LegalText>,
    pub alternatives: Vec<Alternative>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<AccessibilityContact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enforcement_office: Option<EnforcementOffice>,
}

/// The law on accessibility that a tenant's portal is under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AccessibilityRegime {
    /// A public body: Behindertengleichstellungsgesetz and BITV 2.0. The enforcement office is that of its Land or of the Federation.
    Bitv,
    /// A private company: Barrierefreiheitsstärkungsgesetz. Since 26 September 2025 the Länder's joint office for market surveillance,
    /// the MLBF, enforces it.
    Bfsg,
}

/// One legal basis of the statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LegalText {
    pub text: String,
}

/// Another way to the same service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Alternative {
    pub title: String,
    pub description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Whom to tell about a barrier.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AccessibilityContact {
    pub person: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub postal: Option<String>,
    pub form: Option<String>,
}

/// The authority that enforces accessibility.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct EnforcementOffice {
    pub name: Option<String>,
    pub contact: Option<String>,
    pub postal: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub form: Option<String>,
    pub web: Option<String>,
}

/// Reading a meter that has no job (P3).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct VisitorReadingConfig {
    /// What is asked for each meter type on offer.
    pub meters: BTreeMap<MeterType, VisitorMeter>,
    /// The reasons on offer.
    pub reading_reasons: Vec<ReadingReasonOption>,
    /// Limits.
    pub validation: VisitorReadingValidation,
}

/// What is asked for one meter type (P3).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct VisitorMeter {
    /// For the type itself.
    pub default_meter_config: MeterConfig,
    /// For its sub-types.
    pub sub_type_meter_configs: Vec<SubTypeMeterConfig>,
    /// For a meter whose rates the visitor picks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_meter_config: Option<MeterConfig>,
}

/// A sub-type, such as a double-tariff meter (P2, P3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubTypeMeterConfig {
    pub meter_type: MeterType,
    pub sub_type: String,
    /// In the tenant's default language; for another one `translations/<language>.json` has
    /// `publicReading.subType.<meterType>.<subType>.label`.
    pub sub_type_label: String,
    /// The same, translated as `publicReading.subType.<meterType>.<subType>.description`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sub_type_description: Option<String>,
    #[serde(default)]
    pub meter_config: MeterConfig,
}

/// The rates that are asked (P3).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MeterConfig {
    pub meter_rate_configs: Vec<MeterRateConfig>,
    pub default_meter_reading_config: RateReadingConfig,
    #[serde(rename = "defaultSelectedMeterRatesByOBIS", skip_serializing_if = "Vec::is_empty")]
    pub default_selected_meter_rates_by_obis: Vec<String>,
}

/// One rate on offer (P3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeterRateConfig {
    pub obis: String,
    pub obis_label: String,
    pub rate_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading_config: Option<RateReadingConfig>,
}

/// How one rate's value is asked (P3, P5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RateReadingConfig {
    pub pre_decimals: u8,
    pub post_decimals: u8,
    pub query_post_decimals: bool,
    pub is_reading_image_allowed: bool,
    pub is_reading_image_required: bool,
}

impl Default for RateReadingConfig {
    fn default() -> Self {
        Self {
            pre_decimals: 9,
            post_decimals: 3,
            query_post_decimals: false,
            is_reading_image_allowed: true,
            is_reading_image_required: false,
        }
    }
}

/// A reason that a visitor may choose (P3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadingReasonOption {
    pub value: ReadingReason,
    #[serde(rename = "labelDE")]
    pub label_de: String,
    #[serde(rename = "labelEN")]
    pub label_en: String,
    #[serde(rename = "hintDE", default, skip_serializing_if = "Option::is_none")]
    pub hint_de: Option<String>,
    #[serde(rename = "hintEN", default, skip_serializing_if = "Option::is_none")]
    pub hint_en: Option<String>,
}

/// Limits of readings without a job (P3, P9).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct VisitorReadingValidation {
    pub meter_number: MeterNumberLength,
    pub reading_date_max_days_in_past: u16,
    pub reading_date_max_days_in_future: u16,
}

impl Default for VisitorReadingValidation {
    fn default() -> Self {
        Self { meter_number: MeterNumberLength::default(), reading_date_max_days_in_past: 30, reading_date_max_days_in_future: 0 }
    }
}

/// How long a meter number is (P9).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MeterNumberLength {
    pub meter_number_min_length: u8,
    pub meter_number_max_length: u8,
}

impl Default for MeterNumberLength {
    fn default() -> Self {
        Self { meter_number_min_length: 8, meter_number_max_length: 14 }
    }
}

/// A reading instruction that applies to some meters (L3, L5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeterReadingInstruction {
    /// Regular expression on the OBIS code.
    pub obis_filter: String,
    /// Regular expression on the meter number.
    pub meter_number_filter: String,
    /// Only meters with several rates (true), with one (false), or all (absent).
    #[serde(default)]
    pub multi_meter_rate: Option<bool>,
    /// Markdown.
    pub content: String,
    /// The language it is written in, one of the tenant's; absent: its default language. A reader sees the instructions in their own
    /// language, and those in the default language where the meter has none in it (D-VISITORS-3).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// How to reach the utility, for one language and place (L3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContactInformationItem {
    /// The language it is written in.
    pub language: String,
    /// The screen that shows it; empty means all.
    pub path: String,
    /// Markdown.
    pub text: String,
}

/// What the utility's staff need for letters, the market's messages, reminders and imports.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DeskSettings {
    /// Printed letters.
    pub letter: LetterSettings,
    /// Market partners of the MSCONS export.
    pub market: MarketSettings,
    /// Reminders by e-mail.
    pub reminders: ReminderSettings,
    /// What comes in.
    pub imports: ImportSettings,
    /// How much may go out by post and mail from the desk.
    pub limits: DayLimits,
    /// How persons' data is erased.
    pub erasure: ErasureSettings,
    /// How clerks decide about readings.
    pub decisions: DecisionSettings,
    /// What goes out by itself.
    pub exports: ExportSettings,
    /// By whom the tenant's members log in at the desk; absent: by the platform's own provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub login: Option<DeskLogin>,
}

/// The identity provider of a tenant's own, by OpenID Connect (D-DESK-15).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskLogin {
    /// Its issuer, exactly as it is in its tokens: an https address. Where its discovery is follows from it.
    pub issuer: String,
    /// What the desk is called there.
    pub client_id: String,
    /// Last part of the name of the parameter in the parameter store that holds the desk's secret there.
    pub secret_parameter: String,
}

/// Exports that no member asks for at the desk, and who hears of those that are done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ExportSettings {
    /// What goes out when.
    pub scheduled: Vec<ScheduledExport>,
    /// The webhook is told of each export that is done, with addresses of its files.
    pub announced: bool,
}

/// An export that begins by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScheduledExport {
    /// What goes out.
    pub what: ExportWhat,
    /// How the file of a table looks: the name of a preset. Messages to the market have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// The id of the season whose readings a table has; absent: all. It begins by itself until a quarter of a year after the season's last day (D-EXPORTS-11).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub season: Option<SeasonId>,
    /// How often.
    pub every: Rhythm,
    /// On which day: of the week 1 (Monday) to 7, of the month 1 to 28. What goes out daily has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<u8>,
    /// At which full hour of the tenant's time zone, 0 to 23.
    pub hour: u8,
}

/// What goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ExportWhat {
    /// A table of the readings of jobs.
    Table,
    /// A table of the readings without a job.
    WithoutJob,
    /// Messages to the market.
    Market,
}

/// How often something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Rhythm {
    /// Each day.
    Day,
    /// On a day of each week.
    Week,
    /// On a day of each month.
    Month,
}

/// What of a clerk's decisions needs a second member.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DecisionSettings {
    /// By unit (`kWh`, `m³`): a reading that counts with more consumption than this since the one before needs a second member; of a unit that is not named none does.
    pub second_member_above: BTreeMap<String, u64>,
}

/// What an erasure takes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ErasureSettings {
    /// Whether a second member has to confirm it.
    pub needs_second_member: bool,
}

/// How much an import may do unasked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ImportSettings {
    /// So many of a hundred jobs of a season are closed without a question when a file of all its jobs lacks them.
    pub closed_unasked_percent: u8,
}

impl Default for ImportSettings {
    fn default() -> Self {
        Self { closed_unasked_percent: 5 }
    }
}

/// How much runs of the desk may make on one day of the tenant's time zone, so that a wrong choice does not write to a whole town twice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DayLimits {
    /// New letters.
    pub letters_per_day: u64,
    /// Invitations by mail.
    pub invitations_per_day: u64,
}

impl Default for DayLimits {
    fn default() -> Self {
        Self { letters_per_day: 100_000, invitations_per_day: 100_000 }
    }
}

/// How often and how fast accounts with a confirmed address are reminded of open jobs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ReminderSettings {
    /// They are sent each day between 8 and 20 o'clock in the tenant's time zone; otherwise only when staff start them.
    pub automatic: bool,
    /// Most reminders of the jobs of one deadline, or of those without one that opened on one day.
    pub at_most: u8,
    /// Days before the deadline from which on they are sent.
    pub days_before: u16,
    /// Days after its opening from which on they are sent for a job without a deadline; null: never.
    pub days_after_opening: Option<u16>,
    /// Days between two reminders of one account.
    pub days_between: u16,
    /// Most reminders a second; all tenants of a deployment together send half of what the mail service takes at most.
    pub per_second: u16,
}

impl Default for ReminderSettings {
    fn default() -> Self {
        Self { automatic: false, at_most: 2, days_before: 14, days_after_opening: Some(28), days_between: 7, per_second: 1 }
    }
}

/// What every printed letter says about its sender.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct LetterSettings {
    /// The one small line above the address in the window; without it, the tenant's name.
    pub sender_line: String,
    /// Lines at the foot of the page, such as address, telephone and register.
    pub footer: Vec<String>,
}

/// Who sends and who receives meter readings in the market, for each of the two media that have messages.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MarketSettings {
    /// Electricity (BDEW ids, `99…`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub electricity: Option<MarketPartners>,
    /// Gas (DVGW ids, `98…`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gas: Option<MarketPartners>,
}

/// Sender and receiver of a medium's messages: ids of 13 digits, and the roles in which they write to each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarketPartners {
    /// The utility's id.
    pub sender: String,
    /// The role in which the utility sends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<MarketRole>,
    /// To whom the readings go, unless the job names a recipient (`marketRecipient`); absent: only readings of such jobs go out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
    /// The role of those who receive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient_role: Option<MarketRole>,
}
