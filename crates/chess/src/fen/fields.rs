//! A text cut into fields that remember where they stood, so that every error can point there.

use outplay_core::ParseError;

/// A line of text that is read field by field. Fields are separated by white space; `;` ends one too.
pub(crate) struct Fields<'a> {
    language: &'static str,
    text: &'a str,
    offset: usize,
}

/// A field and the byte offset at which it begins.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    pub text: &'a str,
    pub offset: usize,
}

impl<'a> Fields<'a> {
    pub fn new(language: &'static str, text: &'a str) -> Fields<'a> {
        let mut fields = Fields { language, text, offset: 0 };
        fields.skip_space();
        fields
    }

    /// What has not been read yet; begins with a field or is empty.
    pub fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    /// Where [`Fields::rest`] begins.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The next field, which is empty at the end of the text and before a `;`.
    pub fn take(&mut self) -> Field<'a> {
        let rest = self.rest();
        let length = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
        let field = Field { text: &rest[..length], offset: self.offset };
        self.skip(length);
        field
    }

    /// Passes over so many bytes and the white space after them.
    pub fn skip(&mut self, length: usize) {
        self.offset += length;
        self.skip_space();
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.offset += rest.len() - rest.trim_start().len();
    }

    /// The grammar wants something else at `offset`.
    pub fn expected(&self, offset: usize, what: impl Into<String>) -> ParseError {
        ParseError::syntax(self.language, self.text, offset, what)
    }

    /// What stands at `offset` reads well but makes no legal position.
    pub fn refused(&self, offset: usize, reason: impl Into<String>) -> ParseError {
        ParseError::refused_at(self.language, self.text, offset, reason)
    }
}
