//! The grammar of SGF: parentheses, nodes, properties, values and the escapes in them.

use super::LANGUAGE;
use outplay_core::ParseError;

/// A piece of an SGF file.
pub(super) enum Token<'a> {
    Open,
    Close,
    Node,
    Property(Property<'a>),
}

/// A property of a node. Its values are found in the file again each time they are asked for: there may be millions.
pub(super) struct Property<'a> {
    /// The capital letters of its name; older files have small ones between them.
    pub name: String,
    /// Where it begins.
    pub offset: usize,
    /// Its first value: every property has one.
    pub first: Value<'a>,
    /// The file from the first value on.
    values: Tokens<'a>,
}

impl<'a> Property<'a> {
    /// All its values.
    pub(super) fn values(&self) -> impl Iterator<Item = Value<'a>> + use<'a> {
        let mut rest = self.values;
        std::iter::from_fn(move || rest.value().ok().flatten())
    }
}

/// What stands between brackets.
#[derive(Clone, Copy)]
pub(super) struct Value<'a> {
    /// The text, escapes and all.
    pub raw: &'a str,
    /// Where it begins.
    pub offset: usize,
}

impl<'a> Value<'a> {
    /// The text with escapes resolved and line breaks kept, each as one newline.
    pub(super) fn text(self) -> String {
        let mut text = String::with_capacity(self.raw.len());
        let mut rest = self.raw.chars().peekable();
        while let Some(character) = rest.next() {
            let (escaped, character) = match character {
                '\\' => match rest.next() {
                    Some(next) => (true, next),
                    None => break,
                },
                plain => (false, plain),
            };
            if !matches!(character, '\n' | '\r') {
                text.push(character);
                continue;
            }
            // All four kinds of line break are one; an escaped one only wraps a long line.
            rest.next_if(|&next| next != character && matches!(next, '\n' | '\r'));
            if !escaped {
                text.push('\n');
            }
        }
        text
    }

    /// As [`Value::text`], on one line.
    pub(super) fn simple_text(self) -> String {
        self.text().replace(char::is_whitespace, " ")
    }

    /// The two parts of a composed value, around the first colon that is not escaped.
    pub(super) fn composed(self) -> Option<(Value<'a>, Value<'a>)> {
        let mut escaped = false;
        let colon = self.raw.bytes().position(|byte| {
            let here = byte == b':' && !escaped;
            escaped = byte == b'\\' && !escaped;
            here
        })?;
        let (left, right) = (&self.raw[..colon], &self.raw[colon + 1..]);
        Some((Value { raw: left, ..self }, Value { raw: right, offset: self.offset + colon + 1 }))
    }
}

/// A text with everything escaped that would end a value.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// Two texts as one composed value.
pub(super) fn escaped_pair(left: &str, right: &str) -> String {
    [left, right].map(|text| escaped(text).replace(':', "\\:")).join(":")
}

/// The tokens of a file from some place on.
#[derive(Clone, Copy)]
pub(super) struct Tokens<'a> {
    pub text: &'a str,
    offset: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, offset: 0 }
    }

    /// Goes to where the next game begins. What stands between games, such as the head of a mail, is skipped.
    pub(super) fn seek_game(&mut self) -> Result<bool, ParseError> {
        let Some(skipped) = self.text[self.offset..].find(['(', ')']) else { return Ok(false) };
        self.offset += skipped;
        match self.text[self.offset..].starts_with('(') {
            true => Ok(true),
            false => Err(self.expected(self.offset, "no ) without its (")),
        }
    }

    /// The next token and where it begins; `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Token<'a>)>, ParseError> {
        self.skip_space();
        let begin = self.offset;
        let Some(&byte) = self.text.as_bytes().get(begin) else { return Ok(None) };
        let token = match byte {
            b'(' => Token::Open,
            b')' => Token::Close,
            b';' => Token::Node,
            b'A'..=b'Z' | b'a'..=b'z' => return Ok(Some((begin, Token::Property(self.property()?)))),
            _ => return Err(self.expected(begin, "a property, ; or a parenthesis")),
        };
        self.offset += 1;
        Ok(Some((begin, token)))
    }

    /// Shows `visit` the properties that come next, and returns the token after them.
    pub(super) fn properties(
        &mut self,
        mut visit: impl FnMut(&Tokens, Property) -> Result<(), ParseError>,
    ) -> Result<Option<(usize, Token<'a>)>, ParseError> {
        loop {
            match self.next()? {
                Some((_, Token::Property(property))) => visit(self, property)?,
                other => return Ok(other),
            }
        }
    }

    /// An error at a place of the file.
    pub(super) fn expected(&self, offset: usize, what: impl Into<String>) -> ParseError {
        ParseError::syntax(LANGUAGE, self.text, offset, what)
    }

    /// An error at a place of the file that is no matter of grammar.
    pub(super) fn refused(&self, offset: usize, reason: impl Into<String>) -> ParseError {
        ParseError::refused_at(LANGUAGE, self.text, offset, reason)
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.offset..];
        self.offset += rest.len() - rest.trim_start().len();
    }

    fn property(&mut self) -> Result<Property<'a>, ParseError> {
        let offset = self.offset;
        let rest = &self.text[offset..];
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let name: String = rest[..length].chars().filter(char::is_ascii_uppercase).collect();
        if name.is_empty() {
            return Err(self.expected(offset, "the name of a property in capital letters"));
        }
        self.offset += length;
        let values = *self;
        let Some(first) = self.value()? else {
            return Err(self.expected(self.offset, format!("a value for {name} in brackets")));
        };
        while self.value()?.is_some() {}
        Ok(Property { name, offset, first, values })
    }

    /// The value that comes next, if nothing else does.
    fn value(&mut self) -> Result<Option<Value<'a>>, ParseError> {
        self.skip_space();
        if !self.text[self.offset..].starts_with('[') {
            return Ok(None);
        }
        let offset = self.offset + 1;
        let mut escaped = false;
        let length = self.text[offset..].bytes().position(|byte| {
            let ends = byte == b']' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        let length = length.ok_or_else(|| self.expected(self.offset, "a ] to end the value"))?;
        self.offset = offset + length + 1;
        Ok(Some(Value { raw: &self.text[offset..offset + length], offset }))
    }
}
