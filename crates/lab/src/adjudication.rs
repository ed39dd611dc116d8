//! When a game is ended before the rules end it: by what both players say, by its length, by proof.

use std::fmt;
use std::str::FromStr;

use outplay_core::{Outcome, Player};
use outplay_engine::{Session, SessionError};
use outplay_protocols::Claim;
use outplay_search::{Limits, Meaning, Report, StopReason};
use serde::{Deserialize, Serialize};

use crate::limit::split_settings;

/// The rules by which games are ended early; by default none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// When a game is a draw.
    pub draw: Option<DrawRule>,
    /// When a game is lost.
    pub resign: Option<ResignRule>,
    /// How many nodes our own search may spend after each move on finding the exact result.
    pub solve: Option<u64>,
}

/// A draw if, from some move on, both players have found the position even for several moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// How many moves each player must have made.
    pub after: usize,
    /// For how many moves in a row each must have found it even.
    pub moves: usize,
    /// Even is a score of at most this, in hundredths, for either side.
    pub score: i32,
}

/// A loss for a player who has found it lost for several moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// For how many moves in a row.
    pub moves: usize,
    /// Lost is a score of at most minus this, in hundredths.
    pub score: i32,
    /// Whether the opponent must have found it won for as many moves.
    pub both: bool,
}

impl FromStr for DrawRule {
    type Err = String;

    /// Reads `after=40,moves=8,score=10`; what is left out has these values.
    fn from_str(text: &str) -> Result<DrawRule, String> {
        let mut rule = DrawRule { after: 40, moves: 8, score: 10 };
        for (name, value) in split_settings(text)? {
            match name {
                "after" => rule.after = number(name, value)? as usize,
                "moves" => rule.moves = number(name, value)?.max(1) as usize,
                "score" => rule.score = number(name, value)?,
                other => return Err(format!("expected after, moves or score, not {other:?}")),
            }
        }
        Ok(rule)
    }
}

impl FromStr for ResignRule {
    type Err = String;

    /// Reads `moves=3,score=600,both=true`; what is left out has these values, but both=false.
    fn from_str(text: &str) -> Result<ResignRule, String> {
        let mut rule = ResignRule { moves: 3, score: 600, both: false };
        for (name, value) in split_settings(text)? {
            match name {
                "moves" => rule.moves = number(name, value)?.max(1) as usize,
                "score" => rule.score = number(name, value)?,
                "both" => {
                    let both = value.parse();
                    rule.both = both.map_err(|_| format!("expected both=true or false, not {value:?}"))?;
                }
                other => return Err(format!("expected moves, score or both, not {other:?}")),
            }
        }
        Ok(rule)
    }
}

fn number(name: &str, value: &str) -> Result<i32, String> {
    let number = value.parse().ok().filter(|&number: &i32| number >= 0);
    number.ok_or_else(|| format!("expected a whole number for {name}, not {value:?}"))
}

/// By which rule a game was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// [`DrawRule`].
    Draw,
    /// [`ResignRule`].
    Resign,
    /// An exact result.
    Solved,
    /// It lasted too long.
    Length,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Verdict::Draw => "draw by adjudication: both find it even",
            Verdict::Resign => "adjudication: resigned by its score",
            Verdict::Solved => "adjudication: solved",
            Verdict::Length => "draw by adjudication: too long",
        })
    }
}

impl fmt::Display for Adjudication {
    /// Which rules are in force, one a line; nothing if none is.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let score = |centi: i32| f64::from(centi) / 100.0;
        let draw = self.draw.map(|rule| {
            format!(
                "draw: after {} moves each, if both find it within ±{} for {} moves",
                rule.after,
                score(rule.score),
                rule.moves
            )
        });
        let resign = self.resign.map(|rule| {
            let both = if rule.both { ", and its opponent agrees" } else { "" };
            format!("resignation: at -{} for {} moves{both}", score(rule.score), rule.moves)
        });
        let solve = self.solve.map(|nodes| format!("exact results: whatever {nodes} nodes solve"));
        write!(f, "{}", [draw, resign, solve].into_iter().flatten().collect::<Vec<_>>().join("\n"))
    }
}

/// Follows one game.
#[derive(Default)]
pub(crate) struct Judge {
    made: [usize; 2],
    even: [usize; 2],
    lost: [usize; 2],
    won: [usize; 2],
}

impl Judge {
    /// Takes what `player` said with a move; the outcome if a rule now ends the game.
    pub fn hear(
        &mut self,
        rules: &Adjudication,
        player: Player,
        claim: Option<Claim>,
    ) -> Option<(Outcome, Verdict)> {
        let (own, other) = (player.index(), (!player).index());
        let value = claim.map(in_hundredths);
        let count = |counts: &mut [usize; 2], holds: bool| {
            counts[own] = if holds { counts[own] + 1 } else { 0 };
        };
        let (draw, resign) = (rules.draw, rules.resign);
        count(&mut self.made, true);
        count(
            &mut self.even,
            value.zip(draw).is_some_and(|(value, rule)| value.abs() <= i64::from(rule.score)),
        );
        count(&mut self.lost, value.zip(resign).is_some_and(|(value, rule)| value <= -i64::from(rule.score)));
        count(&mut self.won, value.zip(resign).is_some_and(|(value, rule)| value >= i64::from(rule.score)));
        if let Some(rule) = draw
            && self.made.iter().all(|&made| made >= rule.after)
            && self.even.iter().all(|&even| even >= rule.moves)
        {
            return Some((Outcome::DRAW, Verdict::Draw));
        }
        let rule = resign?;
        // Whoever moved may have resigned, or may have agreed to the resignation of the other.
        let resigns = |loser: usize, winner: usize| {
            self.lost[loser] >= rule.moves && (!rule.both || self.won[winner] >= rule.moves)
        };
        if resigns(own, other) {
            return Some((Outcome::win(!player), Verdict::Resign));
        }
        (rule.both && resigns(other, own)).then_some((Outcome::win(player), Verdict::Resign))
    }
}

