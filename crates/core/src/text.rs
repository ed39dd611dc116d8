//! What the parsers of all games share: one error type, lists of words and letter-number coordinates.

use std::borrow::Cow;
use std::fmt;

/// Why a piece of text was refused: in which language, where, what stood there, and what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The language of the text: `FEN`, `PGN`, `move` ...
    pub language: &'static str,
    /// Where it went wrong; `None` if the text as a whole was understood but is not acceptable.
    pub place: Option<Place>,
    /// What stands there, shortened.
    pub found: String,
    /// What was expected, or why the text is refused.
    pub reason: String,
}

/// A place in a text, counted from 1 as editors do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The line; `None` if there is only one.
    pub line: Option<usize>,
    /// The column, in characters.
    pub column: usize,
}

impl ParseError {
    /// The text breaks the language's grammar at byte `offset` of `input`, where `expected` should stand.
    pub fn syntax(
        language: &'static str,
        input: &str,
        offset: usize,
        expected: impl Into<String>,
    ) -> ParseError {
        let offset = floor_char_boundary(input, offset);
        let (before, rest) = input.split_at(offset);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let place = Place {
            line: input.contains('\n').then(|| before.matches('\n').count() + 1),
            column: before[line_start..].chars().count() + 1,
        };
        let word = rest.split_whitespace().next().filter(|_| !rest.starts_with(char::is_whitespace));
        let found = match word {
            Some(word) => shortened(word),
            None if rest.is_empty() => "the end".to_string(),
            None => "a space".to_string(),
        };
        ParseError {
            language,
            place: Some(place),
            found,
            reason: bounded(format!("expected {}", expected.into())),
        }
    }

    /// What stands at byte `offset` of `input` reads well but cannot be accepted.
    pub fn refused_at(
        language: &'static str,
        input: &str,
        offset: usize,
        reason: impl Into<String>,
    ) -> ParseError {
        ParseError { reason: bounded(reason.into()), ..ParseError::syntax(language, input, offset, "") }
    }

    /// This error, met in the part of a larger text that begins at byte `offset`: the same reason, at that place.
    #[must_use]
    pub fn within(self, language: &'static str, input: &str, offset: usize) -> ParseError {
        ParseError::refused_at(language, input, offset, self.reason)
    }

    /// This error, met in the line with this number of a larger text.
    #[must_use]
    pub fn on_line(self, number: usize) -> ParseError {
        let column = self.place.map_or(1, |place| place.column);
        ParseError { place: Some(Place { line: Some(number), column }), ..self }
    }

    /// The text reads well but what it says cannot be accepted.
    pub fn refused(language: &'static str, input: &str, reason: impl Into<String>) -> ParseError {
        ParseError { language, place: None, found: shortened(input), reason: bounded(reason.into()) }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let ParseError { language, place, found, reason } = self;
        match place {
            Some(Place { line: Some(line), column }) => {
                write!(f, "{language}: line {line}, column {column}: found {found}, {reason}")
            }
            Some(Place { line: None, column }) => {
                write!(f, "{language}: column {column}: found {found}, {reason}")
            }
            None => write!(f, "{language} {found}: {reason}"),
        }
    }
}

impl std::error::Error for ParseError {}

/// The text of a file: UTF-8, or Latin-1 if it is not that, as old files are; without a byte order mark.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text.trim_start_matches('\u{feff}')),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| byte as char).collect()),
    }
}

/// The lines that say something, with their numbers: neither empty ones nor those that begin with `#`.
pub fn content_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_content = |line: &str| !line.trim().is_empty() && !line.starts_with('#');
    text.lines().enumerate().filter(move |(_, line)| is_content(line)).map(|(index, line)| (index + 1, line))
}

/// The words of a list, between white space and commas.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty())
}

/// A reason that fits on a screen, whatever was quoted in it.
fn bounded(mut reason: String) -> String {
    const MOST: usize = 400;
    if let Some((end, _)) = reason.char_indices().nth(MOST) {
        reason.truncate(end);
        reason.push('…');
    }
    reason
}

