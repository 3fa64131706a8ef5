//! All that is stored about a person as a document that the person can read (GDPR, Art. 12(1) and 15).

mod words;

use std::num::NonZeroU16;

use domain::config::Application;
use domain::ids::AccountId;
use domain::text::Lang;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use krilla::document::Document;
use krilla::geom::Point;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, SpanTag, Tag, TagGroup, TagKind, TagTree};
use krilla::text::TextDirection;
use serde_json::{Map, Value};

use crate::letters::face::{self, MM, Typeface, Wide};
use crate::letters::{Day, NEVER, Unprintable};
use words::{about, field, heading, intro};

const LEFT: f32 = 25.0;
const RIGHT: f32 = 190.0;
/// Where values begin, beside their names.
const VALUES: f32 = 80.0;
const TOP: f32 = 30.0;
const BOTTOM: f32 = 277.0;
/// Moments that are stored as milliseconds lie between these: 2001 and 2096.
const MILLIS: std::ops::Range<i64> = 1_000_000_000_000..4_000_000_000_000;
/// The same as seconds.
const SECONDS: std::ops::Range<i64> = 1_000_000_000..4_000_000_000;
/// The length of a day's text, such as `2026-11-24`: a meter number could be read as one in another form.
const DAY: usize = 10;

/// Draws the records of [`store::Store::subject`] as a PDF in the tenant's language.
///
/// # Errors
/// [`Unprintable`].
pub fn pdf(application: &Application, account: &AccountId, records: &[Value], now: &Zoned) -> Result<Vec<u8>, Unprintable> {
    let lang = if application.default_language.starts_with("de") { Lang::De } else { Lang::En };
    let pages = Pages::lay_out(application, account, records, (now, lang))?;
    pages.draw(application, account, lang)
}

/// A line where it belongs, in millimetres from the top left.
struct Line {
    x: f32,
    y: f32,
    size: f32,
    is_bold: bool,
    text: String,
    /// Of which part of the document it is; the head of a page is of none.
    part: Option<usize>,
}

/// The pages of a disclosure in the making.
struct Pages {
    regular: &'static Typeface,
    bold: &'static Typeface,
    pages: Vec<Vec<Line>>,
    /// What each part is, in the order in which they are read.
    parts: Vec<TagKind>,
    y: f32,
}

impl Pages {
    fn lay_out(
        application: &Application,
        account: &AccountId,
        records: &[Value],
        (now, lang): (&Zoned, Lang),
    ) -> Result<Self, Unprintable> {
        let damaged = || Unprintable::of("a font is damaged");
        let (regular, bold) = (face::regular().ok_or_else(damaged)?, face::bold().ok_or_else(damaged)?);
        let mut pages = Self { regular, bold, pages: vec![Vec::new()], parts: Vec::new(), y: TOP };
        let [title, law, paragraphs @ ..] = &intro(application, account, &day_and_time(now.timestamp(), now.time_zone()))[..] else {
            return Err(damaged());
        };
        pages.title(title.of(lang), (1, 16.0));
        for paragraph in std::iter::once(law).chain(paragraphs) {
            pages.paragraph(paragraph.of(lang));
        }
        for (kinds, title) in about() {
            let of_kind: Vec<&Map<String, Value>> =
                records.iter().filter_map(Value::as_object).filter(|record| kinds.has(record)).collect();
            if of_kind.is_empty() {
                continue;
            }
            pages.title(title.of(lang), (2, 13.0));
            for record in of_kind {
                pages.record(record, (lang, now.time_zone()));
            }
        }
        Ok(pages)
    }

    /// Makes room for so much, on the next page if this one is full.
    fn room(&mut self, height: f32) {
        if self.y + height > BOTTOM {
            self.pages.push(Vec::new());
            self.y = TOP;
        }
    }

    /// Begins a part of the document.
    fn part(&mut self, kind: impl Into<TagKind>) -> Option<usize> {
        self.parts.push(kind.into());
        self.parts.len().checked_sub(1)
    }

    fn headline(&mut self, level: u16) -> Option<usize> {
        self.part(Tag::Hn(NonZeroU16::new(level)?, None))
    }

    fn put(&mut self, x: f32, size: f32, is_bold: bool, (part, text): (Option<usize>, String)) {
        let y = self.y;
        if let Some(page) = self.pages.last_mut() {
            page.push(Line { x, y, size, is_bold, text, part });
        }
    }

