//! Lines from somebody who may send anything.

use std::io::BufRead;
use std::ops::ControlFlow;

/// Passes lines on, without their ends, until the input ends or nobody listens. Of each line so many bytes are kept; bytes that are
/// not UTF-8 are replaced.
///
/// A line that begins with one of `unended` is passed on as soon as that is there: some programs forget the end of such a line. What
/// follows is the next line.
pub fn pass_lines(
    mut input: impl BufRead,
    longest: usize,
    unended: &[&str],
    pass: &mut dyn FnMut(String) -> ControlFlow<()>,
) {
    let mut line = Vec::new();
    loop {
        let Ok(buffer) = input.fill_buf() else { return };
        let is_over = buffer.is_empty();
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let piece = &buffer[..end.unwrap_or(buffer.len())];
        line.extend_from_slice(&piece[..piece.len().min(longest - line.len())]);
        let read = piece.len() + usize::from(end.is_some());
        input.consume(read);
        let is_line = end.is_some() || unended.iter().any(|words| line.starts_with(words.as_bytes()));
        if is_line || (is_over && !line.is_empty()) {
            let text = String::from_utf8_lossy(&line);
            if pass(text.trim_end_matches('\r').to_string()).is_break() {
                return;
            }
            line.clear();
        }
        if is_over {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor};

    use super::*;

    fn lines(input: &str, capacity: usize, unended: &[&str]) -> Vec<String> {
        let mut lines = Vec::new();
        pass_lines(
            BufReader::with_capacity(capacity, Cursor::new(input.to_string())),
            8,
            unended,
            &mut |line| {
                lines.push(line);
                ControlFlow::Continue(())
            },
        );
        lines
    }

    #[test]
    fn lines_are_cut_and_told_apart_however_they_arrive() {
        for capacity in [1, 2, 3, 100] {
            assert_eq!(
                lines("one\r\n\n1234567890\nlast", capacity, &[]),
                ["one", "", "12345678", "last"],
                "{capacity}"
            );
            assert_eq!(lines("two\n", capacity, &[]), ["two"]);
        }
    }

    #[test]
    fn some_words_are_a_line_before_it_ends() {
        assert_eq!(lines("a\nWe lossmove JJ\n", 1, &["We loss"]), ["a", "We loss", "move JJ"]);
        assert_eq!(lines("a\nWe loss\nb", 100, &["We loss"]), ["a", "We loss", "b"]);
    }
}
