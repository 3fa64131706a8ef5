//! What a person sees while a command works: a bar on a terminal, nothing in a log.

use std::io::{self, Write};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

/// Progress of one command.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
    unit: &'static str,
}

impl Progress {
    /// Progress through a file of so many bytes, counted in `unit`s.
    pub fn through(bytes: u64, unit: &'static str) -> Self {
        Self::of(ProgressBar::new(bytes), "{bar:32} {percent:>3} %  {msg}  {eta} left", unit)
    }

    /// Progress towards an end that nobody knows.
    pub fn open_ended(unit: &'static str) -> Self {
        Self::of(ProgressBar::new_spinner(), "{spinner} {msg}  {elapsed}", unit)
    }

    fn of(bar: ProgressBar, template: &str, unit: &'static str) -> Self {
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, begun: Instant::now(), unit }
    }

    /// So many bytes and units are done.
    pub fn reached(&self, bytes: u64, units: u64) {
        let seconds = self.begun.elapsed().as_secs_f64().max(0.001);
        self.bar.set_message(format!("{units} {}, {:.0}/s", self.unit, units as f64 / seconds));
        self.bar.set_position(bytes);
    }

    /// A line for the person, above the bar.
    pub fn say(&self, line: impl std::fmt::Display) {
        // Nobody is left to be told when standard error is closed.
        self.bar.suspend(|| drop(writeln!(io::stderr(), "{line}")));
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
