//! Why a message was not taken, in the staff's languages.

use domain::text;
use domain::text::Text;

use super::secret::SecretError;
use crate::http::{BROKEN, OUT_OF_REACH, TOO_SLOW};

pub(super) const STATUS: &str = "it answers with status ";
pub(super) const UNREADABLE: &str = "the signing secret cannot be read: ";
pub(super) const UNWRITTEN: &str = "the request could not be written";

/// A cause for whoever reads it: stored and logged is the English sentence. One that is not known is another version's, and is said as it is.
pub fn cause_text(cause: &str) -> Text {
    if let Some(status) = cause.strip_prefix(STATUS) {
        return text!("der Empfänger antwortet mit dem Status {status}", "{cause}");
    }
    if let Some(reason) = cause.strip_prefix(UNREADABLE) {
        return text!("das Geheimnis ist nicht zu lesen: {reason}", "{cause}");
    }
    let german = match cause {
        TOO_SLOW => "der Empfänger antwortet nicht rechtzeitig",
        BROKEN => "die Verbindung zum Empfänger kam nicht zustande oder brach ab",
        OUT_OF_REACH => "die Adresse führt zu keinem Rechner im Internet",
        UNWRITTEN => "die Nachricht lässt sich an diese Adresse nicht schreiben",
        _ if cause == SecretError::Count.to_string() => "es müssen ein bis drei Geheimnisse sein",
        _ if cause == SecretError::Shape.to_string() => "jedes Geheimnis muss whsec_ und danach Base64 von 24 bis 64 Bytes sein",
        _ => return Text::same(cause.to_owned()),
    };
    text!("{german}", "{cause}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_told_in_german_too_and_an_unknown_one_as_it_is() {
        let (count, shape) = (SecretError::Count.to_string(), SecretError::Shape.to_string());
        let known =
            ["it answers with status 503", "the signing secret cannot be read: GetParameter: x", TOO_SLOW, BROKEN, OUT_OF_REACH, UNWRITTEN];
        for cause in known.into_iter().chain([count.as_str(), shape.as_str()]) {
            let text = cause_text(cause);
            assert!(text.en == cause && text.de != cause, "{text:?}");
        }
        assert_eq!(cause_text("it answers with status 503").de, "der Empfänger antwortet mit dem Status 503");
        assert_eq!(cause_text("the moon is full"), Text::same("the moon is full"));
    }
}
