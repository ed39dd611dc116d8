//! Suites against oracles: values from exhaustive search, programs whose every word is known, and programs that lie.

use std::sync::atomic::{AtomicUsize, Ordering};

use outplay_core::Rng;
use outplay_engine::{Session, open};
use outplay_lab::suite::{self, Certainty, Searched, Suite, SuiteError, SuiteRun};
use outplay_lab::{Entrant, Plan, PlayerKind, PlayerSpec, Protocol, TimeControl};
use outplay_protocols::{Claim, CommandLine};
use outplay_search::{Limits, Meaning};

fn suite(game: &str, file: &str) -> Suite {
    let game = outplay_engine::game(game).expect("a game");
    let problems = game.open().expect("a game").problems(file.as_bytes(), usize::MAX);
    let problems = problems.unwrap_or_else(|error| panic!("{error} in\n{file}"));
    Suite { game, problems, concurrency: 1 }
}

fn entrant(spec: PlayerSpec, limit: &str) -> Entrant {
    let limit: TimeControl = limit.parse().expect("a limit");
    Plan::entrants(vec![spec], &limit).remove(0)
}

fn own(settings: &str, limit: &str) -> Entrant {
    entrant(PlayerSpec::parse(settings).expect("a player"), limit)
}

/// A chess program made of a few lines of shell; `go` is what it does when it is asked for a move.
fn script(go: &str) -> Entrant {
    let script = format!(
        r#"while read -r line; do
            case "$line" in
                uci) echo uciok;;
                isready) echo readyok;;
                position*) position=$line;;
                go*) {go};;
                quit) exit;;
            esac
        done"#
    );
    let command =
        CommandLine { program: "sh".to_string(), arguments: vec!["-c".to_string(), script], folder: None };
    let kind = PlayerKind::External { command, protocol: Protocol::Uci, options: Vec::new() };
    entrant(PlayerSpec { name: Some("shell".to_string()), limit: None, kind }, "nodes=1000")
}

fn run(suite: &Suite, player: &Entrant) -> SuiteRun {
    let run = suite.run(player, &|| false, &mut |_| ());
    run.unwrap_or_else(|error| panic!("{error}"))
}

/// The value of the position that a session stands at, by exhaustive search.
fn value(session: &mut dyn Session, search: &str) -> Meaning {
    session.set_option("search", search).expect("a search");
    session.go(Limits::default(), Box::new(|_, _| ())).expect("it starts");
    session.wait().expect("a report").lines[0].score
}

/// Plays random moves until `left` or fewer are possible in a game of `all` moves; false if it ended before.
fn play_random(session: &mut dyn Session, rng: &mut Rng, all: usize, left: usize) -> bool {
    session.set_game(None, "").expect("the start");
    while session.played().len() + left < all && session.outcome().is_none() {
        let moves = session.legal_moves();
        session.play(moves[rng.below(moves.len())]).expect("a legal move");
    }
    session.outcome().is_none()
}

/// Positions of Connect Four on 5×4 with their results by plain minimax, as test sets of that game have them.
fn connect_four_endings(count: usize) -> Vec<(String, i32)> {
    let mut session = open("connect4:5x4").expect("a game");
    let mut rng = Rng::new(5);
    let mut endings = Vec::new();
    while endings.len() < count {
        if !play_random(&mut *session, &mut rng, 20, 9) {
            continue;
        }
        let played = session.played();
        let columns = played.iter().map(|(_, text)| (text.as_bytes()[0] - b'a' + b'1') as char);
        let columns: String = columns.collect();
        let sign = match value(&mut *session, "minimax") {
            Meaning::WinIn(_) => 1,
            Meaning::LossIn(_) => -1,
            Meaning::Opinion(0) => 0,
            other => panic!("{other:?} of an exhaustive search"),
        };
        endings.push((columns, sign));
    }
    endings
}

#[test]
fn exhaustive_searches_prove_what_minimax_knows_and_contradict_what_is_false() {
    let endings = connect_four_endings(40);
    for sign in [-1, 0, 1] {
        assert!(endings.iter().any(|&(_, other)| other == sign), "no ending with result {sign}");
    }
    let file = |twist: &dyn Fn(i32) -> i32| {
        endings.iter().map(|(columns, sign)| format!("{columns} {}\n", twist(*sign))).collect::<String>()
    };
    for player in ["search=alphabeta", "search=deepening", "search=negamax"] {
        let right =
            run(&suite("connect4:5x4", &file(&|sign| sign)), &own(player, "nodes=100000000")).totals();
        assert_eq!(
            (right.solved, right.proved, right.false_claims, right.faults),
            (40, 40, 0, 0),
            "{player}"
        );
        let wrong = suite("connect4:5x4", &file(&|sign| if sign == 0 { 1 } else { -sign }));
        let wrong = run(&wrong, &own(player, "nodes=100000000")).totals();
        assert_eq!((wrong.solved, wrong.proved, wrong.false_claims), (0, 0, 40), "{player}");
    }
    // Opinions prove nothing, however good they are.
    let sampled = run(&suite("connect4:5x4", &file(&|sign| sign)), &own("search=uct", "nodes=300")).totals();
    assert_eq!((sampled.to_prove, sampled.proved, sampled.false_claims), (40, 0, 0));
}

