//! What a tenant's bundle must mean, beyond its shape (L3, L5, P3): checked whole when the operator applies it, never at request time.
//!
//! Every fault is found at once and named by file and path. [`check`] looks at each file for itself; [`check_languages`] at what the
//! files say about each other's languages, and is only asked when the list of languages itself is sound.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::{
    AccessibilityRegime, Application, ContactInformationItem, CrmAdapter, DeskLogin, DeskSettings, ExportWhat, Language, LegalLink,
    MarketPartners, MeterConfig, MeterReadingInstruction, Plausibility, RateReadingConfig, RemoteReadings, Retention, Rhythm,
    ScheduledExport, VisitorReadingConfig, WebhookSettings,
};
use crate::email::{EmailAddress, is_host};
use crate::fault::{Faults, FileFault};
use crate::ids::TenantId;
use crate::market::Medium;
use crate::model::MeterType;
use crate::network::Reach;
use crate::obis::ObisCode;
use crate::preset::{self, List, Preset};
use crate::text;
use crate::value::MeterValue;
use crate::visitor_reading::asked;

/// Name of the file with the [`Application`].
pub const TENANT_FILE: &str = "tenant.json";
/// Name of the file with the contact information.
pub const CONTACT_FILE: &str = "contact.json";
/// Name of the file with the reading instructions.
pub const INSTRUCTIONS_FILE: &str = "instructions.json";
/// Name of the logo's file.
pub const LOGO_FILE: &str = "logo.png";
/// Folder of the texts that replace the portal's own, one file a language.
pub const TRANSLATIONS_FOLDER: &str = "translations";
/// Folder of the global help, one file a language.
pub const HELP_FOLDER: &str = "help";

/// Largest logo in bytes.
pub const LOGO_MAX_BYTES: usize = 200 * 1024;
/// Sides in pixels of the square icons that are made of the logo: for iPhones, for Android's home screen, and for what Android shows while the portal opens.
pub const ICON_SIDES: [u16; 3] = [180, 192, 512];
/// Smallest and greatest side of the logo in pixels: sharp on a phone, and still one small download.
pub const LOGO_SIDES: std::ops::RangeInclusive<u32> = 48..=2048;
/// Shortest time for which personal data is kept, in days: that of the records that keep a repeated request from being carried out twice.
pub const MIN_RETENTION_DAYS: u16 = 35;
/// Most days for which the audit trail is kept: as long as a claim for damages may be made (§ 195 BGB), from the end of its year.
pub const MAX_AUDIT_DAYS: u16 = 4 * 366;
/// Most exports that begin by themselves.
const SCHEDULED_MAX: usize = 12;
/// Least contrast of a tenant's colour to the white text on it (WCAG 2.2, 1.4.3).
pub const MIN_CONTRAST: f64 = 4.5;
/// Languages whose texts the portal brings along.
pub const PORTAL_LANGUAGES: [&str; 3] = ["de-FORMAL", "de-INFORMAL", "en-FORMAL"];

/// A bundle whose files have the right shape.
#[derive(Debug, Clone, Copy)]
pub struct Bundle<'a> {
    /// `tenant.json`.
    pub application: &'a Application,
    /// `translations/<language>.json`: text by key.
    pub translations: &'a BTreeMap<String, BTreeMap<String, String>>,
    /// `help/<language>.md`.
    pub help: &'a BTreeMap<String, String>,
    /// `contact.json`.
    pub contact: &'a [ContactInformationItem],
    /// `instructions.json`.
    pub instructions: &'a [MeterReadingInstruction],
    /// `exports.json`.
    pub presets: &'a BTreeMap<String, Preset>,
    /// `logo.png`.
    pub logo: &'a [u8],
    /// Where the tenant's own systems may be.
    pub reach: Reach,
}

/// All faults that one file has for itself, file by file.
pub fn check(bundle: &Bundle<'_>) -> Vec<FileFault> {
    let mut faults = check_application(bundle.application, bundle.reach);
    let of_sub_types = keys_of_sub_types(&bundle.application.unknown_reading);
    for (language, texts) in bundle.translations {
        let mut file = Faults::default();
        for (key, text) in texts {
            let named = key.split('.').count() > 1 && key.split('.').all(|part| !part.trim().is_empty());
            file.unless(
                named,
                key,
                text!(
                    "Texte heißen nach Bereich und Schlüssel, etwa home.welcome",
                    "a text is named by its area and key, such as home.welcome"
                ),
            );
            let has_owner = !key.starts_with(SUB_TYPE_TEXTS) || of_sub_types.contains(key);
            file.unless(
                has_owner,
                key,
                text!(
                    "gehört zu keiner Unterart: publicReading.subType.<meterType>.<subType>.label oder .description",
                    "belongs to no sub-type: publicReading.subType.<meterType>.<subType>.label or .description"
                ),
            );
            file.unless(
                text.matches("{{").count() == text.matches("}}").count(),
                key,
                text!(
                    "hat einen Platzhalter, der nicht geschlossen ist: {{{{name}}}}",
                    "has a placeholder that is not closed: {{{{name}}}}"
                ),
            );
        }
        faults.extend(file.in_file(&format!("{TRANSLATIONS_FOLDER}/{language}.json")));
    }
    for (language, text) in bundle.help {
        let mut file = Faults::default();
        file.unless(!text.trim().is_empty(), "", text!("ist leer", "is empty"));
        faults.extend(file.in_file(&format!("{HELP_FOLDER}/{language}.md")));
    }
    faults.extend(check_contact(bundle.contact));
    faults.extend(check_instructions(bundle.instructions));
    faults.extend(preset::check(bundle.presets));
    faults.extend(check_exports(bundle));
    faults.extend(check_logo(bundle.logo));
    faults
}

/// How the keys of the sub-types' translations begin.
const SUB_TYPE_TEXTS: &str = "publicReading.subType.";

/// The keys under which the sub-types' labels and descriptions are translated.
fn keys_of_sub_types(config: &VisitorReadingConfig) -> BTreeSet<String> {
    let sub_types = config.meters.values().flat_map(|meter| &meter.sub_type_meter_configs);
    sub_types
        .flat_map(|sub| {
            let of = format!("{SUB_TYPE_TEXTS}{}.{}", wire_name(sub.meter_type), sub.sub_type);
            [format!("{of}.label"), format!("{of}.description")]
        })
        .collect()
}

/// All faults in how the files use the languages of `tenant.json`.
pub fn check_languages(bundle: &Bundle<'_>) -> Vec<FileFault> {
    let languages = &bundle.application.languages;
    let known = |name: &str| languages.iter().any(|language| language.name == name);
    let reason = |name: &str| {
        text!(
            "`{name}` ist keine der Sprachen in {TENANT_FILE}: {known}",
            "`{name}` is not one of the languages of {TENANT_FILE}: {known}",
            known = names(languages)
        )
    };
    let mut faults = Vec::new();

    let default = &bundle.application.default_language;
    if !known(default) {
        faults.push(FileFault::new(TENANT_FILE, "defaultLanguage", reason(default)));
    }
    for (index, Language { name, .. }) in languages.iter().enumerate() {
        let has_texts = bundle.translations.get(name).is_some_and(|texts| !texts.is_empty());
        if !PORTAL_LANGUAGES.contains(&name.as_str()) && !has_texts {
            let needed = text!(
                "das Portal hat keine Texte in `{name}`; {TRANSLATIONS_FOLDER}/{name}.json muss sie enthalten",
                "the portal has no texts in `{name}`; {TRANSLATIONS_FOLDER}/{name}.json must bring them"
            );
            faults.push(FileFault::new(TENANT_FILE, format!("languages[{index}].name"), needed));
        }
    }
    for name in bundle.translations.keys().filter(|name| !known(name)) {
        faults.push(FileFault::new(format!("{TRANSLATIONS_FOLDER}/{name}.json"), "", reason(name)));
    }
    for name in bundle.help.keys().filter(|name| !known(name)) {
        faults.push(FileFault::new(format!("{HELP_FOLDER}/{name}.md"), "", reason(name)));
    }
    for (index, item) in bundle.contact.iter().enumerate().filter(|(_, item)| !known(&item.language)) {
        faults.push(FileFault::new(CONTACT_FILE, format!("[{index}].language"), reason(&item.language)));
    }
    for (index, instruction) in bundle.instructions.iter().enumerate() {
        if let Some(language) = instruction.language.as_deref().filter(|name| !known(name)) {
            faults.push(FileFault::new(INSTRUCTIONS_FILE, format!("[{index}].language"), reason(language)));
        }
    }
    faults
}

fn names(languages: &[Language]) -> String {
    languages.iter().map(|language| language.name.as_str()).collect::<Vec<_>>().join(", ")
}

impl Faults {
    pub(crate) fn line_of_text(&mut self, text: &str, max: usize, path: impl Into<String>) {
        let count = text.chars().count();
        if text.trim().is_empty() {
            self.add(path, text!("darf nicht leer sein", "must not be empty"));
        } else if count > max {
            self.add(path, text!("hat {count} Zeichen, erlaubt sind höchstens {max}", "has {count} characters, at most {max} are allowed"));
        } else if text.chars().any(char::is_control) {
            self.add(path, text!("muss eine Zeile ohne Steuerzeichen sein", "must be one line without control characters"));
        }
    }

    fn mail(&mut self, text: Option<&String>, path: impl Into<String>) {
        if text.is_some_and(|text| text.parse::<EmailAddress>().is_err()) {
            self.add(
                path,
                text!("muss eine E-Mail-Adresse sein, etwa service@example.org", "must be a mail address, such as service@example.org"),
            );
        }
    }

    fn link(&mut self, text: Option<&String>, path: impl Into<String>) {
        if text.is_some_and(|text| !is_https_link(text)) {
            self.add(path, text!("muss eine Adresse mit https:// sein", "must be an https:// address"));
        }
    }

    /// A system of the tenant's own: what it is called here is looked at again when it is called (D-SECURITY-2).
    fn public_host(&mut self, address: &Address<'_>, reach: Reach, path: &str) {
        if reach.takes_host(address.host) && address.port.is_none_or(|port| reach.takes_port(port)) {
            self.unless(address.is_https_within(reach), path, text!("muss mit https:// beginnen", "must begin with https://"));
        } else {
            self.add(
                path,
                text!(
                    "muss ein Hostname im Internet sein (keine IP-Adresse), mit Port 443 oder einem über 1023",
                    "must name a host of the internet, by its name, with port 443 or one above 1023"
                ),
            );
        }
    }

