//! One game between two players, with clocks; whatever a player does wrong is a result.

use std::fmt;
use std::time::Duration;

use outplay_core::{Outcome, Player};
use outplay_engine::{SaveNotes, Session, SessionError};
use outplay_protocols::{Answer, Company, Fault, Insight, MoveLimits, Opponent, Situation};
use serde::{Deserialize, Serialize};

use crate::adjudication::{Judge, solve};
use crate::{Adjudication, TimeControl, Verdict};

/// What programs say instead of a move when they give up.
const RESIGNATION: &str = "resign";

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// The moves that the players made.
    pub moves: Vec<PlayedMove>,
    /// How it ended.
    #[serde(with = "as_number")]
    pub outcome: Outcome,
    /// Why.
    pub ending: Ending,
    /// What the players call themselves.
    #[serde(default)]
    pub names: [String; 2],
    /// The game as a file of its own format, with what the players said in comments. Where no clock ran it has no times,
    /// so that the same game is the same text.
    pub text: String,
}

/// A move of a game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedMove {
    /// Who made it.
    #[serde(with = "as_number")]
    pub by: Player,
    /// The move in the notation that people use.
    pub text: String,
    /// What the player said of it.
    pub answer: Answer,
}

/// The types of the core as numbers, because the core knows nothing of files.
mod as_number {
    use outplay_core::{Outcome, Player};
    use serde::{Deserialize, Deserializer, Serializer};

    pub trait Number: Copy {
        fn to(self) -> i16;
        fn from(number: i16) -> Self;
    }

    /// The margin for the first player.
    impl Number for Outcome {
        fn to(self) -> i16 {
            self.for_player(Player::First)
        }

        fn from(number: i16) -> Outcome {
            Outcome::from_margin(number, Player::First)
        }
    }

    /// The place in the order of the players.
    impl Number for Player {
        fn to(self) -> i16 {
            self.index() as i16
        }

        fn from(number: i16) -> Player {
            if number == Player::First.to() { Player::First } else { Player::Second }
        }
    }

    pub fn serialize<S: Serializer>(value: &impl Number, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i16(value.to())
    }

    pub fn deserialize<'de, T: Number, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        i16::deserialize(deserializer).map(T::from)
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// By the rules of the game, in these words.
    Rules(String),
    /// By a rule of the match.
    Adjudicated(Verdict),
    /// This player has given up.
    Resigned(#[serde(with = "as_number")] Player),
    /// This player did something wrong and has lost.
    Fault {
        /// Who.
        #[serde(with = "as_number")]
        by: Player,
        /// What kind of thing.
        kind: FaultKind,
        /// What exactly, in words.
        reason: String,
        /// A line for the shell that brings it about again, where there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reproduction: Option<String>,
    },
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Ending::Rules(words) => write!(f, "{words}"),
            Ending::Adjudicated(verdict) => write!(f, "{verdict}"),
            Ending::Resigned(_) => write!(f, "resignation"),
            Ending::Fault { kind: kind @ (FaultKind::Time | FaultKind::IllegalMove), reason, .. } => {
                write!(f, "{kind}: {reason}")
            }
            Ending::Fault { reason, .. } => write!(f, "{reason}"),
        }
    }
}

/// What a player can do wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// It overstepped its time.
    Time,
    /// It made a move that is not legal.
    IllegalMove,
    /// It could not be started, or ended when it should not have.
    Crash,
    /// It did not answer.
    Hang,
    /// It answered something that makes no sense.
    Nonsense,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            FaultKind::Time => "time forfeit",
            FaultKind::IllegalMove => "illegal move",
            FaultKind::Crash => "crash",
            FaultKind::Hang => "hang",
            FaultKind::Nonsense => "nonsense",
        })
    }
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

/// A player at the board, with its limit.
pub struct Seat<'a> {
    /// Who.
    pub player: &'a mut dyn Opponent,
    /// The name in game files.
    pub name: String,
    /// Its limit.
    pub control: &'a TimeControl,
}

/// What ends a game besides its own rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRules {
    /// A game that lasts longer is a draw.
    pub most_plies: usize,
    /// How much longer than its time a player is waited for, before it counts as hanging; a hundred and twenty times as long
    /// if nothing limits its time.
    pub patience: Duration,
    /// When else it ends.
    pub adjudication: Adjudication,
}

impl Default for GameRules {
    fn default() -> GameRules {
        let adjudication = Adjudication::default();
        GameRules { most_plies: 1000, patience: Duration::from_secs(5), adjudication }
    }
}

/// Plays one game from where `board` stands; the seats are in the order of [`Player::index`]. `round`
/// is its number in game files. `None` if `stop` says so before the game has ended.
///
/// `start` is the position that `board` began with, if it was not the usual one: what the players are told. Moves that
/// `board` has played already are the opening. After the game, `board` holds all of it.
pub fn play_game(
    board: &mut dyn Session,
    start: Option<&str>,
    mut seats: [Seat; 2],
    round: &str,
    rules: &GameRules,
    stop: &dyn Fn() -> bool,
) -> Result<Option<PlayedGame>, SessionError> {
    let opening = board.played_plain();
    let plies_before = opening.len();
    let mut situation =
        Situation { start: start.map(str::to_string), moves: opening, to_move: board.to_move() };
    let mut moves = Vec::new();
    let Some((outcome, ending)) = play_on(board, &mut seats, rules, stop, &mut situation, &mut moves)? else {
        return Ok(None);
    };
    let times = seats.iter().any(|seat| seat.control.is_timed());
    let own = seats.each_ref().map(|seat| seat.player.name().to_string());
    let names = seats.map(|seat| seat.name);
    let game = written(board, names, round, plies_before, times, (outcome, ending), moves);
    Ok(Some(PlayedGame { names: own, ..game }))
}

