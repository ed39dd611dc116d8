//! `outplay serve`: what it prints, what it refuses, and how it ends.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use crate::error;

#[test]
fn the_address_is_printed_and_answers() {
    let data = std::env::temp_dir().join(format!("outplay-serve-{}", std::process::id()));
    let mut child = Command::new(env!("CARGO_BIN_EXE_outplay"))
        .args(["serve", "--address", "127.0.0.1:0", "--cores", "1", "--data"])
        .arg(&data)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let address = line.split("http://").nth(1).and_then(|rest| rest.split(' ').next()).expect("an address");
    let mut stream = TcpStream::connect(address).expect("a server");
    write!(stream, "GET /api/health HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
        .expect("a server");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.contains("\"cores\":1"), "{answer}");
    child.kill().expect("our own process");
    child.wait().expect("our own process");
    std::fs::remove_dir_all(data).expect("our own folder");
}

#[test]
fn addresses_that_strangers_reach_need_a_token() {
    let (code, message) = error(&["serve", "--address", "0.0.0.0:0", "--data", "never-made"]);
    assert_eq!(code, 2);
    assert!(message.contains("--token"), "{message}");
    let (code, message) = error(&["serve", "--address", "nowhere", "--data", "never-made"]);
    assert_eq!(code, 2);
    assert!(message.contains("127.0.0.1:8088"), "{message}");
    assert!(!std::path::Path::new("never-made").exists());
}
