//! Contempt: evaluations rescaled to the strength of those who play.
//!
//! An evaluator evaluates positions as if two equal players of its own strength went on from there. Its chances are taken as a logistic
//! curve: with the advantage μ and the uncertainty s, a player wins with σ((μ - 1) / s) and loses with σ((-μ - 1) / s). Other players are as
//! uncertain as `ratio` times s; one who is stronger than the other has an advantage that is larger by `shift`, counted in units of s².
//! Certain results stay certain. The names of the settings, and the fitted constants below, are lc0's.

use std::f64::consts::LN_10;

use outplay_core::Player;

use super::evaluate::LeafValue;
use super::options::{ContemptMode, MctsOptions};

/// Chances that are nearer to 0 or 1 than this are certain, and are left as they are.
const NEARLY: f64 = 1e-4;

/// Chances as a logistic curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Logistic {
    /// The advantage; at 1, the game is as likely to be won as not.
    pub mu: f64,
    /// How uncertain the result is for a given advantage.
    pub s: f64,
}

impl Logistic {
    /// The curve with these chances, given as wins minus losses and draws; `None` if one of win, draw and loss is nearly certain.
    pub fn of(wl: f64, draws: f64) -> Option<Logistic> {
        let (win, loss) = ((1.0 - draws + wl) / 2.0, (1.0 - draws - wl) / 2.0);
        let is_open = |chance: f64| chance > NEARLY && chance < 1.0 - NEARLY;
        if !(is_open(win) && is_open(draws) && is_open(loss)) {
            return None;
        }
        let (not_lost, not_won) = ((1.0 / loss - 1.0).ln(), (1.0 / win - 1.0).ln());
        let sum = not_lost + not_won;
        Some(Logistic { mu: (not_lost - not_won) / sum, s: 2.0 / sum })
    }

    /// Wins minus losses, and draws.
    pub fn chances(self) -> (f64, f64) {
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let (win, loss) = (sigmoid((self.mu - 1.0) / self.s), sigmoid((-self.mu - 1.0) / self.s));
        (win - loss, (1.0 - win - loss).max(0.0))
    }
}

/// How evaluations are changed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Rescale {
    /// How much more uncertain the players are than the evaluator thinks.
    ratio: f64,
    /// The advantage of the first player for being stronger, in units of s².
    shift: f64,
    /// The largest uncertainty that is believed.
    most_s: f64,
    /// How much of that advantage is taken away again from what is shown.
    objectivity: f64,
}

impl Rescale {
    /// What the settings ask for; `None` if evaluations stay as they are, as those of evaluators that know no draws do. Which player is stronger must be settled: see
    /// [`MctsOptions::with_contempt_for`].
    pub fn new(options: &MctsOptions, tells_draws: bool) -> Option<Rescale> {
        let contempt = options.contempt.clamp(-options.contempt_max_value, options.contempt_max_value);
        let (ratio, shift) = match options.wdl_calibration_elo {
            0.0 => by_draw_rate(options, contempt),
            elo => by_rating(options, elo, contempt),
        };
        let side = match options.contempt_mode {
            ContemptMode::FirstSideAnalysis => 1.0,
            ContemptMode::SecondSideAnalysis => -1.0,
            ContemptMode::Play | ContemptMode::Disable => 0.0,
        };
        let shift = side * shift * options.wdl_contempt_attenuation;
        let (most_s, objectivity) = (options.wdl_max_s, options.wdl_eval_objectivity);
        let changes = tells_draws && (ratio != 1.0 || shift != 0.0);
        changes.then_some(Rescale { ratio, shift, most_s, objectivity })
    }

    /// An evaluation for the player to move, as it goes into the tree.
    pub fn value(&self, value: LeafValue, mover: Player) -> LeafValue {
        let (wl, draws) = (f64::from(value.win_minus_loss), f64::from(value.draw));
        let Some(Logistic { mu, s }) = Logistic::of(wl, draws) else { return value };
        let s = s.min(self.most_s);
        let shifted = Logistic { mu: mu + self.shift_for(mover) * s * s, s: s * self.ratio };
        let (wl, draws) = shifted.chances();
        LeafValue { win_minus_loss: wl as f32, draw: draws as f32, ..value }
    }

