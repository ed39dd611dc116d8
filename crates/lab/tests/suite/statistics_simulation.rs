//! Statistics against simulated matches, whose truth is known.

use outplay_core::Rng;
use outplay_lab::stats::{
    Decision, EloModel, Estimate, GameResult, NELO_PER_T, PairTally, Pentanomial, Sample, Sprt, Wdl,
    elo_from_score, elo_of, nelo_of, score_from_elo,
};

/// Two players and the openings that they play.
///
/// A player who is `advantage` better wins with probability `1 / (1 + 10^((draw_elo - advantage) / 400))`,
/// and loses as the other wins. Each opening favours one colour: what helps in one game of a pair hurts in
/// the other, so that the two results depend on each other.
#[derive(Clone, Copy)]
struct World {
    advantage: f64,
    draw_elo: f64,
    /// What the first colour has from each opening, all openings being equally frequent.
    openings: [f64; 3],
}

impl World {
    /// Sharp openings and middling draws, as in an unbalanced book.
    const SHARP: World = World { advantage: 0.0, draw_elo: 150.0, openings: [-100.0, 100.0, 300.0] };
    /// Balanced openings and many draws.
    const DRAWISH: World = World { advantage: 0.0, draw_elo: 300.0, openings: [0.0, 30.0, 60.0] };

    /// Probabilities of a loss, a draw and a win for a player with this advantage in one game.
    fn game(self, advantage: f64) -> [f64; 3] {
        let (loss, win) =
            (score_from_elo(-advantage - self.draw_elo), score_from_elo(advantage - self.draw_elo));
        [loss, 1.0 - loss - win, win]
    }

    /// Probabilities of a pair's points, from 0 to 2 by halves.
    fn pair(self) -> [f64; 5] {
        let mut probabilities = [0.0; 5];
        for opening in self.openings {
            let (first, second) = (self.game(self.advantage + opening), self.game(self.advantage - opening));
            for (i, p) in first.into_iter().enumerate() {
                for (j, q) in second.into_iter().enumerate() {
                    probabilities[i + j] += p * q / self.openings.len() as f64;
                }
            }
        }
        probabilities
    }

    fn expectation(self, f: impl Fn(f64) -> f64) -> f64 {
        self.pair().into_iter().zip(0u8..).map(|(p, points)| p * f(f64::from(points) / 4.0)).sum()
    }

    fn elo(self) -> f64 {
        elo_from_score(self.expectation(|score| score))
    }

    fn nelo(self) -> f64 {
        let mean = self.expectation(|score| score);
        NELO_PER_T * (mean - 0.5) / (2.0 * self.expectation(|score| (score - mean).powi(2))).sqrt()
    }

    /// The same world with the advantage at which `measure` is `target`.
    fn with(mut self, measure: fn(World) -> f64, target: f64) -> World {
        let (mut low, mut high) = (-1_000.0, 1_000.0);
        for _ in 0..60 {
            self.advantage = f64::midpoint(low, high);
            if measure(self) < target { low = self.advantage } else { high = self.advantage }
        }
        assert!((measure(self) - target).abs() < 1e-6);
        self
    }

    fn play_game(self, advantage: f64, rng: &mut Rng) -> GameResult {
        let [loss, draw, _] = self.game(advantage);
        match rng.unit() {
            dice if dice < loss => GameResult::Loss,
            dice if dice < loss + draw => GameResult::Draw,
            _ => GameResult::Win,
        }
    }

    fn play_pair(self, tally: &mut PairTally, rng: &mut Rng) {
        let opening = self.openings[rng.below(self.openings.len())];
        let first = self.play_game(self.advantage + opening, rng);
        tally.record(first, self.play_game(self.advantage - opening, rng));
    }

    fn play_match(self, pairs: u32, rng: &mut Rng) -> PairTally {
        let mut tally = PairTally::default();
        (0..pairs).for_each(|_| self.play_pair(&mut tally, rng));
        tally
    }
}

/// Plays pairs until the test, which sees what `view` shows of them, decides: whether it accepted the
/// alternative.
fn accepts<S: Into<Sample>>(test: &Sprt, world: World, view: fn(&PairTally) -> S, rng: &mut Rng) -> bool {
    let mut tally = PairTally::default();
    loop {
        world.play_pair(&mut tally, rng);
        match test.decision(test.llr(view(&tally))) {
            Decision::Continue => {}
            decision => return decision == Decision::AcceptH1,
        }
    }
}

/// Checks that a share of `wrong` in `runs` tests is an error rate of `stated`.
///
/// Give or take three standard deviations of chance, and a little less: tests end beyond a bound rather than
/// on it, which lowers the rate by a factor of about e^(-0.58 d) with d the standard deviation of a step (D.
/// Siegmund, "Sequential Analysis", 1985); that is 0.2 and less here.
#[track_caller]
fn check_rate(wrong: usize, runs: usize, stated: f64) {
    let rate = wrong as f64 / runs as f64;
    let chance = 3.0 * (stated * (1.0 - stated) / runs as f64).sqrt();
    println!("stated {stated}, seen {rate:.4} ± {chance:.4}");
    assert!(rate <= stated + chance, "{rate} errors instead of {stated}");
    assert!(rate >= (-0.58 * 0.2f64).exp() * stated - chance, "{rate} errors instead of {stated}");
}

