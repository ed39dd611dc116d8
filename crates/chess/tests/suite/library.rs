//! What a library says of openings, and what an evaluation that looks into it knows inside the tree.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use outplay_chess::endgame::{EndgameTables, Verdict, Wdl};
use outplay_chess::library::{ChessLibrary, knowledge_with_tables};
use outplay_chess::polyglot::{BookBuilder, Weights};
use outplay_chess::{Chess, ChessRules, Material};
use outplay_core::{Game, Line, Notation, Outcome, Player};
use outplay_search::alphabeta::AlphaBeta;
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::{Control, Knowledge, Library, Limits, Meaning, OptionSet, Report, Search};

use crate::endgames::SMALL;
use crate::{line, position};

/// A file or folder of a test, removed when it is dropped.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        Place(std::env::temp_dir().join(format!("outplay-library-{}-{name}", std::process::id())))
    }

    fn text(&self) -> &str {
        self.0.to_str().expect("Unicode")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
        drop(fs::remove_file(&self.0));
    }
}

fn start() -> Chess {
    Chess::start(&ChessRules::Standard)
}

fn tables(name: &str) -> Place {
    let folder = Place::new(name);
    fs::create_dir_all(&folder.0).expect("a folder");
    for ending in SMALL.endings() {
        let mut file = fs::File::create(EndgameTables::file(&folder.0, ending)).expect("a file");
        SMALL.write(ending, &mut file).expect("written");
    }
    folder
}

fn searched(knowledge: impl Knowledge<Chess>, position: &Chess, nodes: u64) -> Report {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let (mut nobody, signals, options) = (|_| (), Arc::new(Signals::default()), StopOptions::default());
    let mut control = Control::new(position.to_move(), &limits, &options, &signals, &mut nobody);
    let mut search = AlphaBeta::new(knowledge);
    search.options.hash = 1;
    search.search(&Line::new(position.clone()), &mut control)
}