    /// The last part of the name of a parameter in the parameter store.
    fn parameter_name(&mut self, text: &str, path: impl Into<String>) {
        let fine = (1..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
        self.unless(
            fine,
            path,
            text!(
                "muss aus 1 bis 64 Buchstaben, Ziffern, Punkten, Unter- oder Bindestrichen bestehen",
                "must be 1 to 64 letters, digits, points, underscores or hyphens"
            ),
        );
    }
}

fn check_application(application: &Application, reach: Reach) -> Vec<FileFault> {
    let mut faults = Faults::default();
    faults.line_of_text(&application.name, 80, "name");
    faults.unless(
        application.application_id != TenantId::platform(),
        "applicationId",
        text!("ist für den Betrieb der Plattform vergeben", "is taken for those who run the platform"),
    );

    faults.unless(!application.hosts.is_empty(), "hosts", text!("braucht mindestens einen Hostnamen", "needs at least one host name"));
    let mut hosts = BTreeSet::new();
    for (index, host) in application.hosts.iter().enumerate() {
        let path = format!("hosts[{index}]");
        if host.chars().any(|c| c.is_ascii_uppercase()) {
            faults.add(path, text!("muss klein geschrieben sein", "must be lower case"));
        } else if !is_host(host) {
            faults.add(
                path,
                text!(
                    "muss ein Hostname ohne https://, Port und Pfad sein, etwa zaehler.example.de",
                    "must be a host name without scheme, port or path, such as zaehler.example.de"
                ),
            );
        } else if !hosts.insert(host.as_str()) {
            faults.add(path, text!("`{host}` steht zweimal in der Liste", "`{host}` is listed twice"));
        }
    }
    check_portal_url(&application.portal_url, &hosts, &mut faults);
    check_remote_readings(&application.remote_readings, &mut faults);
    check_retention(&application.retention, &mut faults);

    if jiff::tz::TimeZone::get(&application.time_zone).is_err() {
        faults.add(
            "timeZone",
            text!(
                "`{zone}` ist keine Zeitzone der IANA-Liste, etwa Europe/Berlin",
                "`{zone}` is no time zone of the IANA list, such as Europe/Berlin",
                zone = application.time_zone
            ),
        );
    }
    check_language_list(&application.languages, &mut faults);
    for (path, color) in [("theme.primaryColor", &application.theme.primary_color), ("theme.headerColor", &application.theme.header_color)]
    {
        match contrast_to_white(color) {
            None => faults.add(path, text!("muss eine Farbe in der Form #rrggbb sein", "must be a colour written as #rrggbb")),
            // Rounded down, so that a refused 4.499 is not reported as the allowed 4.5.
            Some(contrast) if contrast < MIN_CONTRAST => faults.add(
                path,
                text!(
                    "hat zu weißer Schrift einen Kontrast von {german} zu 1, nötig sind mindestens {least} zu 1",
                    "has a contrast of {contrast:.2}:1 to white text, at least {MIN_CONTRAST}:1 is needed",
                    contrast = (contrast * 100.0).floor() / 100.0,
                    german = format!("{contrast:.2}").replace('.', ","),
                    least = MIN_CONTRAST.to_string().replace('.', ",")
                ),
            ),
            Some(_) => {}
        }
    }

    for (index, comment) in application.config.meter_reading.default_comments.iter().enumerate() {
        faults.line_of_text(comment, 1000, format!("config.meterReading.defaultComments[{index}]"));
    }
    let legal = &application.config.legal;
    for (name, link) in [("imprint", &legal.imprint), ("privacy", &legal.privacy), ("accessibility", &legal.accessibility)] {
        check_legal_link(name, link, &mut faults);
    }

    check_plausibility(&application.config.plausibility, &mut faults);

    let login = &application.login;
    for (path, length) in [("login.userNameMinLength", login.user_name_min_length), ("login.passwordMinLength", login.password_min_length)]
    {
        // A letter's password has 12 characters and must reach the button of the login screen.
        faults.unless((1..=12).contains(&length), path, text!("muss zwischen 1 und 12 liegen", "must lie between 1 and 12"));
    }

    let mail = &application.communication_settings;
    if !mail.sender_email.is_empty() {
        faults.mail(Some(&mail.sender_email), "communicationSettings.senderEmail");
        faults.line_of_text(&mail.sender_name, 80, "communicationSettings.senderName");
    }

    let crm = &application.crm_settings;
    faults.link(crm.registration_url.as_ref(), "crmSettings.registrationUrl");
    if crm.registration_url.as_ref().is_some_and(|url| url.ends_with('/') || url.contains(['?', '#'])) {
        faults.add(
            "crmSettings.registrationUrl",
            text!(
                "muss vor /m/{{selfServiceToken}} enden: ohne Abfrage und ohne Schrägstrich am Ende",
                "must end before /m/{{selfServiceToken}}: without query and closing slash"
            ),
        );
    }
    for (name, placements) in [("registrationPlacements", &crm.registration_placements), ("receiptPlacements", &crm.receipt_placements)] {
        for (index, placement) in placements.iter().enumerate() {
            faults.unless(
                !placements[..index].contains(placement),
                format!("crmSettings.{name}[{index}]"),
                text!("steht zweimal in der Liste", "is listed twice"),
            );
        }
    }

    check_crm(application, reach, &mut faults);
    check_webhook(application, reach, &mut faults);
    if let Some(login) = &application.desk.login {
        check_login(login, reach, &mut faults);
    }
    check_accessibility(application, &mut faults);
    check_visitor_reading(application, &mut faults);
    check_desk(&application.desk, &mut faults);
    faults.in_file(TENANT_FILE)
}

fn check_remote_readings(remote: &RemoteReadings, faults: &mut Faults) {
    for (index, origin) in remote.allowed_origins.iter().enumerate() {
        let path = format!("remoteReadings.allowedOrigins[{index}]");
        let sound = Address::parse(origin).is_some_and(|address| {
            // A browser writes an origin in lower case, and only such a one is ever equal.
            address.rest.is_empty() && !origin.bytes().any(|b| b.is_ascii_uppercase()) && address.is_https_or_loopback()
        });
        faults.unless(
            sound,
            path,
            text!(
                "muss eine Herkunft wie https://app.example.de sein: klein geschrieben, ohne Pfad und ohne Schrägstrich am Ende",
                "must be an origin such as https://app.example.de: lower case, no path and no closing slash"
            ),
        );
    }
}

fn check_retention(retention: &Retention, faults: &mut Faults) {
    faults.unless(
        (MIN_RETENTION_DAYS..=MAX_AUDIT_DAYS).contains(&retention.audit_days()),
        "retention.auditDays",
        text!(
            "muss zwischen {MIN_RETENTION_DAYS} und {MAX_AUDIT_DAYS} Tagen liegen",
            "must be between {MIN_RETENTION_DAYS} and {MAX_AUDIT_DAYS} days"
        ),
    );
    let limits = [("photoDays", retention.photo_days), ("commentDays", retention.comment_days)];
    for (name, days) in limits.into_iter().chain([("personalDataDays", retention.personal_data_days)]) {
        let needed = text!(
            "muss mindestens {MIN_RETENTION_DAYS} Tage sein: So spät kommen Ablesungen, die auf ein Netz warten",
            "must be at least {MIN_RETENTION_DAYS} days: readings that wait for a network are sent that late"
        );
        faults.unless(days.is_none_or(|days| days >= MIN_RETENTION_DAYS), format!("retention.{name}"), needed);
    }
    for (name, days) in limits {
        let fine = days.zip(retention.personal_data_days).is_none_or(|(days, all)| days <= all);
        faults.unless(
            fine,
            format!("retention.{name}"),
            text!(
                "darf nicht länger sein als personalDataDays; danach werden alle personenbezogenen Daten gelöscht",
                "must not be longer than personalDataDays, after which everything personal goes"
            ),
        );
    }
}

fn check_crm(application: &Application, reach: Reach, faults: &mut Faults) {
    let CrmAdapter::Http { base_url, credentials_parameter } = &application.crm else { return };
    match Address::parse(base_url) {
        None => faults.add(
            "crm.baseUrl",
            text!(
                "muss eine Adresse wie https://crm.example.de/zaehlwerk sein",
                "must be an address such as https://crm.example.de/zaehlwerk"
            ),
        ),
        Some(address) => {
            faults.public_host(&address, reach, "crm.baseUrl");
            let sound = !base_url.ends_with('/') && !base_url.contains(['?', '#']);
            faults.unless(
                sound,
                "crm.baseUrl",
                text!(
                    "muss vor den Pfaden der einzelnen Aufrufe enden: ohne Abfrage und ohne Schrägstrich am Ende",
                    "must end before the calls' own paths: without query and closing slash"
                ),
            );
        }
    }
    faults.parameter_name(credentials_parameter, "crm.credentialsParameter");
}

fn check_webhook(application: &Application, reach: Reach, faults: &mut Faults) {
    let Some(WebhookSettings { url, secret_parameter, paused: _ }) = &application.webhook else { return };
    match Address::parse(url) {
        None => faults.add(
            "webhook.url",
            text!(
                "muss eine Adresse wie https://erp.example.de/zaehlwerk sein",
                "must be an address such as https://erp.example.de/zaehlwerk"
            ),
        ),
        Some(address) => {
            faults.public_host(&address, reach, "webhook.url");
            faults.unless(
                !url.contains('#') && url.len() <= 2000,
                "webhook.url",
                text!("darf kein # enthalten und höchstens 2000 Zeichen haben", "must have no # and at most 2000 characters"),
            );
        }
    }
    faults.parameter_name(secret_parameter, "webhook.secretParameter");
}

fn check_login(DeskLogin { issuer, client_id, secret_parameter }: &DeskLogin, reach: Reach, faults: &mut Faults) {
    match Address::parse(issuer) {
        None => faults.add(
            "desk.login.issuer",
            text!(
                "muss eine Adresse wie https://login.stadtwerk.example/realms/buero sein, genau wie in den Tokens des Anbieters",
                "must be an address such as https://login.utility.example/realms/staff, exactly as in the provider's tokens"
            ),
        ),
        Some(address) => {
            faults.public_host(&address, reach, "desk.login.issuer");
            // OpenID Connect Discovery 1.0, section 2; a browser carries it, sealed, while a member logs in.
            faults.unless(
                !issuer.contains(['?', '#']) && issuer.len() <= 200,
                "desk.login.issuer",
                text!(
                    "darf weder ? noch # enthalten und höchstens 200 Zeichen haben",
                    "must have neither ? nor #, and at most 200 characters"
                ),
            );
        }
    }
    faults.unless(
        (1..=255).contains(&client_id.len()) && client_id.bytes().all(|byte| byte.is_ascii_graphic()),
        "desk.login.clientId",
        text!("muss aus 1 bis 255 Zeichen ohne Leerzeichen und Umlaute bestehen", "must be 1 to 255 characters of ASCII without blanks"),
    );
    faults.parameter_name(secret_parameter, "desk.login.secretParameter");
}

fn check_plausibility(plausibility: &Plausibility, faults: &mut Faults) {
    let Plausibility { electricity, own_generation, feed_in, gas, heat, water, other } = plausibility;
    let media = [
        ("electricity", electricity),
        ("ownGeneration", own_generation),
        ("feedIn", feed_in),
        ("gas", gas),
        ("heat", heat),
        ("water", water),
        ("other", other),
    ];
    for (name, medium) in media {
        let path = format!("config.plausibility.{name}");
        faults.unless(medium.floor <= 100_000, format!("{path}.floor"), text!("darf höchstens 100000 sein", "must be at most 100000"));
        faults.unless(
            (1..=10).contains(&medium.bands.len()),
            format!("{path}.bands"),
            text!("müssen 1 bis 10 Bänder sein", "must be 1 to 10 bands"),
        );
        for (index, band) in medium.bands.iter().enumerate() {
            let path = format!("{path}.bands[{index}]");
            let grows = medium.bands[..index].iter().all(|earlier| earlier.annual_from < band.annual_from);
            faults.unless(
                grows,
                format!("{path}.annualFrom"),
                text!("muss größer als im Band davor sein", "must be more than in the band before"),
            );
            faults.unless(
                band.annual_from <= 1_000_000_000,
                format!("{path}.annualFrom"),
                text!("darf höchstens 1000000000 sein", "must be at most 1000000000"),
            );
            faults.unless(
                (1..100).contains(&band.below_percent),
                format!("{path}.belowPercent"),
                text!("muss zwischen 1 und 99 liegen", "must lie between 1 and 99"),
            );
            // At ten times the use and more, not even a digit too many would be noticed.
            let fits = (101..=1000).contains(&band.above_percent);
            faults.unless(
                fits,
                format!("{path}.abovePercent"),
                text!("muss zwischen 101 und 1000 liegen", "must lie between 101 and 1000"),
            );
        }
    }
}

fn check_desk(desk: &DeskSettings, faults: &mut Faults) {
    if !desk.letter.sender_line.is_empty() {
        faults.line_of_text(&desk.letter.sender_line, 90, "desk.letter.senderLine");
    }
    faults.unless(desk.letter.footer.len() <= 4, "desk.letter.footer", text!("hat Platz für 4 Zeilen", "has room for 4 lines"));
    for (index, line) in desk.letter.footer.iter().enumerate() {
        faults.line_of_text(line, 120, format!("desk.letter.footer[{index}]"));
    }
    faults.unless(
        desk.imports.closed_unasked_percent <= 100,
        "desk.imports.closedUnaskedPercent",
        text!("muss zwischen 0 und 100 liegen", "must be 0 to 100"),
    );
    for (limit, path) in
        [(desk.limits.letters_per_day, "desk.limits.lettersPerDay"), (desk.limits.invitations_per_day, "desk.limits.invitationsPerDay")]
    {
        faults.unless((1..=10_000_000).contains(&limit), path, text!("muss zwischen 1 und 10000000 liegen", "must be 1 to 10000000"));
    }
    let reminders = &desk.reminders;
    faults.unless(
        (1..=10).contains(&reminders.at_most),
        "desk.reminders.atMost",
        text!("muss zwischen 1 und 10 liegen", "must be 1 to 10"),
    );
    faults.unless(
        (1..=366).contains(&reminders.days_before),
        "desk.reminders.daysBefore",
        text!("muss zwischen 1 und 366 liegen", "must be 1 to 366"),
    );
    let after_opening = reminders.days_after_opening.is_none_or(|days| (1..=366).contains(&days));
    faults.unless(
        after_opening,
        "desk.reminders.daysAfterOpening",
        text!("muss zwischen 1 und 366 liegen oder null sein", "must be 1 to 366, or null"),
    );
    faults.unless(
        (1..=366).contains(&reminders.days_between),
        "desk.reminders.daysBetween",
        text!("muss zwischen 1 und 366 liegen", "must be 1 to 366"),
    );
    faults.unless(
        (1..=1000).contains(&reminders.per_second),
        "desk.reminders.perSecond",
        text!("muss zwischen 1 und 1000 liegen", "must be 1 to 1000"),
    );
    for (medium, partners) in [(Medium::Electricity, &desk.market.electricity), (Medium::Gas, &desk.market.gas)] {
        if let Some(partners) = partners {
            check_partners(medium, partners, faults);
        }
    }
}

/// What goes out by itself must be something that goes out (D-EXPORTS-10).
fn check_exports(bundle: &Bundle<'_>) -> Vec<FileFault> {
    let mut faults = Faults::default();
    let Application { desk, webhook, .. } = bundle.application;
    let exports = &desk.exports;
    faults.unless(
        exports.scheduled.len() <= SCHEDULED_MAX,
        "desk.exports.scheduled",
        text!("hat Platz für {SCHEDULED_MAX} Exporte", "has room for {SCHEDULED_MAX} exports"),
    );
    faults.unless(
        !exports.announced || webhook.is_some(),
        "desk.exports.announced",
        text!("braucht einen Webhook (webhook.url)", "needs a webhook (webhook.url)"),
    );
    for (index, export) in exports.scheduled.iter().enumerate() {
        let path = |name: &str| format!("desk.exports.scheduled[{index}].{name}");
        let ScheduledExport { what, preset, season, every, day, hour } = export;
        let is_repeated = exports.scheduled.iter().take(index).any(|earlier| earlier == export);
        faults.unless(!is_repeated, format!("desk.exports.scheduled[{index}]"), text!("steht zweimal da", "is there twice"));
        faults.unless(*hour <= 23, path("hour"), text!("muss zwischen 0 und 23 liegen", "must be 0 to 23"));
        let (is_day, rule) = match every {
            Rhythm::Day => (day.is_none(), text!("entfällt, wo täglich exportiert wird", "goes where exports are daily")),
            Rhythm::Week => {
                let is_day = day.is_some_and(|day| (1..=7).contains(&day));
                (is_day, text!("muss zwischen 1 (Montag) und 7 liegen", "must be 1 (Monday) to 7"))
            }
            Rhythm::Month => {
                let is_day = day.is_some_and(|day| (1..=28).contains(&day));
                (is_day, text!("muss zwischen 1 und 28 liegen", "must be 1 to 28"))
            }
        };
        faults.unless(is_day, path("day"), rule);
        faults.unless(
            season.is_none() || *what == ExportWhat::Table,
            path("season"),
            text!("gibt es nur bei Ablesungen zu Aufträgen", "goes with readings of jobs only"),
        );
        let list = match what {
            ExportWhat::Table => Some(List::Readings),
            ExportWhat::WithoutJob => Some(List::WithoutJob),
            ExportWhat::Market => None,
        };
        let Some(list) = list else {
            faults.unless(preset.is_none(), path("preset"), text!("entfällt bei Marktnachrichten", "goes with messages to the market"));
            let has_partners = desk.market.electricity.is_some() || desk.market.gas.is_some();
            let needs = text!("braucht Marktpartner (desk.market)", "needs partners in the market (desk.market)");
            faults.unless(has_partners, path("what"), needs);
            continue;
        };
        let own = preset.as_ref().and_then(|name| bundle.presets.get(name));
        faults.unless(
            own.is_some() || preset.as_ref().is_some_and(|name| list.has_built_in(name)),
            path("preset"),
            text!("nennt keine Exportvorlage dieser Liste", "names no preset of this list"),
        );
        if let Some(reason) = own.and_then(|own| own.misplaced(list)) {
            faults.add(path("preset"), reason);
        }
    }
    faults.in_file(TENANT_FILE)
}

/// Who may write to whom follows from medium and roles (D-MARKET-2).
fn check_partners(medium: Medium, partners: &MarketPartners, faults: &mut Faults) {
    let MarketPartners { sender, role, recipient, recipient_role } = partners;
    let path = format!("desk.market.{}", medium.name());
    for (name, id) in [("sender", Some(sender)), ("recipient", recipient.as_ref())] {
        if let Some(Err(reason)) = id.map(|id| medium.check_id(id)) {
            faults.add(format!("{path}.{name}"), reason);
        }
    }
    faults.unless(
        role.is_some(),
        format!("{path}.role"),
        text!(
            "muss sagen, in welcher Marktrolle gesendet wird: MSB, NB oder LF",
            "must say in which role the utility sends: MSB, NB or LF"
        ),
    );
    faults.unless(
        recipient_role.is_some(),
        format!("{path}.recipientRole"),
        text!(
            "muss sagen, in welcher Marktrolle empfangen wird: MSB, NB, LF oder HKN-R",
            "must say in which role the others receive: MSB, NB, LF or HKN-R"
        ),
    );
    if let (Some(from), Some(to)) = (role, recipient_role)
        && !medium.may_send(*from, *to)
    {
        faults.add(
            format!("{path}.recipientRole"),
            text!(
                "{from} sendet in dieser Sparte keine Zählerstände an {to} (Prüfidentifikator {pid})",
                "{from} sends no counters to {to} in this medium (check identifier {pid})",
                from = from.name(),
                to = to.name(),
                pid = medium.check_identifier(),
            ),
        );
    }
}

fn check_portal_url(url: &str, hosts: &BTreeSet<&str>, faults: &mut Faults) {
    let Some(address) = Address::parse(url) else {
        return faults.add(
            "portalUrl",
            text!("muss eine Adresse wie https://zaehler.example.de sein", "must be an address such as https://zaehler.example.de"),
        );
    };
    if !address.rest.is_empty() {
        faults.add(
            "portalUrl",
            text!(
                "muss mit dem Hostnamen oder Port enden: ohne Pfad und ohne Schrägstrich am Ende",
                "must end with the host or port: no path and no closing slash"
            ),
        );
    }
    faults.unless(address.is_https_or_loopback(), "portalUrl", text!("muss mit https:// beginnen", "must begin with https://"));
    if !hosts.contains(address.host) {
        faults.add(
            "portalUrl",
            text!(
                "`{host}` ist keiner der Hostnamen; Links in Anschreiben würden ins Leere führen",
                "`{host}` is not one of the hosts, so links in letters would lead nowhere",
                host = address.host
            ),
        );
    }
}

fn check_language_list(languages: &[Language], faults: &mut Faults) {
    faults.unless(!languages.is_empty(), "languages", text!("braucht mindestens eine Sprache", "needs at least one language"));
    for (index, language) in languages.iter().enumerate() {
        let path = format!("languages[{index}].name");
        let fits = (2..=32).contains(&language.name.len()) && language.name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !fits {
            faults.add(
                path,
                text!(
                    "muss aus 2 bis 32 Buchstaben, Ziffern und Bindestrichen bestehen, etwa de-FORMAL",
                    "must consist of 2 to 32 letters, digits and hyphens, such as de-FORMAL"
                ),
            );
        } else if languages[..index].iter().any(|earlier| earlier.name == language.name) {
            faults.add(path, text!("`{name}` steht zweimal in der Liste", "`{name}` is listed twice", name = language.name));
        }
        faults.line_of_text(&language.readable_name, 40, format!("languages[{index}].readableName"));
    }
}

fn check_legal_link(name: &str, link: &LegalLink, faults: &mut Faults) {
    let path = format!("config.legal.{name}.url");
    let portal_path =
        link.url.starts_with('/') && !link.url.starts_with("//") && !link.url.contains(|c: char| c.is_whitespace() || c == '\\');
    if link.url.is_empty() {
        faults.unless(!link.enabled, path, text!("fehlt, obwohl der Link eingeschaltet ist", "is needed, because the link is enabled"));
    } else if !portal_path && !is_https_link(&link.url) {
        faults.add(
            path,
            text!(
                "muss eine Adresse mit https:// sein oder ein Pfad des Portals, der mit / beginnt",
                "must be an https:// address or a path of the portal that begins with /"
            ),
        );
    }
}

fn check_accessibility(application: &Application, faults: &mut Faults) {
    let statement = &application.accessibility;
    faults.link(statement.main_url.as_ref(), "accessibility.mainUrl");
    let has_own = statement.custom_content.as_ref().is_some_and(|content| !content.trim().is_empty());
    let office = statement.enforcement_office.as_ref().and_then(|office| office.name.as_deref());
    faults.unless(
        statement.regime != Some(AccessibilityRegime::Bitv) || has_own || office.is_some_and(|name| !name.trim().is_empty()),
        "accessibility.enforcementOffice.name",
        text!(
            "ist nach BITV nötig: Welche Durchsetzungsstelle zuständig ist, hängt vom Bundesland ab",
            "is needed under BITV: which office a public body has depends on its Land"
        ),
    );
    for (index, legal) in statement.legals.iter().enumerate() {
        faults.unless(
            !legal.text.trim().is_empty(),
            format!("accessibility.legals[{index}].text"),
            text!("darf nicht leer sein", "must not be empty"),
        );
    }
    for (index, alternative) in statement.alternatives.iter().enumerate() {
        let path = format!("accessibility.alternatives[{index}]");
        faults.line_of_text(&alternative.title, 200, format!("{path}.title"));
        faults.link(alternative.link.as_ref(), format!("{path}.link"));
    }
    if let Some(contact) = &statement.contact {
        faults.mail(contact.email.as_ref(), "accessibility.contact.email");
        faults.link(contact.form.as_ref(), "accessibility.contact.form");
    }
    if let Some(office) = &statement.enforcement_office {
        faults.mail(office.email.as_ref(), "accessibility.enforcementOffice.email");
        faults.link(office.form.as_ref(), "accessibility.enforcementOffice.form");
        faults.link(office.web.as_ref(), "accessibility.enforcementOffice.web");
    }
}

fn check_visitor_reading(application: &Application, faults: &mut Faults) {
    let VisitorReadingConfig { meters, reading_reasons, validation } = &application.unknown_reading;
    if application.config.unknown_user_reading.unknown_user_reading_allowed {
        faults.unless(
            !meters.is_empty(),
            "unknownReading.meters",
            text!(
                "braucht mindestens eine Sparte, weil Ablesungen ohne Anmeldung erlaubt sind",
                "needs at least one meter type, because reading without a login is allowed"
            ),
        );
        faults.unless(
            !reading_reasons.is_empty(),
            "unknownReading.readingReasons",
            text!(
                "braucht mindestens einen Grund, weil Ablesungen ohne Anmeldung erlaubt sind",
                "needs at least one reason, because reading without a login is allowed"
            ),
        );
    }
    for (&meter_type, meter) in meters {
        let name = wire_name(meter_type);
        let path = format!("unknownReading.meters.{name}");
        faults.unless(
            meter_type != MeterType::GenericMeter,
            &path,
            text!("gibt es nicht ohne Ableseauftrag (P1)", "is not offered without a job (P1)"),
        );
        check_meter_config(&meter.default_meter_config, &format!("{path}.defaultMeterConfig"), faults);
        if let Some(custom) = &meter.custom_meter_config {
            check_meter_config(custom, &format!("{path}.customMeterConfig"), faults);
        }
        faults.unless(
            !meter.default_meter_config.meter_rate_configs.is_empty() || !meter.sub_type_meter_configs.is_empty(),
            format!("{path}.defaultMeterConfig.meterRateConfigs"),
            text!("braucht mindestens einen Tarif", "needs at least one rate"),
        );
        let mut sub_types = BTreeSet::new();
        for (index, sub) in meter.sub_type_meter_configs.iter().enumerate() {
            // Whoever chooses it would have nothing to enter.
            if let Some(asked) = asked(&application.unknown_reading, meter_type, Some(&sub.sub_type))
                && asked.config.meter_rate_configs.is_empty()
            {
                let config = if asked.is_choice { "customMeterConfig" } else { "defaultMeterConfig" };
                let label = &sub.sub_type_label;
                faults.add(
                    format!("{path}.{config}.meterRateConfigs"),
                    text!(
                        "braucht mindestens einen Tarif, weil die Unterart `{label}` sonst keinen hat",
                        "needs at least one rate, because the sub-type `{label}` has none otherwise"
                    ),
                );
            }
            let path = format!("{path}.subTypeMeterConfigs[{index}]");
            if sub.meter_type != meter_type {
                faults.add(
                    format!("{path}.meterType"),
                    text!("muss {name} sein, die Sparte, zu der die Unterart gehört", "must be {name}, the type that it is a sub-type of"),
                );
            }
            faults.line_of_text(&sub.sub_type, 64, format!("{path}.subType"));
            faults.unless(
                sub_types.insert(&sub.sub_type),
                format!("{path}.subType"),
                text!("steht zweimal in der Liste", "is listed twice"),
            );
            faults.line_of_text(&sub.sub_type_label, 80, format!("{path}.subTypeLabel"));
            check_meter_config(&sub.meter_config, &format!("{path}.meterConfig"), faults);
        }
    }
    for (index, reason) in reading_reasons.iter().enumerate() {
        let path = format!("unknownReading.readingReasons[{index}]");
        let earlier = reading_reasons[..index].iter().any(|other| other.value == reason.value);
        faults.unless(!earlier, format!("{path}.value"), text!("steht zweimal in der Liste", "is listed twice"));
        faults.line_of_text(&reason.label_de, 80, format!("{path}.labelDE"));
        faults.line_of_text(&reason.label_en, 80, format!("{path}.labelEN"));
    }
    let length = &validation.meter_number;
    let fits = (1..=length.meter_number_max_length).contains(&length.meter_number_min_length);
    faults.unless(
        fits,
        "unknownReading.validation.meterNumber.meterNumberMinLength",
        text!(
            "muss mindestens 1 sein und darf nicht über meterNumberMaxLength liegen",
            "must be at least 1 and not above meterNumberMaxLength"
        ),
    );
    faults.unless(
        length.meter_number_max_length <= 64,
        "unknownReading.validation.meterNumber.meterNumberMaxLength",
        text!("darf höchstens 64 sein", "must be at most 64"),
    );
}

fn check_meter_config(config: &MeterConfig, path: &str, faults: &mut Faults) {
    check_rate_reading(&config.default_meter_reading_config, &format!("{path}.defaultMeterReadingConfig"), faults);
    let mut codes = BTreeSet::new();
    for (index, rate) in config.meter_rate_configs.iter().enumerate() {
        let path = format!("{path}.meterRateConfigs[{index}]");
        match rate.obis.parse::<ObisCode>() {
            Err(reason) => faults.add(format!("{path}.obis"), reason),
            Ok(_) => faults.unless(
                codes.insert(rate.obis.as_str()),
                format!("{path}.obis"),
                text!("steht zweimal in der Liste", "is listed twice"),
            ),
        }
        faults.line_of_text(&rate.obis_label, 80, format!("{path}.obisLabel"));
        faults.line_of_text(&rate.rate_name, 80, format!("{path}.rateName"));
        if let Some(reading) = &rate.reading_config {
            check_rate_reading(reading, &format!("{path}.readingConfig"), faults);
        }
    }
    for (index, obis) in config.default_selected_meter_rates_by_obis.iter().enumerate() {
        let offered = config.meter_rate_configs.iter().any(|rate| rate.obis == *obis);
        faults.unless(
            offered,
            format!("{path}.defaultSelectedMeterRatesByOBIS[{index}]"),
            text!("ist keiner der Tarife aus meterRateConfigs", "is not among the rates of meterRateConfigs"),
        );
    }
}

fn check_rate_reading(reading: &RateReadingConfig, path: &str, faults: &mut Faults) {
    let pre = usize::from(reading.pre_decimals);
    if !(1..=MeterValue::MAX_PRE_DECIMALS).contains(&pre) {
        faults.add(
            format!("{path}.preDecimals"),
            text!("muss zwischen 1 und {most} liegen", "must lie between 1 and {most}", most = MeterValue::MAX_PRE_DECIMALS),
        );
    }
    if usize::from(reading.post_decimals) > MeterValue::MAX_POST_DECIMALS {
        faults.add(
            format!("{path}.postDecimals"),
            text!("darf höchstens {most} sein", "must be at most {most}", most = MeterValue::MAX_POST_DECIMALS),
        );
    }
    if reading.is_reading_image_required && !reading.is_reading_image_allowed {
        faults.add(
            format!("{path}.isReadingImageRequired"),
            text!("widerspricht isReadingImageAllowed", "contradicts isReadingImageAllowed"),
        );
    }
}

fn check_contact(items: &[ContactInformationItem]) -> Vec<FileFault> {
    let mut faults = Faults::default();
    for (index, item) in items.iter().enumerate() {
        faults.unless(
            item.path.is_empty() || item.path.starts_with('/'),
            format!("[{index}].path"),
            text!("muss leer sein oder mit / beginnen", "must be empty or begin with /"),
        );
        faults.unless(!item.text.trim().is_empty(), format!("[{index}].text"), text!("darf nicht leer sein", "must not be empty"));
        let twice = items[..index].iter().any(|earlier| earlier.language == item.language && earlier.path == item.path);
        faults.unless(
            !twice,
            format!("[{index}]"),
            text!("hat dieselbe Sprache und denselben Pfad wie ein früherer Eintrag", "has the language and path of an earlier item"),
        );
    }
    faults.in_file(CONTACT_FILE)
}

fn check_instructions(instructions: &[MeterReadingInstruction]) -> Vec<FileFault> {
    let mut faults = Faults::default();
    for (index, instruction) in instructions.iter().enumerate() {
        for (field, pattern) in [("obisFilter", &instruction.obis_filter), ("meterNumberFilter", &instruction.meter_number_filter)] {
            if let Err(error) = regex_lite::Regex::new(pattern) {
                faults.add(
                    format!("[{index}].{field}"),
                    text!("ist kein regulärer Ausdruck: {error}", "is not a regular expression: {error}"),
                );
            }
        }
        faults.unless(
            !instruction.content.trim().is_empty(),
            format!("[{index}].content"),
            text!("darf nicht leer sein", "must not be empty"),
        );
    }
    faults.in_file(INSTRUCTIONS_FILE)
}

fn check_logo(png: &[u8]) -> Vec<FileFault> {
    let mut faults = Faults::default();
    if png.len() > LOGO_MAX_BYTES {
        faults.add(
            "",
            text!(
                "hat {size} KB, erlaubt sind höchstens {most} KB",
                "has {size} KB, at most {most} KB are allowed",
                size = png.len().div_ceil(1024),
                most = LOGO_MAX_BYTES / 1024
            ),
        );
    }
    match png_size(png) {
        None => faults.add("", text!("ist kein vollständiges PNG-Bild", "is not a complete PNG image")),
        Some((width, height)) if !LOGO_SIDES.contains(&width) || !LOGO_SIDES.contains(&height) => {
            let (least, most) = (LOGO_SIDES.start(), LOGO_SIDES.end());
            faults.add(
                "",
                text!(
                    "ist {width} x {height} Pixel groß; jede Seite muss {least} bis {most} haben",
                    "is {width} x {height} pixels; each side must have {least} to {most}"
                ),
            );
        }
        Some(_) => {}
    }
    faults.in_file(LOGO_FILE)
}

/// Width and height of a PNG whose chunks are all there, from its signature to `IEND`.
fn png_size(png: &[u8]) -> Option<(u32, u32)> {
    let number = |bytes: &[u8]| bytes.try_into().ok().map(u32::from_be_bytes);
    let mut rest = png.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    let mut size = None;
    loop {
        let (length, after) = rest.split_at_checked(4)?;
        let length = usize::try_from(number(length)?).ok()?;
        let (kind, after) = after.split_at_checked(4)?;
        let (data, after) = after.split_at_checked(length)?;
        rest = after.get(4..)?;
        match kind {
            b"IHDR" => size = Some((number(data.get(..4)?)?, number(data.get(4..8)?)?)),
            b"IEND" if rest.is_empty() => return size,
            _ => {}
        }
    }
}

/// Contrast of white to `#rrggbb` after WCAG 2.2 (1:1 to 21:1), or none if it is no such colour.
pub fn contrast_to_white(color: &str) -> Option<f64> {
    let digits = color.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(digits.get(at..at + 2)?, 16).ok()?) / 255.0;
        Some(if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) })
    };
    let luminance = 0.2126 * channel(0)? + 0.7152 * channel(2)? + 0.0722 * channel(4)?;
    Some(1.05 / (luminance + 0.05))
}

