//! DynamoDB: dynoxide, embedded, speaking the real protocol on loopback.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::thread::JoinHandle;

use dynoxide::Database;
use tempfile::TempDir;
use tokio::sync::oneshot;

use crate::EmulatorError;

/// A running DynamoDB; stops when dropped.
pub struct Dynamo {
    endpoint: String,
    database: Database,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<()>>,
}

/// All tables of a database with their items, as they were at one moment.
pub struct Snapshot(TempDir);

impl Snapshot {
    fn file(&self) -> Result<String, EmulatorError> {
        let file = self.0.path().join("snapshot");
        file.into_os_string().into_string().map_err(|_| failed("the path is not UTF-8"))
    }
}

impl Dynamo {
    /// An empty database in memory, on a free port.
    pub fn in_memory() -> Result<Self, EmulatorError> {
        Self::serve(Database::memory().map_err(failed)?, 0)
    }

    /// The database in this file, which is created if it is missing, on this port (0: a free one).
    pub fn on_disk(path: &Path, port: u16) -> Result<Self, EmulatorError> {
        let path = path.to_str().ok_or_else(|| failed("the path is not UTF-8"))?;
        Self::serve(Database::new(path).map_err(failed)?, port)
    }

    /// Address for `AWS_ENDPOINT_URL_DYNAMODB`.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// The items that are stored now.
    pub fn snapshot(&self) -> Result<Snapshot, EmulatorError> {
        let snapshot = Snapshot(tempfile::tempdir().map_err(failed)?);
        self.database.vacuum_into(&snapshot.file()?).map_err(failed)?;
        Ok(snapshot)
    }

    /// Puts a snapshot in place of everything that is stored.
    pub fn restore(&self, snapshot: &Snapshot) -> Result<(), EmulatorError> {
        self.database.restore_from(&snapshot.file()?).map_err(failed)
    }

    /// The server has a thread of its own: SQLite blocks, and a caller's runtime may have one thread only.
    fn serve(database: Database, port: u16) -> Result<Self, EmulatorError> {
        let listener = std::net::TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
            .map_err(|error| failed(format!("port {port}: {error}")))?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let (stop, stopped) = oneshot::channel::<()>();
        let served = database.clone();
        let server = std::thread::Builder::new()
            .name("dynamo".into())
            .spawn(move || {
                runtime.block_on(async {
                    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                    // Not the server's own graceful end: it would wait for a client that keeps its connection busy.
                    tokio::select! {
                        _ = dynoxide::server::serve_with_shutdown(listener, served, std::future::pending()) => {}
                        _ = stopped => {}
                    }
                });
            })
            .map_err(failed)?;
        Ok(Self { endpoint: format!("http://{address}"), database, stop: Some(stop), server: Some(server) })
    }
}

impl Drop for Dynamo {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(server) = self.server.take() {
            // A panic of the server's thread was reported by it; nothing is left to be done here.
            let _ = server.join();
        }
    }
}

fn failed(reason: impl std::fmt::Display) -> EmulatorError {
    EmulatorError::Start { emulator: "dynoxide", reason: reason.to_string() }
}
