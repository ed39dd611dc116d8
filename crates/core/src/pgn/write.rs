//! Writing PGN.

use std::fmt::Write;

use super::result_text;
use crate::{MoveTree, NodeId, Notation, Outcome, Player, Record};

/// Lines are broken before this column, as the standard asks.
const WIDTH: usize = 80;

/// The tags that the standard wants first, in this order, before the result.
pub const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

/// Writes one game. `first_number` is the number of the first full move, `standard_start` the position that
/// needs no `FEN` tag.
pub fn write<G: Notation>(record: &Record<G>, standard_start: &G, first_number: u32) -> String {
    let mut text = String::new();
    let result = result_text(record.outcome);
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
        writeln!(text, "[{name} \"{value}\"]").expect("a string takes all that is written to it");
    };
    // The result belongs behind the names of the players, before what a program adds of its own.
    let roster = record.tags.iter().take_while(|(name, _)| ROSTER.contains(&name.as_str())).count();
    for (name, value) in &record.tags[..roster] {
        tag(name, value);
    }
    tag("Result", result);
    for (name, value) in &record.tags[roster..] {
        tag(name, value);
    }
    if let Some(margin) = record.outcome.map(Outcome::margin).filter(|&margin| margin > 1) {
        tag("Margin", &margin.to_string());
    }
    if record.start != *standard_start {
        tag("SetUp", "1");
        tag("FEN", &record.start.position_text());
    }
    text.push('\n');

    let mut words = Words { text, column: 0, opened: false };
    words.comment(record.tree.comment(MoveTree::ROOT));
    write_moves(&mut words, record, first_number);
    words.word(result);
    words.text.push('\n');
    words.text
}

/// What is still to be written of a tree; a stack of these takes the place of recursion.
enum Step<G> {
    /// The moves after a node, whose position and number are given, as a line of play.
    Continue {
        node: NodeId,
        position: G,
        number: u32,
    },
    /// One variation: its first move is `child`.
    Variation {
        child: NodeId,
        position: G,
        number: u32,
    },
    Close,
}

fn write_moves<G: Notation>(words: &mut Words, record: &Record<G>, first_number: u32) {
    let tree = &record.tree;
    let mut steps =
        vec![Step::Continue { node: MoveTree::ROOT, position: record.start.clone(), number: first_number }];
    let mut numbered = false;
    while let Some(step) = steps.pop() {
        let (child, position, number) = match step {
            Step::Close => {
                words.close();
                numbered = false;
                continue;
            }
            Step::Variation { child, position, number } => {
                words.open();
                numbered = false;
                steps.push(Step::Close);
                (child, position, number)
            }
            Step::Continue { node, position, number } => match tree.children(node) {
                [] => continue,
                [main, variations @ ..] => {
                    let (main, after) = (*main, next(tree, *main, &position, number));
                    steps.push(Step::Continue { node: main, position: after.0, number: after.1 });
                    for &child in variations.iter().rev() {
                        steps.push(Step::Variation { child, position: position.clone(), number });
                    }
                    write_move(words, tree, main, &position, number, &mut numbered);
                    continue;
                }
            },
        };
        let after = next(tree, child, &position, number);
        steps.push(Step::Continue { node: child, position: after.0, number: after.1 });
        write_move(words, tree, child, &position, number, &mut numbered);
    }
}

/// The position and the move number after a node's move.
fn next<G: Notation>(tree: &MoveTree, node: NodeId, position: &G, number: u32) -> (G, u32) {
    let Some(m) = tree.played(node) else { return (position.clone(), number) };
    let after = position.after(m);
    let round_ends = position.to_move() == Player::Second && after.to_move() == Player::First;
    (after, number + u32::from(round_ends))
}

fn write_move<G: Notation>(
    words: &mut Words,
    tree: &MoveTree,
    node: NodeId,
    position: &G,
    number: u32,
    numbered: &mut bool,
) {
    let Some(m) = tree.played(node) else { return };
    match position.to_move() {
        Player::First => words.word(&format!("{number}.")),
        Player::Second if !*numbered => words.word(&format!("{number}...")),
        Player::Second => {}
    }
    words.word(&position.move_text(m));
    for mark in tree.marks(node) {
        words.word(&format!("${mark}"));
    }
    words.comment(tree.comment(node));
    *numbered = tree.comment(node).is_empty();
}

/// Text in lines of at most [`WIDTH`] columns.
struct Words {
    text: String,
    column: usize,
    /// Whether a parenthesis waits for what it holds.
    opened: bool,
}

impl Words {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        let glued = self.column == 0 || std::mem::take(&mut self.opened);
        if !glued && self.column + 1 + length > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if !glued {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += length;
    }

    /// A comment in braces; a closing brace inside, which the format cannot hold, becomes a parenthesis.
    fn comment(&mut self, text: &str) {
        let text = text.replace('}', ")");
        let words: Vec<&str> = text.split_whitespace().collect();
        let last = words.len().saturating_sub(1);
        for (index, word) in words.iter().enumerate() {
            let opening = if index == 0 { "{" } else { "" };
            let closing = if index == last { "}" } else { "" };
            self.word(&format!("{opening}{word}{closing}"));
        }
    }

    fn open(&mut self) {
        self.word("(");
        self.opened = true;
    }

    fn close(&mut self) {
        self.text.push(')');
        self.column += 1;
    }
}
