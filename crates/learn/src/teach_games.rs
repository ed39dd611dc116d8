//! Games to be taught by: those of one of our players, or those of a file.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use outplay_core::{Move, Outcome, Rng, mix};
use outplay_engine::selfplay::{Ending, GameRecord, SHARES, Searched};
use outplay_engine::{NamedGame, Session, SessionError};
use outplay_net::Network;
use outplay_search::{Limits, Meaning, Report};

use crate::export::TAUGHT;
use crate::folder::RunError;
use crate::teach::{Course, Epoch, new_run, teach};

/// A player whose games are learned from.
#[derive(Clone, Debug)]
pub struct Model<'m> {
    /// The game.
    pub game: &'m NamedGame,
    /// Settings of the player, `search` among them.
    pub options: &'m [(String, String)],
    /// How long it thinks about a move, by nodes or depth, so that games are the same every time; and how many of the best moves it compares.
    pub limits: Limits,
    /// How many games.
    pub games: u64,
    /// Random moves at the beginning of a game, from which nothing is learned; every second game has one more.
    pub random_plies: usize,
    /// What chance begins with.
    pub seed: u64,
    /// By this advantage, in hundredths, an opinion is worth tanh(1) = 0.76.
    pub curve: f64,
    /// How much worse than the best a move may be, in value, to get 1/e of its share, where several are compared.
    pub temperature: f64,
    /// A game that is longer is given up as a draw.
    pub longest: usize,
}

/// Has games played and teaches the first network of a run by them. What was played is kept in the folder: the same call goes on with it. `played` hears how
/// many games there are. `None` if it was stopped.
///
/// # Errors
/// If the player cannot play, the run has begun already, or was begun with another player.
pub fn imitate(
    course: &Course,
    model: &Model,
    played: &(dyn Fn(usize) + Sync),
    see: &mut dyn FnMut(&Epoch),
) -> Result<Option<Network>, RunError> {
    let folder = new_run(course)?;
    let path = course.run;
    let Model { options, limits, random_plies, seed, curve, temperature, longest, .. } = model;
    agree(
        path,
        &format!(
            "player = \"{options:?}\", nodes {:?}, depth {:?}, lines {}, random plies {random_plies}, seed {seed}, curve {curve}, temperature {temperature}, longest {longest}",
            limits.nodes, limits.depth, limits.lines
        ),
    )?;
    let mut games = read(path)?;
    games.retain(|game| game.number < model.games);
    let done: HashSet<u64> = games.iter().map(|game| game.number).collect();
    let numbers: Vec<u64> = (0..model.games).filter(|number| !done.contains(number)).collect();
    games.extend(play(course, model, &numbers, done.len(), played)?);
    if course.stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    games.sort_by_key(|game| game.number);
    teach(&folder, course, &games, None, see)
}

/// Games of a file, and how many of its games are of no use: they begin elsewhere, or nobody knows how they ended.
///
/// # Errors
/// If the file cannot be read as one of the game's formats.
pub fn games_of_file(
    session: &mut dyn Session,
    file: &[u8],
) -> Result<(Vec<GameRecord>, usize), SessionError> {
    let listed = session.list_games(file, usize::MAX)?;
    let outcomes = session.list_outcomes(file, usize::MAX)?;
    let (mut games, mut useless) = (Vec::new(), 0);
    for (number, ((start, moves), outcome)) in listed.into_iter().zip(outcomes).enumerate() {
        session.set_game(None, "")?;
        let (mut played, mut movers) = (Vec::new(), Vec::new());
        for word in moves.split_whitespace() {
            // A game that goes on after its end is cut there.
            if session.outcome().is_some() || start.is_some() {
                break;
            }
            movers.push(session.to_move());
            played.push(session.play_text(word)?);
        }
        let Some(outcome) = session.outcome().or(outcome).filter(|_| !played.is_empty()) else {
            useless += 1;
            continue;
        };
        let searched = played.iter().zip(movers).map(|(&m, mover)| Searched {
            in_full: true,
            value: f32::from(outcome.for_player(mover).signum()),
            policy: vec![(m, SHARES)],
            ..Searched::default()
        });
        let searched = searched.collect();
        // A game that the rules have not ended was given up, or ended by agreement.
        let ending = if session.outcome().is_some() { Ending::Rules } else { Ending::Resigned };
        let game = GameRecord::new(number as u64);
        games.push(GameRecord { searched, moves: played, outcome, ending, ..game });
    }
    Ok((games, useless))
}

