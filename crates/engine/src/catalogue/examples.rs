//! Positions in which there is something to see.

use serde::Serialize;

/// A position in which there is something to see, and the search that shows it.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
pub struct Example {
    /// What people call it.
    pub name: &'static str,
    /// What there is to see, in a sentence.
    pub aim: &'static str,
    /// Whether somebody who is new should see it first.
    pub featured: bool,
    /// Where the moves begin; the start of the game if nothing is said.
    pub start: Option<&'static str>,
    /// The moves from there.
    pub moves: &'static [&'static str],
    /// The search that shows it.
    pub search: &'static str,
}

const START: Example = Example { name: "", aim: "", featured: false, start: None, moves: &[], search: "pvs" };

pub(super) const CHESS: &[Example] = &[
    Example {
        name: "Chess: from the start",
        aim: "How deep alpha-beta gets in a few seconds, and which techniques cut most.",
        ..START
    },
    Example {
        name: "Chess: a queen for a mate",
        aim: "Alpha-beta finds a queen sacrifice: see the depth at which the best move changes.",
        featured: true,
        start: Some("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"),
        ..START
    },
    Example {
        name: "Chess: blocked pawns, where the table knows most",
        aim: "The kings can only walk about: nearly every position comes again, and the table has the answer.",
        start: Some("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1"),
        ..START
    },
];
pub(super) const OTHELLO: &[Example] = &[Example {
    name: "Othello: a tree that grows",
    aim: "Monte Carlo tree search: the better a move turns out, the wider its part of the tree becomes.",
    featured: true,
    search: "mcts",
    moves: &["f5"],
    ..START
}];
pub(super) const CONNECT_FOUR: &[Example] = &[Example {
    name: "Connect Four: playouts find the middle",
    aim: "With no knowledge but the rules, playouts agree on the middle column.",
    search: "mcts",
    ..START
}];
pub(super) const CONNECT6: &[Example] = &[Example {
    name: "Connect6: two stones a turn",
    aim: "So many moves that the search has to look at a few candidates only.",
    moves: &["j10"],
    ..START
}];
pub(super) const TIC_TAC_TOE: &[Example] = &[Example {
    name: "Tic-tac-toe: a tree that proves",
    aim: "The game is so small that the tree ends with a proof: watch the moves turn into certain results.",
    featured: true,
    search: "mcts",
    moves: &["b2"],
    ..START
}];
