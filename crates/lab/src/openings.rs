//! Where the games of a match begin.

use std::collections::HashSet;

use outplay_core::Rng;
use outplay_engine::{NamedGame, Session, SessionError};
use outplay_search::{Limits, Meaning};
use serde::{Deserialize, Serialize};

/// A beginning of a game that both players get once with each colour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The position that it starts from; `None` for the usual start.
    pub start: Option<String>,
    /// The moves from there, as a list.
    pub moves: String,
}

/// Tries for a new opening before a repetition is taken.
const MOST_IN_VAIN: usize = 100;
/// Of so many random beginnings, the most even one is taken.
const CANDIDATES: usize = 4;
/// The work that goes into judging one of them.
const NODES_TO_JUDGE: u64 = 300;

/// Openings of `plies` random moves each, different from each other while there are enough of them, from a seed.
///
/// They are balanced: each is the one of several that our own search finds most even after a short look.
pub fn random_openings(
    game: &NamedGame,
    count: usize,
    plies: usize,
    seed: u64,
) -> Result<Vec<Opening>, SessionError> {
    let mut session = game.open()?;
    let mut rng = Rng::new(seed);
    let mut taken: HashSet<String> = HashSet::new();
    let mut openings = Vec::with_capacity(count);
    while openings.len() < count {
        let mut best: Option<(i64, String)> = None;
        let (mut candidates, mut in_vain) = (0, 0);
        // A small game may not have as many openings, or none that lasts: then repetitions have to do. How long to try does
        // not depend on how many are asked for, so that more openings begin with the fewer ones.
        while candidates < CANDIDATES && in_vain < MOST_IN_VAIN {
            play_random_moves(&mut *session, plies, &mut rng)?;
            let moves: Vec<String> = session.played_plain().into_iter().map(|(_, text)| text).collect();
            let moves = moves.join(" ");
            if session.outcome().is_some() || taken.contains(&moves) {
                in_vain += 1;
                continue;
            }
            candidates += 1;
            let imbalance = imbalance(&mut *session)?;
            if best.as_ref().is_none_or(|(least, _)| imbalance < *least) {
                best = Some((imbalance, moves));
            }
        }
        let moves = match best {
            Some((_, moves)) => moves,
            // Nothing new was found: any that does not end the game, or the start.
            None if session.outcome().is_none() => {
                session.played_plain().into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ")
            }
            None => String::new(),
        };
        taken.insert(moves.clone());
        openings.push(Opening { start: None, moves });
    }
    Ok(openings)
}

fn play_random_moves(session: &mut dyn Session, plies: usize, rng: &mut Rng) -> Result<(), SessionError> {
    session.set_game(None, "")?;
    for _ in 0..plies {
        let moves = session.legal_moves();
        if moves.is_empty() {
            break;
        }
        session.play(moves[rng.below(moves.len())])?;
    }
    Ok(())
}

/// How far from even our search finds the position, in units that only compare positions of one game.
fn imbalance(session: &mut dyn Session) -> Result<i64, SessionError> {
    session.go(Limits { nodes: Some(NODES_TO_JUDGE), ..Limits::default() }, Box::new(|_, _| ()))?;
    let report = session.wait();
    Ok(match report.as_ref().and_then(|report| report.lines.first()).map(|line| line.score) {
        Some(Meaning::Opinion(value)) => i64::from(value).abs(),
        Some(Meaning::Margin(margin)) => 100 * i64::from(margin).abs(),
        Some(Meaning::Expected(mean)) => (1000.0 * mean.abs()) as i64,
        // Decided: nothing is less even.
        Some(Meaning::WinIn(_) | Meaning::LossIn(_)) | None => i64::MAX,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> NamedGame {
        outplay_engine::game(name).expect("a game")
    }

    #[test]
    fn openings_are_legal_different_and_the_same_for_the_same_seed() {
        for game in ["chess", "othello", "connect6", "gomoku", "connect4"] {
            let openings = random_openings(&named(game), 20, 4, 9).expect("openings");
            assert_eq!(openings, random_openings(&named(game), 20, 4, 9).expect("openings"), "{game}");
            for (index, opening) in openings.iter().enumerate() {
                assert!(!openings[..index].contains(opening), "{game}");
                let mut session = named(game).open().expect("a game");
                session.set_game(None, &opening.moves).expect("legal moves");
                assert_eq!((session.played().len(), session.outcome()), (4, None), "{game}");
            }
        }
    }

    #[test]
    fn a_game_with_few_openings_has_to_repeat_them() {
        assert_eq!(random_openings(&named("tictactoe"), 40, 1, 1).expect("openings").len(), 40);
        assert_eq!(random_openings(&named("tictactoe"), 5, 9, 1).expect("openings").len(), 5);
        // A match that is made longer begins as it began.
        for (game, plies) in [("tictactoe", 1), ("chess", 3)] {
            let few = random_openings(&named(game), 12, plies, 5).expect("openings");
            assert_eq!(random_openings(&named(game), 30, plies, 5).expect("openings")[..12], few);
        }
    }

    #[test]
    fn openings_are_more_even_than_chance() {
        let mut session = named("chess").open().expect("a game");
        let mut mean_imbalance = |openings: &[Opening]| {
            let values = openings.iter().map(|opening| {
                session.set_game(None, &opening.moves).expect("legal moves");
                imbalance(&mut *session).expect("a search") as f64
            });
            values.sum::<f64>() / openings.len() as f64
        };
        let chosen = mean_imbalance(&random_openings(&named("chess"), 40, 8, 3).expect("openings"));
        let mut rng = Rng::new(3);
        let mut random = named("chess").open().expect("a game");
        let by_chance: Vec<Opening> = (0..40)
            .map(|_| {
                play_random_moves(&mut *random, 8, &mut rng).expect("moves");
                let moves: Vec<String> = random.played_plain().into_iter().map(|(_, text)| text).collect();
                Opening { start: None, moves: moves.join(" ") }
            })
            .collect();
        assert!(chosen * 2.0 < mean_imbalance(&by_chance), "{chosen}");
    }
}