    /// Chances from the tree as they are shown, both for `player`: the evaluator's own uncertainty, and as much contempt as its objectivity leaves.
    pub fn shown(&self, (wl, draws): (f64, f64), player: Player) -> (f64, f64) {
        let Some(Logistic { mu, s }) = Logistic::of(wl, draws) else { return (wl, draws) };
        let s = (s / self.ratio).min(self.most_s);
        Logistic { mu: mu - self.objectivity * self.shift_for(player) * s * s, s }.chances()
    }

    fn shift_for(&self, player: Player) -> f64 {
        if player == Player::First { self.shift } else { -self.shift }
    }
}

impl MctsOptions {
    /// The settings of a search for `mover`, in which the player to be favoured is settled: the one to move in a game, and nobody in a search
    /// without end.
    pub(super) fn with_contempt_for(&self, mover: Player, is_endless: bool) -> MctsOptions {
        let contempt_mode = match (self.contempt_mode, mover) {
            // Trees of the same game may then be used for either player.
            _ if self.contempt == 0.0 => ContemptMode::Disable,
            (ContemptMode::Play, _) if is_endless => ContemptMode::Disable,
            (ContemptMode::Play, Player::First) => ContemptMode::FirstSideAnalysis,
            (ContemptMode::Play, Player::Second) => ContemptMode::SecondSideAnalysis,
            (settled, _) => settled,
        };
        MctsOptions { contempt_mode, ..*self }
    }
}

/// The uncertainty of a player for whom even games are drawn so often.
fn scale_of(draw_rate: f64) -> f64 {
    1.0 / ((1.0 + draw_rate) / (1.0 - draw_rate)).ln()
}

/// The ratio and the shift for a target of the draw rate. At the end of the opening, where the advantage is `wdl_book_exit_bias`, the expected
/// score grows by as much as it does with a rating difference of `contempt` between equal players.
fn by_draw_rate(options: &MctsOptions, contempt: f64) -> (f64, f64) {
    let reference = scale_of(options.wdl_draw_rate_reference);
    let target = match options.wdl_draw_rate_target {
        0.0 => reference,
        rate => scale_of(rate.max(0.001)),
    };
    let steepness = |distance: f64| (distance / (2.0 * target)).cosh().powi(-2);
    let bias = options.wdl_book_exit_bias;
    let advantage = LN_10 / 200.0 * contempt * target / (steepness(1.0 - bias) + steepness(1.0 + bias));
    (target / reference, advantage / (reference * reference))
}

/// The ratio and the shift for a player of this rating, and an opponent whose is lower by `contempt`.
fn by_rating(options: &MctsOptions, rating: f64, contempt: f64) -> (f64, f64) {
    let reference = scale_of(options.wdl_draw_rate_reference);
    let (own, other) = (pair_rating(rating), pair_rating(rating - contempt));
    let target = ((scale_at(own).powi(2) + scale_at(other).powi(2)) / 2.0).sqrt();
    let advantage = LN_10 / 200.0 * (scale_integral(own) - scale_integral(other));
    (target / reference, advantage / (reference * reference))
}

/// The uncertainty of weak players, the rating over which it falls by a factor of e, and where that begins: fitted to engines of known strength.
const WEAK_SCALE: f64 = 15.0;
const RATING_SLOPE: f64 = 425.0;
const RATING_OFFSET: f64 = 6.75;
/// Where ratings from single games and ratings from pairs of games with the same opening part, and how sharply.
const PAIR_MIDPOINT: f64 = 2737.0;
const PAIR_SHARPNESS: f64 = 250.0;

/// The rating that pairs of games from unbalanced openings would give.
fn pair_rating(rating: f64) -> f64 {
    rating + PAIR_SHARPNESS / 2.0 * ((PAIR_MIDPOINT - rating) / PAIR_SHARPNESS).exp().ln_1p()
}

/// The uncertainty of a player of this rating.
fn scale_at(rating: f64) -> f64 {
    1.0 / (1.0 / WEAK_SCALE + (rating / RATING_SLOPE - RATING_OFFSET).exp())
}

/// The integral of the uncertainty, up to a constant.
fn scale_integral(rating: f64) -> f64 {
    let strength = (RATING_OFFSET - rating / RATING_SLOPE).exp();
    -WEAK_SCALE * RATING_SLOPE * (strength / WEAK_SCALE).ln_1p()
}

