//! How positions are shown to networks.

use outplay_chess::cozy_chess::{Color, Piece};
use outplay_chess::{Chess, ChessEncoder, ChessRules, StartArray};
use outplay_core::conformance::Effort;
use outplay_core::{Game, Line, MoveList, Notation, Rng};
use outplay_search::conformance::check_encoder;
use outplay_search::mcts::LeafEncoder;

use crate::{line, position, position960};

const ENCODERS: [ChessEncoder; 2] = [ChessEncoder::Convolution, ChessEncoder::Dense];

/// The past as the search gives it.
fn encoded(line: &Line<Chess>) -> Vec<u64> {
    let encoder = ChessEncoder::Convolution;
    let past: Vec<Chess> =
        line.positions().iter().rev().skip(1).take(encoder.past_positions()).cloned().collect();
    let mut words = Vec::new();
    encoder.encode(line.position(), &past, &mut words);
    words
}

/// A position as text has it.
struct Plain {
    /// Letters of FEN, a1 first.
    cells: [char; 64],
    white_moves: bool,
    castling: String,
    /// The square behind a pawn that has made a double step.
    passed: Option<usize>,
    clock: usize,
    repetitions: usize,
}

impl Plain {
    fn of(position: &Chess) -> Plain {
        let text = position.position_text();
        let fields: Vec<&str> = text.split(' ').collect();
        let mut cells = [' '; 64];
        for (row, men) in fields[0].split('/').enumerate() {
            let mut file = 0;
            for letter in men.chars() {
                match letter.to_digit(10) {
                    Some(empty) => file += empty as usize,
                    None => {
                        cells[(7 - row) * 8 + file] = letter;
                        file += 1;
                    }
                }
            }
        }
        let white_moves = fields[1] == "w";
        let rank = if white_moves { 5 } else { 2 };
        let passed = position.cozy().en_passant().map(|file| rank * 8 + file as usize);
        let (castling, clock) = (fields[2].to_string(), fields[4].parse().unwrap());
        Plain { cells, white_moves, castling, passed, clock, repetitions: 0 }
    }

    /// The square on which a pawn of the mover stands ready to capture in passing.
    fn offered(&self) -> Option<usize> {
        let square = self.passed?;
        let (row, pawn) = if self.white_moves { (square / 8 - 1, 'P') } else { (square / 8 + 1, 'p') };
        let beside = [-1, 1].map(|side| square as i32 % 8 + side);
        let stands = |&file: &i32| (0..8).contains(&file) && self.cells[row * 8 + file as usize] == pawn;
        beside.iter().any(stands).then_some(square)
    }

    fn is_same(&self, other: &Plain) -> bool {
        (self.cells, self.white_moves, &self.castling, self.offered())
            == (other.cells, other.white_moves, &other.castling, other.offered())
    }
}

/// The planes by a slow second implementation, cell by cell from texts.
fn slow_planes(line: &Line<Chess>) -> Vec<[f32; 64]> {
    let mut game: Vec<Plain> = Vec::new();
    for position in line.positions() {
        let mut plain = Plain::of(position);
        // The nearest earlier position that is the same knows of those before it.
        if plain.clock >= 4 {
            let earlier = game.iter().rev().skip(3).step_by(2).take((plain.clock - 2) / 2);
            plain.repetitions = earlier
                .into_iter()
                .find(|other| plain.is_same(other))
                .map_or(0, |other| 1 + other.repetitions);
        }
        game.push(plain);
    }
    let now = &game[game.len() - 1];
    let (own, other) = if now.white_moves { ("PNBRQK", "pnbrqk") } else { ("pnbrqk", "PNBRQK") };
    let square = |cell: usize| if now.white_moves { cell } else { (7 - cell / 8) * 8 + cell % 8 };
    let start = Plain::of(&Chess::start(&ChessRules::Standard));
    let mut planes = Vec::new();
    for plies in 0..8 {
        let is_known = plies < game.len();
        let shown = &game[game.len().saturating_sub(plies + 1)];
        if !is_known && shown.is_same(&start) {
            planes.resize(planes.len() + 13, [0.0; 64]);
            continue;
        }
        let mut cells = shown.cells;
        if let Some(passed) = shown.passed.filter(|_| !is_known) {
            let (from, to) =
                if shown.white_moves { (passed + 8, passed - 8) } else { (passed - 8, passed + 8) };
            cells.swap(from, to);
        }
        for letter in own.chars().chain(other.chars()) {
            planes.push(std::array::from_fn(|cell| f32::from(cells[square(cell)] == letter)));
        }
        planes.push([f32::from(is_known && shown.repetitions > 0); 64]);
    }
    let rights = Plain::of(line.position()).castling;
    // These letters do for Chess960 too, while it is the outermost rooks that may castle.
    let may = |letter: char| f32::from(rights.contains(letter));
    let castling = if now.white_moves { "QKqk" } else { "qkQK" }.chars().map(may);
    let rest = [f32::from(!now.white_moves), now.clock as f32, 0.0, 1.0];
    planes.extend(castling.chain(rest).map(|value| [value; 64]));
    planes
}

