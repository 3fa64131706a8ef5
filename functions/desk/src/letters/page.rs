//! Letters as PDF/A-2u: A4 by DIN 5008 form B, with the address where the envelope's window is, and reply cards on pages of their own.

use std::collections::BTreeMap;

use datamatrix::{DataMatrix, SymbolList};
use domain::config::{Application, LetterSettings};
use domain::ids::{JobId, TenantId};
use jiff::Zoned;
use krilla::SerializeSettings;
use krilla::color::rgb;
use krilla::configure::{Archival, ConfigurationBuilder};
use krilla::document::Document;
use krilla::geom::{Path, PathBuilder, Point, Rect, Size, Transform};
use krilla::image::Image;
use krilla::metadata::{DateTime, Metadata};
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke, StrokeDash};
use krilla::surface::Surface;
use krilla::text::TextDirection;
use mail::Texts;
use qrcode::{EcLevel, QrCode};

use super::address::{WIDTH, Window};
use super::face::{self, MM, Typeface, Wide};
use super::template::{Labels, OWN_TEXT, Part as Block, Places, Template, labels};
use super::{LetterMeter, LetterRegister, Prepared, Refusal};

const LEFT: f32 = 25.0;
const RIGHT: f32 = 190.0;
/// The end of the text above the foot.
const BOTTOM: f32 = 273.0;
/// The right of the text in the block with date and customer number, which begins 125 mm from the left.
const INFO: f32 = 125.0;
/// A card's height: three on a page, each as wide as the sheet, which an envelope DIN long takes.
const CARD: f32 = 99.0;
const CARDS_ON_PAGE: usize = 3;
/// Most registers that a card has room for; a meter with more is read in the portal.
const CARD_REGISTERS: usize = 6;

/// Whether letters have cards on which readings can be written and sent back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cards {
    With,
    Without,
}

/// The style of a run's letters.
#[derive(Debug)]
pub struct Style<'a> {
    /// A text of this run in place of every other.
    pub template: Option<Template>,
    /// The utility's own texts, by language.
    pub texts: &'a Texts,
    /// The utility's logo, a PNG.
    pub logo: Option<Vec<u8>>,
    pub cards: Cards,
    /// They are specimens without a recipient.
    pub is_specimen: bool,
}

/// No letter at all can be made.
#[derive(Debug, thiserror::Error)]
#[error("the PDF cannot be made: {0}")]
pub struct Unprintable(String);

impl Unprintable {
    pub(crate) fn of(error: impl std::fmt::Debug) -> Self {
        Self(format!("{error:?}"))
    }
}

/// Draws letters of one tenant.
pub struct Press<'a> {
    application: &'a Application,
    template: Option<Template>,
    own: BTreeMap<&'a str, Template>,
    is_specimen: bool,
    logo: Option<Image>,
    cards: Cards,
    now: Zoned,
    regular: &'static Typeface,
    bold: &'static Typeface,
}

/// A file in the making, with letters that follow each other. It is held in memory until it is finished.
pub struct Part<'a> {
    press: &'a Press<'a>,
    document: Document,
    pages: usize,
}

impl<'a> Press<'a> {
    /// Letters that bear the day of `now`, in the tenant's time zone.
    pub fn new(application: &'a Application, style: Style<'a>, now: Zoned) -> Result<Self, Unprintable> {
        // The archive's format allows no interpolation.
        let logo = style.logo.map(|png| Image::from_png(png.into(), false)).transpose().map_err(Unprintable::of)?;
        let damaged = || Unprintable("a font is damaged".into());
        let (regular, bold) = (face::regular().ok_or_else(damaged)?, face::bold().ok_or_else(damaged)?);
        let Style { template, texts, cards, is_specimen, .. } = style;
        // Their faults were shown when they were put into effect.
        let own = texts.iter().filter_map(|(language, texts)| Some((language.as_str(), Template::own(texts.get(OWN_TEXT)?).ok()?)));
        let own = own.collect();
        Ok(Self { application, template, own, is_specimen: is_specimen || application.rehearsal, logo, cards, now, regular, bold })
    }

    /// Whether everything fits where it belongs; nothing is drawn.
    pub fn check(&self, letter: &Prepared) -> Result<(), Refusal> {
        self.sheet(letter).map(drop)
    }

