//! EDIFACT (ISO 9735, syntax 3, character set UNOC): segments, their special characters, and the counts that close a message and an interchange.

use domain::text;
use domain::text::Text;

/// A segment: its tag, and its data elements, each with its components.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Three letters.
    pub tag: String,
    /// The segment's elements.
    pub elements: Vec<Vec<String>>,
}

impl Segment {
    /// A segment of these data elements.
    pub fn new(tag: &str, elements: &[&[&str]]) -> Self {
        let element = |element: &&[&str]| element.iter().map(|component| (*component).to_owned()).collect();
        Self { tag: tag.to_owned(), elements: elements.iter().map(element).collect() }
    }

    /// A component, counted from 0; empty if there is none.
    pub fn get(&self, element: usize, component: usize) -> &str {
        self.elements.get(element).and_then(|element| element.get(component)).map_or("", String::as_str)
    }
}

/// An interchange in the making.
#[derive(Debug)]
pub struct Interchange {
    text: String,
    reference: String,
    messages: usize,
}

impl Interchange {
    /// Begins with UNA and UNB; sender, recipient and time of preparation have two components each.
    pub fn new(sender: [&str; 2], recipient: [&str; 2], prepared: [&str; 2], reference: &str, application: &str) -> Self {
        let mut interchange = Self { text: "UNA:+.? '".into(), reference: reference.into(), messages: 0 };
        let begin: [&[&str]; 7] = [&["UNOC", "3"], &sender, &recipient, &prepared, &[reference], &[], &[application]];
        interchange.add(&Segment::new("UNB", &begin));
        interchange
    }

    /// Adds a message: UNH, the segments, UNT with its count.
    pub fn message(&mut self, reference: &str, kind: &[&str], segments: &[Segment]) {
        self.messages += 1;
        self.add(&Segment::new("UNH", &[&[reference], kind]));
        for segment in segments {
            self.add(segment);
        }
        let count = (segments.len() + 2).to_string();
        self.add(&Segment::new("UNT", &[&[&count], &[reference]]));
    }

    /// Ends with UNZ: the text in ISO 8859-1. What this set lacks became a blank; who fills segments keeps such characters out.
    pub fn finish(mut self) -> Vec<u8> {
        let (count, reference) = (self.messages.to_string(), self.reference.clone());
        self.add(&Segment::new("UNZ", &[&[&count], &[&reference]]));
        self.text.chars().map(|c| u8::try_from(c).unwrap_or(b' ')).collect()
    }

    fn add(&mut self, segment: &Segment) {
        self.text.push_str(&segment.tag);
        let last = segment.elements.iter().rposition(|element| element.iter().any(|component| !component.is_empty()));
        for element in &segment.elements[..last.map_or(0, |last| last + 1)] {
            self.text.push('+');
            let last = element.iter().rposition(|component| !component.is_empty());
            for (place, component) in element[..last.map_or(0, |last| last + 1)].iter().enumerate() {
                if place > 0 {
                    self.text.push(':');
                }
                self.escaped(component);
            }
        }
        self.text.push('\'');
    }

    fn escaped(&mut self, text: &str) {
        for c in text.chars() {
            if matches!(c, '+' | ':' | '\'' | '?') {
                self.text.push('?');
            }
            self.text.push(c);
        }
    }
}

/// The segments of an interchange, without UNA, whose special characters are gone by.
///
/// # Errors
/// What keeps the bytes from being an interchange.
pub fn parse(bytes: &[u8]) -> Result<Vec<Segment>, Text> {
    let signs = match bytes.strip_prefix(b"UNA") {
        Some(signs) if signs.len() >= 6 => Signs { component: signs[0], element: signs[1], release: signs[3], end: signs[5] },
        _ => Signs { component: b':', element: b'+', release: b'?', end: b'\'' },
    };
    let body = if bytes.starts_with(b"UNA") { bytes.get(9..).unwrap_or_default() } else { bytes };
    let mut segments = Vec::new();
    let mut parts: Vec<Vec<String>> = vec![vec![String::new()]];
    let mut bytes = body.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let mut push = |c: u8| {
            if let Some(component) = parts.last_mut().and_then(|element| element.last_mut()) {
                component.push(char::from(c));
            }
        };
        // A blank as release character says that there is none.
        if byte == signs.release && signs.release != b' ' {
            let released = bytes.next().ok_or_else(|| text!("endet mitten in einem Segment", "ends in the middle of a segment"))?;
            push(released);
        } else if byte == signs.component {
            parts.last_mut().into_iter().for_each(|element| element.push(String::new()));
        } else if byte == signs.element {
            parts.push(vec![String::new()]);
        } else if byte == signs.end {
            let mut elements = std::mem::replace(&mut parts, vec![vec![String::new()]]);
            let tag = elements.remove(0).swap_remove(0);
            segments.push(Segment { tag, elements });
            while bytes.next_if(u8::is_ascii_whitespace).is_some() {}
        } else {
            push(byte);
        }
    }
    let rest: String = parts.concat().concat();
    if !rest.trim().is_empty() {
        return Err(text!("endet mitten in einem Segment", "ends in the middle of a segment"));
    }
    match segments.first() {
        Some(first) if first.tag == "UNB" => Ok(segments),
        _ => Err(text!("ist keine Übertragungsdatei: UNB fehlt am Anfang", "is no interchange: it does not begin with UNB")),
    }
}

/// The separators.
struct Signs {
    component: u8,
    element: u8,
    release: u8,
    end: u8,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_released_and_empty_ends_left_out() {
        let mut interchange = Interchange::new(["a", "500"], ["b", "500"], ["261121", "1030"], "ZW1", "VL");
        interchange.message(
            "M1",
            &["MSCONS", "D"],
            &[Segment::new("RFF", &[&["MG", "1+2:3'4?ü"]]), Segment::new("STS", &[&["Z33"], &[""], &["Z83"]])],
        );
        let bytes = interchange.finish();
        assert_eq!(
            bytes.iter().map(|byte| char::from(*byte)).collect::<String>(),
            "UNA:+.? 'UNB+UNOC:3+a:500+b:500+261121:1030+ZW1++VL'UNH+M1+MSCONS:D'RFF+MG:1?+2?:3?'4??ü'STS+Z33++Z83'UNT+4+M1'UNZ+1+ZW1'"
        );
        assert_eq!(bytes.iter().filter(|byte| **byte == 0xFC).count(), 1, "ISO 8859-1");
        let read = parse(&bytes).unwrap();
        assert_eq!(read.iter().map(|segment| segment.tag.as_str()).collect::<Vec<_>>(), ["UNB", "UNH", "RFF", "STS", "UNT", "UNZ"]);
        assert_eq!((read[2].get(0, 1), read[3].get(2, 0), read[3].get(7, 1)), ("1+2:3'4?ü", "Z83", ""));
    }

    #[test]
    fn other_special_characters_and_line_ends_are_read() {
        let read = parse(b"UNA|*.! ~UNB*UNOC|3*a!*b~\r\nUNZ*0*x~\r\n").unwrap();
        assert_eq!((read.len(), read[0].get(1, 0), read[1].get(1, 0)), (2, "a*b", "x"));
        for broken in [&b""[..], b"UNA:+.? '", b"UNA", b"hello", b"UNH+1'", b"UNB+UNOC:3+a", b"UNB+UNOC:3+a?"] {
            assert!(parse(broken).is_err(), "{}", String::from_utf8_lossy(broken));
        }
    }
}
