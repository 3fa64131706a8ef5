//! Goes on with what takes longer than a request.

use desk::runs::{Wake, Worked, work};
use runtime::BoxError;

use crate::worker::{Message, Taken};

/// One run. What fails is noted with the run, and the clock has it tried again: the queue would do so after an hour and a half.
pub(crate) async fn runs(message: Message) -> Result<Taken, BoxError> {
    let wake: Wake = serde_json::from_str(&message.body)?;
    let clients = (message.clients.store()?.clone(), message.clients.run_files()?.clone(), message.clients.mailer()?.clone());
    let worked = work(clients, wake, message.now, message.ends).await?;
    match worked {
        Worked::Done | Worked::Later | Worked::NotOurs => Ok(Taken::Done),
        // The run says why; the error tells the platform's staff that it was given up.
        Worked::Failed => Err("a run was given up".into()),
    }
}
