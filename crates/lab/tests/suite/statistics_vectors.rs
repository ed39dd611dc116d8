//! Statistics against published numbers and against their own symmetries.

use outplay_core::Rng;
use outplay_lab::stats::{
    Decision, EloModel, GameResult, PairTally, Pentanomial, Sprt, SprtError, Summary, Wdl, elo_of,
    likelihood_of_superiority, nelo_of,
};

fn sprt(model: EloModel, elo0: f64, elo1: f64) -> Sprt {
    Sprt::new(model, elo0, elo1, 0.05, 0.05).unwrap()
}

fn random_pairs(rng: &mut Rng) -> Pentanomial {
    let most = [1, 3, 30, 1_000, 100_000][rng.below(5)];
    Pentanomial(std::array::from_fn(|_| rng.below(most) as u64))
}

/// Computed with the functions of fishtest, the testing site of Stockfish.
#[test]
fn log_likelihood_ratios_are_those_of_fishtest() {
    // Counts, then logistic [0, 5], logistic [-3, 1], normalised [0, 2], normalised by the closed formula.
    let vectors = [
        ([10_789, 19_328, 33_806, 19_402, 10_543], [-38.514408, 2.131068, -6.070429, -6.070283]),
        ([1, 10, 30, 14, 2], [0.237131, 0.230131, 0.059592, 0.059619]),
        ([100, 500, 1_000, 600, 120], [3.593499, 4.122836, 1.155491, 1.157274]),
    ];
    for (counts, expected) in vectors {
        let pairs = Pentanomial(counts);
        let normalised = sprt(EloModel::Normalised, 0.0, 2.0);
        let computed = [
            sprt(EloModel::Logistic, 0.0, 5.0).llr(pairs),
            sprt(EloModel::Logistic, -3.0, 1.0).llr(pairs),
            normalised.llr(pairs),
            normalised.approximate_llr(pairs),
        ];
        for (computed, expected) in computed.into_iter().zip(expected) {
            assert!((computed - expected).abs() <= 0.5e-6, "{counts:?}: {computed} instead of {expected}");
        }
    }
    let games = sprt(EloModel::Logistic, 0.0, 5.0).llr(Wdl { losses: 30, draws: 50, wins: 40 });
    assert!((games - 0.225557).abs() <= 0.5e-6, "{games}");
}

/// Computed with fifty digits by bisection, from the definition: an outcome not seen counts a thousandth.
#[test]
fn outcomes_that_never_came_up_count_a_little() {
    let (logistic, normalised) = (sprt(EloModel::Logistic, 0.0, 5.0), sprt(EloModel::Normalised, 0.0, 5.0));
    let pairs = [
        ([0, 10, 30, 14, 0], 0.209185910410717, 0.110949951999274),
        ([0, 0, 7, 0, 0], -0.096300502355273, -0.001779112973145),
        ([0, 0, 0, 0, 3], 0.042891149076094, 0.060440599258678),
    ];
    for (counts, in_elo, in_nelo) in pairs {
        let (elo, nelo) = (logistic.llr(Pentanomial(counts)), normalised.llr(Pentanomial(counts)));
        assert!((elo - in_elo).abs() < 1e-9, "{counts:?}: {elo} instead of {in_elo}");
        assert!((nelo - in_nelo).abs() < 1e-9, "{counts:?}: {nelo} instead of {in_nelo}");
    }
    let games = Wdl { losses: 5, draws: 0, wins: 12 };
    assert!((logistic.llr(games) - 0.098983498605371).abs() < 1e-9);
    assert!((normalised.llr(games) - 0.098977271012521).abs() < 1e-9);
    assert_eq!(logistic.llr(Pentanomial::default()), 0.0);
}