    /// Begins a file.
    pub fn part(&'a self) -> Result<Part<'a>, Unprintable> {
        let application = self.application;
        let configuration = ConfigurationBuilder::new().with_archival_validator(Archival::A2_U).finish().map_err(Unprintable::of)?;
        // Paper needs no tags (D-LETTERS-19).
        let mut document = Document::new_with(SerializeSettings { configuration, enable_tagging: false, ..SerializeSettings::default() });
        let now = &self.now;
        let created = DateTime::new(u16::try_from(now.year()).unwrap_or_default())
            .month(now.month().unsigned_abs())
            .day(now.day().unsigned_abs())
            .hour(now.hour().unsigned_abs())
            .minute(now.minute().unsigned_abs())
            .second(now.second().unsigned_abs())
            .utc_offset_hour(i8::try_from(now.offset().seconds() / 3600).unwrap_or_default())
            .utc_offset_minute(u8::try_from(now.offset().seconds().unsigned_abs() / 60 % 60).unwrap_or_default());
        let language = application.default_language.get(..2).unwrap_or("de").to_owned();
        document.set_metadata(Metadata::new().title(application.name.clone()).language(language).creation_date(created));
        Ok(Part { press: self, document, pages: 0 })
    }

    /// A file with one letter.
    pub fn single(&self, letter: &Prepared) -> Result<Result<Vec<u8>, Refusal>, Unprintable> {
        let mut part = self.part()?;
        match part.add(letter)? {
            Ok(_) => part.finish().map(Ok),
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    /// Of the letter's meters, as many as its page has room for are listed.
    fn sheet<'s>(&'s self, letter: &'s Prepared) -> Result<Sheet<'s>, Refusal> {
        let (application, labels) = (self.application, labels(&letter.language));
        let cards: Vec<_> = match self.cards {
            Cards::With => letter.meters.iter().filter(|meter| (1..=CARD_REGISTERS).contains(&meter.registers.len())).collect(),
            Cards::Without => Vec::new(),
        };
        let places = Places {
            name: &letter.letter.name,
            labels,
            salutation: &letter.salutation,
            customer: &letter.customer_number,
            date: self.now.date(),
            tenant: &application.name,
            portal: &application.portal_url,
            deadline: letter.deadline,
            valid_until: letter.letter.valid_until,
            has_cards: !cards.is_empty(),
        };
        let built_in = Template::built_in(&letter.language);
        let (subject, blocks) =
            self.template.as_ref().or_else(|| self.own.get(letter.language.as_str())).unwrap_or(&built_in).filled(&places);
        let code = QrCode::with_error_correction_level(&letter.letter.link, EcLevel::M).map_err(|_| Refusal::LinkTooLong)?;
        let settings = &application.desk.letter;
        let (window, listed) = (letter.recipient.window(self.regular)?, letter.meters.len());
        let mut sheet = Sheet { letter, listed, window, application, settings, subject, blocks, cards, code, labels };
        while self.pen(None).letter(&sheet) > BOTTOM {
            if sheet.listed <= 1 {
                return Err(Refusal::TextTooLong);
            }
            sheet.listed -= 1;
        }
        Ok(sheet)
    }

    fn pen<'p>(&'p self, surface: Option<Surface<'p>>) -> Pen<'p> {
        Pen { surface, regular: self.regular, bold: self.bold, date: self.now.date() }
    }
}

impl Part<'_> {
    /// Adds a letter; gives the number of its first page, from 1.
    pub fn add(&mut self, letter: &Prepared) -> Result<Result<usize, Refusal>, Unprintable> {
        let press = self.press;
        let sheet = match press.sheet(letter) {
            Ok(sheet) => sheet,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let first = self.pages + 1;
        let specimen = press.is_specimen.then_some(sheet.labels.specimen);
        self.draw(specimen, |pen| {
            if let Some(logo) = &press.logo {
                pen.logo(logo);
            }
            pen.marks();
            pen.letter(&sheet);
        })?;
        for cards in sheet.cards.chunks(CARDS_ON_PAGE) {
            self.draw(specimen, |pen| {
                for (place, meter) in cards.iter().enumerate() {
                    pen.card(place as f32 * CARD, &sheet, meter);
                }
            })?;
        }
        Ok(Ok(first))
    }

    fn draw(&mut self, specimen: Option<&str>, paint: impl FnOnce(&mut Pen<'_>)) -> Result<(), Unprintable> {
        let settings = PageSettings::from_wh(210.0 * MM, 297.0 * MM).ok_or_else(|| Unprintable("A4".into()))?;
        let mut page = self.document.start_page_with(settings);
        let mut pen = self.press.pen(Some(page.surface()));
        if let Some(word) = specimen {
            pen.watermark(word);
        }
        paint(&mut pen);
        drop(pen);
        page.finish();
        self.pages += 1;
        Ok(())
    }

    /// The number of its pages so far.
    pub fn pages(&self) -> usize {
        self.pages
    }

    /// The file's bytes.
    pub fn finish(self) -> Result<Vec<u8>, Unprintable> {
        self.document.finish().map_err(Unprintable::of)
    }
}

/// What a card's data matrix says: `ZW1`, the tenant and the job, with slashes between.
fn card_code(tenant: &TenantId, job: &JobId) -> String {
    format!("ZW1/{tenant}/{job}")
}

/// The job of a reply card, by what its data matrix says; none: it is no card of this tenant.
pub fn card_job(tenant: &TenantId, code: &str) -> Option<JobId> {
    let (of, job) = code.trim().strip_prefix("ZW1/")?.split_once('/')?;
    (of == tenant.as_str()).then(|| job.parse().ok()).flatten()
}

/// The contents of one letter.
struct Sheet<'a> {
    letter: &'a Prepared,
    /// The number of its meters that the page lists.
    listed: usize,
    window: Window,
    application: &'a Application,
    settings: &'a LetterSettings,
    subject: String,
    blocks: Vec<Block>,
    cards: Vec<&'a LetterMeter>,
    code: QrCode,
    labels: &'static Labels,
}

impl Sheet<'_> {
    fn sender_line(&self) -> &str {
        if self.settings.sender_line.is_empty() { &self.application.name } else { &self.settings.sender_line }
    }
}

/// Writes and draws in millimetres from the top left; without a surface it only says where it would end.
struct Pen<'a> {
    surface: Option<Surface<'a>>,
    regular: &'static Typeface,
    bold: &'static Typeface,
    date: jiff::civil::Date,
}

impl Pen<'_> {
    /// The letter's page; gives where its text ends.
    fn letter(&mut self, sheet: &Sheet<'_>) -> f32 {
        let Sheet { letter, labels, window, .. } = sheet;
        let sender = self.small(sheet.sender_line(), WIDTH);
        for (place, line) in sender.1.iter().rev().enumerate() {
            self.text(LEFT, 60.5 - place as f32 * 2.8, sender.0, false, line);
        }
        for (place, line) in window.lines.iter().enumerate() {
            self.text(LEFT, 66.4 + place as f32 * 4.4, window.size, false, line);
        }
        let date = labels.day(self.date);
        for (place, (label, value)) in [(labels.date, &date), (labels.customer, &letter.customer_number)].into_iter().enumerate() {
            let y = 66.4 + place as f32 * 5.0;
            self.text(INFO, y, 9.0, false, label);
            let value = self.regular.few_lines(value, 9.0, RIGHT - INFO - 26.0, 1).concat();
            self.text(INFO + 26.0, y, 9.0, false, &value);
        }
        for (place, line) in sheet.settings.footer.iter().enumerate() {
            self.text(LEFT, 278.0 + place as f32 * 3.6, 8.0, false, line);
        }
        let mut y = 103.0;
        for line in self.bold.lines(&sheet.subject, 12.0, RIGHT - LEFT, Wide::Breaks) {
            self.text(LEFT, y, 12.0, true, &line);
            y += 5.4;
        }
        y += 4.6;
        for block in &sheet.blocks {
            y = match block {
                Block::Paragraph(text) => self.paragraph(y, text),
                Block::Card => self.paragraph(y, labels.card),
                Block::Access => self.access(y, sheet),
                Block::Meters => self.meters(y, sheet),
            };
        }
        y
    }

