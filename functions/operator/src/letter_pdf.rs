//! The letter as PDF/A-2u: A4 by DIN 5008 form B, with the address where the envelope's window is.

use std::sync::Arc;

use krilla::SerializeSettings;
use krilla::color::rgb;
use krilla::configure::{Archival, ConfigurationBuilder};
use krilla::document::Document;
use krilla::geom::{Path, PathBuilder, Point, Rect, Size, Transform};
use krilla::image::Image;
use krilla::metadata::{DateTime, Metadata};
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::text::{Font, TextDirection};
use qrcode::{EcLevel, QrCode};
use ttf_parser::Face;

use crate::letter_text::{Labels, Part};

/// Source Sans Pro, SIL Open Font License 1.1 (fonts/LICENSE.txt), from the PyPI package font-source-sans-pro 0.0.1.
const REGULAR: &[u8] = include_bytes!("../fonts/SourceSansPro-Regular.ttf");
const BOLD: &[u8] = include_bytes!("../fonts/SourceSansPro-Bold.ttf");

/// Points in a millimetre.
const MM: f32 = 72.0 / 25.4;
const LEFT: f32 = 25.0;
const RIGHT: f32 = 190.0;
/// Where the text must end above the foot.
const BOTTOM: f32 = 268.0;

/// What is printed on one letter.
#[derive(Debug)]
pub struct Sheet<'a> {
    /// Lines of the window, at most six.
    pub address: Vec<String>,
    /// The small line above them.
    pub sender_line: &'a str,
    /// Lines at the foot.
    pub footer: &'a [String],
    pub subject: String,
    /// Body.
    pub parts: Vec<Part>,
    /// The login data.
    pub username: &'a str,
    pub password: &'a str,
    pub link: &'a str,
    /// Rows of the table: number, medium, place, last day.
    pub meters: Vec<[String; 4]>,
    /// There are more meters than rows.
    pub more: bool,
    /// The words around.
    pub labels: &'static Labels,
}

/// Why a letter could not be made.
#[derive(Debug, thiserror::Error)]
pub enum LetterError {
    /// The text needs more than a page.
    #[error("the text is too long for one page")]
    TooLong,
    /// The link does not fit into a QR code.
    #[error("the link is too long for a QR code")]
    Link,
    /// The library refuses.
    #[error("the PDF cannot be made: {0}")]
    Pdf(String),
}

/// A file with one letter a page.
pub struct Letters {
    document: Document,
    regular: Typeface,
    bold: Typeface,
    logo: Option<Image>,
}

struct Typeface {
    font: Font,
    face: Face<'static>,
}

impl Typeface {
    fn new(data: &'static [u8]) -> Result<Self, LetterError> {
        let font = Font::new(Arc::new(data.to_vec()).into(), 0);
        let face = Face::parse(data, 0).map_err(|error| LetterError::Pdf(error.to_string()))?;
        Ok(Self { font: font.ok_or_else(|| LetterError::Pdf("the font is damaged".into()))?, face })
    }

    /// Width in millimetres.
    fn width(&self, text: &str, size: f32) -> f32 {
        let advance = |c| self.face.glyph_index(c).and_then(|glyph| self.face.glyph_hor_advance(glyph)).unwrap_or_default();
        let units: u32 = text.chars().map(|c| u32::from(advance(c))).sum();
        units as f32 / f32::from(self.face.units_per_em()) * size / MM
    }

    /// The text with a question mark for every letter that the font does not have: the archive's format allows no empty boxes.
    fn printable(&self, text: &str) -> String {
        text.chars().map(|c| if self.face.glyph_index(c).is_some_and(|glyph| glyph.0 != 0) { c } else { '?' }).collect()
    }

    fn lines(&self, text: &str, size: f32, width: f32) -> Vec<String> {
        let mut lines = vec![String::new()];
        for word in text.split_whitespace() {
            let Some(line) = lines.last_mut() else { continue };
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if self.width(&longer, size) <= width || line.is_empty() { *line = longer } else { lines.push(word.to_owned()) }
        }
        lines
    }
}

/// True when the font has every letter of the text.
pub fn can_print(text: &str) -> bool {
    Face::parse(REGULAR, 0).is_ok_and(|face| text.chars().all(|c| c.is_whitespace() || face.glyph_index(c).is_some()))
}

