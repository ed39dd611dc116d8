//! Chance in the choice of moves: noise on the policy of the root, and moves played by lot.

use outplay_core::Rng;

use super::options::MctsOptions;

/// Mixes noise into probabilities: `1 - epsilon` of each, and `epsilon` of a draw from Dirichlet's distribution.
pub fn add_noise(probabilities: &mut [f32], epsilon: f64, alpha: f64, rng: &mut Rng) {
    let draws: Vec<f64> = probabilities.iter().map(|_| gamma(alpha, rng)).collect();
    let sum: f64 = draws.iter().sum();
    if sum > 0.0 {
        for (probability, draw) in probabilities.iter_mut().zip(draws) {
            *probability = ((1.0 - epsilon) * f64::from(*probability) + epsilon * draw / sum) as f32;
        }
    }
}

/// A number from the gamma distribution of this shape (Marsaglia and Tsang 2000).
fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    if shape < 1.0 {
        // One of a larger shape, scaled down.
        return gamma(shape + 1.0, rng) * (1.0 - rng.unit()).powf(1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && (1.0 - rng.unit()).ln() < 0.5 * x * x + d * (1.0 - v + v.ln()) {
            return d * v;
        }
    }
}

/// A number from the normal distribution (Box and Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.unit()).cos()
}

/// A move that may be played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chance {
    pub visits: u32,
    /// The mean value for the player who chooses.
    pub q: f64,
    pub prior: f64,
}

impl MctsOptions {
    /// The temperature at a move of the game, counted from 0 and by both players together.
    pub(super) fn temperature_at(&self, ply: usize) -> f64 {
        let moves = (ply / 2) as f64;
        if self.temp_cutoff_move > 0 && moves + 1.0 >= f64::from(self.temp_cutoff_move) {
            return self.temp_endgame;
        }
        let decaying = moves - f64::from(self.tempdecay_delay_moves);
        if self.temperature == 0.0 || self.tempdecay_moves == 0 || decaying <= 0.0 {
            return self.temperature;
        }
        let left = 1.0 - decaying / f64::from(self.tempdecay_moves);
        (self.temperature * left).max(self.temp_endgame).max(0.0)
    }

    /// Draws a move by lot, most visits most likely; the number of the move, `None` if there is none or chance plays no part.
    pub(super) fn draw(&self, moves: &[Chance], ply: usize, rng: &mut Rng) -> Option<usize> {
        let temperature = self.temperature_at(ply);
        if temperature <= 0.0 {
            return None;
        }
        let most = moves.iter().max_by_key(|chance| chance.visits)?;
        let adjusted = |visits: u32| (f64::from(visits) + self.temp_visit_offset).max(0.0);
        let is_in_reach = |chance: &Chance| chance.q >= most.q - self.temp_value_cutoff / 50.0;
        let weight = |chance: &Chance| match is_in_reach(chance) {
            false => 0.0,
            true if adjusted(most.visits) > 0.0 => {
                (adjusted(chance.visits) / adjusted(most.visits)).powf(1.0 / temperature)
            }
            // Nobody has enough visits to count.
            true => chance.prior,
        };
        let weights: Vec<f64> = moves.iter().map(weight).collect();
        let mut lot = rng.unit() * weights.iter().sum::<f64>();
        let drawn = weights.iter().position(|weight| {
            lot -= weight;
            lot < 0.0
        });
        drawn.or_else(|| weights.iter().rposition(|&weight| weight > 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gamma_has_its_mean_and_its_variance() {
        for shape in [0.3, 1.0, 2.5, 10.0] {
            let mut rng = Rng::new(3);
            let draws: Vec<f64> = (0..100_000).map(|_| gamma(shape, &mut rng)).collect();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / draws.len() as f64;
            // Both are the shape.
            assert!((mean / shape - 1.0).abs() < 0.03, "mean {mean} of {shape}");
            assert!((variance / shape - 1.0).abs() < 0.06, "variance {variance} of {shape}");
        }
    }

    #[test]
    fn noise_leaves_probabilities_that_sum_to_one() {
        let mut rng = Rng::new(5);
        for epsilon in [0.0, 0.25, 1.0] {
            let mut probabilities = [0.7, 0.2, 0.1];
            add_noise(&mut probabilities, epsilon, 0.3, &mut rng);
            assert!((probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            let floor = 0.7 * (1.0 - epsilon as f32) - 1e-6;
            assert!(probabilities[0] >= floor && (epsilon > 0.0 || probabilities == [0.7, 0.2, 0.1]));
        }
    }

    fn options(change: impl Fn(&mut MctsOptions)) -> MctsOptions {
        let mut options = MctsOptions::default();
        change(&mut options);
        options
    }

    #[test]
    fn the_temperature_waits_falls_and_is_cut_off() {
        let decaying = options(|o| {
            (o.temperature, o.tempdecay_moves, o.tempdecay_delay_moves, o.temp_endgame) = (1.0, 10, 2, 0.1);
        });
        for (ply, expected) in [(0, 1.0), (4, 1.0), (6, 0.9), (14, 0.5), (40, 0.1)] {
            assert!((decaying.temperature_at(ply) - expected).abs() < 1e-9, "{ply}");
        }
        let cut = options(|o| (o.temperature, o.temp_cutoff_move) = (1.0, 5));
        assert_eq!([0, 7, 8, 50].map(|ply| cut.temperature_at(ply)), [1.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn moves_are_drawn_in_proportion_to_their_visits_within_reach_of_the_best() {
        let moves = [(600, 0.5), (300, 0.4), (100, -0.5)].map(|(visits, q)| Chance { visits, q, prior: 0.3 });
        let drawn = |options: &MctsOptions| {
            let mut counts = [0u32; 3];
            let mut rng = Rng::new(9);
            for _ in 0..10_000 {
                counts[options.draw(&moves, 0, &mut rng).expect("a move")] += 1;
            }
            counts.map(|count| f64::from(count) / 10_000.0)
        };
        let near = |found: [f64; 3], expected: [f64; 3]| {
            found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 0.02)
        };
        assert!(near(drawn(&options(|o| o.temperature = 1.0)), [0.6, 0.3, 0.1]));
        assert!(near(drawn(&options(|o| o.temperature = 0.5)), [36.0 / 46.0, 9.0 / 46.0, 1.0 / 46.0]));
        let cut = options(|o| (o.temperature, o.temp_value_cutoff) = (1.0, 10.0));
        assert!(near(drawn(&cut), [2.0 / 3.0, 1.0 / 3.0, 0.0]));
        let offset = options(|o| (o.temperature, o.temp_visit_offset) = (1.0, -100.0));
        assert!(near(drawn(&offset), [5.0 / 7.0, 2.0 / 7.0, 0.0]));
        let nobody = options(|o| (o.temperature, o.temp_visit_offset) = (1.0, -1000.0));
        assert!(near(drawn(&nobody), [1.0 / 3.0; 3]));
        assert_eq!(
            MctsOptions::default().draw(&moves, 0, &mut Rng::new(1)),
            None,
            "the best move by default"
        );
    }
}
