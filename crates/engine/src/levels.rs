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
    /// Points over the weakest level of the game.
    Points,
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Scale::Elo => "in Elo, as programs are rated",
            Scale::Points => "in points over the weakest level; who has 100 more wins 64 games of 100",
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
// games each, 1,800 to 3,800 evaluations).
pub(crate) const CHESS: Strength =
    Strength { levels: &CHESS_LEVELS, scale: Scale::Elo, steepness: 0.0037 };
pub(crate) const OTHELLO: Strength =
    Strength { levels: &OTHELLO_LEVELS, scale: Scale::Points, steepness: 0.001 };
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

/// A person seems to think for more than a second.
const PAUSE_MS: u64 = 1_200;

/// Settings that are not the usual ones.
type Settings = &'static [(&'static str, &'static str)];

// How much may be given up for another opening: about a hundredth of a win, by the units of each game. Few moves of Connect Four are equally
// good, and all that is worth having at tic-tac-toe is a draw.
const CHESS_OPENINGS: Settings = &[("variety", "12")];
const OTHELLO_OPENINGS: Settings = &[("variety", "45")];
const GOMOKU_OPENINGS: Settings = &[("variety", "75")];
const CONNECT6_OPENINGS: Settings = &[("variety", "2")];
const CONNECT_FOUR_OPENINGS: Settings = &[("variety", "2")];
const TIC_TAC_TOE_OPENINGS: Settings = &[("variety", "1")];


/// The settings of a person at a game: how freely moves are chosen, how often something is overlooked, and what else there is to say.
macro_rules! choice {
    ($noise:literal, $blunders:literal $(, $name:literal = $value:literal)*) => {
        &[("noise", $noise), ("blunders", $blunders) $(, ($name, $value))*]
    };
}

const CHESS_LEVELS: [Level; 13] = [
    person("newcomer", 1_000, choice!("1.6", "20")),
    person("beginner", 1_000, choice!("1.2", "16")),
    person("learner", 1_500, choice!("0.95", "12")),
    person("casual player", 1_500, choice!("0.74", "10")),
    person("regular player", 2_000, choice!("0.58", "8")),
    person("keen player", 2_000, choice!("0.45", "6")),
    person("club player", 3_000, choice!("0.34", "4")),
    person("strong club player", 5_000, choice!("0.25", "3")),
    person("tournament player", 8_000, choice!("0.17", "2")),
    person("expert", 15_000, choice!("0.1", "1")),
    earnest("master", 10_000, CHESS_OPENINGS),
    earnest("grandmaster", 60_000, CHESS_OPENINGS),
    earnest("full strength", 1_000_000, CHESS_OPENINGS),
];

// A loss of so many hundredths, by the steepness of each game's curve, is as much as half a pawn at chess. Endings and wins by force are not solved.
macro_rules! othello {
    ($noise:literal, $blunders:literal) => {
        choice!($noise, $blunders, "noise_unit" = "185", "oracle" = "false", "forced_wins" = "false")
    };
}

const OTHELLO_LEVELS: [Level; 13] = [
    person("newcomer", 300, othello!("2", "20")),
    person("beginner", 300, othello!("1.2", "16")),
    person("learner", 400, othello!("0.8", "12")),
    person("casual player", 500, othello!("0.55", "10")),
    person("regular player", 700, othello!("0.4", "8")),
    person("keen player", 1_000, othello!("0.28", "5")),
    person("club player", 1_500, othello!("0.18", "3")),
    person("strong club player", 2_500, othello!("0.1", "2")),
    earnest("tournament player", 400, OTHELLO_OPENINGS),
    earnest("expert", 2_000, OTHELLO_OPENINGS),
    earnest("master", 10_000, OTHELLO_OPENINGS),
    earnest("grandmaster", 60_000, OTHELLO_OPENINGS),
    earnest("full strength", 1_000_000, OTHELLO_OPENINGS),
];

macro_rules! gomoku {
    ($noise:literal, $blunders:literal) => {
        choice!($noise, $blunders, "noise_unit" = "308", "forced_wins" = "false")
    };
}

const GOMOKU_LEVELS: [Level; 8] = [
    person("newcomer", 500, gomoku!("2", "20")),
    person("beginner", 700, gomoku!("1.2", "15")),
    person("learner", 1_000, gomoku!("0.8", "10")),
    person("casual player", 2_000, gomoku!("0.5", "6")),
    person("regular player", 4_000, gomoku!("0.3", "3")),
    person("club player", 8_000, gomoku!("0.15", "1")),
    earnest("expert", 40_000, GOMOKU_OPENINGS),
    earnest("full strength", 300_000, GOMOKU_OPENINGS),
];

macro_rules! connect6 {
    ($noise:literal, $blunders:literal) => {
        choice!($noise, $blunders, "noise_unit" = "8", "forced_wins" = "false")
    };
}

const CONNECT6_LEVELS: [Level; 9] = [
    person("newcomer", 500, connect6!("2", "20")),
    person("beginner", 700, connect6!("1.2", "15")),
    person("learner", 1_000, connect6!("0.8", "10")),
    person("casual player", 1_500, connect6!("0.5", "6")),
    person("regular player", 2_500, connect6!("0.3", "3")),
    earnest("club player", 1_000, CONNECT6_OPENINGS),
    earnest("expert", 5_000, CONNECT6_OPENINGS),
    earnest("master", 30_000, CONNECT6_OPENINGS),
    earnest("full strength", 200_000, CONNECT6_OPENINGS),
];

macro_rules! connect_four {
    ($noise:literal, $blunders:literal) => {
        choice!($noise, $blunders, "noise_unit" = "25", "oracle" = "false", "forced_wins" = "false")
    };
}

const CONNECT_FOUR_LEVELS: [Level; 9] = [
    person("newcomer", 100, connect_four!("1.6", "20")),
    person("beginner", 200, connect_four!("1", "16")),
    person("learner", 300, connect_four!("0.7", "12")),
    person("casual player", 500, connect_four!("0.5", "8")),
    person("regular player", 1_000, connect_four!("0.35", "5")),
    person("club player", 2_000, connect_four!("0.22", "3")),
    person("expert", 5_000, connect_four!("0.12", "1")),
    earnest("master", 50_000, CONNECT_FOUR_OPENINGS),
    earnest("full strength", 1_000_000, CONNECT_FOUR_OPENINGS),
];

/// Whoever sees everything cannot be beaten here, so that there are few steps to that.
const TIC_TAC_TOE_LEVELS: [Level; 4] = [
    person("newcomer", 100, choice!("1.5", "40")),
    person("beginner", 200, choice!("0.7", "20")),
    person("casual player", 400, choice!("0.3", "8")),
    earnest("perfect player", 2_000, TIC_TAC_TOE_OPENINGS),
];
