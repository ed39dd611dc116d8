//! A player who gives nothing away, in a game that is solved.

use std::ops::ControlFlow;
use std::time::Instant;

use outplay_connect::four::{Bounds, ConnectFour, Limits, Oracle, Rules};
use outplay_core::{Game, Notation};
use outplay_engine::NamedGame;
use outplay_protocols::{Answer, Claim, Company, Fault, Insight, MoveLimits, Opponent, Situation};

/// Connect Four by its oracle: the fastest win, the slowest loss. Limits do not matter; a few plies into a game a move takes seconds, later none to speak of.
pub struct PerfectPlayer {
    rules: Rules,
    oracle: Oracle,
}

impl PerfectPlayer {
    /// A player of this game; `None` if that is not solved.
    pub fn new(game: &NamedGame) -> Option<PerfectPlayer> {
        let name = game.to_string();
        let (name, size) = name.split_once(':').unwrap_or((&name, ""));
        let rules = match (name, size) {
            ("connect4", "") => Rules::default(),
            ("connect4", size) => size.parse().ok()?,
            _ => return None,
        };
        Some(PerfectPlayer { rules, oracle: Oracle::new(rules, Oracle::USUAL_MEBIBYTES) })
    }

    fn position(&self, situation: &Situation) -> Result<ConnectFour, String> {
        let mut position = match &situation.start {
            None => ConnectFour::start(&self.rules),
            Some(text) => {
                ConnectFour::parse_position(&self.rules, text).map_err(|error| error.to_string())?
            }
        };
        for (_, text) in &situation.moves {
            let m = position.parse_move(text).map_err(|error| error.to_string())?;
            position = position.after(m);
        }
        Ok(position)
    }
}

impl Opponent for PerfectPlayer {
    fn name(&self) -> &str {
        "perfect"
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        // What the oracle has learned is true in every game.
        Ok(())
    }

    fn choose(&mut self, situation: &Situation, _: &MoveLimits, company: Company) -> Result<Answer, Fault> {
        let fault = |reason: String| Fault::Nonsense {
            program: "perfect".to_string(),
            command: "go".to_string(),
            answer: String::new(),
            reason,
        };
        let begun = Instant::now();
        let position = self.position(situation).map_err(fault)?;
        let mut watch = |_| match company.stop.is_some_and(|stop| stop()) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let mut limits = Limits { nodes: None, watch: Some(&mut watch) };
        let best =
            self.oracle.best_moves(&position, &mut limits).map_err(|error| fault(error.to_string()))?;
        match best.and_then(|best| best.first().copied()) {
            Some(m) => {
                let value =
                    self.oracle.value(&position, &mut limits).map_err(|error| fault(error.to_string()))?;
                Ok(Answer {
                    best: position.plain_move_text(&self.rules, m),
                    time: begun.elapsed(),
                    insight: Insight { score: claim(value), ..Insight::default() },
                    ..Answer::default()
                })
            }
            None => Err(Fault::Interrupted { program: "perfect".to_string() }),
        }
    }
}

/// What is certain of a position, in the view of the player to move.
fn claim(value: Bounds) -> Option<Claim> {
    let plies = value.plies()? as i32;
    Some(match value.exact()?.signum() {
        0 => Claim::Centi(0),
        1 => Claim::Mate((plies + 1) / 2),
        _ => Claim::Mate(-(plies / 2)),
    })
}

#[cfg(test)]
mod tests {
    use outplay_core::{MoveList, Rng};

    use super::*;
    use crate::PlayerSpec;

    fn named(name: &str) -> NamedGame {
        outplay_engine::game(name).expect("a game")
    }

    /// The margin for the player to move by trying everything.
    fn exhaustive(position: &ConnectFour) -> i32 {
        let value = |m| {
            let next = position.after(m);
            match next.outcome() {
                Some(outcome) => i32::from(outcome.for_player(position.to_move()).signum()),
                None => -exhaustive(&next),
            }
        };
        position.legal_moves().each().map(value).max().expect("a move")
    }

    #[test]
    fn its_moves_keep_what_the_position_is_worth() {
        let rules: Rules = "4x4".parse().expect("a board");
        let mut player =
            PlayerSpec::parse("perfect").expect("text").make(&named("connect4:4x4")).expect("a player");
        let mut rng = Rng::new(5);
        for _ in 0..30 {
            let mut position = ConnectFour::start(&rules);
            let mut moves = Vec::new();
            while position.outcome().is_none() && moves.len() < 5 + rng.below(6) {
                let m = position.legal_moves().nth(rng.below(position.legal_moves().count()));
                moves.push((position.to_move(), position.plain_move_text(&rules, m)));
                position = position.after(m);
            }
            if position.outcome().is_some() {
                continue;
            }
            let situation = Situation { start: None, moves, to_move: position.to_move() };
            let answer =
                player.choose(&situation, &MoveLimits::default(), Company::default()).expect("an answer");
            let next = position.after(position.parse_move(&answer.best).expect("a legal move"));
            let kept = match next.outcome() {
                Some(outcome) => i32::from(outcome.for_player(position.to_move()).signum()),
                None => -exhaustive(&next),
            };
            assert_eq!(kept, exhaustive(&position), "{situation:?}");
        }
    }

    #[test]
    fn what_is_not_solved_has_no_perfect_player() {
        let refused = PlayerSpec::parse("perfect").expect("text").make(&named("chess"));
        let message = refused.err().expect("no such player").to_string();
        assert!(message.contains("chess") && message.contains("Connect Four"), "{message}");
    }
}
