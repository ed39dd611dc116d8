//! Opening books: published keys, round trips, and files that are no books.

use std::collections::BTreeMap;

use outplay_chess::polyglot::{Book, BookBuilder, BookMove, Choice, Entry, Weights, key};
use outplay_chess::{Chess, ChessRules, StartArray};
use outplay_core::{Game, Move, Notation, Outcome, Player, Rng};
use outplay_testing::public_data;

use crate::{CHESS960, line, position, position960, random_positions};

fn start() -> Chess {
    Chess::start(&ChessRules::Standard)
}

fn bytes(entries: &[Entry]) -> Vec<u8> {
    entries.iter().flat_map(|entry| entry.to_bytes()).collect()
}

/// What a book says, in words.
fn moves(book: &[Entry], position: &Chess) -> Vec<(String, u16)> {
    let found = Book::from_bytes(bytes(book)).moves(position).expect("memory can be read");
    found.iter().map(|found| (position.move_text(found.played), found.weight)).collect()
}

fn words(moves: &[(&str, u16)]) -> Vec<(String, u16)> {
    moves.iter().map(|&(text, weight)| (text.to_string(), weight)).collect()
}

/// A book of games given as moves and the winner.
fn book(games: &[(&str, Option<Player>)], weights: Weights, plies: usize, least_games: u64) -> Vec<Entry> {
    let mut builder = BookBuilder::new(weights);
    for (moves, winner) in games {
        let outcome = winner.map_or(Outcome::DRAW, Outcome::win);
        builder.add_game(&start(), line(start(), moves).moves().iter().copied(), Some(outcome), plies);
    }
    builder.entries(least_games)
}

#[test]
fn keys_are_the_published_ones() {
    let Some(table) = public_data::text("chess/polyglot/polyglot_keys.csv") else { return };
    let mut checked = 0;
    for row in table.lines().skip(1) {
        let (fen, expected) = row.rsplit_once(',').expect("two columns");
        assert_eq!(format!("{:016x}", key(&position(fen))), expected, "{fen}");
        checked += 1;
    }
    assert_eq!(checked, 9);
}

#[test]
fn the_key_counts_an_en_passant_square_beside_a_pawn_and_no_other() {
    let after = |fen: &str| key(&position(fen));
    // No black pawn is near e3, so the square changes nothing.
    let pieces = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
    assert_eq!(after(&format!("{pieces} e3 0 1")), after(&format!("{pieces} - 0 1")));
    // A pawn that is pinned counts all the same, though the capture is not legal.
    let pinned = line(position("8/8/8/8/k2p3Q/8/4P3/4K3 w - - 0 1"), "e4");
    assert_eq!(pinned.position().en_passant_square(), None);
    assert_ne!(key(pinned.position()), after("8/8/8/8/k2pP2Q/8/8/4K3 b - - 0 1"));
}

#[test]
fn different_positions_have_different_keys() {
    let mut seen: BTreeMap<u64, Chess> = BTreeMap::new();
    for position in random_positions(5, 6) {
        let other = seen.entry(key(&position)).or_insert_with(|| position.clone());
        // The rooks that may castle do not count in books, nor do captures that are not legal in keys of ours.
        let same = |one: &Chess, another: &Chess| {
            one.cozy().occupied() == another.cozy().occupied() && one.to_move() == another.to_move()
        };
        assert!(same(other, &position), "{other:?} {position:?}");
    }
}

#[test]
fn a_book_of_games_weighs_moves_by_their_scores() {
    let games = [
        ("e4 e5 Nf3", Some(Player::First)),
        ("e4 c5", None),
        ("e4 e5 f4", Some(Player::Second)),
        ("d4 d5", Some(Player::First)),
        ("c4", Some(Player::Second)),
    ];
    let by_score = book(&games, Weights::Score, 100, 1);
    assert_eq!(moves(&by_score, &start()), words(&[("e4", 3), ("d4", 2), ("c4", 0)]));
    let open_game = line(start(), "e4 e5");
    assert_eq!(moves(&by_score, open_game.position()), words(&[("Nf3", 2), ("f4", 0)]));
    let after_e4 = line(start(), "e4");
    assert_eq!(moves(&by_score, after_e4.position()), words(&[("e5", 2), ("c5", 1)]));
    let by_games = book(&games, Weights::Games, 1, 2);
    assert_eq!(moves(&by_games, &start()), words(&[("e4", 3)]));
    assert_eq!(moves(&by_games, after_e4.position()), []);
    // Sorted, as the format demands, and the same when it is read again.
    assert!(by_score.windows(2).all(|pair| pair[0].key <= pair[1].key));
    let mut again = Vec::new();
    Book::from_bytes(bytes(&by_score)).visit(|entry| again.push(entry)).expect("memory can be read");
    assert_eq!(again, by_score);
}

#[test]
fn books_are_merged_by_adding_weights() {
    let one = book(&[("e4", None), ("d4", None)], Weights::Games, 9, 1);
    let another = book(&[("e4", None), ("c4", None)], Weights::Games, 9, 1);
    let mut merged = BookBuilder::new(Weights::Games);
    one.iter().chain(&another).for_each(|&entry| merged.add_entry(entry));
    assert_eq!(merged.len(), 3);
    let merged = merged.entries(1);
    assert_eq!(moves(&merged, &start())[0], ("e4".to_string(), 2));
    // What does not fit is made smaller, and the proportion stays.
    let heavy = Entry { weight: 60_000, learn: 7, ..one[0] };
    let mut sum = BookBuilder::new(Weights::Games);
    [heavy, heavy, Entry { weight: 30_000, ..one[1] }].into_iter().for_each(|entry| sum.add_entry(entry));
    let weights: Vec<u16> = sum.entries(1).iter().map(|entry| entry.weight).collect();
    assert_eq!(weights, [65_535, 16_383]);
    assert_eq!(sum.entries(1)[0].learn, 7);
}

