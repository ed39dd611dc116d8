//! The textbook searches against each other and against published values, on the real games.

use outplay_chess::{Chess, ChessRules, MaterialAndMobility};
use outplay_connect::four::{self, ConnectFour, OpenFours};
use outplay_connect::{Connect, OpenWindows, Rules};
use outplay_core::{Game, History, Line, MoveList, Notation, Outcome, Player, Rng};
use outplay_othello::{Othello, Positional};
use outplay_search::textbook::{AtDepth, Exact, Horizon, Walk, alphabeta, minimax, negamax};
use outplay_search::{Bundle, Counters, Evaluating, Evaluation, Meaning, Score};

fn run<G: Game, H: Horizon<G>>(
    history: &History,
    horizon: &mut H,
    search: impl FnOnce(&mut Walk<H, ()>) -> Score,
) -> (Score, Counters) {
    let mut nobody = ();
    let mut walk = Walk::new(history, horizon, &mut nobody);
    let score = search(&mut walk);
    (score, walk.counters)
}

fn by_alphabeta<G: Game>(position: &G) -> (Score, Counters) {
    let search = |walk: &mut Walk<Exact, ()>| alphabeta(walk, position, -Score::INFINITE, Score::INFINITE);
    run::<G, _>(&History::default(), &mut Exact, search)
}

/// Minimax, negamax and alpha-beta agree, each in its own view.
fn all_agree<G: Game, H: Horizon<G>>(position: &G, horizon: &mut H) -> Score {
    let history = History::default();
    let (by_minimax, all) = run::<G, _>(&history, horizon, |walk| minimax(walk, position, Player::First));
    let (by_negamax, same) = run::<G, _>(&history, horizon, |walk| negamax(walk, position));
    let (by_alphabeta, fewer) =
        run::<G, _>(&history, horizon, |walk| alphabeta(walk, position, -Score::INFINITE, Score::INFINITE));
    assert_eq!(by_minimax.seen_by(position.to_move(), Player::First), by_negamax, "{position:?}");
    assert_eq!(by_alphabeta, by_negamax, "{position:?}");
    assert_eq!(all, same);
    assert!(fewer.nodes <= all.nodes && fewer.leaves <= all.leaves);
    by_negamax
}

fn random_position<G: Game>(rules: &G::Rules, plies: usize, rng: &mut Rng) -> Option<G> {
    let mut position = G::start(rules);
    for _ in 0..plies {
        let moves = position.legal_moves();
        position.play(moves.nth(rng.below(moves.count())));
        if position.outcome().is_some() {
            return None;
        }
    }
    Some(position)
}

/// Random positions of a game, searched to `depth` with its evaluator.
fn agree_at_depth<G: Game>(
    rules: &G::Rules,
    evaluation: impl Evaluation<G> + Clone,
    depth: usize,
    most_plies: usize,
) {
    let mut rng = Rng::new(1);
    for plies in (0..most_plies).step_by(5) {
        if let Some(position) = random_position::<G>(rules, plies, &mut rng) {
            let mut evaluator = Evaluating::new(Bundle::of(evaluation.clone()));
            all_agree(&position, &mut AtDepth { depth, evaluator: &mut evaluator });
        }
    }
}

#[test]
fn exact_searches_agree_on_every_game() {
    agree_at_depth::<Chess>(&ChessRules::Standard, MaterialAndMobility, 3, 100);
    agree_at_depth::<Othello>(&(), Positional, 4, 60);
    agree_at_depth::<Connect>(&Rules::CONNECT6, OpenWindows, 1, 100);
    agree_at_depth::<Connect>(&Rules::new(5, 4, 3, 2, 1).expect("rules"), OpenWindows, 4, 10);
    agree_at_depth::<Connect>(&Rules::new(4, 4, 4, 1, 1).expect("rules"), OpenWindows, 4, 12);
    agree_at_depth::<ConnectFour>(&four::Rules::default(), OpenFours, 5, 40);
}

