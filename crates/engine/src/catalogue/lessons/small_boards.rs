//! Lessons on boards that are small enough to be followed by hand, or by a small network.

use super::lesson;
use crate::lessons::{Lesson, Shows, Topic};

const fn tree(search: &'static str, depth: u32) -> Shows {
    Shows::Tree { search, depth }
}

const fn simulations(search: &'static str, simulations: u64) -> Shows {
    Shows::Simulations { search, simulations }
}

pub const TIC_TAC_TOE: &[Lesson] = &[
    Lesson {
        aim: "A position is worth what its best move is worth: the most for one player, the least for the other.",
        attempt: "Step on until all replies to b1 have come back. Why does X get the worst of their values?",
        start: Some("xo1/xo1/3 x 1"),
        ..lesson(Topic::Minimax, "minimax", "Minimax", tree("minimax", 2))
    },
    Lesson {
        aim: "What is good for one player is as bad for the other: so one rule does, the best of the negated values below.",
        attempt: "Compare it with minimax: the same tree and the same values, by a rule that need not ask who moves.",
        start: Some("xo1/xo1/3 x 1"),
        ..lesson(Topic::Negamax, "negamax", "Negamax", tree("negamax", 2))
    },
    Lesson {
        aim: "Once one reply shows that a move is no better than a known one, its other replies need not be looked at.",
        attempt: "Press “Next cutoff”. Then choose minimax for the search and compare the number of nodes.",
        featured: true,
        start: Some("xo1/xo1/3 x 1"),
        ..lesson(Topic::AlphaBeta, "alphabeta", "Alpha-beta", tree("alphabeta", 3))
    },
    Lesson {
        aim: "X can make two threats at once: alpha-beta finds the move, and proves it with less than the whole tree.",
        attempt: "Find the fork before the search does. Then see by which replies it is proved.",
        start: Some("xo1/2x/o2 x 1"),
        ..lesson(Topic::AlphaBeta, "alphabeta-fork", "Alpha-beta: find the fork", tree("alphabeta", 5))
    },
    Lesson {
        aim: "O has to find a reply that holds: a tree to the end of the game says which one does.",
        attempt: "Predict the window of each reply before you step into it.",
        start: Some("xox/2o/1x1 o 1"),
        ..lesson(
            Topic::AlphaBeta,
            "alphabeta-defence",
            "Alpha-beta: which reply holds?",
            tree("alphabeta", 4),
        )
    },
    Lesson {
        aim: "The better the order of moves, the less there is to look at: from b^d leaves in the worst order to b^⌈d/2⌉ + b^⌊d/2⌋ − 1 with the best move first.",
        attempt: "Change b and d. How much deeper does the best order get with the same number of leaves?",
        ..lesson(Topic::Growth, "growth", "How much alpha-beta saves", Shows::Growth)
    },
    Lesson {
        aim: "Each move in turn gets the same number of random games; the one with the best mean is played.",
        attempt: "Try other random numbers: how often does the best move change with so few games?",
        moves: &["b2", "a2"],
        ..lesson(Topic::FlatMonteCarlo, "flat", "Flat Monte Carlo", simulations("flat", 60))
    },
    Lesson {
        aim: "Games go where they may teach most: to the move with the highest bound, its mean and a bonus for being tried seldom.",
        attempt: "From the ninth simulation on, guess from the table which move has the highest bound.",
        moves: &["a1"],
        ..lesson(Topic::Uct, "uct", "UCT: answer a corner", simulations("uct", 50))
    },
];

pub const CONNECT_FOUR: &[Lesson] = &[
    Lesson {
        aim: "UCT on a larger board: the tree grows where the play is good, and the random games do the rest.",
        attempt: "Go to the end and look at the longest line of the tree: both players' best moves, as far as they are known.",
        variant: Some("5x4"),
        moves: &["c", "b", "c", "d"],
        ..lesson(Topic::Uct, "uct-larger", "UCT: Connect Four on 5×4", simulations("uct", 100))
    },
    Lesson {
        aim: "A network says at sight how good each move looks, P. PUCT tries the move with the highest Q + U, where U = c · P · √(sum of N) / (1 + N).",
        attempt: "Step through the simulations: the moves with a high P are tried first, and disappoint. Which move, of nearly no P, is tried most in the end?",
        featured: true,
        moves: &["f", "c", "c", "d", "d", "d", "f", "c"],
        ..lesson(Topic::Puct, "puct", "PUCT with priors", Shows::Puct)
    },
    Lesson {
        aim: "In training games early moves are drawn by lot, with chances in proportion to N^(1/T): T = 0 plays the most visited move, T = 1 follows the visits.",
        attempt: "Set the temperature to 5, and then to 0.1: which moves would be played now?",
        moves: &["f", "c", "c", "d", "d", "d", "f", "c"],
        ..lesson(Topic::Temperature, "temperature", "Temperature", Shows::Puct)
    },
    Lesson {
        aim: "In training games the priors of the root are mixed with noise, (1 − ε) · P + ε · Dirichlet(α), so that every move is tried now and then.",
        attempt: "Compare α = 0.1, where the noise falls on one or two moves, with α = 10, where all get some.",
        moves: &["f", "c", "c", "d", "d", "d", "f", "c"],
        ..lesson(Topic::Noise, "noise", "Dirichlet noise", Shows::Noise)
    },
    Lesson {
        aim: "A network plays against itself. From each position it learns two things: the shares of the search's visits, and how the game ended.",
        attempt: "Choose a position and compare q, what the search thought, with z, what became of it.",
        ..lesson(
            Topic::SelfPlay,
            "self-play",
            "How self-play makes its samples",
            Shows::SelfPlay { network: "connect4" },
        )
    },
];

pub const OTHELLO: &[Lesson] = &[Lesson {
    aim: "Few games can be searched to their end: the search stops at a depth, and there an evaluation says who stands better.",
    attempt: "Change the depth to 1 and to 3. The leaves change, and with them the best move may.",
    moves: &["f5"],
    ..lesson(Topic::Cutoff, "cutoff", "The cutoff test", tree("alphabeta", 2))
}];
