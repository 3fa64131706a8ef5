//! S3 and SES: ministack, a child process.

use std::fs::File;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::EmulatorError;

/// Only one that never starts takes longer, however busy the machine is.
const READY_WITHIN: Duration = Duration::from_secs(600);
const POLL_EVERY: Duration = Duration::from_millis(50);
const ANSWER_WITHIN: Duration = Duration::from_secs(2);
/// Ports that are tried.
const PORTS: usize = 3;

/// Ends ministack when our end of the pipe closes, so that it dies with us even if we are killed; ends itself when ministack does.
const KEEPER: &str = r#"
exec 3<&0
"$0" </dev/null 3<&- &
child=$!
{ cat <&3 >/dev/null; kill -TERM "$child"; } 2>/dev/null &
keeper=$!
exec 3<&-
wait "$child"
status=$?
kill "$keeper" 2>/dev/null
exit "$status"
"#;

/// The options to start ministack.
#[derive(Debug, Clone, Default)]
pub struct MinistackOptions {
    /// The port; absent means a free one.
    pub port: Option<u16>,
    /// Where state is kept between runs; absent means nowhere.
    pub state_dir: Option<PathBuf>,
    /// The file of its log; absent: it has none.
    pub log_file: Option<PathBuf>,
}

/// A running ministack; ends when dropped, and then writes its state if it keeps any.
#[derive(Debug)]
pub struct Ministack {
    endpoint: String,
    child: Child,
    _port: Port,
}

impl Ministack {
    /// Starts `.venv/bin/ministack` of the checkout, or what `ZAEHLWERK_MINISTACK` names, and waits until it answers.
    pub async fn start(options: &MinistackOptions) -> Result<Self, EmulatorError> {
        match options.port {
            Some(number) => Self::start_at_one_of(options, [Ok(Port { number, _held: None })]).await,
            None => Self::start_at_one_of(options, std::iter::repeat_with(Port::free).take(PORTS)).await,
        }
    }

    /// Starts at the first of the ports at which ministack does not end at once.
    async fn start_at_one_of(options: &MinistackOptions, ports: impl IntoIterator<Item = io::Result<Port>>) -> Result<Self, EmulatorError> {
        let mut error = failed("there is no port");
        for port in ports {
            let port = port.map_err(failed)?;
            let number = port.number;
            let mut this = Self { endpoint: format!("http://127.0.0.1:{number}"), child: spawn(options, number)?, _port: port };
            match this.ready(number).await? {
                None => return Ok(this),
                Some(status) => error = failed(format!("it ended with {status}; is port {number} in use?")),
            }
        }
        Err(error)
    }

    /// Address for `AWS_ENDPOINT_URL_S3`; `/_ministack/ses/messages` under it shows the sent mails.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Waits until it answers; its exit status, if it ends before.
    async fn ready(&mut self, port: u16) -> Result<Option<ExitStatus>, EmulatorError> {
        let begin = Instant::now();
        while !is_healthy(port).await {
            if let Some(status) = self.child.try_wait().map_err(failed)? {
                return Ok(Some(status));
            }
            if begin.elapsed() > READY_WITHIN {
                return Err(failed(format!("no answer within {} s", READY_WITHIN.as_secs())));
            }
            tokio::time::sleep(POLL_EVERY).await;
        }
        Ok(None)
    }
}

impl Drop for Ministack {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        // The keeper's exit status says nothing that a caller could act on here.
        let _ = self.child.wait();
    }
}

fn spawn(options: &MinistackOptions, port: u16) -> Result<Child, EmulatorError> {
    let program = program();
    if !program.is_file() {
        return Err(failed(format!("{} is missing; `make setup` installs it", program.display())));
    }
    let mut command = Command::new("sh");
    command
        .args(["-c", KEEPER])
        .arg(&program)
        .envs([("BIND_HOST", "127.0.0.1"), ("IOT_MTLS_ENABLED", "0"), ("SFTP_ENABLED", "0"), ("LOG_LEVEL", "WARNING")])
        .envs([("AWS_ACCESS_KEY_ID", crate::resources::KEY), ("AWS_SECRET_ACCESS_KEY", crate::resources::KEY)])
        .env("GATEWAY_PORT", port.to_string())
        .stdin(Stdio::piped());
    if let Some(dir) = &options.state_dir {
        std::fs::create_dir_all(dir).map_err(failed)?;
        command.envs([("PERSIST_STATE", "1"), ("S3_PERSIST", "1")]).env("STATE_DIR", dir).env("S3_DATA_DIR", dir.join("s3"));
    }
    match &options.log_file {
        Some(path) => {
            let log = File::create(path).map_err(failed)?;
            command.stdout(log.try_clone().map_err(failed)?).stderr(log);
        }
        None => {
            command.stdout(Stdio::null()).stderr(Stdio::null());
        }
    }
    own_process_group(&mut command);
    command.spawn().map_err(failed)
}

/// Ctrl-C in the terminal is for us: we end the child when we are done with it.
fn own_process_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

fn program() -> PathBuf {
    std::env::var_os("ZAEHLWERK_MINISTACK")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin/ministack"), PathBuf::from)
}

/// A port of ministack's.
#[derive(Debug)]
struct Port {
    number: u16,
    _held: Option<TcpSocket>,
}

impl Port {
    /// One that is free, and stays so until ministack has it: another ministack, or another program that asks for any port, would get it in those seconds.
    fn free() -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
        let number = socket.local_addr()?.port();
        // Linux lets another socket have it that asks for this very port and reuses addresses, as ministack does; other systems do not.
        Ok(Self { number, _held: cfg!(target_os = "linux").then_some(socket) })
    }
}

async fn is_healthy(port: u16) -> bool {
    let request = async {
        let mut stream = TcpStream::connect(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await?;
        stream.write_all(b"GET /_ministack/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await?;
        let mut status = [0; 12];
        stream.read_exact(&mut status).await?;
        io::Result::Ok(status.ends_with(b" 200"))
    };
    // Another program that has the port instead may never answer.
    tokio::time::timeout(ANSWER_WITHIN, request).await.is_ok_and(|answer| answer.unwrap_or(false))
}

fn failed(reason: impl std::fmt::Display) -> EmulatorError {
    EmulatorError::Start { emulator: "ministack", reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn a_port_that_somebody_took_meanwhile_is_given_up() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let options = MinistackOptions::default();
        let given = Port { number: port, _held: None };
        let ministack = Ministack::start_at_one_of(&options, [Ok(given), Port::free()]).await.unwrap();
        assert_ne!(ministack.endpoint(), format!("http://127.0.0.1:{port}"));
        let refused = Ministack::start(&MinistackOptions { port: Some(port), ..options }).await.unwrap_err();
        assert!(refused.to_string().contains(&format!("is port {port} in use?")), "{refused}");
    }
}
