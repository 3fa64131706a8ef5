//! The mails as they were last looked at. `UPDATE_GOLDEN=1 cargo test -p mail` writes them anew; look at the difference.

use std::fs;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::model::MeterType;
use mail::{Brand, Envelope, Language, Message, Mime, Sample, Texts, VisitorReceipt, preview};

use crate::support::{LOGO, address, application, messages, noon};

fn build(message: &Message, language: Language, logo: Option<&[u8]>) -> String {
    build_with(message, language, logo, &Texts::new())
}

fn build_with(message: &Message, language: Language, logo: Option<&[u8]>, texts: &Texts) -> String {
    let application = application();
    let to = address("uwe@example.com");
    let envelope = Envelope { id: "0123456789abcdef", to: &to, to_name: Some("Uwe Öztürk"), date: noon() };
    let mime = Mime::build(message, language, &Brand { application: &application, logo, texts }, &envelope).unwrap();
    assert_eq!((mime.from.as_str(), mime.to.as_str()), ("zaehler@example.org", "uwe@example.com"));
    String::from_utf8(mime.raw).unwrap()
}

/// Head and body of each part, decoded.
fn parts(raw: &str) -> Vec<(String, Vec<u8>)> {
    let boundaries = raw.split("boundary=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let marked = boundaries.fold(raw.to_owned(), |raw, boundary| raw.replace(&format!("\r\n--{boundary}"), "\0"));
    marked
        .split('\0')
        .map(|part| {
            let (head, body) = part.split_once("\r\n\r\n").unwrap_or((part, ""));
            let encoding = head.lines().find_map(|line| line.strip_prefix("Content-Transfer-Encoding: ")).unwrap_or("7bit");
            let decoded = match encoding {
                "base64" => STANDARD.decode(body.replace("\r\n", "")).unwrap(),
                "quoted-printable" => from_quoted_printable(body),
                _ => body.as_bytes().to_vec(),
            };
            (head.to_owned(), decoded)
        })
        .collect()
}

fn from_quoted_printable(text: &str) -> Vec<u8> {
    let joined = text.replace("=\r\n", "");
    let mut rest = joined.as_bytes();
    let mut bytes = Vec::new();
    while let Some((&first, tail)) = rest.split_first() {
        if first == b'=' {
            bytes.push(u8::from_str_radix(std::str::from_utf8(&tail[..2]).unwrap(), 16).unwrap());
            rest = &tail[2..];
        } else {
            bytes.push(first);
            rest = tail;
        }
    }
    bytes
}

fn part(raw: &str, content_type: &str) -> String {
    let parts = parts(raw);
    let (_, body) = parts.iter().find(|(head, _)| head.contains(&format!("Content-Type: {content_type}"))).unwrap();
    String::from_utf8(body.clone()).unwrap().replace("\r\n", "\n")
}

fn compare(file: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, text).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, golden, "{file} has changed: UPDATE_GOLDEN=1 writes it anew");
}

#[test]
fn mails_read_as_they_were_last_looked_at() {
    for (name, message) in messages() {
        for language in Language::ALL {
            let raw = build(&message, language, Some(LOGO));
            compare(&format!("{name}.{}.html", language.name()), &part(&raw, "text/html"));
            compare(&format!("{name}.{}.txt", language.name()), &part(&raw, "text/plain"));
        }
    }
}

#[test]
fn mails_travel_as_they_were_last_looked_at() {
    for (name, message) in messages() {
        compare(&format!("{name}.eml"), &build(&message, Language::DeFormal, Some(LOGO)).replace("\r\n", "\n"));
    }
}