/// Teaches the first network of a run by games from elsewhere, which are kept in its folder. `None` if it was stopped.
///
/// # Errors
/// If the run has begun already, or was begun with other games.
pub fn imitate_games(
    course: &Course,
    games: &[GameRecord],
    see: &mut dyn FnMut(&Epoch),
) -> Result<Option<Network>, RunError> {
    let folder = new_run(course)?;
    let path = course.run;
    let mut bytes = Vec::new();
    games.iter().for_each(|game| game.write(&mut bytes));
    agree(path, &format!("games = \"{:016x}\"", outplay_engine::content_hash(&bytes)))?;
    let file = path.join(TAUGHT);
    fs::write(&file, bytes).map_err(|error| RunError::File(file, error))?;
    teach(&folder, course, games, None, see)
}

/// Keeps what a run is taught by, or finds that it is the same as before: two kinds of games are never mixed.
fn agree(path: &Path, by: &str) -> Result<(), RunError> {
    let file = path.join("taught.txt");
    match fs::read_to_string(&file) {
        Ok(known) if known.trim_end() == by => Ok(()),
        Ok(known) => Err(RunError::Folder(format!(
            "{} was begun with other games ({}): go on with them, or name another folder",
            path.display(),
            known.trim_end()
        ))),
        Err(_) => fs::write(&file, format!("{by}\n")).map_err(|error| RunError::File(file, error)),
    }
}

/// The games that are there; a torn end is cut off.
fn read(path: &Path) -> Result<Vec<GameRecord>, RunError> {
    let file = path.join(TAUGHT);
    let Ok(bytes) = fs::read(&file) else { return Ok(Vec::new()) };
    let (games, whole) = GameRecord::read_all(&bytes)
        .map_err(|error| RunError::Folder(format!("{}: {error}", file.display())))?;
    if whole < bytes.len() {
        let cut = OpenOptions::new().write(true).open(&file).and_then(|file| file.set_len(whole as u64));
        cut.map_err(|error| RunError::File(file, error))?;
    }
    Ok(games)
}

/// Plays games and keeps each as soon as it has ended.
fn play(
    course: &Course,
    model: &Model,
    numbers: &[u64],
    before: usize,
    played: &(dyn Fn(usize) + Sync),
) -> Result<Vec<GameRecord>, RunError> {
    let path = course.run.join(TAUGHT);
    let file = OpenOptions::new().create(true).append(true).open(&path);
    let file = file.map_err(|error| RunError::File(path.clone(), error))?;
    let kept = Mutex::new((file, Vec::new()));
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = || -> Result<(), RunError> {
        let refused = |error: SessionError| RunError::Folder(format!("the player does not play: {error}"));
        let mut session = session(model).map_err(refused)?;
        while !course.stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
            let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            let game = play_one(model, &mut *session, number).map_err(refused)?;
            let mut bytes = Vec::new();
            game.write(&mut bytes);
            let (file, games) = &mut *kept.lock().unwrap_or_else(PoisonError::into_inner);
            file.write_all(&bytes).map_err(|error| RunError::File(path.clone(), error))?;
            games.push(game);
            played(before + games.len());
        }
        Ok(())
    };
    let guarded = || work().inspect_err(|_| failed.store(true, Ordering::Relaxed));
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..course.threads).map(|_| scope.spawn(guarded)).collect();
        let own = guarded();
        let join = |thread: std::thread::ScopedJoinHandle<_>| {
            thread.join().unwrap_or_else(|_| Err(RunError::Folder("a player has panicked".to_string())))
        };
        others.into_iter().map(join).fold(own, Result::and)
    })?;
    Ok(kept.into_inner().unwrap_or_else(PoisonError::into_inner).1)
}

