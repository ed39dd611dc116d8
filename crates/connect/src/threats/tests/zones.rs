//! Where stones of the defender matter to a proof, and where they do not.

use outplay_core::{Game, Move, MoveList, Notation, Rng};

use super::checker::Checker;
use super::table;
use crate::position::Connect;
use crate::rules::Rules;
use crate::threats::board::Board;
use crate::threats::vcst::Vcst;
use crate::threats::zone::zone;
use crate::threats::{Limits, Proof, Solver, Threats, Verdict};

/// Some of the published positions with their proofs, short ones that are checked fast.
fn proofs() -> Option<Vec<(String, Connect, Proof)>> {
    let mut solver = Solver::new(Rules::CONNECT6).expect("rules that it knows");
    let rows = table("connect6/vcdt_public.csv")?.into_iter().map(|(name, position, _)| {
        let solution = solver.solve(&position, Threats::Double, Limits::default()).expect("a position");
        let Verdict::Win(proof) = solution.verdict else { panic!("{name} is won") };
        (name, position, proof)
    });
    Some(rows.filter(|(_, _, proof)| proof.turns() <= 4).step_by(4).take(12).collect())
}

/// Stones for the defender in different empty cells, of which the later ones are on a line with the first and near it, so that they may work
/// together; `None` if chance has it that they are not.
fn random_stones(position: &Connect, count: usize, rng: &mut Rng) -> Option<Vec<u16>> {
    let empty = position.legal_moves();
    let first = empty.nth(rng.below(empty.count())).bits();
    let (right, up) = [(1, 0), (0, 1), (1, 1), (1, -1)][rng.below(4)];
    let mut stones = vec![first];
    for _ in 1..count {
        let step = rng.below(11) as i32 - 5;
        let (column, row) = (i32::from(first) % 19 + step * right, i32::from(first) / 19 + step * up);
        let cell = (row * 19 + column) as u16;
        let is_new = (0..19).contains(&column) && (0..19).contains(&row) && !stones.contains(&cell);
        if !is_new || !position.is_legal(Move::new(cell)) {
            return None;
        }
        stones.push(cell);
    }
    Some(stones)
}

/// With stones more for the defender outside its zone, a proof still holds; so a zone of nothing would be found out, and so would one for
/// fewer stones.
#[test]
fn a_proof_holds_with_more_stones_anywhere_outside_its_zone() {
    let Some(proofs) = proofs() else { return };
    let (board, checker) = (Board::new(Rules::CONNECT6), Checker::new(Rules::CONNECT6));
    let mut rng = Rng::new(8);
    let (mut outside, mut inside_fails, mut fails_outside_of_smaller) = ([0; 3], [0; 3], 0);
    for (name, position, proof) in proofs {
        let zones = [1, 2, 3].map(|stones_more| zone(&board, &position, &proof, stones_more));
        for count in [1, 2, 3] {
            for stones in (0..200).filter_map(|_| random_stones(&position, count, &mut rng)) {
                let mut richer = position.clone();
                for &cell in &stones {
                    richer.give(Move::new(cell), !position.to_move());
                }
                let holds = checker.check(&richer, &proof, 2).is_ok();
                let is_outside = |zone: &Vec<u16>| stones.iter().all(|cell| !zone.contains(cell));
                if is_outside(&zones[count - 1]) {
                    assert!(holds, "{name}: {stones:?} are outside");
                    outside[count - 1] += 1;
                } else {
                    inside_fails[count - 1] += u32::from(!holds);
                    fails_outside_of_smaller += u32::from(!holds && is_outside(&zones[0]));
                }
            }
        }
    }
    let is_enough = outside.iter().chain(&inside_fails).all(|&count| count > 50);
    assert!(
        is_enough && fails_outside_of_smaller > 0,
        "{outside:?} {inside_fails:?} {fails_outside_of_smaller}"
    );
}

/// The same for wins by single threats, in which the defender places a stone anywhere besides: two together may make a threat.
#[test]
fn a_proof_by_single_threats_that_allows_for_one_more_stone_holds_with_it() {
    let checker = Checker::new(Rules::CONNECT6);
    let mut search = Vcst::new(Rules::CONNECT6);
    let mut rng = Rng::new(8);
    let (mut outside, mut inside_fails) = (0, 0);
    for text in super::single::WON.into_iter().skip(2) {
        let position = Connect::parse_position(&Rules::CONNECT6, text).expect("a position");
        let limits = Limits { nodes: 50_000, turns: 12 };
        let Verdict::Win(proof) = search.solve(&position, limits, 1) else { continue };
        let zone = zone(&search.double.board, &position, &proof, 1);
        for cell in (0..30).filter_map(|_| random_stones(&position, 1, &mut rng)).flatten() {
            let mut richer = position.clone();
            richer.give(Move::new(cell), !position.to_move());
            let holds = checker.check(&richer, &proof, 1);
            if zone.contains(&cell) {
                inside_fails += u32::from(holds.is_err());
            } else {
                assert_eq!(holds, Ok(()), "{text}: {cell} is outside");
                outside += 1;
            }
        }
    }
    assert!(outside > 50 && inside_fails > 5, "{outside} {inside_fails}");
}