#[test]
fn every_legal_move_survives_a_book() {
    for position in random_positions(11, 4).iter().step_by(7) {
        let mut builder = BookBuilder::new(Weights::Games);
        let legal: Vec<Move> = outplay_core::MoveList::each(&position.legal_moves()).collect();
        for &m in &legal {
            builder.add_game(position, [m], None, 1);
        }
        let mut book = Book::from_bytes(bytes(&builder.entries(1)));
        let mut found: Vec<Move> =
            book.moves(position).expect("read").iter().map(|found| found.played).collect();
        let mut expected = legal.clone();
        found.sort_by_key(|m| m.bits());
        expected.sort_by_key(|m| m.bits());
        assert_eq!(found, expected, "{position:?}");
    }
}

#[test]
fn castling_is_the_king_taking_his_rook_in_chess960_too() {
    let e1h1 = 7 | 4 << 6;
    let e1g1 = 6 | 4 << 6;
    let castles = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    for packed_move in [e1h1, e1g1] {
        let entry = Entry { key: key(&castles), packed_move, weight: 1, learn: 0 };
        assert_eq!(moves(&[entry], &castles), words(&[("O-O", 1)]));
    }
    // Without the right, the king cannot go there.
    let stays = position("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    let entry = Entry { key: key(&stays), packed_move: e1h1, weight: 1, learn: 0 };
    assert_eq!(moves(&[entry], &stays), []);
    let castles = position960("4k3/8/8/8/8/8/8/5KR1 w G - 0 1");
    let mut builder = BookBuilder::new(Weights::Games);
    let castling = castles.parse_move("O-O").expect("legal");
    builder.add_game(&castles, [castling], None, 1);
    let f1g1 = 6 | 5 << 6;
    assert_eq!(builder.entries(1)[0].packed_move, f1g1);
    assert_eq!(moves(&builder.entries(1), &castles), words(&[("O-O", 1)]));
    assert_ne!(
        key(&Chess::start(&CHESS960)),
        key(&Chess::start(&ChessRules::Chess960(StartArray::new(0).expect("one"))))
    );
}

#[test]
fn chance_follows_the_weights_and_the_seed() {
    let start = start();
    let found =
        |text: &str, weight| BookMove { played: start.parse_move(text).expect("legal"), weight, learn: 0 };
    let moves = [found("e4", 3), found("d4", 1), found("c4", 0)];
    let draw = |seed| {
        let mut rng = Rng::new(seed);
        (0..4_000).map(|_| Choice::Weighted.pick(&moves, &mut rng).expect("a move")).collect::<Vec<_>>()
    };
    let drawn = draw(1);
    assert_eq!(drawn, draw(1));
    let count = |place: usize| drawn.iter().filter(|&&m| m == moves[place].played).count();
    assert!((2_850..3_150).contains(&count(0)) && count(0) + count(1) == 4_000, "{} {}", count(0), count(1));
    assert_eq!(Choice::Best.pick(&moves, &mut Rng::new(1)), Some(moves[0].played));
    assert_eq!(
        Choice::Best.pick(&[found("a3", 2), found("b3", 2)], &mut Rng::new(1)),
        Some(found("a3", 2).played)
    );
    for choice in [Choice::Best, Choice::Weighted] {
        assert_eq!(choice.pick(&moves[2..], &mut Rng::new(1)), None);
        assert_eq!(choice.pick(&[], &mut Rng::new(1)), None);
    }
}

#[test]
fn illegal_moves_in_a_book_are_skipped() {
    let entry = |packed_move| Entry { key: key(&start()), packed_move, weight: 1, learn: 0 };
    let e2e4 = 28 | 12 << 6;
    let all: Vec<Entry> = (0..=u16::MAX).map(entry).collect();
    assert_eq!(moves(&all, &start()).len(), 20);
    assert_eq!(moves(&[entry(e2e4), entry(e2e4), entry(0), entry(0xffff)], &start()), words(&[("e4", 1)]));
}

#[test]
fn garbage_and_cut_off_files_are_asked_without_harm() {
    let mut rng = Rng::new(9);
    let garbage: Vec<u8> = (0..(10 << 20) / 8 + 1).flat_map(|_| rng.next_u64().to_be_bytes()).collect();
    let mut book = Book::from_bytes(garbage[..(10 << 20) + 5].to_vec());
    assert_eq!((book.entries(), book.stray_bytes()), (655_360, 5));
    for position in random_positions(3, 1) {
        assert_eq!(book.moves(&position).expect("memory can be read"), []);
    }
    let whole = bytes(&self::book(&[("e4 e5", None), ("d4 d5", None)], Weights::Games, 9, 1));
    for length in 0..whole.len() {
        let mut cut = Book::from_bytes(whole[..length].to_vec());
        assert_eq!((cut.entries(), cut.stray_bytes()), (length as u64 / 16, length as u64 % 16));
        assert!(cut.moves(&start()).expect("memory can be read").len() <= 2);
    }
    // All entries alike.
    let mut same = Book::from_bytes(key(&start()).to_be_bytes().repeat(100_000));
    assert!(same.moves(&start()).is_ok());
}
