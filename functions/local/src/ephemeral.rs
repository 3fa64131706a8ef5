//! API and storage for tests that bring their own pages or functions.

use serde_json::json;
use tokio::io::AsyncReadExt as _;

use local::bounds::Limits;
use local::{Stack, StackOptions};

use crate::{Outcome, Ports, asked_to_stop, checkout, demo, log_to, tell, worker};

/// Starts, prints one line, and waits for the end.
pub async fn run(ports: Ports, desk_tls: bool, photo_reading: bool, limits: Limits) -> Outcome {
    let desk_origin = format!("{}://localhost:{}", if desk_tls { "https" } else { "http" }, ports.desk_port);
    let folder = tempfile::tempdir()?;
    let (demo, log) = (folder.path().join("demo"), folder.path().join("api.log"));
    let stack = Stack::start(StackOptions {
        api_port: ports.api_port,
        s3_port: ports.s3_port,
        portal_origin: format!("http://localhost:{}", ports.web_port),
        desk_origin: desk_origin.clone(),
        photo_reading,
        limits,
        log: log_to(&log)?,
        ..StackOptions::default()
    })
    .await?;
    demo::import(&stack, &checkout(), &demo, ports.web_port).await?;
    tokio::spawn(worker::keep_working(stack.dynamodb_url.clone(), stack.s3_url.clone()));
    tell(json!({
        "apiUrl": stack.api_url,
        "dynamodbUrl": stack.dynamodb_url,
        "s3Url": stack.s3_url,
        "demo": demo,
        "desk": { "origin": desk_origin, "members": demo::read_members(&demo)? },
        "log": log,
        "environment": stack.environment,
    }));
    tokio::select! {
        _ = closed(tokio::io::stdin()) => Ok(()),
        asked = asked_to_stop() => Ok(asked?),
    }
}

/// Waits until nothing more can come.
async fn closed(mut input: tokio::io::Stdin) -> std::io::Result<()> {
    while input.read(&mut [0; 256]).await? > 0 {}
    Ok(())
}