impl Letters {
    /// Begins a file.
    pub fn new(title: &str, language: &str, logo: Option<Vec<u8>>, now: &jiff::Zoned) -> Result<Self, LetterError> {
        let failed = |error: &dyn std::fmt::Debug| LetterError::Pdf(format!("{error:?}"));
        let configuration = ConfigurationBuilder::new().with_archival_validator(Archival::A2_U).finish().map_err(|error| failed(&error))?;
        let mut document = Document::new_with(SerializeSettings { configuration, enable_tagging: false, ..SerializeSettings::default() });
        let created = DateTime::new(u16::try_from(now.year()).unwrap_or_default())
            .month(now.month().unsigned_abs())
            .day(now.day().unsigned_abs())
            .hour(now.hour().unsigned_abs())
            .minute(now.minute().unsigned_abs())
            .second(now.second().unsigned_abs())
            .utc_offset_hour(i8::try_from(now.offset().seconds() / 3600).unwrap_or_default())
            .utc_offset_minute(u8::try_from(now.offset().seconds().unsigned_abs() / 60 % 60).unwrap_or_default());
        document.set_metadata(Metadata::new().title(title.to_owned()).language(language.to_owned()).creation_date(created));
        // The archive's format allows no interpolation.
        let logo = logo.map(|png| Image::from_png(png.into(), false)).transpose().map_err(|error| failed(&error))?;
        Ok(Self { document, regular: Typeface::new(REGULAR)?, bold: Typeface::new(BOLD)?, logo })
    }

    pub fn add(&mut self, sheet: &Sheet<'_>) -> Result<(), LetterError> {
        let code = QrCode::with_error_correction_level(sheet.link, EcLevel::M).map_err(|_| LetterError::Link)?;
        let settings = PageSettings::from_wh(210.0 * MM, 297.0 * MM).ok_or_else(|| LetterError::Pdf("A4".into()))?;
        let mut page = self.document.start_page_with(settings);
        let mut pen = Pen { surface: page.surface(), regular: &self.regular, bold: &self.bold };
        if let Some(logo) = &self.logo {
            pen.logo(logo);
        }
        pen.marks();
        pen.text(LEFT, 60.5, 7.5, false, sheet.sender_line);
        for (place, line) in sheet.address.iter().take(6).enumerate() {
            pen.text(LEFT, 66.5 + place as f32 * 4.6, 11.0, false, line);
        }
        for (place, line) in sheet.footer.iter().enumerate() {
            pen.text(LEFT, 278.0 + place as f32 * 3.6, 8.0, false, line);
        }
        pen.text(LEFT, 103.0, 12.0, true, &sheet.subject);
        let mut y = 113.0;
        for part in &sheet.parts {
            y = match part {
                Part::Paragraph(text) => pen.paragraph(y, text),
                Part::Access => pen.access(y, sheet, &code),
                Part::Meters => pen.meters(y, sheet),
            };
        }
        drop(pen);
        page.finish();
        if y > BOTTOM + 5.0 { Err(LetterError::TooLong) } else { Ok(()) }
    }

    /// The file's bytes.
    pub fn finish(self) -> Result<Vec<u8>, LetterError> {
        self.document.finish().map_err(|error| LetterError::Pdf(format!("{error:?}")))
    }
}

struct Pen<'a> {
    surface: Surface<'a>,
    regular: &'a Typeface,
    bold: &'a Typeface,
}

