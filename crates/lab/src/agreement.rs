//! How often players choose the moves that others choose, on positions from games: a measure of how much they play like those.

use outplay_core::Player;
use outplay_engine::{NamedGame, SessionError};
use outplay_protocols::{Company, Fault, MoveLimits, Opponent, Situation};
use serde::Serialize;

use crate::{Entrant, OwnPlayer, PlayerError, PlayerKind};

/// A move with a smaller share of somebody's policy is one that he hardly ever plays.
const ODD_SHARE: f64 = 0.01;

/// A position of a game and what was played there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePosition {
    /// How it came about.
    pub situation: Situation,
    /// The next move of the game.
    pub played: String,
}

/// Every so many plies a position of each game, which is given by its start and its moves; the first `after` moves are left out as openings, which
/// people know by heart.
pub fn positions_of(
    game: &NamedGame,
    games: &[(Option<String>, String)],
    after: usize,
    every: usize,
) -> Result<Vec<GamePosition>, SessionError> {
    let mut board = game.open()?;
    let mut positions = Vec::new();
    for (start, moves) in games {
        board.set_game(start.as_deref(), moves)?;
        let played: Vec<(Player, String)> = board.played_plain();
        for ply in (after..played.len()).step_by(every.max(1)) {
            let (to_move, next) = played[ply].clone();
            let situation = Situation { start: start.clone(), moves: played[..ply].to_vec(), to_move };
            positions.push(GamePosition { situation, played: next });
        }
    }
    Ok(positions)
}

/// Who chooses for comparison: the moves, and how likely each is.
pub struct Reference {
    name: String,
    player: OwnPlayer,
    limits: MoveLimits,
    /// By position: the shares of its moves, the likeliest first.
    choices: Vec<Vec<(String, f64)>>,
}

/// How often a player agrees with one other.
#[derive(Clone, Debug, Serialize)]
pub struct Agreement {
    /// Whose moves are compared with.
    pub with: String,
    /// In which share of the positions both choose the same move.
    pub same: f64,
    /// The mean share that the other gives the player's move: how often both would agree if the other drew lots.
    pub likely: f64,
    /// The share of moves that the other hardly ever plays.
    pub odd: f64,
}

/// What came out for one player.
#[derive(Clone, Debug, Serialize)]
pub struct Likeness {
    /// Who.
    pub player: String,
    /// How many positions were looked at.
    pub positions: usize,
    /// In which share of them the move of the game was chosen.
    pub played: f64,
    /// The same for each of the others.
    pub agreements: Vec<Agreement>,
}

/// Why nothing can be compared.
#[derive(Debug, thiserror::Error)]
pub enum AgreementError {
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A player does not answer.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A player that cannot be asked for all its moves.
    #[error(
        "{0}: only our own searches can be compared with, such as search=policy,evaluation=net,network=FILE"
    )]
    Foreign(String),
}

impl Reference {
    /// One of our searches.
    pub fn new(game: &NamedGame, entrant: &Entrant) -> Result<Reference, AgreementError> {
        let PlayerKind::Own { options } = &entrant.spec.kind else {
            return Err(AgreementError::Foreign(entrant.name.clone()));
        };
        let player = OwnPlayer::new(game, options).map_err(PlayerError::Own)?;
        let limits = limits_of(entrant);
        Ok(Reference { name: entrant.name.clone(), player, limits, choices: Vec::new() })
    }

    /// What it chooses in one more position.
    pub fn look_at(&mut self, position: &GamePosition) -> Result<(), AgreementError> {
        let choices = self.player.shares(&position.situation, &self.limits)?;
        self.choices.push(choices);
        Ok(())
    }

    /// The best move of a position and the share of another.
    fn says(&self, index: usize, m: &str) -> (bool, f64) {
        let choices = &self.choices[index];
        let is_first = choices.first().is_some_and(|(first, _)| first == m);
        let share = choices.iter().find(|(other, _)| other == m).map_or(0.0, |(_, share)| *share);
        (is_first, share)
    }
}

/// Lets a player choose in every position; `told` hears of each. The references have to have looked at the same positions.
pub fn likeness(
    game: &NamedGame,
    entrant: &Entrant,
    positions: &[GamePosition],
    references: &[Reference],
    told: &mut dyn FnMut(),
) -> Result<Likeness, AgreementError> {
    let mut player: Box<dyn Opponent> = entrant.spec.make(game)?;
    let limits = limits_of(entrant);
    let mut played = 0.0;
    let mut sums = vec![[0.0; 3]; references.len()];
    for (index, position) in positions.iter().enumerate() {
        player.new_game()?;
        let m = player.choose(&position.situation, &limits, Company::default())?.best;
        played += f64::from(u8::from(m == position.played));
        for (sum, reference) in sums.iter_mut().zip(references) {
            let (is_first, share) = reference.says(index, &m);
            sum[0] += f64::from(u8::from(is_first));
            sum[1] += share;
            sum[2] += f64::from(u8::from(share < ODD_SHARE));
        }
        told();
    }
    let count = positions.len().max(1) as f64;
    let agreements = references.iter().zip(sums).map(|(reference, [same, likely, odd])| Agreement {
        with: reference.name.clone(),
        same: same / count,
        likely: likely / count,
        odd: odd / count,
    });
    Ok(Likeness {
        player: entrant.name.clone(),
        positions: positions.len(),
        played: played / count,
        agreements: agreements.collect(),
    })
}

