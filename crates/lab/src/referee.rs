//! One game between two players, with clocks; whatever a player does wrong is a result.

use std::fmt;
use std::time::Duration;

use outplay_core::{Outcome, Player};
use outplay_engine::{SaveNotes, Session, SessionError};
use outplay_protocols::{Answer, Insight, MoveLimits, Opponent, Situation};

/// How much time, or work, a player has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// Time for the game, or for a period of it.
    pub base: Option<Duration>,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves in a period, after which the base is added again; `None` for one period.
    pub moves: Option<u32>,
    /// Fixed time for each move.
    pub move_time: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth for each move.
    pub depth: Option<u32>,
    /// By how much a limit of time may be overstepped without harm.
    pub margin: Duration,
}

impl TimeControl {
    /// Whether time plays any part.
    pub fn is_timed(&self) -> bool {
        self.base.is_some() || self.move_time.is_some()
    }
}

/// How long a player without any limit of time is waited for.
const PATIENCE_WITHOUT_CLOCK: Duration = Duration::from_secs(600);
/// How much longer than its time a player is waited for, before it counts as hanging.
const PATIENCE_BEYOND_CLOCK: Duration = Duration::from_secs(5);

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// The moves that the players made, in the notation that people use, with what the players said of them.
    pub moves: Vec<(Player, String, Answer)>,
    /// How it ended.
    pub outcome: Outcome,
    /// Why.
    pub ending: Ending,
}

impl PlayedGame {
    /// The game as a file of its own format. `board` holds it, with `opening` moves before those of the players, whose names
    /// are given in the order of [`Player::index`]. Without times, the same game is the same text.
    pub fn text(&self, board: &dyn Session, names: [String; 2], opening: usize, times: bool) -> String {
        let mut tags: Vec<(&str, String)> = board.players().into_iter().zip(names).collect();
        tags.push(("Termination", self.ending.to_string()));
        let comments = self
            .moves
            .iter()
            .enumerate()
            .map(|(index, (_, _, answer))| (opening + index, said(answer, times)));
        board.save(&SaveNotes { tags, outcome: Some(self.outcome), comments: comments.collect() })
    }
}

/// What a player said of its move, as match runners write it: score/depth, nodes and time.
fn said(answer: &Answer, times: bool) -> String {
    let Insight { score, depth, nodes, .. } = &answer.insight;
    let score = score.map_or("?".to_string(), |score| score.to_string());
    let depth = depth.map_or(String::new(), |depth| format!("/{depth}"));
    let nodes = nodes.map_or(String::new(), |nodes| format!(" {nodes} nodes"));
    let time = if times { format!(" {:.3}s", answer.time.as_secs_f64()) } else { String::new() };
    format!("{score}{depth}{nodes}{time}")
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules of the game, in these words.
    Rules(String),
    /// It lasted too long and is counted as a draw.
    TooLong,
    /// This player did something wrong and has lost.
    Fault {
        /// Who.
        by: Player,
        /// What kind of thing.
        kind: FaultKind,
        /// What exactly, in words.
        reason: String,
    },
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Ending::Rules(words) => write!(f, "{words}"),
            Ending::TooLong => write!(f, "too long, counted as a draw"),
            Ending::Fault { kind: FaultKind::Time, reason, .. } => write!(f, "time forfeit: {reason}"),
            Ending::Fault { kind: FaultKind::IllegalMove, reason, .. } => write!(f, "illegal move: {reason}"),
            Ending::Fault { kind: FaultKind::Broken, reason, .. } => write!(f, "{reason}"),
        }
    }
}

/// What a player can do wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// It overstepped its time.
    Time,
    /// It made a move that is not legal.
    IllegalMove,
    /// It crashed, hung or talked nonsense.
    Broken,
}

/// A clock in the hands of the referee.
struct RunningClock<'a> {
    control: &'a TimeControl,
    left: Option<Duration>,
    moves_in_period: u32,
}

