use domain::login::{link_token_hash, verify_password};
use domain::share;
use domain::white_space::without_white_space;
use edge::{Answer, Code, FieldError, Problem};
use http::StatusCode;
use mail::{Access, Claimed, Message, Order};
use store::{FoundShare, MailKind};

use crate::blocking::blocking;
use crate::call::Call;
use crate::error::Result;
use crate::findings::field_error;
use crate::mails::{address, idempotency, post, send_problem};
use crate::session::current_account;
use crate::view::{SentMail, ShareMailLogin, ShareMailRequest};

/// An access by e-mail
///
/// To one recipient. The login data must be those of a share that the account made itself, as they were shown.
#[utoipa::path(
    post,
    path = "/api/communication/email/share/account",
    tag = "communication",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 64 printable ASCII characters; without it the same mail is sent once an hour")),
    request_body = ShareMailRequest,
    responses((status = 202, description = "The mail is on its way", body = SentMail)),
)]
pub(crate) async fn share_mail(call: Call) -> Result<Answer> {
    let request: ShareMailRequest = call.request.json()?;
    if !call.tenant.application.features.email_sharing_enabled {
        return Err(Code::FeatureDisabled.into());
    }
    let mail_to = &request.meta_data.mail_to;
    let email = address(&mail_to.email, "metaData.mailTo.email")?;
    let salutation = words(request.salutation.as_deref(), "salutation")?;
    let recipient = words(mail_to.name.as_deref(), "metaData.mailTo.name")?;
    let idempotency = idempotency(&call, &["share_mail"])?;
    let (store, tenant, account) = (call.store()?, call.tenant_id(), call.account_id()?);
    let found = store.share_with_idempotency(tenant, account, &request.account_id, &idempotency.key, call.now).await;
    let (Some(FoundShare::Live(found)), _) = found? else { return Err(Code::NotFound.into()) };
    // A sub-account's name is its maker's words; the recipient knows the account at the top, which has its name from the utility.
    let (sender, sharer) = match call.access()?.heads() {
        [top, .., last] => (last.clone(), top.name.clone()),
        _ => {
            let account = current_account(&call).await?;
            let name = account.name.clone();
            (account, name)
        }
    };
    let order = Order {
        account,
        top: call.access()?.root(),
        kind: MailKind::Access,
        key: &idempotency.key,
        request_hash: &idempotency.request,
        to: &email,
        to_name: recipient.as_deref(),
        language: sender.language.as_deref(),
    };
    let (post, problem) = (post(&call)?, |error| send_problem(error, "metaData.mailTo.email"));
    let id = match post.claim(order).await.map_err(problem)? {
        Claimed::Sent { id } => id,
        // Counted before the password is looked at, which costs more than anything else here; each wrong one is counted.
        Claimed::Ticket(ticket) => match proved(&call, &found.id, &request.login).await {
            Ok((link, credentials)) => {
                let (name, meters) = (share::name_in_mail(&found.name), found.job_ids.len());
                let message = Message::Access(Access { sharer, name, meters, salutation, recipient: recipient.clone(), link, credentials });
                post.dispatch(ticket, &message).await.map_err(problem)?
            }
            Err(error) => {
                post.cancel(ticket).await.map_err(problem)?;
                return Err(error);
            }
        },
    };
    Ok(Answer::json(StatusCode::ACCEPTED, &SentMail { id })?)
}

type Proved = (Option<String>, Option<(String, String)>);

/// The link, and user name with password, when they really are the share's: no caller can have us send other words (D-MAILS-3).
async fn proved(call: &Call, share: &domain::ids::AccountId, login: &ShareMailLogin) -> Result<Proved> {
    let (store, tenant) = (call.store()?, call.tenant_id());
    let not_its = |field: &str| Problem::invalid_field(field, "is not that of this access, or not any more");
    let link = match &login.token {
        None => None,
        Some(token) => {
            let account = store.account_of_link(tenant, &link_token_hash(token), call.now).await?;
            account.filter(|entrant| entrant.account.id == *share).ok_or_else(|| not_its("login.token"))?;
            Some(format!("{}/m/{token}", call.tenant.application.portal_url))
        }
    };
    let credentials = match (&login.username, &login.password) {
        (None, None) => None,
        (Some(username), Some(password)) => {
            let credential = store.credential(tenant, username).await?.filter(|known| known.account_id == *share);
            let (typed, hash) = (without_white_space(password), credential.map(|credential| credential.password_hash));
            match blocking(move || verify_password(&typed, hash.as_deref())).await? {
                true => Some((without_white_space(username), without_white_space(password))),
                false => return Err(not_its("login.password").into()),
            }
        }
        _ => return Err(Problem::invalid_field("login", "needs both of username and password, or neither").into()),
    };
    match (&link, &credentials) {
        (None, None) => Err(Problem::invalid_field("login", "needs a token, or username and password").into()),
        _ => Ok((link, credentials)),
    }
}

/// Words of the sender that go into a mail: nothing but a salutation, or a name as one would say it.
fn words(text: Option<&str>, field: &str) -> Result<Option<String>> {
    let Some(text) = text else { return Ok(None) };
    share::salutation(text).map_err(|finding| {
        let error = FieldError { field: field.to_owned(), ..field_error(finding) };
        Problem::new(Code::RequestInvalid).with_fields(vec![error]).into()
    })
}
