//! What a value is worth, and what a loss of it is called.

use outplay_engine::{NamedGame, Standing};
use outplay_search::Meaning;
use serde::{Deserialize, Serialize};

use super::Value;

/// How a turn that gave something away is called, from the smallest to the largest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// At least five points of a hundred.
    Inaccuracy,
    /// At least ten.
    Mistake,
    /// At least fifteen.
    Blunder,
}

impl Mark {
    /// All of them, with the least loss of winning chance.
    pub const LEAST: [(Mark, f64); 3] =
        [(Mark::Inaccuracy, 0.05), (Mark::Mistake, 0.10), (Mark::Blunder, 0.15)];

    /// What a loss of winning chance, from 0 to 1, is called.
    pub fn of(loss: f64) -> Option<Mark> {
        // What is worked out in another way may lack the last bit.
        let reached = Mark::LEAST.iter().rev().find(|(_, least)| loss >= least - 1e-9);
        reached.map(|(mark, _)| *mark)
    }

    /// Its name.
    pub fn text(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "Inaccuracy",
            Mark::Mistake => "Mistake",
            Mark::Blunder => "Blunder",
        }
    }

    /// How it is written behind a move.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// Its numeric annotation glyph.
    pub fn glyph(self) -> u8 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }
}

/// How accurate a turn was, from 0 to 1, by what it gave away: half if that was enough for a blunder, a quarter if it was twice as much.
pub fn accuracy(loss: f64) -> f64 {
    let [.., (_, blunder)] = Mark::LEAST;
    0.5_f64.powf(loss / blunder)
}

/// What a piece less counts where games end by counting, as a share of the winning chance: as much in every position, and whatever the curve of the evaluation is.
const PIECE: f64 = 0.025;

/// The least losses that are called faults, for whoever colours moves as reviews mark them.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Faults {
    /// From this loss on a turn is an inaccuracy. Losses are shares of the winning chance.
    pub inaccuracy: f64,
    /// A mistake.
    pub mistake: f64,
    /// A blunder.
    pub blunder: f64,
    /// What a piece less counts in games that end by counting; nothing where losses are chances.
    pub piece: Option<f64>,
}

/// What the values of a game are worth.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// See [`Strength::steepness`](outplay_engine::Strength::steepness).
    steepness: f64,
    /// What games are counted in at whose end pieces are counted: a piece less is a loss even if the game stays won.
    unit: Option<&'static str>,
    /// Whether moves of both players count as one.
    full_moves: bool,
}

impl Scale {
    /// That of a game.
    pub fn of(game: &NamedGame) -> Scale {
        let style = game.row().style;
        let is_counted = style.standing == Some(Standing::Count);
        Scale {
            steepness: game.strength().steepness,
            unit: is_counted.then_some(style.scores.unit),
            full_moves: style.scores.full_moves,
        }
    }

    /// From which losses on turns are faults.
    pub fn faults(&self) -> Faults {
        let [(_, inaccuracy), (_, mistake), (_, blunder)] = Mark::LEAST;
        Faults { inaccuracy, mistake, blunder, piece: self.unit.map(|_| PIECE) }
    }

    /// What losses are counted in if they are not chances.
    pub fn unit(&self) -> Option<&'static str> {
        self.unit
    }

    /// The value of a score that the first player sees, and of the chances that go with it if the search has its own.
    pub(super) fn value(&self, score: Meaning, wdl: Option<[f64; 3]>) -> Value {
        let chance = wdl.map_or_else(|| self.chance(score), |[win, draw, _]| win + draw / 2.0);
        Value { score, chance, wdl, eval: self.eval(score) }
    }

    /// The winning chance of whoever sees this score, draws counting half.
    pub fn chance(&self, score: Meaning) -> f64 {
        let logistic = |hundredths: f64| 1.0 / (1.0 + (-self.steepness * hundredths).exp());
        match score {
            Meaning::Opinion(hundredths) => logistic(f64::from(hundredths)),
            Meaning::WinIn(_) => 1.0,
            Meaning::LossIn(_) => 0.0,
            // In a game that is counted, a certain margin is one number among others: nothing leaps where a search becomes certain.
            Meaning::Margin(margin) => logistic(100.0 * f64::from(margin)),
            Meaning::Expected(mean) => 0.5 + 0.5 * mean,
        }
    }

    /// A score in units of the game, where it is one.
    fn units(score: Meaning) -> Option<f64> {
        match score {
            Meaning::Opinion(hundredths) => Some(f64::from(hundredths) / 100.0),
            Meaning::Margin(margin) => Some(f64::from(margin)),
            Meaning::WinIn(_) | Meaning::LossIn(_) | Meaning::Expected(_) => None,
        }
    }

    /// What a player, the first or not, loses by one value in the place of another: as a share of the winning chance, and in units where those count. Not negative.
    pub(super) fn loss(&self, best: &Value, played: &Value, is_first: bool) -> (f64, Option<f64>) {
        let seen = |difference: f64| if is_first { difference } else { -difference }.max(0.0);
        let units = self.unit.and_then(|_| Some(seen(Self::units(best.score)? - Self::units(played.score)?)));
        match units {
            Some(units) => (units * PIECE, Some(units)),
            None => (seen(best.chance - played.chance), None),
        }
    }

    /// A distance to a forced result as people count it.
    pub(super) fn distance(&self, plies: u32) -> u32 {
        if self.full_moves { plies.div_ceil(2) } else { plies }
    }

    fn eval(&self, score: Meaning) -> String {
        match score {
            Meaning::Opinion(hundredths) => format!("{:.2}", f64::from(hundredths) / 100.0),
            Meaning::WinIn(plies) => format!("#{}", self.distance(plies)),
            Meaning::LossIn(plies) => format!("#-{}", self.distance(plies)),
            Meaning::Margin(margin) => margin.to_string(),
            Meaning::Expected(mean) => format!("{mean:.3}"),
        }
    }
}

