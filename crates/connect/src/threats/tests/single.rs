//! Wins by single threats.

use outplay_core::Notation;

use super::checker::Checker;
use super::table;
use crate::position::Connect;
use crate::rules::Rules;
use crate::threats::{Limits, Proof, Solver, Threats, Verdict};

/// Positions from games that are won by single threats, and not by double threats alone.
pub const WON: [&str; 8] = [
    "19/19/4x14/5x13/2oxxxxo11/3xoo13/3o1xoo1o9/1xooooxoxxxo7/3oxxxxo1ox7/3oxoxxxxoo7/3x1oxxoo9/2o3o1x10/4x2x1o9/7o11/19/19/19/19/19 o 2",
    "19/19/19/19/19/12oo5/12x6/8xoxxxxo4/8oox8/9xoo7/8o1ox7/19/19/19/19/19/19/19/19 x 2",
    "19/19/19/19/19/19/19/8xo1o7/8o1o1oox4/8ox1x1x5/8o1x1x6/8oxxxxo5/8x1o1x6/7o4xo5/12o6/19/19/19/19 x 1",
    "19/19/19/19/19/19/11o7/7o5o5/8xo1xxx5/8oxoxx6/9oxx7/8oxxxxo5/8o2oo6/19/19/19/19/19/19 o 2",
    "19/19/19/19/19/8oo2o6/5o1o11/3o4oxx8/3x3xoxo8/5xoxxx9/5oxxxx1o7/6ox1ox8/7ox2o7/5x1xxo9/8o10/19/19/19/19 o 2",
    "19/19/19/19/19/19/9o9/6o2x2o6/7x1x1x7/6o1xxxxo6/9xoo7/8xox1x6/7oooxo7/7o2o8/19/19/19/19/19 x 2",
    "19/19/19/19/19/19/19/19/8oo9/8oxo8/9ox8/8xoxx7/19/10x8/19/19/19/19/19 x 1",
    "19/19/19/19/19/19/19/19/6xxo10/7oxx9/6xxooox7/6o12/19/19/19/19/19/19/19 o 2",
];

fn solver() -> Solver {
    Solver::new(Rules::CONNECT6).expect("rules that it knows")
}

/// How many stones the defender may place anywhere, one after the other, in a proof.
fn free_stones(proof: &Proof) -> u32 {
    let Proof::Threaten { replies, .. } = proof else { return 0 };
    let of_reply = replies.iter().map(|reply| {
        let is_free = reply.stones.moves().count() == 1;
        free_stones(&reply.then) + u32::from(is_free)
    });
    of_reply.max().unwrap_or(0)
}

#[test]
fn wins_by_single_threats_hold_against_every_second_stone_on_the_board() {
    let (mut solver, checker) = (solver(), Checker::new(Rules::CONNECT6));
    let limits = Limits { nodes: 10_000, turns: 12 };
    for text in WON {
        let position = Connect::parse_position(&Rules::CONNECT6, text).expect("a position");
        let mut solve = |threats| solver.solve(&position, threats, limits).expect("a position").verdict;
        assert!(!matches!(solve(Threats::Double), Verdict::Win(_)), "{text}");
        let Verdict::Win(proof) = solve(Threats::Single) else { panic!("{text} is won") };
        assert!(free_stones(&proof) >= 1, "{text}");
        assert_eq!(checker.check(&position, &proof, 1), Ok(()), "{text}");
    }
}

#[test]
fn the_search_for_single_threats_finds_the_wins_by_double_threats() {
    let Some(table) = table("connect6/vcdt_public.csv") else { return };
    let (mut solver, limits) = (solver(), Limits { nodes: 10_000, turns: 12 });
    for (name, position, _) in table {
        let [double, single] = [Threats::Double, Threats::Single]
            .map(|threats| solver.solve(&position, threats, limits).expect("a position").verdict);
        assert!(matches!(double, Verdict::Win(_)), "{name}");
        assert_eq!(double, single, "{name}");
    }
}

#[test]
fn where_nothing_threatens_there_is_no_win_by_single_threats() {
    let position = Connect::parse_position(&Rules::CONNECT6, "j10 k11 i11").expect("legal");
    let found = solver().solve(&position, Threats::Single, Limits::default()).expect("a position");
    assert_eq!(found.verdict, Verdict::None);
    // A row of three threatens, and the stone beside it goes anywhere: not everything is tried.
    let three = Connect::parse_position(&Rules::CONNECT6, "j10 a1 s1 j9 j8 a19 s19").expect("legal");
    let limits = Limits { nodes: 2_000, turns: 3 };
    assert_eq!(solver().solve(&three, Threats::Single, limits).expect("a position").verdict, Verdict::Cut);
}
