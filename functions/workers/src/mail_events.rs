//! Notes what became of mails: delivered, come back, called spam.

use jiff::SignedDuration;
use mail::read_event;
use runtime::BoxError;
use store::Noted;

use crate::worker::{Message, Taken};

/// So long after a mail was sent its record may still be on its way.
const ON_ITS_WAY: SignedDuration = SignedDuration::from_hours(1);

/// One event. What is none of ours, such as what the mail service says when the topic is new, does not become one by trying again (D-MAILS-16).
pub(crate) async fn mail_events(message: Message) -> Result<Taken, BoxError> {
    let event = match read_event(&message.body) {
        Ok(Some(event)) => event,
        Ok(None) => return Ok(Taken::Done),
        Err(error) => return Ok(Taken::Dropped(error.to_string())),
    };
    match message.clients.store()?.note_mail_event(&event, message.now).await? {
        Noted::Changed | Noted::Known => Ok(Taken::Done),
        Noted::UnknownMail if event.sent_at.is_some_and(|sent| message.now.duration_since(sent) >= ON_ITS_WAY) => {
            Ok(Taken::Dropped("there is no such mail any more".to_owned()))
        }
        Noted::UnknownMail => Err("there is no such mail, or not yet".into()),
    }
}
