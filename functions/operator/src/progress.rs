//! What a person sees while a command works: a bar on a terminal, nothing in a log.

use std::time::Instant;

use domain::text;
use domain::text::Text;
use indicatif::{ProgressBar, ProgressStyle};

use crate::Say;

/// Progress of one command.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
    unit: Text,
    say: Say,
}

impl Progress {
    /// Progress through a file of so many bytes, counted in `unit`s.
    pub fn through(bytes: u64, unit: Text, say: Say) -> Self {
        let template = text!("{{bar:32}} {{percent:>3}} %  {{msg}}  noch {{eta}}", "{{bar:32}} {{percent:>3}} %  {{msg}}  {{eta}} left");
        Self::of(ProgressBar::new(bytes), template.of(say.lang), unit, say)
    }

    /// Progress towards an unknown end.
    pub fn open_ended(unit: Text, say: Say) -> Self {
        Self::of(ProgressBar::new_spinner(), "{spinner} {msg}  {elapsed}", unit, say)
    }

    fn of(bar: ProgressBar, template: &str, unit: Text, say: Say) -> Self {
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, begun: Instant::now(), unit, say }
    }

    /// So many bytes and units are done.
    pub fn reached(&self, bytes: u64, units: u64) {
        let seconds = self.begun.elapsed().as_secs_f64().max(0.001);
        self.bar.set_message(format!("{units} {}, {:.0}/s", self.unit.of(self.say.lang), units as f64 / seconds));
        self.bar.set_position(bytes);
    }

    /// A line for the person, above the bar.
    pub fn say(&self, line: &Text) {
        self.bar.suspend(|| self.say.complain(line));
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
