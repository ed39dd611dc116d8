//! How strong an opponent is, in steps, by game.
//!
//! Each level beats the one below it: `outplay match GAME --levels` plays them against each other, and docs/levels.md has what came out.

/// A step on the way from an opponent for newcomers to the engine at its best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// What to call it.
    pub name: &'static str,
    /// Its search.
    pub search: &'static str,
    /// The settings of the search that are not the usual ones.
    pub settings: &'static [(&'static str, &'static str)],
    /// Nodes of a move, or simulations.
    pub nodes: u64,
}

/// A level that looks at a few positions and then draws lots between the moves that it looked at most: it sees little, and not always the
/// same, as people do.
const fn by_lot(name: &'static str, nodes: u64, temperature: Temperature) -> Level {
    Level { name, search: "mcts", settings: temperature, nodes }
}

/// A level that plays what it thinks best.
const fn earnest(name: &'static str, nodes: u64) -> Level {
    Level { name, search: "pvs", settings: &[], nodes }
}

/// How often a lesser move is drawn.
type Temperature = &'static [(&'static str, &'static str)];

/// As often as it was looked at.
const HOT: Temperature = &[("temperature", "1")];
/// Not so often.
const WARM: Temperature = &[("temperature", "0.5")];
/// Seldom.
const COOL: Temperature = &[("temperature", "0.3")];
/// Hardly ever, unless it is nearly as good.
const COLD: Temperature = &[("temperature", "0.2")];

const CHESS: [Level; 13] = [
    by_lot("newcomer", 5, HOT),
    by_lot("beginner", 40, HOT),
    by_lot("learner", 80, WARM),
    by_lot("casual player", 200, COOL),
    by_lot("regular player", 400, COLD),
    by_lot("keen player", 800, COLD),
    earnest("club player", 70),
    earnest("strong club player", 180),
    earnest("tournament player", 500),
    earnest("expert", 2_000),
    earnest("master", 10_000),
    earnest("grandmaster", 60_000),
    earnest("full strength", 1_000_000),
];

const OTHELLO: [Level; 13] = [
    by_lot("newcomer", 2, HOT),
    by_lot("beginner", 10, HOT),
    by_lot("learner", 40, HOT),
    by_lot("casual player", 80, WARM),
    by_lot("regular player", 200, COOL),
    by_lot("keen player", 400, COLD),
    by_lot("club player", 1_200, COLD),
    earnest("strong club player", 120),
    earnest("tournament player", 400),
    earnest("expert", 2_000),
    earnest("master", 10_000),
    earnest("grandmaster", 60_000),
    earnest("full strength", 1_000_000),
];

const LINES: [Level; 10] = [
    by_lot("newcomer", 10, HOT),
    by_lot("beginner", 200, COOL),
    by_lot("learner", 400, COLD),
    by_lot("casual player", 800, COLD),
    by_lot("regular player", 2_500, COLD),
    by_lot("club player", 8_000, COLD),
    earnest("tournament player", 150),
    earnest("expert", 1_500),
    earnest("master", 15_000),
    earnest("full strength", 200_000),
];

const CONNECT_FOUR: [Level; 9] = [
    by_lot("newcomer", 2, HOT),
    by_lot("beginner", 10, HOT),
    by_lot("learner", 40, HOT),
    by_lot("casual player", 80, WARM),
    by_lot("regular player", 200, COOL),
    by_lot("club player", 800, COLD),
    by_lot("expert", 3_000, COLD),
    earnest("master", 50_000),
    earnest("full strength", 1_000_000),
];

/// Whoever sees everything cannot be beaten here, so that there are few steps to that.
const TIC_TAC_TOE: [Level; 4] = [
    by_lot("newcomer", 2, HOT),
    by_lot("beginner", 10, HOT),
    by_lot("casual player", 30, WARM),
    earnest("perfect player", 2_000),
];

/// From the weakest to the strongest. Variants have the levels of their game.
pub fn levels(game: &str) -> &'static [Level] {
    let name = game.split(':').next().unwrap_or(game).to_ascii_lowercase();
    match name.as_str() {
        "tictactoe" => &TIC_TAC_TOE,
        "connect4" => &CONNECT_FOUR,
        "chess" | "chess960" => &CHESS,
        "othello" => &OTHELLO,
        _ => &LINES,
    }
}