    /// Text whose base line is at `y`.
    fn text(&mut self, x: f32, y: f32, size: f32, bold: bool, text: &str) {
        let typeface = if bold { self.bold } else { self.regular };
        let Some(surface) = &mut self.surface else { return };
        let text = typeface.printable(text);
        if text.trim().is_empty() {
            return;
        }
        surface.set_stroke(None);
        surface.set_fill(Some(black()));
        surface.draw_text(Point::from_xy(x * MM, y * MM), typeface.font.clone(), size, &text, false, TextDirection::LeftToRight);
    }

    /// The largest of the small sizes at which the text is one line; else several lines of the smallest.
    fn small(&self, text: &str, width: f32) -> (f32, Vec<String>) {
        let size = [7.5, 7.0, 6.5].into_iter().find(|size| self.regular.width(text, *size) <= width).unwrap_or(6.0);
        (size, self.regular.few_lines(text, size, width, 3))
    }

    fn paragraph(&mut self, y: f32, text: &str) -> f32 {
        let mut y = y;
        for line in self.regular.lines(text, 10.5, RIGHT - LEFT, Wide::Breaks) {
            self.text(LEFT, y, 10.5, false, &line);
            y += 4.9;
        }
        y + 2.6
    }

    fn access(&mut self, y: f32, sheet: &Sheet<'_>) -> f32 {
        let (height, labels, letter) = (38.0, sheet.labels, &sheet.letter.letter);
        let top = y - 4.0;
        self.frame(LEFT, top, RIGHT - LEFT, height);
        let width = RIGHT - 37.0 - LEFT - 5.0;
        let password = letter.password.as_deref();
        let rows =
            [(labels.user_name, letter.username.as_str(), true), (labels.password, password.unwrap_or(labels.goes_on), password.is_some())];
        for (place, (label, value, is_data)) in rows.into_iter().enumerate() {
            let y = top + 9.0 + place as f32 * 13.0;
            self.text(LEFT + 5.0, y, 9.0, false, label);
            // A user name is typed from here: none of it is cut off.
            let size = [14.0, 11.0, 8.0].into_iter().find(|size| self.bold.width(value, *size) <= width).unwrap_or(5.5);
            self.text(LEFT + 5.0, y + 6.0, if is_data { size } else { 11.0 }, is_data, value);
        }
        self.text(LEFT + 82.0, top + 9.0, 9.0, false, labels.link);
        self.qr(RIGHT - 35.0, top + 3.0, 32.0, &sheet.code);
        top + height + 8.0
    }

