//! What a search says of a position, and whoever can be asked.

use outplay_core::{Outcome, Player};
use outplay_engine::Wording;
use outplay_protocols::{Answer, Claim, Company, Fault, Insight, MoveLimits, Opponent, Situation};
use outplay_search::{Meaning, Report};

use super::Question;
use super::scale::turned;
use crate::TimeControl;
use crate::own::insight;

/// By how many times as much a question is searched that has to be asked again.
pub const DEEPER: u32 = 4;
/// The same in plies.
pub const DEEPER_PLIES: u32 = 2;

/// What a search says of a position, in the view of the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    /// What it is worth.
    pub score: Meaning,
    /// The chances to win, to draw and to lose, if the search has its own.
    pub wdl: Option<[f64; 3]>,
    /// The best line, as programs exchange moves.
    pub line: Vec<String>,
}

impl Opinion {
    /// What a report says; `None` if it says nothing of the value.
    pub fn of_report(report: &Report, wording: &dyn Wording) -> Option<Opinion> {
        Opinion::of_insight(insight(report, wording, true))
    }

    fn of_insight(insight: Insight) -> Option<Opinion> {
        let score = match insight.score? {
            Claim::Centi(hundredths) => Meaning::Opinion(hundredths),
            Claim::Mate(moves @ 1..) => Meaning::WinIn(2 * moves.unsigned_abs() - 1),
            Claim::Mate(moves) => Meaning::LossIn(2 * moves.unsigned_abs()),
            Claim::Margin(margin) => Meaning::Margin(margin),
        };
        Some(Opinion { score, wdl: insight.wdl, line: insight.line })
    }

    /// What is certain of a position in which the game is over.
    pub(super) fn ended(outcome: Outcome, to_move: Player, is_counted: bool) -> Opinion {
        let score = match outcome.winner() {
            None => Meaning::Opinion(0),
            Some(_) if is_counted => Meaning::Margin(outcome.for_player(to_move).into()),
            Some(winner) if winner == to_move => Meaning::WinIn(0),
            Some(_) => Meaning::LossIn(0),
        };
        Opinion { score, wdl: None, line: Vec::new() }
    }

    /// As the first player sees it.
    pub(super) fn seen_by_first(self, to_move: Player) -> Opinion {
        match to_move {
            Player::First => self,
            Player::Second => {
                let wdl = self.wdl.map(|[win, draw, loss]| [loss, draw, win]);
                Opinion { score: turned(self.score), wdl, ..self }
            }
        }
    }
}

/// A player who is asked what positions are worth.
pub struct Judge {
    player: Box<dyn Opponent>,
    limits: MoveLimits,
}

impl Judge {
    /// One who has so much for each position.
    pub fn new(mut player: Box<dyn Opponent>, control: &TimeControl) -> Result<Judge, Fault> {
        player.new_game()?;
        Ok(Judge { player, limits: control.for_position() })
    }

    /// What it says; `None` if it says nothing of the value, or if `stop` has said so.
    pub fn ask(&mut self, question: &Question, stop: &dyn Fn() -> bool) -> Result<Option<Opinion>, Fault> {
        let Question { start, moves, to_move, is_deeper } = question;
        let situation = Situation { start: start.clone(), moves: moves.clone(), to_move: *to_move };
        let limits = if *is_deeper { deeper(&self.limits) } else { self.limits.clone() };
        let mut last = None;
        // The last iteration that came to a value: one that was broken off may have none.
        let mut watch = |insight: Insight| last = Opinion::of_insight(insight).or(last.take());
        let company = Company { watch: Some(&mut watch), stop: Some(stop), lines: 1 };
        let Answer { best, insight, .. } = self.player.choose(&situation, &limits, company)?;
        if stop() {
            return Ok(None);
        }
        let mut opinion = last.or_else(|| Opinion::of_insight(insight));
        if let Some(opinion) = opinion.as_mut().filter(|opinion| opinion.line.first() != Some(&best)) {
            opinion.line = vec![best];
        }
        Ok(opinion)
    }
}

fn deeper(limits: &MoveLimits) -> MoveLimits {
    MoveLimits {
        nodes: limits.nodes.map(|nodes| nodes.saturating_mul(DEEPER.into())),
        move_time: limits.move_time.map(|time| time.saturating_mul(DEEPER)),
        depth: limits.depth.map(|depth| depth.saturating_add(DEEPER_PLIES)),
        patience: limits.patience.saturating_mul(DEEPER),
        ..limits.clone()
    }
}
