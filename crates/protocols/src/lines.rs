//! Lines from somebody who may send anything.

use std::io::{BufRead, Read};
use std::ops::ControlFlow;

/// Passes lines on, without their ends, until the input ends or nobody listens. Of each line so many bytes are kept; bytes that are
/// not UTF-8 are replaced.
pub fn pass_lines(mut input: impl BufRead, longest: u64, pass: &mut dyn FnMut(String) -> ControlFlow<()>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match (&mut input).take(longest).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if bytes.last() != Some(&b'\n') && skip_to_line_end(&mut input).is_err() {
            return;
        }
        let line = String::from_utf8_lossy(&bytes);
        if pass(line.trim_end_matches(['\r', '\n']).to_string()).is_break() {
            return;
        }
    }
}

/// Reads past the next line end without keeping anything.
fn skip_to_line_end(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        match buffer.iter().position(|&byte| byte == b'\n') {
            Some(end) => {
                input.consume(end + 1);
                return Ok(());
            }
            None => {
                let length = buffer.len();
                input.consume(length);
            }
        }
    }
}