    fn meters(&mut self, y: f32, sheet: &Sheet<'_>) -> f32 {
        let columns = [LEFT, LEFT + 45.0, LEFT + 70.0, LEFT + 124.0];
        let widths = [43.0, 23.0, 52.0, 41.0];
        let labels = sheet.labels;
        for (x, head) in columns.into_iter().zip([labels.meter, labels.medium, labels.place, labels.period]) {
            self.text(x, y, 9.0, true, head);
        }
        let mut y = y + 4.6;
        for meter in sheet.letter.meters.iter().take(sheet.listed) {
            // A number is compared with the plate: none of it is cut off.
            let cells = [(&meter.number, 4), (&meter.medium, 2), (&meter.place, 2), (&labels.period(meter.from, meter.until), 2)];
            let mut height = 0;
            for ((x, width), (cell, most)) in columns.into_iter().zip(widths).zip(cells) {
                let lines = self.regular.few_lines(cell, 9.0, width, most);
                for (place, line) in lines.iter().enumerate() {
                    self.text(x, y + place as f32 * 3.8, 9.0, false, line);
                }
                height = height.max(lines.len());
            }
            y += 4.4 + height.saturating_sub(1) as f32 * 3.8;
        }
        if sheet.letter.meter_count > sheet.listed {
            self.text(LEFT, y, 9.0, false, labels.more);
            y += 4.4;
        }
        y + 2.6
    }