fn assert_planes(line: &Line<Chess>) {
    let (words, slow) = (encoded(line), slow_planes(line));
    let planes = ChessEncoder::Convolution.planes();
    assert_eq!((words.len(), slow.len(), planes.count()), (112, 112, 112));
    for (plane, cells) in slow.iter().enumerate() {
        for (cell, &expected) in cells.iter().enumerate() {
            let found = planes.value(&words, plane, cell);
            assert_eq!(found, expected, "plane {plane}, cell {cell} after {:?}", line.moves());
        }
    }
}

/// Random moves, compared at each of them; returns how many positions were repetitions.
fn assert_random_game(start: Chess, plies: usize, rng: &mut Rng) -> usize {
    let mut line = Line::new(start);
    let mut repetitions = 0;
    assert_planes(&line);
    for _ in 0..plies {
        if line.position().outcome().is_some() {
            break;
        }
        let moves = line.position().legal_moves();
        line.play(moves.nth(rng.below(moves.count())));
        assert_planes(&line);
        repetitions += usize::from(line.history().occurrences(line.position()) > 1);
    }
    repetitions
}

#[test]
fn planes_are_those_of_a_slow_second_implementation() {
    let mut rng = Rng::new(112);
    for _ in 0..4 {
        assert_random_game(Chess::start(&ChessRules::Standard), 120, &mut rng);
    }
    for number in [0, 518, 959] {
        let rules = ChessRules::Chess960(StartArray::new(number).unwrap());
        assert_random_game(Chess::start(&rules), 40, &mut rng);
    }
    // Each begins right after a double step: with a capture in passing, without one, for either side.
    for fen in [
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "4k3/8/8/8/2pP4/8/8/4K3 b - d3 0 1",
    ] {
        assert_random_game(position(fen), 20, &mut rng);
    }
    // Few men walk about for long, and come back.
    let mut repetitions = 0;
    for fen in
        ["7k/p7/P7/8/8/8/8/K7 w - - 0 1", "k7/p7/P7/8/8/8/8/K7 b - - 7 20", "8/8/8/8/8/3k4/8/K6R w - - 0 1"]
    {
        repetitions += assert_random_game(position(fen), 110, &mut rng);
    }
    assert!(repetitions > 5, "{repetitions}");
}

