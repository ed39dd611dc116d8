//! A server on a free port that stops by itself, and the smallest clients that can talk to it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use outplay_server::{Config, Limits, Server, Stopper};
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// Nothing that a test waits for takes longer.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A folder that is removed in the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::SeqCst);
        let path = std::env::temp_dir().join(format!("outplay-server-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

/// A server that runs in this process.
pub struct TestServer {
    pub client: Client,
    /// What the owner knows, where there is one.
    pub code: Option<String>,
    stopper: Stopper,
    thread: Option<JoinHandle<()>>,
    _folder: Option<Folder>,
}

impl TestServer {
    /// With the usual limits, and no rest between engines.
    pub fn start() -> TestServer {
        TestServer::with(|_| {})
    }

    pub fn with(change: impl FnOnce(&mut Config)) -> TestServer {
        let folder = Folder::new();
        let mut server = TestServer::at(folder.0.clone(), change);
        server._folder = Some(folder);
        server
    }

    pub fn at(data: PathBuf, change: impl FnOnce(&mut Config)) -> TestServer {
        let mut config = Config::local(data);
        config.address.set_port(0);
        config.limits = Limits {
            cores: 2,
            rest_between_engines: Duration::ZERO,
            natural_pauses: false,
            ..Limits::default()
        };
        change(&mut config);
        let token = config.token.clone();
        let server = Server::bind(config).expect("a free port");
        let client = Client { address: server.address(), token };
        let code = server.code().map(str::to_string);
        let stopper = server.stopper();
        let thread = Some(std::thread::spawn(|| server.run().expect("a clean end")));
        TestServer { client, code, stopper, thread, _folder: None }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
            && !std::thread::panicking()
        {
            panic!("the server did not end cleanly");
        }
    }
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// The body of an answer that has to be a good one.
    pub fn ok(self) -> Value {
        assert!((200..300).contains(&self.status), "{} {}", self.status, String::from_utf8_lossy(&self.body));
        self.json()
    }

    /// The code of an answer that has to be a refusal with this status.
    pub fn refused(self, status: u16) -> String {
        let body = self.json();
        assert_eq!(self.status, status, "{body}");
        assert!(body["error"]["message"].as_str().is_some_and(|text| !text.is_empty()), "{body}");
        body["error"]["code"].as_str().expect("a code").to_string()
    }

    pub fn header(&self, name: &str) -> Option<String> {
        self.headers.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_string())
        })
    }
}

/// Talks HTTP, a connection a request.
#[derive(Clone)]
pub struct Client {
    pub address: SocketAddr,
    pub token: Option<String>,
}

impl Client {
    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], b"")
    }

    pub fn post(&self, path: &str, body: Value) -> Answer {
        self.send("POST", path, &[], body.to_string().as_bytes())
    }

    pub fn put(&self, path: &str, body: Value) -> Answer {
        self.send("PUT", path, &[], body.to_string().as_bytes())
    }

    pub fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, &[], b"")
    }

    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head += &format!("Host: {}\r\n", self.address);
        }
        if let Some(token) = &self.token {
            head += &format!("Authorization: Bearer {token}\r\n");
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        self.send_raw(&[head.as_bytes(), b"\r\n", body].concat())
    }

    /// Sends bytes and reads to the end of the connection.
    pub fn send_raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address).expect("a server");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        // A server that has seen enough closes before it has read everything.
        drop(stream.write_all(bytes));
        let mut answer = Vec::new();
        drop(stream.read_to_end(&mut answer));
        let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap_or(answer.len());
        let headers = String::from_utf8_lossy(&answer[..end]).into_owned();
        let status = headers.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        let mut body = answer.get(end + 4..).unwrap_or_default().to_vec();
        if headers.to_ascii_lowercase().contains("transfer-encoding: chunked") {
            body = unchunked(&body);
        }
        Answer { status, headers, body }
    }

    pub fn socket(&self) -> Socket {
        let stream = TcpStream::connect(self.address).expect("a server");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let (socket, _) =
            tungstenite::client(format!("ws://{}/api/ws", self.address), stream).expect("a socket");
        Socket(socket)
    }

    /// Waits until a game is as wanted.
    pub fn wait_for_game(&self, id: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let game = self.get(&format!("/api/games/{id}")).ok();
            if is_wanted(&game) {
                return game;
            }
            assert!(begun.elapsed() < PATIENCE, "waited in vain: {game}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until so many searches run.
    pub fn wait_for_running(&self, count: u64) {
        self.wait_for_searches(|searches| searches["running"] == json!(count));
    }

    /// Waits until what the server says of its searches is as it should be.
    pub fn wait_for_searches(&self, is_so: impl Fn(&Value) -> bool) {
        let begun = Instant::now();
        loop {
            let searches = &self.get("/api/health").ok()["searches"];
            if is_so(searches) {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{searches} for too long");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = body.windows(2).position(|bytes| bytes == b"\r\n") {
        let size = usize::from_str_radix(&String::from_utf8_lossy(&body[..end]), 16).unwrap_or(0);
        if size == 0 {
            break;
        }
        whole.extend_from_slice(&body[end + 2..end + 2 + size]);
        body = &body[end + 4 + size..];
    }
    whole
}

/// Talks through a WebSocket.
pub struct Socket(pub WebSocket<TcpStream>);

impl Socket {
    pub fn send(&mut self, message: Value) {
        self.send_text(&message.to_string());
    }

    pub fn send_text(&mut self, text: &str) {
        self.0.send(Message::text(text)).expect("a server");
    }

    /// The next message.
    pub fn next(&mut self) -> Value {
        loop {
            match self.0.read().expect("a message") {
                Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
                Message::Close(_) => panic!("the server closed the socket"),
                _ => {}
            }
        }
    }

    /// Messages up to the first of a type, that one included.
    pub fn until(&mut self, kind: &str) -> Vec<Value> {
        let mut messages = Vec::new();
        loop {
            messages.push(self.next());
            let last = &messages[messages.len() - 1];
            if last["type"] == kind {
                return messages;
            }
            assert!(last["type"] != "error" || kind == "error", "{last}");
        }
    }
}
