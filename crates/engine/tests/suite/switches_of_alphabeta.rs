//! Every switch of the alpha-beta search does what it says: its counter moves when it is on, and stands still when it is off.

use std::sync::Arc;

use outplay_chess::{Chess, ChessRules, Classical};
use outplay_connect::four::{self, ConnectFour};
use outplay_connect::{Connect, Rules, ThreatSight};
use outplay_core::{Game, Line, Notation};
use outplay_othello::{Othello, Patterns};
use outplay_search::alphabeta::{AlphaBeta, AlphaBetaOptions, Techniques};
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::{Control, Knowledge, Limits, OptionKind, OptionSet, Search};

/// A switch, and what it moves.
type Switch = (&'static str, fn(&Techniques) -> u64);

const SWITCHES: &[Switch] = &[
    ("abdada", |counted| counted.moves_deferred),
    ("table", |counted| counted.table_cutoffs + counted.table_move_cutoffs),
    ("aspiration", |counted| counted.aspiration_failures),
    ("killers", |counted| counted.killer_cutoffs),
    ("counter_moves", |counted| counted.counter_move_cutoffs),
    ("history", |counted| counted.quiet_lessons),
    ("continuation_history", |counted| counted.continuation_lessons),
    ("noisy_history", |counted| counted.noisy_lessons),
    ("correction_history", |counted| counted.corrections),
    ("oracle", |counted| counted.foreseen),
    ("forced_wins", |counted| counted.forced_wins_found),
    ("quiescence", |counted| counted.quiescence_nodes),
    ("delta_pruning", |counted| counted.delta_prunings),
    ("quiescence_checks", |counted| counted.quiescence_checks),
    ("null_move", |counted| counted.null_moves),
    ("reverse_futility", |counted| counted.reverse_futility_cutoffs),
    ("razoring", |counted| counted.razorings),
    ("probcut", |counted| counted.probcut_cutoffs),
    ("futility", |counted| counted.futile_moves),
    ("candidates", |counted| counted.candidates_exhausted),
    ("late_move_pruning", |counted| counted.late_moves_pruned),
    ("late_checks", |counted| counted.late_checks),
    ("history_pruning", |counted| counted.history_prunings),
    ("see_pruning", |counted| counted.exchange_prunings),
    ("late_move_reductions", |counted| counted.reduced_moves),
    ("internal_iterative_reduction", |counted| counted.internal_reductions),
    ("check_extension", |counted| counted.check_extensions),
    ("singular_extension", |counted| counted.singular_extensions),
    ("recapture_extension", |counted| counted.recapture_extensions),
    ("mate_distance_pruning", |counted| counted.mate_distance_cutoffs),
];

/// Switches of how it is done, not of what, one that has an effect on the next search only, and one that leaves nothing to search: no counter
/// shows them.
const WITHOUT_COUNTER: [&str; 4] = ["large_pages", "share_histories", "adjust_candidates", "endgame_solver"];

fn counted<G: Game, K: Knowledge<G>>(
    knowledge: K,
    options: AlphaBetaOptions,
    position: G,
    nodes: u64,
) -> Techniques {
    let mut search = AlphaBeta::new(knowledge);
    search.options = options;
    let (line, limits) = (Line::new(position), Limits { nodes: Some(nodes), ..Limits::default() });
    let (mut nobody, signals, stop) = (|_| (), Arc::new(Signals::default()), StopOptions::default());
    let mut control = Control::new(line.position().to_move(), &limits, &stop, &signals, &mut nobody);
    search.search(&line, &mut control).counters.techniques.expect("alpha-beta counts")
}

/// A middle game, one with a mate, and one each of Connect Four, Othello and Connect6.
fn counted_together(options: AlphaBetaOptions) -> Techniques {
    let mut all = Techniques::default();
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1",
    ] {
        let position = Chess::parse_position(&ChessRules::Standard, fen).expect("a position");
        all.add(&counted(outplay_chess::knowledge(Classical), options, position, 30_000));
    }
    let mut connect6 = Connect::start(&Rules::CONNECT6);
    for text in ["j10", "k11", "l12", "i9", "k9"] {
        connect6.play(connect6.parse_move(text).expect("a move"));
    }
    let connect4 = ConnectFour::start(&four::Rules::default());
    all.add(&counted(four::knowledge(), options, connect4, 3_000));
    all.add(&counted(outplay_othello::knowledge(Patterns::default()), options, Othello::start(&()), 20_000));
    all.add(&counted(ThreatSight::new(Rules::CONNECT6), options, connect6, 3_000));
    all
}

#[test]
fn every_switch_moves_its_counter() {
    let is_parallel = std::thread::available_parallelism().is_ok_and(|threads| threads.get() > 1);
    for &(name, counter) in SWITCHES {
        let with = |value: &str| {
            let threads = if name == "abdada" { 2 } else { 1 };
            // In so few nodes histories do not become as bad as the usual margin asks.
            let history_pruning_margin = 500;
            let mut options =
                AlphaBetaOptions { hash: 1, threads, history_pruning_margin, ..AlphaBetaOptions::default() };
            options.set(name, value).expect("a switch");
            counter(&counted_together(options))
        };
        assert_eq!(with("false"), 0, "{name} is off");
        if name != "abdada" || is_parallel {
            assert!(with("true") > 0, "{name} is on");
        }
    }
}

#[test]
fn no_switch_is_forgotten() {
    let options = AlphaBetaOptions::default();
    for row in options.rows().into_iter().filter(|row| matches!(row.kind, OptionKind::Switch)) {
        let has_counter = SWITCHES.iter().any(|(name, _)| *name == row.name);
        assert!(has_counter != WITHOUT_COUNTER.contains(&&*row.name), "{}", row.name);
    }
}
