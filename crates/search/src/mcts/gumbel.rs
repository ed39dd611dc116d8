//! Planning with Gumbel noise (Danihelka, Guez, Schrittwieser and Silver 2022): which moves of a root are considered, how playouts are shared among them, which
//! move is played, and the policy that is learned from it all.
//!
//! Each move has a logit, by the policy, and noise of its own from Gumbel's distribution; the moves with the largest sums of both are a draw from the policy without
//! replacement. *Sequential halving* gives these equally many playouts, then the better half of them, and so on. What they are ordered by is
//! g + logit + σ(q), with σ(q) = (c_visit + max N) · c_scale · q and q between 0 and 1. A move that was never tried is taken to be worth the mean of the
//! network's value and the values that were found, these weighted by the policy (*v_mix*): so all moves have a value, and softmax(logit + σ(q)) is a policy that is
//! no worse than the network's, even after a handful of playouts.
//!
//! All of this is arithmetic about numbers. [`root_rule`](super::root_rule) brings it to a tree.

use outplay_core::Rng;

/// How values count beside the policy: σ(q) = (`visits` + the most visits of a move) · `scale` · q.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ValueScale {
    /// Visits that are taken for granted.
    pub visits: f64,
    /// How much each of them counts.
    pub scale: f64,
}

impl Default for ValueScale {
    /// As published for Go and chess.
    fn default() -> ValueScale {
        ValueScale { visits: 50.0, scale: 1.0 }
    }
}

/// A move among others.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Arm {
    pub logit: f64,
    /// Its noise; 0 for none.
    pub gumbel: f64,
    /// Playouts that have gone there, or are on their way.
    pub visits: u32,
    /// What they have found, from -1 to 1 for the player who chooses; `None` as long as none is back.
    pub q: Option<f64>,
}

/// A number from Gumbel's distribution.
pub(super) fn gumbel(rng: &mut Rng) -> f64 {
    // Never 0 and never 1, so that it is finite.
    let unit = ((rng.next_u64() >> 12) as f64 + 0.5) / (1u64 << 52) as f64;
    -(-unit.ln()).ln()
}

/// For each playout of a budget that is shared among so many moves by sequential halving: how many visits the move has that it goes to. Of those with as many, it
/// goes to the one that looks best.
///
/// There are ⌈log2 moves⌉ phases, which have equal parts of the budget. In each, every move that is left gets equally many visits, one at least; half of
/// them, rounded down, are left for the next. The last two share whatever remains.
pub(super) fn halving(moves: usize, budget: usize) -> Vec<u32> {
    if moves < 2 {
        return (0..budget as u32).collect();
    }
    let phases = moves.next_power_of_two().ilog2() as usize;
    let (mut order, mut left, mut visits) = (Vec::with_capacity(budget), moves, 0);
    while order.len() < budget {
        let rounds = (budget / (phases * left)).max(1);
        for round in 0..rounds as u32 {
            order.extend(std::iter::repeat_n(visits + round, left));
        }
        visits += rounds as u32;
        left = (left / 2).max(2);
    }
    order.truncate(budget);
    order
}

/// Arms with a value for each of them.
pub(super) struct Completed<'a> {
    arms: &'a [Arm],
    /// What a move is worth that was never tried.
    mixed: f64,
    /// What a whole unit of q adds to a logit, for q between 0 and 1.
    weight: f64,
}