    fn title(&mut self, text: &str, (level, size): (u16, f32)) {
        let part = self.headline(level);
        // A title stays with what follows it.
        self.room(28.0);
        self.y += 5.0;
        for line in self.bold.lines(text, size, RIGHT - LEFT, Wide::Breaks) {
            self.put(LEFT, size, true, (part, line));
            self.y += size * 0.5;
        }
        self.y += 1.0;
    }

    fn paragraph(&mut self, text: &str) {
        let part = self.part(Tag::P);
        for line in self.regular.lines(text, 10.0, RIGHT - LEFT, Wide::Breaks) {
            self.room(4.6);
            self.put(LEFT, 10.0, false, (part, line));
            self.y += 4.6;
        }
        self.y += 2.4;
    }

    fn record(&mut self, record: &Map<String, Value>, (lang, zone): (Lang, &TimeZone)) {
        self.room(14.0);
        let mut rows = Vec::new();
        for (name, value) in record.iter().filter(|(name, _)| *name != "kind") {
            flatten("", (name, value), lang, &mut rows);
        }
        let part = self.headline(3);
        self.put(LEFT, 10.0, true, (part, heading(record, lang)));
        self.y += 5.0;
        for (name, value) in rows {
            let names = self.regular.lines(&name, 9.0, VALUES - LEFT - 3.0, Wide::Breaks);
            let values = self.regular.lines(&shown(&value, lang, zone), 9.0, RIGHT - VALUES, Wide::Breaks);
            let (name, value) = (self.part(Tag::P), self.part(Tag::P));
            for place in 0..names.len().max(values.len()) {
                self.room(4.2);
                for (x, part, lines) in [(LEFT, name, &names), (VALUES, value, &values)] {
                    if let Some(line) = lines.get(place) {
                        self.put(x, 9.0, false, (part, line.clone()));
                    }
                }
                self.y += 4.2;
            }
        }
        self.y += 3.0;
    }

    fn draw(self, application: &Application, account: &AccountId, lang: Lang) -> Result<Vec<u8>, Unprintable> {
        let mut document = Document::new();
        let language = if lang == Lang::De { "de" } else { "en" };
        let title = format!("{} – {}", words::title(account).of(lang), application.name);
        document.set_metadata(Metadata::new().title(title).language(language.to_owned()));
        let mut groups: Vec<TagGroup> = self.parts.into_iter().map(TagGroup::new).collect();
        let count = self.pages.len();
        for (place, lines) in self.pages.into_iter().enumerate() {
            let settings = PageSettings::from_wh(210.0 * MM, 297.0 * MM).ok_or_else(|| Unprintable::of("A4"))?;
            let mut page = document.start_page_with(settings);
            let mut surface = page.surface();
            surface.set_fill(Some(Fill::default()));
            let number = words::page(place + 1, count);
            let head = format!("{} · {account} · {}", application.name, number.of(lang));
            let head = Line { x: LEFT, y: 17.0, size: 8.0, is_bold: false, text: head, part: None };
            for Line { x, y, size, is_bold, text, part } in std::iter::once(head).chain(lines) {
                let typeface = if is_bold { self.bold } else { self.regular };
                let text = typeface.printable(&text);
                if text.trim().is_empty() {
                    continue;
                }
                let group = part.and_then(|part| groups.get_mut(part));
                let tag = match group {
                    Some(_) => ContentTag::Span(SpanTag::empty()),
                    None => ContentTag::Artifact(Artifact::with_kind(ArtifactType::Header)),
                };
                let id = surface.start_tagged(tag);
                let at = Point::from_xy(x * MM, y * MM);
                surface.draw_text(at, typeface.font.clone(), size, &text, false, TextDirection::LeftToRight);
                surface.end_tagged();
                if let Some(group) = group {
                    group.push(id);
                }
            }
            surface.finish();
            page.finish();
        }
        let mut tree = TagTree::new();
        groups.into_iter().for_each(|group| tree.push(group));
        document.set_tag_tree(tree);
        document.finish().map_err(Unprintable::of)
    }
}

/// Each value within, with the names that lead to it.
fn flatten(before: &str, (name, value): (&str, &Value), lang: Lang, rows: &mut Vec<(String, Value)>) {
    let path = match (before, words::is_wrapping(name) && value.is_object()) {
        (_, true) => before.to_owned(),
        ("", false) => field(name, lang),
        (_, false) => format!("{before} · {}", field(name, lang)),
    };
    match value {
        Value::Object(object) => object.iter().for_each(|(name, value)| flatten(&path, (name, value), lang, rows)),
        Value::Array(list) if list.iter().any(Value::is_object) => {
            for (place, item) in list.iter().enumerate() {
                let path = if list.len() == 1 { path.clone() } else { format!("{path} {}", place + 1) };
                for (name, value) in item.as_object().into_iter().flatten() {
                    flatten(&path, (name, value), lang, rows);
                }
            }
        }
        Value::Null => {}
        Value::String(text) if text.is_empty() => {}
        Value::Array(list) if list.is_empty() => {}
        Value::String(text) if lang == Lang::De && words::is_amount(name) => rows.push((path, text.replace('.', ",").into())),
        _ => rows.push((path, value.clone())),
    }
}

