//! How games end, and what counts as the same position.

use outplay_chess::{Chess, ChessRules};
use outplay_core::{Game, Line, Outcome, Player};

use crate::{line, position, position960};

fn start() -> Chess {
    Chess::start(&ChessRules::Standard)
}

#[test]
fn checkmate_is_won_by_the_side_that_gave_it() {
    let mated = line(start(), "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7");
    assert_eq!(mated.outcome(), Some(Outcome::win(Player::First)));
    assert!(mated.legal_moves().is_empty());
    assert_eq!(line(start(), "f3 e5 g4 Qh4").outcome(), Some(Outcome::win(Player::Second)));
}

#[test]
fn stalemate_is_a_draw() {
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "5bnr/4p1pq/4Qpkr/7p/7P/4P3/PPPP1PP1/RNB1KBNR b KQ - 2 10"]
    {
        assert_eq!(position(fen).outcome(), Some(Outcome::DRAW), "{fen}");
        assert_eq!(position(fen).legal_count(), 0);
    }
}

#[test]
fn fifty_moves_draw_unless_the_last_one_mates() {
    let before = position("8/8/8/8/8/5k2/8/4R1K1 w - - 99 80");
    assert_eq!(before.outcome(), None);
    let drawn = line(before, "Kh2");
    assert_eq!(drawn.outcome(), Some(Outcome::DRAW));
    assert!(drawn.position().legal_count() > 0, "a draw by counting leaves the moves where they are");

    let mate = line(position("7k/8/6K1/8/8/8/8/R7 w - - 99 80"), "Ra8#");
    assert_eq!(mate.outcome(), Some(Outcome::win(Player::First)));
    let capture = line(position("7k/8/6K1/8/8/8/p7/R7 w - - 99 80"), "Rxa2");
    assert_eq!(capture.outcome(), None);
}

#[test]
fn material_that_cannot_mate_is_a_draw() {
    let dead = [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3K4/5B2/8 w - - 0 1",
        "8/8/4k3/8/8/3K4/5n2/8 w - - 0 1",
        "8/6b1/4k3/8/8/3K4/5B2/8 w - - 0 1",
        "1b6/6b1/4k3/8/8/3K4/5B2/8 b - - 0 1",
    ];
    let alive = [
        "8/7b/4k3/8/8/3K4/5B2/8 w - - 0 1",
        "8/8/4k3/8/8/3K4/5NN1/8 w - - 0 1",
        "8/5n2/4k3/8/8/3K4/5N2/8 w - - 0 1",
        "8/5n2/4k3/8/8/3K4/5B2/8 w - - 0 1",
        "8/8/4k3/8/8/3K4/5BB1/8 w - - 0 1",
        "8/8/4k3/8/8/3K4/5P2/8 w - - 0 1",
        "8/8/4k3/8/8/3K4/5R2/8 w - - 0 1",
        "8/8/4k3/8/8/3K4/5Q2/8 w - - 0 1",
    ];
    for fen in dead {
        assert_eq!(position(fen).outcome(), Some(Outcome::DRAW), "{fen}");
        assert!(position(fen).legal_count() > 0);
    }
    for fen in alive {
        assert_eq!(position(fen).outcome(), None, "{fen}");
    }
}

#[test]
fn draws_that_leave_moves_can_be_played_past_and_others_cannot() {
    for fen in ["8/8/4k3/8/8/3K4/8/8 w - - 0 1", "8/8/8/8/8/5k2/7K/4R3 b - - 100 80"] {
        assert_eq!(
            (position(fen).outcome(), position(fen).can_play_on()),
            (Some(Outcome::DRAW), true),
            "{fen}"
        );
    }
    let repeated = line(start(), &"Nf3 Nf6 Ng1 Ng8 ".repeat(2));
    assert!(repeated.outcome().is_some() && repeated.position().can_play_on());
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R6k/8/6K1/8/8/8/8/8 b - - 0 1"] {
        assert!(position(fen).outcome().is_some() && !position(fen).can_play_on(), "{fen}");
    }
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ";
    let twice = line(start(), shuffle);
    assert_eq!(twice.history().occurrences(twice.position()), 2);
    assert_eq!(twice.outcome(), None);
    assert_eq!(line(start(), &shuffle.repeat(2)).outcome(), Some(Outcome::DRAW));
}

