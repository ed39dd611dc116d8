//! Reading PGN: tolerant of what programs write (missing results, `0-0`, glued move numbers, nested variations),
//! strict about moves.

use std::rc::Rc;

use super::tokens::{Token, Tokens};
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
    let mut tokens = Tokens::new(&text);
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
    loop {
        if let Some(offset) = tokens.seek_tag() {
            match tokens.tag()? {
                ("FEN", value) => {
                    let position = G::parse_position(rules, &value);
                    start = Some(position.map_err(|error| {
                        ParseError::refused_at(LANGUAGE, tokens.text, offset, error.to_string())
                    })?);
                }
                (name, value) => tags.push((name.to_string(), value)),
            }
        } else if let Some(text) = tokens.comment() {
            add_comment(&mut tree, MoveTree::ROOT, text);
        } else {
            break;
        }
    }
    let is_empty = tags.is_empty() && start.is_none() && tree.comment(MoveTree::ROOT).is_empty();
    if is_empty && tokens.is_at_end() {
        return Ok(None);
    }

    let mut record = Record::new(start.unwrap_or_else(|| G::start(rules)));
    record.outcome =
        tags.iter().find(|(name, _)| name == "Result").and_then(|(_, v)| parse_result(v)).flatten();
    let margin = tags.iter().find(|(name, _)| name == "Margin").and_then(|(_, v)| v.parse().ok());
    tags.retain(|(name, _)| !["SetUp", "Result", "Margin"].contains(&name.as_str()));
    record.tags = tags;
    record.tree = tree;
    read_moves(&mut record, tokens)?;
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

/// Reads the moves, up to the result or to the tags of the next game.
fn read_moves<G: Notation>(record: &mut Record<G>, tokens: &mut Tokens) -> Result<(), ParseError> {
    let mut branch = Branch::new(MoveTree::ROOT, Rc::new(record.start.clone()));
    let mut outer: Vec<Interrupted<G>> = Vec::new();
    let mut waiting = Waiting::default();
    while tokens.seek_tag().is_none()
        && let Some((offset, token)) = tokens.next()?
    {
        let tree = &mut record.tree;
        match token {
            Token::Number(text) | Token::Move(text) => match branch.position.parse_move(text) {
                Ok(m) => {
                    branch.play(tree, m);
                    waiting.say(tree, branch.node);
                }
                Err(_) if matches!(token, Token::Number(_)) => {}
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
                while let Some(comment) = tokens.comment() {
                    add_comment(tree, branch.node, comment);
                }
                break;
            }
            // Some programs close their variations with a result; it says nothing about the game.
            Token::Result(_) | Token::MoveNumber => {}
        }
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