/// Othello endings with the exact score of every move, by alpha-beta to the end.
fn othello_endings(count: usize, empty: usize) -> String {
    let mut session = open("othello").expect("a game");
    let mut rng = Rng::new(6);
    let mut file = String::new();
    for _ in 0..count {
        while !play_random(&mut *session, &mut rng, 60, empty) {}
        let (position, mover) = (session.position_text(), session.to_move());
        file += &position;
        for m in session.legal_moves() {
            let text = session.line_text(&[m]).concat();
            session.play(m).expect("a legal move");
            let score = match session.outcome() {
                Some(outcome) => i32::from(outcome.for_player(mover)),
                None => {
                    let score = match value(&mut *session, "alphabeta") {
                        Meaning::Margin(margin) => margin,
                        _ => 0,
                    };
                    if session.to_move() == mover { score } else { -score }
                }
            };
            session.undo().expect("it can be taken back");
            file += &format!("; {text}:{score:+}");
        }
        file += "\n";
    }
    file
}

#[test]
fn othello_endings_are_solved_and_their_scores_proved() {
    let suite = suite("othello", &othello_endings(25, 7));
    let exact = run(&suite, &own("search=deepening", "nodes=1000000000"));
    let totals = exact.totals();
    assert_eq!((totals.solved, totals.proved, totals.false_claims), (25, 25, 0));
    assert!(exact.searches.iter().all(|searched| searched.stopped.as_deref() == Some("solved")));
    // A shallow search finds some of the moves, and may be certain of the winner, but of nothing false.
    let shallow = run(&suite, &own("search=deepening", "depth=3")).totals();
    assert!(shallow.solved > 5 && shallow.proved < 25, "{shallow:?}");
    assert_eq!(shallow.false_claims, 0);
}

const START: &str = "bm e4; id first, mo\"ve;\n";

#[test]
fn every_metric_of_a_program_with_known_words_is_known() {
    let player = script(
        "echo 'info depth 1 seldepth 2 score cp 10 nodes 10 pv a2a3 a7a6'
         echo 'info depth 2 score cp 20 nodes 40 pv e2e4 e7e5 g1f3'
         echo 'info depth 3 score cp 30 nodes 90 pv e2e4 e7e5 b1c3'
         echo 'info depth 3 seldepth 7 score cp 35 nodes 160 pv e2e4 c7c5'
         echo 'info depth 3 score cp 35 nodes 170 pv e2e4 c7c5'
         echo 'bestmove e2e4'",
    );
    let suite = suite("chess", "bm e4;");
    let run = run(&suite, &player);
    let [searched] = run.searches.as_slice() else { panic!("one search") };
    assert_eq!(
        (searched.solved, searched.certainty, searched.played.as_deref()),
        (Some(true), None, Some("e4"))
    );
    assert_eq!(
        (searched.nodes, searched.selective_depth, searched.score),
        (Some(170), Some(7), Some(Claim::Centi(35)))
    );
    let solution = searched.solution.expect("it is solved");
    assert_eq!((solution.nodes, solution.depth), (Some(40), Some(2)));
    assert!(solution.seconds > 0.0 && solution.seconds <= searched.seconds);
    assert_eq!(
        searched.iterations.iter().map(|one| one.right).collect::<Vec<_>>(),
        [false, true, true, true].map(Some)
    );
    let metrics = searched.metrics;
    assert_eq!(
        (metrics.depth, metrics.branching_factor, metrics.line_stability),
        (Some(3.0), Some(4.0), Some(0.5))
    );
    assert_eq!(metrics.nodes_per_second, Some(170.0 / searched.seconds));
    assert_eq!(
        (metrics.cutoff_rate, metrics.first_move_cutoff_rate, metrics.table_hit_rate),
        (None, None, None)
    );
    let totals = run.totals();
    assert_eq!((totals.metrics, totals.nodes, totals.solved), (metrics, Some(170), 1));
    assert_eq!(totals.solution_nodes.map(|typical| typical.median), Some(40.0));
}

