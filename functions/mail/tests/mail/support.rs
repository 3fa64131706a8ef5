//! A tenant, and one mail of each kind.

use domain::audit::NAMELESS;
use domain::config::Application;
use domain::email::EmailAddress;
use domain::model::MeterType;
use domain::value::MeterValue;
use jiff::Timestamp;
use mail::{
    Access, AddressChanged, Confirmation, Invitation, Message, ReadMeter, ReadRate, Receipt, Rejection, Reminder, StaffInvitation,
    VisitorReceipt,
};
use store::TenantBundle;

/// A logo of a few bytes; the mails do not look into it.
pub const LOGO: &[u8] = b"\x89PNG\r\n\x1a\nlogo";

pub fn noon() -> Timestamp {
    testing::at("2026-11-21T12:00:00Z")
}

pub fn address(text: &str) -> EmailAddress {
    text.parse().unwrap()
}

fn staff_invitation(by: &str) -> Message {
    let link = "https://arbeitsplatz.example.org/invitation/musterwerk/0123456789012345678901".into();
    Message::StaffInvitation(StaffInvitation { invited_by: by.into(), link, days: 7 })
}

pub fn application() -> Application {
    serde_json::from_value(serde_json::json!({
        "applicationId": "musterwerk", "name": "Stadtwerke Müsterstadt & Söhne", "hosts": ["localhost"], "portalUrl": "https://zaehler.example.org",
        "config": { "legal": {
            "imprint": { "url": "https://example.org/impressum", "enabled": true },
            "privacy": { "url": "/datenschutz", "enabled": true },
            "accessibility": { "url": "/accessibility", "enabled": false },
        } },
        "theme": { "primaryColor": "#1c6b45", "headerColor": "#14523a" },
        "communicationSettings": { "senderName": "Stadtwerke Müsterstadt", "senderEmail": "zaehler@example.org" },
    }))
    .unwrap()
}

pub fn bundle() -> TenantBundle {
    TenantBundle { logo: LOGO.to_vec(), ..testing::bundle(application()) }
}

fn rate(name: &str, value: &str, unit: &str) -> ReadRate {
    ReadRate { name: name.into(), value: MeterValue::parse(value).unwrap(), unit: Some(unit.into()), date: "2026-11-20".parse().unwrap() }
}

fn meter(meter_type: MeterType, number: &str, rates: Vec<ReadRate>) -> ReadMeter {
    ReadMeter {
        meter_type,
        custom_type: None,
        number: number.into(),
        place: Some("Mühlweg 3, 99999 Müsterstadt".into()),
        date: "2026-11-20".parse().unwrap(),
        rates,
    }
}

/// Mails by name.
pub fn messages() -> Vec<(&'static str, Message)> {
    let access = Access {
        sharer: "Hausverwaltung <Groß> & Klein".into(),
        name: "Keller „Nord“".into(),
        meters: 12,
        salutation: None,
        recipient: Some("Uwe Öztürk".into()),
        link: Some("https://zaehler.example.org/m/4bWxYzA1b2C3d4E5f6G7h8".into()),
        credentials: Some(("keller-nord".into(), "abcd2345wxyz".into())),
    };
    let two_rates = vec![rate("HT 1.8.1", "004000.5", "kWh"), rate("NT 1.8.2", "1200.0", "kWh")];
    let power = meter(MeterType::ElectricMeter, "1EBZ0100000619", two_rates);
    let water = ReadMeter { place: None, ..meter(MeterType::WaterMeter, "8SEN0012345678", vec![rate("Verbrauch", "87.123", "m³")]) };
    vec![
        ("access", Message::Access(access.clone())),
        (
            "access-by-link",
            Message::Access(Access {
                meters: 1,
                salutation: Some("Sehr geehrte Damen und Herren,".into()),
                credentials: None,
                ..access.clone()
            }),
        ),
        ("access-by-password", Message::Access(Access { recipient: None, link: None, ..access })),
        ("address-changed", Message::AddressChanged(AddressChanged)),
        (
            "rejection",
            Message::Rejection(Rejection {
                meter: meter(MeterType::GasMeter, "7GMT0004455667", vec![rate("Verbrauch", "01234.567", "m³")]),
                reason: "Auf dem Foto ist ein anderer <Zähler> zu sehen.".into(),
                may_read_again: true,
                unsubscribe: Some("https://zaehler.stadtwerk.example/u/token".into()),
            }),
        ),
        (
            "rejection-too-late",
            Message::Rejection(Rejection {
                meter: meter(MeterType::GasMeter, "7GMT0004455667", vec![rate("Verbrauch", "01234.567", "m³")]),
                reason: "Auf dem Foto ist ein anderer Zähler zu sehen.".into(),
                may_read_again: false,
                unsubscribe: Some("https://zaehler.stadtwerk.example/u/token".into()),
            }),
        ),
        (
            "confirmation",
            Message::Confirmation(Confirmation {
                link: "https://zaehler.example.org/registrierung/bestaetigen/4bWxYzA1b2C3d4E5f6G7h8".into(),
                hours: 48,
            }),
        ),
        (
            "receipt",
            Message::Receipt(Receipt {
                meters: vec![power.clone(), water.clone()],
                unsubscribe: "https://zaehler.example.org/registrierung/m/abc?ref=zaehlwerk".into(),
            }),
        ),
        (
            "reminder",
            Message::Reminder(Reminder {
                meters: 2,
                deadline: Some("2026-12-01".parse().unwrap()),
                unsubscribe: "https://zaehler.example.org/abmelden/abc".into(),
                one_click: "https://zaehler.example.org/api/public/unsubscribe/abc".into(),
            }),
        ),
        (
            "reminder-without-deadline",
            Message::Reminder(Reminder {
                meters: 1,
                deadline: None,
                unsubscribe: "https://zaehler.example.org/abmelden/abc".into(),
                one_click: "https://zaehler.example.org/api/public/unsubscribe/abc".into(),
            }),
        ),
        (
            "invitation",
            Message::Invitation(Invitation {
                salutation: Some("Sehr geehrte Frau Dr. Yıldız".into()),
                name: "Erika Yıldız".into(),
                link: "https://zaehler.example.org/m/0123456789012345678901".into(),
                meters: 2,
                deadline: Some("2026-12-31".parse().unwrap()),
                unsubscribe: "https://zaehler.example.org/abmelden/abc".into(),
                one_click: "https://zaehler.example.org/api/public/unsubscribe/abc".into(),
            }),
        ),
        ("staff-invitation", staff_invitation("Clara Brandt")),
        ("staff-invitation-by-command", staff_invitation(NAMELESS)),
        ("visitor-receipt", Message::VisitorReceipt(VisitorReceipt { meter: water })),
    ]
}
