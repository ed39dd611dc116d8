//! Writing SGF.

use outplay_core::{MoveTree, NodeId, Player, Record};

use super::coordinates::standard_text;
use super::properties::{TAG, TERMINATION, is_how_won, property_of_mark, property_of_tag, result_text};
use super::tokens::{escaped, escaped_pair};
use crate::lines::Cell;
use crate::position::Connect;
use crate::rules::Turn;
use outplay_core::Game;

/// Lines are broken between nodes before this column; texts in the nodes are left as they are.
const WIDTH: usize = 80;

/// Writes one game.
pub fn write(record: &Record<Connect>) -> String {
    let mut lines = Lines::default();
    lines.push(&format!("(;{}", root_properties(record)));
    lines.push(&annotations(&record.tree, MoveTree::ROOT));
    write_tree(&mut lines, record);
    lines.push(")\n");
    lines.text
}

fn root_properties(record: &Record<Connect>) -> String {
    let rules = record.start.rules();
    let size = match (rules.columns(), rules.rows()) {
        (columns, rows) if columns == rows => columns.to_string(),
        (columns, rows) => format!("{columns}:{rows}"),
    };
    let mut text = format!("FF[4]GM[4]CA[UTF-8]SZ[{size}]RU[Connect({rules})]");
    let won = record.outcome.is_some_and(|outcome| outcome.winner().is_some());
    let mut result_written = false;
    for (name, value) in &record.tags {
        if name == TERMINATION && won && is_how_won(value) && !result_written {
            text.push_str(&format!("RE[{}]", result_text(record.outcome, value)));
            result_written = true;
        } else if let Some(property) = property_of_tag(name) {
            text.push_str(&format!("{property}[{}]", escaped(value)));
        } else {
            text.push_str(&format!("{TAG}[{}]", escaped_pair(name, value)));
        }
    }
    // Said even of a game without a result: a main line that ends the game would say it otherwise.
    if !result_written {
        text.push_str(&format!("RE[{}]", result_text(record.outcome, "")));
    }
    text.push_str(&set_up(&record.start));
    text
}

/// The stones on the board before the first move, and who places the next one; nothing for an empty board.
fn set_up(start: &Connect) -> String {
    let mut text = String::new();
    for (name, player) in ["AB", "AW"].into_iter().zip(Player::BOTH) {
        let cells = start.stones().filter(|&(_, owner)| owner == player);
        let cells: String =
            cells.map(|(cell, _)| format!("[{}]", standard_text(start.rules(), cell))).collect();
        if !cells.is_empty() {
            text.push_str(name);
            text.push_str(&cells);
        }
    }
    if !text.is_empty() {
        text.push_str(&format!("PL[{}]", colour(start.to_move())));
    }
    text
}

/// What is still to be written of a tree; a stack of these takes the place of recursion.
enum Step {
    /// A move, so many moves after the start, and what follows it.
    Node {
        node: NodeId,
        depth: usize,
    },
    /// The same, as a variation in parentheses.
    Variation {
        node: NodeId,
        depth: usize,
    },
    Close,
}

fn write_tree(lines: &mut Lines, record: &Record<Connect>) {
    let tree = &record.tree;
    let rules = record.start.rules();
    let stones_before = record.start.stone_count();
    let mut steps = Vec::new();
    push_children(&mut steps, tree, MoveTree::ROOT, 0);
    while let Some(step) = steps.pop() {
        let (node, depth) = match step {
            Step::Close => {
                lines.push(")");
                continue;
            }
            Step::Variation { node, depth } => {
                steps.push(Step::Close);
                lines.new_line();
                lines.push("(");
                (node, depth)
            }
            Step::Node { node, depth } => (node, depth),
        };
        if let Some(m) = tree.played(node) {
            let cell: Cell = rules.cell(m.index());
            let player = Turn::after(rules, stones_before + depth).player;
            let text = format!(";{}[{}]", colour(player), standard_text(rules, cell));
            lines.push(&(text + &annotations(tree, node)));
        }
        push_children(&mut steps, tree, node, depth + 1);
    }
}

fn push_children(steps: &mut Vec<Step>, tree: &MoveTree, node: NodeId, depth: usize) {
    match tree.children(node) {
        &[node] => steps.push(Step::Node { node, depth }),
        several => steps.extend(several.iter().rev().map(|&node| Step::Variation { node, depth })),
    }
}

fn annotations(tree: &MoveTree, node: NodeId) -> String {
    let mut text: String = tree.marks(node).iter().map(|&mark| property_of_mark(mark)).collect();
    if !tree.comment(node).is_empty() {
        text.push_str(&format!("C[{}]", escaped(tree.comment(node))));
    }
    text
}

fn colour(player: Player) -> char {
    ['B', 'W'][player.index()]
}

/// Text in lines that are not much longer than [`WIDTH`].
#[derive(Default)]
struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    fn push(&mut self, piece: &str) {
        let first_line = piece.split('\n').next().unwrap_or("");
        if piece.starts_with(';') && self.column + first_line.len() > WIDTH {
            self.new_line();
        }
        self.text.push_str(piece);
        self.column = match piece.rfind('\n') {
            Some(newline) => piece.len() - newline - 1,
            None => self.column + piece.len(),
        };
    }

    fn new_line(&mut self) {
        self.text.push('\n');
        self.column = 0;
    }
}