/// The text in quotes, without control characters, cut to what fits on a screen line.
pub fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    let mut short: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        short.push('…');
    }
    format!("\"{short}\"")
}

fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Reads a letter for the column and a number for the row, as in `j10`: both counted from 0.
pub fn parse_cell(text: &str) -> Option<(usize, usize)> {
    let letter = text.chars().next().filter(char::is_ascii_alphabetic)?;
    let digits = &text[1..];
    if digits.is_empty() || digits.len() > 3 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let row = digits.parse::<usize>().ok()?.checked_sub(1)?;
    Some(((letter.to_ascii_lowercase() as u8 - b'a') as usize, row))
}

/// Writes what [`parse_cell`] reads. The column is below 26.
pub fn cell_text(column: usize, row: usize) -> String {
    format!("{}{}", column_letter(column), row + 1)
}

/// The letter of a column below 26.
pub fn column_letter(column: usize) -> char {
    debug_assert!(column < 26);
    (b'a' + column as u8) as char
}

/// A number for a text: the same for the same text everywhere, and different, but for chance, for different ones.
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(text.len() as u64, |hash, byte| crate::mix(hash ^ u64::from(byte)))
}

/// A word as it has to be typed into a shell.
pub fn shell_quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=+.,:/@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_the_place_and_what_stands_there() {
        let error = ParseError::syntax("PGN", "1. e4\n1... é5!\nmore", 12, "a move");
        assert_eq!(error.to_string(), "PGN: line 2, column 6: found \"é5!\", expected a move");
        let end = ParseError::syntax("FEN", "8/8", 99, "a rank");
        assert_eq!(end.to_string(), "FEN: column 4: found the end, expected a rank");
    }

    #[test]
    fn an_error_in_a_part_is_an_error_of_the_whole() {
        let inner = ParseError::refused("move", "e9", "there is no such square");
        let outer = inner.within("PGN", "1. e4\n2. e9", 9);
        assert_eq!(outer.to_string(), "PGN: line 2, column 4: found \"e9\", there is no such square");
        let line = ParseError::syntax("EPD", "8/8", 3, "a rank").on_line(7);
        assert_eq!(line.to_string(), "EPD: line 7, column 4: found the end, expected a rank");
        let whole = ParseError::refused("OBF", "--X", "too short").on_line(2);
        assert_eq!(whole.to_string(), "OBF: line 2, column 1: found \"--X\", too short");
    }

    #[test]
    fn files_that_are_not_utf_8_are_latin_1() {
        assert_eq!(decode("\u{feff}Bjørn".as_bytes()), "Bjørn");
        assert_eq!(decode(b"Bj\xf8rn"), "Bjørn");
    }

    #[test]
    fn a_long_or_dirty_text_is_shortened() {
        assert!(shortened(&"x".repeat(1000)).chars().count() < 70);
        let quoted = ParseError::refused("x", "y", "é".repeat(100_000)).to_string();
        assert!(quoted.chars().count() < 500, "{quoted}");
        assert_eq!(shortened("a\u{1b}\n"), "\"a\\u{1b}\\n\"");
    }

    #[test]
    fn cells_round_trip() {
        for column in 0..26 {
            for row in 0..40 {
                assert_eq!(parse_cell(&cell_text(column, row)), Some((column, row)));
            }
        }
        for bad in ["", "a", "a0", "5", "é5", "a-1", "a1b", "a1000", "a+1"] {
            assert_eq!(parse_cell(bad), None, "{bad}");
        }
    }

    #[test]
    fn words_are_quoted_for_the_shell_only_where_they_must_be() {
        assert_eq!(shell_quoted("--limit=tc=1+0.1,nodes=5"), "--limit=tc=1+0.1,nodes=5");
        assert_eq!(shell_quoted("it's $5"), r"'it'\''s $5'");
        assert_eq!(shell_quoted(""), "''");
    }
}
