//! How strong an opponent is, in steps, by game.
//!
//! Each level beats the one below it: `outplay match GAME --levels` plays them against each other, and docs/levels.md has what came out. The lower ones
//! choose their moves as people do (`human.rs`), and `outplay agreement` compares them with people.

use std::fmt;

use outplay_search::Attribute;
use serde::Serialize;

use crate::{Session, SessionError};

/// How strong the opponents of a game are, and what its scores are worth.
#[derive(Clone, Copy, Debug)]
pub struct Strength {
    /// From the weakest to the strongest.
    pub levels: &'static [Level],
    /// What the [ratings](Rating) of the levels are counted in.
    pub scale: Scale,
    /// How steeply a score becomes a winning chance, per hundredth of the game's unit: the chance of a score `s` is `1 / (1 + exp(-steepness * s))`.
    pub steepness: f64,
}

/// What ratings are counted in. On each scale, who has 100 more wins about 64 games of a hundred.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Elo, as programs are rated whose strength others have measured.
    Elo,
    /// Points over the weakest level of the game that has a rating.
    Points,
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Scale::Elo => "in Elo, as programs are rated",
            Scale::Points => {
                "in points over the weakest level that has one; who has 100 more wins 64 games of 100"
            }
        })
    }
}

/// How strong a level is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Rating {
    /// On the scale of its game.
    pub value: u32,
    /// Its 95 % error, either way.
    pub error: u32,
}

// Chess: a pawn is worth about nine points of a hundred near equality. The others are the logistic curves that fit games of our alpha-beta search
// against itself from random openings best, by the evaluations of all its moves (500 nodes a move, Connect6 also 2,000; 40 to 100 different
// games each, 1,800 to 3,800 evaluations; Othello by 143,000 positions that `outplay tune patterns` held out).
pub(crate) const CHESS: Strength = Strength { levels: &CHESS_LEVELS, scale: Scale::Elo, steepness: 0.0037 };
pub(crate) const OTHELLO: Strength =
    Strength { levels: &OTHELLO_LEVELS, scale: Scale::Points, steepness: 0.0019 };
pub(crate) const CONNECT6: Strength =
    Strength { levels: &CONNECT6_LEVELS, scale: Scale::Points, steepness: 0.022 };
pub(crate) const GOMOKU: Strength =
    Strength { levels: &GOMOKU_LEVELS, scale: Scale::Points, steepness: 0.0006 };
pub(crate) const CONNECT_FOUR: Strength =
    Strength { levels: &CONNECT_FOUR_LEVELS, scale: Scale::Points, steepness: 0.0075 };
pub(crate) const TIC_TAC_TOE: Strength =
    Strength { levels: &TIC_TAC_TOE_LEVELS, scale: Scale::Points, steepness: 0.0037 };

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
    /// How strong it is, where that was measured.
    pub rating: Option<Rating>,
    /// About how long it seems to think where it plays against a person, in milliseconds; 0 if it answers as soon as it can.
    pub pause_ms: u64,
}