#[test]
fn the_first_position_has_no_past_and_is_seen_by_white() {
    let words = encoded(&Line::new(Chess::start(&ChessRules::Standard)));
    let ranks = [0xFF00, 0x42, 0x24, 0x81, 0x08, 0x10];
    assert_eq!(words[..6], ranks);
    assert_eq!(words[6..12], ranks.map(u64::swap_bytes));
    assert!(words[12..104].iter().all(|&word| word == 0));
    let constants = words[104..].iter().map(|&word| f32::from_bits(word as u32));
    assert_eq!(constants.collect::<Vec<_>>(), [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn black_sees_the_board_from_the_other_side_and_the_past_as_well() {
    let game = line(Chess::start(&ChessRules::Standard), "Nf3");
    let words = encoded(&game);
    // Black's own men stand where White's stood; White's knight went from g1, which Black sees as g8, to f6.
    assert_eq!(words[..6], [0xFF00, 0x42, 0x24, 0x81, 0x08, 0x10]);
    assert_eq!((words[7], words[13 + 7]), (1 << 57 | 1 << 45, 1 << 57 | 1 << 62));
    assert_eq!([108, 109].map(|plane: usize| f32::from_bits(words[plane] as u32)), [1.0, 1.0]);
}

#[test]
fn the_rights_to_castle_are_told_apart() {
    for (rights, expected) in [("Q", 0), ("K", 1), ("q", 2), ("k", 3)] {
        let white = Line::new(position(&format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1")));
        let black = Line::new(position(&format!("r3k2r/8/8/8/8/8/8/R3K2R b {rights} - 0 1")));
        for (line, expected) in [(white, expected), (black, (expected + 2) % 4)] {
            let found: Vec<usize> = (0..4).filter(|&plane| encoded(&line)[104 + plane] != 0).collect();
            assert_eq!(found, [expected], "{rights}");
        }
    }
}

#[test]
fn a_repetition_is_seen_wherever_its_first_occurrence_lies() {
    let repetition = |line: &Line<Chess>| -> Vec<bool> {
        let words = encoded(line);
        (0..8).map(|plies| words[13 * plies + 12] == u64::MAX).collect()
    };
    let mut game = line(Chess::start(&ChessRules::Standard), "Nf3 Nf6 Ng1");
    assert_eq!(repetition(&game), [false; 8]);
    let back = game.position().parse_move("Ng8").unwrap();
    game.play(back);
    // The first position of all stands on the board again.
    assert_eq!(repetition(&game), [[true].as_slice(), &[false; 7]].concat());
    // The rook is back every six moves, the king every four: what comes back after twelve lies far beyond the positions that are shown.
    let rook = ["h2", "h3", "h4", "h5", "h6", "h1"].into_iter().cycle();
    let king = ["b8", "b7", "a7", "a8"].into_iter().cycle();
    let tour: Vec<String> =
        rook.zip(king).flat_map(|(rook, king)| [format!("R{rook}"), format!("K{king}")]).take(26).collect();
    for (plies, repetitions) in [(23, 0), (24, 1), (26, 3)] {
        let game = line(position("k7/8/8/8/8/8/8/K6R w - - 0 1"), &tour[..plies].join(" "));
        assert_eq!(repetition(&game), std::array::from_fn::<bool, 8, _>(|plies| plies < repetitions));
    }
}

#[test]
fn encoders_obey_the_laws() {
    let effort = Effort { games: 2, most_plies: 150, ..Effort::default() };
    for encoder in ENCODERS {
        for rules in [ChessRules::Standard, ChessRules::Chess960(StartArray::new(7).unwrap())] {
            check_encoder(&rules, &encoder, shown, &effort).unwrap_or_else(|violation| panic!("{violation}"));
        }
    }
}

/// The men of eight positions, which of them are repetitions, and what is known of the last one.
fn shown(position: &Chess, past: &[Chess]) -> impl std::hash::Hash + use<> {
    let one = |(number, one): (usize, &Chess)| {
        let men = Color::ALL.map(|color| Piece::ALL.map(|piece| one.cozy().colored_pieces(color, piece)));
        (men, past[number..].iter().any(|earlier| earlier.key() == one.key()))
    };
    let men: Vec<_> = [position].into_iter().chain(past).take(8).enumerate().map(one).collect();
    let rights = Color::ALL.map(|color| {
        let rights = position.cozy().castle_rights(color);
        [rights.long, rights.short].map(|rook| rook.is_some())
    });
    (men, rights, position.to_move(), position.reversible_plies())
}

/// The same with colours and ranks exchanged.
fn for_black(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let swapped = |text: &str| -> String {
        let swap = |letter: char| match letter.is_ascii_uppercase() {
            true => letter.to_ascii_lowercase(),
            false => letter.to_ascii_uppercase(),
        };
        text.chars().map(swap).collect()
    };
    let ranks: Vec<String> = fields[0].split('/').rev().map(swapped).collect();
    format!("{} b {} {} 0 1", ranks.join("/"), swapped(fields[2]), move_for_black(fields[3]))
}

fn move_for_black(text: &str) -> String {
    text.chars().map(|c| c.to_digit(10).map_or(c, |rank| char::from(b'9' - rank as u8))).collect()
}

#[test]
fn moves_stand_where_lc0_has_them() {
    // A move, its plane and cell in the convolution's policy, and its place in the dense one.
    type Fact = (&'static str, [u16; 2], u16);
    let facts: [(&str, &[Fact]); 8] = [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            &[("e2e4", [1, 12], 322), ("a2a3", [0, 8], 204), ("g1f3", [63, 6], 159), ("b1a3", [63, 1], 34)],
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            &[("O-O", [16, 4], 103), ("O-O-O", [45, 4], 97), ("e1e2", [0, 4], 106)],
        ),
        ("1k6/8/8/8/8/8/8/5KR1 w G - 0 1", &[("O-O", [14, 5], 127)]),
        ("6k1/8/8/8/8/8/8/1RK5 w B - 0 1", &[("O-O-O", [42, 2], 48)]),
        (
            "r1r4k/1P6/8/8/8/8/8/6K1 w - - 0 1",
            &[
                ("b7a8q", [66, 49], 1798),
                ("b7a8b", [65, 49], 1800),
                ("b7b8r", [67, 49], 1802),
                ("b7b8n", [0, 49], 1428),
                ("b7c8n", [7, 49], 1429),
                ("b7c8q", [72, 49], 1804),
                ("b7c8b", [71, 49], 1806),
            ],
        ),
        (
            "7k/8/8/8/8/2N5/8/K7 w - - 0 1",
            &[
                ("c3d5", [56, 18], 491),
                ("c3e4", [57, 18], 487),
                ("c3e2", [58, 18], 475),
                ("c3d1", [59, 18], 469),
                ("c3b1", [60, 18], 467),
                ("c3a2", [61, 18], 471),
                ("c3a4", [62, 18], 483),
                ("c3b5", [63, 18], 489),
            ],
        ),
        (
            "8/8/k7/3B3R/3Q4/8/8/7K w - - 0 1",
            &[("h5e5", [44, 39], 1129), ("d4d1", [30, 27], 740), ("d5b3", [36, 35], 988)],
        ),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", &[("e5d6", [49, 36], 1041)]),
    ];
    for (fen, moves) in facts {
        for &(text, [plane, cell], dense) in moves {
            for (fen, text) in [(fen.to_string(), text.to_string()), (for_black(fen), move_for_black(text))] {
                let position = position960(&fen);
                let m = position.parse_move(&text).unwrap_or_else(|error| panic!("{error}"));
                let places = ENCODERS.map(|encoder| encoder.policy_index(&position, m));
                assert_eq!(places, [plane * 64 + cell, dense], "{text} in {fen}");
            }
        }
    }
}