/// The same score seen by the other player.
pub(super) fn turned(score: Meaning) -> Meaning {
    match score {
        Meaning::Opinion(hundredths) => Meaning::Opinion(-hundredths),
        Meaning::WinIn(plies) => Meaning::LossIn(plies),
        Meaning::LossIn(plies) => Meaning::WinIn(plies),
        Meaning::Margin(margin) => Meaning::Margin(-margin),
        Meaning::Expected(mean) => Meaning::Expected(-mean),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(name: &str) -> Scale {
        Scale::of(&outplay_engine::game(name).expect("a game"))
    }

    fn loss(game: &str, best: Meaning, played: Meaning) -> f64 {
        let scale = scale(game);
        scale.loss(&scale.value(best, None), &scale.value(played, None), true).0
    }

    #[test]
    fn a_loss_is_called_by_its_share_of_the_winning_chance() {
        let marks = [0.0, 0.049, 0.05, 0.099, 0.1, 0.149, 0.15, 1.0].map(Mark::of);
        let [i, m, b] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder].map(Some);
        assert_eq!(marks, [None, None, i, i, m, m, b, b]);
    }

    #[test]
    fn a_pawn_matters_where_the_game_is_open_and_not_where_it_is_decided() {
        let a_pawn_less =
            |from: i32| Mark::of(loss("chess", Meaning::Opinion(from), Meaning::Opinion(from - 100)));
        assert!(a_pawn_less(50).is_some());
        assert_eq!(a_pawn_less(900), None);
        assert_eq!(
            Mark::of(loss("chess", Meaning::WinIn(3), Meaning::WinIn(9))),
            None,
            "a slower mate is a mate"
        );
        assert_eq!(Mark::of(loss("chess", Meaning::WinIn(3), Meaning::Opinion(0))), Some(Mark::Blunder));
        assert_eq!(Mark::of(loss("chess", Meaning::Opinion(0), Meaning::LossIn(4))), Some(Mark::Blunder));
    }

    #[test]
    fn discs_count_the_same_whoever_is_ahead_and_however_certain_they_are() {
        for from in [-40, 0, 40] {
            for (discs, mark) in
                [(1, None), (2, Some(Mark::Inaccuracy)), (4, Some(Mark::Mistake)), (6, Some(Mark::Blunder))]
            {
                let certain = loss("othello", Meaning::Margin(from), Meaning::Margin(from - discs));
                let opinion = loss("othello", Meaning::Opinion(100 * from), Meaning::Margin(from - discs));
                assert_eq!((Mark::of(certain), Mark::of(opinion)), (mark, mark), "{discs} discs from {from}");
            }
        }
    }

    #[test]
    fn what_the_other_player_loses_is_not_lost() {
        let scale = scale("chess");
        let [good, bad] = [50, -300].map(|centi| scale.value(Meaning::Opinion(centi), None));
        assert_eq!(scale.loss(&bad, &good, true).0, 0.0);
        assert!(scale.loss(&bad, &good, false).0 > 0.2);
    }

    #[test]
    fn a_turn_that_costs_as_much_as_a_blunder_is_half_accurate() {
        assert_eq!(accuracy(0.0), 1.0);
        assert!((accuracy(0.15) - 0.5).abs() < 1e-9);
        assert!((accuracy(0.30) - 0.25).abs() < 1e-9);
    }

    #[test]
    fn evaluations_are_written_as_other_programs_write_them() {
        let eval = |game: &str, score| scale(game).eval(score);
        assert_eq!(eval("chess", Meaning::Opinion(-31)), "-0.31");
        assert_eq!(eval("chess", Meaning::WinIn(5)), "#3");
        assert_eq!(eval("chess", Meaning::LossIn(4)), "#-2");
        assert_eq!(eval("othello", Meaning::Margin(-6)), "-6");
    }
}
