//! The alpha-beta search for use against the textbook's, on the real games.

use std::sync::Arc;
use std::time::Duration;

use outplay_chess::{Chess, ChessRules, Classical, MaterialAndMobility};
use outplay_connect::four::{self, ConnectFour};
use outplay_connect::{Connect, Rules, knowledge_of_windows};
use outplay_core::{Game, Line, MoveList, Notation, Rng};
use outplay_othello::{Othello, Positional};
use outplay_search::alphabeta::{Aim, AlphaBeta, AlphaBetaOptions};
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::textbook::{AtDepth, Walk, alphabeta};
use outplay_search::{Control, Evaluating, Knowledge, Limits, Meaning, Report, Score, Search, StopReason};

fn searched<G: Game, K: Knowledge<G> + Clone>(
    knowledge: &K,
    options: AlphaBetaOptions,
    line: &Line<G>,
    limits: &Limits,
) -> Report {
    let mut search = AlphaBeta::new(knowledge.clone());
    search.options = options;
    searched_by(&mut search, line, limits)
}

fn searched_by<G: Game, K: Knowledge<G> + Clone>(
    search: &mut AlphaBeta<G, K>,
    line: &Line<G>,
    limits: &Limits,
) -> Report {
    let (mut nobody, signals, stop) = (|_| (), Arc::new(Signals::default()), StopOptions::default());
    let mut control = Control::new(line.position().to_move(), limits, &stop, &signals, &mut nobody);
    search.search(line, &mut control)
}

fn to_depth(depth: usize) -> Limits {
    Limits { depth: Some(depth as u32), ..Limits::default() }
}

/// A game of so many random moves, or one that has ended before.
fn random_line<G: Game>(rules: &G::Rules, plies: usize, rng: &mut Rng) -> Line<G> {
    let mut line = Line::new(G::start(rules));
    while line.moves().len() < plies && line.outcome().is_none() {
        let moves = line.position().legal_moves();
        line.play(moves.nth(rng.below(moves.count())));
    }
    line
}

/// Random positions, each searched by both to the same depth.
fn plain_search_agrees<G: Game, K: Knowledge<G> + Clone>(
    rules: &G::Rules,
    knowledge: &K,
    options: AlphaBetaOptions,
    depth: usize,
    most_plies: usize,
) {
    let mut rng = Rng::new(3);
    let mut compared = 0;
    for plies in 0..most_plies {
        let line = random_line::<G>(rules, plies, &mut rng);
        if line.outcome().is_none() {
            plain_search_agrees_on(&line, knowledge, options, depth);
            compared += 1;
        }
    }
    assert!(compared > most_plies / 3);
}

fn plain_search_agrees_on<G: Game, K: Knowledge<G> + Clone>(
    line: &Line<G>,
    knowledge: &K,
    options: AlphaBetaOptions,
    depth: usize,
) {
    let mut evaluator = Evaluating::new(knowledge.clone());
    let (mut nobody, mut horizon) = ((), AtDepth { depth, evaluator: &mut evaluator });
    let mut walk = Walk::new(line.history(), &mut horizon, &mut nobody);
    let expected = alphabeta(&mut walk, line.position(), -Score::INFINITE, Score::INFINITE);
    let report = searched(knowledge, options, line, &to_depth(depth));
    assert_eq!(report.lines[0].score, expected.meaning::<G>(), "{:?}", line.position());
}

/// Full of captures, of castling, promotions and en passant, in check, near mate, and with hardly a piece.
const CHESS_POSITIONS: [&str; 8] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k2r/6K1/8/8/8/8/8/8 w k - 0 1",
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
    "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1",
];

#[test]
fn without_selective_techniques_the_value_is_that_of_plain_alphabeta() {
    // Where stones are only ever added, a position comes at one depth only, so that the table cannot know more than it is asked.
    let plain = AlphaBetaOptions { hash: 1, ..AlphaBetaOptions::plain() };
    plain_search_agrees::<Othello, _>(&(), &outplay_othello::knowledge(Positional), plain, 4, 55);
    plain_search_agrees::<ConnectFour, _>(&four::Rules::default(), &four::knowledge(), plain, 6, 36);
    plain_search_agrees::<Connect, _>(&Rules::CONNECT6, &knowledge_of_windows(), plain, 1, 30);
    plain_search_agrees::<Connect, _>(
        &Rules::new(5, 4, 3, 2, 1).expect("rules"),
        &knowledge_of_windows(),
        plain,
        4,
        8,
    );
    let without_table = AlphaBetaOptions { table: false, ..plain };
    plain_search_agrees::<Chess, _>(
        &ChessRules::Standard,
        &outplay_chess::knowledge(MaterialAndMobility),
        without_table,
        3,
        80,
    );
    for fen in CHESS_POSITIONS {
        let position = Chess::parse_position(&ChessRules::Standard, fen).expect("a position");
        plain_search_agrees_on(&Line::new(position), &outplay_chess::knowledge(Classical), without_table, 4);
    }
}

