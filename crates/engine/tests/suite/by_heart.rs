//! Endings and openings that a session knows by heart, played out against whoever knows them too.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::LazyLock;

use outplay_chess::endgame::{EndgameTables, Ending, Verdict, Wdl};
use outplay_chess::{Chess, ChessRules};
use outplay_core::{Game, Line, Move, MoveList, Notation, Outcome, Rng};
use outplay_engine::{Session, open};
use outplay_search::{Limits, Meaning, Report, StopReason};
use outplay_testing::public_data;

/// Tables that are built quickly, and the folder that they were written to.
static TABLES: LazyLock<(EndgameTables, PathBuf)> = LazyLock::new(|| {
    let folder = folder("tables");
    let mut tables = EndgameTables::default();
    for ending in ["KQvK", "KRvK", "KPvK", "KBNvK"].map(ending) {
        tables.build(ending, &mut |_| ControlFlow::Continue(())).expect("built");
        let mut file = fs::File::create(EndgameTables::file(&folder, ending)).expect("a file");
        tables.write(ending, &mut file).expect("written");
    }
    (tables, folder)
});

fn ending(name: &str) -> Ending {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("outplay-by-heart-{}-{name}", std::process::id()));
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn verdict(position: &Chess) -> Verdict {
    TABLES.0.probe(position).unwrap_or_else(|| panic!("{position:?} is not known"))
}

fn position(fen: &str) -> Chess {
    Chess::parse_position(&ChessRules::Standard, fen).unwrap_or_else(|error| panic!("{error}"))
}

/// A session of chess with one more option.
fn session(option: &str, value: &str) -> Box<dyn Session> {
    let mut session = open("chess").expect("chess");
    session.set_option(option, value).unwrap_or_else(|error| panic!("{error}"));
    session
}

fn with_our_tables() -> Box<dyn Session> {
    session("endgames", TABLES.1.to_str().expect("Unicode"))
}