/// What mail servers and spam filters look at first.
#[test]
fn mails_have_the_headers_of_honest_mails() {
    for (name, message) in messages() {
        for language in Language::ALL {
            let raw = build(&message, language, Some(LOGO));
            assert!(raw.is_ascii() && raw.lines().all(|line| line.len() <= 998), "{name}");
            let head = raw.split_once("\r\n\r\n").unwrap().0;
            let one = |header: &str| {
                let count = head.lines().filter(|line| line.starts_with(header)).count();
                assert_eq!(count, 1, "{name}: {header} {head}");
            };
            for header in ["From: ", "To: ", "Subject: ", "MIME-Version: 1.0", "Auto-Submitted: auto-generated"] {
                one(header);
            }
            one("Date: Sat, 21 Nov 2026 12:00:00 +0000");
            one("Message-ID: <0123456789abcdef@example.org>");
            one("Content-Type: multipart/alternative");
            let ends = matches!(message, Message::Receipt(_) | Message::Reminder(_) | Message::Invitation(_) | Message::Rejection(_));
            assert_eq!(head.contains("List-Unsubscribe: <https://"), ends, "{name}");
            let one_click = "List-Unsubscribe-Post: List-Unsubscribe=One-Click";
            let ends_at_once = matches!(message, Message::Reminder(_) | Message::Invitation(_));
            assert_eq!(head.lines().any(|line| line == one_click), ends_at_once, "{name}");

            let parts = parts(&raw);
            let types: Vec<_> = ["text/plain", "multipart/related", "text/html", "image/png"]
                .iter()
                .map(|kind| parts.iter().position(|(head, _)| head.contains(&format!("Content-Type: {kind}"))))
                .collect();
            assert!(types.is_sorted() && types.iter().all(Option::is_some), "{name}: the plainest comes first: {types:?}");
            let html = part(&raw, "text/html");
            for wanted in html.split("src=\"").skip(1) {
                let cid = wanted.strip_prefix("cid:").expect("pictures are inside: nobody learns that a mail was opened");
                let id = format!("Content-ID: <{}>", cid.split('"').next().unwrap());
                assert!(raw.contains(&id), "{name}: {id}");
            }
            for script in ["<script", "javascript:", "<form", "<iframe", "http://"] {
                assert!(!html.contains(script), "{name}: {script}");
            }
            assert!(
                html.contains("Stadtwerke Müsterstadt &amp;") || html.contains("Stadtwerke Müsterstadt &#38;"),
                "{name}: names are escaped"
            );
            for image in html.split("<img ").skip(1) {
                assert!(image.split('>').next().unwrap().contains("alt=\""), "{name}: a picture without a text");
            }
        }
    }
}

#[test]
fn the_picture_holds_the_link() {
    let (_, message) = messages().swap_remove(0);
    let raw = build(&message, Language::DeFormal, None);
    let parts = parts(&raw);
    let (_, picture) = parts.iter().find(|(head, _)| head.contains("Content-ID: <qr>")).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(picture)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    // What the picture shows, module by module, against the code of the link.
    let code =
        qrcode::QrCode::with_error_correction_level("https://zaehler.example.org/m/4bWxYzA1b2C3d4E5f6G7h8", qrcode::EcLevel::M).unwrap();
    let scale = info.width as usize / (code.width() + 8);
    assert_eq!(info.width as usize, scale * (code.width() + 8));
    for y in 0..code.width() + 8 {
        for x in 0..code.width() + 8 {
            let (at_x, at_y) = (x * scale + scale / 2, y * scale + scale / 2);
            let is_light = pixels[at_y * info.line_size + at_x / 8] & (0x80 >> (at_x % 8)) != 0;
            let inside = (4..code.width() + 4).contains(&x) && (4..code.width() + 4).contains(&y);
            let dark = inside && code[(x - 4, y - 4)] == qrcode::Color::Dark;
            assert_eq!(is_light, !dark, "{x} {y}");
        }
    }
    assert!(!raw.contains("cid:logo"), "without a logo the name stands for it");
}

#[test]
fn a_language_that_no_mail_is_written_in_gives_the_tenants() {
    let mut application = application();
    assert_eq!(Language::choose(Some("en-FORMAL"), &application), Language::EnFormal);
    assert_eq!(Language::choose(Some("nds"), &application), Language::DeFormal);
    application.default_language = "de-INFORMAL".into();
    assert_eq!(Language::choose(None, &application), Language::DeInformal);
    application.default_language = "nds".into();
    assert_eq!(Language::choose(Some("nds"), &application), Language::DeFormal);
}

#[test]
fn registers_that_were_read_on_different_days_have_each_their_own() {
    let (_, message) = messages().into_iter().find(|(name, _)| *name == "receipt").unwrap();
    let Message::Receipt(mut receipt) = message else { panic!() };
    receipt.meters[0].rates[0].date = "2026-11-10".parse().unwrap();
    let message = Message::Receipt(receipt);
    let text = |language| part(&build(&message, language, None), "text/plain");
    let german = "\n- HT 1.8.1: 004000,5 kWh, abgelesen am 10.11.2026\n- NT 1.8.2: 1200,0 kWh, abgelesen am 20.11.2026\n\n";
    let english = "\n- HT 1.8.1: 004000.5 kWh, read on 10 November 2026\n- NT 1.8.2: 1200.0 kWh, read on 20 November 2026\n\n";
    for (language, lines, of_one_day) in [
        (Language::DeFormal, german, "- Verbrauch: 87,123 m³\n- Abgelesen am: 20.11.2026\n"),
        (Language::DeInformal, german, "- Verbrauch: 87,123 m³\n- Abgelesen am: 20.11.2026\n"),
        (Language::EnFormal, english, "- Verbrauch: 87.123 m³\n- Read on: 20 November 2026\n"),
    ] {
        assert!(text(language).contains(lines) && text(language).contains(of_one_day), "{}", text(language));
    }
}

