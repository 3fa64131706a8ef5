//! By whom the desk's members log in on this machine: a user pool of ministack's Cognito, with the same protocol as in production.

use std::io;

use reqwest::Client;
use serde_json::{Value, json};

/// The pool's name.
const POOL: &str = "staff";
const REGION: &str = "eu-central-1";

/// An identity provider of the desk.
#[derive(Debug, Clone)]
pub struct DeskProvider {
    pub issuer: String,
    pub client_id: String,
    pub client_secret: String,
    /// The address that it really has.
    pub address: String,
}

/// The user pool in which staff log in, of the ministack at this address.
pub struct Pool {
    http: Client,
    endpoint: String,
    pub(crate) id: String,
}

impl Pool {
    /// The pool, made if there is none.
    ///
    /// # Errors
    /// When ministack refuses something.
    pub async fn at(endpoint: &str) -> io::Result<Self> {
        let mut this = Self { http: Client::new(), endpoint: endpoint.to_owned(), id: String::new() };
        let known = this.ask("ListUserPools", json!({ "MaxResults": 10 })).await?;
        let known = known["UserPools"].as_array().into_iter().flatten().find(|pool| pool["Name"] == POOL).cloned();
        let pool = match known {
            Some(pool) => pool,
            None => {
                let wanted = json!({
                    "PoolName": POOL, "UsernameAttributes": ["email"], "AutoVerifiedAttributes": ["email"],
                    "AdminCreateUserConfig": { "AllowAdminCreateUserOnly": true },
                });
                this.ask("CreateUserPool", wanted).await?["UserPool"].clone()
            }
        };
        this.id = text(&pool, "Id")?;
        Ok(this)
    }

    /// The pool as the provider of the desk at this origin, which it comes to know.
    ///
    /// # Errors
    /// When ministack refuses something.
    pub(crate) async fn provider(&self, desk_origin: &str) -> io::Result<DeskProvider> {
        let client = self.client(desk_origin).await?;
        Ok(DeskProvider {
            issuer: format!("https://cognito-idp.{REGION}.amazonaws.com/{}", self.id),
            client_id: text(&client, "ClientId")?,
            client_secret: text(&client, "ClientSecret")?,
            address: format!("{}/{}", self.endpoint, self.id),
        })
    }

    /// What the desk at this origin is to the pool. Its address is in the client's name, because another port makes it another one.
    async fn client(&self, desk_origin: &str) -> io::Result<Value> {
        let name = format!("desk {desk_origin}");
        let known = self.ask("ListUserPoolClients", json!({ "UserPoolId": self.id, "MaxResults": 60 })).await?;
        let known = known["UserPoolClients"].as_array().into_iter().flatten().find(|client| client["ClientName"] == name);
        let client = match known {
            Some(known) => self.ask("DescribeUserPoolClient", json!({ "UserPoolId": self.id, "ClientId": known["ClientId"] })).await?,
            None => {
                let wanted = json!({
                    "UserPoolId": self.id, "ClientName": name, "GenerateSecret": true, "AllowedOAuthFlowsUserPoolClient": true,
                    "AllowedOAuthFlows": ["code"], "AllowedOAuthScopes": ["openid", "email", "profile"],
                    "CallbackURLs": [format!("{desk_origin}/desk/callback/staff")], "LogoutURLs": [format!("{desk_origin}/")],
                    "SupportedIdentityProviders": ["COGNITO"],
                });
                self.ask("CreateUserPoolClient", wanted).await?
            }
        };
        Ok(client["UserPoolClient"].clone())
    }

    /// Adds a person who logs in with this password; gives the `sub`.
    ///
    /// # Errors
    /// When ministack refuses something.
    pub async fn add_person(&self, email: &str, name: &str, password: &str) -> io::Result<String> {
        let attribute = |name: &str, value: &str| json!({ "Name": name, "Value": value });
        let attributes = [attribute("email", email), attribute("email_verified", "true"), attribute("name", name)];
        let wanted = json!({ "UserPoolId": self.id, "Username": email, "MessageAction": "SUPPRESS", "UserAttributes": attributes });
        let person = self.ask("AdminCreateUser", wanted).await?;
        let wanted = json!({ "UserPoolId": self.id, "Username": email, "Password": password, "Permanent": true });
        self.ask("AdminSetUserPassword", wanted).await?;
        let sub = person["User"]["Attributes"].as_array().into_iter().flatten().find(|attribute| attribute["Name"] == "sub");
        text(sub.unwrap_or(&Value::Null), "Value")
    }

    async fn ask(&self, action: &str, wanted: Value) -> io::Result<Value> {
        let credential =
            format!("AWS4-HMAC-SHA256 Credential=test/20261122/{REGION}/cognito-idp/aws4_request, SignedHeaders=host, Signature=0");
        let request = self.http.post(&self.endpoint).header("authorization", credential).body(wanted.to_string());
        let request = request.header("x-amz-target", format!("AWSCognitoIdentityProviderService.{action}"));
        let answer = request.header("content-type", "application/x-amz-json-1.1").send().await.map_err(io::Error::other)?;
        let status = answer.status();
        let body = answer.text().await.map_err(io::Error::other)?;
        if status.is_success() {
            return serde_json::from_str(&body).map_err(io::Error::other);
        }
        Err(io::Error::other(format!("{action}: {status} {body}")))
    }
}

fn text(value: &Value, name: &str) -> io::Result<String> {
    value[name].as_str().map(str::to_owned).ok_or_else(|| io::Error::other(format!("ministack gives no {name}")))
}
