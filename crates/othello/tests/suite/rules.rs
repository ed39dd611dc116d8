//! The rules: known counts, known games, and the laws that every game obeys.

use std::collections::HashSet;

use crate::common::random_games;
use outplay_core::conformance::{self, Effort};
use outplay_core::perft::{divide, perft};
use outplay_core::{Game, Move, MoveList, Notation, Outcome, Player, Rng};
use outplay_othello::{Othello, PASS, transcript};

/// Published by several authors, who agree.
const PERFT: [u64; 11] = [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284, 212_258_800];

#[test]
fn perft_gives_the_published_counts() {
    let start = Othello::start(&());
    for (depth, nodes) in (1..).zip(PERFT) {
        assert_eq!(perft(&start, depth), nodes, "depth {depth}");
    }
}

#[test]
#[ignore = "takes some seconds: cargo test --release -p outplay-othello -- --ignored"]
fn perft_gives_the_published_count_at_depth_12() {
    let parts = divide(&Othello::start(&()), 12, 2, &|_, _| ());
    assert_eq!(parts.iter().map(|(_, nodes)| nodes).sum::<u64>(), 1_939_886_636);
}

#[test]
fn othello_obeys_the_laws() {
    conformance::check::<Othello>(&(), &Effort::default()).unwrap_or_else(|violation| panic!("{violation}"));
}

fn position(text: &str) -> Othello {
    Othello::parse_position(&(), text).unwrap_or_else(|error| panic!("{error}"))
}

/// Plays a transcript from the start.
fn after(moves: &str) -> Othello {
    let start = Othello::start(&());
    let moves = transcript::read_moves(&start, moves).unwrap_or_else(|error| panic!("{error}"));
    moves.into_iter().fold(start, |position, m| position.after(m))
}

#[test]
fn the_start_is_the_usual_one() {
    let start = Othello::start(&());
    assert_eq!(start.position_text(), "---------------------------OX------XO--------------------------- X");
    let moves: Vec<String> = start.legal_moves().each().map(|m| start.move_text(m)).collect();
    assert_eq!(moves, ["d3", "c4", "f5", "e6"]);
}

#[test]
fn the_shortest_wipe_out_wins_by_64() {
    // Nine moves; Black has 13 discs, White none.
    let end = after("e6f4e3f6g5d6e7f5c5");
    assert_eq!(end.discs(Player::Second), 0);
    assert_eq!(end.discs(Player::First).count_ones(), 13);
    assert_eq!(end.outcome(), Some(Outcome::from_margin(64, Player::First)));
}

#[test]
fn empty_squares_count_for_the_winner_and_for_nobody_in_a_draw() {
    let row = |signs: &str| position(&format!("{signs}{} X", "-".repeat(64 - signs.len())));
    assert_eq!(row("XX-O").outcome(), Some(Outcome::from_margin(1 + 61, Player::First)));
    assert_eq!(row("OO-X").outcome(), Some(Outcome::from_margin(1 + 61, Player::Second)));
    assert_eq!(row("X-O").outcome(), Some(Outcome::DRAW));
}

#[test]
fn a_player_without_a_square_passes_and_nobody_else_does() {
    // White can play c1 when it is White's turn; Black can play nothing.
    let black = position(&format!("OX{} X", "-".repeat(62)));
    assert_eq!(black.outcome(), None);
    assert_eq!(black.legal_moves().each().collect::<Vec<_>>(), [PASS]);
    assert_eq!(black.legal_count(), 1);
    assert_eq!(black.legal_moves().nth(0), PASS);
    let white = black.after(PASS);
    assert_eq!(white.to_move(), Player::Second);
    assert_eq!(white.legal_moves().each().collect::<Vec<_>>(), [Move::new(2)]);
    let end = white.after(Move::new(2));
    assert_eq!(end.outcome(), Some(Outcome::from_margin(64, Player::Second)));

    let mut passes = 0;
    random_games(5, 300, |position| {
        let squares = position.legal_moves().squares();
        assert_eq!(position.is_legal(PASS), squares == 0);
        assert_eq!(position.must_pass(), squares == 0 && position.outcome().is_none());
        passes += usize::from(position.must_pass());
    });
    assert!(passes > 100, "only {passes} passes seen");
}

#[test]
fn passing_after_the_end_changes_nothing_but_the_turn() {
    let end = after("e6f4e3f6g5d6e7f5c5");
    let passed = end.after(PASS);
    assert_eq!(passed.outcome(), end.outcome());
    assert_eq!(passed.to_move(), !end.to_move());
    assert_eq!(passed.after(PASS), end);
}

#[test]
fn set_up_positions_need_one_disc_and_no_square_with_two() {
    assert!(Othello::from_discs(0, 0, Player::First).is_none());
    assert!(Othello::from_discs(3, 2, Player::First).is_none());
    assert!(Othello::from_discs(1, 2, Player::Second).is_some());
}

#[test]
fn keys_do_not_collide_on_millions_of_positions() {
    let mut boards = HashSet::new();
    let mut keys = HashSet::new();
    random_games(6, 40_000, |position| {
        let board = (position.discs(Player::First), position.discs(Player::Second), position.to_move());
        if boards.insert(board) {
            assert!(keys.insert(position.key()), "{position:?} has the key of another position");
        }
    });
    assert!(boards.len() > 2_000_000, "only {} different positions", boards.len());
}

/// Every bit of the boards, and whose move it is, should change about half the bits of the key, each about as
/// often as the others.
#[test]
fn a_small_change_of_the_board_changes_half_the_key() {
    let mut changed = [[0u32; 64]; 129]; // [input: Black's discs, White's discs, side][bit of the key]
    let mut rng = Rng::new(7);
    const SAMPLES: u32 = 4_000;
    for _ in 0..SAMPLES {
        let occupied = rng.next_u64();
        let black = occupied & rng.next_u64();
        let key = |black: u64, white: u64, side| Othello::from_discs(black, white, side).map(|p| p.key());
        let Some(before) = key(black, occupied & !black, Player::First) else { continue };
        for (input, counts) in changed.iter_mut().enumerate() {
            let after = match input {
                // Take a disc away or put one on an empty square; a square with the other colour is left out.
                0..64 if (occupied & !black) >> input & 1 == 0 => {
                    key(black ^ 1 << input, occupied & !black, Player::First)
                }
                64..128 if black >> (input - 64) & 1 == 0 => {
                    key(black, (occupied & !black) ^ 1 << (input - 64), Player::First)
                }
                128 => key(black, occupied & !black, Player::Second),
                _ => None,
            };
            let Some(after) = after else { continue };
            for (bit, count) in counts.iter_mut().enumerate() {
                *count += u32::from((before ^ after) >> bit & 1 == 1);
            }
        }
    }
    for (input, counts) in changed.iter().enumerate() {
        let samples = if input == 128 { f64::from(SAMPLES) } else { 0.75 * f64::from(SAMPLES) };
        for (bit, &count) in counts.iter().enumerate() {
            let share = f64::from(count) / samples;
            assert!(
                (0.42..0.58).contains(&share),
                "input {input} changes bit {bit} with probability {share}"
            );
        }
    }
}