/// A game that has come to its end on this board, with its file. These are the names in it, and where a clock ran it has times.
pub(crate) fn written(
    board: &dyn Session,
    names: [String; 2],
    round: &str,
    plies_before: usize,
    times: bool,
    (outcome, ending): (Outcome, Ending),
    moves: Vec<PlayedMove>,
) -> PlayedGame {
    let said = |(index, played): (usize, &PlayedMove)| (plies_before + index, said(&played.answer, times));
    let comments = moves.iter().enumerate().map(said).collect();
    let text = game_text(board, names.clone(), round, outcome, &ending, comments);
    PlayedGame { moves, outcome, ending, names, text }
}

/// A game that could not begin, because a player could not be started.
pub fn forfeited_game(
    board: &dyn Session,
    names: [String; 2],
    round: &str,
    by: Player,
    fault: &Fault,
) -> PlayedGame {
    let (outcome, ending) = (Outcome::win(!by), broken(by, fault));
    // What the players call themselves only they could have said.
    PlayedGame {
        names: Default::default(),
        ..written(board, names, round, 0, false, (outcome, ending), Vec::new())
    }
}

fn game_text(
    board: &dyn Session,
    names: [String; 2],
    round: &str,
    outcome: Outcome,
    ending: &Ending,
    comments: Vec<(usize, String)>,
) -> String {
    let mut tags: Vec<(&str, String)> = board.player_tags().into_iter().zip(names).collect();
    tags.push(("Round", round.to_string()));
    tags.push(("Termination", ending.to_string()));
    board.save(&SaveNotes { tags, outcome: Some(outcome), comments })
}

/// The end of a game in which a player has failed.
fn broken(by: Player, fault: &Fault) -> Ending {
    let kind = match fault {
        Fault::NotStarted { .. } | Fault::Ended { .. } => FaultKind::Crash,
        Fault::Silent { .. } | Fault::Interrupted { .. } => FaultKind::Hang,
        Fault::Nonsense { .. } => FaultKind::Nonsense,
    };
    let reproduction = fault.reproduction().map(String::from);
    Ending::Fault { by, kind, reason: fault.to_string(), reproduction }
}

/// Asks for moves until the game ends; `None` if it is broken off.
fn play_on(
    board: &mut dyn Session,
    seats: &mut [Seat; 2],
    rules: &GameRules,
    stop: &dyn Fn() -> bool,
    situation: &mut Situation,
    moves: &mut Vec<PlayedMove>,
) -> Result<Option<(Outcome, Ending)>, SessionError> {
    let mut clocks = [RunningClock::new(seats[0].control), RunningClock::new(seats[1].control)];
    let mut judge = Judge::default();
    let lost = |by: Player, kind, reason: String| {
        Ok(Some((Outcome::win(!by), Ending::Fault { by, kind, reason, reproduction: None })))
    };
    for player in Player::BOTH {
        if let Err(fault) = seats[player.index()].player.new_game() {
            return Ok(Some((Outcome::win(!player), broken(player, &fault))));
        }
    }
    loop {
        if let (Some(outcome), Some(words)) = (board.outcome(), board.ending()) {
            return Ok(Some((outcome, Ending::Rules(words))));
        }
        if moves.len() >= rules.most_plies {
            return Ok(Some((Outcome::DRAW, Ending::Adjudicated(Verdict::Length))));
        }
        let mover = board.to_move();
        situation.to_move = mover;
        let limits = move_limits(&clocks, mover, rules.patience);
        let company = Company { stop: Some(stop), ..Company::default() };
        let answer = match seats[mover.index()].player.choose(situation, &limits, company) {
            _ if stop() => return Ok(None),
            Ok(answer) => answer,
            Err(fault) => return Ok(Some((Outcome::win(!mover), broken(mover, &fault)))),
        };
        let clock = &mut clocks[mover.index()];
        let most = clock.most().unwrap_or_default();
        if !clock.count(answer.time) {
            let reason = format!("{:.3} s used of {:.3} s", answer.time.as_secs_f64(), most.as_secs_f64());
            return lost(mover, FaultKind::Time, reason);
        }
        if answer.best == RESIGNATION {
            return Ok(Some((Outcome::win(!mover), Ending::Resigned(mover))));
        }
        let m = match board.parse_move(&answer.best) {
            Ok(m) => m,
            Err(error) => return lost(mover, FaultKind::IllegalMove, error.to_string()),
        };
        let text = board.line_text(&[m]).concat();
        situation.moves.push((mover, board.plain_line_text(&[m]).concat()));
        board.play(m)?;
        let claim = answer.insight.score;
        moves.push(PlayedMove { by: mover, text, answer });
        if board.outcome().is_some() {
            continue;
        }
        if let Some((outcome, verdict)) = judge.hear(&rules.adjudication, mover, claim) {
            return Ok(Some((outcome, Ending::Adjudicated(verdict))));
        }
        if let Some(nodes) = rules.adjudication.solve
            && let Some(outcome) = solve(board, nodes)?
        {
            return Ok(Some((outcome, Ending::Adjudicated(Verdict::Solved))));
        }
    }
}

/// What the mover is told of the clocks.
fn move_limits(clocks: &[RunningClock; 2], mover: Player, patience: Duration) -> MoveLimits {
    let own = &clocks[mover.index()];
    let left = |player: Player| clocks[player.index()].left.unwrap_or_default();
    MoveLimits {
        clock: own.left.map(|_| Player::BOTH.map(left)),
        increment: Player::BOTH.map(|player| clocks[player.index()].control.increment),
        moves_to_go: own.moves_to_go(),
        move_time: own.control.move_time,
        nodes: own.control.nodes,
        depth: own.control.depth,
        patience: own.control.patience(own.most(), patience),
    }
}
