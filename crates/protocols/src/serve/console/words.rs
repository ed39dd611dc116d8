//! What the console prints.

use outplay_core::KnownResult;
use outplay_engine::SuiteProblem;
use outplay_search::Meaning;

use super::{PASS, discs};
use crate::othello::square;
use crate::serve::desk::Thought;
use crate::serve::retrograde::Judged;

/// Every command, with what follows it and what it does.
pub const COMMANDS: [(&str, &str); 23] = [
    ("init", "a new game from the usual start"),
    ("new", "a new game from the position that was set up"),
    ("setboard POSITION", "sets a position up: 64 signs from a1, and whose turn it is"),
    ("play MOVES", "plays moves, as in play f5d6c3; moves alone do the same"),
    ("undo", "takes a move back; two where we answer each"),
    ("redo", "plays it again"),
    ("go", "we move for whoever has the move"),
    ("hint [N]", "the N best moves, with their values and lines"),
    (
        "stop",
        "ends a search, which answers with what it has, and the analysis, the file or the game of ours against ourselves that it belongs to",
    ),
    ("mode [0-3]", "we play White (0), Black (1), both (2) or nobody (3, the usual)"),
    ("level N", "how deep we look; the end of the game is solved from N + 8 empty squares on, 24 at most"),
    ("move-time S", "seconds for each move, in place of a level"),
    ("game-time S", "seconds for a game, in place of a level"),
    ("analyze [N]", "goes back through the game, or its last N moves, and says what each has lost"),
    ("solve FILE", "solves the positions of a file (OBF) exactly, and compares with what it says"),
    ("moves", "the legal moves"),
    ("eval", "what the position is worth at sight"),
    ("show", "the board"),
    ("open FILE", "a game from a file, the first one in it"),
    ("save FILE", "the game into a new file"),
    ("option NAME VALUE", "a setting of the search (outplay options othello)"),
    ("version", "who we are"),
    ("quit", "the end"),
];

/// Settings of Edax's that drivers send and that mean nothing here.
pub const PASSED_OVER: [&str; 11] = [
    "verbose",
    "noise",
    "width",
    "witdh",
    "hash-table-size",
    "n-tasks",
    "ponder",
    "book-usage",
    "auto-start",
    "auto-swap",
    "book-randomness",
];

pub const HEADING: &str = " depth | score  |   time   |     nodes | line";
pub const ANALYSIS_HEADING: &str = " ply | move | value  | best | value  | lost";
pub const SOLVED_HEADING: &str = " problem               | value | file  |   time   |     nodes | line";

/// How many moves of a line are shown.
const SHOWN_MOVES: usize = 12;

pub fn help() -> String {
    let rows = COMMANDS.iter().map(|(command, what)| format!("  {command:<20} {what}"));
    rows.collect::<Vec<_>>().join("\n")
}

/// A value in discs: `+3.25`, or `+6` without a fraction where it is exact.
fn value_text(value: Meaning) -> String {
    match value {
        Meaning::Margin(margin) => format!("{margin:+}"),
        value => format!("{:+.2}", discs(value)),
    }
}

/// One of the lines of a search. The depth of an exact value is `exact`.
pub fn row(thought: &Thought, place: usize) -> String {
    let Some((value, moves)) = thought.lines.get(place) else { return String::new() };
    let depth = match value {
        Meaning::Margin(_) => "exact".to_string(),
        _ if thought.is_book => "book".to_string(),
        _ => thought.depth.to_string(),
    };
    let line = line_text(moves);
    let (time, nodes) = (thought.time.as_secs_f64(), thought.nodes);
    format!("{depth:>6} | {:>6} | {time:>7.3}s | {nodes:>9} | {line}", value_text(*value))
}

fn line_text(moves: &[String]) -> String {
    let moves: Vec<String> = moves.iter().take(SHOWN_MOVES).map(|m| square(m, PASS)).collect();
    moves.join(" ")
}

/// What a move of the game was worth beside the best one.
pub fn analysis_row(judged: &Judged) -> String {
    let Some((played, value)) = &judged.played else { return String::new() };
    let best = judged.best.as_deref().unwrap_or("-");
    let lost = judged.loss().unwrap_or(0.0);
    let (number, played, best) = (judged.plies + 1, square(played, PASS), square(best, PASS));
    format!("{number:>4} | {played:<4} | {value:>+6.1} | {best:<4} | {:>+6.1} | {lost:>4.1}", judged.value)
}

/// What an analysis has added up, by colour.
pub fn losses([black, white]: [f64; 2]) -> String {
    format!("lost in all: Black {black:.1}, White {white:.1} discs")
}

/// A problem that is to be solved.
pub struct Problem(pub SuiteProblem);

impl Problem {
    /// Whether an exact value is no other than the file says; `None` if the value is not exact.
    pub fn is_solved_by(&self, thought: &Thought) -> Option<bool> {
        match thought.lines.first() {
            Some((Meaning::Margin(margin), _)) if !thought.is_bound => {
                Some(self.margin().is_none_or(|known| known == *margin))
            }
            _ => None,
        }
    }

    fn margin(&self) -> Option<i32> {
        match self.0.known.result {
            Some(KnownResult::Margin(margin)) => Some(i32::from(margin)),
            _ => None,
        }
    }
}

/// A problem and what was found.
pub fn solved_row(problem: &Problem, thought: &Thought) -> String {
    let (value, line) = match thought.lines.first() {
        Some((value, moves)) => (value_text(*value), line_text(moves)),
        None => ("-".to_string(), String::new()),
    };
    let known = problem.margin().map_or("-".to_string(), |margin| format!("{margin:+}"));
    let name: String = problem.0.name.chars().take(22).collect();
    let (time, nodes) = (thought.time.as_secs_f64(), thought.nodes);
    format!("{name:<22} | {value:>5} | {known:>5} | {time:>7.3}s | {nodes:>9} | {line}")
}
