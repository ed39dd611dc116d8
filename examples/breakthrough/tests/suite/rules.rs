//! The rules, against a slow count and the conformance suite.

use outplay_breakthrough::{Breakthrough, ROW};
use outplay_core::conformance::{self, Effort};
use outplay_core::perft::perft;
use outplay_core::{Game, MoveList, Notation, Outcome, Player, Rng, garbage};

#[test]
fn the_laws_hold() {
    conformance::check::<Breakthrough>(&(), &Effort::default()).unwrap_or_else(|broken| panic!("{broken}"));
}

/// Where a pawn is, by column and row, and whose: a board as a child would write it down.
type Slow = Vec<Vec<char>>;

fn slow(position: &Breakthrough) -> (Slow, char) {
    let text = position.position_text();
    let (board, mover) = text.split_once(' ').expect("a board and a side");
    let row = |row: &str| {
        let signs = row.chars().flat_map(|sign| match sign.to_digit(10) {
            Some(empty) => vec!['.'; empty as usize],
            None => vec![sign],
        });
        signs.collect::<Vec<char>>()
    };
    // The first row is the upper one, as it is written.
    (board.split('/').map(row).collect(), if mover == "w" { 'P' } else { 'p' })
}

/// Counts the sequences of moves by trying every pair of squares.
fn slow_count(board: &Slow, mover: char, depth: u32) -> u64 {
    let other = if mover == 'P' { 'p' } else { 'P' };
    let arrived = board[0].contains(&'P') || board[7].contains(&'p');
    let is_over = arrived || !board.iter().flatten().any(|&sign| sign == mover);
    if depth == 0 {
        return 1;
    }
    if is_over {
        return 0;
    }
    let mut count = 0;
    for from in 0..64 {
        for to in 0..64 {
            let ((row, column), (to_row, to_column)) = ((from / 8, from % 8), (to / 8, to % 8));
            let forward = if mover == 'P' { row as i32 - to_row as i32 } else { to_row as i32 - row as i32 };
            let sideways = (column as i32 - to_column as i32).abs();
            let target = board[to_row][to_column];
            let is_move = forward == 1
                && match sideways {
                    0 => target == '.',
                    1 => target != mover,
                    _ => false,
                };
            if board[row][column] == mover && is_move {
                let mut next = board.clone();
                next[to_row][to_column] = mover;
                next[row][column] = '.';
                count += slow_count(&next, other, depth - 1);
            }
        }
    }
    count
}

#[test]
fn moves_are_counted_as_by_a_slow_count() {
    let start = Breakthrough::start(&());
    assert_eq!(start.legal_moves().len(), 22);
    let mut positions = vec![(start.clone(), 4)];
    let mut rng = Rng::new(5);
    for _ in 0..20 {
        let mut position = start.clone();
        for _ in 0..20 + rng.below(40) {
            if position.outcome().is_none() {
                position.play(position.random_move(&mut rng));
            }
        }
        positions.push((position, 3));
    }
    for (position, depth) in positions {
        let (board, mover) = slow(&position);
        for depth in 1..=depth {
            assert_eq!(
                perft(&position, depth),
                slow_count(&board, mover, depth),
                "{} {depth}",
                position.position_text()
            );
        }
    }
}

#[test]
fn a_game_is_won_at_the_other_side_or_by_taking_everything() {
    let position = |text: &str| Breakthrough::parse_position(&(), text).expect(text);
    let wins = |text: &str, m: &str| {
        let position = position(text);
        let m = position.parse_move(m).expect(m);
        let after = position.after(m);
        (after.outcome(), after.outcome_reason())
    };
    let first = Some(Outcome::win(Player::First));
    assert_eq!(wins("8/P7/8/8/8/8/7p/8 w", "a7a8"), (first, "a pawn has broken through"));
    assert_eq!(wins("8/8/8/1p6/P7/8/8/8 w", "a4xb5"), (first, "everything is captured"));
    assert_eq!(wins("8/P7/8/8/8/8/7p/8 b", "h2h1").0, Some(Outcome::win(Player::Second)));
    // Straight ahead nothing is captured, and nobody goes through others.
    let blocked = position("8/8/8/p7/P7/8/8/8 w");
    let moves: Vec<String> = blocked.legal_moves().each().map(|m| blocked.move_text(m)).collect();
    assert_eq!(moves, ["a4b5"]);
}

#[test]
fn positions_that_no_game_reaches_are_refused() {
    for text in [
        "",
        "8/8/8/8/8/8/8/8 w",
        "P7/8/8/8/8/8/8/p7 w",
        "P7/8/8/8/8/8/7p/8 w",
        "PP6/8/8/8/8/8/7p/8 b",
        "PPPPPPPP/PPPPPPPP/P7/8/8/8/8/p7 w",
        "9/8/8/8/8/8/8/8 w",
        "8/8/8/8/8/8/8 w",
        "8/8/8/8/8/8/Pp6/8 x",
    ] {
        assert!(Breakthrough::parse_position(&(), text).is_err(), "{text}");
    }
    let start = Breakthrough::start(&()).position_text();
    garbage::feed(3, &[start.as_bytes()], 200_000, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        drop(Breakthrough::parse_position(&(), &text));
        drop(Breakthrough::start(&()).parse_move(&text));
    });
}

#[test]
fn what_is_drawn_is_what_stands_there() {
    let session = (ROW.open)(None).expect("a game");
    let picture = session.picture();
    assert_eq!((picture.board.pieces.len(), picture.legal.len(), picture.to_move), (32, 22, 0));
    assert!(picture.legal.iter().all(|m| m.touch.from.is_some() && m.touch.to.is_some()));
    assert!(
        picture.board.pieces.iter().all(|piece| ROW.style.kinds.iter().any(|kind| kind.kind == piece.kind))
    );
}
