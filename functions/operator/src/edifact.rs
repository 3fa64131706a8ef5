//! EDIFACT: segments, their special characters, and the counts that close a message and an interchange.

/// An interchange in the making.
#[derive(Debug)]
pub struct Interchange {
    text: String,
    reference: String,
    messages: usize,
}

/// One data element; its components are separated by colons.
pub type Element<'a> = &'a [&'a str];

impl Interchange {
    /// Begins with UNA and UNB.
    pub fn new(sender: Element<'_>, recipient: Element<'_>, prepared: Element<'_>, reference: &str, application: &str) -> Self {
        let mut interchange = Self { text: "UNA:+.? '".into(), reference: reference.into(), messages: 0 };
        let begin: [Element<'_>; 8] = [&["UNOC", "3"], sender, recipient, prepared, &[reference], &[], &[application], &[]];
        interchange.segment("UNB", &begin);
        interchange
    }

    /// Adds a message: UNH, the segments, UNT with its count.
    pub fn message(&mut self, kind: Element<'_>, segments: &[(&str, Vec<Vec<String>>)]) {
        self.messages += 1;
        let number = self.messages.to_string();
        self.segment("UNH", &[&[&number], kind]);
        for (tag, elements) in segments {
            let elements: Vec<Vec<&str>> = elements.iter().map(|element| element.iter().map(String::as_str).collect()).collect();
            let elements: Vec<Element<'_>> = elements.iter().map(Vec::as_slice).collect();
            self.segment(tag, &elements);
        }
        let count = (segments.len() + 2).to_string();
        self.segment("UNT", &[&[&count], &[&number]]);
    }

    /// Ends with UNZ.
    pub fn finish(mut self) -> String {
        let count = self.messages.to_string();
        let reference = self.reference.clone();
        self.segment("UNZ", &[&[&count], &[&reference]]);
        self.text
    }

    fn segment(&mut self, tag: &str, elements: &[Element<'_>]) {
        self.text.push_str(tag);
        let last = elements.iter().rposition(|element| element.iter().any(|component| !component.is_empty()));
        for element in &elements[..last.map_or(0, |last| last + 1)] {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_released_and_empty_ends_left_out() {
        let mut interchange = Interchange::new(&["a", "500"], &["b", "500"], &["261121", "1030"], "ZW1", "VL");
        let text = |text: &str| vec![text.to_owned()];
        interchange.message(
            &["MSCONS", "D"],
            &[("RFF", vec![vec!["MG".into(), "1+2:3'4?".into()]]), ("STS", vec![text("Z33"), text(""), text("Z83")])],
        );
        assert_eq!(
            interchange.finish(),
            "UNA:+.? 'UNB+UNOC:3+a:500+b:500+261121:1030+ZW1++VL'UNH+1+MSCONS:D'RFF+MG:1?+2?:3?'4??'STS+Z33++Z83'UNT+4+1'UNZ+1+ZW1'"
        );
    }
}