#[test]
fn the_closed_formulas_approximate_the_ratio() {
    let pairs = Pentanomial([1_000, 5_000, 10_000, 5_100, 1_020]);
    for model in [EloModel::Logistic, EloModel::Normalised] {
        let test = sprt(model, 0.0, 3.0);
        let (exact, close) = (test.llr(pairs), test.approximate_llr(pairs));
        assert!((exact - close).abs() < 0.002 * exact.abs(), "{model:?}: {exact} {close}");
    }
}

#[test]
fn bounds_are_those_of_wald() {
    let (lower, upper) = sprt(EloModel::Logistic, 0.0, 5.0).llr_bounds();
    assert!((upper - 19f64.ln()).abs() < 1e-15 && (lower + 19f64.ln()).abs() < 1e-15);
    // A rare false alarm asks for much evidence of H1, hence moves the upper bound.
    let test = Sprt::new(EloModel::Logistic, 0.0, 5.0, 0.01, 0.2).unwrap();
    let (lower, upper) = test.llr_bounds();
    assert!((upper - 80f64.ln()).abs() < 1e-12 && (lower - (0.2f64 / 0.99).ln()).abs() < 1e-12);
    assert_eq!(test.decision(lower - 0.01), Decision::AcceptH0);
    assert_eq!(test.decision(lower + 0.01), Decision::Continue);
    assert_eq!(test.decision(upper - 0.01), Decision::Continue);
    assert_eq!(test.decision(upper + 0.01), Decision::AcceptH1);
}

