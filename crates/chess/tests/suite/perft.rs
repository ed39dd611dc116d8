//! Move counts against published ones.

use outplay_chess::{Chess, ChessRules, Epd};
use outplay_core::perft::perft;
use outplay_core::{Game, Notation};
use outplay_testing::public_data;

use crate::{CHESS960, position, position960};

#[test]
fn the_start_position_has_its_published_counts() {
    let start = Chess::start(&ChessRules::Standard);
    for (depth, nodes) in (1..).zip([20, 400, 8_902, 197_281, 4_865_609]) {
        assert_eq!(perft(&start, depth), nodes, "depth {depth}");
    }
}

#[test]
fn well_known_positions_have_their_published_counts() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let cases: [(&str, &[u64]); 7] = [
        (kiwipete, &[48, 2_039, 97_862, 4_085_603]),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624]),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9_467, 422_333]),
        ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", &[6, 264, 9_467, 422_333]),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379, 2_103_487]),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            &[46, 2_079, 89_890, 3_894_594],
        ),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", &[24, 496, 9_483, 182_838, 3_605_103]),
    ];
    for (fen, counts) in cases {
        for (depth, &nodes) in (1..).zip(counts) {
            assert_eq!(perft(&position(fen), depth), nodes, "{fen} at depth {depth}");
        }
    }
}

#[test]
fn chess960_positions_have_their_published_counts() {
    let cases: [(&str, &[u64]); 3] = [
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", &[21, 528, 12_189, 326_672]),
        ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", &[21, 807, 18_002, 667_366]),
        ("r1k2r1q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K2R1Q w KQkq - 0 1", &[28, 738, 20_218, 541_480]),
    ];
    for (fen, counts) in cases {
        for (depth, &nodes) in (1..).zip(counts) {
            assert_eq!(perft(&position960(fen), depth), nodes, "{fen} at depth {depth}");
        }
    }
}

/// One published count.
struct Count {
    name: String,
    position: Chess,
    depth: u32,
    nodes: u64,
}

/// The files of EPD lines with operations `D1` to `D6` for the standard game.
const STANDARD_FILES: [&str; 3] = [
    "chess/perft/perftsuite.epd",
    "chess/perft/cw_ferdy_perft_double_checks.epd",
    "chess/perft/cw_ferdy_perft_enpassant_1.epd",
];
/// The same for Chess960.
const CHESS960_FILE: &str = "chess/perft/ethereal_fischer_frc.epd";

fn counts_of_epd_file(name: &str, rules: &ChessRules) -> Vec<Count> {
    let Some(bytes) = public_data::bytes(name) else { return Vec::new() };
    let mut counts = Vec::new();
    for epd in Epd::read_lines(rules, &bytes) {
        let epd = epd.unwrap_or_else(|error| panic!("{name}: {error}"));
        for depth in 1..=6 {
            let Some(nodes) = epd.number(&format!("D{depth}")) else { continue };
            let (name, position) = (epd.position.position_text(), epd.position.clone());
            counts.push(Count { name, position, depth, nodes: nodes as u64 });
        }
    }
    assert!(!counts.is_empty(), "{name} holds no counts");
    counts
}

/// The positions of the tricky file that cannot arise in a game, and why they are refused.
const REFUSED: [(&str, &str); 4] = [
    ("align-ep", "the check from f1 was there before the pawn's double step"),
    ("align-ep-pinned", "the check from b8 was there before the pawn's double step"),
    ("ep-unrelated-check", "the check from f2 was there before the pawn's double step"),
    ("max-legals-too-much-material", "White has 28 pieces, at most 16 are possible"),
];

/// A file of `id`, `epd` and `perft` lines, all of them for Chess960.
fn counts_of_tricky_file() -> Vec<Count> {
    let Some(text) = public_data::text("chess/perft/shakmaty_tricky.perft") else { return Vec::new() };
    let mut counts = Vec::new();
    let (mut name, mut position) = ("", None);
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("id", id)) => name = id,
            Some(("epd", epd)) => {
                let read = Epd::parse(&CHESS960, epd);
                let refusal = REFUSED.iter().find(|(refused, _)| *refused == name);
                match (&read, refusal) {
                    (Ok(_), None) => {}
                    (Err(error), Some((_, reason))) => {
                        assert!(error.reason.contains(reason), "{name}: {error}")
                    }
                    _ => panic!("{name}: {read:?}"),
                }
                position = read.ok().map(|epd| epd.position);
            }
            Some(("perft", count)) => {
                let Some(position) = position.clone() else { continue };
                let (depth, nodes) = count.split_once(' ').expect("a depth and a count");
                let (depth, nodes) = (depth.parse().unwrap(), nodes.parse().unwrap());
                counts.push(Count { name: name.to_string(), position, depth, nodes });
            }
            _ => {}
        }
    }
    assert!(!counts.is_empty(), "the tricky file holds no counts");
    counts
}

/// Checks the cheapest counts first, until so many nodes have been counted.
fn check(mut counts: Vec<Count>, most_nodes: u64) {
    counts.sort_by_key(|count| count.nodes);
    let mut counted = 0;
    for Count { name, position, depth, nodes } in counts {
        if counted + nodes > most_nodes {
            break;
        }
        counted += nodes;
        assert_eq!(perft(&position, depth), nodes, "{name} at depth {depth}");
    }
}

/// Checks all public files, each until so many nodes have been counted.
fn check_public_files(most_nodes: u64) {
    for name in STANDARD_FILES {
        check(counts_of_epd_file(name, &ChessRules::Standard), most_nodes);
    }
    check(counts_of_epd_file(CHESS960_FILE, &CHESS960), most_nodes);
    check(counts_of_tricky_file(), most_nodes);
}

#[test]
fn all_public_positions_have_their_counts_at_small_depths() {
    check_public_files(5_000_000);
}

mod heavy {
    #[test]
    #[ignore = "heavy: called by name"]
    fn all_public_positions_have_their_counts_at_greater_depths() {
        super::check_public_files(50_000_000);
    }
}

#[test]
#[ignore = "a minute: cargo test --release -p outplay-chess -- --ignored all_standard_counts"]
fn all_standard_counts_are_right_at_all_depths() {
    for name in STANDARD_FILES {
        check(counts_of_epd_file(name, &ChessRules::Standard), u64::MAX);
    }
    check(counts_of_tricky_file(), u64::MAX);
}

#[test]
#[ignore = "half an hour: cargo test --release -p outplay-chess -- --ignored all_chess960_counts"]
fn all_chess960_counts_are_right_at_all_depths() {
    check(counts_of_epd_file(CHESS960_FILE, &CHESS960), u64::MAX);
}