impl<'a> RunningClock<'a> {
    fn new(control: &'a TimeControl) -> RunningClock<'a> {
        RunningClock { control, left: control.base, moves_in_period: 0 }
    }

    fn moves_to_go(&self) -> Option<u32> {
        self.control.moves.map(|moves| moves.saturating_sub(self.moves_in_period).max(1))
    }

    /// The most that a move may take, the margin not counted.
    fn most(&self) -> Option<Duration> {
        match (self.left, self.control.move_time) {
            (Some(left), Some(time)) => Some(left.min(time)),
            (left, time) => left.or(time),
        }
    }

    /// Counts a move; false if it took too long.
    fn count(&mut self, used: Duration) -> bool {
        if self.most().is_some_and(|most| used > most.saturating_add(self.control.margin)) {
            return false;
        }
        self.moves_in_period += 1;
        let period_ends = self.control.moves == Some(self.moves_in_period);
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(used).saturating_add(self.control.increment);
            if period_ends {
                *left = left.saturating_add(self.control.base.unwrap_or_default());
            }
        }
        if period_ends {
            self.moves_in_period = 0;
        }
        true
    }
}

/// Plays one game from where `board` stands; the players are asked in the order of [`Player::index`].
///
/// `start` is the position that `board` began with, if it was not the usual one: what the players are told. Moves that
/// `board` has played already are the opening. After the game, `board` holds all of it.
pub fn play_game(
    board: &mut dyn Session,
    start: Option<&str>,
    players: [&mut dyn Opponent; 2],
    controls: [&TimeControl; 2],
    most_plies: usize,
) -> Result<PlayedGame, SessionError> {
    let mut clocks = controls.map(RunningClock::new);
    let mut moves = Vec::new();
    for player in Player::BOTH {
        if let Err(fault) = players[player.index()].new_game() {
            let ending = Ending::Fault { by: player, kind: FaultKind::Broken, reason: fault.to_string() };
            return Ok(PlayedGame { moves, outcome: Outcome::win(!player), ending });
        }
    }
    loop {
        if let (Some(outcome), Some(words)) = (board.outcome(), board.ending()) {
            return Ok(PlayedGame { moves, outcome, ending: Ending::Rules(words) });
        }
        if moves.len() >= most_plies {
            return Ok(PlayedGame { moves, outcome: Outcome::DRAW, ending: Ending::TooLong });
        }
        let mover = board.to_move();
        let lost = |moves, kind, reason: String| {
            let ending = Ending::Fault { by: mover, kind, reason };
            Ok(PlayedGame { moves, outcome: Outcome::win(!mover), ending })
        };
        let situation =
            Situation { start: start.map(str::to_string), moves: board.played_plain(), to_move: mover };
        let limits = move_limits(&clocks, mover);
        let answer = match players[mover.index()].choose(&situation, &limits, None) {
            Ok(answer) => answer,
            Err(fault) => return lost(moves, FaultKind::Broken, fault.to_string()),
        };
        let clock = &mut clocks[mover.index()];
        let most = clock.most().unwrap_or_default();
        if !clock.count(answer.time) {
            let reason = format!("{:.3} s used of {:.3} s", answer.time.as_secs_f64(), most.as_secs_f64());
            return lost(moves, FaultKind::Time, reason);
        }
        let m = match board.parse_move(&answer.best) {
            Ok(m) => m,
            Err(error) => return lost(moves, FaultKind::IllegalMove, error.to_string()),
        };
        let text = board.line_text(&[m]).concat();
        board.play(m)?;
        moves.push((mover, text, answer));
    }
}

/// What the mover is told of the clocks.
fn move_limits(clocks: &[RunningClock; 2], mover: Player) -> MoveLimits {
    let own = &clocks[mover.index()];
    let left = |player: Player| clocks[player.index()].left.unwrap_or_default();
    let time =
        own.most().map(|most| most.saturating_add(own.control.margin).saturating_add(PATIENCE_BEYOND_CLOCK));
    MoveLimits {
        clock: own.left.map(|_| Player::BOTH.map(left)),
        increment: Player::BOTH.map(|player| clocks[player.index()].control.increment),
        moves_to_go: own.moves_to_go(),
        move_time: own.control.move_time,
        nodes: own.control.nodes,
        depth: own.control.depth,
        patience: time.unwrap_or(PATIENCE_WITHOUT_CLOCK),
    }
}
