//! Recorded games: tags, a tree of moves with comments, and how the game ended.

use std::ops::ControlFlow;

use crate::problem::{self, Problem, ProblemVisitor};
use crate::{Game, Line, Move, Notation, Outcome, ParseError, text};

/// A recorded game, in whatever file format it came from.
#[derive(Clone, PartialEq, Debug)]
pub struct Record<G: Game> {
    /// Names and values in file order: `("White", "Ada")`.
    pub tags: Vec<(String, String)>,
    /// The position that the moves start from.
    pub start: G,
    /// The moves, with their variations and comments.
    pub tree: MoveTree,
    /// How the game ended, as far as the record says.
    pub outcome: Option<Outcome>,
}

impl<G: Game> Record<G> {
    /// A record with no tags and no moves.
    pub fn new(start: G) -> Record<G> {
        Record { tags: Vec::new(), start, tree: MoveTree::default(), outcome: None }
    }

    /// The record of a line of play, with its outcome if it has ended.
    pub fn of_line(line: &Line<G>) -> Record<G> {
        let mut record = Record::new(line.start().clone());
        let mut node = MoveTree::ROOT;
        for &m in line.moves() {
            node = record.tree.add(node, m);
        }
        record.outcome = line.outcome();
        record
    }

    /// The main line as a line of play.
    pub fn line(&self) -> Line<G> {
        let mut line = Line::new(self.start.clone());
        for m in self.tree.main_line() {
            line.play(m);
        }
        line
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in its place if it is there already.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some(tag) => tag.1 = value.into(),
            None => self.tags.push((name.to_string(), value.into())),
        }
    }
}

/// A node of a [`MoveTree`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(usize);

/// A tree of moves. The first child of a node is the main line, the others are variations.
///
/// The nodes live in one vector, so a tree of any depth is built, walked and dropped without recursion.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveTree {
    nodes: Vec<Node>,
}

#[derive(Clone, PartialEq, Debug)]
struct Node {
    /// The root is its own parent.
    parent: NodeId,
    played: Option<Move>,
    /// What is said of the move. Apart, because most moves go without and files hold millions of them.
    annotation: Option<Box<Annotation>>,
    children: Vec<NodeId>,
}

#[derive(Clone, PartialEq, Debug, Default)]
struct Annotation {
    comment: String,
    marks: Vec<u8>,
}

impl Node {
    fn new(parent: NodeId, played: Option<Move>) -> Node {
        Node { parent, played, annotation: None, children: Vec::new() }
    }

    fn annotation(&mut self) -> &mut Annotation {
        self.annotation.get_or_insert_default()
    }
}

impl Default for MoveTree {
    fn default() -> MoveTree {
        MoveTree { nodes: vec![Node::new(Self::ROOT, None)] }
    }
}

impl MoveTree {
    /// The node before the first move.
    pub const ROOT: NodeId = NodeId(0);

    /// Adds a move after `parent`: the main line if it is the first there, a variation otherwise.
    pub fn add(&mut self, parent: NodeId, m: Move) -> NodeId {
        let id = NodeId(self.nodes.len());
        self.nodes.push(Node::new(parent, Some(m)));
        self.nodes[parent.0].children.push(id);
        id
    }

    /// The continuation of `parent` by `m`, added if it is not there yet, as the main line: what was the main line
    /// before becomes a variation.
    pub fn play(&mut self, parent: NodeId, m: Move) -> NodeId {
        let found = self.children(parent).iter().position(|&child| self.played(child) == Some(m));
        let child = match found {
            Some(place) => self.nodes[parent.0].children.remove(place),
            None => {
                let child = self.add(parent, m);
                self.nodes[parent.0].children.pop();
                child
            }
        };
        self.nodes[parent.0].children.insert(0, child);
        child
    }

    /// Ends every line at `node`: what followed it is forgotten.
    pub fn cut_after(&mut self, node: NodeId) {
        self.nodes[node.0].children.clear();
    }

    /// The move that led to a node; `None` for the root.
    pub fn played(&self, node: NodeId) -> Option<Move> {
        self.nodes[node.0].played
    }

    /// The node before this one; `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        Some(self.nodes[node.0].parent).filter(|_| node != Self::ROOT)
    }

    /// The continuations, the main line first.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        &self.nodes[node.0].children
    }

    /// What the annotator wrote after the move (at the root: before the first one).
    pub fn comment(&self, node: NodeId) -> &str {
        self.nodes[node.0].annotation.as_ref().map_or("", |annotation| &annotation.comment)
    }

    /// Adds to what is written after a move, separated by a space from what is there.
    pub fn add_comment(&mut self, node: NodeId, text: &str) {
        if text.is_empty() {
            return;
        }
        let comment = &mut self.nodes[node.0].annotation().comment;
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(text);
    }

    /// Numeric annotation glyphs of the move: 1 for `!`, 2 for `?` and so on.
    pub fn marks(&self, node: NodeId) -> &[u8] {
        self.nodes[node.0].annotation.as_ref().map_or(&[], |annotation| &annotation.marks)
    }

    /// Adds a numeric annotation glyph.
    pub fn add_mark(&mut self, node: NodeId, mark: u8) {
        self.nodes[node.0].annotation().marks.push(mark);
    }

    /// The nodes of the main line, without the root.
    pub fn main_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(Self::ROOT), |&node| self.children(node).first().copied()).skip(1)
    }

    /// The moves of the main line.
    pub fn main_line(&self) -> impl Iterator<Item = Move> + '_ {
        self.main_nodes().filter_map(|node| self.played(node))
    }

    /// How many moves have been put into the tree, variations included.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What a reader of game files shows the games to, one after the other, until it breaks off.
