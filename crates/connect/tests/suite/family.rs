//! The rules of the Connect family, against slow oracles, published numbers and the conformance suite.

use std::collections::HashSet;

use outplay_connect::{Connect, Rules};
use outplay_core::conformance::{self, Effort};
use outplay_core::perft::perft;
use outplay_core::{Game, MoveList, Notation, Outcome, Player, Rng, Symmetric};

fn rules(text: &str) -> Rules {
    text.parse().expect("valid rules")
}

/// Small and middling boards of all shapes: square and oblong, rows of 1 to 6, turns of 1 to 3 stones.
const SMALL: [&str; 14] = [
    "3,3,3,1,1",
    "5,5,4,1,1",
    "2,2,2,1,1",
    "4,3,1,1,1",
    "7,4,4,2,1",
    "4,7,4,2,1",
    "9,2,5,1,1",
    "2,9,5,2,2",
    "5,9,4,3,2",
    "9,9,6,2,1",
    "8,9,6,3,1",
    "6,6,3,3,9",
    "21,3,6,2,1",
    "3,21,3,1,1",
];

/// The slow win test: is there a window of `in_a_row` cells anywhere that `player` fills?
fn has_row(position: &Connect, player: Player) -> bool {
    let rules = position.rules();
    let (columns, rows, length) = (rules.columns() as i32, rules.rows() as i32, rules.in_a_row() as i32);
    let filled = |column: i32, row: i32| {
        (0..columns).contains(&column)
            && (0..rows).contains(&row)
            && position.stone_at(column as usize, row as usize) == Some(player)
    };
    (0..columns).any(|column| {
        (0..rows).any(|row| {
            [(1, 0), (0, 1), (1, 1), (1, -1)]
                .iter()
                .any(|(right, up)| (0..length).all(|step| filled(column + step * right, row + step * up)))
        })
    })
}

#[test]
fn games_end_when_a_scan_of_all_windows_finds_a_row() {
    let mut rng = Rng::new(11);
    for text in
        SMALL.into_iter().chain(["19,19,6,2,1", "15,15,5,1,1", "20,20,5,1,1", "21,21,4,2,1", "21,20,3,1,1"])
    {
        let rules = rules(text);
        let games = if rules.cells() > 100 { 6 } else { 150 };
        for _ in 0..games {
            let mut position = Connect::start(&rules);
            let mut stones = 0;
            while position.outcome().is_none() {
                let moves = position.legal_moves();
                assert_eq!(moves.count(), rules.cells() - stones);
                let mover = position.to_move();
                position.play(moves.nth(rng.below(moves.count())));
                stones += 1;
                assert_eq!(position.stone_count(), stones);
                let expected = match has_row(&position, mover) {
                    true => Some(Outcome::win(mover)),
                    false => (stones == rules.cells()).then_some(Outcome::DRAW),
                };
                assert_eq!(position.outcome(), expected, "{position:?}");
                assert!(!has_row(&position, !mover), "{position:?}");
            }
            assert_eq!(position.legal_moves().count(), 0);
        }
    }
}

#[test]
fn every_row_on_the_largest_boards_is_found_and_nothing_that_wraps_around_an_edge() {
    // Each of the windows of 6 on 21×21 and 21×20, stone by stone in both directions; and cells in line but
    // for the edge of the board, which are neighbours in the index.
    for text in ["21,21,6,9,6", "21,20,6,9,6", "20,21,6,9,6", "19,19,6,9,6"] {
        let rules = rules(text);
        let (columns, rows) = (rules.columns() as i32, rules.rows() as i32);
        let mut windows = 0;
        for (column, row) in (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row))) {
            for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let cells: Vec<(i32, i32)> =
                    (0..6).map(|step| (column + step * right, row + step * up)).collect();
                let on_board = cells.iter().all(|(c, r)| (0..columns).contains(c) && (0..rows).contains(r));
                // Off the board, take the cells on a torus instead: they must not count as a row.
                let torus = cells.iter().map(|(c, r)| (c.rem_euclid(columns), r.rem_euclid(rows)));
                let mut position = Connect::start(&rules);
                for (placed, (c, r)) in torus.enumerate() {
                    assert_eq!(position.outcome(), None, "{placed} stones of {cells:?} under {text}");
                    position.play(outplay_core::Move::new((r * columns + c) as u16));
                }
                assert_eq!(position.outcome().is_some(), on_board, "{cells:?} under {text}");
                windows += usize::from(on_board);
            }
        }
        if text == "19,19,6,9,6" {
            assert_eq!(windows, 924, "the number of roads of Connect6");
        }
    }
}

#[test]
fn connect6_starts_with_one_stone_and_goes_on_with_two() {
    let mut position = Connect::start(&Rules::default());
    let mut movers = String::new();
    for text in ["j10", "a1", "b1", "a2", "b2", "a3", "b3", "a4"] {
        movers.push_str(Connect::player_name(position.to_move()).get(..1).expect("a letter"));
        position.play(position.parse_move(text).expect("a legal move"));
    }
    assert_eq!(movers, "BWWBBWWB");
}

#[test]
fn a_row_completed_by_the_first_stone_of_a_turn_ends_the_game() {
    let moves = "j10 a1 a3 k10 l10 a5 a7 m10 n10 c1 c3 o10";
    let position = Connect::parse_position(&Rules::CONNECT6, moves).expect("legal moves");
    assert_eq!(position.turn().stones_left, 1);
    assert_eq!(position.outcome(), Some(Outcome::win(Player::First)));
    assert_eq!(position.legal_count(), 0);
}

