//! `make dev`: portal, desk, API and storage, until Ctrl-C.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};

use local::{Stack, StackOptions, mailbox};

use crate::demo::{self, DemoMember, DemoTenant};
use crate::web::Web;
use crate::{Outcome, Ports, asked_to_stop, checkout, log_to, tell, worker};

/// Runs until it is asked to stop, or the server of the portal or of the desk ends.
pub async fn run(ports: Ports, photo_reading: bool, reset: bool, data: Option<PathBuf>) -> Outcome {
    ports.check()?;
    let checkout = checkout();
    let folder = data.unwrap_or_else(|| checkout.join(".local/data"));
    let (log, demo, imported) = (folder.join("api.log"), folder.join("demo"), folder.join("demo-imported"));
    // An import that was interrupted left accounts without letters; one from before there was a desk left no members.
    let is_whole = imported.exists() && demo::has_members(&demo);
    if (reset || !is_whole) && Stack::has_data(&folder) {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let mut portal = Web::start(&checkout, "portal", ("ZW_WEB_PORT", ports.web_port), ports.api_port)?;
    let mut desk = Web::start(&checkout, "desk", ("ZW_DESK_PORT", ports.desk_port), ports.api_port)?;
    let stack = Stack::start(StackOptions {
        data: Some(folder.clone()),
        api_port: ports.api_port,
        dynamodb_port: ports.dynamodb_port,
        s3_port: ports.s3_port,
        portal_origin: format!("http://localhost:{}", ports.web_port),
        desk_origin: format!("http://localhost:{}", ports.desk_port),
        desk_provider: None,
        photo_reading,
        log: log_to(&log)?,
        ..StackOptions::default()
    })
    .await?;
    if !imported.exists() {
        tell("Importing the demo tenants …");
        demo::import(&stack, &checkout, &demo, ports.web_port).await?;
        fs::write(&imported, jiff::Zoned::now().date().to_string())?;
    }
    let mails = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, ports.mail_port)).await?;
    tokio::spawn(mailbox::serve(mails, stack.s3_url.clone()));
    tokio::spawn(worker::keep_working(stack.dynamodb_url.clone(), stack.s3_url.clone()));
    portal.ready().await?;
    desk.ready().await?;
    tell(summary(&stack, &demo::read_tenants(&demo)?, &demo::read_members(&demo)?, fs::read_to_string(&imported)?.trim(), ports, &log));
    let stopped = tokio::select! {
        asked = asked_to_stop() => asked,
        error = portal.ended() => Err(error),
        error = desk.ended() => Err(error),
    };
    tell("\nStopping …");
    tokio::join!(portal.stop(), desk.stop());
    drop(stack);
    Ok(stopped?)
}

impl Ports {
    /// That all are free, before anything is started.
    fn check(self) -> Result<(), String> {
        let ports = [
            (self.web_port, "the portal", "ZW_WEB_PORT"),
            (self.desk_port, "the desk", "ZW_DESK_PORT"),
            (self.api_port, "the API", "ZW_API_PORT"),
            (self.s3_port, "S3", "ZW_S3_PORT"),
            (self.dynamodb_port, "DynamoDB", "ZW_DYNAMODB_PORT"),
            (self.mail_port, "the mails", "ZW_MAIL_PORT"),
        ];
        let taken = ports.iter().filter_map(|(port, what, variable)| {
            let error = TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).err()?;
            Some(format!(
                "port {port} for {what} cannot be used ({error}). Stop what uses it, or choose another one: {variable}=… make dev"
            ))
        });
        let taken: Vec<_> = taken.collect();
        if taken.is_empty() { Ok(()) } else { Err(taken.join("\n")) }
    }
}

fn summary(stack: &Stack, tenants: &[DemoTenant], members: &[DemoMember], imported: &str, ports: Ports, log: &Path) -> String {
    let Ports { web_port, desk_port, mail_port, .. } = ports;
    let mut lines = vec![String::new()];
    for tenant in tenants {
        lines.push(format!("{}: {}", tenant.name, tenant.portal_url));
        for letter in &tenant.letters {
            let until = letter.valid_until.as_ref().map(|day| format!("  (until {day})")).unwrap_or_default();
            lines.push(format!("  {:<32} {:<14} {:<10} {}{until}", letter.name, letter.username, letter.password, letter.link));
        }
        lines.push(String::new());
    }
    lines.push(format!("The staff's desk: http://localhost:{desk_port}"));
    for DemoMember { name, email, password, memberships } in members {
        let roles: Vec<_> = memberships
            .iter()
            .map(|(tenant, roles)| format!("{tenant}: {}", roles.iter().map(|role| role.as_str()).collect::<Vec<_>>().join(", ")))
            .collect();
        lines.push(format!("  {name:<32} {email:<44} {password:<18} {}", roles.join("; ")));
    }
    lines.push(String::new());
    if tenants.iter().any(|tenant| !tenant.portal_url.ends_with(&format!(":{web_port}"))) {
        lines.push(format!("These links were written for another port; the portal is at {web_port}. `make dev RESET=1` writes them anew."));
    }
    lines.push(format!("API {}   S3 {}   DynamoDB {}   log {}", stack.api_url, stack.s3_url, stack.dynamodb_url, log.display()));
    lines.push(format!("Mails that were sent: http://localhost:{mail_port}"));
    lines.push(format!("The demo's dates are those of {imported}; `make dev RESET=1` starts with fresh data. Ctrl-C stops everything."));
    lines.join("\n")
}