/// A claim on the scale of the rules: a win beyond all numbers, a margin in whole units. Mate in 0 is a loss: it is on the board.
fn in_hundredths(claim: Claim) -> i64 {
    match claim {
        Claim::Centi(centi) => centi.into(),
        Claim::Mate(moves) => i64::from(i32::MAX) * if moves > 0 { 1 } else { -1 },
        Claim::Margin(margin) => 100 * i64::from(margin),
    }
}

/// The result of the position with best play, if so many nodes are enough to prove it.
pub(crate) fn solve(board: &mut dyn Session, nodes: u64) -> Result<Option<Outcome>, SessionError> {
    board.go(Limits { nodes: Some(nodes), ..Limits::default() }, Box::new(|_, _| ()))?;
    let mover = board.to_move();
    Ok(board.wait().and_then(|report| exact_result(&report, mover)))
}

fn exact_result(report: &Report, mover: Player) -> Option<Outcome> {
    if report.stopped != Some(StopReason::Solved) {
        return None;
    }
    match report.lines.first()?.score {
        Meaning::WinIn(_) => Some(Outcome::win(mover)),
        Meaning::LossIn(_) => Some(Outcome::win(!mover)),
        Meaning::Margin(margin) => Some(Outcome::from_margin(i16::try_from(margin).ok()?, mover)),
        Meaning::Opinion(0) => Some(Outcome::DRAW),
        Meaning::Opinion(_) | Meaning::Expected(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets the players say these things in turn; when and how the game is ended.
    fn judged(rules: &Adjudication, claims: &[Claim]) -> Option<(usize, Outcome, Verdict)> {
        let mut judge = Judge::default();
        let players = [Player::First, Player::Second].into_iter().cycle();
        claims.iter().zip(players).enumerate().find_map(|(ply, (&claim, player))| {
            judge.hear(rules, player, Some(claim)).map(|(outcome, verdict)| (ply + 1, outcome, verdict))
        })
    }

    #[test]
    fn a_draw_needs_both_players_their_moves_and_the_length() {
        let draw = Some(DrawRule { after: 3, moves: 2, score: 10 });
        let rules = Adjudication { draw, ..Adjudication::default() };
        let even = [Claim::Centi(10), Claim::Centi(-10)].repeat(5);
        assert_eq!(judged(&rules, &even), Some((6, Outcome::DRAW, Verdict::Draw)));
        let mut excited = even.clone();
        excited[4] = Claim::Centi(11);
        assert_eq!(judged(&rules, &excited).map(|(ply, ..)| ply), Some(9), "the count begins again");
        assert_eq!(judged(&Adjudication::default(), &even), None);
    }

    #[test]
    fn a_resignation_needs_its_moves_and_perhaps_the_other_side() {
        let rule = ResignRule { moves: 2, score: 500, both: false };
        let rules =
            |both| Adjudication { resign: Some(ResignRule { both, ..rule }), ..Adjudication::default() };
        let claims =
            [Claim::Centi(100), Claim::Centi(-500), Claim::Centi(500), Claim::Mate(-5), Claim::Margin(5)];
        let first_wins = Outcome::win(Player::First);
        assert_eq!(judged(&rules(false), &claims), Some((4, first_wins, Verdict::Resign)));
        assert_eq!(judged(&rules(true), &claims), Some((5, first_wins, Verdict::Resign)));
        assert_eq!(judged(&rules(true), &claims[..4]), None);
    }

    #[test]
    fn rules_are_read_and_checked() {
        assert_eq!("moves=5".parse(), Ok(DrawRule { after: 40, moves: 5, score: 10 }));
        assert_eq!("score=900,both=true".parse(), Ok(ResignRule { moves: 3, score: 900, both: true }));
        for bad in ["moves", "moves=-1", "score=x", "speed=1"] {
            assert!(bad.parse::<DrawRule>().is_err() && bad.parse::<ResignRule>().is_err(), "{bad}");
        }
        assert!("both=perhaps".parse::<ResignRule>().is_err());
    }

    #[test]
    fn silence_is_no_opinion() {
        let resign = Some(ResignRule { moves: 1, score: 0, both: false });
        let mut judge = Judge::default();
        let rules = Adjudication { resign, ..Adjudication::default() };
        assert_eq!(judge.hear(&rules, Player::First, None), None);
    }

    #[test]
    fn what_is_solved_is_the_result_with_best_play() {
        for (game, moves, result) in [
            ("tictactoe", "", Some(Outcome::DRAW)),
            ("tictactoe", "a1 b1 a2 b2", Some(Outcome::win(Player::First))),
            ("tictactoe", "a1 b1 b2 c1", Some(Outcome::win(Player::First))),
            ("chess", "f3 e5 g4", Some(Outcome::win(Player::Second))),
            ("chess", "", None),
            ("othello", "", None),
        ] {
            let mut board = outplay_engine::open(game).expect("a game");
            board.set_game(None, moves).expect("moves");
            assert_eq!(solve(&mut *board, 100_000).expect("a search"), result, "{game} {moves}");
        }
    }
}
