//! The way to a server: address, proof of who we are, certificates, version.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event};

use crate::{FleetError, Name};

/// How a server is reached and convinced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Its address: `nats://HOST`, `tls://HOST:PORT`; several joined by commas for the servers of a cluster.
    pub server: String,
    /// A file with a token.
    pub token: Option<PathBuf>,
    /// A file with the seed of an nkey.
    pub nkey: Option<PathBuf>,
    /// A file with the certificates that the server's is trusted by, instead of those of the system.
    pub ca: Option<PathBuf>,
}

/// The oldest server that keeps the contract: those before it know no updates of key-value buckets and no filters by several subjects.
const OLDEST_SERVER: (i64, i64) = (2, 10);
/// How long a server is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the connection has last complained about, which answers that do not come do not tell.
#[derive(Clone, Default)]
pub(super) struct Complaint(Arc<Mutex<Option<String>>>);

impl Complaint {
    fn set(&self, complaint: Option<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = complaint;
    }

    /// In words, if there is one.
    pub fn words(&self) -> String {
        let complaint = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        complaint.map_or(String::new(), |complaint| format!(" ({complaint})"))
    }
}

impl Access {
    /// A server that wants no proof.
    pub fn open(server: &str) -> Access {
        Access { server: server.to_string(), token: None, nkey: None, ca: None }
    }

    fn options(&self, name: &Name, complaint: &Complaint) -> Result<ConnectOptions, FleetError> {
        let mut options = ConnectOptions::new()
            .name(format!("outplay {name}"))
            // Of our own, so that a server can let everybody read their own answers only.
            .custom_inbox_prefix(format!("_INBOX.{name}"))
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
            .ping_interval(Duration::from_secs(10))
            .max_reconnects(None)
            .reconnect_delay_callback(|attempts| Duration::from_millis(100 << attempts.min(5)));
        let complaint = complaint.clone();
        options = options.event_callback(move |event| {
            match event {
                Event::Connected => complaint.set(None),
                Event::Disconnected => complaint.set(Some("the connection is lost".to_string())),
                Event::ServerError(error) => complaint.set(Some(error.to_string())),
                Event::ClientError(error) => complaint.set(Some(error.to_string())),
                _ => {}
            }
            std::future::ready(())
        });
        if let Some(path) = &self.token {
            options = options.token(secret(path)?);
        }
        if let Some(path) = &self.nkey {
            options = options.nkey(secret(path)?);
        }
        if let Some(path) = &self.ca {
            secret(path)?;
            options = options.add_root_certificates(path.clone()).require_tls(true);
        }
        Ok(options)
    }

    pub(super) async fn connect(&self, name: &Name, complaint: &Complaint) -> Result<Client, FleetError> {
        let servers: Vec<&str> = self.server.split(',').map(str::trim).collect();
        let connected = self.options(name, complaint)?.connect(servers).await;
        let client = connected.map_err(|error| self.not_connected(&error, complaint))?;
        let info = client.server_info();
        let (major, minor) = OLDEST_SERVER;
        if !client.is_server_compatible(major, minor, 0) {
            return Err(FleetError::Refused(format!(
                "the server at {} is nats-server {}, and {major}.{minor} or newer is needed: \
                 get a current one from https://nats.io/download",
                self.server, info.version
            )));
        }
        if !info.jetstream {
            return Err(FleetError::Refused(format!(
                "the server at {} has no JetStream: start it with -js, or put `jetstream {{}}` into its configuration",
                self.server
            )));
        }
        Ok(client)
    }

    fn not_connected(&self, error: &async_nats::ConnectError, complaint: &Complaint) -> FleetError {
        let server = &self.server;
        let deep = deepest(error);
        let proof = match (&self.token, &self.nkey) {
            (Some(path), _) => format!("it does not know the token in {}", path.display()),
            (_, Some(path)) => format!("it does not know the key in {}", path.display()),
            _ => "it wants to know who we are: give --token-file or --nkey-file".to_string(),
        };
        match error.kind() {
            ConnectErrorKind::ServerParse => FleetError::Refused(format!(
                "expected the address of a server, as in nats://HOST:4222, not {server:?}: {deep}"
            )),
            ConnectErrorKind::Authentication => {
                FleetError::Refused(format!("the key for {server} cannot be used: {deep}"))
            }
            ConnectErrorKind::AuthorizationViolation => {
                FleetError::Refused(format!("the server at {server} refuses us: {proof}"))
            }
            _ if deep.contains("authorization violation") || deep.contains("Authorization") => {
                FleetError::Refused(format!("the server at {server} refuses us: {proof}"))
            }
            ConnectErrorKind::Tls => self.bad_certificate(&deep),
            _ if deep.contains("certificate") || deep.contains("UnknownIssuer") => {
                self.bad_certificate(&deep)
            }
            _ => FleetError::Unavailable(format!(
                "the server at {server} cannot be reached: {deep}{}",
                complaint.words()
            )),
        }
    }

    fn bad_certificate(&self, deep: &str) -> FleetError {
        let server = &self.server;
        FleetError::Refused(format!(
            "the certificate of the server at {server} is not trusted: {deep}; give --ca the certificate that it was issued by"
        ))
    }
}

/// What lies at the bottom of an error.
fn deepest(error: &dyn std::error::Error) -> String {
    let mut deep = error;
    while let Some(source) = deep.source() {
        deep = source;
    }
    deep.to_string()
}

/// The content of a file that must not be empty, without the end of the line.
fn secret(path: &Path) -> Result<String, FleetError> {
    let content = std::fs::read_to_string(path)
        .map_err(|error| FleetError::Refused(format!("cannot read {}: {error}", path.display())))?;
    match content.trim() {
        "" => Err(FleetError::Refused(format!("{} is empty", path.display()))),
        secret => Ok(secret.to_string()),
    }
}