    /// A card to be cut off, for one meter.
    fn card(&mut self, top: f32, sheet: &Sheet<'_>, meter: &LetterMeter) {
        let (left, labels, letter) = (15.0, sheet.labels, sheet.letter);
        if top + CARD < 296.0 {
            self.cut(top + CARD);
            self.text(left, top + CARD - 1.2, 6.5, false, labels.card_cut);
        }
        self.text(left, top + 14.0, 13.0, true, labels.card_title);
        let back = format!("{}: {}", labels.card_back, sheet.sender_line());
        for (place, line) in self.regular.few_lines(&back, 8.5, 110.0, 2).iter().enumerate() {
            self.text(left + 38.0, top + 14.0 + place as f32 * 3.8, 8.5, false, line);
        }
        let customer = format!("{} {}  ·  {}", labels.customer, letter.customer_number, letter.letter.name);
        self.line_of(left, top + 23.0, 9.0, false, 150.0, &customer);
        let number = format!("{} {}", labels.meter, meter.number);
        let size = if self.bold.width(&number, 12.0) <= 150.0 { 12.0 } else { 8.0 };
        self.text(left, top + 30.0, size, true, &number);
        let until = labels.period(meter.from, meter.until);
        let about: Vec<_> = [meter.medium.as_str(), &meter.place, &until].into_iter().filter(|part| !part.is_empty()).collect();
        self.line_of(left, top + 35.5, 9.0, false, 150.0, &about.join("  ·  "));
        self.matrix(175.0, top + 10.0, 20.0, &card_code(&sheet.application.application_id, &meter.job));

        let height = (38.0 / meter.registers.len().max(1) as f32).min(11.0);
        for (place, register) in meter.registers.iter().enumerate() {
            self.register(top + 40.0 + place as f32 * height, height - 1.6, register, labels);
        }
        let y = top + 40.0 + meter.registers.len() as f32 * height + 1.0;
        let side = (height - 2.0).min(7.0);
        self.text(left, y + side * 0.7, 9.0, false, labels.read_on);
        let mut x = left + 58.0;
        for (place, letter) in labels.day_boxes.chars().enumerate() {
            x += if place == 2 || place == 4 { 2.0 } else { 0.0 };
            self.frame(x, y, 6.0, side);
            self.text(x + 2.0, y + side * 0.7, 7.0, false, &letter.to_string());
            x += 6.0;
        }
        self.text(x + 5.0, y + side * 0.7, 8.0, false, labels.phone);
        self.rule(x + 37.0, 195.0, y + side);
        self.line_of(left, top + 92.0, 7.5, false, 180.0, labels.card_how);
    }

    /// Name, last reading, and a box for each digit.
    fn register(&mut self, y: f32, side: f32, register: &LetterRegister, labels: &Labels) {
        let (left, side) = (15.0, side.min(8.0));
        self.line_of(left, y + side * 0.45, 9.0, true, 56.0, &register.name);
        if let Some((day, value)) = &register.last {
            self.line_of(
                left,
                y + side * 0.45 + 3.4,
                7.5,
                false,
                56.0,
                &format!("{} {} ({})", labels.last, value.replace('.', ","), labels.short_day(*day)),
            );
        }
        let mut x = left + 58.0;
        for _ in 0..register.pre_decimals.min(12) {
            self.frame(x, y, 6.0, side);
            x += 6.0;
        }
        if register.post_decimals > 0 {
            self.text(x + 0.6, y + side * 0.85, 14.0, true, ",");
            x += 3.0;
            for _ in 0..register.post_decimals.min(4) {
                self.frame(x, y, 6.0, side);
                x += 6.0;
            }
        }
    }

    /// One line, cut off where it would end behind `width`.
    fn line_of(&mut self, x: f32, y: f32, size: f32, bold: bool, width: f32, text: &str) {
        let typeface = if bold { self.bold } else { self.regular };
        let line = typeface.few_lines(text, size, width, 1).concat();
        self.text(x, y, size, bold, &line);
    }

    /// The code with its quiet zone inside the square.
    fn qr(&mut self, x: f32, y: f32, side: f32, code: &QrCode) {
        let width = code.width();
        let dark = code.to_colors().into_iter().enumerate().filter(|(_, color)| *color == qrcode::Color::Dark);
        self.modules(x, y, side / (width as f32 + 8.0), 4, dark.map(|(place, _)| (place % width, place / width)));
    }

    /// The same for a data matrix, whose quiet zone is one module.
    fn matrix(&mut self, x: f32, y: f32, side: f32, text: &str) {
        // The longest tenant with the longest job has room in a symbol.
        let Ok(code) = DataMatrix::encode(text.as_bytes(), SymbolList::default().enforce_square()) else { return };
        let bitmap = code.bitmap();
        self.modules(x, y, side / (bitmap.width() as f32 + 2.0), 1, bitmap.pixels());
    }

