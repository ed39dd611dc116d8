//! Where the games of a match begin.

use outplay_core::Rng;
use outplay_engine::{SessionError, open};

/// A beginning of a game that both players get once with each colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The position that it starts from; `None` for the usual start.
    pub start: Option<String>,
    /// The moves from there, as a list.
    pub moves: String,
}

/// Tries for a new opening before a repetition is taken.
const MOST_IN_VAIN: usize = 100;

/// Openings of `plies` random moves each, different from each other while there are enough of them, from a seed.
///
/// An opening is fair as far as it ends no game; both sides get it once.
pub fn random_openings(
    game: &str,
    count: usize,
    plies: usize,
    seed: u64,
) -> Result<Vec<Opening>, SessionError> {
    let mut session = open(game)?;
    let mut rng = Rng::new(seed);
    let mut openings: Vec<Opening> = Vec::with_capacity(count);
    let mut in_vain = 0;
    while openings.len() < count {
        session.set_game(None, "")?;
        for _ in 0..plies {
            let moves = session.legal_moves();
            if moves.is_empty() {
                break;
            }
            session.play(moves[rng.below(moves.len())])?;
        }
        let moves: Vec<String> = session.played_plain().into_iter().map(|(_, text)| text).collect();
        let opening = Opening { start: None, moves: moves.join(" ") };
        // A small game may not have as many openings, or none that lasts: then repetitions have to do. How long to try does
        // not depend on how many are asked for, so that more openings begin with the fewer ones.
        let bad = session.outcome().is_some() || openings.contains(&opening);
        if bad && in_vain < MOST_IN_VAIN {
            in_vain += 1;
            continue;
        }
        in_vain = 0;
        let moves = if session.outcome().is_some() { String::new() } else { opening.moves };
        openings.push(Opening { start: None, moves });
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_legal_different_and_the_same_for_the_same_seed() {
        for game in ["chess", "othello", "connect6", "gomoku", "connect4"] {
            let openings = random_openings(game, 20, 4, 9).expect("openings");
            assert_eq!(openings, random_openings(game, 20, 4, 9).expect("openings"), "{game}");
            for (index, opening) in openings.iter().enumerate() {
                assert!(!openings[..index].contains(opening), "{game}");
                let mut session = open(game).expect("a game");
                session.set_game(None, &opening.moves).expect("legal moves");
                assert_eq!((session.played().len(), session.outcome()), (4, None), "{game}");
            }
        }
    }

    #[test]
    fn a_game_with_few_openings_has_to_repeat_them() {
        assert_eq!(random_openings("tictactoe", 40, 1, 1).expect("openings").len(), 40);
        assert_eq!(random_openings("tictactoe", 5, 9, 1).expect("openings").len(), 5);
        // A match that is made longer begins as it began.
        for (game, plies) in [("tictactoe", 1), ("chess", 3)] {
            let few = random_openings(game, 12, plies, 5).expect("openings");
            assert_eq!(random_openings(game, 30, plies, 5).expect("openings")[..12], few);
        }
    }
}
