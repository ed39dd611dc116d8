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
/// same, as people do. The higher the temperature, the more often a lesser move is drawn.
const fn by_lot(
    name: &'static str,
    nodes: u64,
    temperature: &'static [(&'static str, &'static str)],
) -> Level {
    Level { name, search: "mcts", settings: temperature, nodes }
}

/// A level that plays what it thinks best.
const fn earnest(name: &'static str, nodes: u64) -> Level {
    Level { name, search: "pvs", settings: &[], nodes }
}

/// Any move that was looked at is drawn as often as it was looked at.
const HOT: &[(&str, &str)] = &[("temperature", "1")];
/// Moves that were looked at more often have the better chances by far.
const WARM: &[(&str, &str)] = &[("temperature", "0.5")];
/// Lesser moves are rare.
const COOL: &[(&str, &str)] = &[("temperature", "0.3")];

const TIC_TAC_TOE: [Level; 4] = [
    by_lot("newcomer", 2, HOT),
    by_lot("beginner", 10, HOT),
    by_lot("casual player", 80, WARM),
    earnest("perfect", 2_000),
];

const CONNECT_FOUR: [Level; 8] = [
    by_lot("newcomer", 2, HOT),
    by_lot("beginner", 10, HOT),
    by_lot("learner", 40, HOT),
    by_lot("casual player", 80, WARM),
    by_lot("club player", 200, COOL),
    earnest("strong player", 500),
    earnest("expert", 4_000),
    earnest("full strength", 1_000_000),
];

const OTHELLO: [Level; 10] = [
    by_lot("newcomer", 2, HOT),
    by_lot("beginner", 10, HOT),
    by_lot("learner", 40, HOT),
    by_lot("casual player", 80, WARM),
    by_lot("regular player", 200, COOL),
    earnest("club player", 100),
    earnest("strong player", 1_000),
    earnest("expert", 8_000),
    earnest("master", 80_000),
    earnest("full strength", 1_000_000),
];

const CHESS: [Level; 10] = [
    by_lot("newcomer", 2, HOT),
    by_lot("beginner", 10, HOT),
    by_lot("learner", 40, HOT),
    by_lot("casual player", 80, WARM),
    by_lot("regular player", 200, COOL),
    earnest("club player", 100),
    earnest("strong player", 1_000),
    earnest("expert", 8_000),
    earnest("master", 80_000),
    earnest("full strength", 1_000_000),
];

const LINES: [Level; 7] = [
    by_lot("newcomer", 10, HOT),
    by_lot("beginner", 200, COOL),
    earnest("casual player", 100),
    earnest("club player", 500),
    earnest("strong player", 4_000),
    earnest("expert", 30_000),
    earnest("full strength", 300_000),
];

/// From the weakest to the strongest. Variants have the levels of their game.
pub fn levels(game: &str) -> &'static [Level] {
    let name = game.split(':').next().unwrap_or(game).to_ascii_lowercase();
    match name.as_str() {
        "tictactoe" => &TIC_TAC_TOE,
        "connect4" => &CONNECT_FOUR,
        "othello" => &OTHELLO,
        "chess" | "chess960" => &CHESS,
        _ => &LINES,
    }
}
