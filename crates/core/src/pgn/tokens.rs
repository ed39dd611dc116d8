//! The words of PGN: tags, moves, numbers, comments, marks, parentheses and results.

use super::{LANGUAGE, parse_result};
use crate::{Outcome, ParseError};

/// A piece of the moves of a game.
pub(super) enum Token<'a> {
    Move(&'a str),
    /// A number without a dot: the number of a move or, in games that have such, a move.
    Number(&'a str),
    /// A number with dots, or another word that says nothing.
    MoveNumber,
    Comment(&'a str),
    Mark(u8),
    Open,
    Close,
    Result(Option<Outcome>),
}

/// A file from some place on.
pub(super) struct Tokens<'a> {
    pub text: &'a str,
    offset: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, offset: 0 }
    }

    /// The next token and where it begins. Tags, which only a new game has, are no tokens.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Token<'a>)>, ParseError> {
        self.skip_space();
        let begin = self.offset;
        let Some(&byte) = self.text.as_bytes().get(begin) else { return Ok(None) };
        let token = match byte {
            b'{' => Token::Comment(self.until(begin + 1, "}", "a } to end the comment")?),
            b';' => Token::Comment(self.rest_of_line(begin + 1)),
            b'(' | b')' => {
                self.offset += 1;
                if byte == b'(' { Token::Open } else { Token::Close }
            }
            b'$' => self.numeric_mark()?,
            b'!' | b'?' => Token::Mark(self.suffix_mark()?),
            b'*' => {
                self.offset += 1;
                Token::Result(None)
            }
            _ => self.word()?,
        };
        Ok(Some((begin, token)))
    }

    /// Where the tag begins that comes next, if nothing else does.
    pub(super) fn seek_tag(&mut self) -> Option<usize> {
        self.skip_space();
        self.text[self.offset..].starts_with('[').then_some(self.offset)
    }

    /// The comment that comes next, if nothing else does. A bad one is left where it is.
    pub(super) fn comment(&mut self) -> Option<&'a str> {
        self.skip_space();
        let before = self.offset;
        // Asked first, because an error looks for its line in the whole file.
        if !self.text[before..].starts_with(['{', ';']) {
            return None;
        }
        match self.next() {
            Ok(Some((_, Token::Comment(text)))) => Some(text),
            _ => {
                self.offset = before;
                None
            }
        }
    }

    /// Whether nothing comes next.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.skip_space();
        self.offset == self.text.len()
    }

    /// Goes past the parenthesis that closes the variation at hand.
    pub(super) fn skip_variation(&mut self) -> Result<(), ParseError> {
        let mut open = 1;
        while open > 0 {
            let next = if self.seek_tag().is_some() { None } else { self.next()? };
            match next {
                Some((_, Token::Open)) => open += 1,
                Some((_, Token::Close)) => open -= 1,
                Some(_) => {}
                None => return Err(self.unclosed_variation()),
            }
        }
        Ok(())
    }

    /// Goes past white space, and past lines that begin with `%`, which are for other programs.
    fn skip_space(&mut self) {
        loop {
            let rest = self.text[self.offset..].trim_start();
            self.offset = self.text.len() - rest.len();
            let begins_line = self.offset == 0 || self.text.as_bytes()[self.offset - 1] == b'\n';
            if !begins_line || !rest.starts_with('%') {
                return;
            }
            self.rest_of_line(self.offset);
        }
    }

    /// The text from `from` up to `end`, which is consumed too.
    fn until(&mut self, from: usize, end: &str, expected: &str) -> Result<&'a str, ParseError> {
        let length = self.text[from..].find(end).ok_or_else(|| self.expected(self.offset, expected))?;
        self.offset = from + length + end.len();
        Ok(&self.text[from..from + length])
    }

    fn rest_of_line(&mut self, from: usize) -> &'a str {
        let line = self.text[from..].lines().next().unwrap_or("");
        self.offset = from + line.len();
        line
    }

    /// `[Name "value"]`, in which a backslash protects a quote or a backslash.
    pub(super) fn tag(&mut self) -> Result<(&'a str, String), ParseError> {
        self.offset += 1;
        self.skip_space();
        let begin = self.offset;
        let rest = &self.text[begin..];
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        if length == 0 {
            return Err(self.expected(begin, "the name of a tag"));
        }
        let name = &rest[..length];
        self.offset += length;
        self.skip_space();
        if !self.text[self.offset..].starts_with('"') {
            return Err(self.expected(self.offset, "a tag's value in double quotes"));
        }
        let value_begin = self.offset;
        let mut value = String::new();
        let mut characters = self.text[value_begin + 1..].char_indices();
        let length = loop {
            match characters.next() {
                Some((at, '"')) => break at,
                Some((_, '\\')) => value.extend(characters.next().map(|(_, c)| c)),
                Some((_, c)) if c != '\n' => value.push(c),
                _ => return Err(self.expected(value_begin, "a tag's value that ends with a double quote")),
            }
        };
        self.offset = value_begin + length + 2;
        self.skip_space();
        if !self.text[self.offset..].starts_with(']') {
            return Err(self.expected(self.offset, "a ] to end the tag"));
        }
        self.offset += 1;
        Ok((name, value))
    }

    fn numeric_mark(&mut self) -> Result<Token<'a>, ParseError> {
        let begin = self.offset;
        let rest = &self.text[begin + 1..];
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let mark = rest[..length].parse().map_err(|_| self.expected(begin, "a mark from $0 to $255"))?;
        self.offset += 1 + length;
        Ok(Token::Mark(mark))
    }

    fn suffix_mark(&mut self) -> Result<u8, ParseError> {
        let rest = &self.text[self.offset..];
        let length = rest.find(|c| c != '!' && c != '?').unwrap_or(rest.len());
        let mark = match &rest[..length] {
            "!" => 1,
            "?" => 2,
            "!!" => 3,
            "??" => 4,
            "!?" => 5,
            "?!" => 6,
            _ => return Err(self.expected(self.offset, "one of ! ? !! ?? !? ?!")),
        };
        self.offset += length;
        Ok(mark)
    }

    /// A move, a result or a number.
    fn word(&mut self) -> Result<Token<'a>, ParseError> {
        let rest = &self.text[self.offset..];
        let end = rest.find(|c: char| c.is_whitespace() || "(){}[];$!?*".contains(c)).unwrap_or(rest.len());
        if end == 0 {
            return Err(self.expected(self.offset, "a move"));
        }
        let word = &rest[..end];
        let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(end);
        let dots = word[digits..].find(|c| c != '.').unwrap_or(end - digits);
        let (length, token) = match dots {
            0 if digits == end => (end, Token::Number(word)),
            0 => (end, parse_result(word).map_or(Token::Move(word), Token::Result)),
            // "12." stands alone; "12.e4" is a number glued to its move.
            _ => (digits + dots, Token::MoveNumber),
        };
        self.offset += length;
        Ok(if word == "e.p." { Token::MoveNumber } else { token })
    }

    pub(super) fn unclosed_variation(&self) -> ParseError {
        self.expected(self.offset, "a ) to end the variation")
    }

    pub(super) fn expected(&self, offset: usize, what: &str) -> ParseError {
        ParseError::syntax(LANGUAGE, self.text, offset, what)
    }
}
