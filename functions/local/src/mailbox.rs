//! The mails that the product has sent, as a page for developers.

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::State;
use axum::response::Html;
use axum::routing::get;
use http::StatusCode;
use jiff::Timestamp;
use serde::Deserialize;
use tokio::net::TcpListener;

/// What ministack tells of the mails, by account.
#[derive(Deserialize)]
struct Sent {
    messages: BTreeMap<String, Vec<Mail>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Mail {
    to: Vec<String>,
    subject: String,
    body_text: String,
    body_html: String,
    timestamp: f64,
}

/// Serves the page with the mails that ministack at this address took.
///
/// # Errors
/// When the listener breaks.
pub async fn serve(listener: TcpListener, ministack_url: String) -> std::io::Result<()> {
    let router = Router::new().route("/", get(show)).with_state(format!("{ministack_url}/_ministack/ses/messages"));
    axum::serve(listener, router).await
}

async fn show(State(url): State<String>) -> Result<Html<String>, (StatusCode, String)> {
    let unreachable = |error: reqwest::Error| (StatusCode::BAD_GATEWAY, error.to_string());
    let text = reqwest::get(url).await.map_err(unreachable)?.text().await.map_err(unreachable)?;
    let sent: Sent = serde_json::from_str(&text).map_err(|error| (StatusCode::BAD_GATEWAY, error.to_string()))?;
    Ok(Html(page(sent)))
}

/// The newest mail comes first. A mail's own page is kept apart in a frame, and its links open beside it.
fn page(sent: Sent) -> String {
    let mut mails: Vec<_> = sent.messages.into_values().flatten().collect();
    mails.sort_by(|one, other| other.timestamp.total_cmp(&one.timestamp));
    let shown: String = mails.iter().map(Mail::html).collect();
    let none = if mails.is_empty() { "<p>No mail was sent yet.</p>" } else { "" };
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Mails ({})</title>\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <style>body{{font:16px system-ui;max-width:50rem;margin:auto;padding:1rem}}iframe{{width:100%;height:40rem;border:1px solid #999}}\
         pre{{white-space:pre-wrap;overflow-wrap:anywhere}}</style><h1>Mails</h1>{none}{shown}",
        mails.len()
    )
}

impl Mail {
    fn html(&self) -> String {
        let time = Timestamp::from_millisecond((self.timestamp * 1000.0) as i64).map(|time| time.to_string()).unwrap_or_default();
        format!(
            "<article><h2>{}</h2><p>to {}, {time}</p>\
             <iframe title=\"{0}\" sandbox=\"allow-popups allow-popups-to-escape-sandbox\" srcdoc=\"{}\"></iframe>\
             <details><summary>Text</summary><pre>{}</pre></details></article>",
            escaped(&self.subject),
            escaped(&self.to.join(", ")),
            escaped(&format!("<base target=\"_blank\">{}", self.body_html)),
            escaped(&self.body_text),
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_mail_comes_first_and_none_is_part_of_the_page() {
        let mail = |subject: &str, time: f64| {
            serde_json::json!({
                "To": ["a@example.org"], "Subject": subject, "BodyText": "</pre><script>", "BodyHtml": "<p title=\"x\">Hallo</p>",
                "Timestamp": time, "Source": "x",
            })
        };
        let sent = serde_json::json!({ "messages": { "0": [mail("old <b>", 1.0), mail("new", 2.5)] } });
        let page = page(serde_json::from_value(sent).unwrap());
        let (new, old) = (page.find("<h2>new</h2>").unwrap(), page.find("<h2>old &lt;b&gt;</h2>").unwrap());
        assert!(new < old, "{page}");
        assert!(!page.contains("<script>") && page.contains("srcdoc=\"&lt;base target=&quot;_blank&quot;&gt;&lt;p title=&quot;x&quot;"));
        assert!(page.contains("to a@example.org, 1970-01-01T00:00:02.5Z"), "{page}");
    }
}