/// The parts of an absolute web address that the rules look at.
struct Address<'a> {
    scheme: &'a str,
    host: &'a str,
    port: Option<u16>,
    rest: &'a str,
}

impl<'a> Address<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        if text.chars().any(|c| c.is_whitespace() || c.is_control() || c == '\\') {
            return None;
        }
        let (scheme, after) = text.split_once("://")?;
        let (authority, rest) = after.split_at(after.find(['/', '?', '#']).unwrap_or(after.len()));
        let (host, port) = match authority.split_once(':') {
            Some((host, port)) => (host, Some(port.parse::<u16>().ok().filter(|port| *port > 0)?)),
            None => (authority, None),
        };
        is_host(&host.to_ascii_lowercase()).then_some(Self { scheme, host, port, rest })
    }

    /// Encrypted, or on this machine where that may be.
    fn is_https_within(&self, reach: Reach) -> bool {
        self.scheme == "https" || (self.scheme == "http" && !Reach::Internet.takes_host(self.host) && reach.takes_host(self.host))
    }

    /// Encrypted, or on this machine.
    fn is_https_or_loopback(&self) -> bool {
        let loopback = self.host == "localhost" || self.host.ends_with(".localhost");
        self.scheme == "https" || (self.scheme == "http" && loopback)
    }
}