fn limits_of(entrant: &Entrant) -> MoveLimits {
    let control = &entrant.control;
    MoveLimits {
        move_time: control.move_time,
        nodes: control.nodes,
        depth: control.depth,
        ..MoveLimits::default()
    }
}

/// The figures as a table, in hundredths.
pub fn agreement_text(all: &[Likeness]) -> String {
    let Some(first) = all.first() else { return String::new() };
    let width = all.iter().map(|one| one.player.chars().count()).max().unwrap_or(0).max(6);
    let row = |name: &str, played: &str, others: Vec<String>| {
        let line = format!("{name:<width$}  {played:>6}  {}", others.join("  "));
        line.trim_end().to_string()
    };
    let names = first.agreements.iter().map(|agreement| format!("{:<20.20}", agreement.with));
    let figures = format!("{:>6} {:>6} {:>6}", "same", "likely", "odd");
    let mut lines =
        vec![row("", "game", names.collect()), row("player", "same", vec![figures; first.agreements.len()])];
    for one in all {
        let others = one.agreements.iter().map(|Agreement { same, likely, odd, .. }| {
            format!("{:>6.1} {:>6.1} {:>6.1}", 100.0 * same, 100.0 * likely, 100.0 * odd)
        });
        lines.push(row(&one.player, &format!("{:.1}", 100.0 * one.played), others.collect()));
    }
    let count = first.positions;
    let error = 100.0 * 1.96 * 0.5 / (count.max(1) as f64).sqrt();
    lines.push(format!(
        "{count} positions, so that a figure is right within {error:.1} at most. Of a hundred moves: same as the other's first choice; likely: the \
         share that the other gives them; odd: with less than 1 % of that."
    ));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Plan, PlayerSpec, TimeControl};

    fn game() -> NamedGame {
        outplay_engine::game("connect4:5x4").expect("a game")
    }

    fn entrant(text: &str) -> Entrant {
        let spec = PlayerSpec::parse(text).and_then(|spec| spec.at_level(&game())).expect("a player");
        Plan::entrants(vec![spec], &TimeControl { nodes: Some(200), ..TimeControl::default() }).remove(0)
    }

    fn positions() -> Vec<GamePosition> {
        positions_of(&game(), &[(None, "c c c c b d b d".to_string())], 2, 3).expect("positions")
    }

    #[test]
    fn positions_come_from_games_after_their_openings() {
        let found: Vec<(usize, String)> =
            positions().into_iter().map(|p| (p.situation.moves.len(), p.played)).collect();
        assert_eq!(found, [(2, "c".to_string()), (5, "d".to_string())]);
        let broken = positions_of(&game(), &[(None, "c z".to_string())], 0, 1);
        assert!(broken.is_err(), "a move that is none");
    }

    #[test]
    fn a_player_agrees_with_itself_and_a_policy_shares_all_among_the_moves() {
        let positions = positions();
        let entrants = ["search=policy,evaluation=fours", "search=alphabeta,limit.depth=3"].map(entrant);
        let mut references: Vec<Reference> =
            entrants.iter().map(|one| Reference::new(&game(), one).expect("ours")).collect();
        for reference in &mut references {
            positions.iter().for_each(|position| reference.look_at(position).expect("an answer"));
        }
        // In the second position the column in the middle is full.
        for (choices, moves) in references[0].choices.iter().zip([5, 4]) {
            let all: f64 = choices.iter().map(|(_, share)| share).sum();
            assert!(choices.len() == moves && (all - 1.0).abs() < 1e-5, "{choices:?}");
        }
        for (index, one) in entrants.iter().enumerate() {
            let mut heard = 0;
            let found = likeness(&game(), one, &positions, &references, &mut || heard += 1).expect("figures");
            assert_eq!((found.positions, heard), (2, 2));
            assert_eq!(found.agreements[index].same, 1.0, "{found:?}");
            assert!(found.agreements[index].odd == 0.0 && found.agreements[0].likely < 1.0, "{found:?}");
        }
    }

    #[test]
    fn programs_of_others_tell_no_shares() {
        let foreign = Reference::new(&game(), &entrant("cmd=stockfish"));
        assert!(matches!(foreign, Err(AgreementError::Foreign(_))));
    }
}
