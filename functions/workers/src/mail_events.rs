//! Notes what became of mails: delivered, come back, called spam.

use mail::read_event;
use runtime::BoxError;
use store::Noted;

use crate::worker::Message;

/// One event. An event may come before its mail is stored as sent, or find no mail: it comes back later.
pub(crate) async fn mail_events(message: Message) -> Result<(), BoxError> {
    let Some(event) = read_event(&message.body)? else { return Ok(()) };
    match message.clients.store()?.note_mail_event(&event, message.now).await? {
        Noted::Changed | Noted::Known => Ok(()),
        Noted::UnknownMail => Err("there is no such mail, or not yet".into()),
    }
}