#[cfg(test)]
mod tests {
    use super::super::options::EvaluatorKind;
    use super::*;

    fn options(change: impl Fn(&mut MctsOptions)) -> MctsOptions {
        let (contempt_mode, evaluator) = (ContemptMode::FirstSideAnalysis, EvaluatorKind::Random);
        let mut options = MctsOptions { contempt_mode, evaluator, ..Default::default() };
        change(&mut options);
        options
    }

    fn rescale(change: impl Fn(&mut MctsOptions)) -> Rescale {
        Rescale::new(&options(change), true).expect("something to change")
    }

    /// Chances all over the triangle of win, draw and loss.
    fn chances() -> impl Iterator<Item = (f64, f64)> {
        let each = (1..20).flat_map(|win| (1..20 - win).map(move |draw| (win, draw)));
        each.map(|(win, draw)| {
            let (win, draw) = (f64::from(win) / 20.0, f64::from(draw) / 20.0);
            (2.0 * win - 1.0 + draw, draw)
        })
    }

    fn value(wl: f64, draws: f64) -> LeafValue {
        LeafValue { win_minus_loss: wl as f32, draw: draws as f32, moves_left: 17.0 }
    }

    #[test]
    fn chances_come_back_from_the_curve_as_they_were() {
        for (wl, draws) in chances() {
            let (again, draws_again) = Logistic::of(wl, draws).expect("open").chances();
            assert!((wl - again).abs() < 1e-9 && (draws - draws_again).abs() < 1e-9, "{wl} {draws}");
        }
        // σ(-1 / s) = 1/4 for s = 1 / ln 3; at an advantage of 1, half of the games are won.
        let even = Logistic::of(0.0, 0.5).expect("open");
        assert!(even.mu.abs() < 1e-12 && (even.s - 1.0 / 3f64.ln()).abs() < 1e-12);
        let winning = Logistic { mu: 1.0, s: 0.5 }.chances();
        let loss = 1.0 / (1.0 + 4f64.exp());
        assert!((winning.0 - (0.5 - loss)).abs() < 1e-12 && (winning.1 - (0.5 - loss)).abs() < 1e-12);
    }