impl<'a> Completed<'a> {
    /// Of the moves of a position that is worth `value` at first sight. Arms without visits may be left out, but for what is asked of them.
    pub fn new(arms: &'a [Arm], value: f64, scale: ValueScale) -> Completed<'a> {
        let (mut visits, mut policy, mut found) = (0.0, 0.0, 0.0);
        for arm in arms {
            if let Some(q) = arm.q {
                let prior = arm.logit.exp();
                visits += f64::from(arm.visits);
                policy += prior;
                found += prior * q;
            }
        }
        let mean = if policy > 0.0 { found / policy } else { value };
        let most = arms.iter().map(|arm| arm.visits).max().unwrap_or(0);
        Completed {
            arms,
            mixed: (value + visits * mean) / (1.0 + visits),
            weight: (scale.visits + f64::from(most)) * scale.scale,
        }
    }

    /// σ of a value between -1 and 1; that of a move without one if there is none.
    pub fn sigma(&self, q: Option<f64>) -> f64 {
        self.weight * (q.unwrap_or(self.mixed) + 1.0) / 2.0
    }

    /// What a move that was never tried is worth.
    #[cfg(test)]
    pub fn mixed(&self) -> f64 {
        self.mixed
    }

    /// g + logit + σ(q) of an arm: what moves are chosen by.
    pub fn score(&self, number: usize) -> f64 {
        let arm = &self.arms[number];
        arm.gumbel + arm.logit + self.sigma(arm.q)
    }

    /// The best of some arms by that, the first of equals.
    pub fn best(&self, numbers: impl Iterator<Item = usize>) -> Option<usize> {
        let scored = numbers.map(|number| (number, self.score(number)));
        scored.reduce(|best, other| if other.1 > best.1 { other } else { best }).map(|(number, _)| number)
    }

    /// The next arm, if a playout is due to one with so many visits. Where playouts have come to nothing there may be none with as many: then it is one of those that come
    /// next below.
    pub fn next(&self, due: u32) -> Option<usize> {
        let visits = self.arms.iter().map(|arm| arm.visits).filter(|&visits| visits <= due).max()?;
        self.best((0..self.arms.len()).filter(|&number| self.arms[number].visits == visits))
    }

    /// The improved policy: softmax(logit + σ(q)) over all arms.
    pub fn policy(&self) -> Vec<f64> {
        let logits: Vec<f64> = self.arms.iter().map(|arm| arm.logit + self.sigma(arm.q)).collect();
        let top = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logits.iter().map(|logit| (logit - top).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }
}

/// The numbers of the arms with the largest g + logit, so many of them, the best first; of equals the first.
pub(super) fn considered(arms: &[Arm], most: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..arms.len()).collect();
    let key = |number: usize| arms[number].gumbel + arms[number].logit;
    order.sort_by(|&a, &b| key(b).total_cmp(&key(a)));
    order.truncate(most);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sequential halving as it is told: phase by phase, with a list of who is left. How many visits each move has in the end, if the first moves are the best.
    fn told(moves: usize, budget: usize) -> Vec<u32> {
        let mut visits = vec![0; moves];
        let mut spent = 0;
        let mut phases = 0;
        while 1 << phases < moves {
            phases += 1;
        }
        let mut left: Vec<usize> = (0..moves).collect();
        while spent < budget {
            let each = match phases {
                0 => budget,
                _ => (budget / (phases * left.len())).max(1),
            };
            for _ in 0..each {
                for &one in &left {
                    if spent < budget {
                        visits[one] += 1;
                        spent += 1;
                    }
                }
            }
            let half = if left.len() / 2 >= 2 { left.len() / 2 } else { 2 };
            left.truncate(half);
        }
        visits
    }

    #[test]
    fn sequential_halving_gives_the_visits_of_its_definition() {
        for moves in 1..=16 {
            for budget in moves..=200 {
                let arm = |number: usize| Arm { logit: -(number as f64), gumbel: 0.0, visits: 0, q: None };
                let mut arms: Vec<Arm> = (0..moves).map(arm).collect();
                let order = halving(moves, budget);
                assert_eq!(order.len(), budget);
                for &due in &order {
                    let completed = Completed::new(&arms, 0.0, ValueScale::default());
                    let next = completed.next(due).expect("a move");
                    assert_eq!(arms[next].visits, due, "{moves} moves, {budget} playouts");
                    arms[next].visits += 1;
                    // All are worth the same, so that the order of the logits stays.
                    arms[next].q = Some(0.0);
                }
                let visits: Vec<u32> = arms.iter().map(|arm| arm.visits).collect();
                assert_eq!(visits, told(moves, budget), "{moves} moves, {budget} playouts");
                assert!(visits.iter().all(|&visits| visits > 0));
            }
        }
    }

    #[test]
    fn the_published_example_has_its_visits() {
        // 16 moves and 200 playouts: four phases of 16, 8, 4 and 2 moves with 3, 6, 12 and 25 visits each; what is left goes to the last two.
        assert_eq!(
            told(16, 200),
            [49, 49, 21, 21, 9, 9, 9, 9, 3, 3, 3, 3, 3, 3, 3, 3].map(|n| n),
            "200 - 48 - 48 - 48 = 56 for two"
        );
        assert_eq!(halving(16, 32)[16..24], [1; 8]);
    }

    /// A bandit: fixed priors, and a value for each arm.
    struct Bandit {
        logits: Vec<f64>,
        values: Vec<f64>,
    }

    impl Bandit {
        fn random(rng: &mut Rng) -> Bandit {
            let moves = 1 + rng.below(20);
            let logits: Vec<f64> = (0..moves).map(|_| 4.0 * rng.unit()).collect();
            let norm = logits.iter().map(|logit| logit.exp()).sum::<f64>().ln();
            // Often all are lost, or all are won: the scale must not care.
            let (low, width) = [(-1.0, 2.0), (-1.0, 0.2), (0.8, 0.2), (0.0, 0.0)][rng.below(4)];
            let values = (0..moves).map(|_| low + width * rng.unit()).collect();
            Bandit { logits: logits.into_iter().map(|logit| logit - norm).collect(), values }
        }

        fn expected(&self) -> f64 {
            self.logits.iter().zip(&self.values).map(|(logit, q)| logit.exp() * q).sum()
        }

        /// What the search does, with the functions above: the arms, and the one that is played.
        fn play(&self, most: usize, budget: usize, rng: &mut Rng) -> (Vec<Arm>, usize) {
            let arm = |&logit: &f64| Arm { logit, gumbel: gumbel(rng), visits: 0, q: None };
            let mut arms: Vec<Arm> = self.logits.iter().map(arm).collect();
            let chosen = considered(&arms, most.min(budget));
            for due in halving(chosen.len(), budget) {
                let few: Vec<Arm> = chosen.iter().map(|&number| arms[number]).collect();
                let completed = Completed::new(&few, self.expected(), ValueScale::default());
                let number = chosen[completed.next(due).expect("a move")];
                arms[number].visits += 1;
                arms[number].q = Some(self.values[number]);
            }
            let most = arms.iter().map(|arm| arm.visits).max().expect("a move");
            let completed = Completed::new(&arms, self.expected(), ValueScale::default());
            let played = completed.best((0..arms.len()).filter(|&number| arms[number].visits == most));
            (arms.clone(), played.expect("a move"))
        }
    }

    /// v_mix, σ and the improved policy once more, from the formulas as they are printed.
    fn by_the_paper(arms: &[Arm], value: f64, scale: ValueScale) -> (f64, Vec<f64>) {
        let visited: Vec<&Arm> = arms.iter().filter(|arm| arm.visits > 0).collect();
        let sum_n: f64 = visited.iter().map(|arm| f64::from(arm.visits)).sum();
        let sum_p: f64 = visited.iter().map(|arm| arm.logit.exp()).sum();
        let sum_pq: f64 = visited.iter().map(|arm| arm.logit.exp() * arm.q.expect("visited")).sum();
        let ratio = if visited.is_empty() { 0.0 } else { sum_n / sum_p };
        let v_mix = 1.0 / (1.0 + sum_n) * (value + ratio * sum_pq);
        let max_n = visited.iter().map(|arm| arm.visits).max().unwrap_or(0);
        let exps: Vec<f64> = arms
            .iter()
            .map(|arm| {
                let completed = if arm.visits > 0 { arm.q.expect("visited") } else { v_mix };
                let unit = (completed + 1.0) / 2.0;
                (arm.logit + (scale.visits + f64::from(max_n)) * scale.scale * unit).exp()
            })
            .collect();
        let norm: f64 = exps.iter().sum();
        (v_mix, exps.into_iter().map(|exp| exp / norm).collect())
    }

    #[test]
    fn completed_values_and_the_improved_policy_are_those_of_the_paper() {
        let mut rng = Rng::new(11);
        for _ in 0..500 {
            let bandit = Bandit::random(&mut rng);
            let budget = 1 + rng.below(60);
            let (arms, played) = bandit.play(1 + rng.below(16), budget, &mut rng);
            let scale = ValueScale { visits: 100.0 * rng.unit(), scale: rng.unit() };
            let (value, completed) = (bandit.expected(), Completed::new(&arms, bandit.expected(), scale));
            let (v_mix, policy) = by_the_paper(&arms, value, scale);
            assert!((completed.mixed() - v_mix).abs() < 1e-12);
            assert!(completed.policy().iter().zip(&policy).all(|(a, b)| (a - b).abs() < 1e-9));
            assert_eq!(arms.iter().map(|arm| arm.visits).sum::<u32>(), budget as u32);
            // No move that was not considered has a visit, and the one that is played has the most.
            assert!(arms.iter().all(|arm| arm.visits <= arms[played].visits));
        }
    }

    #[test]
    fn the_policy_improves_on_random_bandits() {
        let mut rng = Rng::new(12);
        for round in 0..60 {
            let bandit = Bandit::random(&mut rng);
            let (most, budget) = (1 + rng.below(16), 1 + rng.below(40));
            let games = 400;
            let draws: Vec<f64> =
                (0..games).map(|_| bandit.values[bandit.play(most, budget, &mut rng).1]).collect();
            let mean = draws.iter().sum::<f64>() / f64::from(games);
            let spread = draws.iter().map(|q| (q - mean).powi(2)).sum::<f64>() / f64::from(games);
            let error = (spread / f64::from(games)).sqrt();
            assert!(mean >= bandit.expected() - 4.0 * error - 1e-9, "{round}: {mean}");
            // And the one that is learned is better for sure: that is no matter of chance.
            let (arms, _) = bandit.play(most, budget, &mut rng);
            let completed = Completed::new(&arms, bandit.expected(), ValueScale::default());
            let learned: f64 = completed.policy().iter().zip(&bandit.values).map(|(p, q)| p * q).sum();
            let all_tried = arms.iter().all(|arm| arm.visits > 0);
            assert!(!all_tried || learned >= bandit.expected() - 1e-9, "{round}");
        }
    }

    #[test]
    fn without_values_moves_are_drawn_as_the_policy_says_and_no_move_twice() {
        let logits = [0.5f64, 0.3, 0.15, 0.05].map(f64::ln);
        let mut rng = Rng::new(13);
        let (mut first, mut second) = ([0u32; 4], [0u32; 4]);
        for _ in 0..40_000 {
            let arms = logits.map(|logit| Arm { logit, gumbel: gumbel(&mut rng), visits: 0, q: None });
            let drawn = considered(&arms, 2);
            assert!(drawn.len() == 2 && drawn[0] != drawn[1]);
            first[drawn[0]] += 1;
            second[drawn[1]] += 1;
        }
        let share = |count: u32| f64::from(count) / 40_000.0;
        for (number, logit) in logits.iter().enumerate() {
            assert!((share(first[number]) - logit.exp()).abs() < 0.01, "{first:?}");
            // Second: any other one first, then this one among the rest.
            let p = logit.exp();
            let others = logits.iter().enumerate().filter(|&(other, _)| other != number);
            let expected: f64 = others.map(|(_, other)| other.exp() * p / (1.0 - other.exp())).sum();
            assert!((share(second[number]) - expected).abs() < 0.01, "{second:?}");
        }
    }

    #[test]
    fn equal_moves_are_taken_in_their_order() {
        let arms = [Arm { logit: -1.0, gumbel: 0.0, visits: 0, q: None }; 5];
        assert_eq!(considered(&arms, 3), [0, 1, 2]);
        assert_eq!(Completed::new(&arms, 0.0, ValueScale::default()).next(0), Some(0));
        assert_eq!(considered(&[], 3), Vec::<usize>::new());
        assert_eq!(Completed::new(&[], 0.0, ValueScale::default()).next(0), None);
    }
}