fn few(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// What the session says at the end of a line.
fn search(session: &mut dyn Session, line: &Line<Chess>, limits: Limits) -> Report {
    let words = |m: &Move, at: &Chess| at.move_text(*m);
    let moves: Vec<String> = line.moves().iter().zip(line.positions()).map(|(m, at)| words(m, at)).collect();
    session.set_game(Some(&line.start().position_text()), &moves.join(" ")).expect("a game");
    session.go(limits, Box::new(|_, _| ())).expect("a search");
    session.wait().expect("a report")
}

/// The move that resists longest by the tables.
fn best_defence(position: &Chess) -> Move {
    let moves = position.legal_moves();
    moves.each().max_by_key(|&m| verdict(&position.after(m)).before()).expect("a move")
}

/// Plays the session against the best defence until the game is over.
fn play_out(session: &mut dyn Session, start: &Chess, nodes: u64) -> Line<Chess> {
    let mut line = Line::new(start.clone());
    let attacker = start.to_move();
    while line.outcome().is_none() {
        let m = match line.position().to_move() == attacker {
            true => search(session, &line, few(nodes)).best_move().expect("a move"),
            false => best_defence(line.position()),
        };
        line.play(m);
    }
    line
}

/// Won positions of an ending with the winner to move, so many of them.
fn won(name: &str, count: usize) -> Vec<Chess> {
    let all = ending(name).positions(997);
    let is_won = |position: &Chess| verdict(position).result == Wdl::Win && position.outcome().is_none();
    let won: Vec<Chess> = all.filter(is_won).collect();
    let step = (won.len() / count).max(1);
    won.into_iter().step_by(step).take(count).collect()
}

#[test]
fn every_won_ending_is_mated_as_soon_as_the_tables_say() {
    let mut session = with_our_tables();
    for name in ["KQvK", "KRvK", "KPvK", "KBNvK"] {
        let samples = won(name, 6);
        assert_eq!(samples.len(), 6, "{name}");
        for start in samples {
            let line = play_out(&mut *session, &start, 50);
            assert_eq!(line.outcome(), Some(Outcome::win(start.to_move())), "{start:?}");
            assert_eq!(Some(line.moves().len() as u16), verdict(&start).plies, "{start:?}");
        }
    }
}

#[test]
fn values_are_those_of_the_tables_with_the_line_to_mate() {
    let mut session = with_our_tables();
    for start in
        ["KQvK", "KRvK", "KPvK", "KBNvK"].map(ending).iter().flat_map(|ending| ending.positions(40_009))
    {
        if start.outcome().is_some() {
            continue;
        }
        let Verdict { result, plies } = verdict(&start);
        let report = search(&mut *session, &Line::new(start.clone()), few(1_000));
        let plies = plies.map_or(0, u32::from);
        let expected = match result {
            Wdl::Win => Meaning::WinIn(plies),
            Wdl::Draw => Meaning::Opinion(0),
            Wdl::Loss => Meaning::LossIn(plies),
        };
        let best = &report.lines[0];
        assert_eq!(best.score, expected, "{start:?}");
        if result != Wdl::Draw {
            assert_eq!(report.stopped, Some(StopReason::Solved), "{start:?}");
            assert!(plies < 2 || report.counters.endgame_hits > Some(0), "{start:?}");
            assert_eq!(best.moves.len(), plies as usize, "{start:?}");
            let end = best.moves.iter().fold(start.clone(), |position, &m| position.after(m));
            assert!(end.outcome().is_some(), "{start:?}");
        }
    }
}

#[test]
fn a_drawn_pawn_ending_is_not_lost_whatever_the_pawn_tries() {
    let mut session = with_our_tables();
    let mut rng = Rng::new(5);
    // Where some move throws it away at once.
    let can_be_lost = |position: &Chess| {
        let loses = |m| verdict(&position.after(m)).result == Wdl::Win;
        position.legal_moves().each().any(loses)
    };
    let drawn = ending("KPvK").positions(499);
    let drawn = drawn.filter(|position| verdict(position).result == Wdl::Draw && can_be_lost(position));
    let mut moves_made = 0;
    for start in drawn.take(40) {
        let mut line = Line::new(start.clone());
        while line.outcome().is_none() && line.moves().len() < 60 {
            line.play(search(&mut *session, &line, few(50)).best_move().expect("a move"));
            moves_made += 1;
            assert_eq!(verdict(line.position()).result, Wdl::Draw, "{start:?} {:?}", line.moves());
            if line.outcome().is_none() {
                let replies = line.position().legal_moves();
                line.play(replies.nth(rng.below(replies.count())));
            }
        }
    }
    assert!(moves_made > 100, "{moves_made}");
}

#[test]
fn several_lines_come_in_the_order_of_the_tables_and_only_moves_asked_for_are_played() {
    let mut session = with_our_tables();
    let start = position("8/8/8/8/3k4/8/8/K2Q4 b - - 0 1");
    let start = Line::new(start);
    let all = search(&mut *session, &start, Limits { lines: 4, ..few(2_000) });
    let value = |m: Move| verdict(&start.position().after(m)).before();
    let shown: Vec<Verdict> = all.lines.iter().map(|line| value(line.moves[0])).collect();
    let mut best: Vec<Verdict> = start.position().legal_moves().each().map(value).collect();
    best.sort_by(|one, other| other.cmp(one));
    assert_eq!(shown, best[..4]);
    let worst = start.position().legal_moves().each().min_by_key(|&m| value(m)).expect("a move");
    let only = search(&mut *session, &start, Limits { only: vec![worst], ..few(2_000) });
    assert_eq!((only.lines.len(), only.best_move()), (1, Some(worst)));
}

#[test]
fn the_fifty_move_rule_is_respected() {
    let mut session = with_our_tables();
    let mut score = |fen: &str| search(&mut *session, &Line::new(position(fen)), few(2_000)).lines[0].score;
    // The mate comes with the last ply that counts, or one too late.
    let mate_in_three_plies = "7k/8/5K2/8/8/8/8/6R1 w - -";
    let plies = verdict(&position(&format!("{mate_in_three_plies} 0 1"))).plies.expect("a win");
    assert_eq!(score(&format!("{mate_in_three_plies} {} 80", 100 - plies)), Meaning::WinIn(plies.into()));
    assert_eq!(score(&format!("{mate_in_three_plies} {} 80", 101 - plies)), Meaning::Opinion(0));
    // A pawn that moves begins the count anew, so there is time enough.
    assert!(matches!(score("8/4P3/4K3/8/8/8/8/k7 w - - 99 90"), Meaning::WinIn(_)));
}

#[test]
fn syzygy_tables_are_agreed_with_and_a_long_mate_comes_in_time() {
    let Some(data) = public_data::path("chess/syzygy34") else { return };
    let mut session = session("syzygy", data.to_str().expect("Unicode"));
    let samples = ["KPvK", "KBNvK", "KRvK"].map(ending);
    for start in samples.iter().flat_map(|ending| ending.positions(80_021)) {
        if start.outcome().is_some() {
            continue;
        }
        let score = search(&mut *session, &Line::new(start.clone()), few(500)).lines[0].score;
        let agrees = match verdict(&start).result {
            Wdl::Win => matches!(score, Meaning::WinIn(_) | Meaning::Opinion(19_000..)),
            Wdl::Draw => score == Meaning::Opinion(0),
            Wdl::Loss => matches!(score, Meaning::LossIn(_) | Meaning::Opinion(..=-19_000)),
        };
        assert!(agrees, "{start:?}: {score}");
    }
    for start in won("KBNvK", 2) {
        let line = play_out(&mut *session, &start, 2_000);
        assert_eq!(line.outcome(), Some(Outcome::win(start.to_move())), "{start:?}");
    }
    what_is_beyond_a_capture_is_known(&mut *session);
    folders_are_exchanged_between_searches(&mut *session, &data);
}

/// Five men, which no table knows, but every capture leads to four.
fn what_is_beyond_a_capture_is_known(session: &mut dyn Session) {
    // The rook can be taken, and with two knights against a king there is nothing to be won.
    let start = Line::new(position("8/8/8/4k3/3R4/8/5nn1/K7 b - - 0 1"));
    let report = search(session, &start, few(3_000));
    assert!(report.counters.endgame_hits > Some(0), "{report:?}");
    // A queen more after the capture wins for sure, though no mate is near.
    let start = Line::new(position("k7/8/8/8/3q4/8/1Q4P1/K7 w - - 0 1"));
    let report = search(session, &start, few(500));
    assert!(matches!(report.lines[0].score, Meaning::Opinion(19_900..)), "{report:?}");
}

fn folders_are_exchanged_between_searches(session: &mut dyn Session, data: &std::path::Path) {
    let fewer = folder("syzygy");
    for name in ["KQvK.rtbw", "KQvK.rtbz"] {
        fs::copy(data.join(name), fewer.join(name)).expect("copied");
    }
    let rook = Line::new(position("8/8/8/3k4/8/8/8/K6R w - - 0 1"));
    let knows = |session: &mut dyn Session| {
        matches!(search(session, &rook, few(100)).lines[0].score, Meaning::Opinion(19_000..))
    };
    assert!(knows(session));
    session.set_option("syzygy_path", fewer.to_str().expect("Unicode")).expect("opened");
    assert!(!knows(session));
    session.set_option("syzygy_path", data.to_str().expect("Unicode")).expect("opened");
    // What cannot be opened changes nothing.
    let error = session.set_option("syzygy_path", "no such folder").expect_err("refused").to_string();
    assert!(error.starts_with("option syzygy_path: no such folder: cannot be read"), "{error}");
    assert!(knows(session));
    session.set_option("syzygy_path", "").expect("closed");
    assert!(!knows(session));
    fs::remove_dir_all(fewer).expect("removed");
}

#[test]
fn files_that_cannot_be_used_are_refused_and_change_nothing() {
    let mut session = with_our_tables();
    let empty = folder("empty");
    let no_book = empty.join("no book.bin");
    fs::write(&no_book, b"fifteen bytes..").expect("written");
    let none = TABLES.1.join("none");
    for (name, value, expected) in [
        ("endgame_path", &none, "cannot be read"),
        ("endgame_path", &empty, "there are no endgame tables"),
        ("book_file", &none, "cannot be read"),
        ("book_file", &no_book, "is not a Polyglot book"),
    ] {
        let error = session.set_option(name, value.to_str().expect("Unicode")).expect_err("refused");
        assert!(error.to_string().starts_with(&format!("option {name}: ")), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
    let report = search(&mut *session, &Line::new(position("7k/8/8/8/8/8/8/K4Q2 w - - 0 1")), few(10));
    assert!(report.counters.endgame_hits > Some(0));
    fs::remove_dir_all(empty).expect("removed");
}
