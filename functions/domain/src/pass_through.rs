//! What the utility's file says of a job that means nothing here and goes back unchanged with its readings: an order's id, a contract, an OBIS code as it came.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::text;
use crate::text::counted;

/// The name of the member beside a job's own.
pub const PASS_THROUGH: &str = "passThrough";
/// Most columns.
pub const COLUMNS_MAX: usize = 10;
/// Longest name of a column in characters.
pub const NAME_MAX: usize = 60;
/// Longest value in characters.
pub const VALUE_MAX: usize = 120;

/// Values by the file's column: one entry for the whole job, or one for each of its registers in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PassThrough(Vec<BTreeMap<String, String>>);

impl PassThrough {
    /// Of the rows of a table that stand for one job; what they all say they say once.
    pub fn of(mut rows: Vec<BTreeMap<String, String>>) -> Self {
        rows.iter_mut().for_each(|row| row.retain(|_, value| !value.is_empty()));
        if rows.iter().all(|row| Some(row) == rows.first()) {
            rows.truncate(1);
        }
        if rows.iter().all(BTreeMap::is_empty) {
            rows.clear();
        }
        Self(rows)
    }

    /// Nothing was said.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What the column said of the register at this place.
    pub fn of_register(&self, place: usize, column: &str) -> Option<&str> {
        let row = if self.0.len() == 1 { self.0.first() } else { self.0.get(place) };
        row?.get(column).map(String::as_str)
    }

    /// What the column said of the job: each value once, in the order of the registers.
    pub fn of_job(&self, column: &str) -> Vec<&str> {
        let mut values: Vec<&str> = Vec::new();
        for value in self.0.iter().filter_map(|row| row.get(column)) {
            if !values.contains(&value.as_str()) {
                values.push(value);
            }
        }
        values
    }

    /// What is too much of a job with so many registers.
    pub fn check(&self, registers: usize) -> Vec<Fault> {
        let mut faults = Vec::new();
        let rows = self.0.len();
        if rows > 1 && rows != registers {
            let registers = counted(registers, ["Register", "Register"], ["register", "registers"]);
            faults.push(Fault::new(
                PASS_THROUGH,
                text!(
                    "hat {rows} Einträge, der Auftrag hat {registers}; ein einziger gilt für alle",
                    "has {rows} entries, the job has {registers}; a single one is for all of them";
                    registers
                ),
            ));
        }
        let columns: BTreeSet<&String> = self.0.iter().flat_map(BTreeMap::keys).collect();
        if columns.len() > COLUMNS_MAX {
            faults.push(Fault::new(
                PASS_THROUGH,
                text!(
                    "hat {count} Spalten, erlaubt sind höchstens {COLUMNS_MAX}",
                    "has {count} columns, at most {COLUMNS_MAX} are allowed",
                    count = columns.len()
                ),
            ));
        }
        for (place, (name, value)) in self.0.iter().enumerate().flat_map(|(place, row)| row.iter().map(move |cell| (place, cell))) {
            let path = cell(place, name);
            let (of_name, of_value) = (name.chars().count(), value.chars().count());
            if name.trim().is_empty() || of_name > NAME_MAX {
                let reason = text!(
                    "der Name der Spalte braucht 1 bis {NAME_MAX} Zeichen, er hat {of_name}",
                    "a column's name has 1 to {NAME_MAX} characters, this one has {of_name}"
                );
                faults.push(Fault::new(path, reason));
            } else if of_value > VALUE_MAX {
                let reason = text!(
                    "hat {of_value} Zeichen, durchgereicht werden höchstens {VALUE_MAX}",
                    "has {of_value} characters, at most {VALUE_MAX} are passed through"
                );
                faults.push(Fault::new(path, reason));
            }
        }
        faults
    }
}

/// The place of a value in a line, such as `passThrough[0].Vertrag`.
pub fn cell(place: usize, column: &str) -> String {
    format!("{PASS_THROUGH}[{place}].{column}")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn row(cells: &[(&str, &str)]) -> BTreeMap<String, String> {
        cells.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn rows_that_say_the_same_are_one_and_others_belong_to_their_registers() {
        let same = PassThrough::of(vec![row(&[("Vertrag", "007"), ("leer", "")]), row(&[("Vertrag", "007")])]);
        assert_eq!((same.of_register(0, "Vertrag"), same.of_register(5, "Vertrag")), (Some("007"), Some("007")));
        assert_eq!(serde_json::to_string(&same).unwrap(), r#"[{"Vertrag":"007"}]"#);
        let two = PassThrough::of(vec![row(&[("Beleg", "1"), ("V", "x")]), row(&[("Beleg", "2"), ("V", "x")])]);
        assert_eq!((two.of_register(1, "Beleg"), two.of_register(2, "Beleg")), (Some("2"), None));
        assert_eq!((two.of_job("Beleg"), two.of_job("V")), (vec!["1", "2"], vec!["x"]));
        assert!(PassThrough::of(vec![row(&[("a", "")]), row(&[])]).is_empty() && !same.is_empty());
    }

    #[test]
    fn what_is_too_much_is_named() {
        let found = |rows: Vec<BTreeMap<String, String>>, registers| {
            PassThrough::of(rows).check(registers).iter().map(|fault| fault.text().en.into_owned()).collect::<Vec<_>>()
        };
        let most = "x".repeat(VALUE_MAX);
        assert!(found(vec![row(&[(&"n".repeat(NAME_MAX), &most)])], 2).is_empty());
        assert_eq!(
            found(vec![row(&[("V", &format!("{most}x"))])], 1),
            ["passThrough[0].V: has 121 characters, at most 120 are passed through"]
        );
        assert_eq!(
            found(vec![row(&[("V", "1")]), row(&[("V", "2")])], 3),
            ["passThrough: has 2 entries, the job has 3 registers; a single one is for all of them"]
        );
        assert_eq!(found(vec![row(&[(" ", "1")])], 1), ["passThrough[0]. : a column's name has 1 to 60 characters, this one has 1"]);
        let columns = |count: usize| found(vec![(0..count).map(|number| (number.to_string(), "1".to_owned())).collect()], 1);
        assert_eq!(columns(COLUMNS_MAX), [""; 0]);
        assert_eq!(columns(COLUMNS_MAX + 1), ["passThrough: has 11 columns, at most 10 are allowed"]);
    }
}
