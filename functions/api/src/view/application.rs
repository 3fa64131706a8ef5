use std::collections::BTreeMap;

use domain::config::{
    AccessibilityConfig, Application, ApplicationConfig, CommunicationSettings, CrmSettings, EvaluationConfig, Features, JobFeatures,
    Language, LoginConfig, RemoteReadings, Theme, VisitorReadingConfig,
};
use domain::config_check::ICON_SIDES;
use domain::ids::TenantId;
use mail::Texts;
use serde::Serialize;
use store::Tenant;
use utoipa::ToSchema;

/// The tenant's public config (L3), with the tenant's own texts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicApplication {
    /// Changes with every change of the config or the texts.
    pub version: String,
    /// The tenant.
    pub application_id: TenantId,
    /// The name that the portal shows.
    pub name: String,
    /// The portal's address.
    pub portal_url: String,
    /// The time zone in which the tenant's days begin and end; an IANA name.
    pub time_zone: String,
    /// Entry, unknown meters, legal links.
    pub config: ApplicationConfig,
    /// Switches of the portal.
    pub features: Features,
    /// Flags of reading jobs that do not deviate.
    pub job_features: JobFeatures,
    /// Login rules.
    pub login: LoginConfig,
    /// The languages on offer, in the order of the switch.
    pub languages: Vec<Language>,
    /// One of `languages`.
    pub default_language: String,
    /// Colours.
    pub theme: Theme,
    /// Limits of e-mail sharing.
    pub communication_settings: PublicCommunicationSettings,
    /// Digital communication and receipts.
    pub crm_settings: CrmSettings,
    /// The evaluation area.
    pub evaluation: EvaluationConfig,
    /// The accessibility statement.
    pub accessibility: AccessibilityConfig,
    /// Reading without a job or login.
    pub unknown_reading: VisitorReadingConfig,
    /// The windows and programs that may fill in readings from outside.
    pub remote_readings: RemoteReadings,
    /// The deployment reads photos: where a job has `aiReadingEnabled`, digits can be proposed.
    pub photo_reading_available: bool,
    /// True: this is how the portal is to be, not how it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_preview: Option<bool>,
    /// The tenant's own texts: language, key, text.
    pub translations: Texts,
}

/// Limits of e-mail sharing.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicCommunicationSettings {
    /// Recipients an hour for one account.
    pub account_recipients_per_hour: u32,
    /// Recipients a day for the whole tenant.
    pub tenant_recipients_per_day: u32,
}

impl PublicApplication {
    /// The tenant's config, and whether the deployment reads photos.
    pub fn new(tenant: &Tenant, photo_reading_available: bool) -> Self {
        // Named one by one: a new field of the config is not public until a developer decides so.
        let Application {
            schema: _,
            rehearsal: _,
            application_id,
            name,
            hosts: _,
            retention: _,
            portal_url,
            time_zone,
            config,
            features,
            job_features,
            login,
            languages,
            default_language,
            theme,
            communication_settings,
            crm_settings,
            crm: _,
            webhook: _,
            evaluation,
            accessibility,
            unknown_reading,
            remote_readings,
            desk: _,
        } = tenant.application.clone();
        let CommunicationSettings { sender_name: _, sender_email: _, account_recipients_per_hour, tenant_recipients_per_day } =
            communication_settings;
        Self {
            version: tenant.version.clone(),
            application_id,
            name,
            portal_url,
            time_zone,
            config,
            features,
            job_features,
            login,
            languages,
            default_language,
            theme,
            communication_settings: PublicCommunicationSettings { account_recipients_per_hour, tenant_recipients_per_day },
            crm_settings,
            evaluation,
            accessibility,
            unknown_reading,
            remote_readings,
            photo_reading_available,
            is_preview: None,
            translations: of_portal(&tenant.translations),
        }
    }
}

/// What the portal shows of the tenant's own texts: those of mails and letters are none of it.
fn of_portal(texts: &Texts) -> Texts {
    let is_of_portal = |key: &str| ![mail::texts::AREA, desk::letters::AREA].iter().any(|area| key.starts_with(area));
    let kept = |texts: &BTreeMap<String, String>| {
        texts.iter().filter(|(key, _)| is_of_portal(key)).map(|(key, text)| (key.clone(), text.clone())).collect()
    };
    texts.iter().map(|(language, texts)| (language.clone(), kept(texts))).collect()
}

/// The web app manifest: what the portal is called and looks like on a home screen.
#[derive(Debug, Serialize, ToSchema)]
pub struct Manifest {
    /// The portal's name.
    pub name: String,
    /// The same for under an icon.
    pub short_name: String,
    /// The language of the name, as a BCP 47 tag.
    pub lang: String,
    /// What identifies the app: the portal's root.
    pub id: &'static str,
    /// The page that it opens with.
    pub start_url: &'static str,
    /// The paths that belong to it.
    pub scope: &'static str,
    /// Without the browser's bars.
    pub display: &'static str,
    /// Colour of the system's bars.
    pub theme_color: String,
    /// Colour while it opens.
    pub background_color: &'static str,
    /// The tenant's logo, square.
    pub icons: Vec<ManifestIcon>,
}

/// An icon of the manifest.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ManifestIcon {
    /// Address.
    pub src: String,
    /// Width x height in pixels.
    pub sizes: String,
    /// Media type.
    #[serde(rename = "type")]
    pub media_type: &'static str,
    /// Whether it may be cut to a shape.
    pub purpose: &'static str,
}

impl Manifest {
    /// The manifest of a tenant.
    pub fn new(application: &Application) -> Self {
        let language = application.default_language.split('-').next().unwrap_or_default();
        Self {
            name: application.name.clone(),
            short_name: application.name.clone(),
            lang: language.into(),
            id: "/",
            start_url: "/",
            scope: "/",
            display: "standalone",
            theme_color: application.theme.header_color.clone(),
            background_color: "#ffffff",
            icons: ICON_SIDES.map(ManifestIcon::new).into(),
        }
    }
}

impl ManifestIcon {
    fn new(side: u16) -> Self {
        // The largest is what systems cut their own shapes from; they may show the others as they are.
        let purpose = if side == 512 { "any maskable" } else { "any" };
        Self { src: format!("/api/public/application/icon/{side}"), sizes: format!("{side}x{side}"), media_type: "image/png", purpose }
    }
}
