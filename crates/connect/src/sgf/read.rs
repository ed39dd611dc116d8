//! Reading SGF: one position is walked through the whole tree, so nesting costs neither recursion nor copies.

use outplay_core::{
    Game, Move, MoveTree, NodeId, Notation, Outcome, ParseError, Player, Record, RecordVisitor,
};

use super::coordinates::{LetterPairs, read_cell};
use super::properties::{TAG, TERMINATION, mark_of_property, parse_result, tag_of_property};
use super::tokens::{Property, Token, Tokens, Value};
use crate::lines::Cell;
use crate::position::{Connect, Undo};
use crate::rules::Rules;

/// The values of `GM` that files of these games carry: Go, gomoku, and what Connect6 programs write.
const GAMES: [&str; 5] = ["1", "4", "7", "511", "CLAP"];

/// Shows `visit` the games of a file until it breaks off. A file that does not give the board's size is taken to mean
/// the one of `rules`.
pub fn visit(
    rules: &Rules,
    text: &str,
    pairs: LetterPairs,
    visit: &mut RecordVisitor<Connect>,
) -> Result<(), ParseError> {
    let mut tokens = Tokens::new(text);
    while tokens.seek_game()? {
        if visit(read_game(*rules, &mut tokens, pairs)?).is_break() {
            break;
        }
    }
    Ok(())
}

fn read_game(rules: Rules, tokens: &mut Tokens, pairs: LetterPairs) -> Result<Record<Connect>, ParseError> {
    let mut reader = Reader::new(rules, pairs);
    let mut after_variation = false;
    let mut next = tokens.next()?;
    while let Some((offset, token)) = next {
        match token {
            Token::Node if after_variation => {
                return Err(tokens.expected(offset, "a variation or ) after a variation"));
            }
            Token::Node => {
                next = reader.node(tokens)?;
                continue;
            }
            Token::Open => {
                reader.open(tokens, offset)?;
                after_variation = false;
            }
            Token::Close => {
                reader.close();
                if reader.branches.is_empty() {
                    return reader.finish(tokens, offset);
                }
                after_variation = true;
            }
            Token::Property(_) => return Err(tokens.expected(offset, "a ; before the properties of a node")),
        }
        next = tokens.next()?;
    }
    Err(tokens.expected(tokens.text.len(), "a ) to end the game"))
}

struct Reader {
    rules: Rules,
    pairs: LetterPairs,
    tags: Vec<(String, String)>,
    result: Option<Option<Outcome>>,
    phase: Phase,
    setup: Setup,
    tree: MoveTree,
    /// Where the walk is: the node, and its position with the moves that lead to it.
    node: NodeId,
    position: Connect,
    path: Vec<(Move, Undo)>,
    /// For each open parenthesis, where the walk was.
    branches: Vec<(NodeId, usize)>,
}

/// The first move, or the first variation, settles what the game starts from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    SettingUp,
    Playing,
}

/// Stones set up before the first move.
#[derive(Default)]
struct Setup {
    /// One entry a cell; none at all as long as nothing is set up, as in most games.
    stones: Vec<Option<Player>>,
    to_move: Option<Player>,
}

impl Reader {
    fn new(rules: Rules, pairs: LetterPairs) -> Reader {
        Reader {
            rules,
            pairs,
            tags: Vec::new(),
            result: None,
            phase: Phase::SettingUp,
            setup: Setup::default(),
            tree: MoveTree::default(),
            node: MoveTree::ROOT,
            position: Connect::start(&rules),
            path: Vec::new(),
            branches: Vec::new(),
        }
    }

    fn open(&mut self, tokens: &Tokens, offset: usize) -> Result<(), ParseError> {
        // The first parenthesis is the game's own.
        if !self.branches.is_empty() {
            self.settle_start(tokens, offset)?;
        }
        self.branches.push((self.node, self.path.len()));
        Ok(())
    }

