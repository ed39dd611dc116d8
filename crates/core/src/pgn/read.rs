//! Reading PGN: tolerant of what programs write (missing results, `0-0`, glued move numbers, nested variations),
//! strict about moves.

use std::ops::ControlFlow;

use super::{LANGUAGE, parse_result};
use crate::{MoveTree, NodeId, Notation, Outcome, ParseError, Record, text};

/// Shows `visit` the games of a file, one after the other, until it breaks off.
pub fn visit<G: Notation>(
    rules: &G::Rules,
    bytes: &[u8],
    visit: &mut dyn FnMut(Record<G>) -> ControlFlow<()>,
) -> Result<(), ParseError> {
    let text = text::decode(bytes);
    let mut tokens = Tokens { text: &text, offset: 0 };
    while let Some(game) = read_game(rules, &mut tokens)? {
        if visit(game).is_break() {
            break;
        }
    }
    Ok(())
}

/// Where a line of moves stands: after `node`, with what is needed to start a variation on the last move.
struct Branch<G> {
    node: NodeId,
    position: G,
    /// `None` before the first move of the branch.
    before_last: Option<(NodeId, G)>,
    /// What a variation says before its first move, to be said of that move.
    waiting: String,
}

fn read_game<G: Notation>(rules: &G::Rules, tokens: &mut Tokens) -> Result<Option<Record<G>>, ParseError> {
    let mut tags: Vec<(String, String)> = Vec::new();
    let mut start = None;
    let mut early_comments: Vec<&str> = Vec::new();
    let first = loop {
        match tokens.next()? {
            Some((offset, Token::Tag("FEN", value))) => {
                let position = G::parse_position(rules, &value);
                start = Some(position.map_err(|error| {
                    ParseError::refused_at(LANGUAGE, tokens.text, offset, error.to_string())
                })?);
            }
            Some((_, Token::Tag(name, value))) => tags.push((name.to_string(), value)),
            Some((_, Token::Comment(text))) => early_comments.push(text),
            other => break other,
        }
    };
    if first.is_none() && tags.is_empty() && start.is_none() && early_comments.is_empty() {
        return Ok(None);
    }

    let mut record = Record::new(start.unwrap_or_else(|| G::start(rules)));
    record.outcome =
        tags.iter().find(|(name, _)| name == "Result").and_then(|(_, v)| parse_result(v)).flatten();
    let margin = tags.iter().find(|(name, _)| name == "Margin").and_then(|(_, v)| v.parse().ok());
    tags.retain(|(name, _)| !["SetUp", "Result", "Margin"].contains(&name.as_str()));
    record.tags = tags;
    for comment in early_comments {
        add_comment(&mut record.tree, MoveTree::ROOT, comment);
    }

    let position = record.start.clone();
    let mut branch = Branch { node: MoveTree::ROOT, position, before_last: None, waiting: String::new() };
    let mut outer: Vec<Branch<G>> = Vec::new();
    let mut token = first;
    while let Some((offset, found)) = token {
        match found {
            Token::Move(text) => {
                let m = branch.position.parse_move(text);
                let m = m.map_err(|error| error.within(LANGUAGE, tokens.text, offset))?;
                let next = branch.position.after(m);
                let node = record.tree.add(branch.node, m);
                add_comment(&mut record.tree, node, &std::mem::take(&mut branch.waiting));
                branch.before_last = Some((branch.node, std::mem::replace(&mut branch.position, next)));
                branch.node = node;
            }
            Token::Comment(text) if branch.before_last.is_none() && !outer.is_empty() => {
                branch.waiting.push(' ');
                branch.waiting.push_str(text);
            }
            Token::Comment(text) => add_comment(&mut record.tree, branch.node, text),
            Token::Mark(mark) => record.tree.add_mark(branch.node, mark),
            Token::Open => {
                let (node, position) = branch
                    .before_last
                    .clone()
                    .ok_or_else(|| tokens.expected(offset, "a move before a variation"))?;
                let variation = Branch { node, position, before_last: None, waiting: String::new() };
                outer.push(std::mem::replace(&mut branch, variation));
            }
            Token::Close => {
                branch = outer.pop().ok_or_else(|| tokens.expected(offset, "no ) without its ("))?;
            }
            Token::Result(outcome) if outer.is_empty() => {
                record.outcome = outcome;
                for comment in tokens.comments()? {
                    add_comment(&mut record.tree, branch.node, comment);
                }
                break;
            }
            // Some programs close their variations with a result; it says nothing about the game.
            Token::Result(_) => {}
            Token::Tag(..) => {
                // The next game begins without this one having ended.
                tokens.offset = offset;
                break;
            }
        }
        token = tokens.next()?;
    }
    if !outer.is_empty() {
        return Err(tokens.expected(tokens.offset, "a ) to end the variation"));
    }
    if let (Some(margin), Some(winner)) = (margin, record.outcome.and_then(Outcome::winner))
        && (1..=G::MAX_MARGIN).contains(&margin)
    {
        record.outcome = Some(Outcome::from_margin(margin, winner));
    }
    Ok(Some(record))
}

