use domain::login::{link_token_hash, verify_password};
use domain::share::breaks_line;
use domain::white_space::without_white_space;
use edge::{Answer, Code, Problem};
use http::StatusCode;
use mail::{Access, Message, Order};
use store::{FoundShare, MailKind};

use crate::blocking::blocking;
use crate::call::Call;
use crate::error::Result;
use crate::mails::{address, idempotency, post, send_problem};
use crate::session::current_account;
use crate::view::{SentMail, ShareMailLogin, ShareMailRequest};

const MAX_SALUTATION: usize = 200;
const MAX_NAME: usize = 100;

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
    let salutation = line(request.salutation.as_deref(), MAX_SALUTATION, "salutation")?;
    let recipient = line(mail_to.name.as_deref(), MAX_NAME, "metaData.mailTo.name")?;
    let idempotency = idempotency(&call, &["share_mail"])?;
    let (store, tenant, account) = (call.store()?, call.tenant_id(), call.account_id()?);
    let found = store.share_with_idempotency(tenant, account, &request.account_id, &idempotency.key, call.now).await;
    let (Some(FoundShare::Live(share)), _) = found? else { return Err(Code::NotFound.into()) };
    let (link, credentials) = proved(&call, &share.id, &request.login).await?;

    // A sub-account's name is its maker's words; the recipient knows the account at the top, which has its name from the utility.
    let (sender, sharer) = match call.access()?.heads() {
        [top, .., last] => (last.clone(), top.name.clone()),
        _ => {
            let account = current_account(&call).await?;
            let name = account.name.clone();
            (account, name)
        }
    };
    let message = Message::Access(Access {
        sharer,
        name: without_links(&share.name),
        meters: share.job_ids.len(),
        salutation: salutation.map(str::to_owned),
        recipient: recipient.map(str::to_owned),
        link,
        credentials,
    });
    let order = Order {
        account,
        kind: MailKind::Access,
        key: &idempotency.key,
        request_hash: &idempotency.request,
        to: &email,
        to_name: recipient,
        language: sender.language.as_deref(),
    };
    let id = post(&call)?.send(order, &message).await.map_err(|error| send_problem(error, "metaData.mailTo.email"))?;
    Ok(Answer::json(StatusCode::ACCEPTED, &SentMail { id })?)
}

type Proved = (Option<String>, Option<(String, String)>);

/// The link, and user name with password, when they really are the share's: nobody can have us send other words (D-MAILS-3).
async fn proved(call: &Call, share: &domain::ids::AccountId, login: &ShareMailLogin) -> Result<Proved> {
    let (store, tenant) = (call.store()?, call.tenant_id());
    let not_its = |field: &str| Problem::invalid_field(field, "is not that of this access, or not any more");
    let link = match &login.token {
        None => None,
        Some(token) => {
            let account = store.account_of_link(tenant, &link_token_hash(token), call.now).await?;
            account.filter(|account| account.id == *share).ok_or_else(|| not_its("login.token"))?;
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

/// Free text for a mail: one line, not too long, and nothing that a mail program makes a link of.
fn line<'a>(text: Option<&'a str>, most: usize, field: &str) -> Result<Option<&'a str>> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    if text.chars().count() > most {
        return Err(Problem::invalid_field(field, format!("can have at most {most} characters")).into());
    }
    if text.contains(breaks_line) {
        return Err(Problem::invalid_field(field, "must be one line").into());
    }
    if has_link(text) {
        return Err(Problem::invalid_field(field, "must not have a link or an address in it").into());
    }
    Ok(Some(text))
}

/// The name of an access, of which a mail program makes no link: a share with such a name is older than its mail, and cannot be renamed.
fn without_links(name: &str) -> String {
    match has_link(name) {
        true => name.replace(['.', '/', ':', '@', '\\'], " "),
        false => name.replace(breaks_line, " "),
    }
}

/// `example.org`, `https://…`, `a@b`: but not `Dr. Meier`, nor `u.a.`.
fn has_link(text: &str) -> bool {
    let is_host = |word: &str| {
        let labels: Vec<_> = word.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
        word.contains('.')
            && labels
                .windows(2)
                .any(|pair| !pair[0].is_empty() && pair[1].chars().count() >= 2 && pair[1].starts_with(char::is_alphanumeric))
    };
    text.contains("://") || text.contains('@') || text.split_whitespace().any(is_host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_text_has_no_link() {
        for text in
            ["Sehr geehrte Damen und Herren,", "Guten Tag Herr Dr. Meier", "Hallo Frau Müller-Lüdenscheidt!", "Haus 3 u.a.", "J.-P. O'Neil"]
        {
            assert_eq!(line(Some(text), 200, "f").unwrap(), Some(text));
        }
        for text in ["https://evil", "siehe evil.example", "www.evil.example/x", "bitte an a@b", "evil.example.", "(evil.de)"] {
            assert_eq!(Problem::from(line(Some(text), 200, "f").unwrap_err()).code(), Code::RequestInvalid, "{text}");
        }
        assert!(line(Some("zwei\nZeilen"), 200, "f").is_err() && line(Some("xxx"), 2, "f").is_err());
        assert_eq!(line(Some("  "), 2, "f").unwrap(), None);
        assert_eq!(without_links("Zähler 1.25 u.a., siehe https://evil.example/x"), "Zähler 1 25 u a , siehe https   evil example x");
        assert_eq!(without_links("Dr. Meier\nKeller"), "Dr. Meier Keller");
    }
}