#[test]
fn exact_searches_agree_to_the_end_of_the_game() {
    let mut rng = Rng::new(2);
    let mut finished = 0;
    while finished < 20 {
        if let Some(position) = random_position::<Othello>(&(), 53, &mut rng) {
            all_agree(&position, &mut Exact);
            finished += 1;
        }
    }
    for _ in 0..20 {
        if let Some(position) =
            random_position::<Connect>(&Rules::new(3, 4, 3, 2, 1).expect("rules"), 4, &mut rng)
        {
            all_agree(&position, &mut Exact);
        }
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let start = Connect::start(&Rules::TIC_TAC_TOE);
    assert_eq!(all_agree(&start, &mut Exact), Score::DRAW);
    // 255,168 games and 549,946 positions on the way to them are the published counts of the whole tree.
    let (_, counters) = run::<Connect, _>(&History::default(), &mut Exact, |walk| negamax(walk, &start));
    assert_eq!((counters.leaves, counters.nodes), (255_168, 549_946));
}

#[test]
fn small_connect_four_boards_have_their_published_values() {
    // John Tromp's table of Connect Four boards: a draw unless the board is large enough for the first player.
    for (columns, rows) in [(4, 4), (5, 4), (4, 5)] {
        let start = ConnectFour::start(&four::Rules::new(columns, rows).expect("a size"));
        let (value, counters) = by_alphabeta(&start);
        assert_eq!(value, Score::DRAW, "{columns}x{rows}");
        assert!(counters.cutoffs.is_some_and(|cutoffs| cutoffs.all > cutoffs.at_first_move));
    }
}

#[test]
fn a_search_sees_repetition_in_the_game_and_on_its_own_path() {
    // White is a queen down. The kings have shuffled twice; the third time is a draw, and White knows.
    let start = Chess::parse_position(&ChessRules::Standard, "7k/5q2/8/8/8/8/8/K7 w - - 0 1").expect("a FEN");
    let mut line = Line::new(start);
    for text in ["Kb1", "Kg8", "Ka1", "Kh8", "Kb1", "Kg8", "Ka1"] {
        let m = line.position().parse_move(text).expect("a legal move");
        line.play(m);
    }
    assert_eq!(line.outcome(), None);
    let repeating = line.position().parse_move("Kh8").expect("a legal move");
    let mut repeated = line.clone();
    repeated.play(repeating);
    assert_eq!(repeated.outcome(), Some(Outcome::DRAW));

    let mut evaluator = Evaluating::new(Bundle::of(MaterialAndMobility));
    let mut horizon = AtDepth { depth: 0, evaluator: &mut evaluator };
    let here = repeated.position();
    let (with_history, _) = run::<Chess, _>(repeated.history(), &mut horizon, |walk| negamax(walk, here));
    let (without, _) = run::<Chess, _>(&History::default(), &mut horizon, |walk| negamax(walk, here));
    assert_eq!(with_history, Score::DRAW);
    assert!(without < Score::heuristic(-300), "White is lost if it is not a draw: {without:?}");
}

#[test]
fn a_mate_is_found_with_its_distance() {
    // Two rooks against a king on the edge: mate at once, or after the only move that is left.
    let fen = "7k/R7/8/8/8/8/8/1R5K w - - 0 1";
    let position = Chess::parse_position(&ChessRules::Standard, fen).expect("a FEN");
    let mut evaluator = Evaluating::new(Bundle::of(MaterialAndMobility));
    let mut horizon = AtDepth { depth: 3, evaluator: &mut evaluator };
    let score = all_agree(&position, &mut horizon);
    assert_eq!(score.meaning::<Chess>(), Meaning::WinIn(1));
    let fen = "7k/R7/8/8/8/8/8/1R5K b - - 0 1";
    let position = Chess::parse_position(&ChessRules::Standard, fen).expect("a FEN");
    assert_eq!(all_agree(&position, &mut horizon).meaning::<Chess>(), Meaning::LossIn(2));
}
