//! How strong an opponent is, in steps, by game.
//!
//! Each level beats the one below it: `outplay match GAME --levels` plays them against each other, and docs/levels.md has what came out.

use outplay_search::Attribute;

use crate::{Session, SessionError};

/// How strong the opponents of a game are, and what its scores are worth.
#[derive(Clone, Copy, Debug)]
pub struct Strength {
    /// From the weakest to the strongest.
    pub levels: &'static [Level],
    /// How steeply a score becomes a winning chance, per hundredth of the game's unit: the chance of a score `s` is `1 / (1 + exp(-steepness * s))`.
    pub steepness: f64,
}

// Chess: a pawn is worth about nine points of a hundred near equality. The others are the logistic curves that fit games of our alpha-beta search
// against itself from random openings best, by the evaluations of all its moves (500 nodes a move, Connect6 also 2,000; 40 to 100 different
// games each, 1,800 to 3,800 evaluations; Othello by 143,000 positions that `outplay tune patterns` held out).
pub(crate) const CHESS: Strength = Strength { levels: &CHESS_LEVELS, steepness: 0.0037 };
pub(crate) const OTHELLO: Strength = Strength { levels: &OTHELLO_LEVELS, steepness: 0.0019 };
pub(crate) const CONNECT6: Strength = Strength { levels: &CONNECT6_LEVELS, steepness: 0.022 };
pub(crate) const GOMOKU: Strength = Strength { levels: &GOMOKU_LEVELS, steepness: 0.0006 };
pub(crate) const CONNECT_FOUR: Strength = Strength { levels: &CONNECT_FOUR_LEVELS, steepness: 0.0075 };
pub(crate) const TIC_TAC_TOE: Strength = Strength { levels: &TIC_TAC_TOE_LEVELS, steepness: 0.0037 };

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

impl Level {
    /// Its search and settings, as options of a session.
    pub fn options(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        std::iter::once(("search", self.search)).chain(self.settings.iter().copied())
    }
}

/// Lets a search that draws lots draw others in each game, by the game's number; a search that does not is left alone, and so is a row that
/// somebody `has_set`.
pub fn draw_lots_by(
    session: &mut dyn Session,
    game: u64,
    has_set: impl Fn(&str) -> bool,
) -> Result<(), SessionError> {
    for (row, _) in session.options()? {
        if row.is(Attribute::Seed) && !has_set(&row.name) {
            // Seeds are not negative.
            session.set_option(&row.name, &(game >> 1).to_string())?;
        }
    }
    Ok(())
}

/// A level that looks at a few positions and then draws lots between the moves that it looked at most: it sees little, and not always the
/// same, as people do.
const fn by_lot(name: &'static str, nodes: u64, lots: Lots) -> Level {
    Level { name, search: "mcts", settings: lots, nodes }
}

/// A level that plays what it thinks best, or nearly so in the opening.
const fn earnest(name: &'static str, nodes: u64, openings: Lots) -> Level {
    Level { name, search: "pvs", settings: openings, nodes }
}

/// How a level draws lots: how often a lesser move comes out.
type Lots = &'static [(&'static str, &'static str)];

/// As often as it was looked at.
const HOT: Lots = &[("temperature", "1")];
/// Not so often.
const WARM: Lots = &[("temperature", "0.5")];
/// Seldom.
const COOL: Lots = &[("temperature", "0.3")];
/// Hardly ever, unless it is nearly as good.
const COLD: Lots = &[("temperature", "0.2")];

// How much may be given up for another opening: about a hundredth of a win, by the units of each game. Few moves of Connect Four are equally
// good, and all that is worth having at tic-tac-toe is a draw.
const CHESS_OPENINGS: Lots = &[("variety", "12")];
const OTHELLO_OPENINGS: Lots = &[("variety", "24")];
/// These levels were made with the evaluation that was the usual one before patterns.
const OTHELLO_POSITIONAL: Lots = &[("evaluation", "positional"), ("variety", "45")];
const GOMOKU_OPENINGS: Lots = &[("variety", "75")];
const CONNECT6_OPENINGS: Lots = &[("variety", "2")];
const CONNECT_FOUR_OPENINGS: Lots = &[("variety", "2")];
const TIC_TAC_TOE_OPENINGS: Lots = &[("variety", "1")];

// In games of lines on a large board, games that are played out at random tell little. These levels judge with the evaluation, as the
// stronger ones do, but do not look for ends that come by force.
const SIMPLE_AND_HOT: Lots =
    &[("evaluator", "static"), ("oracle", "false"), ("forced_wins", "false"), ("temperature", "1")];