/// White space in comments carries no meaning: files break them into lines anywhere.
fn add_comment(tree: &mut MoveTree, node: NodeId, text: &str) {
    let words: Vec<&str> = text.split_whitespace().collect();
    tree.add_comment(node, &words.join(" "));
}

enum Token<'a> {
    Tag(&'a str, String),
    Move(&'a str),
    Comment(&'a str),
    Mark(u8),
    Open,
    Close,
    Result(Option<Outcome>),
}

struct Tokens<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Tokens<'a> {
    /// The next token and where it begins.
    fn next(&mut self) -> Result<Option<(usize, Token<'a>)>, ParseError> {
        loop {
            self.skip_space();
            let begin = self.offset;
            let Some(&byte) = self.text.as_bytes().get(begin) else { return Ok(None) };
            let token = match byte {
                b'[' => self.tag()?,
                b'{' => Token::Comment(self.until(begin + 1, "}", "a } to end the comment")?),
                b';' => Token::Comment(self.rest_of_line(begin + 1)),
                b'%' if begin == 0 || self.text.as_bytes()[begin - 1] == b'\n' => {
                    self.rest_of_line(begin + 1);
                    continue;
                }
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
                _ => match self.word()? {
                    Some(token) => token,
                    None => continue,
                },
            };
            return Ok(Some((begin, token)));
        }
    }

    /// The comments that come next, up to whatever else there is.
    fn comments(&mut self) -> Result<Vec<&'a str>, ParseError> {
        let mut comments = Vec::new();
        loop {
            let before = self.offset;
            match self.next()? {
                Some((_, Token::Comment(text))) => comments.push(text),
                _ => {
                    self.offset = before;
                    return Ok(comments);
                }
            }
        }
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.offset..];
        self.offset += rest.len() - rest.trim_start().len();
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
    fn tag(&mut self) -> Result<Token<'a>, ParseError> {
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
        Ok(Token::Tag(name, value))
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

    /// A move, a result or, returning `None`, a move number.
    fn word(&mut self) -> Result<Option<Token<'a>>, ParseError> {
        let rest = &self.text[self.offset..];
        let end = rest.find(|c: char| c.is_whitespace() || "(){}[];$!?*".contains(c)).unwrap_or(rest.len());
        if end == 0 {
            return Err(self.expected(self.offset, "a move"));
        }
        let word = &rest[..end];
        let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
        let number = match word[digits..].find(|c| c != '.') {
            // "12." and "12" stand alone; "12.e4" is a number glued to its move.
            None => word.len(),
            Some(dots) if dots > 0 => digits + dots,
            Some(_) => 0,
        };
        if number > 0 {
            self.offset += number;
            return Ok(None);
        }
        self.offset += end;
        Ok(match parse_result(word) {
            Some(outcome) => Some(Token::Result(outcome)),
            None if word == "e.p." => None,
            None => Some(Token::Move(word)),
        })
    }

    fn expected(&self, offset: usize, what: &str) -> ParseError {
        ParseError::syntax(LANGUAGE, self.text, offset, what)
    }
}