    #[test]
    fn nothing_changes_by_default_and_what_is_certain_never_changes() {
        let plain = |o: &MctsOptions| Rescale::new(&o.with_contempt_for(Player::First, false), true);
        assert_eq!(plain(&MctsOptions::default()), None);
        assert_eq!(plain(&options(|o| (o.contempt, o.contempt_mode) = (100.0, ContemptMode::Disable))), None);
        assert_eq!(plain(&options(|o| (o.contempt, o.contempt_max_value) = (100.0, 0.0))), None);
        let much = rescale(|o| (o.contempt, o.wdl_draw_rate_target) = (400.0, 0.8));
        for (wl, draws) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.3, 0.0), (0.5, 0.5), (0.0, 0.999_95)] {
            let before = value(wl, draws);
            assert_eq!(much.value(before, Player::First), before, "{wl} {draws}");
            assert_eq!(much.shown((wl, draws), Player::First), (wl, draws));
        }
    }

    #[test]
    fn both_players_see_the_same_position_from_two_sides() {
        let contempt = rescale(|o| (o.contempt, o.wdl_draw_rate_target) = (150.0, 0.7));
        for (wl, draws) in chances() {
            let first = contempt.value(value(wl, draws), Player::First);
            let second = contempt.value(value(-wl, draws), Player::Second);
            assert!((first.win_minus_loss + second.win_minus_loss).abs() < 1e-5, "{wl} {draws}");
            assert!((first.draw - second.draw).abs() < 1e-5 && first.moves_left == 17.0);
            let other = rescale(|o| {
                (o.contempt, o.wdl_draw_rate_target) = (150.0, 0.7);
                o.contempt_mode = ContemptMode::SecondSideAnalysis;
            });
            let turned = other.value(value(-wl, draws), Player::First);
            assert!((first.win_minus_loss + turned.win_minus_loss).abs() < 1e-5, "{wl} {draws}");
        }
    }

    #[test]
    fn more_contempt_makes_more_of_every_position_and_a_higher_draw_rate_more_draws() {
        for (wl, draws) in chances() {
            let value = |contempt: f64| {
                let rescale = rescale(|o| o.contempt = contempt);
                rescale.value(value(wl, draws), Player::First).win_minus_loss
            };
            let values = [-400.0, -50.0, 50.0, 150.0, 400.0].map(value);
            assert!(values.is_sorted_by(|a, b| a < b), "{wl} {draws}: {values:?}");
            assert_eq!(value(1_000.0), value(420.0), "no more than contempt_max_value");
        }
        let draws = [0.6, 0.7, 0.9].map(|rate| {
            rescale(|o| o.wdl_draw_rate_target = rate).value(value(0.0, 0.5), Player::First).draw
        });
        // An even position of the reference rate gets the target rate.
        assert!(
            draws.iter().zip([0.6, 0.7, 0.9]).all(|(draw, rate)| (draw - rate).abs() < 1e-6),
            "{draws:?}"
        );
    }

    #[test]
    fn what_is_shown_is_what_the_evaluator_said() {
        let both = |objectivity: f64| {
            rescale(|o| {
                (o.contempt, o.wdl_draw_rate_target) = (120.0, 0.7);
                (o.wdl_max_s, o.wdl_eval_objectivity) = (10.0, objectivity);
            })
        };
        for (wl, draws) in chances() {
            for player in Player::BOTH {
                let inside = both(1.0).value(value(wl, draws), player);
                let inside = (f64::from(inside.win_minus_loss), f64::from(inside.draw));
                if Logistic::of(inside.0, inside.1).is_none() {
                    continue;
                }
                let shown = both(1.0).shown(inside, player);
                assert!((shown.0 - wl).abs() < 1e-3 && (shown.1 - draws).abs() < 1e-3, "{wl} {draws}");
                let half = both(0.5).shown(inside, player).0;
                let none = both(0.0).shown(inside, player).0;
                assert!((half - wl) * (none - wl) > 0.0 && (half - wl).abs() < (none - wl).abs());
            }
        }
    }

    #[test]
    fn contempt_is_worth_its_rating_where_the_opening_ends() {
        // Ten points of rating are an expected score of 1 / (1 + 10^(-10 / 400)), for which half of W - L stands at an even position.
        let expected = 1.0 / (1.0 + 10f64.powf(-10.0 / 400.0)) - 0.5;
        let rescale = rescale(|o| (o.contempt, o.wdl_book_exit_bias) = (10.0, 0.0));
        let even = rescale.value(value(0.0, 0.5), Player::First);
        assert!((f64::from(even.win_minus_loss) / 2.0 / expected - 1.0).abs() < 1e-3, "{even:?}");
    }

    #[test]
    fn ratings_give_the_values_of_the_fit() {
        // Computed apart from this program, the integral by Simpson's rule.
        let by = |rating: f64, contempt: f64| by_rating(&options(|_| ()), rating, contempt);
        for (rating, contempt, ratio, shift) in RATINGS {
            let found = by(rating, contempt);
            assert!((found.0 / ratio - 1.0).abs() < 1e-9, "{rating}: {found:?}");
            assert!((found.1 - shift).abs() < 1e-9 * shift.abs().max(1.0), "{rating}: {found:?}");
        }
    }

    /// Rating, contempt, ratio, shift.
    const RATINGS: [(f64, f64, f64, f64); 3] = [
        (3000.0, 0.0, 0.7069990960497, 0.0),
        (2800.0, 150.0, 1.1728296758082, 1.6360215527714),
        (1500.0, -200.0, 4.2556965910686, -5.4103550775008),
    ];

    #[test]
    fn contempt_is_for_the_player_to_move_in_a_game_and_for_nobody_in_a_search_without_end() {
        let play = options(|o| (o.contempt, o.contempt_mode) = (100.0, ContemptMode::Play));
        let mode = |mover, is_endless| play.with_contempt_for(mover, is_endless).contempt_mode;
        assert_eq!(mode(Player::First, false), ContemptMode::FirstSideAnalysis);
        assert_eq!(mode(Player::Second, false), ContemptMode::SecondSideAnalysis);
        assert_eq!(mode(Player::Second, true), ContemptMode::Disable);
        let analysis = options(|o| o.contempt = 100.0).with_contempt_for(Player::Second, true);
        assert_eq!(analysis.contempt_mode, ContemptMode::FirstSideAnalysis);
    }
}