#[test]
fn a_solution_that_was_lost_again_counts_from_when_it_was_found_for_good() {
    let player = script(
        "echo 'info depth 1 score cp 0 nodes 1 pv e2e4'
         echo 'info depth 2 score cp 0 nodes 2 pv d2d4'
         echo 'info depth 3 score cp 0 nodes 3 pv e2e4'
         echo 'info depth 4 score cp 0 nodes 4 pv d2d4'
         echo 'info string nodes'
         echo 'info nodes 9'
         echo 'bestmove e2e4'",
    );
    let found = run(&suite("chess", "bm e4;\nam d4;\nbm d4;"), &player);
    let solutions: Vec<Option<Option<u64>>> =
        found.searches.iter().map(|searched| searched.solution.map(|solution| solution.nodes)).collect();
    assert_eq!(solutions, [Some(Some(9)), Some(Some(9)), None]);
    assert_eq!((found.totals().solved, found.totals().to_solve), (2, 3));
}

#[test]
fn a_program_that_is_certain_of_something_false_is_caught() {
    let claims = |first: &str, last: &str| {
        script(&format!(
            "echo 'info depth 1 score {first} nodes 1 pv e2e4'
             echo 'info depth 2 score {last} nodes 2 pv e2e4'
             echo 'bestmove e2e4'"
        ))
    };
    let suite = suite("chess", "result draw;\nbm e4; result win;\nbm e4; dm 4;\nbm e4;\n");
    let certainties = |player: &Entrant| {
        let run = run(&suite, player);
        let solved = run.searches.iter().map(|searched| searched.solved == Some(true)).collect::<Vec<_>>();
        (
            run.searches.iter().map(|searched| searched.certainty).collect::<Vec<_>>(),
            solved,
            run.totals().false_claims,
        )
    };
    let [wrong, open, proved] = [Certainty::False, Certainty::Open, Certainty::Proved].map(Some);
    assert_eq!(
        certainties(&claims("cp 0", "mate 5")),
        (vec![wrong, proved, open, None], vec![false, true, true, true], 1)
    );
    // A lie that was taken back was a lie.
    assert_eq!(
        certainties(&claims("mate -3", "cp 300")),
        (vec![wrong, wrong, wrong, None], vec![false, false, false, true], 3)
    );
    assert_eq!(certainties(&claims("cp 0", "cp 0")).0, [open, open, open, None]);
}

#[test]
fn a_program_that_fails_fails_at_one_position_and_is_started_anew() {
    let player = script(
        r#"case "$position" in
             *d2d4) exit 3;;
             *c2c4) echo 'bestmove c2c4';;
             *) echo 'info depth 1 score cp 1 nodes 5 pv e7e5'; echo 'bestmove e7e5';;
           esac"#,
    );
    let file =
        "moves e4; bm e5;\nmoves d4; bm d5;\nmoves c4; bm e5; result draw;\nmoves f4; bm e5;\nmoves g4;\n";
    let found = run(&suite("chess", file), &player);
    let solved: Vec<Option<bool>> = found.searches.iter().map(|searched| searched.solved).collect();
    assert_eq!(solved, [Some(true), Some(false), Some(false), Some(true), None]);
    let fault = |index: usize| found.searches[index].fault.as_deref().unwrap_or("none");
    assert!(fault(1).contains("ended (exit status: 3)"), "{}", fault(1));
    assert!(fault(2).contains("illegal move"), "{}", fault(2));
    assert_eq!((fault(0), fault(3), found.totals().faults), ("none", "none", 2));
}

#[test]
fn what_cannot_be_run_is_an_error() {
    let suite = suite("chess", START);
    let refused =
        |player: &Entrant| suite.run(player, &|| false, &mut |_| ()).err().map(|error| error.to_string());
    let clock = refused(&own("", "tc=10+1")).expect("no clock here");
    assert!(clock.contains("tc=10+1") && clock.contains("time, nodes or depth"), "{clock}");
    assert!(refused(&own("search=magic", "depth=1")).expect("no such search").contains("magic"));
    let missing = own("cmd=./no-such-program", "depth=1");
    assert!(matches!(suite.run(&missing, &|| false, &mut |_| ()), Err(SuiteError::Player(_))));
}

/// What does not depend on time.
fn without_time(searched: &Searched) -> impl PartialEq + std::fmt::Debug + use<> {
    let metrics = searched.metrics;
    let iterations: Vec<_> =
        searched.iterations.iter().map(|one| (one.depth, one.nodes, one.line.clone(), one.right)).collect();
    (
        (searched.problem, searched.played.clone(), searched.solved, searched.certainty, searched.nodes),
        (metrics.depth, metrics.cutoff_rate, metrics.first_move_cutoff_rate, metrics.branching_factor),
        (
            metrics.line_stability,
            searched.solution.map(|solution| (solution.nodes, solution.depth)),
            iterations,
        ),
    )
}