pub type RecordVisitor<'a, G> = dyn FnMut(Record<G>) -> ControlFlow<()> + 'a;

/// All the games that `read` shows its visitor.
pub fn collect_records<G: Game>(
    read: impl FnOnce(&mut RecordVisitor<G>) -> Result<(), ParseError>,
) -> Result<Vec<Record<G>>, ParseError> {
    let mut records = Vec::new();
    read(&mut |record| {
        records.push(record);
        ControlFlow::Continue(())
    })?;
    Ok(records)
}

/// A game whose records and test problems can be read from and written to files.
///
/// The provided methods use [`crate::pgn`] and [`crate::problem`], which any game can: `impl Records for MyGame {}` is
/// enough.
pub trait Records: Notation {
    /// The file name extension of what [`Records::write_record`] writes, without the dot.
    const EXTENSION: &'static str = "pgn";

    /// The tags that hold the names of the players in the game's files, first player first.
    fn player_tags(rules: &Self::Rules) -> [&'static str; 2] {
        Self::start(rules).players()
    }

    /// Shows `visit` the games of a file in any of the game's formats, told apart by their content, one after the
    /// other until it breaks off: a large file need not fit into memory as games. Every move read has been checked
    /// against the rules.
    fn visit_records(
        rules: &Self::Rules,
        bytes: &[u8],
        visit: &mut RecordVisitor<Self>,
    ) -> Result<(), ParseError> {
        let text = text::decode(bytes);
        match is_list(&text) {
            true => visit_list(rules, &text, visit),
            false => crate::pgn::visit(rules, bytes, visit),
        }
    }

    /// Reads all games of a file.
    fn read_records(rules: &Self::Rules, bytes: &[u8]) -> Result<Vec<Record<Self>>, ParseError> {
        collect_records(|visit| Self::visit_records(rules, bytes, visit))
    }

    /// Writes one game in the game's own format; what is read back under the same rules is equal.
    fn write_record(rules: &Self::Rules, record: &Record<Self>) -> String {
        crate::pgn::write(record, &Self::start(rules), 1)
    }

    /// Shows `visit` the test problems of a file, one after the other until it breaks off, in [`crate::problem`]'s form or
    /// in others that the game's community uses. A line that is malformed is an error that names it.
    fn visit_problems(
        rules: &Self::Rules,
        bytes: &[u8],
        visit: &mut ProblemVisitor<Self>,
    ) -> Result<(), ParseError> {
        problem::visit(rules, bytes, visit)
    }

    /// Reads all test problems of a file.
    fn read_problems(rules: &Self::Rules, bytes: &[u8]) -> Result<Vec<Problem<Self>>, ParseError> {
        let mut problems = Vec::new();
        Self::visit_problems(rules, bytes, &mut |problem| {
            problems.push(problem);
            ControlFlow::Continue(())
        })?;
        Ok(problems)
    }
}
/// Whether a file is a plain list, one game or position a line, and no PGN: that has tags, numbers, variations, comments or results.
pub fn is_list(text: &str) -> bool {
    let is_plain = |line: &str| {
        let ends = |word: &str| ["1-0", "0-1", "1/2-1/2"].contains(&word);
        !line.contains(['[', '.', '(', ')', '{', '}', ';', '$', '*']) && !text::words(line).any(ends)
    };
    text::content_lines(text).next().is_some_and(|(_, line)| is_plain(line))
}

/// Reads a plain list: on each line moves from the start, or a position. Lines that begin with `#` are skipped.
pub fn visit_list<G: Notation>(
    rules: &G::Rules,
    text: &str,
    visit: &mut RecordVisitor<G>,
) -> Result<(), ParseError> {
    for (number, line) in text::content_lines(text) {
        let record = read_moves(rules, line).or_else(|error| match G::parse_position(rules, line) {
            Ok(position) => Ok(Record { outcome: position.outcome(), ..Record::new(position) }),
            Err(other) => Err(if line.contains('/') { other } else { error }.on_line(number)),
        });
        if visit(record?).is_break() {
            break;
        }
    }
    Ok(())
}

fn read_moves<G: Notation>(rules: &G::Rules, line: &str) -> Result<Record<G>, ParseError> {
    let mut record = Record::new(G::start(rules));
    let mut position = record.start.clone();
    let mut node = MoveTree::ROOT;
    for word in G::split_moves(line) {
        // Words are parts of the line: their addresses tell where.
        let offset = word.as_ptr() as usize - line.as_ptr() as usize;
        let m = position.parse_move(word).map_err(|error| error.within("move", line, offset))?;
        position.play(m);
        node = record.tree.add(node, m);
    }
    record.outcome = position.outcome();
    Ok(record)
}
