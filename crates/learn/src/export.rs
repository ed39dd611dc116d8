//! The games of a run for people: what there is, and each of them in words and in the files of its game.

use std::fs;
use std::io;
use std::path::Path;

use outplay_core::Player;
use outplay_engine::selfplay::{Ending, GameRecord};
use outplay_engine::{SaveNotes, Session};
use serde::Serialize;

use crate::folder::{RunError, numbered};

/// Where the games stand that a network was taught by, rather than having played them.
pub(crate) const TAUGHT: &str = "taught.games";

/// Which games of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Those that the network of this generation has played.
    Generation(u32),
    /// Those that its first network was taught by: see [`imitate`](crate::imitate).
    Taught,
}

/// Which games a run has: those that it was taught by, then generation after generation.
///
/// # Errors
/// If the folder cannot be read.
pub fn games_there_are(run: &Path) -> Result<Vec<Kept>, RunError> {
    let generations = numbered(run, "games", "games")?;
    let taught = run.join(TAUGHT).is_file().then_some(Kept::Taught);
    Ok(taught.into_iter().chain(generations.into_iter().map(Kept::Generation)).collect())
}

/// Some of the games of a run, in the order of their numbers. Nothing is written: a game of which only a part is there, because somebody plays it right now, is
/// left out and left alone.
///
/// # Errors
/// If there are none, or their file cannot be read.
pub fn kept_games(run: &Path, which: Kept) -> Result<Vec<GameRecord>, RunError> {
    let path = match which {
        Kept::Generation(generation) => run.join(format!("games/{generation:04}.games")),
        Kept::Taught => run.join(TAUGHT),
    };
    let bytes = fs::read(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            RunError::Folder(format!("{} is not there: no such games", path.display()))
        }
        _ => RunError::File(path.clone(), error),
    })?;
    let (mut games, _) = GameRecord::read_all(&bytes)
        .map_err(|error| RunError::Folder(format!("{}: {error}", path.display())))?;
    games.sort_by_key(|game| game.number);
    games.dedup_by_key(|game| game.number);
    Ok(games)
}

/// A game in words and numbers.
#[derive(Clone, Debug, Serialize)]
pub struct GameInWords {
    /// Its number in the run.
    pub number: u64,
    /// The generation of the network that played it; `None` if a network was taught by it.
    pub generation: Option<u32>,
    /// The moves, as programs exchange them.
    pub moves: Vec<String>,
    /// By how much the first player won; 0 for a draw, below it for a loss.
    pub margin: i16,
    /// Who won; `None` for a draw.
    pub winner: Option<&'static str>,
    /// How it ended.
    pub ending: String,
    /// What was found out before each move.
    pub positions: Vec<PositionInWords>,
}

/// What was found out about a position.
#[derive(Clone, Debug, Serialize)]
pub struct PositionInWords {
    /// The move that was played, as a number.
    pub played: u16,
    /// Whether it was searched in full.
    pub in_full: bool,
    /// What it is worth for the player to move: wins minus losses.
    pub value: f32,
    /// How far the policy is from what the network had said, in nats.
    pub surprise: f32,
    /// By how much the player to move wins for certain, if a solver knows.
    pub exact: Option<i16>,
    /// The moves that were looked at, as numbers, and the share of each, of 65,535 in all.
    pub policy: Vec<(u16, u16)>,
}

/// A game in words. The session is left at its end.
///
/// # Errors
/// If it is not a game by the rules.
pub fn in_words(session: &mut dyn Session, which: Kept, game: &GameRecord) -> Result<GameInWords, RunError> {
    replay(session, game)?;
    let positions = game.moves.iter().zip(&game.searched).map(|(m, searched)| PositionInWords {
        played: m.bits(),
        in_full: searched.in_full,
        value: searched.value,
        surprise: searched.surprise,
        exact: searched.exact,
        policy: searched.policy.iter().map(|&(m, share)| (m.bits(), share)).collect(),
    });
    Ok(GameInWords {
        number: game.number,
        generation: generation(which),
        moves: session.played_plain().into_iter().map(|(_, text)| text).collect(),
        margin: game.outcome.for_player(Player::First),
        winner: game.outcome.winner().map(|winner| session.players()[winner.index()]),
        ending: ending(session, game),
        positions: positions.collect(),
    })
}

/// A game as a file of its game's own format, with what the searches thought as comments where the format has any. The session is left at its end.
///
/// # Errors
/// If it is not a game by the rules.
pub fn exported(
    session: &mut dyn Session,
    run: &str,
    which: Kept,
    game: &GameRecord,
) -> Result<String, RunError> {
    replay(session, game)?;
    let player = match which {
        Kept::Generation(generation) => format!("generation {generation}"),
        Kept::Taught => "teacher".to_string(),
    };
    let mut tags: Vec<(&str, String)> =
        session.player_tags().into_iter().map(|tag| (tag, player.clone())).collect();
    tags.push(("Event", run.to_string()));
    tags.push(("Round", game.number.to_string()));
    tags.push(("Termination", ending(session, game)));
    let comments = game.moves.iter().zip(&game.searched).enumerate().filter_map(|(ply, (m, searched))| {
        // Nobody has thought about a move that was drawn by lot or comes from a file.
        let (_, share) = searched.policy.iter().find(|(of, _)| of == m)?;
        let percent = 100.0 * f64::from(*share) / f64::from(outplay_engine::selfplay::SHARES);
        let quick = if searched.in_full { "" } else { ", quick" };
        Some((ply, format!("{:+.2}, {percent:.0} %{quick}", searched.value)))
    });
    let comments = comments.collect();
    Ok(session.save(&SaveNotes { tags, outcome: Some(game.outcome), comments }))
}

fn generation(which: Kept) -> Option<u32> {
    match which {
        Kept::Generation(generation) => Some(generation),
        Kept::Taught => None,
    }
}

/// Takes a session to the end of a game.
fn replay(session: &mut dyn Session, game: &GameRecord) -> Result<(), RunError> {
    let wrong = |error| RunError::Folder(format!("game {} is not one by the rules: {error}", game.number));
    session.set_game(None, "").map_err(wrong)?;
    game.moves.iter().try_for_each(|&m| session.play(m)).map_err(wrong)
}

/// How a game ended, in words, with the session at its end.
fn ending(session: &dyn Session, game: &GameRecord) -> String {
    let winner = game.outcome.winner().map(|winner| session.players()[winner.index()]);
    match (game.ending, winner) {
        (Ending::Rules, _) => session.ending().unwrap_or_else(|| "by the rules".to_string()),
        (Ending::Resigned, Some(winner)) => format!("{winner} wins by resignation"),
        (Ending::Resigned, None) => "A draw by agreement".to_string(),
        (Ending::TooLong, _) => format!("given up as a draw after {} moves", game.moves.len()),
        (Ending::Solved, Some(winner)) => format!("{winner} wins, by the game's solver"),
        (Ending::Solved, None) => "A draw, by the game's solver".to_string(),
    }
}