#[test]
fn an_impossible_test_is_refused_by_name() {
    for (elo0, elo1) in [(5.0, 0.0), (1.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (0.0, 501.0)] {
        let error = Sprt::new(EloModel::Logistic, elo0, elo1, 0.05, 0.05).unwrap_err();
        assert!(matches!(error, SprtError::Bounds { .. }), "{error}");
        assert!(error.to_string().contains(&format!("[{elo0}, {elo1}]")), "{error}");
    }
    for rate in [0.0, 0.5, -0.1, 1.0, f64::NAN] {
        let alpha = Sprt::new(EloModel::Logistic, 0.0, 5.0, rate, 0.05).unwrap_err();
        assert!(alpha.to_string().contains(&format!("alpha {rate}")), "{alpha}");
        let beta = Sprt::new(EloModel::Logistic, 0.0, 5.0, 0.05, rate).unwrap_err();
        assert!(beta.to_string().contains(&format!("beta {rate}")), "{beta}");
    }
}

#[test]
fn swapping_players_and_bounds_turns_every_number_round() {
    let mut rng = Rng::new(11);
    for _ in 0..2_000 {
        let pairs = random_pairs(&mut rng);
        let (elo0, gap) = (200.0 * rng.unit() - 100.0, 0.5 + 50.0 * rng.unit());
        for model in [EloModel::Logistic, EloModel::Normalised] {
            let llr = sprt(model, elo0, elo0 + gap).llr(pairs);
            let swapped = sprt(model, -elo0 - gap, -elo0).llr(pairs.reversed());
            assert!((llr + swapped).abs() < 1e-7 * (1.0 + llr.abs()), "{pairs:?} {llr} {swapped}");
        }
        let (los, swapped) = (likelihood_of_superiority(pairs), likelihood_of_superiority(pairs.reversed()));
        assert!((los + swapped - 1.0).abs() < 1e-12, "{pairs:?}");
        let reversed = pairs.reversed();
        for (here, there) in [(elo_of(pairs), elo_of(reversed)), (nelo_of(pairs), nelo_of(reversed))] {
            let Some((here, there)) = here.zip(there) else { continue };
            for (a, b) in [(here.value, there.value), (here.low, there.high), (here.high, there.low)] {
                assert!(a == -b || (a + b).abs() < 1e-6 * (1.0 + a.abs()), "{pairs:?} {here:?} {there:?}");
            }
        }
    }
}

#[test]
fn evidence_adds_up() {
    // Twice the same results are twice the evidence, as long as no count is zero.
    let pairs = Pentanomial([3, 20, 41, 25, 6]);
    for model in [EloModel::Logistic, EloModel::Normalised] {
        let test = sprt(model, -2.0, 4.0);
        assert!((test.llr(pairs + pairs) - 2.0 * test.llr(pairs)).abs() < 1e-9);
    }
}

#[test]
fn no_number_is_ever_nan_or_out_of_order() {
    let tests = [
        None,
        Some(sprt(EloModel::Logistic, 0.0, 5.0)),
        Some(sprt(EloModel::Normalised, -500.0, 500.0)),
        Some(sprt(EloModel::Normalised, 499.0, 500.0)),
    ];
    // Every small match there is: all ways in which up to three pairs can end, and single games likewise.
    let results = [GameResult::Loss, GameResult::Draw, GameResult::Win];
    for code in 0..9usize.pow(3) {
        for (length, test) in (0..4).flat_map(|length| tests.map(|test| (length, test))) {
            let (mut tally, mut games) = (PairTally::default(), Wdl::default());
            for pair in (0..length).map(|i| code / 9usize.pow(i) % 9) {
                tally.record(results[pair / 3], results[pair % 3]);
                games.record(results[pair / 3]);
            }
            for summary in [Summary::of_pairs(&tally, test), Summary::of_games(games, test)] {
                for estimate in [summary.elo, summary.nelo].into_iter().flatten() {
                    // False for NaN as well.
                    let ordered = estimate.low <= estimate.value && estimate.value <= estimate.high;
                    assert!(ordered && estimate.error() >= 0.0, "{summary:?}");
                }
                assert!((0.0..=1.0).contains(&summary.los), "{summary:?}");
                assert!(summary.sprt.is_none_or(|sprt| sprt.llr.is_finite()), "{summary:?}");
                assert!(!summary.to_string().contains("NaN"), "{summary}");
                assert!(summary.pairs_ratio.is_none_or(|ratio| ratio >= 0.0), "{summary:?}");
                assert_eq!(summary.score.is_some(), length > 0);
            }
        }
    }
}

#[test]
fn a_summary_reads_well_as_text_and_as_json() {
    let mut tally = PairTally::default();
    use GameResult::{Draw, Loss, Win};
    for (first, second, times) in
        [(Loss, Loss, 4), (Draw, Loss, 20), (Draw, Draw, 40), (Win, Loss, 7), (Win, Draw, 24), (Win, Win, 5)]
    {
        (0..times).for_each(|_| tally.record(first, second));
    }
    let summary = Summary::of_pairs(&tally, Some(sprt(EloModel::Logistic, 0.0, 5.0)));
    assert_eq!(
        summary.to_string(),
        "Elo   10.4 ± 30.8, nElo 16.5 ± 48.3, LOS 74.9 %\n\
         Games 200: +41 =124 -35, score 51.5 %, draws 62.0 %\n\
         Pairs 100: [4, 20, 47, 24, 5], ratio 1.21\n\
         LLR   0.16 (-2.94, 2.94), [0, 5] Elo, α 0.05, β 0.05: undecided"
    );
    let json = serde_json::to_value(&summary).unwrap();
    assert_eq!(json["games"], 200);
    assert_eq!(json["wins"], 41);
    assert_eq!(json["pentanomial"], serde_json::json!([4, 20, 47, 24, 5]));
    assert_eq!(json["sprt"]["decision"], "continue");
    assert_eq!(json["sprt"]["test"]["model"], "logistic");
    assert!(json["elo"]["low"].as_f64().unwrap() < 0.0);

    let empty = Summary::of_games(Wdl::default(), None);
    assert_eq!(empty.to_string(), "Elo   -, nElo -, LOS 50.0 %\nGames 0: +0 =0 -0, score -, draws -");
    assert_eq!(empty.decision(), Decision::Continue);
    let perfect = serde_json::to_value(Summary::of_games(Wdl::new(3, 0, 0), None)).unwrap();
    assert!(perfect["elo"]["value"].is_null() && perfect["elo"]["low"].is_f64());
}