#[test]
fn the_same_nodes_give_the_same_results_on_any_number_of_threads() {
    let mut suite = suite("othello", &othello_endings(12, 12));
    for player in ["search=deepening", "search=uct"] {
        let player = own(player, "nodes=3000");
        suite.concurrency = 1;
        let alone: Vec<_> = run(&suite, &player).searches.iter().map(without_time).collect();
        suite.concurrency = 4;
        let together: Vec<_> = run(&suite, &player).searches.iter().map(without_time).collect();
        assert_eq!(alone.len(), 12);
        assert_eq!(alone, together);
    }
}

#[test]
fn searches_lack_what_they_lack() {
    let suite = suite("connect4", "moves d d; bm d;\n");
    let metrics = |player: &str| run(&suite, &own(player, "nodes=5000")).searches.remove(0).metrics;
    let deepening = metrics("search=deepening");
    assert!(deepening.branching_factor.is_some_and(|factor| factor > 1.0 && factor < 7.5), "{deepening:?}");
    assert!(deepening.cutoff_rate.is_some_and(|rate| rate > 0.0 && rate < 1.0), "{deepening:?}");
    assert!(deepening.first_move_cutoff_rate.is_some_and(|rate| rate > 0.0 && rate <= 1.0), "{deepening:?}");
    assert_eq!(deepening.table_hit_rate, None);
    let uct = metrics("search=uct");
    assert_eq!((uct.branching_factor, uct.cutoff_rate, uct.first_move_cutoff_rate), (None, None, None));
    assert!(uct.line_stability.is_some() && uct.depth.is_some() && uct.nodes_per_second.is_some(), "{uct:?}");
    let minimax = metrics("search=hminimax");
    assert_eq!((minimax.cutoff_rate, minimax.branching_factor, minimax.line_stability), (None, None, None));
}

#[test]
fn a_run_that_is_broken_off_keeps_what_it_has() {
    let suite = suite("tictactoe", &"bm b2;\n".repeat(9));
    let asked = AtomicUsize::new(0);
    // It is asked before and after each position: what was being searched when it says so is not kept.
    let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 6;
    let mut heard = 0;
    let run = suite.run(&own("search=deepening", "depth=2"), &stop, &mut |_| heard += 1);
    let searched = run.expect("a run").searches;
    assert_eq!((searched.len(), heard), (3, 3));
    assert!(searched.iter().enumerate().all(|(index, searched)| searched.problem == index));
}

#[test]
fn runs_are_written_as_tables_json_text_and_pages() {
    let suite = suite("chess", &format!("{START}moves e4; result win;\n"));
    let liar = script("echo 'info depth 1 score mate -1 nodes 5 pv e2e4, \"x'; echo 'bestmove a7a6'");
    let named = own("search=deepening,name=<b>ours</b>", "depth=2");
    let runs = [run(&suite, &named), run(&suite, &liar)];

    let mut table = Vec::new();
    suite::write_searches(&mut table, &suite, &runs).expect("a table");
    let table = String::from_utf8(table).expect("text");
    assert_eq!(table.lines().count(), 1 + 2 * 2);
    let columns: Vec<&str> = table.lines().next().expect("a header").split(',').collect();
    assert_eq!(
        columns[..8],
        ["player", "limit", "problem", "name", "known", "played", "solved", "certainty"]
    );
    assert!(
        table.contains("shell,nodes=1000,1,\"first, mo\"\"ve\",bm e4,,false,,\"illegal move: "),
        "{table}"
    );
    assert!(table.contains("shell,nodes=1000,2,2,win,a6,false,false,,-M1,"), "{table}");

    let mut table = Vec::new();
    suite::write_iterations(&mut table, &suite, &runs).expect("a table");
    let table = String::from_utf8(table).expect("text");
    assert_eq!(table.lines().count(), 1 + 2 * 2 + 1, "{table}");

    for with_iterations in [false, true] {
        let json = suite::json(&suite, &runs, with_iterations).expect("JSON");
        assert_eq!(json["runs"][1]["totals"]["false_claims"], 1);
        assert_eq!(json["runs"][0]["searches"][1]["metrics"]["depth"], 2.0);
        assert_eq!(json["runs"][0]["searches"][1]["iterations"].is_array(), with_iterations);
        assert!(json["runs"][1]["searches"][0]["nodes"].is_null());
    }

    let text = suite::text(&suite, &runs, true);
    assert!(text.contains("FALSE CLAIM") && text.contains("illegal move"), "{text}");
    assert!(!suite::text(&suite, &runs, false).contains("illegal move"));

    let page = suite::page(&suite, &runs);
    assert!(page.contains("&lt;b&gt;ours&lt;/b&gt;") && !page.contains("<b>ours"), "names are escaped");
    assert!(
        page.contains("FALSE CLAIM")
            && page.contains("that contradict the suite: 1.")
            && page.contains("<svg")
    );
    assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
}