#[test]
fn with_all_techniques_small_games_are_solved() {
    let solved = |report: Report| {
        assert_eq!(report.stopped, Some(StopReason::Solved));
        report.lines[0].score
    };
    let options = AlphaBetaOptions::default();
    let tic_tac_toe = Line::new(Connect::start(&Rules::TIC_TAC_TOE));
    let value = solved(searched(&knowledge_of_windows(), options, &tic_tac_toe, &Limits::default()));
    assert_eq!(value, Meaning::Opinion(0));
    for (columns, rows) in [(4, 4), (5, 4)] {
        let rules = four::Rules::new(columns, rows).expect("a size");
        let line = Line::new(ConnectFour::start(&rules));
        let plain = AlphaBetaOptions::plain();
        assert_eq!(
            solved(searched(&four::knowledge(), plain, &line, &Limits::default())),
            Meaning::Opinion(0)
        );
    }
}

/// For the result alone: at once to the end of the game, or deeper and deeper.
const FOR_THE_RESULT: [(Aim, i64); 2] = [(Aim::Result, 118), (Aim::Result, 1)];

/// 1 for a win of the player to move, 0 for a draw, -1 for a loss.
fn result(report: &Report) -> i32 {
    assert_eq!(report.stopped, Some(StopReason::Solved));
    match report.lines[0].score {
        Meaning::WinIn(_) => 1,
        Meaning::LossIn(_) => -1,
        Meaning::Margin(margin) => margin.signum(),
        other => {
            assert_eq!(other, Meaning::Opinion(0));
            0
        }
    }
}

/// Positions near the end, each solved by both; how many are lost, drawn and won.
fn results_agree<G: Game, K: Knowledge<G> + Clone>(
    rules: &G::Rules,
    knowledge: &K,
    plies: usize,
) -> [i32; 3] {
    let mut rng = Rng::new(8);
    let mut seen = [0; 3];
    for _ in 0..40 {
        let line = random_line::<G>(rules, plies, &mut rng);
        if line.outcome().is_some() {
            continue;
        }
        let mut evaluator = Evaluating::new(knowledge.clone());
        let (mut nobody, mut horizon) = ((), AtDepth { depth: 100, evaluator: &mut evaluator });
        let mut walk = Walk::new(line.history(), &mut horizon, &mut nobody);
        let value = alphabeta(&mut walk, line.position(), -Score::INFINITE, Score::INFINITE);
        let expected = value.raw().signum();
        for (aim, first_depth) in FOR_THE_RESULT {
            let options = AlphaBetaOptions { aim, first_depth, hash: 1, ..AlphaBetaOptions::default() };
            let report = searched(knowledge, options, &line, &Limits::default());
            assert_eq!(result(&report), expected, "{:?}", line.position());
        }
        seen[(expected + 1) as usize] += 1;
    }
    seen
}

#[test]
fn a_search_for_the_result_finds_that_of_plain_alphabeta() {
    let seen = [
        results_agree::<ConnectFour, _>(&four::Rules::new(5, 4).expect("a size"), &four::knowledge(), 7),
        results_agree::<ConnectFour, _>(&four::Rules::default(), &four::knowledge(), 30),
        results_agree::<Othello, _>(&(), &outplay_othello::knowledge(Positional), 54),
        results_agree::<Connect, _>(&Rules::new(4, 4, 3, 2, 1).expect("rules"), &knowledge_of_windows(), 5),
    ];
    for result in 0..3 {
        assert!(seen.iter().map(|seen| seen[result]).sum::<i32>() > 10, "{seen:?}");
    }
}

fn connect_four(columns: usize, rows: usize, options: AlphaBetaOptions) -> Report {
    let rules = four::Rules::new(columns, rows).expect("a size");
    let options = AlphaBetaOptions { aim: Aim::Result, first_depth: 118, ..options };
    searched(&four::knowledge(), options, &Line::new(ConnectFour::start(&rules)), &Limits::default())
}

/// The results that John Tromp has published for boards of many sizes.
#[test]
fn small_boards_of_connect_four_have_their_published_results() {
    for (columns, rows, expected) in [(4, 4, 0), (5, 4, 0), (6, 4, -1), (4, 5, 0), (5, 5, 0), (4, 6, 0)] {
        let report = connect_four(columns, rows, AlphaBetaOptions::default());
        assert_eq!(result(&report), expected, "{columns}x{rows}");
    }
}

