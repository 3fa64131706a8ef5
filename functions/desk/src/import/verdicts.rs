//! What a rehearsal showed of each line, to be held against what became of it.

use domain::text;
use domain::text::Text;
use serde::{Deserialize, Serialize};

use super::Outcome;

/// The outcome of a line, or of its rehearsal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// It is new.
    Created,
    /// It changes what is there.
    Updated,
    /// It was so already.
    Unchanged,
    /// It comes from another account.
    Moved,
    /// Its account is still to come.
    WithoutAccount,
    /// It repeats another line.
    Repeated,
    /// It is not taken.
    Faulty,
}

impl Verdict {
    /// What became of a line; none: that is decided when all lines were read.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        Some(match outcome {
            Outcome::Created => Self::Created,
            Outcome::Updated => Self::Updated,
            Outcome::Unchanged => Self::Unchanged,
            Outcome::Moved => Self::Moved,
            Outcome::Waiting => Self::WithoutAccount,
            Outcome::Repeated => Self::Repeated,
            Outcome::Refused(_) => Self::Faulty,
            Outcome::Deferred => return None,
        })
    }

    /// As counts name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Moved => "moved",
            Self::WithoutAccount => "withoutAccount",
            Self::Repeated => "repeated",
            Self::Faulty => "faulty",
        }
    }

    /// As a list says it.
    pub fn text(self) -> Text {
        match self {
            Self::Created => text!("neu", "new"),
            Self::Updated => text!("geändert", "changed"),
            Self::Unchanged => text!("unverändert", "unchanged"),
            Self::Moved => text!("von einem anderen Zugang", "from another account"),
            Self::WithoutAccount => text!("ohne Zugang", "without an account"),
            Self::Repeated => text!("wiederholt", "repeated"),
            Self::Faulty => text!("fehlerhaft", "faulty"),
        }
    }
}

/// The verdicts of a file: each with the first line from which on it holds until the next one.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Verdicts(Vec<(u64, Verdict)>);

impl Verdicts {
    /// Of lines in any order.
    pub fn of(mut lines: Vec<(u64, Verdict)>) -> Self {
        lines.sort_unstable_by_key(|(line, _)| *line);
        lines.dedup_by_key(|(_, verdict)| *verdict);
        Self(lines)
    }

    /// That of one of the lines.
    pub fn at(&self, line: u64) -> Option<Verdict> {
        let behind = self.0.partition_point(|(first, _)| *first <= line);
        self.0.get(behind.checked_sub(1)?).map(|(_, verdict)| *verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_follow_each_other_are_kept_once() {
        let lines = vec![(4, Verdict::Faulty), (2, Verdict::Created), (3, Verdict::Created), (6, Verdict::Created)];
        let verdicts = Verdicts::of(lines);
        assert_eq!(serde_json::to_string(&verdicts).unwrap(), r#"[[2,"created"],[4,"faulty"],[6,"created"]]"#);
        let found: Vec<_> = [1, 2, 3, 4, 6].map(|line| verdicts.at(line)).into();
        assert_eq!(found, [None, Some(Verdict::Created), Some(Verdict::Created), Some(Verdict::Faulty), Some(Verdict::Created)]);
    }
}
