//! What the threat search claims, against an independent checker and against published positions.

use std::time::Instant;

use outplay_core::{Game, Move, Notation, Outcome, Player};
use outplay_testing::public_data;

use super::board::Board;
use super::gaps::Stones;
use super::vcdt::{Limits, Proof, Vcdt, Verdict};
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

fn after(position: &Connect, cells: impl IntoIterator<Item = u16>) -> Connect {
    let mut position = position.clone();
    for cell in cells {
        let m = Move::new(cell);
        assert!(position.is_legal(m), "{position:?} {cell}");
        position.play(m);
    }
    position
}

/// Whether a proof holds against every defence there is.
fn check(position: &Connect, proof: &Proof) {
    let attacker = position.to_move();
    match proof {
        Proof::Fill(stones) => {
            assert_eq!(
                after(position, stones.cells()).outcome(),
                Some(Outcome::win(attacker)),
                "{position:?}"
            );
        }
        Proof::Threaten { stones, replies } => {
            let threatened = after(position, stones.cells());
            assert_eq!(threatened.outcome(), None);
            assert_eq!(threatened.to_move(), !attacker);
            assert!(fillable(&threatened, !attacker).is_empty(), "the defender wins first: {threatened:?}");
            let rows = fillable(&threatened, attacker);
            // A defence that stops nothing loses at once; so every one that matters has its stones in these cells.
            let mut cells: Vec<(usize, usize)> = rows.iter().flatten().copied().collect();
            cells.sort_unstable();
            cells.dedup();
            let stops = |stones: &[(usize, usize)]| {
                rows.iter().all(|row| row.iter().any(|cell| stones.contains(cell)))
            };
            assert!(
                !rows.is_empty() && !cells.iter().any(|&cell| stops(&[cell])),
                "no double threat: {threatened:?}"
            );
            for (number, &a) in cells.iter().enumerate() {
                for &b in &cells[number + 1..] {
                    if stops(&[a, b]) {
                        let index = |(c, r): (usize, usize)| (r * 19 + c) as u16;
                        let reply = Stones::pair(index(a), index(b));
                        let answer = replies.iter().find(|(stones, _)| *stones == reply);
                        let (_, proof) =
                            answer.unwrap_or_else(|| panic!("no answer to {reply:?} in {threatened:?}"));
                        check(&after(&threatened, reply.cells()), proof);
                    }
                }
            }
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
            check(&position, &proof);
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