#[test]
fn a_first_iteration_that_goes_to_the_end_keeps_to_its_time() {
    let options = AlphaBetaOptions { aim: Aim::Result, first_depth: 118, ..AlphaBetaOptions::default() };
    let line = Line::new(ConnectFour::start(&four::Rules::default()));
    let limits = Limits { move_time: Some(Duration::from_millis(50)), ..Limits::default() };
    let report = searched(&four::knowledge(), options, &line, &limits);
    assert_eq!(report.stopped, Some(StopReason::Time));
    assert!(report.time < Duration::from_secs(5), "{:?}", report.time);
    assert!(report.best_move().is_some_and(|m| line.position().is_legal(m)), "{report:?}");
}

/// Takes minutes and 4 GiB: `cargo test --release -p outplay-engine --test suite -- --ignored --nocapture pvs_on_real_games`.
#[test]
#[ignore = "takes minutes and 4 GiB"]
fn connect_four_is_won_by_the_first_player() {
    let report = connect_four(7, 6, AlphaBetaOptions { hash: 4096, ..AlphaBetaOptions::default() });
    println!("{} nodes in {:.0?}", report.counters.nodes, report.time);
    assert_eq!(result(&report), 1);
}

fn chess(fen: &str) -> Line<Chess> {
    Line::new(Chess::parse_position(&ChessRules::Standard, fen).expect("a FEN"))
}

#[test]
fn mates_are_found_at_their_distance() {
    for (fen, expected) in [
        ("7k/R7/8/8/8/8/8/1R5K w - - 0 1", Meaning::WinIn(1)),
        ("7k/R7/8/8/8/8/8/1R5K b - - 0 1", Meaning::LossIn(2)),
        ("5r1k/6pp/8/6N1/8/1Q6/8/6K1 w - - 0 1", Meaning::WinIn(7)),
    ] {
        let line = chess(fen);
        let limits = Limits { depth: Some(14), ..Limits::default() };
        let report = searched(
            &outplay_chess::knowledge(MaterialAndMobility),
            AlphaBetaOptions::default(),
            &line,
            &limits,
        );
        assert_eq!(report.lines[0].score, expected, "{fen}");
    }
}

#[test]
fn a_side_that_is_lost_checks_for_ever_and_contempt_says_what_that_is_worth() {
    // Black is a rook up and threatens mate; the queen checks on e8 and h5.
    let line = chess("6k1/6p1/5p2/7Q/8/8/qr6/7K w - - 0 1");
    for (contempt, expected) in [(0, 0), (40, -40), (-25, 25)] {
        let options = AlphaBetaOptions { contempt, ..AlphaBetaOptions::default() };
        let report = searched(&outplay_chess::knowledge(MaterialAndMobility), options, &line, &to_depth(10));
        assert_eq!(report.lines[0].score, Meaning::Opinion(expected));
        assert_eq!(report.best_move(), line.position().parse_move("Qe8").ok());
    }
}

#[test]
fn a_side_that_wins_does_not_repeat_what_stood_in_the_game() {
    // The kings have shuffled twice: one more time is a draw.
    let mut line = chess("7k/5q2/8/8/8/8/8/K7 w - - 0 1");
    for text in ["Kb1", "Kg8", "Ka1", "Kh8", "Kb1", "Kg8", "Ka1"] {
        let m = line.position().parse_move(text).expect("a legal move");
        line.play(m);
    }
    let report = searched(
        &outplay_chess::knowledge(MaterialAndMobility),
        AlphaBetaOptions::default(),
        &line,
        &to_depth(6),
    );
    let repeating = line.position().parse_move("Kh8").expect("a legal move");
    assert_ne!(report.best_move(), Some(repeating));
}

#[test]
fn a_mate_that_is_known_is_none_where_fifty_moves_come_first() {
    let with_clock = |clock| chess(&format!("8/6k1/8/5K2/8/8/8/R7 w - - {clock} 90"));
    let mut search = AlphaBeta::new(outplay_chess::knowledge(MaterialAndMobility));
    let known = searched_by(&mut search, &with_clock(0), &to_depth(14)).lines[0].score;
    let Meaning::WinIn(plies) = known else { panic!("{known:?}") };
    assert!(plies > 4, "{plies}");
    // The mate itself may come with the hundredth ply.
    for (clock, is_won) in [(100 - plies, true), (101 - plies, false)] {
        let score = searched_by(&mut search, &with_clock(clock), &to_depth(14)).lines[0].score;
        assert_eq!(matches!(score, Meaning::WinIn(_)), is_won, "{clock} of {plies}: {score:?}");
    }
}
