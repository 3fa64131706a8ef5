//! What goes out to a destination, and as what: each reading once, and what is found out afterwards as a correction (D-EXPORTS-1, D-EXPORTS-2).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// As what a reading goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SendingKind {
    /// The first that the destination hears of the register.
    Original,
    /// In the place of what went before: another reading of the register, or the same one with what a clerk found out since.
    Correction,
    /// What went before does not hold, and nothing takes its place yet.
    Cancellation,
}

/// What a clerk decided about a reading, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    /// It counts.
    Released(Timestamp),
    /// It does not, nor does what was read before it.
    Rejected(Timestamp),
    /// It does not: the clerk put another value in its place, which says nothing of what was read before.
    Corrected,
    /// It does not, and is as if it had never been: the clerk had put it there, and took that back before a destination got it.
    Withdrawn,
}

impl Decided {
    fn counts(self) -> bool {
        matches!(self, Self::Released(_))
    }
}

/// The last that a destination got of a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastSent {
    /// Grows with each sending to the destination: an export's number or a time.
    pub order: i128,
    /// It was a cancellation.
    pub cancelled: bool,
    /// What would be sent now differs from what was.
    pub changed: bool,
}

/// A reading of a register, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// What a clerk decided; none: nothing.
    pub decided: Option<Decided>,
    /// It waits for a clerk.
    pub waits: bool,
    /// What the destination got of it; none: nothing yet.
    pub sent: Option<LastSent>,
}

/// A reading that has to go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// Place of the reading among those of its register.
    pub index: usize,
    /// The kind of the sending.
    pub kind: SendingKind,
    /// Place of the reading that it corrects or cancels; its own, if it is the same one.
    pub refers_to: Option<usize>,
}

/// Whether a reading counts, of all readings of its register, the oldest first: it was not rejected, corrected or withdrawn, nor was a later one rejected. A
/// reading that was followed by a rejected one counts again when a clerk releases it after that.
pub fn counts(register: &[Known], index: usize) -> bool {
    let Some(reading) = register.get(index) else { return false };
    let rejected = |known: &Known| match known.decided {
        Some(Decided::Rejected(at)) => Some(at),
        _ => None,
    };
    let last_rejection = register.iter().skip(index).filter_map(rejected).max();
    match reading.decided {
        Some(Decided::Rejected(_) | Decided::Corrected | Decided::Withdrawn) => false,
        Some(Decided::Released(at)) => last_rejection.is_none_or(|rejected| at > rejected),
        None => last_rejection.is_none(),
    }
}

/// Which reading of a register holds: the last one that [counts]; none: the register is open.
pub fn holding(register: &[Known]) -> Option<usize> {
    (0..register.len()).rev().find(|index| counts(register, *index))
}

/// The reading that the destination goes by.
fn in_force(register: &[Known]) -> Option<usize> {
    let sent = register.iter().enumerate().filter_map(|(index, known)| Some((known.sent?, index)));
    let (last, index) = sent.max_by_key(|(sent, index)| (sent.order, *index))?;
    (!last.cancelled).then_some(index)
}

/// What has to go out of a register, whose readings come the oldest first; in this order.
pub fn due(register: &[Known]) -> Vec<Due> {
    let mut due: Vec<Due> = Vec::new();
    let mut force = in_force(register);
    let holds = holding(register);
    let mut send = |index: usize, force: &mut Option<usize>| {
        let kind = if force.is_some() { SendingKind::Correction } else { SendingKind::Original };
        due.push(Due { index, kind, refers_to: *force });
        *force = Some(index);
    };
    let first_new = register.iter().rposition(|known| known.sent.is_some()).map_or(0, |last| last + 1);
    for index in first_new..register.len() {
        if !register[index].waits && counts(register, index) {
            send(index, &mut force);
        }
    }
    match (holds.filter(|index| !register[*index].waits), force) {
        // A reading that a clerk released late, or again.
        (Some(holds), force_now) if force_now.is_none_or(|force| !counts(register, force)) => {
            send(holds, &mut force);
        }
        (_, Some(index)) if register[index].decided.is_some_and(|decided| !decided.counts()) => {
            due.push(Due { index, kind: SendingKind::Cancellation, refers_to: Some(index) });
        }
        (_, Some(index)) if register[index].sent.is_some_and(|sent| sent.changed && !sent.cancelled) && !register[index].waits => {
            due.push(Due { index, kind: SendingKind::Correction, refers_to: Some(index) });
        }
        _ => {}
    }
    due
}

