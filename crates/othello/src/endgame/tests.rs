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
        let mut limits = Limits { stop: Some(&stop), watch: Some(&mut watch) };
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