fn session(model: &Model) -> Result<Box<dyn Session>, SessionError> {
    let mut session = model.game.open()?;
    // The search first: others are settings of it.
    let (search, others): (Vec<_>, Vec<_>) = model.options.iter().partition(|(name, _)| name == "search");
    for (name, value) in search.into_iter().chain(others) {
        session.set_option(name, value)?;
    }
    Ok(session)
}

/// Plays a game, which depends on its number and on nothing that was played before.
fn play_one(model: &Model, session: &mut dyn Session, number: u64) -> Result<GameRecord, SessionError> {
    let mut rng = Rng::new(mix(mix(model.seed) ^ mix(number)));
    session.clear()?;
    let mut game = GameRecord::new(number);
    begin(model, session, &mut game, &mut rng)?;
    while session.outcome().is_none() && game.moves.len() < model.longest {
        session.go(model.limits.clone(), Box::new(|_, _| ()))?;
        let report = session.wait();
        let Some((best, searched)) = report.as_ref().and_then(|report| found(model, report)) else { break };
        session.play(best)?;
        game.moves.push(best);
        game.searched.push(searched);
    }
    game.outcome = session.outcome().unwrap_or(Outcome::DRAW);
    game.ending = if session.outcome().is_some() { Ending::Rules } else { Ending::TooLong };
    Ok(game)
}

/// Plays the random moves of the beginning. One that ends the game is drawn again.
fn begin(
    model: &Model,
    session: &mut dyn Session,
    game: &mut GameRecord,
    rng: &mut Rng,
) -> Result<(), SessionError> {
    loop {
        session.set_game(None, "")?;
        game.moves.clear();
        for _ in 0..model.random_plies + (game.number % 2) as usize {
            let moves = session.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[rng.below(moves.len())];
            session.play(m)?;
            game.moves.push(m);
        }
        // In a game that is over so soon every time, fewer random moves are enough.
        if session.outcome().is_none() || rng.below(100) == 0 {
            game.searched = vec![Searched::default(); game.moves.len()];
            return Ok(());
        }
    }
}

/// The move to play, and what is to be learned of it.
fn found(model: &Model, report: &Report) -> Option<(Move, Searched)> {
    let best = report.best_move()?;
    let lines = report.lines.iter().take(model.limits.lines.max(1));
    let worth: Vec<(Move, f64)> =
        lines.filter_map(|line| Some((*line.moves.first()?, value(line.score, model.curve)))).collect();
    let (_, most) = *worth.first()?;
    let weights: Vec<f64> =
        worth.iter().map(|&(_, value)| ((value - most).min(0.0) / model.temperature).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let share = |weight: f64| (weight / sum * f64::from(SHARES)).round() as u16;
    let policy = worth.iter().zip(&weights).map(|(&(m, _), &weight)| (m, share(weight)));
    let policy = policy.filter(|&(_, share)| share > 0).collect();
    Some((best, Searched { in_full: true, value: most as f32, policy, ..Searched::default() }))
}

/// What a score is worth: wins minus losses.
fn value(score: Meaning, curve: f64) -> f64 {
    match score {
        Meaning::WON_SOMEHOW | Meaning::WinIn(_) => 1.0,
        Meaning::LOST_SOMEHOW | Meaning::LossIn(_) => -1.0,
        Meaning::Opinion(hundredths) => (f64::from(hundredths) / curve).tanh(),
        Meaning::Margin(margin) => f64::from(margin.signum()),
        Meaning::Expected(mean) => mean.clamp(-1.0, 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_worth_what_they_say_for_the_player_to_move() {
        assert_eq!(value(Meaning::WinIn(3), 400.0), 1.0);
        assert_eq!(value(Meaning::LossIn(4), 400.0), -1.0);
        assert_eq!(value(Meaning::Margin(-12), 400.0), -1.0);
        assert_eq!(value(Meaning::Margin(0), 400.0), 0.0);
        assert_eq!(value(Meaning::Expected(0.25), 400.0), 0.25);
        assert!((value(Meaning::Opinion(400), 400.0) - 0.761_594).abs() < 1e-6);
        assert_eq!(value(Meaning::Opinion(0), 400.0), 0.0);
    }
}
