//! Reading PGN: tolerant of what programs write (missing results, `0-0`, glued move numbers, nested variations),
//! strict about moves.

use std::rc::Rc;

use super::{LANGUAGE, parse_result};
use crate::{Move, MoveTree, NodeId, Notation, Outcome, ParseError, Record, RecordVisitor, text};

/// How programs write that a side does not move, in analysis that asks what the other side threatens.
const NULL_MOVES: [&str; 2] = ["--", "Z0"];

/// Shows `visit` the games of a file, one after the other, until it breaks off.
///
/// A variation is read up to its first null move, which no game's rules know.
pub fn visit<G: Notation>(
    rules: &G::Rules,
    bytes: &[u8],
    visit: &mut RecordVisitor<G>,
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

fn read_game<G: Notation>(rules: &G::Rules, tokens: &mut Tokens) -> Result<Option<Record<G>>, ParseError> {
    let mut tags: Vec<(String, String)> = Vec::new();
    let mut start = None;
    let mut tree = MoveTree::default();
    let first = loop {
        match tokens.next()? {
            Some((offset, Token::Tag("FEN", value))) => {
                let position = G::parse_position(rules, &value);
                start = Some(position.map_err(|error| {
                    ParseError::refused_at(LANGUAGE, tokens.text, offset, error.to_string())
                })?);
            }
            Some((_, Token::Tag(name, value))) => tags.push((name.to_string(), value)),
            Some((_, Token::Comment(text))) => add_comment(&mut tree, MoveTree::ROOT, text),
            other => break other,
        }
    };
    let is_empty = tags.is_empty() && start.is_none() && tree.comment(MoveTree::ROOT).is_empty();
    if first.is_none() && is_empty {
        return Ok(None);
    }

    let mut record = Record::new(start.unwrap_or_else(|| G::start(rules)));
    record.outcome =
        tags.iter().find(|(name, _)| name == "Result").and_then(|(_, v)| parse_result(v)).flatten();
    let margin = tags.iter().find(|(name, _)| name == "Margin").and_then(|(_, v)| v.parse().ok());
    tags.retain(|(name, _)| !["SetUp", "Result", "Margin"].contains(&name.as_str()));
    record.tags = tags;
    record.tree = tree;
    read_moves(&mut record, tokens, first)?;
    if let (Some(margin), Some(winner)) = (margin, record.outcome.and_then(Outcome::winner))
        && (1..=G::MAX_MARGIN).contains(&margin)
    {
        record.outcome = Some(Outcome::from_margin(margin, winner));
    }
    Ok(Some(record))
}

/// Where a line of moves stands.
struct Branch<G> {
    node: NodeId,
    position: Rc<G>,
    /// What a variation on the last move starts from; `None` before the first move of the branch.
    before_last: Option<Rc<G>>,
}

impl<G: Notation> Branch<G> {
    fn new(node: NodeId, position: Rc<G>) -> Branch<G> {
        Branch { node, position, before_last: None }
    }

    fn play(&mut self, tree: &mut MoveTree, m: Move) {
        let next = Rc::new(self.position.after(m));
        self.node = tree.add(self.node, m);
        self.before_last = Some(std::mem::replace(&mut self.position, next));
    }
}

/// A branch that waits for a variation on its last move to end. Variations may nest by the million, so it holds no
/// more than it must, and shares the position with the variation.
struct Interrupted<G> {
    node: NodeId,
    before_last: Rc<G>,
}

impl<G: Notation> Interrupted<G> {
    /// The variation on the last move.
    fn variation(&self, tree: &MoveTree) -> Branch<G> {
        Branch::new(tree.parent(self.node).unwrap_or(MoveTree::ROOT), Rc::clone(&self.before_last))
    }

    fn resumed(self, tree: &MoveTree) -> Branch<G> {
        let Interrupted { node, before_last } = self;
        let position = match tree.played(node) {
            Some(m) => Rc::new(before_last.after(m)),
            None => Rc::clone(&before_last),
        };
        Branch { node, position, before_last: Some(before_last) }
    }
}

/// What is said before the first move of a line, to be said of that move.
#[derive(Default)]
struct Waiting {
    comment: String,
    marks: Vec<u8>,
}

impl Waiting {
    fn say(&mut self, tree: &mut MoveTree, node: NodeId) {
        let Waiting { comment, marks } = std::mem::take(self);
        add_comment(tree, node, &comment);
        marks.into_iter().for_each(|mark| tree.add_mark(node, mark));
    }
}

/// Reads the moves from the token `first` on, up to the result or to where the next game begins.
fn read_moves<'a, G: Notation>(
    record: &mut Record<G>,
    tokens: &mut Tokens<'a>,
    first: Option<(usize, Token<'a>)>,
) -> Result<(), ParseError> {
    let mut branch = Branch::new(MoveTree::ROOT, Rc::new(record.start.clone()));
    let mut outer: Vec<Interrupted<G>> = Vec::new();
    let mut waiting = Waiting::default();
    let mut token = first;
    while let Some((offset, found)) = token {
        let tree = &mut record.tree;
        match found {
            Token::Number(text) | Token::Move(text) => match branch.position.parse_move(text) {
                Ok(m) => {
                    branch.play(tree, m);
                    waiting.say(tree, branch.node);
                }
                Err(_) if matches!(found, Token::Number(_)) => {}
                Err(_) if NULL_MOVES.contains(&text) => {
                    let reason = "a null move, which only a variation can hold";
                    let refusal = || ParseError::refused_at(LANGUAGE, tokens.text, offset, reason);
                    branch = outer.pop().ok_or_else(refusal)?.resumed(tree);
                    waiting = Waiting::default();
                    tokens.skip_variation()?;
                }
                Err(error) => return Err(error.within(LANGUAGE, tokens.text, offset)),
            },
            Token::Comment(text) if branch.before_last.is_none() && !outer.is_empty() => {
                waiting.comment.push(' ');
                waiting.comment.push_str(text);
            }
            Token::Comment(text) => add_comment(tree, branch.node, text),
            Token::Mark(mark) if branch.before_last.is_none() => waiting.marks.push(mark),
            Token::Mark(mark) => tree.add_mark(branch.node, mark),
            Token::Open => {
                let before_last = branch.before_last.take();
                let before_last =
                    before_last.ok_or_else(|| tokens.expected(offset, "a move before a variation"))?;
                let interrupted = Interrupted { node: branch.node, before_last };
                branch = interrupted.variation(tree);
                outer.push(interrupted);
            }
            Token::Close => {
                let interrupted = outer.pop().ok_or_else(|| tokens.expected(offset, "no ) without its ("))?;
                branch = interrupted.resumed(tree);
                waiting = Waiting::default();
            }
            Token::Result(outcome) if outer.is_empty() => {
                record.outcome = outcome;
                while let Some(comment) = tokens.comment()? {
                    add_comment(tree, branch.node, comment);
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
    match outer.is_empty() {
        true => Ok(()),
        false => Err(tokens.unclosed_variation()),
    }
}

/// White space in comments carries no meaning: files break them into lines anywhere.
fn add_comment(tree: &mut MoveTree, node: NodeId, text: &str) {
    text.split_whitespace().for_each(|word| tree.add_comment(node, word));
}

enum Token<'a> {
    Tag(&'a str, String),
    Move(&'a str),
    /// A number without a dot: the number of a move or, in games that have such, a move.
    Number(&'a str),
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

    /// The comment that comes next, if nothing else does.
    fn comment(&mut self) -> Result<Option<&'a str>, ParseError> {
        let before = self.offset;
        match self.next()? {
            Some((_, Token::Comment(text))) => Ok(Some(text)),
            _ => {
                self.offset = before;
                Ok(None)
            }
        }
    }

    /// Goes past the parenthesis that closes the variation at hand.
    fn skip_variation(&mut self) -> Result<(), ParseError> {
        let mut open = 1;
        while open > 0 {
            match self.next()? {
                Some((_, Token::Open)) => open += 1,
                Some((_, Token::Close)) => open -= 1,
                Some((_, Token::Tag(..))) | None => return Err(self.unclosed_variation()),
                Some(_) => {}
            }
        }
        Ok(())
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

    /// A move, a result, a number or, returning `None`, a number that can only be a move's.
    fn word(&mut self) -> Result<Option<Token<'a>>, ParseError> {
        let rest = &self.text[self.offset..];
        let end = rest.find(|c: char| c.is_whitespace() || "(){}[];$!?*".contains(c)).unwrap_or(rest.len());
        if end == 0 {
            return Err(self.expected(self.offset, "a move"));
        }
        let word = &rest[..end];
        let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
        if digits == word.len() {
            self.offset += end;
            return Ok(Some(Token::Number(word)));
        }
        let number = match word[digits..].find(|c| c != '.') {
            // "12." stands alone; "12.e4" is a number glued to its move.
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

    fn unclosed_variation(&self) -> ParseError {
        self.expected(self.offset, "a ) to end the variation")
    }

    fn expected(&self, offset: usize, what: &str) -> ParseError {
        ParseError::syntax(LANGUAGE, self.text, offset, what)
    }
}
