//! Wins by single threats.

use super::checker::Checker;
use super::{positions_of_games, table};
use crate::rules::Rules;
use crate::threats::{Limits, Proof, Solver, Threats, Verdict};

fn solver() -> Solver {
    Solver::new(Rules::CONNECT6).expect("rules that it knows")
}

/// How many stones the defender may place anywhere, one after the other, in a proof.
fn free_stones(proof: &Proof) -> u32 {
    let Proof::Threaten { replies, .. } = proof else { return 0 };
    let below = replies.iter().map(|reply| {
        let is_free = reply.stones.moves().count() == 1;
        free_stones(&reply.then) + u32::from(is_free)
    });
    below.max().unwrap_or(0)
}

#[test]
fn the_search_for_single_threats_finds_the_wins_by_double_threats() {
    let Some(table) = table("connect6/vcdt_public.csv") else { return };
    let (mut solver, limits) = (solver(), Limits { nodes: 10_000, turns: 12 });
    for (name, position, _) in table {
        let [double, single] = [Threats::Double, Threats::Single]
            .map(|threats| solver.solve(&position, threats, limits).expect("a position").verdict);
        assert_eq!(double, single, "{name}");
    }
}