fn check_error_rates<S: Into<Sample>>(
    test: (EloModel, f64, f64, f64, f64),
    world: World,
    view: fn(&PairTally) -> S,
    runs: usize,
) {
    let (model, elo0, elo1, alpha, beta) = test;
    let test = Sprt::new(model, elo0, elo1, alpha, beta).unwrap();
    let measure = match model {
        EloModel::Logistic => World::elo,
        EloModel::Normalised => World::nelo,
    };
    let mut rng = Rng::new(elo1.to_bits());
    let mut accepted = |truth: f64| {
        let world = world.with(measure, truth);
        (0..runs).filter(|_| accepts(&test, world, view, &mut rng)).count()
    };
    check_rate(accepted(elo0), runs, alpha);
    check_rate(runs - accepted(elo1), runs, beta);
}

#[test]
fn a_test_of_pairs_errs_at_the_stated_rates_in_elo() {
    check_error_rates((EloModel::Logistic, 0.0, 20.0, 0.05, 0.05), World::SHARP, PairTally::pairs, 3_000);
    check_error_rates((EloModel::Logistic, -5.0, 15.0, 0.1, 0.02), World::DRAWISH, PairTally::pairs, 2_000);
}

#[test]
fn a_test_of_pairs_errs_at_the_stated_rates_in_normalised_elo() {
    check_error_rates((EloModel::Normalised, 0.0, 50.0, 0.05, 0.05), World::SHARP, PairTally::pairs, 2_000);
    check_error_rates(
        (EloModel::Normalised, -20.0, 30.0, 0.02, 0.1),
        World::DRAWISH,
        PairTally::pairs,
        1_500,
    );
}

#[test]
fn a_test_of_independent_games_errs_at_the_stated_rates() {
    let level = World { openings: [0.0; 3], ..World::SHARP };
    check_error_rates((EloModel::Logistic, 0.0, 25.0, 0.05, 0.05), level, PairTally::games, 3_000);
}

#[test]
fn taking_pairs_for_games_wastes_games_where_openings_are_sharp() {
    let tally = World::SHARP.with(World::elo, 10.0).play_match(20_000, &mut Rng::new(5));
    let (pairs, games) = (elo_of(tally.pairs()).unwrap(), elo_of(tally.games()).unwrap());
    assert!((pairs.value - games.value).abs() < 1e-9);
    assert!(pairs.error() < 0.9 * games.error(), "{pairs} {games}");
    let test = Sprt::new(EloModel::Logistic, 0.0, 5.0, 0.05, 0.05).unwrap();
    assert!(test.llr(tally.pairs()) > 1.25 * test.llr(tally.games()));
}

/// Checks that 95 % of `runs` intervals cover the truth, give or take three standard deviations and `slack`.
#[track_caller]
fn check_coverage(runs: usize, slack: f64, truth: f64, mut estimate: impl FnMut() -> Option<Estimate>) {
    let covered = (0..runs).filter(|_| estimate().is_some_and(|estimate| estimate.covers(truth))).count();
    let share = covered as f64 / runs as f64;
    println!("{share:.4} cover {truth:.1}");
    let chance = 3.0 * (0.95 * 0.05 / runs as f64).sqrt();
    assert!((share - 0.95).abs() < chance + slack, "{share} of the intervals cover {truth}");
}

#[test]
fn error_bars_cover_the_truth_as_often_as_they_say() {
    let mut rng = Rng::new(17);
    for (world, elo) in
        [(World::SHARP, 0.0), (World::SHARP, 150.0), (World::DRAWISH, -30.0), (World::DRAWISH, 400.0)]
    {
        let world = world.with(World::elo, elo);
        check_coverage(2_000, 0.005, elo, || elo_of(world.play_match(200, &mut rng).pairs()));
        check_coverage(2_000, 0.01, world.nelo(), || nelo_of(world.play_match(200, &mut rng).pairs()));
    }
}

#[test]
fn error_bars_of_short_and_one_sided_matches_are_still_worth_something() {
    // Twenty pairs at 400 Elo: the textbook's score ± 1.96 standard errors often has no error at all here.
    let world = World::SHARP.with(World::elo, 400.0);
    let mut rng = Rng::new(18);
    check_coverage(4_000, 0.03, 400.0, || elo_of(world.play_match(20, &mut rng).pairs()));
}

#[test]
fn error_bars_of_single_games_cover_the_truth() {
    let mut rng = Rng::new(19);
    let world = World { openings: [0.0; 3], ..World::DRAWISH }.with(World::elo, 60.0);
    let games = |rng: &mut Rng| -> Wdl { world.play_match(100, rng).games() };
    check_coverage(2_000, 0.005, 60.0, || elo_of(games(&mut rng)));
    check_coverage(2_000, 0.01, world.nelo(), || nelo_of(games(&mut rng)));
}

#[test]
fn simulated_pairs_have_the_probabilities_that_the_truth_is_computed_from() {
    let world = World::SHARP.with(World::elo, 35.0);
    let pairs = 200_000;
    let Pentanomial(counts) = world.play_match(pairs, &mut Rng::new(20)).pairs();
    for (count, p) in counts.into_iter().zip(world.pair()) {
        let chance = 4.0 * (p * (1.0 - p) / f64::from(pairs)).sqrt();
        assert!((count as f64 / f64::from(pairs) - p).abs() < chance, "{counts:?}");
    }
}