#[test]
fn more_than_enough_in_a_row_wins_too() {
    let moves = "a1 a3 b1 b3 c1 c3 e1 e4 f1 f4 d1";
    let position = Connect::parse_position(&Rules::GOMOKU, moves).expect("legal moves");
    assert_eq!(position.outcome(), Some(Outcome::win(Player::First)));
}

#[test]
fn a_board_can_fill_up_in_the_middle_of_a_turn() {
    // Six cells, one stone and then four a turn: Black's second turn has room for one.
    let draw = Connect::parse_position(&rules("3,2,3,4,1"), "a1 b1 c1 a2 b2 c2").expect("legal moves");
    assert_eq!(draw.outcome(), Some(Outcome::DRAW));
    assert_eq!((draw.to_move(), draw.turn().stones_left), (Player::First, 3));
    assert_eq!(draw.legal_count(), 0);
}

#[test]
fn tic_tac_toe_has_its_well_known_tree() {
    let start = Connect::start(&Rules::TIC_TAC_TOE);
    let counts: Vec<u64> = (1..=9).map(|depth| perft(&start, depth)).collect();
    assert_eq!(counts, [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872]);

    let mut finished = [0; 3];
    let mut seen = HashSet::new();
    let mut canonical = HashSet::new();
    count_finished(&mut start.clone(), &mut finished, &mut seen, &mut canonical);
    assert_eq!(finished, [131_184, 77_904, 46_080], "games won by X, won by O, drawn");
    assert_eq!(finished.iter().sum::<u32>(), 255_168);
    assert_eq!(seen.len(), 5478, "reachable positions");
    assert_eq!(canonical.len(), 765, "reachable positions up to symmetry");
}

fn count_finished(
    position: &mut Connect,
    finished: &mut [u32; 3],
    seen: &mut HashSet<u64>,
    canonical: &mut HashSet<String>,
) {
    if seen.insert(position.key()) {
        let turned = (0..position.symmetries()).map(|index| position.transformed(index).position_text());
        canonical.extend(turned.min());
    }
    match position.outcome().map(Outcome::winner) {
        Some(Some(winner)) => finished[winner.index()] += 1,
        Some(None) => finished[2] += 1,
        None => {
            for m in position.legal_moves().each() {
                let undo = position.make(m);
                count_finished(position, finished, seen, canonical);
                position.unmake(m, undo);
            }
        }
    }
}

#[test]
fn small_games_conform() {
    for text in SMALL {
        let effort = Effort { games: 12, ..Effort::default() };
        conformance::check::<Connect>(&rules(text), &effort).unwrap_or_else(|law| panic!("{text}: {law}"));
    }
}

/// Stones made in place are stones played, and taking them back restores everything, stone by stone and for a whole game.
#[test]
fn stones_made_in_place_are_taken_back_without_a_trace() {
    let is_same = |a: &Connect, b: &Connect| a == b && a.key() == b.key();
    let games = SMALL.iter().map(|text| (rules(text), 12)).chain([(Rules::GOMOKU, 8), (Rules::CONNECT6, 8)]);
    for (rules, games) in games {
        let mut rng = Rng::new(2026);
        for _ in 0..games {
            let mut position = Connect::start(&rules);
            let mut made = Vec::new();
            while position.outcome().is_none() {
                let (before, moves) = (position.clone(), position.legal_moves());
                for m in moves.each() {
                    let undo = position.make(m);
                    assert!(is_same(&position, &before.after(m)), "{m:?} in {before:?}");
                    position.unmake(m, undo);
                    assert!(is_same(&position, &before), "{m:?} in {before:?}");
                }
                let m = moves.nth(rng.below(moves.count()));
                made.push((m, position.make(m), before));
            }
            for (m, undo, before) in made.into_iter().rev() {
                position.unmake(m, undo);
                assert!(is_same(&position, &before), "{m:?} in {before:?}");
            }
        }
    }
}

#[test]
fn gomoku_and_connect6_conform() {
    for rules in [Rules::GOMOKU, Rules::CONNECT6] {
        let few = Effort { games: 1, ..Effort::default() };
        let some = Effort { games: 8, ..Effort::default() };
        let many = Effort { games: 200, ..Effort::default() };
        let check = conformance::check_rules::<Connect>(&rules, &some)
            .and_then(|()| conformance::check_notation::<Connect>(&rules, &some))
            .and_then(|()| conformance::check_symmetry::<Connect>(&rules, &few))
            .and_then(|()| conformance::check_records::<Connect>(&rules, &many));
        check.unwrap_or_else(|law| panic!("{rules}: {law}"));
    }
}

#[test]
fn square_boards_have_eight_symmetries_and_oblong_ones_four() {
    for (text, count) in [("5,5,4,1,1", 8), ("5,4,4,1,1", 4)] {
        let start = Connect::start(&rules(text));
        assert_eq!(start.symmetries(), count);
        // A stone off all the axes has as many images.
        let m = start.parse_move("b1").expect("a legal move");
        let images: HashSet<u16> = (0..count).map(|index| start.transformed_move(m, index).bits()).collect();
        assert_eq!(images.len(), count);
    }
}