    /// Fills modules, neighbours in a row as one rectangle: fewer shapes, and no fine gaps on a screen.
    fn modules(&mut self, x: f32, y: f32, module: f32, quiet: usize, dark: impl Iterator<Item = (usize, usize)>) {
        if self.surface.is_none() {
            return;
        }
        let mut path = PathBuilder::new();
        let mut fill = |column: usize, row: usize, length: usize| {
            let (left, top) = (x + (column + quiet) as f32 * module, y + (row + quiet) as f32 * module);
            if let Some(bar) = Rect::from_xywh(left * MM, top * MM, length as f32 * module * MM, module * MM) {
                path.push_rect(bar);
            }
        };
        let mut run: Option<(usize, usize, usize)> = None;
        for (column, row) in dark {
            run = match run {
                Some((begin, in_row, length)) if in_row == row && begin + length == column => Some((begin, row, length + 1)),
                earlier => {
                    if let Some((begin, in_row, length)) = earlier {
                        fill(begin, in_row, length);
                    }
                    Some((column, row, 1))
                }
            };
        }
        if let Some((begin, in_row, length)) = run {
            fill(begin, in_row, length);
        }
        let (Some(path), Some(surface)) = (path.finish(), &mut self.surface) else { return };
        surface.set_stroke(None);
        surface.set_fill(Some(black()));
        surface.draw_path(&path);
    }

    fn frame(&mut self, x: f32, y: f32, width: f32, height: f32) {
        let mut path = PathBuilder::new();
        if let Some(frame) = Rect::from_xywh(x * MM, y * MM, width * MM, height * MM) {
            path.push_rect(frame);
        }
        self.stroke(path.finish(), 0.8, None);
    }

    fn rule(&mut self, from: f32, to: f32, y: f32) {
        let mut path = PathBuilder::new();
        path.move_to(from * MM, y * MM);
        path.line_to(to * MM, y * MM);
        self.stroke(path.finish(), 0.5, None);
    }

    /// The line at which a card is cut off.
    fn cut(&mut self, y: f32) {
        let mut path = PathBuilder::new();
        path.move_to(0.0, y * MM);
        path.line_to(210.0 * MM, y * MM);
        self.stroke(path.finish(), 0.5, Some(StrokeDash { array: vec![4.0, 3.0], offset: 0.0 }));
    }

    /// The marks at which the sheet is folded and punched.
    fn marks(&mut self) {
        for (y, length) in [(105.0, 4.0), (148.5, 6.0), (210.0, 4.0)] {
            let mut path = PathBuilder::new();
            path.move_to(5.0 * MM, y * MM);
            path.line_to((5.0 + length) * MM, y * MM);
            self.stroke(path.finish(), 0.4, None);
        }
    }

    fn stroke(&mut self, path: Option<Path>, width: f32, dash: Option<StrokeDash>) {
        let (Some(path), Some(surface)) = (path, &mut self.surface) else { return };
        surface.set_fill(None);
        let grey = rgb::Color::new(110, 110, 110);
        surface.set_stroke(Some(Stroke { paint: grey.into(), width, dash, ..Stroke::default() }));
        surface.draw_path(&path);
        surface.set_stroke(None);
    }

    /// At the top right, as large as 70 x 22 mm allow.
    /// A word across the page, below everything else, light enough for codes on it to be read.
    fn watermark(&mut self, word: &str) {
        const SIZE: f32 = 110.0;
        let half = self.bold.width(word, SIZE) / 2.0 * MM;
        let Some(surface) = &mut self.surface else { return };
        let (sin, cos) = 55_f32.to_radians().sin_cos();
        surface.push_transform(&Transform::from_row(cos, -sin, sin, cos, 105.0 * MM, 148.5 * MM));
        surface.set_stroke(None);
        surface.set_fill(Some(Fill { paint: rgb::Color::new(228, 228, 228).into(), ..Fill::default() }));
        surface.draw_text(Point::from_xy(-half, SIZE * 0.35), self.bold.font.clone(), SIZE, word, false, TextDirection::LeftToRight);
        surface.pop();
    }

    fn logo(&mut self, logo: &Image) {
        let Some(surface) = &mut self.surface else { return };
        let (width, height) = logo.size();
        let scale = (70.0 / width as f32).min(22.0 / height as f32);
        let (width, height) = (width as f32 * scale, height as f32 * scale);
        if let Some(size) = Size::from_wh(width * MM, height * MM) {
            surface.push_transform(&Transform::from_translate((RIGHT - width) * MM, 12.0 * MM));
            surface.draw_image(logo.clone(), size);
            surface.pop();
        }
    }
}

fn black() -> Fill {
    Fill { paint: rgb::Color::new(0, 0, 0).into(), ..Fill::default() }
}