const SIMPLE_AND_WARM: Lots =
    &[("evaluator", "static"), ("oracle", "false"), ("forced_wins", "false"), ("temperature", "0.5")];
const SIMPLE_AND_COLD: Lots =
    &[("evaluator", "static"), ("oracle", "false"), ("forced_wins", "false"), ("temperature", "0.2")];

// The network of Connect Four is too strong for these levels; they judge by random games.
const FOURS_HOT: Lots = &[("evaluation", "fours"), ("temperature", "1")];
const FOURS_WARM: Lots = &[("evaluation", "fours"), ("temperature", "0.5")];
const FOURS_COOL: Lots = &[("evaluation", "fours"), ("temperature", "0.3")];
const FOURS_COLD: Lots = &[("evaluation", "fours"), ("temperature", "0.2")];

const CHESS_LEVELS: [Level; 13] = [
    by_lot("newcomer", 5, HOT),
    by_lot("beginner", 40, HOT),
    by_lot("learner", 80, WARM),
    by_lot("casual player", 200, COOL),
    by_lot("regular player", 400, COLD),
    by_lot("keen player", 800, COLD),
    earnest("club player", 70, CHESS_OPENINGS),
    earnest("strong club player", 180, CHESS_OPENINGS),
    earnest("tournament player", 500, CHESS_OPENINGS),
    earnest("expert", 2_000, CHESS_OPENINGS),
    earnest("master", 10_000, CHESS_OPENINGS),
    earnest("grandmaster", 60_000, CHESS_OPENINGS),
    earnest("full strength", 1_000_000, CHESS_OPENINGS),
];

const OTHELLO_LEVELS: [Level; 13] = [
    by_lot("newcomer", 2, HOT),
    by_lot("beginner", 10, HOT),
    by_lot("learner", 40, HOT),
    by_lot("casual player", 80, WARM),
    by_lot("regular player", 200, COOL),
    by_lot("keen player", 400, COLD),
    by_lot("club player", 1_200, COLD),
    earnest("strong club player", 120, OTHELLO_POSITIONAL),
    earnest("tournament player", 400, OTHELLO_POSITIONAL),
    earnest("expert", 2_000, OTHELLO_POSITIONAL),
    earnest("master", 10_000, OTHELLO_POSITIONAL),
    earnest("grandmaster", 60_000, OTHELLO_POSITIONAL),
    earnest("full strength", 1_000_000, OTHELLO_OPENINGS),
];

const GOMOKU_LEVELS: [Level; 8] = [
    by_lot("newcomer", 200, COOL),
    by_lot("beginner", 10, SIMPLE_AND_HOT),
    by_lot("learner", 50, SIMPLE_AND_WARM),
    by_lot("casual player", 200, SIMPLE_AND_WARM),
    by_lot("regular player", 400, SIMPLE_AND_COLD),
    by_lot("club player", 1_500, SIMPLE_AND_COLD),
    earnest("expert", 40_000, GOMOKU_OPENINGS),
    earnest("full strength", 300_000, GOMOKU_OPENINGS),
];

const CONNECT6_LEVELS: [Level; 9] = [
    by_lot("newcomer", 200, COOL),
    by_lot("beginner", 10, SIMPLE_AND_HOT),
    by_lot("learner", 50, SIMPLE_AND_WARM),
    by_lot("casual player", 200, SIMPLE_AND_WARM),
    by_lot("regular player", 400, SIMPLE_AND_COLD),
    earnest("club player", 1_000, CONNECT6_OPENINGS),
    earnest("expert", 5_000, CONNECT6_OPENINGS),
    earnest("master", 30_000, CONNECT6_OPENINGS),
    earnest("full strength", 200_000, CONNECT6_OPENINGS),
];

const CONNECT_FOUR_LEVELS: [Level; 9] = [
    by_lot("newcomer", 2, FOURS_HOT),
    by_lot("beginner", 10, FOURS_HOT),
    by_lot("learner", 40, FOURS_HOT),
    by_lot("casual player", 80, FOURS_WARM),
    by_lot("regular player", 200, FOURS_COOL),
    by_lot("club player", 800, FOURS_COLD),
    by_lot("expert", 3_000, FOURS_COLD),
    earnest("master", 50_000, CONNECT_FOUR_OPENINGS),
    earnest("full strength", 1_000_000, CONNECT_FOUR_OPENINGS),
];

/// Whoever sees everything cannot be beaten here, so that there are few steps to that.
const TIC_TAC_TOE_LEVELS: [Level; 4] = [
    by_lot("newcomer", 2, HOT),
    by_lot("beginner", 10, HOT),
    by_lot("casual player", 30, WARM),
    earnest("perfect player", 2_000, TIC_TAC_TOE_OPENINGS),
];