impl Pen<'_> {
    /// Text whose base line is at `y` millimetres.
    fn text(&mut self, x: f32, y: f32, size: f32, bold: bool, text: &str) {
        let typeface = if bold { self.bold } else { self.regular };
        let text = typeface.printable(text);
        if text.trim().is_empty() {
            return;
        }
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(black()));
        let start = Point::from_xy(x * MM, y * MM);
        self.surface.draw_text(start, typeface.font.clone(), size, &text, false, TextDirection::LeftToRight);
    }

    fn paragraph(&mut self, y: f32, text: &str) -> f32 {
        let mut y = y;
        for line in self.regular.lines(text, 10.5, RIGHT - LEFT) {
            self.text(LEFT, y, 10.5, false, &line);
            y += 4.9;
        }
        y + 2.6
    }

    fn access(&mut self, y: f32, sheet: &Sheet<'_>, code: &QrCode) -> f32 {
        let height = 38.0;
        let top = y - 4.0;
        self.frame(LEFT, top, RIGHT - LEFT, height);
        let rows = [(sheet.labels.user_name, sheet.username), (sheet.labels.password, sheet.password)];
        for (place, (label, value)) in rows.into_iter().enumerate() {
            let y = top + 9.0 + place as f32 * 13.0;
            self.text(LEFT + 5.0, y, 9.0, false, label);
            self.text(LEFT + 5.0, y + 6.0, 14.0, true, value);
        }
        self.text(LEFT + 82.0, top + 9.0, 9.0, false, sheet.labels.link);
        self.code(RIGHT - 35.0, top + 3.0, 32.0, code);
        top + height + 8.0
    }

    fn meters(&mut self, y: f32, sheet: &Sheet<'_>) -> f32 {
        let columns = [LEFT, LEFT + 45.0, LEFT + 75.0, LEFT + 138.0];
        let widths = [43.0, 28.0, 61.0, 27.0];
        let labels = sheet.labels;
        for (x, head) in columns.into_iter().zip([labels.meter, labels.medium, labels.place, labels.until]) {
            self.text(x, y, 9.0, true, head);
        }
        let mut y = y + 4.6;
        for row in &sheet.meters {
            for ((x, width), cell) in columns.into_iter().zip(widths).zip(row) {
                let lines = self.regular.lines(cell, 9.0, width);
                let shown = lines.first().cloned().unwrap_or_default();
                self.text(x, y, 9.0, false, &if lines.len() > 1 { format!("{shown} …") } else { shown });
            }
            y += 4.4;
        }
        if sheet.more {
            self.text(LEFT, y, 9.0, false, labels.more);
            y += 4.4;
        }
        y + 2.6
    }

    /// The code with its quiet zone inside the square.
    fn code(&mut self, x: f32, y: f32, side: f32, code: &QrCode) {
        let width = code.width();
        let module = side / (width as f32 + 8.0);
        let mut path = PathBuilder::new();
        for (place, color) in code.to_colors().into_iter().enumerate() {
            if color == qrcode::Color::Dark {
                let (row, column) = (place / width, place % width);
                let (left, top) = (x + (column as f32 + 4.0) * module, y + (row as f32 + 4.0) * module);
                if let Some(square) = Rect::from_xywh(left * MM, top * MM, module * MM, module * MM) {
                    path.push_rect(square);
                }
            }
        }
        self.fill(path.finish());
    }

    fn fill(&mut self, path: Option<Path>) {
        let Some(path) = path else { return };
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(black()));
        self.surface.draw_path(&path);
    }

    fn frame(&mut self, x: f32, y: f32, width: f32, height: f32) {
        let mut path = PathBuilder::new();
        if let Some(frame) = Rect::from_xywh(x * MM, y * MM, width * MM, height * MM) {
            path.push_rect(frame);
        }
        self.line(path.finish(), 0.8);
    }

    /// Where the sheet is folded and punched.
    fn marks(&mut self) {
        for (y, length) in [(105.0, 4.0), (148.5, 6.0), (210.0, 4.0)] {
            let mut path = PathBuilder::new();
            path.move_to(5.0 * MM, y * MM);
            path.line_to((5.0 + length) * MM, y * MM);
            self.line(path.finish(), 0.4);
        }
    }

    fn line(&mut self, path: Option<Path>, width: f32) {
        let Some(path) = path else { return };
        self.surface.set_fill(None);
        let grey = rgb::Color::new(110, 110, 110);
        self.surface.set_stroke(Some(Stroke { paint: grey.into(), width, ..Stroke::default() }));
        self.surface.draw_path(&path);
        self.surface.set_stroke(None);
    }

    /// At the top right, as large as 70 x 22 mm allow.
    fn logo(&mut self, logo: &Image) {
        let (width, height) = logo.size();
        let scale = (70.0 / width as f32).min(22.0 / height as f32);
        let (width, height) = (width as f32 * scale, height as f32 * scale);
        if let Some(size) = Size::from_wh(width * MM, height * MM) {
            self.surface.push_transform(&Transform::from_translate((RIGHT - width) * MM, 12.0 * MM));
            self.surface.draw_image(logo.clone(), size);
            self.surface.pop();
        }
    }
}

fn black() -> Fill {
    Fill { paint: rgb::Color::new(0, 0, 0).into(), ..Fill::default() }
}
