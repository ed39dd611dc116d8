//! Positions in which there is something to see.

use serde::Serialize;

/// A position in which there is something to see, and the search that shows it.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
pub struct Example {
    /// What there is to see.
    pub name: &'static str,
    /// Where the moves begin; the start of the game if nothing is said.
    pub start: Option<&'static str>,
    /// The moves from there.
    pub moves: &'static [&'static str],
    /// The search that shows it.
    pub search: &'static str,
}

/// A position whose search is small enough to be followed by hand.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
pub struct Lesson {
    /// What it shows.
    pub name: &'static str,
    /// The variant, if it is not the usual one.
    pub variant: Option<&'static str>,
    /// Where the moves begin; the start of the game if nothing is said.
    pub start: Option<&'static str>,
    /// The moves from there.
    pub moves: &'static [&'static str],
    /// How deep a tree search is to go.
    pub depth: Option<u32>,
    /// How many simulations a Monte Carlo search needs to find the move.
    pub simulations: Option<u32>,
}

const fn example(name: &'static str, search: &'static str, moves: &'static [&'static str]) -> Example {
    Example { name, start: None, moves, search }
}

pub(super) const CHESS: &[Example] = &[
    example("Chess: from the start", "pvs", &[]),
    Example {
        name: "Chess: a queen for a mate",
        start: Some("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"),
        moves: &[],
        search: "pvs",
    },
    Example {
        name: "Chess: blocked pawns, where the table knows most",
        start: Some("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1"),
        moves: &[],
        search: "pvs",
    },
];
pub(super) const OTHELLO: &[Example] = &[example("Othello: a tree that grows", "mcts", &["f5"])];
pub(super) const CONNECT_FOUR: &[Example] = &[example("Connect Four: playouts find the middle", "mcts", &[])];
pub(super) const CONNECT6: &[Example] = &[example("Connect6: two stones a turn", "pvs", &["j10"])];
pub(super) const TIC_TAC_TOE: &[Example] = &[example("Tic-tac-toe: a tree that proves", "mcts", &["b2"])];

const fn lesson(name: &'static str, depth: u32) -> Lesson {
    Lesson { name, variant: None, start: None, moves: &[], depth: Some(depth), simulations: None }
}

const fn from(lesson: Lesson, start: &'static str) -> Lesson {
    Lesson { start: Some(start), ..lesson }
}

const fn simulated(name: &'static str, simulations: u32, moves: &'static [&'static str]) -> Lesson {
    Lesson { moves, depth: None, simulations: Some(simulations), ..lesson(name, 0) }
}

pub(super) const TIC_TAC_TOE_LESSONS: &[Lesson] = &[
    from(lesson("Tic-tac-toe: win at once", 3), "xo1/xo1/3 x 1"),
    from(lesson("Tic-tac-toe: find the fork", 5), "xo1/2x/o2 x 1"),
    from(lesson("Tic-tac-toe: which reply holds?", 4), "xox/2o/1x1 o 1"),
    from(lesson("Tic-tac-toe: opposite corners", 6), "x2/1o1/2x o 1"),
    lesson("Tic-tac-toe: from the start, two plies", 2),
    simulated("Tic-tac-toe: answer a corner (uct)", 50, &["a1"]),
];
pub(super) const CONNECT_FOUR_LESSONS: &[Lesson] = &[
    Lesson { variant: Some("4x4"), ..lesson("Connect Four on 4×4, three plies", 3) },
    Lesson { variant: Some("5x4"), ..simulated("Connect Four on 5×4 (uct)", 100, &["c", "b", "c", "d"]) },
];
pub(super) const OTHELLO_LESSONS: &[Lesson] = &[Lesson { moves: &["f5"], ..lesson("Othello, two plies", 2) }];