#[test]
fn every_type_of_meter_has_a_name() {
    let Some((_, Message::VisitorReceipt(VisitorReceipt { meter }))) = messages().pop() else { panic!() };
    let types = [
        (MeterType::ElectricMeter, "Stromzähler", "Electricity meter"),
        (MeterType::HeatMeter, "Wärmezähler", "Heat meter"),
        (MeterType::GasMeter, "Gaszähler", "Gas meter"),
        (MeterType::WaterMeter, "Wasserzähler", "Water meter"),
        (MeterType::WaterWarmMeter, "Warmwasserzähler", "Hot water meter"),
        (MeterType::GenericMeter, "Zähler", "Meter"),
    ];
    for (meter_type, german, english) in types {
        let message = Message::VisitorReceipt(VisitorReceipt { meter: mail::ReadMeter { meter_type, ..meter.clone() } });
        let text = |language| part(&build(&message, language, None), "text/plain");
        assert!(text(Language::DeFormal).contains(&format!("\n{german} 8SEN0012345678\n")), "{german}");
        assert!(text(Language::EnFormal).contains(&format!("\n{english} 8SEN0012345678\n")), "{english}");
        assert!(text(Language::DeFormal).contains("87,123 m³") && text(Language::EnFormal).contains("87.123 m³"));
    }
}

#[test]
fn what_a_tenant_writes_itself_is_in_both_parts_and_takes_nothing_away() {
    let own = [
        ("mail.greeting", "Moin,"),
        ("mail.reminder.subjectMany", "{tenant}: {count} Stände fehlen"),
        ("mail.reminder.aboutMany", "bitte <b>bald</b> & bis {day}: {count} Zähler."),
        ("mail.closing", "Fragen? 0800 <1>\nmontags"),
        ("mail.regards", "Ihr Team von {tenant}"),
    ];
    let texts = Texts::from([("de-FORMAL".to_owned(), own.map(|(key, text)| (key.to_owned(), text.to_owned())).into())]);
    let (_, message) = messages().into_iter().find(|(name, _)| *name == "reminder").unwrap();
    let raw = build_with(&message, Language::DeFormal, None, &texts);
    let (html, plain) = (part(&raw, "text/html"), part(&raw, "text/plain"));
    assert!(plain.starts_with("Moin,\n\nbitte <b>bald</b> & bis 01.12.2026: 2 Zähler.\n"), "{plain}");
    assert!(plain.contains("Fragen? 0800 <1>\nmontags\n\nIhr Team von Stadtwerke Müsterstadt & Söhne\n"), "{plain}");
    assert!(
        html.contains("bitte &#60;b&#62;bald&#60;/b&#62; &#38; bis 01.12.2026") && html.contains("0800 &#60;1&#62;<br/>montags"),
        "{html}"
    );
    for text in [&html, &plain] {
        assert!(text.contains("https://zaehler.example.org/abmelden/abc"), "{text}");
    }
    assert!(html.contains("Stadtwerke Müsterstadt &#38; Söhne: 2 Stände fehlen"), "the subject: {html}");
    let english = build_with(&message, Language::EnFormal, None, &texts);
    assert!(part(&english, "text/plain").starts_with("Hello,"), "of another language nothing is known");
}

#[test]
fn a_preview_is_the_mail_with_its_pictures_inside() {
    let (application, texts) = (application(), Texts::new());
    let brand = Brand { application: &application, logo: Some(LOGO), texts: &texts };
    let today = "2026-11-21".parse().unwrap();
    for sample in [
        Sample::Invitation,
        Sample::Reminder,
        Sample::Receipt,
        Sample::VisitorReceipt,
        Sample::Rejection,
        Sample::Confirmation,
        Sample::Access,
        Sample::AddressChanged,
    ] {
        for language in Language::ALL {
            let shown = preview(&sample.message(&application, today, 2, true), language, &brand).unwrap();
            assert!(!shown.html.contains("cid:") && shown.html.contains("data:image/png;base64,"), "{sample:?}");
            assert!(!shown.subject.is_empty() && shown.text.contains(&application.name), "{sample:?}");
        }
    }
}
