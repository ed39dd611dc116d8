//! A program that plays against us, whatever protocol it speaks.

use std::time::{Duration, Instant};

use outplay_core::Player;

use crate::Fault;

/// A game program that is asked for moves.
pub trait Opponent: Send {
    /// What the program calls itself.
    fn name(&self) -> &str;

    /// A new game begins.
    fn new_game(&mut self) -> Result<(), Fault>;

    /// Asks for a move; the answer is only text until somebody has checked it.
    fn choose(&mut self, situation: &Situation, limits: &MoveLimits) -> Result<Answer, Fault>;
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
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Answer {
    /// The move, as the program wrote it, spaces removed.
    pub best: String,
    /// What it thinks of the position, if it said so.
    pub score: Option<Claim>,
    /// How deep it looked, if it said so.
    pub depth: Option<u32>,
    /// How many nodes it searched, if it said so.
    pub nodes: Option<u64>,
    /// How long it took, by our clock.
    pub time: Duration,
}

/// A program's opinion, in the view of the player it moves for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// Hundredths of a pawn or whatever the game's unit is.
    Centi(i32),
    /// A forced win in so many moves; negative for a loss.
    Mate(i32),
}

impl MoveLimits {
    /// The moment when patience ends.
    pub(crate) fn deadline(&self) -> Instant {
        let now = Instant::now();
        // A patience beyond all time is the longest that there is.
        now.checked_add(self.patience).unwrap_or_else(|| now + Duration::from_secs(1 << 32))
    }
}
