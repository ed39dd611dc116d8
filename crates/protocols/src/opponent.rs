//! A program that plays against us, whatever protocol it speaks.

use std::fmt;
use std::time::{Duration, Instant};

use outplay_core::Player;
use serde::{Deserialize, Serialize};

use crate::Fault;

/// A game program that is asked for moves.
pub trait Opponent: Send {
    /// What the program calls itself.
    fn name(&self) -> &str;

    /// Lets whoever leaves something to chance draw lots of its own in this game of a match, and the same ones in the same game. Programs of others
    /// see to that themselves.
    fn draw_lots(&mut self, _game: u64) -> Result<(), Fault> {
        Ok(())
    }

    /// A new game begins.
    fn new_game(&mut self) -> Result<(), Fault>;

    /// Asks for a move; the answer is only text until somebody has checked it.
    fn choose(
        &mut self,
        situation: &Situation,
        limits: &MoveLimits,
        company: Company,
    ) -> Result<Answer, Fault>;
}

/// Who stands by while a program thinks.
#[derive(Default)]
pub struct Company<'a> {
    /// Is told of each completed iteration, as far as the program talks about them.
    pub watch: Option<&'a mut dyn FnMut(Insight)>,
    /// Says whether to wait no longer. A program that can be told to stop is asked for what it has by then; of others there is no answer.
    pub stop: Option<&'a dyn Fn() -> bool>,
    /// How many lines of play are watched, where the protocol has several; 0 and 1 are one.
    pub lines: usize,
}

/// A game so far, in words that every protocol can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    /// The position that the game began with, in the game's own text; `None` for the usual start.
    pub start: Option<String>,
    /// The moves since then, as programs exchange them, with who made them.
    pub moves: Vec<(Player, String)>,
    /// Who moves now.
    pub to_move: Player,
}

/// How long a program may think about one move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveLimits {
    /// What is left on the clocks, by player.
    pub clock: Option<[Duration; 2]>,
    /// What is added after each move, by player.
    pub increment: [Duration; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// A fixed time for the move.
    pub move_time: Option<Duration>,
    /// A number of nodes.
    pub nodes: Option<u64>,
    /// A depth in plies.
    pub depth: Option<u32>,
    /// When to give up waiting: after the time that the program has, and some more.
    pub patience: Duration,
}

/// What a program answered.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Answer {
    /// The move, as the program wrote it, spaces removed.
    pub best: String,
    /// How long it took, by our clock.
    pub time: Duration,
    /// What it said of its search in the end. The line is only there if somebody watched.
    pub insight: Insight,
    /// Why it stopped, if it said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// What a program says of its search at some moment: as much as it says.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Insight {
    /// Which of several lines this is about; the best is 0.
    #[serde(skip)]
    pub place: usize,
    /// The value of the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Claim>,
    /// The same in a number of the kind that the program was told to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_score: Option<i32>,
    /// The chances to win, to draw and to lose, of a search that has its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wdl: Option<[f64; 3]>,
    /// The completed depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The deepest ply looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selective_depth: Option<u32>,
    /// Nodes so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Positions left early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cutoffs: Option<u64>,
    /// Those in which the first move was enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_move_cutoffs: Option<u64>,
    /// Positions looked up in a transposition table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_probes: Option<u64>,
    /// Positions found there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_hits: Option<u64>,
    /// The best line, as programs exchange moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// The time since the search began, by our clock.
    pub time: Duration,
}

/// A program's opinion, in the view of the player it moves for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// Hundredths of a pawn or whatever the game's unit is.
    Centi(i32),
    /// A forced win in so many moves; negative for a loss.
    Mate(i32),
    /// The certain margin at the end of the game, in a game that is counted.
    Margin(i32),
}

impl fmt::Display for Claim {
    /// As match runners write it: `+0.25`, `-M3`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Claim::Centi(centi) => write!(f, "{:+.2}", f64::from(centi) / 100.0),
            Claim::Mate(moves) => {
                write!(f, "{}M{}", if moves < 0 { '-' } else { '+' }, moves.unsigned_abs())
            }
            Claim::Margin(margin) => write!(f, "{margin:+}"),
        }
    }
}

impl MoveLimits {
    /// Whether time plays any part.
    pub(crate) fn is_timed(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some()
    }

    /// The moment when patience ends.
    pub(crate) fn deadline(&self) -> Instant {
        let now = Instant::now();
        // A patience beyond all time is the longest that there is.
        now.checked_add(self.patience).unwrap_or_else(|| now + Duration::from_secs(1 << 32))
    }
}
