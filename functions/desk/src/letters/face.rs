//! The letters' fonts: what they can print, how wide it is, and where a line ends.

use std::sync::OnceLock;

use krilla::text::Font;
use ttf_parser::Face;
use unicode_normalization::UnicodeNormalization;

/// Source Sans Pro, SIL Open Font License 1.1 (fonts/LICENSE.txt), from the PyPI package font-source-sans-pro 0.0.1.
const REGULAR: &[u8] = include_bytes!("../../fonts/SourceSansPro-Regular.ttf");
const BOLD: &[u8] = include_bytes!("../../fonts/SourceSansPro-Bold.ttf");

/// Points in a millimetre.
pub const MM: f32 = 72.0 / 25.4;

/// Keeps two words on one line, such as a street and its number.
pub const TOGETHER: char = '\u{a0}';

/// A font; read once in a process, so that its parts are shared by all files.
pub struct Typeface {
    pub font: Font,
    face: Face<'static>,
}

/// What may happen to a word that is wider than its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wide {
    /// It stays as it is.
    Stays,
    /// It is broken between any two letters.
    Breaks,
}

/// The plain font; none: the program was built with a damaged file.
pub fn regular() -> Option<&'static Typeface> {
    static FACE: OnceLock<Option<Typeface>> = OnceLock::new();
    FACE.get_or_init(|| Typeface::read(REGULAR)).as_ref()
}

/// The bold font.
pub fn bold() -> Option<&'static Typeface> {
    static FACE: OnceLock<Option<Typeface>> = OnceLock::new();
    FACE.get_or_init(|| Typeface::read(BOLD)).as_ref()
}

/// The first letter of the text that a font lacks.
pub fn lacking(text: &str) -> Option<char> {
    let faces = [regular(), bold()];
    text.nfc().find(|letter| !letter.is_whitespace() && faces.iter().flatten().any(|face| !face.has(*letter)))
}

impl Typeface {
    fn read(data: &'static [u8]) -> Option<Self> {
        Some(Self { font: Font::new(data.to_vec().into(), 0)?, face: Face::parse(data, 0).ok()? })
    }

    fn has(&self, letter: char) -> bool {
        self.face.glyph_index(letter).is_some_and(|glyph| glyph.0 != 0)
    }

    /// The text with a question mark for every letter that the font does not have: the archive's format allows no empty boxes.
    pub fn printable(&self, text: &str) -> String {
        let plain = |letter: char| match letter {
            TOGETHER => ' ',
            letter if self.has(letter) => letter,
            _ => '?',
        };
        text.nfc().map(plain).collect()
    }

    /// Width in millimetres of text of so many points.
    pub fn width(&self, text: &str, size: f32) -> f32 {
        let advance = |letter| self.face.glyph_index(letter).and_then(|glyph| self.face.glyph_hor_advance(glyph)).unwrap_or_default();
        let units: u32 = text.nfc().map(|letter| u32::from(advance(letter))).sum();
        units as f32 / f32::from(self.face.units_per_em()) * size / MM
    }

    /// The text in lines of at most so many millimetres, broken at blanks and behind hyphens and slashes.
    pub fn lines(&self, text: &str, size: f32, width: f32, wide: Wide) -> Vec<String> {
        let mut lines = vec![String::new()];
        for piece in pieces(text) {
            let Some(line) = lines.last_mut() else { continue };
            let longer = format!("{line}{piece}");
            if self.width(longer.trim_end(), size) <= width {
                *line = longer;
                continue;
            }
            line.truncate(line.trim_end().len());
            if !line.is_empty() {
                lines.push(String::new());
            }
            for letter in piece.chars() {
                let Some(line) = lines.last_mut() else { continue };
                line.push(letter);
                if wide == Wide::Breaks && self.width(line.trim_end(), size) > width && line.chars().count() > 1 {
                    line.pop();
                    lines.push(letter.to_string());
                }
            }
        }
        if let Some(line) = lines.last_mut() {
            line.truncate(line.trim_end().len());
        }
        lines
    }

    /// As [`Self::lines`], but no more than so many; what is cut off leaves an ellipsis, and every line is filled first.
    pub fn few_lines(&self, text: &str, size: f32, width: f32, most: usize) -> Vec<String> {
        let mut lines = self.lines(text, size, width, Wide::Breaks);
        if lines.len() <= most {
            return lines;
        }
        let rest = lines.split_off(most.saturating_sub(1)).join(" ");
        let mut cut = String::new();
        for letter in rest.chars() {
            if self.width(&format!("{cut}{letter}…"), size) > width {
                break;
            }
            cut.push(letter);
        }
        lines.push(format!("{}…", cut.trim_end()));
        lines
    }
}

/// Words with the blank behind them, and the parts of words with a hyphen or a slash in them.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    for word in text.split(|letter: char| letter.is_whitespace() && letter != TOGETHER).filter(|word| !word.is_empty()) {
        pieces.extend(word.split_inclusive(['-', '/', '–']).map(str::to_owned));
        if let Some(last) = pieces.last_mut() {
            last.push(' ');
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_where_a_reader_would_end_it() {
        let face = regular().unwrap();
        let lines = face.lines("Am Bürgermeister-Doktor-Wilhelm-Schröder-Platz\u{a0}183\u{a0}b", 11.0, 60.0, Wide::Stays);
        assert_eq!(lines, ["Am Bürgermeister-Doktor-Wilhelm-", "Schröder-Platz\u{a0}183\u{a0}b"]);
        let wide = "Donaudampfschifffahrtsgesellschaftskapitänswitwe";
        assert_eq!(face.lines(wide, 11.0, 60.0, Wide::Stays), [wide]);
        let broken = face.lines(wide, 11.0, 60.0, Wide::Breaks);
        assert_eq!((broken.len(), broken.concat().as_str()), (2, wide));
    }

    #[test]
    fn what_is_cut_off_leaves_whole_lines() {
        let face = regular().unwrap();
        let place = "Am Hausanschlussraum hinter der dritten Tür links im Untergeschoss des Vorderhauses";
        let lines = face.few_lines(place, 9.0, 61.0, 1);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with("Am Hausanschlussraum hinter der dritten") && lines[0].ends_with('…'), "{lines:?}");
        assert_eq!(face.few_lines("Keller", 9.0, 61.0, 2), ["Keller"]);
        assert!(face.few_lines(place, 9.0, 61.0, 2).iter().all(|line| face.width(line, 9.0) <= 61.0));
    }

    #[test]
    fn a_letter_with_its_mark_apart_is_one_letter() {
        let face = regular().unwrap();
        assert!(lacking("Mu\u{308}ller").is_none() && face.printable("Mu\u{308}ller") == "Müller");
        assert!(lacking("محمد") == Some('م') && face.printable("م") == "?");
    }
}
