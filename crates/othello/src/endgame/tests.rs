//! The solver against a search of everything, and its versions against each other.

use std::sync::atomic::{AtomicBool, Ordering};

use outplay_core::{Game, MoveList, Rng};

use super::local::Own;
use super::squares::odd_quadrants;
use super::stability::stable_discs;
use super::{Limits, Solver, local};
use crate::Othello;

fn plain(position: &Othello, mut alpha: i16, beta: i16) -> i16 {
    if let Some(outcome) = position.outcome() {
        return outcome.for_player(position.to_move());
    }
    for m in position.legal_moves().each() {
        alpha = alpha.max(-plain(&position.after(m), -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

fn random_position(rng: &mut Rng, empty: u32) -> Option<Othello> {
    let mut position = Othello::start(&());
    while position.empty().count_ones() > empty {
        position.outcome().is_none().then_some(())?;
        let moves = position.legal_moves();
        position.play(moves.nth(rng.below(moves.count())));
    }
    position.outcome().is_none().then_some(position)
}

#[test]
fn values_results_and_lines_are_what_plain_alpha_beta_finds() {
    let mut rng = Rng::new(1);
    let (mut large, mut small) = (Solver::new(4, 0), Solver::new(1, 7));
    let mut seen = 0;
    for round in 0..150 {
        let Some(position) = random_position(&mut rng, 1 + round % 10) else { continue };
        let expected = plain(&position, -64, 64);
        let limits = &mut Limits::default();
        assert_eq!(large.value(&position, limits).exact(), Some(expected), "{position:?}");
        assert_eq!(small.value(&position, limits).exact(), Some(expected), "{position:?}");
        let result = large.result(&position, limits);
        assert_eq!((result.least().signum(), result.most().signum()), (expected.signum(), expected.signum()));
        let end = large.line(&position, expected, limits).into_iter().fold(position, |at, m| at.after(m));
        assert_eq!(end.outcome().map(|outcome| outcome.for_player(position.to_move())), Some(expected));
        seen += 1;
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn the_version_for_this_processor_visits_what_the_portable_one_visits() {
    let mut rng = Rng::new(2);
    let (mut own, mut portable_own) = (Own::default(), Own::default());
    for round in 0..3000 {
        let Some(position) = random_position(&mut rng, round % 11) else { continue };
        let (mover, opponent, odd) = (position.mover(), position.opponent(), odd_quadrants(position.empty()));
        let alpha = 2 * rng.below(64) as i32 - 63;
        let value = local::solve_local(mover, opponent, alpha, odd, &mut own);
        let portable = local::portable::solve_local(mover, opponent, alpha, odd, &mut portable_own);
        assert_eq!((value, own.nodes), (portable, portable_own.nodes), "{position:?}");
    }
}

/// What threads find together is what one finds alone, and stopping them leaves what was certain before.
#[test]
fn threads_change_no_value() {
    let mut rng = Rng::new(5);
    for round in 0..12 {
        let Some(position) = random_position(&mut rng, 15 + round % 3) else { continue };
        let alone = Solver::new(4, 0).value(&position, &mut Limits::default());
        for threads in [2, 5] {
            let mut solver = Solver::new(4, 0).with_threads(threads);
            assert_eq!(solver.value(&position, &mut Limits::default()), alone, "{threads} {position:?}");
        }
        let stop = AtomicBool::new(false);
        let mut told = 0;
        let mut watch = |_| {
            told += 1;
            stop.store(true, Ordering::Relaxed);
        };
        let mut limits = Limits { stop: Some(&stop), watch: Some(&mut watch), ..Limits::default() };
        let bounds = Solver::new(4, 0).with_threads(3).value(&position, &mut limits);
        let value = alone.exact().unwrap();
        assert!((bounds.least()..=bounds.most()).contains(&value), "{bounds:?} {position:?}");
        assert_eq!(told, 1);
    }
}

/// What is stable on one side of the board is so on all others, and no play flips it.
#[test]
fn stable_discs_stay_and_turn_with_the_board() {
    let mut rng = Rng::new(3);
    for round in 0..20_000 {
        let Some(position) = random_position(&mut rng, 1 + round % 30) else { continue };
        let (own, other) = (position.mover(), position.opponent());
        // Squares mirrored at the diagonal: rows become columns.
        let turned = |board: u64| {
            (0..64).filter(|s| board >> s & 1 == 1).fold(0, |to, s| to | 1 << (s % 8 * 8 + s / 8))
        };
        assert_eq!(
            turned(stable_discs(own, other)),
            stable_discs(turned(own), turned(other)),
            "{position:?}"
        );
    }
}

/// A table that remembers other positions changes no value, and no two answers contradict each other.
#[test]
fn what_was_solved_before_changes_no_value() {
    let mut rng = Rng::new(11);
    let mut remembering = Solver::new(1, 0);
    for round in 0..6_000u32 {
        let Some(position) = random_position(&mut rng, 10 - round % 4) else { continue };
        let value = remembering.value(&position, &mut Limits::default());
        if round % 16 == 0 {
            assert_eq!(Solver::new(1, 3).value(&position, &mut Limits::default()), value, "{position:?}");
        }
    }
}

/// A limit of nodes ends a search soon after it, and what is said then is true; so does whoever is asked now and then.
#[test]
fn limits_of_nodes_are_kept_and_what_is_known_by_then_is_true() {
    let mut rng = Rng::new(17);
    let mut ended = 0;
    for round in 0..40 {
        let Some(position) = random_position(&mut rng, 9 + round % 7) else { continue };
        let value = Solver::new(1, 0).value(&position, &mut Limits::default()).exact().unwrap();
        for most in [50, 500, 5_000, 50_000] {
            let mut solver = Solver::new(1, 0);
            let mut limits = Limits { nodes: Some(most), ..Limits::default() };
            let bounds = solver.value(&position, &mut limits);
            assert!((bounds.least()..=bounds.most()).contains(&value), "{bounds:?} {position:?}");
            assert!(solver.nodes() < most + 1_000, "{} of {most}: {position:?}", solver.nodes());
            ended += u32::from(bounds.exact().is_none());
            // The same again goes the same way.
            let mut again = Solver::new(1, 0);
            assert_eq!(again.value(&position, &mut limits), bounds);
            assert_eq!(again.nodes(), solver.nodes());
        }
        let is_late = || true;
        let mut limits = Limits { is_late: Some(&is_late), ..Limits::default() };
        let bounds = Solver::new(1, 0).value(&position, &mut limits);
        assert!((bounds.least()..=bounds.most()).contains(&value));
    }
    assert!(ended > 40, "{ended}");
}

mod heavy {
    use super::*;
    use crate::Positional;
    use crate::endgame::{Asked, Calibration, Confidence};

    /// The regression of margins on shallow searches, and that what is said of it is not too hopeful. Printed with `--nocapture`.
    #[test]
    #[ignore = "solves some hundreds of positions with up to 16 empty squares"]
    fn errors_of_shallow_searches_are_what_is_said_of_them() {
        let mut rng = Rng::new(23);
        let mut solver = Solver::new(64, 0);
        for empties in [14, 15, 16] {
            let mut rows: Vec<(f64, Vec<f64>)> = Vec::new();
            while rows.len() < 200 {
                let Some(position) = random_position(&mut rng, empties) else { continue };
                let margin = solver.value(&position, &mut Limits::default()).exact().unwrap();
                let look = |depth| f64::from(look(&mut solver, &position, depth)) / 100.0;
                rows.push((f64::from(margin), (0..=5).map(look).collect()));
            }
            for depth in 0..=5u32 {
                let count = rows.len() as f64;
                let value = |row: &(f64, Vec<f64>)| row.1[depth as usize];
                let mean = rows.iter().map(value).sum::<f64>() / count;
                let mean_margin = rows.iter().map(|row| row.0).sum::<f64>() / count;
                let together: f64 = rows.iter().map(|row| (value(row) - mean) * (row.0 - mean_margin)).sum();
                let slope = together / rows.iter().map(|row| (value(row) - mean).powi(2)).sum::<f64>();
                let stated = Calibration::POSITIONAL.slope(empties, depth);
                let error = |row: &(f64, Vec<f64>)| (row.0 - f64::from(stated) * value(row)).powi(2);
                let deviation = (rows.iter().map(error).sum::<f64>() / count).sqrt();
                let stated_deviation = f64::from(Calibration::POSITIONAL.deviation(depth));
                println!(
                    "{empties} empty, depth {depth}: slope {slope:.2} (stated {stated:.2}), \
                     deviation {deviation:.1} (stated {stated_deviation:.1})"
                );
                assert!(deviation < 1.15 * stated_deviation, "{empties} {depth} {deviation}");
            }
        }
    }

    fn look(solver: &mut Solver, position: &Othello, depth: u32) -> i32 {
        let Solver { table, evaluation, calibration, threads } = solver;
        let (confidence, stop) = (Confidence::CERTAIN, &AtomicBool::new(false));
        let evaluation: &Positional = evaluation;
        let asked = Asked { table, evaluation, calibration, position, confidence, stop, nodes: None };
        asked.search(&mut threads[0], None).look(position, depth, -30_000, 30_000)
    }

    #[test]
    #[ignore = "plain alpha-beta of hundreds of millions of positions"]
    fn two_thousand_endgames_have_the_values_of_plain_alpha_beta() {
        let mut rng = Rng::new(29);
        let mut solver = Solver::new(4, 0);
        let mut seen = 0;
        while seen < 2_000 {
            let Some(position) = random_position(&mut rng, 8 + seen % 4) else { continue };
            let value = solver.value(&position, &mut Limits::default()).exact();
            assert_eq!(value, Some(plain(&position, -64, 64)), "{position:?}");
            seen += 1;
        }
    }
}
