//! Games of an engine against itself, for positions to learn from.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc;

use outplay_core::{Move, Outcome, Player, Rng, mix};
use outplay_engine::{NamedGame, Session, SessionError};
use outplay_search::{Limits, Meaning};

use super::positions::PositionFile;

/// How games are made.
#[derive(Clone, Copy)]
pub struct Generation<'a> {
    /// The game.
    pub game: &'a NamedGame,
    /// Options of the engine, `search` among them.
    pub options: &'a [(String, String)],
    /// Nodes for each move.
    pub nodes: u64,
    /// Where random numbers start.
    pub seed: u64,
    /// How many games there are to be, those that the file has included.
    pub games: u32,
    /// Random moves at the beginning of a game; every second game has one more.
    pub random_plies: usize,
    /// The plies of a game from which no positions are kept.
    pub skipped_plies: usize,
    /// Games at once.
    pub threads: usize,
    /// Where a game begins; `None` for the usual start.
    pub start: fn(&mut Rng) -> Option<String>,
    /// Whether a position is fit to learn from, given what the search would play.
    pub is_worth_keeping: &'a (dyn Fn(&str, Move) -> bool + Sync),
    /// How a game is played.
    pub play: Play,
}

/// Plays a game by its number; none if it was interrupted.
pub type Play = fn(&Generation, &mut dyn Session, u32, &AtomicBool) -> Result<Option<Made>, SessionError>;

/// A beginning that is more uneven than this, in hundredths, is drawn again.
const MOST_UNEVEN: i32 = 300;
/// A game is won when both sides have seen at least this advantage ...
const WON: i32 = 1_000;
/// ... for so many plies.
const WON_PLIES: usize = 6;
/// A game is drawn when neither side has seen more than this ...
const EVEN: i32 = 8;
/// ... for so many plies, ...
const EVEN_PLIES: usize = 12;
/// ... late in the game; and at this length in any case.
const LATE: usize = 80;
const LONGEST: usize = 400;

/// Why no more games can be made.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The engine refuses.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The file cannot be written.
    #[error("cannot write positions: {0}")]
    Io(#[from] std::io::Error),
}

/// A game's positions with their scores for the first player, and its result.
pub struct Made {
    pub(super) positions: Vec<(String, i32)>,
    pub(super) result: f32,
}

/// Plays until the file holds all games or `interrupted` is set. `watch` hears, after each game that is written, how many positions it had.
pub fn generate(
    how: &Generation,
    file: &mut PositionFile,
    interrupted: &AtomicBool,
    watch: &mut dyn FnMut(usize),
) -> Result<(), GenerateError> {
    let first = file.games();
    let next = AtomicU32::new(first);
    let (sender, made) = mpsc::channel();
    let failed = AtomicBool::new(false);
    let work = |sender: mpsc::Sender<_>| {
        let mut session = match session(how) {
            Ok(session) => session,
            Err(error) => return drop(sender.send((first, Err(error)))),
        };
        while !interrupted.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= how.games {
                break;
            }
            let made = (how.play)(how, &mut *session, game, interrupted).transpose();
            if made.is_none_or(|made| sender.send((game, made)).is_err()) {
                break;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..how.threads.max(1) {
            let sender = sender.clone();
            scope.spawn(move || work(sender));
        }
        drop(sender);
        // Games are written in their order, so that threads change nothing.
        let mut waiting: BTreeMap<u32, Made> = BTreeMap::new();
        let mut write = |game, made: Result<Made, SessionError>| -> Result<(), GenerateError> {
            waiting.insert(game, made?);
            while let Some(made) = waiting.remove(&file.games()) {
                file.add_game(&made.positions, made.result)?;
                watch(made.positions.len());
            }
            Ok(())
        };
        let written = made.iter().try_for_each(|(game, made)| write(game, made));
        failed.store(written.is_err(), Ordering::Relaxed);
        written
    })
}

fn session(how: &Generation) -> Result<Box<dyn Session>, SessionError> {
    let mut session = how.game.open()?;
    let (search, others): (Vec<_>, Vec<_>) = how.options.iter().partition(|(name, _)| name == "search");
    for (name, value) in search.into_iter().chain(others) {
        session.set_option(name, value)?;
    }
    Ok(session)
}

/// What a search says of a position: its move and its score for the first player.
pub(super) fn ask(session: &mut dyn Session, nodes: u64) -> Result<Option<(Move, i32)>, SessionError> {
    session.go(Limits { nodes: Some(nodes), ..Limits::default() }, Box::new(|_, _| ()))?;
    let report = session.wait();
    let told = report.as_ref().and_then(|report| Some((report.best_move()?, report.lines.first()?.score)));
    let Some((best, score)) = told else { return Ok(None) };
    let score = match score {
        Meaning::Opinion(centi) => centi,
        Meaning::WinIn(_) => 10 * WON,
        Meaning::LossIn(_) => -10 * WON,
        Meaning::Margin(margin) => margin * 100,
        Meaning::Expected(mean) => (mean * WON as f64) as i32,
    };
    let sign = if session.to_move() == Player::First { 1 } else { -1 };
    Ok(Some((best, sign * score)))
}