/// As what a message about one reading goes out: a receiver of messages hears of each reading and of each decision, in any order, and each message says the same
/// however often it is sent. `before` is the kind of the last that was taken about the reading.
pub fn told(register: &[Known], index: usize, before: Option<SendingKind>) -> Due {
    let rejected = |known: &Known| known.decided.is_some_and(|decided| !decided.counts());
    let Some(reading) = register.get(index) else { return Due { index, kind: SendingKind::Original, refers_to: None } };
    let previous = register.iter().take(index).rposition(|known| known.decided != Some(Decided::Withdrawn));
    let replaced = previous.filter(|previous| !register.get(*previous).is_some_and(rejected));
    let (kind, refers_to) = match (reading.sent, before) {
        (Some(sent), _) if rejected(reading) && !sent.cancelled => (SendingKind::Cancellation, Some(index)),
        (Some(sent), _) if sent.changed && !sent.cancelled => (SendingKind::Correction, Some(index)),
        (Some(sent), Some(kind)) if !sent.cancelled => (kind, replaced.filter(|_| kind == SendingKind::Correction)),
        _ if replaced.is_some() => (SendingKind::Correction, replaced),
        _ => (SendingKind::Original, None),
    };
    Due { index, kind, refers_to }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READY: Known = Known { decided: None, waits: false, sent: None };
    const WAITS: Known = Known { decided: None, waits: true, sent: None };

    fn at(second: i64) -> Timestamp {
        Timestamp::constant(second, 0)
    }

    fn sent(known: Known, order: i128) -> Known {
        Known { sent: Some(LastSent { order, cancelled: false, changed: false }), ..known }
    }

    fn cancelled(known: Known, order: i128) -> Known {
        Known { sent: Some(LastSent { order, cancelled: true, changed: false }), ..known }
    }

    fn rejected(known: Known, second: i64) -> Known {
        Known { decided: Some(Decided::Rejected(at(second))), waits: false, ..known }
    }

    fn corrected(known: Known) -> Known {
        Known { decided: Some(Decided::Corrected), waits: false, ..known }
    }

    const WITHDRAWN: Known = Known { decided: Some(Decided::Withdrawn), ..READY };

    fn released(known: Known, second: i64) -> Known {
        Known { decided: Some(Decided::Released(at(second))), waits: false, ..known }
    }

    /// `O1` is the reading in second place as an original, `C1>0` a correction of the first, `X0>0` its cancellation.
    fn plan(register: &[Known]) -> String {
        let one = |due: Due| {
            let kind = match due.kind {
                SendingKind::Original => "O",
                SendingKind::Correction => "C",
                SendingKind::Cancellation => "X",
            };
            let refers_to = due.refers_to.map(|index| format!(">{index}")).unwrap_or_default();
            format!("{kind}{}{refers_to}", due.index)
        };
        due(register).into_iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn each_reading_goes_once() {
        assert_eq!(plan(&[READY]), "O0");
        assert_eq!(plan(&[sent(READY, 1)]), "");
        assert_eq!(plan(&[WAITS]), "");
        assert_eq!(plan(&[rejected(READY, 1)]), "");
        assert_eq!(plan(&[released(WAITS, 1)]), "O0");
        assert_eq!(plan(&[READY, READY]), "O0 C1>0");
        assert_eq!(plan(&[sent(READY, 1), sent(READY, 1)]), "");
    }

    #[test]
    fn another_reading_corrects_what_went_before() {
        assert_eq!(plan(&[sent(READY, 1), READY]), "C1>0");
        assert_eq!(plan(&[sent(READY, 1), WAITS]), "");
        assert_eq!(plan(&[sent(READY, 1), rejected(WAITS, 9)]), "", "what holds there stays until something takes its place");
        assert_eq!(plan(&[sent(READY, 1), rejected(WAITS, 9), READY]), "C2>0");
        // What a clerk released only after a later reading had gone out is of no interest any more.
        assert_eq!(plan(&[released(WAITS, 5), sent(READY, 1)]), "");
    }

    #[test]
    fn what_is_rejected_afterwards_is_cancelled_once() {
        assert_eq!(plan(&[sent(rejected(READY, 5), 1)]), "X0>0");
        assert_eq!(plan(&[cancelled(rejected(READY, 5), 2)]), "");
        assert_eq!(plan(&[cancelled(rejected(READY, 5), 2), READY]), "O1");
        assert_eq!(plan(&[sent(rejected(READY, 5), 1), READY]), "C1>0", "the new one takes its place in one go");
        assert_eq!(plan(&[sent(rejected(READY, 5), 1), WAITS]), "X0>0");
        // The second had taken the first one's place; the first does not come back by itself.
        assert_eq!(plan(&[sent(READY, 1), sent(rejected(READY, 5), 2)]), "X1>1");
        assert_eq!(plan(&[sent(READY, 1), cancelled(rejected(READY, 5), 3)]), "");
        // Rejecting what had been replaced already changes nothing there.
        assert_eq!(plan(&[sent(rejected(READY, 5), 1), sent(READY, 2)]), "");
    }

    #[test]
    fn what_was_taken_back_is_as_if_it_had_never_been() {
        assert_eq!(plan(&[READY, WITHDRAWN]), "O0");
        assert_eq!(plan(&[sent(READY, 1), WITHDRAWN]), "");
        assert_eq!(plan(&[sent(READY, 1), WITHDRAWN, READY]), "C2>0");
        assert_eq!(plan(&[sent(READY, 1), sent(WITHDRAWN, 2)]), "C0>1", "the destination had it nevertheless");
        assert_eq!(counted(&[READY, WITHDRAWN, WAITS]), [true, false, true]);
    }

    #[test]
    fn a_value_that_was_put_right_says_nothing_of_what_was_read_before() {
        assert_eq!(plan(&[sent(READY, 1), corrected(WAITS), READY]), "C2>0");
        assert_eq!(plan(&[sent(READY, 1), sent(corrected(READY), 2), READY]), "C2>1");
        assert_eq!(plan(&[sent(corrected(READY), 1), WAITS]), "X0>0", "the new value waits");
        assert_eq!(counted(&[READY, corrected(READY), READY]), [true, false, true]);
        assert_eq!(counted(&[READY, corrected(READY), rejected(READY, 5)]), [false, false, false]);
    }

    fn counted(register: &[Known]) -> Vec<bool> {
        (0..register.len()).map(|index| counts(register, index)).collect()
    }

    #[test]
    fn a_clerk_may_change_their_mind() {
        assert_eq!(plan(&[cancelled(released(READY, 9), 2)]), "O0");
        assert_eq!(plan(&[sent(released(READY, 9), 1), sent(rejected(READY, 5), 2)]), "C0>1");
        assert_eq!(plan(&[sent(released(READY, 9), 1), cancelled(rejected(READY, 5), 3)]), "O0");
        assert_eq!(plan(&[released(WAITS, 9), rejected(READY, 5)]), "O0");
        assert_eq!(plan(&[READY, rejected(READY, 5)]), "", "the register is open");
        assert_eq!(plan(&[released(WAITS, 5), rejected(READY, 5)]), "", "nobody knows which was the later one");
        let changed = Known { sent: Some(LastSent { order: 1, cancelled: false, changed: true }), ..released(READY, 5) };
        assert_eq!(plan(&[changed]), "C0>0");
        assert_eq!(plan(&[changed, READY]), "C1>0");
        assert_eq!(plan(&[changed, sent(READY, 2)]), "");
    }

    #[test]
    fn a_message_says_what_it_is_about() {
        let of = |register: &[Known], index, before| {
            let Due { kind, refers_to, .. } = told(register, index, before);
            (kind, refers_to)
        };
        assert_eq!(of(&[WAITS], 0, None), (SendingKind::Original, None));
        assert_eq!(of(&[sent(released(WAITS, 5), 1)], 0, Some(SendingKind::Original)), (SendingKind::Original, None));
        assert_eq!(of(&[sent(rejected(WAITS, 5), 1)], 0, Some(SendingKind::Original)), (SendingKind::Cancellation, Some(0)));
        assert_eq!(of(&[rejected(WAITS, 5)], 0, None), (SendingKind::Original, None), "the receiver has heard of nothing yet");
        assert_eq!(of(&[sent(READY, 1), WAITS], 1, None), (SendingKind::Correction, Some(0)));
        assert_eq!(of(&[READY, READY], 1, None), (SendingKind::Correction, Some(0)), "the first comes by another message");
        assert_eq!(of(&[READY, WITHDRAWN, READY], 2, None), (SendingKind::Correction, Some(0)));
        assert_eq!(of(&[WITHDRAWN, READY], 1, None), (SendingKind::Original, None));
        assert_eq!(of(&[corrected(READY), READY], 1, None), (SendingKind::Original, None));
        assert_eq!(of(&[cancelled(rejected(READY, 5), 2), READY], 1, None), (SendingKind::Original, None));
        let again = [READY, sent(READY, 1)];
        assert_eq!(of(&again, 1, Some(SendingKind::Original)), (SendingKind::Original, None), "as it was told before");
        assert_eq!(of(&again, 1, Some(SendingKind::Correction)), (SendingKind::Correction, Some(0)));
        let changed = Known { sent: Some(LastSent { order: 1, cancelled: false, changed: true }), ..released(READY, 5) };
        assert_eq!(of(&[changed], 0, Some(SendingKind::Original)), (SendingKind::Correction, Some(0)));
        assert_eq!(of(&[cancelled(released(READY, 5), 2)], 0, Some(SendingKind::Cancellation)), (SendingKind::Original, None));
    }
}
