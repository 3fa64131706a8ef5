//! Vite's development servers, a child process each.

use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::process::{Child, ChildStdin, Command};
use tokio::time;

const POLL_EVERY: Duration = Duration::from_millis(50);
/// Only one that never starts takes longer, however busy the machine is.
const READY_WITHIN: Duration = Duration::from_secs(600);
const STOP_WITHIN: Duration = Duration::from_secs(5);

/// Vite ends with its standard input, but notices only if a script reads it.
const READ_INPUT: &str = "data:text/javascript,process.stdin.resume()";

/// The running development server of an application.
pub struct Web {
    name: &'static str,
    child: Child,
    /// Held apart from the child, because waiting for a child closes its standard input.
    input: Option<ChildStdin>,
    port: u16,
}

impl Web {
    /// Starts Vite in the folder `web/<name>` of the checkout, which serves at the port that the environment variable names. It ends by itself when our end of its standard input closes, so it never
    /// outlives us.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(checkout: &Path, name: &'static str, (variable, port): (&str, u16), api_port: u16) -> io::Result<Self> {
        let modules = checkout.join("node_modules");
        let mut child = Command::new(modules.join(".bin/node"))
            .args(["--import", READ_INPUT])
            .arg(modules.join("vite/bin/vite.js"))
            .args(["--logLevel", "warn", "--clearScreen", "false"])
            .current_dir(checkout.join("web").join(name))
            .envs([(variable, port.to_string()), ("ZW_API_PORT", api_port.to_string())])
            // Vite ignores its standard input on a build server.
            .env_remove("CI")
            .stdin(Stdio::piped())
            // Ctrl-C in the terminal is for us: we end the child when we are done.
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        Ok(Self { name, input: child.stdin.take(), child, port })
    }

    /// Waits until pages can be fetched.
    ///
    /// # Errors
    /// When it ends before that, or does not start at all.
    pub async fn ready(&mut self) -> io::Result<()> {
        let connect = async {
            while TcpStream::connect(("127.0.0.1", self.port)).await.is_err() {
                time::sleep(POLL_EVERY).await;
            }
        };
        tokio::select! {
            () = connect => Ok(()),
            status = self.child.wait() => Err(io::Error::other(format!("the server of the {} ended: {}", self.name, status?))),
            () = time::sleep(READY_WITHIN) => Err(io::Error::other(format!("the server of the {} does not answer", self.name))),
        }
    }

    /// Waits for its end, which was not asked for, and says whose it was.
    pub async fn ended(&mut self) -> io::Error {
        match self.child.wait().await {
            Ok(status) => io::Error::other(format!("the server of the {} ended: {status}", self.name)),
            Err(error) => error,
        }
    }

    /// Ends it.
    pub async fn stop(mut self) {
        drop(self.input.take());
        // What does not end in time is killed when it is dropped here.
        _ = time::timeout(STOP_WITHIN, self.child.wait()).await;
    }
}