#[test]
fn inside_the_tree_values_are_those_of_the_tables() {
    let folder = tables("tree");
    let mut library = ChessLibrary::default();
    let knowledge = knowledge_with_tables(Material, library.shelf());
    let hits = |position: &Chess| searched(knowledge.clone(), position, 200).counters.endgame_hits;
    let rook = position("8/8/8/3k4/8/8/8/K6R w - - 0 1");
    assert_eq!(hits(&rook), None, "nothing is known yet");
    library.set("endgame_path", folder.text()).expect("opened");
    assert!(hits(&rook) > Some(0));
    let mut compared = 0;
    for position in SMALL.endings().flat_map(|ending| ending.positions(12_007)) {
        let verdict = SMALL.probe(&position).expect("known");
        if position.outcome().is_some() {
            continue;
        }
        let report = searched(knowledge.clone(), &position, 3_000);
        let Verdict { result, plies } = verdict;
        let plies = plies.map_or(0, u32::from);
        let expected = match result {
            Wdl::Win => Meaning::WinIn(plies),
            Wdl::Draw => Meaning::Opinion(0),
            Wdl::Loss => Meaning::LossIn(plies),
        };
        assert_eq!(report.lines[0].score, expected, "{position:?}");
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
    library.set("endgames", "").expect("closed");
    assert_eq!(hits(&rook), None, "nothing is known any more");
}

#[test]
fn the_best_moves_come_first_and_are_all_that_the_tables_say() {
    let folder = tables("tiers");
    let mut library = ChessLibrary::default();
    library.set("endgame_path", folder.text()).expect("opened");
    for position in SMALL.endings().flat_map(|ending| ending.positions(90_001)) {
        if position.outcome().is_some() {
            continue;
        }
        let tiers = library.tiers(&Line::new(position.clone())).expect("known");
        let worth = |m| SMALL.probe(&position.after(m)).expect("known").before();
        let worths: Vec<Vec<Verdict>> =
            tiers.iter().map(|tier| tier.moves.iter().map(|&m| worth(m)).collect()).collect();
        assert!(worths.iter().flatten().is_sorted_by(|one, next| one >= next), "{position:?} {worths:?}");
        assert!(worths.iter().all(|tier| tier.iter().all(|verdict| *verdict == tier[0])), "{position:?}");
        assert_eq!(worths.iter().map(Vec::len).sum::<usize>(), position.legal_count());
    }
    // The third time it is a draw, whatever the tables say.
    let shuffled = line(position("8/8/8/3k4/8/8/8/K6R w - - 0 1"), "Rg1 Kd6 Rh1 Kd5 Rg1 Kd6 Rh1");
    assert_eq!(shuffled.outcome(), None);
    let tiers = library.tiers(&shuffled).expect("known");
    let text = |m| shuffled.position().move_text(m);
    assert_eq!(tiers[0].moves.iter().map(|&m| text(m)).collect::<Vec<_>>(), ["Kd5"]);
}

/// Twelve games that begin with the king's pawn, four with the queen's.
fn book(name: &str) -> Place {
    let mut builder = BookBuilder::new(Weights::Games);
    for (moves, count) in [("e4 e5 Nf3", 12), ("d4 d5 c4", 4)] {
        for _ in 0..count {
            let moves = line(start(), moves);
            builder.add_game(&start(), moves.moves().iter().copied(), Some(Outcome::win(Player::First)), 10);
        }
    }
    let file = Place::new(name);
    let bytes: Vec<u8> = builder.entries(1).iter().flat_map(|entry| entry.to_bytes()).collect();
    fs::write(&file.0, bytes).expect("written");
    file
}

#[test]
fn the_weightiest_move_is_played_until_the_book_ends_or_is_closed() {
    let file = book("best");
    let mut library = ChessLibrary::default();
    let says = |library: &mut ChessLibrary, moves: &str| {
        let line = line(start(), moves);
        library.opening_move(&line).map(|m| line.position().move_text(m))
    };
    assert_eq!(says(&mut library, ""), None);
    library.set("book", file.text()).expect("opened");
    for (moves, expected) in [("", Some("e4")), ("d4 d5", Some("c4")), ("e4 e5 Nf3", None), ("a3", None)] {
        assert_eq!(says(&mut library, moves).as_deref(), expected, "{moves}");
    }
    // Only the first move is played from the book, or none.
    for (depth, first, second) in [("1", true, false), ("0", false, false), ("2", true, true)] {
        library.set("book_depth", depth).expect("a number");
        assert_eq!(says(&mut library, "").is_some(), first, "{depth}");
        assert_eq!(says(&mut library, "e4 e5").is_some(), second, "{depth}");
    }
    library.set("own_book", "false").expect("a switch");
    assert_eq!(says(&mut library, ""), None);
}

#[test]
fn chance_follows_the_weights_and_the_seed() {
    let file = book("chance");
    let mut library = ChessLibrary::default();
    for (name, value) in [("book_file", file.text()), ("book_random", "true")] {
        library.set(name, value).expect("an option");
    }
    let line = Line::new(start());
    let mut with_seed = |seed: u64| {
        library.set("book_seed", &seed.to_string()).expect("a number");
        library.opening_move(&line).map(|m| start().move_text(m)).expect("a move")
    };
    let first: Vec<String> = (1..=400).map(&mut with_seed).collect();
    assert_eq!(first, (1..=400).map(&mut with_seed).collect::<Vec<_>>(), "a seed says all");
    let king_pawns = first.iter().filter(|m| *m == "e4").count();
    assert!((250..350).contains(&king_pawns), "{king_pawns} of 400, expected 300");
    let unseeded: Vec<String> = (0..200).map(|_| with_seed(0)).collect();
    assert!(unseeded.iter().any(|m| m == "d4") && unseeded.iter().any(|m| m == "e4"));
}