    fn close(&mut self) {
        let Some((node, depth)) = self.branches.pop() else { return };
        self.node = node;
        for (m, turn) in self.path.drain(depth..).rev() {
            self.position.unmake(m, turn);
        }
    }

    /// Reads a node and returns the token after it. Set-up comes before moves and moves before what is said about
    /// them, in whatever order they stand, so the node is gone through three times.
    fn node<'a>(&mut self, tokens: &mut Tokens<'a>) -> Result<Option<(usize, Token<'a>)>, ParseError> {
        let (node, is_root) = (*tokens, self.phase == Phase::SettingUp);
        { node }.properties(|tokens, property| self.set_up(tokens, &property))?;
        { node }.properties(|tokens, property| match property.name.as_str() {
            "B" => self.play(tokens, &property, Player::First),
            "W" => self.play(tokens, &property, Player::Second),
            _ => Ok(()),
        })?;
        tokens.properties(|tokens, property| {
            if property.name == "C" {
                self.tree.add_comment(self.node, &property.first.text());
            } else if is_root {
                self.root_property(tokens, &property)?;
            }
            for mark in property.values().filter_map(|value| mark_of_property(&property.name, value.raw)) {
                self.tree.add_mark(self.node, mark);
            }
            Ok(())
        })
    }

    /// What changes the start of the game: stones, and whose turn it is.
    fn set_up(&mut self, tokens: &Tokens, property: &Property) -> Result<(), ParseError> {
        let stone = match property.name.as_str() {
            "AB" => Some(Player::First),
            "AW" => Some(Player::Second),
            "AE" => None,
            "PL" => {
                self.check_before_moves(tokens, property)?;
                self.setup.to_move = Some(player_to_move(tokens, property.first)?);
                return Ok(());
            }
            _ => return Ok(()),
        };
        self.check_before_moves(tokens, property)?;
        property.values().try_for_each(|value| self.set_up_cells(tokens, value, stone))
    }

    fn check_before_moves(&self, tokens: &Tokens, property: &Property) -> Result<(), ParseError> {
        match self.phase {
            Phase::SettingUp => Ok(()),
            Phase::Playing => {
                Err(tokens.refused(property.offset, "a game is set up before its first move, not later"))
            }
        }
    }

    /// A value of `AB`, `AW` or `AE`: a cell or, with a colon, corners of a rectangle.
    fn set_up_cells(
        &mut self,
        tokens: &Tokens,
        value: Value,
        stone: Option<Player>,
    ) -> Result<(), ParseError> {
        let (from, to) = match value.composed() {
            Some((from, to)) => (self.single_cell(tokens, from)?, self.single_cell(tokens, to)?),
            None => {
                let cell = self.single_cell(tokens, value)?;
                (cell, cell)
            }
        };
        self.setup.stones.resize(self.rules.cells(), None);
        for row in from.row.min(to.row)..=from.row.max(to.row) {
            for column in from.column.min(to.column)..=from.column.max(to.column) {
                self.setup.stones[self.rules.index(Cell { column, row })] = stone;
            }
        }
        Ok(())
    }

    fn single_cell(&self, tokens: &Tokens, value: Value) -> Result<Cell, ParseError> {
        let text = value.raw.trim();
        let (cell, length) = read_cell(self.rules, self.pairs, tokens.text, value.offset, text)?;
        match text.len() == length {
            true => Ok(cell),
            false => Err(tokens.expected(value.offset, "one cell")),
        }
    }

    /// `B` and `W`: one stone, or all the stones of a turn one after the other.
    fn play(&mut self, tokens: &Tokens, property: &Property, player: Player) -> Result<(), ParseError> {
        self.settle_start(tokens, property.offset)?;
        for Value { raw, offset } in property.values() {
            let mut rest = raw.trim();
            loop {
                let (cell, length) = read_cell(self.rules, self.pairs, tokens.text, offset, rest)?;
                let refused = |reason: String| tokens.refused(offset, reason);
                let m = self.position.move_at(cell).map_err(refused)?;
                if self.position.to_move() != player {
                    let turn = Connect::player_name(!player);
                    return Err(refused(format!("it is {turn}'s turn")));
                }
                let turn = self.position.make(m);
                self.path.push((m, turn));
                self.node = self.tree.add(self.node, m);
                rest = rest[length..].trim_start();
                if rest.is_empty() {
                    break;
                }
            }
        }
        Ok(())
    }

    fn settle_start(&mut self, tokens: &Tokens, offset: usize) -> Result<(), ParseError> {
        if self.phase == Phase::Playing {
            return Ok(());
        }
        let cells = self.setup.stones.iter().enumerate();
        let stones: Vec<(Cell, Player)> =
            cells.filter_map(|(index, stone)| stone.map(|player| (self.rules.cell(index), player))).collect();
        let refused = |reason: String| tokens.refused(offset, format!("the stones set up: {reason}"));
        if !stones.is_empty() {
            self.position = Connect::from_stones(self.rules, &stones).map_err(refused)?;
        }
        let to_move = self.position.to_move();
        if self.setup.to_move.is_some_and(|player| player != to_move) {
            let name = Connect::player_name(to_move);
            return Err(refused(format!("it is {name}'s turn, not what PL says")));
        }
        self.phase = Phase::Playing;
        Ok(())
    }

    fn root_property(&mut self, tokens: &Tokens, property: &Property) -> Result<(), ParseError> {
        let value = property.first;
        let text = value.simple_text();
        let refused = |reason: String| Err(tokens.refused(value.offset, reason));
        match property.name.as_str() {
            "GM" if !GAMES.contains(&text.trim()) => {
                return refused(format!("GM is another game's; these games have {}", GAMES.join(", ")));
            }
            "SZ" => {
                let (columns, rows) = text.split_once(':').unwrap_or((&text, &text));
                let size = [columns, rows].map(|number| number.trim().parse::<usize>().ok());
                if size != [Some(self.rules.columns()), Some(self.rules.rows())] {
                    let (columns, rows) = (self.rules.columns(), self.rules.rows());
                    return refused(format!("the rules ask for a board of {columns}×{rows}"));
                }
            }
            "RU" if text.starts_with("Connect(") => match text.parse::<Rules>() {
                Ok(rules) if rules == self.rules => {}
                Ok(_) => return refused(format!("the game is to be read under other rules, {}", self.rules)),
                Err(error) => return refused(error.to_string()),
            },
            "RU" => self.tags.push(("Rules".to_string(), text)),
            "RE" => {
                let (outcome, how) = parse_result(&text);
                self.result = Some(outcome);
                if !how.is_empty() {
                    self.tags.push((TERMINATION.to_string(), how.to_string()));
                }
            }
            TAG => {
                let pairs = property.values().filter_map(Value::composed);
                self.tags.extend(pairs.map(|(name, value)| (name.simple_text(), value.simple_text())));
            }
            name => {
                if let (Some(tag), None) = (tag_of_property(name), property.values().nth(1)) {
                    self.tags.push((tag.to_string(), text));
                }
            }
        }
        Ok(())
    }

    /// The record. Where the file is silent about the result, a main line that ends the game says it.
    fn finish(mut self, tokens: &Tokens, offset: usize) -> Result<Record<Connect>, ParseError> {
        self.settle_start(tokens, offset)?;
        // The walk is back at the start.
        let mut record = Record::new(self.position);
        let mut last = record.start.clone();
        for m in self.tree.main_line() {
            last.play(m);
        }
        record.outcome = self.result.unwrap_or(last.outcome());
        record.tags = self.tags;
        record.tree = self.tree;
        Ok(record)
    }
}

fn player_to_move(tokens: &Tokens, value: Value) -> Result<Player, ParseError> {
    match value.raw.trim() {
        "B" | "b" | "Black" | "black" | "1" => Ok(Player::First),
        "W" | "w" | "White" | "white" | "2" => Ok(Player::Second),
        _ => Err(tokens.expected(value.offset, "B or W")),
    }
}
