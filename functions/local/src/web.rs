//! Vite's development server, a child process.

use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::process::{Child, ChildStdin, Command};
use tokio::time;

const POLL_EVERY: Duration = Duration::from_millis(50);
/// Only one that never starts takes longer, however busy the machine is.
const READY_WITHIN: Duration = Duration::from_secs(600);
const STOP_WITHIN: Duration = Duration::from_secs(5);

/// Vite ends with its standard input, but notices only if somebody reads it.
const READ_INPUT: &str = "data:text/javascript,process.stdin.resume()";

/// The running development server of the portal.
pub struct Web {
    child: Child,
    /// Held apart from the child, because waiting for a child closes its standard input.
    input: Option<ChildStdin>,
    port: u16,
}

impl Web {
    /// Starts Vite in the checkout's folder `web/portal`. It ends by itself when our end of its standard input closes, so it never
    /// outlives us.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(checkout: &Path, port: u16, api_port: u16) -> io::Result<Self> {
        let modules = checkout.join("node_modules");
        let mut child = Command::new(modules.join(".bin/node"))
            .args(["--import", READ_INPUT])
            .arg(modules.join("vite/bin/vite.js"))
            .args(["--logLevel", "warn", "--clearScreen", "false"])
            .current_dir(checkout.join("web/portal"))
            .envs([("ZW_WEB_PORT", port.to_string()), ("ZW_API_PORT", api_port.to_string())])
            // Vite ignores its standard input on a build server.
            .env_remove("CI")
            .stdin(Stdio::piped())
            // Ctrl-C in the terminal is for us: we end the child when we are done.
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        Ok(Self { input: child.stdin.take(), child, port })
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
            status = self.child.wait() => Err(io::Error::other(format!("the portal's server ended: {}", status?))),
            () = time::sleep(READY_WITHIN) => Err(io::Error::other("the portal's server does not answer")),
        }
    }

    /// Waits for its end, which nobody asked for.
    ///
    /// # Errors
    /// When the system cannot tell.
    pub async fn ended(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Ends it.
    pub async fn stop(mut self) {
        drop(self.input.take());
        // What does not end in time is killed when it is dropped here.
        _ = time::timeout(STOP_WITHIN, self.child.wait()).await;
    }
}
