//! The permissions that IAM checks at a call of AWS.

use std::collections::BTreeSet;

use grants::{Grant, Resource};
use hyper::Method;

use crate::proxy::{Asked, Fate};

/// An IAM action on a kind of resource.
pub type Permission = (String, Resource);

/// The permissions of grants.
pub fn permissions<'a>(grants: impl IntoIterator<Item = &'a Grant>) -> BTreeSet<Permission> {
    let of = |grant: &'a Grant| grant.actions.iter().map(|action| ((*action).to_owned(), grant.resource));
    grants.into_iter().flat_map(of).collect()
}

/// A proxy's script that allows what is granted and nothing else, as IAM does.
pub fn only(granted: BTreeSet<Permission>) -> impl FnMut(usize, &Asked) -> Fate + Send + 'static {
    move |_, asked| if asked.permissions().iter().all(|permission| granted.contains(permission)) { Fate::Works } else { Fate::Denied }
}

impl Asked {
    /// Whether it leaves everything as it is.
    pub fn only_reads(&self) -> bool {
        const READ: [&str; 7] = ["BatchGet", "ConditionCheck", "Detect", "Get", "List", "Query", "Scan"];
        let reads = |(action, _): &Permission| action.split(':').nth(1).is_some_and(|verb| READ.iter().any(|read| verb.starts_with(read)));
        self.permissions().iter().all(reads)
    }

    /// What IAM asks for: of a transaction, the actions of its parts.
    pub fn permissions(&self) -> Vec<Permission> {
        let on = |service: &str, action: &str, resource| vec![(format!("{service}:{action}"), resource)];
        match (self.service(), self.action.as_str()) {
            (Some("DynamoDB"), "TransactWriteItems") => {
                let kinds = self.body["TransactItems"].as_array().unwrap().iter().flat_map(|item| item.as_object().unwrap().keys());
                kinds.map(|kind| (format!("dynamodb:{}Item", kind.trim_end_matches("Item")), Resource::Table)).collect()
            }
            (Some("DynamoDB"), action) => {
                on("dynamodb", action, if self.body["IndexName"].is_string() { Resource::TableIndex } else { Resource::Table })
            }
            (Some("Textract"), action) => on("textract", action, Resource::TextRecognition),
            (Some("AmazonSSM"), action) => {
                let name = self.body["Name"].as_str().unwrap();
                let is_of = |what: &str| name.contains(&format!("/{what}/"));
                let resource = if is_of("crm") {
                    Resource::CrmKeys
                } else if is_of("login") {
                    Resource::LoginSecrets
                } else {
                    Resource::WebhookSecrets
                };
                on("ssm", action, resource)
            }
            (Some("AWSCognitoIdentityProviderService"), action) => on("cognito-idp", action, Resource::StaffPool),
            (Some("AmazonSQS"), action) => on("sqs", action, Resource::RunQueue),
            (Some(service), action) => panic!("nobody should call {action} of {service}"),
            (None, _) if self.uri.path() == "/v2/email/outbound-emails" => {
                ["ses:SendEmail", "ses:SendRawEmail"].map(|action| (action.to_owned(), Resource::Mail)).into()
            }
            (None, _) if self.uri.path() == "/v2/email/account" => on("ses", "GetAccount", Resource::MailAccount),
            (None, _) if self.method == Method::DELETE && self.uri.path().starts_with("/v2/email/suppression/addresses/") => {
                on("ses", "DeleteSuppressedDestination", Resource::MailAccount)
            }
            (None, _) => self.of_s3(),
        }
    }

    fn of_s3(&self) -> Vec<Permission> {
        let query = self.uri.query().unwrap_or_default();
        let asks_for = |name: &str| query.split('&').any(|part| part.split('=').next() == Some(name));
        let key = self.uri.path().trim_start_matches('/').split_once('/').map(|(_, key)| key).unwrap_or_default();
        let (action, resource) = match (&self.method, key.split('/').next().unwrap_or_default()) {
            (&Method::GET, "") if asks_for("versions") => ("s3:ListBucketVersions", Resource::PhotoBucket),
            (&Method::GET, "") => ("s3:ListBucket", Resource::PhotoBucket),
            (method, folder) => {
                let action = match *method {
                    Method::GET | Method::HEAD => "s3:GetObject",
                    Method::PUT => "s3:PutObject",
                    Method::DELETE if asks_for("versionId") => "s3:DeleteObjectVersion",
                    Method::DELETE => "s3:DeleteObject",
                    _ => panic!("nobody should call {method} {}", self.uri),
                };
                let resource = match folder {
                    "uploads" => Resource::Uploads,
                    "files" => Resource::RunFiles,
                    _ => Resource::Photos,
                };
                (action, resource)
            }
        };
        vec![(action.to_owned(), resource)]
    }
}
