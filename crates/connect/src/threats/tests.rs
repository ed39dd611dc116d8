//! What the threat search claims, against an independent checker and against published positions.

use std::time::Instant;

use outplay_core::{Game, Move, MoveList, Notation, Outcome, Player};
use outplay_testing::public_data;

use super::board::Board;
use super::gaps::Stones;
use super::proof::Proof;
use super::vcdt::{Limits, Vcdt, Verdict};
use super::zone::zone;
use crate::position::Connect;
use crate::rules::Rules;

const SIX: usize = 6;

/// The windows that a player could fill in one turn, cell by cell and with nothing of what the search uses: the cells that each lacks.
fn fillable(position: &Connect, player: Player) -> Vec<Vec<(usize, usize)>> {
    let side = 19i32;
    let mut found = Vec::new();
    for row in 0..side {
        for column in 0..side {
            for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let cells: Vec<(i32, i32)> =
                    (0..SIX as i32).map(|step| (column + step * right, row + step * up)).collect();
                let is_on_board = |&(c, r): &(i32, i32)| (0..side).contains(&c) && (0..side).contains(&r);
                if !cells.iter().all(is_on_board) {
                    continue;
                }
                let cells: Vec<(usize, usize)> =
                    cells.iter().map(|&(c, r)| (c as usize, r as usize)).collect();
                let at = |&(c, r): &(usize, usize)| position.stone_at(c, r);
                let lacking: Vec<_> = cells.iter().copied().filter(|cell| at(cell).is_none()).collect();
                if cells.iter().all(|cell| at(cell) != Some(!player)) && lacking.len() <= 2 {
                    found.push(lacking);
                }
            }
        }
    }
    found
}

/// The position after these stones; `None` if they cannot be placed.
fn after(position: &Connect, cells: impl IntoIterator<Item = u16>) -> Option<Connect> {
    let mut position = position.clone();
    for m in cells.into_iter().map(Move::new) {
        if !position.is_legal(m) {
            return None;
        }
        position.play(m);
    }
    Some(position)
}

/// Whether a proof holds against every defence there is; if not, where it fails.
fn check(position: &Connect, proof: &Proof) -> Result<(), String> {
    let attacker = position.to_move();
    let fails = |why: &str, position: &Connect| Err(format!("{why}: {position:?}"));
    match proof {
        Proof::Fill(stones) => match after(position, stones.cells()) {
            Some(filled) if filled.outcome() == Some(Outcome::win(attacker)) => Ok(()),
            _ => fails("no row is filled", position),
        },
        Proof::Threaten { stones, replies } => {
            let Some(threatened) = after(position, stones.cells()) else {
                return fails("no such turn", position);
            };
            if !fillable(&threatened, !attacker).is_empty() {
                return fails("the defender wins first", &threatened);
            }
            let rows = fillable(&threatened, attacker);
            // A defence that stops nothing loses at once; so every one that matters has its stones in these cells.
            let mut cells: Vec<(usize, usize)> = rows.iter().flatten().copied().collect();
            cells.sort_unstable();
            cells.dedup();
            let stops = |stones: &[(usize, usize)]| {
                rows.iter().all(|row| row.iter().any(|cell| stones.contains(cell)))
            };
            if cells.iter().any(|&cell| stops(&[cell])) || rows.is_empty() {
                return fails("no double threat", &threatened);
            }
            for (number, &a) in cells.iter().enumerate() {
                for &b in cells[number + 1..].iter().filter(|&&b| stops(&[a, b])) {
                    let index = |(c, r): (usize, usize)| (r * 19 + c) as u16;
                    let reply = Stones::pair(index(a), index(b));
                    let Some((_, proof)) = replies.iter().find(|(stones, _)| *stones == reply) else {
                        return fails("a defence has no answer", &threatened);
                    };
                    let Some(answered) = after(&threatened, reply.cells()) else {
                        return fails("no such reply", &threatened);
                    };
                    check(&answered, proof)?;
                }
            }
            Ok(())
        }
    }
}

#[test]
fn the_public_positions_are_won_and_every_proof_holds() {
    let Some(path) = public_data::path("connect6") else { return };
    let board = Board::new(Rules::CONNECT6);
    let limits = Limits { nodes: 2_000_000, turns: 30 };
    for file in ["vcdt_public.csv", "itss_5_positions.csv"] {
        let text = std::fs::read_to_string(path.join(file)).expect("readable");
        let (mut ratios, mut slowest, mut total) = (Vec::new(), 0.0, 0.0);
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let stones = fields[1].trim_matches('"');
            let position = Connect::parse_position(&Rules::CONNECT6, stones).expect("legal");
            // Turns that threaten: the one that fills a row is not counted.
            let turns: usize = fields[3].parse().expect("a number");
            let begun = Instant::now();
            let mut search = Vcdt::new(&board, &position, limits);
            let verdict = search.solve(&position);
            let seconds = begun.elapsed().as_secs_f64();
            total += seconds;
            slowest = f64::max(slowest, seconds);
            let Verdict::Win(proof) = verdict else {
                panic!("{}: {verdict:?} after {} nodes", fields[0], search.nodes)
            };
            assert_eq!(check(&position, &proof), Ok(()), "{}", fields[0]);
            assert!(proof.turns() - 1 <= turns, "{}: {} turns in place of {turns}", fields[0], proof.turns());
            if let Some(Ok(nodes)) = fields.get(4).map(|nodes| nodes.parse::<f64>())
                && turns >= 4
            {
                ratios.push(search.nodes as f64 / nodes);
            }
            if file.starts_with("itss") {
                println!(
                    "{}: {} nodes, {:.1} ms, {} turns",
                    fields[0],
                    search.nodes,
                    seconds * 1e3,
                    proof.turns()
                );
            }
        }
        ratios.sort_by(f64::total_cmp);
        println!(
            "{file}: {total:.3} s, slowest {slowest:.4} s, median of nodes {:?}",
            ratios.get(ratios.len() / 2)
        );
    }
}

/// With one stone more for the defender outside its zone, a proof still holds; so a zone of nothing would be found out.
#[test]
fn a_proof_holds_with_one_more_stone_anywhere_outside_its_zone() {
    let Some(path) = public_data::path("connect6") else { return };
    let text = std::fs::read_to_string(path.join("vcdt_public.csv")).expect("readable");
    let board = Board::new(Rules::CONNECT6);
    let (mut outside, mut inside_fails) = (0, 0);
    for line in text.lines().skip(1).step_by(50) {
        let fields: Vec<&str> = line.split(',').collect();
        let position = Connect::parse_position(&Rules::CONNECT6, fields[1]).expect("legal");
        let limits = Limits { nodes: 100_000, turns: 30 };
        let Verdict::Win(proof) = Vcdt::new(&board, &position, limits).solve(&position) else {
            panic!("a win")
        };
        let zone = zone(&board, &position, &proof);
        for m in position.legal_moves().each() {
            let mut richer = position.clone();
            richer.give(m, !position.to_move());
            let holds = check(&richer, &proof).is_ok();
            if zone.contains(&m.bits()) {
                inside_fails += u32::from(!holds);
            } else {
                assert!(holds, "{}: {m:?} is outside", fields[0]);
                outside += 1;
            }
        }
    }
    assert!(outside > 500 && inside_fails > 50, "{outside} {inside_fails}");
}
