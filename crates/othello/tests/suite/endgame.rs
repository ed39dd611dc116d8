//! The solver on published problems.

use std::fs;

use outplay_core::Game;
use outplay_othello::endgame::{Limits, Solver};
use outplay_othello::obf;
use outplay_testing::public_data;

/// Solves the problems of a file that have at most so many empty squares; how many these were.
fn solve_fforum(file: &str, most_empty: u32) -> Option<usize> {
    let text = fs::read_to_string(public_data::path("othello")?.join(file)).unwrap();
    let mut solver = Solver::default();
    let mut solved = 0;
    for problem in obf::read(&text).unwrap() {
        if problem.position.empty().count_ones() > most_empty {
            continue;
        }
        let value = solver.value(&problem.position, &mut Limits::default()).exact();
        let published = problem.moves.iter().map(|m| m.score).max();
        assert_eq!(value, published, "{problem}");
        // The line that is found begins with one of the published best moves and comes to that margin.
        let line = solver.line(&problem.position, value.unwrap(), &mut Limits::default());
        let is_best = |m| problem.moves.iter().any(|best| best.played == m && Some(best.score) == published);
        assert!(line.first().is_some_and(|&m| is_best(m)), "{problem}");
        let end = line.into_iter().fold(problem.position, |position, m| position.after(m));
        assert_eq!(end.outcome().map(|outcome| outcome.for_player(problem.position.to_move())), published);
        solved += 1;
    }
    Some(solved)
}

#[test]
fn the_small_fforum_problems_have_their_published_values() {
    let Some(solved) = solve_fforum("fforum-1-19.obf", 60) else { return };
    assert_eq!(solved, 19);
}

mod heavy {
    use super::solve_fforum;

    #[test]
    #[ignore = "searches some 500 million positions"]
    fn the_fforum_problems_up_to_39_have_their_published_values() {
        let Some(solved) = solve_fforum("fforum-20-39.obf", 60) else { return };
        assert_eq!(solved, 20);
    }
}