#[test]
fn a_position_with_fewer_castling_rights_is_another_one() {
    let moves = "e4 e5 Ke2 Ke7 Ke1 Ke8";
    let moved = line(start(), moves);
    let before = line(start(), "e4 e5");
    assert_ne!(moved.position().key(), before.position().key());
    assert_ne!(moved.position(), before.position());
    assert_eq!(moved.history().occurrences(moved.position()), 1);
    // From here on the rights are gone for good, so two more rounds make three occurrences.
    let more = line(start(), &format!("{moves} Ke2 Ke7 Ke1 Ke8"));
    assert_eq!(more.outcome(), None);
    assert_eq!(
        line(start(), &format!("{moves} Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8")).outcome(),
        Some(Outcome::DRAW)
    );
}

#[test]
fn a_position_with_an_en_passant_capture_is_another_one() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ";
    // exd6 is possible at first, and never again.
    let first = line(start(), "e4 a6 e5 d5");
    let later = line(start(), &format!("e4 a6 e5 d5 {shuffle}"));
    assert_ne!(first.position().key(), later.position().key());
    assert_eq!(line(start(), &format!("e4 a6 e5 d5 {}", shuffle.repeat(2))).outcome(), None);
    assert_eq!(line(start(), &format!("e4 a6 e5 d5 {}", shuffle.repeat(3))).outcome(), Some(Outcome::DRAW));
}

#[test]
fn a_double_step_that_nothing_can_capture_changes_nothing() {
    // No pawn stands beside the one that moved.
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ";
    assert_eq!(line(start(), &format!("e4 {}", "Nf6 Nf3 Ng8 Ng1 ".repeat(2))).outcome(), Some(Outcome::DRAW));
    assert_eq!(line(start(), &format!("e4 e5 {}", shuffle.repeat(2))).outcome(), Some(Outcome::DRAW));
    // One does, but it is pinned to its king along the rank or the diagonal.
    for fen in ["8/8/8/K2pP2r/8/8/8/7k w - d6 0 2", "7k/6b1/8/3pP3/3K4/8/8/8 w - d6 0 2"] {
        let pinned = position(fen);
        let without = position(&fen.replace(" d6 ", " - "));
        assert_eq!(pinned.en_passant_square(), None, "{fen}");
        assert_eq!(pinned.key(), without.key(), "{fen}");
        assert_eq!(pinned, without, "{fen}");
    }
}

#[test]
fn counters_are_part_of_the_position_but_not_of_its_key() {
    let early = position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let late = position("4k3/8/8/8/8/8/4P3/4K3 w - - 12 40");
    assert_ne!(early, late);
    assert_eq!(early.key(), late.key());
    assert_eq!(late.reversible_plies(), 12);
}

#[test]
fn a_rook_lost_in_its_corner_takes_the_right_with_it() {
    let taken = line(position("r3k2r/8/8/8/8/8/6B1/R3K2R w KQkq - 0 1"), "Bxa8");
    assert_eq!(taken.position().cozy().to_string(), "B3k2r/8/8/8/8/8/8/R3K2R b KQk - 0 1");
}

#[test]
fn castling_in_chess960_brings_king_and_rook_to_their_usual_squares() {
    // The king stays where it is and only the rook moves; then both move past each other.
    let mut one = Line::new(position960("2k5/8/8/8/8/8/8/6KR w H - 0 1"));
    one.play(outplay_core::Notation::parse_move(one.position(), "O-O").unwrap());
    assert_eq!(*one.position(), position960("2k5/8/8/8/8/8/8/5RK1 b - - 1 1"));
    let other = line(position960("6k1/8/8/8/8/8/8/RK6 w A - 0 1"), "O-O-O");
    assert_eq!(*other.position(), position960("6k1/8/8/8/8/8/8/2KR4 b - - 1 1"));
}