impl Level {
    /// The same level with what was measured of it: its rating and the error of that.
    const fn rated(mut self, value: u32, error: u32) -> Level {
        self.rating = Some(Rating { value, error });
        self
    }

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

/// A level that chooses its moves as people do: see `human.rs`.
const fn person(name: &'static str, nodes: u64, choice: Settings) -> Level {
    Level { name, search: "pvs", settings: choice, nodes, rating: None, pause_ms: PAUSE_MS }
}

/// A level that plays what it thinks best, or nearly so in the opening.
const fn earnest(name: &'static str, nodes: u64, openings: Settings) -> Level {
    Level { name, search: "pvs", settings: openings, nodes, rating: None, pause_ms: 0 }
}

/// A level that looks at a few positions and then draws lots between the moves that it looked at most: it sees little, and not always the
/// same, as people do.
const fn by_lot(name: &'static str, nodes: u64, lots: Settings) -> Level {
    Level { name, search: "mcts", settings: lots, nodes, rating: None, pause_ms: PAUSE_MS }
}

/// A person seems to think for more than a second.
const PAUSE_MS: u64 = 1_200;

/// Settings that are not the usual ones.
type Settings = &'static [(&'static str, &'static str)];

// How a level draws lots: how often a lesser move comes out.
/// As often as it was looked at.
const HOT: Settings = &[("temperature", "1")];
/// Not so often.
const WARM: Settings = &[("temperature", "0.5")];
/// Seldom.
const COOL: Settings = &[("temperature", "0.3")];
/// Hardly ever, unless it is nearly as good.
const COLD: Settings = &[("temperature", "0.2")];

// How much may be given up for another opening: about a hundredth of a win, by the units of each game. Few moves of Connect Four are equally
// good, and all that is worth having at tic-tac-toe is a draw.
const CHESS_OPENINGS: Settings = &[("variety", "12")];
const OTHELLO_OPENINGS: Settings = &[("variety", "24")];
/// These levels were made with the evaluation that was the usual one before patterns.
const OTHELLO_POSITIONAL: Settings = &[("evaluation", "positional"), ("variety", "45")];
const GOMOKU_OPENINGS: Settings = &[("variety", "75")];
const CONNECT6_OPENINGS: Settings = &[("variety", "2")];
const CONNECT_FOUR_OPENINGS: Settings = &[("variety", "2")];
const TIC_TAC_TOE_OPENINGS: Settings = &[("variety", "1")];

// In games of lines on a large board, games that are played out at random tell little. These levels judge with the evaluation, as the
// stronger ones do, but do not look for ends that come by force.
const SIMPLE_AND_HOT: Settings =
    &[("evaluator", "static"), ("oracle", "false"), ("forced_wins", "false"), ("temperature", "1")];
const SIMPLE_AND_WARM: Settings =
    &[("evaluator", "static"), ("oracle", "false"), ("forced_wins", "false"), ("temperature", "0.5")];
const SIMPLE_AND_COLD: Settings =
    &[("evaluator", "static"), ("oracle", "false"), ("forced_wins", "false"), ("temperature", "0.2")];

// The network of Connect Four is too strong for these levels; they judge by random games.
const FOURS_HOT: Settings = &[("evaluation", "fours"), ("temperature", "1")];
const FOURS_WARM: Settings = &[("evaluation", "fours"), ("temperature", "0.5")];
const FOURS_COOL: Settings = &[("evaluation", "fours"), ("temperature", "0.3")];
const FOURS_COLD: Settings = &[("evaluation", "fours"), ("temperature", "0.2")];

/// How freely a person chooses moves, and at how many of a hundred something is overlooked.
macro_rules! choice {
    ($noise:literal, $blunders:literal) => {
        &[("noise", $noise), ("blunders", $blunders)]
    };
}

const CHESS_LEVELS: [Level; 13] = [
    person("newcomer", 1_000, choice!("2.2", "22")).rated(690, 190),
    person("beginner", 1_000, choice!("1.5", "18")).rated(820, 170),
    person("learner", 1_500, choice!("1.05", "14")).rated(910, 130),
    person("casual player", 1_500, choice!("0.75", "10")).rated(1220, 110),
    person("regular player", 2_000, choice!("0.56", "8")).rated(1360, 90),
    person("keen player", 2_000, choice!("0.42", "6")).rated(1470, 100),
    person("club player", 3_000, choice!("0.3", "4")).rated(1580, 100),
    person("strong club player", 6_000, choice!("0.18", "3")).rated(1770, 100),
    person("tournament player", 15_000, choice!("0.08", "1")).rated(1940, 130),
    earnest("expert", 2_000, CHESS_OPENINGS).rated(2240, 170),
    earnest("master", 10_000, CHESS_OPENINGS),
    earnest("grandmaster", 60_000, CHESS_OPENINGS),
    earnest("full strength", 1_000_000, CHESS_OPENINGS),
];

const OTHELLO_LEVELS: [Level; 13] = [
    by_lot("newcomer", 2, HOT).rated(0, 0),
    by_lot("beginner", 10, HOT).rated(182, 67),
    by_lot("learner", 40, HOT).rated(346, 102),
    by_lot("casual player", 80, WARM).rated(546, 128),
    by_lot("regular player", 200, COOL).rated(861, 157),
    by_lot("keen player", 400, COLD).rated(1071, 171),
    by_lot("club player", 1_200, COLD).rated(1286, 192),
    earnest("strong club player", 120, OTHELLO_POSITIONAL).rated(1501, 208),
    earnest("tournament player", 400, OTHELLO_POSITIONAL).rated(1782, 223),
    earnest("expert", 2_000, OTHELLO_POSITIONAL).rated(2137, 252),
    earnest("master", 10_000, OTHELLO_POSITIONAL).rated(2500, 271),
    earnest("grandmaster", 60_000, OTHELLO_POSITIONAL).rated(2902, 292),
    earnest("full strength", 1_000_000, OTHELLO_OPENINGS).rated(3225, 305),
];

const GOMOKU_LEVELS: [Level; 8] = [
    by_lot("newcomer", 200, COOL),
    by_lot("beginner", 10, SIMPLE_AND_HOT).rated(0, 0),
    by_lot("learner", 50, SIMPLE_AND_WARM).rated(215, 78),
    by_lot("casual player", 200, SIMPLE_AND_WARM).rated(435, 103),
    by_lot("regular player", 400, SIMPLE_AND_COLD).rated(630, 128),
    by_lot("club player", 1_500, SIMPLE_AND_COLD).rated(821, 148),
    earnest("expert", 40_000, GOMOKU_OPENINGS).rated(998, 160),
    earnest("full strength", 300_000, GOMOKU_OPENINGS).rated(1194, 173),
];

const CONNECT6_LEVELS: [Level; 9] = [
    by_lot("newcomer", 200, COOL),
    by_lot("beginner", 10, SIMPLE_AND_HOT).rated(0, 0),
    by_lot("learner", 50, SIMPLE_AND_WARM).rated(255, 107),
    by_lot("casual player", 200, SIMPLE_AND_WARM).rated(574, 172),
    by_lot("regular player", 400, SIMPLE_AND_COLD).rated(814, 212),
    earnest("club player", 1_000, CONNECT6_OPENINGS).rated(938, 225),
    earnest("expert", 5_000, CONNECT6_OPENINGS).rated(1161, 243),
    earnest("master", 30_000, CONNECT6_OPENINGS).rated(1388, 278),
    earnest("full strength", 200_000, CONNECT6_OPENINGS).rated(1603, 299),
];

const CONNECT_FOUR_LEVELS: [Level; 9] = [
    by_lot("newcomer", 2, FOURS_HOT).rated(0, 0),
    by_lot("beginner", 10, FOURS_HOT).rated(346, 98),
    by_lot("learner", 40, FOURS_HOT).rated(510, 125),
    by_lot("casual player", 80, FOURS_WARM).rated(710, 144),
    by_lot("regular player", 200, FOURS_COOL).rated(906, 158),
    by_lot("club player", 800, FOURS_COLD).rated(1181, 178),
    by_lot("expert", 3_000, FOURS_COLD).rated(1341, 191),
    earnest("master", 50_000, CONNECT_FOUR_OPENINGS).rated(1488, 204),
    earnest("full strength", 1_000_000, CONNECT_FOUR_OPENINGS).rated(1783, 216),
];

/// Whoever sees everything cannot be beaten here, so that there are few steps to that.
const TIC_TAC_TOE_LEVELS: [Level; 4] = [
    by_lot("newcomer", 2, HOT).rated(0, 0),
    by_lot("beginner", 10, HOT).rated(147, 66),
    by_lot("casual player", 30, WARM).rated(352, 98),
    earnest("perfect player", 2_000, TIC_TAC_TOE_OPENINGS).rated(448, 105),
];