fn is_https_link(text: &str) -> bool {
    Address::parse(text).is_some_and(|address| address.scheme == "https")
}

fn wire_name(meter_type: MeterType) -> &'static str {
    match meter_type {
        MeterType::ElectricMeter => "ELECTRIC_METER",
        MeterType::HeatMeter => "HEAT_METER",
        MeterType::GasMeter => "GAS_METER",
        MeterType::WaterMeter => "WATER_METER",
        MeterType::WaterWarmMeter => "WATER_WARM_METER",
        MeterType::GenericMeter => "GENERIC_METER",
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;
    use crate::text::Lang;
    use serde_json::{Value, json};

    /// The smallest PNG that has all its chunks; the check does not look at its pixels.
    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.extend(b"\x08\x06\0\0\0crc!\0\0\0\0IENDcrc!");
        bytes
    }

    fn check_application_with(pointer: &str, value: Value) -> Vec<String> {
        check_application_within(Reach::AndThisMachine, pointer, value)
    }

    fn check_application_within(reach: Reach, pointer: &str, value: Value) -> Vec<String> {
        faults_of_application(reach, pointer, value).into_iter().map(|found| found.fault.path).collect()
    }

    fn faults_of_application(reach: Reach, pointer: &str, value: Value) -> Vec<FileFault> {
        let rate = json!({ "obis": "7-0:3.0.0", "obisLabel": "3.0.0", "rateName": "Verbrauch", "readingConfig": { "preDecimals": 6 } });
        let mut document = json!({
            "applicationId": "t", "name": "Stadtwerke", "hosts": ["zaehler.example.de", "localhost"], "portalUrl": "https://zaehler.example.de",
            "timeZone": "Europe/Berlin", "defaultLanguage": "de-FORMAL",
            "languages": [{ "name": "de-FORMAL", "readableName": "Deutsch" }, { "name": "en-FORMAL", "readableName": "English" }],
            "config": { "meterReading": { "defaultComments": ["meterWasChanged"] }, "unknownUserReading": { "unknownUserReadingAllowed": true },
                        "legal": { "imprint": { "url": "https://example.de/impressum", "enabled": true }, "accessibility": { "url": "/accessibility", "enabled": true } } },
            "login": { "userNameMinLength": 5, "passwordMinLength": 12 },
            "theme": { "primaryColor": "#1c6b45", "headerColor": "#14523a" },
            "communicationSettings": { "senderName": "Stadtwerke", "senderEmail": "service@example.de" },
            "crmSettings": { "registrationPlacements": ["MENU", "HOME"], "registrationUrl": "https://crm.example.de" },
            "crm": { "adapter": "http", "baseUrl": "https://crm.example.de/zaehlwerk", "credentialsParameter": "crm-key" },
            "webhook": { "url": "https://erp.example.de/zaehlwerk?tenant=7", "secretParameter": "secrets" },
            "accessibility": { "mainUrl": "https://example.de", "legals": [{ "text": "BFSG" }],
                               "alternatives": [{ "title": "Telefon", "description": "", "link": "https://example.de/telefon" }],
                               "contact": { "email": "a@example.de", "form": "https://example.de/form" },
                               "enforcementOffice": { "email": "b@example.de", "form": "https://example.de", "web": "https://example.de" } },
            "remoteReadings": { "allowedOrigins": ["https://app.example.de", "http://localhost:9000"] },
            "retention": { "photoDays": 180, "commentDays": 180, "personalDataDays": 730, "auditDays": 730 },
            "desk": { "reminders": { "daysAfterOpening": null },
                      "login": { "issuer": "https://login.example.de/realms/staff", "clientId": "desk", "secretParameter": "login" },
                      "exports": { "announced": true, "scheduled": [
                          { "what": "TABLE", "preset": "plain", "every": "DAY", "hour": 6 }, { "what": "WITHOUT_JOB", "preset": "plain", "every": "MONTH", "day": 28, "hour": 23 } ] } },
            "unknownReading": {
                "meters": { "GAS_METER": {
                    "defaultMeterConfig": { "meterRateConfigs": [rate], "defaultSelectedMeterRatesByOBIS": ["7-0:3.0.0"] },
                    "subTypeMeterConfigs": [{ "meterType": "GAS_METER", "subType": "A", "subTypeLabel": "A", "meterConfig": { "meterRateConfigs": [rate] } }] } },
                "readingReasons": [{ "value": "ANNUAL_READING", "labelDE": "Jahresablesung", "labelEN": "Annual reading" }],
                "validation": { "meterNumber": { "meterNumberMinLength": 8, "meterNumberMaxLength": 14 } } },
        });
        let (place, name) = pointer.rsplit_once('/').unwrap();
        match document.pointer_mut(pointer) {
            Some(member) => *member = value,
            None => document.pointer_mut(place).unwrap()[name] = value,
        }
        let application: Application = serde_json::from_value(document).unwrap();
        let (translations, help) = (BTreeMap::new(), BTreeMap::new());
        let logo = png(320, 72);
        let bundle = Bundle {
            application: &application,
            translations: &translations,
            help: &help,
            contact: &[],
            instructions: &[],
            presets: &BTreeMap::new(),
            logo: &logo,
            reach,
        };
        check(&bundle).into_iter().chain(check_languages(&bundle)).collect()
    }

    #[test]
    fn a_sound_document_has_no_fault() {
        assert_eq!(check_application_with("/name", json!("Stadtwerke")), [""; 0]);
        assert_eq!(check_application_with("/portalUrl", json!("http://localhost:5173")), [""; 0]);
        assert_eq!(check_application_with("/communicationSettings/senderEmail", json!("")), [""; 0]);
        assert_eq!(check_application_with("/crm/baseUrl", json!("http://localhost:9000/crm")), [""; 0]);
        assert_eq!(check_application_with("/crm", json!({ "adapter": "builtin" })), [""; 0]);
        assert_eq!(check_application_with("/webhook/url", json!("http://localhost:9000/readings")), [""; 0]);
        assert_eq!(check_application_with("/webhook", json!(null)), ["desk.exports.announced"], "and nothing else");
        assert_eq!(check_application_with("/name", json!("x".repeat(80))), [""; 0]);
        assert_eq!(check_application_with("/webhook/url", json!(format!("https://a.de/{}", "x".repeat(1987)))), [""; 0]);
        assert_eq!(check_application_with("/crm/credentialsParameter", json!("aZ09._-")), [""; 0]);
        assert_eq!(check_application_with("/desk/login/issuer", json!("http://localhost:8080/realms/staff")), [""; 0]);
        assert_eq!(check_application_with("/desk/login/issuer", json!(format!("https://a.de/{}", "x".repeat(187)))), [""; 0]);
        assert_eq!(check_application_with("/desk/login/clientId", json!("x".repeat(255))), [""; 0]);
        let month = json!({ "photoDays": 35, "commentDays": 35, "personalDataDays": 35 });
        assert_eq!(check_application_with("/retention", month), [""; 0]);
        let partners = json!({ "sender": "9800000000001", "role": "NB", "recipient": "9800000000002", "recipientRole": "LF" });
        let desk = json!({ "imports": { "closedUnaskedPercent": 100 }, "limits": { "lettersPerDay": 1 }, "letter": { "senderLine": "x".repeat(90), "footer": ["a", "b", "c", "d"] }, "market": { "gas": partners } });
        assert_eq!(check_application_with("/desk", desk), [""; 0]);
        assert_eq!(check_application_with("/unknownReading/meters/GAS_METER/subTypeMeterConfigs", json!([])), [""; 0]);
        let no_default = "/unknownReading/meters/GAS_METER/defaultMeterConfig";
        assert_eq!(check_application_with(no_default, json!({})), [""; 0], "its only sub-type has rates");
        assert_eq!(check_application_with("/unknownReading/validation/meterNumber/meterNumberMaxLength", json!(64)), [""; 0]);
        let rate = "/unknownReading/meters/GAS_METER/defaultMeterConfig/meterRateConfigs/0/readingConfig";
        assert_eq!(check_application_with(rate, json!({ "preDecimals": 15, "postDecimals": 9 })), [""; 0]);
        assert_eq!(
            check_application_with(rate, json!({ "preDecimals": 6, "isReadingImageAllowed": true, "isReadingImageRequired": true })),
            [""; 0]
        );
        let of_market = json!([{ "what": "MARKET", "every": "DAY", "hour": 6 }]);
        for (medium, authority, role, recipient_role) in [("electricity", "99", "MSB", "NB"), ("gas", "98", "NB", "LF")] {
            let (sender, recipient) = (format!("{authority}00000000001"), format!("{authority}00000000002"));
            let partners = json!({ "sender": sender, "role": role, "recipient": recipient, "recipientRole": recipient_role });
            let desk = json!({ "market": { medium: partners }, "exports": { "scheduled": of_market } });
            assert_eq!(check_application_with("/desk", desk), [""; 0], "{medium}");
        }
        for statement in [
            json!({ "regime": "BFSG" }),
            json!({ "regime": "BITV", "enforcementOffice": { "name": "Durchsetzungsstelle" } }),
            json!({ "regime": "BITV", "customContent": "<p>Unsere Erklärung</p>" }),
        ] {
            assert_eq!(check_application_with("/accessibility", statement.clone()), [""; 0], "{statement}");
        }
    }

    #[test]
    fn each_fault_of_the_document_is_found_at_its_place() {
        let gas = "/unknownReading/meters/GAS_METER";
        let gas_path = "unknownReading.meters.GAS_METER";
        let sub_type = |name: &str| json!({ "meterType": "GAS_METER", "subType": name, "subTypeLabel": name });
        let reason = json!({ "value": "OTHER", "labelDE": "x", "labelEN": "y" });
        let rate = json!({ "obis": "7-0:3.0.0", "obisLabel": "3.0.0", "rateName": "Verbrauch" });
        let mut with_rates = sub_type("A");
        with_rates["meterConfig"] = json!({ "meterRateConfigs": [rate] });
        let roles = |sender: &str, role: &str, recipient: &str, recipient_role: &str| {
            let partners = json!({ "sender": sender, "role": role, "recipient": recipient, "recipientRole": recipient_role });
            json!({ "market": { "electricity": partners } })
        };
        let market = |sender: &str, recipient: &str| roles(sender, "MSB", recipient, "LF");
        for (pointer, value, path) in [
            ("/name", json!(" "), "name"),
            ("/name", json!("x".repeat(81)), "name"),
            ("/name", json!("Stadt\twerke"), "name"),
            ("/hosts", json!([]), "portalUrl"),
            ("/hosts/1", json!("Localhost"), "hosts[1]"),
            ("/hosts/1", json!("localhost:80"), "hosts[1]"),
            ("/hosts/1", json!("-a.de"), "hosts[1]"),
            ("/hosts/1", json!("zaehler.example.de"), "hosts[1]"),
            ("/portalUrl", json!("zaehler.example.de"), "portalUrl"),
            ("/portalUrl", json!("http://zaehler.example.de"), "portalUrl"),
            ("/portalUrl", json!("https://zaehler.example.de/"), "portalUrl"),
            ("/portalUrl", json!("https://other.example.de"), "portalUrl"),
            ("/timeZone", json!("Europe/Birkenfurt"), "timeZone"),
            ("/webhook", json!(null), "desk.exports.announced"),
            ("/desk/exports/scheduled/0/hour", json!(24), "desk.exports.scheduled[0].hour"),
            ("/desk/exports/scheduled/0/day", json!(1), "desk.exports.scheduled[0].day"),
            ("/desk/exports/scheduled/1/day", json!(29), "desk.exports.scheduled[1].day"),
            ("/desk/exports/scheduled/1/day", json!(0), "desk.exports.scheduled[1].day"),
            ("/desk/exports/scheduled/1/day", json!(null), "desk.exports.scheduled[1].day"),
            ("/desk/exports/scheduled/1/every", json!("WEEK"), "desk.exports.scheduled[1].day"),
            ("/desk/exports/scheduled/0/preset", json!(null), "desk.exports.scheduled[0].preset"),
            ("/desk/exports/scheduled/0/preset", json!("fremd"), "desk.exports.scheduled[0].preset"),
            ("/desk/exports/scheduled/1/preset", json!("sap-isu"), "desk.exports.scheduled[1].preset"),
            ("/desk/exports/scheduled/1/season", json!("2026"), "desk.exports.scheduled[1].season"),
            ("/desk/exports/scheduled/0", json!({ "what": "MARKET", "every": "DAY", "hour": 6 }), "desk.exports.scheduled[0].what"),
            (
                "/desk/exports/scheduled/1",
                json!({ "what": "TABLE", "preset": "plain", "every": "DAY", "hour": 6 }),
                "desk.exports.scheduled[1]",
            ),
            ("/desk", json!({ "reminders": { "daysAfterOpening": 0 } }), "desk.reminders.daysAfterOpening"),
            ("/desk", json!({ "reminders": { "daysAfterOpening": 367 } }), "desk.reminders.daysAfterOpening"),
            ("/desk", json!({ "reminders": { "atMost": 11 } }), "desk.reminders.atMost"),
            ("/desk", json!({ "reminders": { "atMost": 0 } }), "desk.reminders.atMost"),
            ("/desk", json!({ "reminders": { "daysBefore": 367 } }), "desk.reminders.daysBefore"),
            ("/desk", json!({ "reminders": { "daysBetween": 0 } }), "desk.reminders.daysBetween"),
            ("/desk", json!({ "reminders": { "perSecond": 1001 } }), "desk.reminders.perSecond"),
            ("/desk", json!({ "imports": { "closedUnaskedPercent": 101 } }), "desk.imports.closedUnaskedPercent"),
            ("/desk", json!({ "limits": { "lettersPerDay": 0 } }), "desk.limits.lettersPerDay"),
            ("/desk", json!({ "limits": { "invitationsPerDay": 10_000_001 } }), "desk.limits.invitationsPerDay"),
            ("/desk", json!({ "letter": { "senderLine": " " } }), "desk.letter.senderLine"),
            ("/desk", json!({ "letter": { "footer": ["a", "b", "c", "d", "e"] } }), "desk.letter.footer"),
            ("/desk", json!({ "letter": { "footer": ["a", ""] } }), "desk.letter.footer[1]"),
            ("/desk", market("990000000001", "9900000000002"), "desk.market.electricity.sender"),
            ("/desk", market("9900000000001", "990000000000x"), "desk.market.electricity.recipient"),
            ("/desk", market("9900000000001", "9800000000002"), "desk.market.electricity.recipient"),
            ("/desk", roles("9900000000001", "NB", "9900000000002", "LF"), "desk.market.electricity.recipientRole"),
            (
                "/desk",
                json!({ "market": { "electricity": { "sender": "9900000000001", "recipientRole": "LF" } } }),
                "desk.market.electricity.role",
            ),
            (
                "/desk",
                json!({ "market": { "electricity": { "sender": "9900000000001", "role": "MSB" } } }),
                "desk.market.electricity.recipientRole",
            ),
            ("/defaultLanguage", json!("fr"), "defaultLanguage"),
            ("/languages/1/name", json!("de-FORMAL"), "languages[1].name"),
            ("/languages/1/readableName", json!(""), "languages[1].readableName"),
            ("/languages/1/name", json!("fr-FORMAL"), "languages[1].name"),
            ("/config/meterReading/defaultComments", json!(["a", ""]), "config.meterReading.defaultComments[1]"),
            ("/config/legal/imprint/url", json!(""), "config.legal.imprint.url"),
            ("/config/legal/imprint/url", json!("http://example.de"), "config.legal.imprint.url"),
            ("/config/legal/imprint/url", json!("javascript:alert(1)"), "config.legal.imprint.url"),
            ("/config/legal/accessibility/url", json!("//example.de"), "config.legal.accessibility.url"),
            ("/config/legal/accessibility/url", json!("/a b"), "config.legal.accessibility.url"),
            ("/config/legal/accessibility/url", json!("/a\\b"), "config.legal.accessibility.url"),
            ("/login/userNameMinLength", json!(0), "login.userNameMinLength"),
            ("/login/passwordMinLength", json!(13), "login.passwordMinLength"),
            ("/theme/primaryColor", json!("#80a0ff"), "theme.primaryColor"),
            ("/theme/headerColor", json!("green"), "theme.headerColor"),
            ("/communicationSettings/senderEmail", json!("service@localhost"), "communicationSettings.senderEmail"),
            ("/communicationSettings/senderName", json!(""), "communicationSettings.senderName"),
            ("/crmSettings/registrationPlacements", json!(["HOME", "HOME"]), "crmSettings.registrationPlacements[1]"),
            ("/crmSettings/registrationUrl", json!("https://crm.example.de/?a"), "crmSettings.registrationUrl"),
            ("/crmSettings/registrationUrl", json!("https://crm.example.de/"), "crmSettings.registrationUrl"),
            ("/remoteReadings/allowedOrigins/0", json!("https://app.example.de/"), "remoteReadings.allowedOrigins[0]"),
            ("/remoteReadings/allowedOrigins/1", json!("http://app.example.de"), "remoteReadings.allowedOrigins[1]"),
            ("/remoteReadings/allowedOrigins/1", json!("https://App.example.de"), "remoteReadings.allowedOrigins[1]"),
            ("/remoteReadings/allowedOrigins/1", json!("*"), "remoteReadings.allowedOrigins[1]"),
            ("/retention/personalDataDays", json!(34), "retention.photoDays"),
            ("/retention/auditDays", json!(34), "retention.auditDays"),
            ("/retention/auditDays", json!(1465), "retention.auditDays"),
            ("/retention/photoDays", json!(34), "retention.photoDays"),
            ("/retention/photoDays", json!(731), "retention.photoDays"),
            ("/retention/commentDays", json!(731), "retention.commentDays"),
            ("/crm/baseUrl", json!("http://crm.example.de"), "crm.baseUrl"),
            ("/crm/baseUrl", json!("crm.example.de"), "crm.baseUrl"),
            ("/crm/baseUrl", json!("https://crm.example.de/"), "crm.baseUrl"),
            ("/crm/baseUrl", json!("https://crm.example.de/?tenant=1"), "crm.baseUrl"),
            ("/crm/credentialsParameter", json!(""), "crm.credentialsParameter"),
            ("/crm/credentialsParameter", json!("../other/secret"), "crm.credentialsParameter"),
            ("/webhook/url", json!("http://erp.example.de"), "webhook.url"),
            ("/webhook/url", json!("erp.example.de"), "webhook.url"),
            ("/webhook/url", json!("https://user:word@erp.example.de"), "webhook.url"),
            ("/webhook/url", json!("https://erp.example.de/#readings"), "webhook.url"),
            ("/webhook/url", json!(format!("https://a.de/{}", "x".repeat(1988))), "webhook.url"),
            ("/webhook/secretParameter", json!("other/secret"), "webhook.secretParameter"),
            ("/desk/login/issuer", json!("login.example.de"), "desk.login.issuer"),
            ("/desk/login/issuer", json!("http://login.example.de"), "desk.login.issuer"),
            ("/desk/login/issuer", json!("https://user:word@login.example.de"), "desk.login.issuer"),
            ("/desk/login/issuer", json!("https://login.example.de/?tenant=a"), "desk.login.issuer"),
            ("/desk/login/issuer", json!("https://login.example.de/#a"), "desk.login.issuer"),
            ("/desk/login/issuer", json!(format!("https://a.de/{}", "x".repeat(188))), "desk.login.issuer"),
            ("/desk/login/clientId", json!(""), "desk.login.clientId"),
            ("/desk/login/clientId", json!("a desk"), "desk.login.clientId"),
            ("/desk/login/clientId", json!("x".repeat(256)), "desk.login.clientId"),
            ("/desk/login/secretParameter", json!("../other/secret"), "desk.login.secretParameter"),
            ("/accessibility/mainUrl", json!("example.de"), "accessibility.mainUrl"),
            ("/accessibility/legals/0/text", json!(""), "accessibility.legals[0].text"),
            ("/accessibility/alternatives/0/title", json!(""), "accessibility.alternatives[0].title"),
            ("/accessibility/alternatives/0/link", json!("x"), "accessibility.alternatives[0].link"),
            ("/accessibility/contact/email", json!("x"), "accessibility.contact.email"),
            ("/accessibility/contact/form", json!("x"), "accessibility.contact.form"),
            ("/accessibility", json!({ "regime": "BITV" }), "accessibility.enforcementOffice.name"),
            ("/accessibility", json!({ "regime": "BITV", "enforcementOffice": { "name": " " } }), "accessibility.enforcementOffice.name"),
            ("/accessibility/enforcementOffice/email", json!("x"), "accessibility.enforcementOffice.email"),
            ("/accessibility/enforcementOffice/web", json!("x"), "accessibility.enforcementOffice.web"),
            ("/unknownReading/meters", json!({}), "unknownReading.meters"),
            ("/unknownReading/readingReasons", json!([]), "unknownReading.readingReasons"),
            ("/unknownReading/readingReasons", json!([reason, reason]), "unknownReading.readingReasons[1].value"),
            ("/unknownReading/readingReasons/0/labelEN", json!(""), "unknownReading.readingReasons[0].labelEN"),
            (
                "/unknownReading/validation/meterNumber/meterNumberMinLength",
                json!(15),
                "unknownReading.validation.meterNumber.meterNumberMinLength",
            ),
            (
                &format!("{gas}/defaultMeterConfig/meterRateConfigs/0/obis"),
                json!("7-0:3.0"),
                &format!("{gas_path}.defaultMeterConfig.meterRateConfigs[0].obis"),
            ),
            (
                &format!("{gas}/defaultMeterConfig/meterRateConfigs/0/readingConfig/preDecimals"),
                json!(16),
                &format!("{gas_path}.defaultMeterConfig.meterRateConfigs[0].readingConfig.preDecimals"),
            ),
            (
                &format!("{gas}/defaultMeterConfig/meterRateConfigs/0/readingConfig"),
                json!({ "isReadingImageAllowed": false, "isReadingImageRequired": true }),
                &format!("{gas_path}.defaultMeterConfig.meterRateConfigs[0].readingConfig.isReadingImageRequired"),
            ),
            (
                &format!("{gas}/defaultMeterConfig/defaultSelectedMeterRatesByOBIS/0"),
                json!("7-0:3.1.0"),
                &format!("{gas_path}.defaultMeterConfig.defaultSelectedMeterRatesByOBIS[0]"),
            ),
            (
                &format!("{gas}/subTypeMeterConfigs/0/meterType"),
                json!("HEAT_METER"),
                &format!("{gas_path}.subTypeMeterConfigs[0].meterType"),
            ),
            (
                &format!("{gas}/subTypeMeterConfigs"),
                json!([sub_type("A"), sub_type("A")]),
                &format!("{gas_path}.subTypeMeterConfigs[1].subType"),
            ),
            (
                &format!("{gas}/defaultMeterConfig/meterRateConfigs"),
                json!([rate, rate]),
                &format!("{gas_path}.defaultMeterConfig.meterRateConfigs[1].obis"),
            ),
            (
                &format!("{gas}/defaultMeterConfig/meterRateConfigs/0/readingConfig/preDecimals"),
                json!(0),
                &format!("{gas_path}.defaultMeterConfig.meterRateConfigs[0].readingConfig.preDecimals"),
            ),
            (
                &format!("{gas}/defaultMeterConfig/meterRateConfigs/0/readingConfig"),
                json!({ "preDecimals": 6, "postDecimals": 10 }),
                &format!("{gas_path}.defaultMeterConfig.meterRateConfigs[0].readingConfig.postDecimals"),
            ),
            (
                "/unknownReading/validation/meterNumber/meterNumberMaxLength",
                json!(65),
                "unknownReading.validation.meterNumber.meterNumberMaxLength",
            ),
            ("/unknownReading/meters", json!({ "GENERIC_METER": {} }), "unknownReading.meters.GENERIC_METER"),
            (gas, json!({}), &format!("{gas_path}.defaultMeterConfig.meterRateConfigs")),
            (
                gas,
                json!({ "subTypeMeterConfigs": [with_rates, sub_type("B")] }),
                &format!("{gas_path}.defaultMeterConfig.meterRateConfigs"),
            ),
            (
                gas,
                json!({ "subTypeMeterConfigs": [with_rates, sub_type("OTHER")], "defaultMeterConfig": with_rates["meterConfig"], "customMeterConfig": {} }),
                &format!("{gas_path}.customMeterConfig.meterRateConfigs"),
            ),
        ] {
            let found = check_application_with(pointer, value.clone());
            assert!(found.iter().any(|fault| fault == path), "{pointer} = {value}: {found:?}");
        }
    }

    #[test]
    fn a_language_is_named_by_letters_digits_and_hyphens() {
        let faults_of = |name: &str| {
            let mut faults = Faults::default();
            check_language_list(&[Language { name: name.to_owned(), readable_name: "x".to_owned() }], &mut faults);
            faults.found().len()
        };
        let longest = "x".repeat(32);
        assert_eq!(["de", "de-FORMAL2", &longest].map(faults_of), [0, 0, 0]);
        assert_eq!(["d", "de_FORMAL", "", &format!("{longest}x")].map(faults_of), [1, 1, 1, 1]);
    }

    #[test]
    fn a_contact_text_stands_once_at_each_page() {
        let item = |language: &str, path: &str| json!({ "language": language, "path": path, "text": "x" });
        let items = json!([item("de", "/help"), item("de", ""), item("en", "/help"), item("de", "/help")]);
        let items: Vec<ContactInformationItem> = serde_json::from_value(items).unwrap();
        let paths: Vec<_> = check_contact(&items).into_iter().map(|found| found.fault.path).collect();
        assert_eq!(paths, ["[3]"]);
    }

    #[test]
    fn an_address_comes_apart_into_scheme_host_and_rest() {
        let parts = |text| Address::parse(text).map(|address| (address.scheme, address.host, address.rest));
        for (text, host, rest) in [
            ("https://zaehler.example.de", "zaehler.example.de", ""),
            ("https://Zaehler.example.de:65535", "Zaehler.example.de", ""),
            ("https://a.de:1/x?y#z", "a.de", "/x?y#z"),
            ("https://a.de?x", "a.de", "?x"),
            ("https://a.de#x", "a.de", "#x"),
        ] {
            assert_eq!(parts(text), Some(("https", host, rest)));
        }
        for text in [
            "a.de",
            "https://",
            "https:///a.de",
            "https://a.de:0",
            "https://a.de:65536",
            "https://a.de:",
            "https://a.de:1:2",
            "https://:80",
            "https://a.de/b c",
            "https://a.de/b\u{7}",
            "https://a.de/b\\c",
            "https://a@b.de",
        ] {
            assert_eq!(parts(text), None, "{text}");
        }
    }

    #[test]
    fn only_this_machine_needs_no_encryption() {
        let safe = |text| Address::parse(text).unwrap().is_https_or_loopback();
        assert!(safe("https://a.de") && safe("http://localhost") && safe("http://zaehler.localhost:80"));
        assert!(!safe("http://a.de") && !safe("http://notlocalhost") && !safe("http://localhost.de") && !safe("ftp://localhost"));
    }

    /// A tenant's settings could otherwise have the functions ask each other, or the platform they run on.
    #[test]
    fn a_tenants_own_systems_are_hosts_of_the_internet() {
        for pointer in ["/webhook/url", "/crm/baseUrl", "/desk/login/issuer"] {
            let faults = |reach, url: &str| check_application_within(reach, pointer, json!(url));
            let path = [pointer[1..].replace('/', ".")];
            for url in ["https://erp.example.de/zaehlwerk", "https://erp.example.de:8443/zaehlwerk"] {
                assert_eq!(faults(Reach::Internet, url), [""; 0], "{url}");
            }
            for url in [
                "http://localhost:9001/2018-06-01/runtime/init/error",
                "http://x.localhost:9001/a",
                "https://localhost/a",
                "https://127.0.0.1/a",
                "https://169.254.169.254/latest/meta-data",
                "https://10.0.0.1/a",
                "https://8.8.8.8/a",
                "https://2130706433/a",
                "https://0x7f000001/a",
                "https://erp/a",
                "https://erp.internal/a",
                "https://erp.example.de:25/a",
                "http://erp.example.de/a",
            ] {
                assert_eq!(faults(Reach::Internet, url), path, "{url}");
            }
            assert_eq!(faults(Reach::AndThisMachine, "http://127.0.0.1:9001/a"), [""; 0]);
            assert_eq!(faults(Reach::AndThisMachine, "https://10.0.0.1/a"), path);
        }
    }

    #[test]
    fn files_are_named_after_languages_of_the_tenant() {
        let application: Application = serde_json::from_value(json!({
            "applicationId": "t", "name": "T", "hosts": ["localhost"], "portalUrl": "http://localhost",
            "languages": [{ "name": "de-FORMAL", "readableName": "Deutsch" }, { "name": "nds", "readableName": "Platt" }],
            "unknownReading": { "meters": { "WATER_METER": {
                "defaultMeterConfig": { "meterRateConfigs": [{ "obis": "8-0:1.0.0", "obisLabel": "1.0.0", "rateName": "Verbrauch" }] },
                "subTypeMeterConfigs": [{ "meterType": "WATER_METER", "subType": "MAIN", "subTypeLabel": "Hauptzähler" }],
            } } },
        }))
        .unwrap();
        let contact: Vec<ContactInformationItem> = serde_json::from_value(
            json!([{ "language": "en", "path": "help", "text": "x" }, { "language": "nds", "path": "", "text": " " }]),
        )
        .unwrap();
        let instructions: Vec<MeterReadingInstruction> =
            serde_json::from_value(json!([{ "obisFilter": "1-(", "meterNumberFilter": "(?=x)", "content": "", "language": "fr" }]))
                .unwrap();
        let text = |key: &str, text: &str| BTreeMap::from([(key.to_owned(), text.to_owned())]);
        let mut low_german = text("home.welcome", "Moin {{name}}");
        low_german.extend(text("publicReading.subType.WATER_METER.MAIN.label", "Hööfdteller"));
        low_german.extend(text("publicReading.subType.WATER_METER.MAIN.name", "Hööfdteller"));
        let translations = BTreeMap::from([("nds".to_owned(), low_german), ("fr".to_owned(), text("welcome", "{{name"))]);
        let help = BTreeMap::from([("de-FORMAL".to_owned(), "# Hilfe".to_owned()), ("en-FORMAL".to_owned(), String::new())]);
        let bundle = Bundle {
            application: &application,
            translations: &translations,
            help: &help,
            contact: &contact,
            instructions: &instructions,
            presets: &BTreeMap::new(),
            logo: &png(20, 72),
            reach: Reach::Internet,
        };
        let places =
            |faults: Vec<FileFault>| faults.into_iter().map(|found| format!("{} {}", found.file, found.fault.path)).collect::<Vec<_>>();
        assert_eq!(
            places(check(&bundle)),
            [
                "translations/fr.json welcome",
                "translations/fr.json welcome",
                "translations/nds.json publicReading.subType.WATER_METER.MAIN.name",
                "help/en-FORMAL.md ",
                "contact.json [0].path",
                "contact.json [1].text",
                "instructions.json [0].obisFilter",
                "instructions.json [0].meterNumberFilter",
                "instructions.json [0].content",
                "logo.png ",
            ]
        );
        let fr = check_languages(&bundle).into_iter().find(|found| found.file == "translations/fr.json").unwrap();
        assert!(fr.fault.reason.en.ends_with("the languages of tenant.json: de-FORMAL, nds"), "{:?}", fr.fault.reason);
        assert_eq!(
            places(check_languages(&bundle)),
            ["translations/fr.json ", "help/en-FORMAL.md ", "contact.json [0].language", "instructions.json [0].language"]
        );
        let (no_texts, no_help) = (BTreeMap::new(), BTreeMap::new());
        let without = Bundle { translations: &no_texts, help: &no_help, contact: &[], instructions: &[], ..bundle };
        assert_eq!(places(check_languages(&without)), ["tenant.json languages[1].name"]);
    }

    #[test]
    fn bands_around_what_is_expected_have_sensible_sizes() {
        let of_water = |floor: u32, bands: &[(u32, u16, u16)]| {
            let band =
                |&(from, below, above): &(u32, u16, u16)| json!({ "annualFrom": from, "belowPercent": below, "abovePercent": above });
            let water = json!({ "floor": floor, "bands": bands.iter().map(band).collect::<Vec<_>>() });
            let paths = check_application_with("/config/plausibility", json!({ "water": water }));
            paths.into_iter().map(|path| path.replace("config.plausibility.water.", "")).collect::<Vec<_>>()
        };
        assert_eq!(of_water(15, &[(0, 1, 1000), (200, 99, 101)]), [""; 0]);
        assert_eq!(of_water(100_001, &[]), ["floor", "bands"]);
        assert_eq!(
            of_water(0, &[(0, 0, 100), (0, 100, 1001)]),
            ["bands[0].belowPercent", "bands[0].abovePercent", "bands[1].annualFrom", "bands[1].belowPercent", "bands[1].abovePercent",]
        );
    }

    #[test]
    fn a_logo_is_a_complete_png_of_a_sensible_size() {
        let reasons = |bytes: &[u8]| check_logo(bytes).into_iter().map(|found| found.fault.reason.en).collect::<Vec<_>>();
        assert_eq!(reasons(&png(48, 2048)), [""; 0]);
        assert_eq!(reasons(&png(47, 72)).len(), 1);
        assert_eq!(reasons(&png(72, 2049)).len(), 1);
        let whole = png(72, 72);
        for bytes in [&whole[..whole.len() - 1], &[&whole[..], b"x"].concat(), b"GIF89a", b""] {
            assert_eq!(reasons(bytes), ["is not a complete PNG image"]);
        }
        let of_bytes = |length: usize| {
            let mut logo = whole.clone();
            let content = length - logo.len() - 12;
            logo.splice(33..33, [&(content as u32).to_be_bytes(), b"IDAT", &vec![0; content + 4][..]].concat());
            reasons(&logo)
        };
        assert_eq!(of_bytes(LOGO_MAX_BYTES), [""; 0]);
        assert_eq!(of_bytes(LOGO_MAX_BYTES + 1), ["has 201 KB, at most 200 KB are allowed"]);
    }

    #[test]
    fn a_contrast_that_is_too_low_is_said_as_each_language_writes_numbers() {
        let faults = faults_of_application(Reach::AndThisMachine, "/theme/primaryColor", json!("#999999"));
        let [fault] = &faults[..] else { panic!("{faults:?}") };
        let text = fault.text();
        assert_eq!(
            (text.of(Lang::De), text.of(Lang::En)),
            (
                "tenant.json: theme.primaryColor: hat zu weißer Schrift einen Kontrast von 2,84 zu 1, nötig sind mindestens 4,5 zu 1",
                "tenant.json: theme.primaryColor: has a contrast of 2.84:1 to white text, at least 4.5:1 is needed"
            )
        );
    }

    #[test]
    fn a_fault_reads_as_file_path_reason() {
        assert_eq!(
            FileFault::new("tenant.json", "hosts[0]", text!("muss klein geschrieben sein", "must be lower case")).text().of(Lang::De),
            "tenant.json: hosts[0]: muss klein geschrieben sein"
        );
        assert_eq!(FileFault::new("logo.png", "", text!("fehlt", "is missing")).text().of(Lang::En), "logo.png: is missing");
    }
}