/// A value as people read it.
fn shown(value: &Value, lang: Lang, zone: &TimeZone) -> String {
    match value {
        Value::Bool(is) => words::yes_or_no(*is).of(lang).to_owned(),
        Value::Number(number) => {
            let moment = number.as_i64().and_then(|number| match number {
                number if MILLIS.contains(&number) => Timestamp::from_millisecond(number).ok(),
                number if SECONDS.contains(&number) => Timestamp::from_second(number).ok(),
                _ => None,
            });
            if number.as_i64() == Some(NEVER.as_second()) {
                return words::never().of(lang).to_owned();
            }
            moment.map_or_else(|| number.to_string(), |moment| day_and_time(moment, zone))
        }
        Value::String(text) => match (text.parse::<Timestamp>(), text.parse::<Date>()) {
            (Ok(moment), _) => day_and_time(moment, zone),
            (_, Ok(day)) if text.len() == DAY => Day(day).to_string(),
            _ => text.clone(),
        },
        Value::Array(list) => list.iter().map(|item| shown(item, lang, zone)).collect::<Vec<_>>().join(", "),
        Value::Null | Value::Object(_) => value.to_string(),
    }
}

fn day_and_time(moment: Timestamp, zone: &TimeZone) -> String {
    moment.to_zoned(zone.clone()).strftime("%d.%m.%Y %H:%M").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::config::Application;
    use serde_json::json;

    #[test]
    fn each_value_stands_beside_the_names_that_lead_to_it() {
        let mut rows = Vec::new();
        let results = json!([{ "comment": "im Keller", "readingValue": "00123.450", "obis": "1-0:1.8.0" }]);
        let record = json!({ "states": [{ "readingResults": results }], "imageIds": ["a", "b"], "nothing": null });
        for (name, value) in record.as_object().unwrap() {
            flatten("", (name, value), Lang::De, &mut rows);
        }
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let rows: Vec<_> = rows.iter().map(|(name, value)| format!("{name}: {}", shown(value, Lang::De, &zone))).collect();
        assert_eq!(rows.len(), 4, "{rows:?}");
        for end in [": im Keller", ": 00123,450", ": 1-0:1.8.0", ": a, b"] {
            assert!(rows.iter().any(|row| row.ends_with(end)), "{end}: {rows:?}");
        }
        assert_eq!(
            (shown(&json!("2026-11-20"), Lang::De, &zone), shown(&json!("20261120"), Lang::De, &zone)),
            ("20.11.2026".into(), "20261120".into())
        );
        assert_eq!(shown(&json!("2026-11-20T10:00:00Z"), Lang::De, &zone), "20.11.2026 11:00");
        assert_eq!(shown(&json!(1_795_168_800_000_i64), Lang::De, &zone), shown(&json!(1_795_168_800), Lang::De, &zone));
        assert_eq!((shown(&json!(true), Lang::De, &zone), shown(&json!("00123.450"), Lang::De, &zone)), ("ja".into(), "00123.450".into()));
    }

    #[test]
    fn what_is_long_goes_on_upon_the_next_page() {
        let application: Application =
            serde_json::from_value(json!({ "applicationId": "t", "name": "Stadtwerke", "hosts": [], "portalUrl": "https://a.example" }))
                .unwrap();
        let now = "2026-11-24T12:00[Europe/Berlin]".parse().unwrap();
        let records: Vec<_> =
            (0..200).map(|n| json!({ "kind": "reading", "jobId": format!("j{n}"), "readingValue": "00123.450" })).collect();
        let account: AccountId = "anna".parse().unwrap();
        let pages = Pages::lay_out(&application, &account, &records, (&now, Lang::De)).unwrap();
        assert!(pages.pages.len() > 5 && pages.pages.iter().flatten().all(|line| line.y <= BOTTOM));
        let printed = pages.pages.iter().flatten().filter(|line| line.text == "00123,450").count();
        assert_eq!(printed, 200, "each stands there once");
        assert!(pdf(&application, &account, &records, &now).unwrap().starts_with(b"%PDF"));
    }
}