/// A game from an even beginning to where its result is clear.
pub fn play_until_clear(
    how: &Generation,
    session: &mut dyn Session,
    game: u32,
    interrupted: &AtomicBool,
) -> Result<Option<Made>, SessionError> {
    let mut rng = Rng::new(mix(how.seed ^ mix(game.into())));
    session.clear()?;
    loop {
        if interrupted.load(Ordering::Relaxed) {
            return Ok(None);
        }
        begin(how, session, game, &mut rng)?;
        let even = |(_, score): (Move, i32)| score.abs() <= MOST_UNEVEN;
        if session.outcome().is_none() && ask(session, how.nodes)?.is_some_and(even) {
            break;
        }
    }
    let mut positions = Vec::new();
    let (mut scores, mut ply) = (Vec::new(), session.played_plain().len());
    let result = loop {
        if let Some(outcome) = session.outcome() {
            break share(outcome);
        }
        if let Some(result) = adjudicate(&scores, ply) {
            break result;
        }
        let Some((best, score)) = ask(session, how.nodes)? else { break 0.5 };
        if ply >= how.skipped_plies && score.abs() < WON {
            let position = session.position_text();
            if (how.is_worth_keeping)(&position, best) {
                positions.push((position, score));
            }
        }
        scores.push(score);
        session.play(best)?;
        ply += 1;
    };
    Ok(Some(Made { positions, result }))
}

/// Goes to the beginning of a game.
fn begin(how: &Generation, session: &mut dyn Session, game: u32, rng: &mut Rng) -> Result<(), SessionError> {
    session.set_game((how.start)(rng).as_deref(), "")?;
    for _ in 0..how.random_plies + game as usize % 2 {
        let moves = session.legal_moves();
        if moves.is_empty() {
            break;
        }
        session.play(moves[rng.below(moves.len())])?;
    }
    Ok(())
}

/// The result for the first player, if the scores say that there is no doubt about it.
fn adjudicate(scores: &[i32], ply: usize) -> Option<f32> {
    let all_last = |plies: usize, test: &dyn Fn(i32) -> bool| {
        scores.len() >= plies && scores[scores.len() - plies..].iter().all(|&score| test(score))
    };
    if all_last(WON_PLIES, &|score| score >= WON) {
        Some(1.0)
    } else if all_last(WON_PLIES, &|score| score <= -WON) {
        Some(0.0)
    } else if ply >= LONGEST || ply >= LATE && all_last(EVEN_PLIES, &|score| score.abs() <= EVEN) {
        Some(0.5)
    } else {
        None
    }
}

/// The first player's share of the point.
pub(super) fn share(outcome: Outcome) -> f32 {
    match outcome.for_player(Player::First).signum() {
        1 => 1.0,
        0 => 0.5,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ChessEvaluation, EvaluationModel};
    use super::*;

    #[test]
    fn clear_results_are_taken_for_granted_and_others_are_played_out() {
        assert_eq!(adjudicate(&[0, 1000, 1000, 1000, 1000, 1000], 6), None, "too few");
        assert_eq!(adjudicate(&[0, 1000, 1000, 1000, 1000, 1000, 2000], 7), Some(1.0));
        assert_eq!(adjudicate(&[-1000; 6], 6), Some(0.0));
        assert_eq!(adjudicate(&[1000, 1000, 1000, -1000, 1000, 1000], 6), None, "no agreement");
        assert_eq!(adjudicate(&[5; 40], 40), None, "early");
        assert_eq!(adjudicate(&[5; 40], 80), Some(0.5));
        assert_eq!(adjudicate(&[50; 40], 80), None);
        assert_eq!(adjudicate(&[50; 40], 400), Some(0.5));
    }

    #[test]
    fn threads_and_interruptions_change_no_byte() {
        let folder = std::env::temp_dir().join(format!("outplay-generate-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let options = [("search".to_string(), "deepening".to_string())];
        let make = |name: &str, games: u32, threads: usize| {
            let how = Generation {
                game: &outplay_engine::game("chess").expect("a game"),
                options: &options,
                nodes: 60,
                seed: 3,
                games,
                random_plies: 8,
                skipped_plies: 12,
                threads,
                start: |_| None,
                is_worth_keeping: &|position, best| ChessEvaluation.is_worth_keeping(position, best),
                play: play_until_clear,
            };
            let path = folder.join(name);
            let mut file = PositionFile::open(&path, "a test").expect("a file");
            let mut games = 0;
            generate(&how, &mut file, &AtomicBool::new(false), &mut |_| games += 1).expect("games");
            (games, std::fs::read(&path).expect("our own file"))
        };
        let (games, alone) = make("alone", 4, 1);
        assert_eq!(games, 4);
        assert!(alone.len() > 2_000, "{}", alone.len());
        assert_eq!(make("parts", 2, 1).0, 2);
        let (games, in_parts) = make("parts", 4, 3);
        assert_eq!(games, 2, "two were there");
        assert!(alone == in_parts);
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }
}
