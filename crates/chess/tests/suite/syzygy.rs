//! Syzygy tables, and ours beside them.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use outplay_chess::Chess;
use outplay_chess::endgame::{EndgameTables, Ending};
use outplay_chess::syzygy::{FiftyMoves, Syzygy, SyzygyError, SyzygyWdl};
use outplay_core::{Game, Notation};
use outplay_testing::public_data;

use crate::endgames::SMALL;
use crate::{position, position960};

#[test]
#[cfg(target_arch = "x86_64")]
fn syzygy_tables_are_opened_asked_and_agree_with_ours() {
    let Some(folder) = public_data::path("chess/syzygy34") else { return };
    let _alone = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    bad_folders_are_refused(&folder);
    let tables = open(&folder);
    assert!(matches!(Syzygy::open(&[&folder]), Err(SyzygyError::AlreadyOpen)));
    assert_eq!(tables.most_men(), 4);
    agree(&tables, &SMALL, &SMALL.endings().collect::<Vec<_>>(), 41);
    some_positions_are_not_known(&tables);
    moves_are_ranked(&tables);
    the_fifty_move_rule_counts(&tables);
    threads_may_ask(&tables);
    drop(tables);
    // What was closed can be opened again.
    assert_eq!(open(&folder).most_men(), 4);
}

/// Held by whoever has tables open: there can be one set at a time.
static OPEN: Mutex<()> = Mutex::new(());

fn open(folder: &Path) -> Syzygy {
    Syzygy::open(&[folder]).unwrap_or_else(|error| panic!("{error}"))
}

/// Compares every `step`-th position of endings.
fn agree(syzygy: &Syzygy, ours: &EndgameTables, endings: &[Ending], step: usize) {
    for ending in endings {
        for position in ending.positions(step) {
            let verdict = ours.probe(&position).unwrap_or_else(|| panic!("{position:?}"));
            let theirs = syzygy.wdl(&position).map(|wdl| wdl.verdict(FiftyMoves::Ignore).result);
            assert_eq!(theirs, Some(verdict.result), "{position:?}");
        }
    }
}

/// The same for all tables, which takes too long to build here: `OUTPLAY_ENDGAMES=folder cargo test -- --ignored`. Only pawn against pawn
/// has captures in passing.
#[test]
#[ignore = "needs a folder with all our tables"]
#[cfg(target_arch = "x86_64")]
fn all_our_tables_agree_with_syzygy_and_with_the_rules() {
    let Some(folder) = public_data::path("chess/syzygy34") else { return };
    let Some(ours) = std::env::var_os("OUTPLAY_ENDGAMES") else {
        return public_data::skip("OUTPLAY_ENDGAMES does not name a folder of tables");
    };
    let ours = EndgameTables::open(ours.as_ref()).unwrap_or_else(|error| panic!("{error}"));
    let _alone = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let endings: Vec<Ending> = ours.endings().collect();
    assert_eq!(endings, Ending::all());
    agree(&open(&folder), &ours, &endings, 101);
    for position in endings.iter().flat_map(|ending| ending.positions(101)) {
        assert_eq!(ours.probe(&position), ours.verdict_by_moves(&position), "{position:?}");
    }
}

fn bad_folders_are_refused(good: &Path) {
    let folder = std::env::temp_dir().join(format!("outplay-syzygy-{}", std::process::id()));
    drop(fs::remove_dir_all(&folder));
    let refusal = || match Syzygy::open(&[&folder]) {
        Ok(_) => panic!("opened"),
        Err(error) => error.to_string(),
    };
    assert!(refusal().contains("cannot be read"));
    fs::create_dir_all(&folder).expect("a folder");
    assert!(refusal().contains("there are no Syzygy tables"));
    let table = fs::read(good.join("KQvK.rtbw")).expect("a table");
    let cut = &table[..table.len() - 32];
    for bytes in [&b""[..], b"garbage", &[7; 80], cut] {
        fs::write(folder.join("KQvK.rtbw"), bytes).expect("written");
        assert!(refusal().contains("KQvK.rtbw is not a Syzygy table, or not a whole one"));
    }
    fs::remove_dir_all(&folder).expect("removed");
    assert!(matches!(Syzygy::open(&["a:b"]), Err(SyzygyError::Name(_))));
    assert!(matches!(Syzygy::open::<&str>(&[]), Err(SyzygyError::NoTables)));
}

fn some_positions_are_not_known(tables: &Syzygy) {
    assert_eq!(tables.wdl(&position("8/8/5k2/8/8/3KR1NB/8/8 w - - 0 1")), None);
    assert_eq!(tables.wdl(&position("4k3/8/8/8/8/8/8/4K2R w K - 0 1")), None);
    assert_eq!(tables.wdl(&position960("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1")), None);
    assert_eq!(tables.wdl(&position("4k3/8/8/8/8/8/8/4K2R w - - 0 1")), Some(SyzygyWdl::Win));
}

fn ranked(tables: &Syzygy, position: &Chess) -> Vec<(String, SyzygyWdl, u16)> {
    let moves = tables.ranked_moves(position).unwrap_or_else(|| panic!("{position:?}"));
    moves.iter().map(|ranked| (position.move_text(ranked.played), ranked.wdl, ranked.dtz)).collect()
}

fn moves_are_ranked(tables: &Syzygy) {
    // Only one king's move keeps the opposition.
    let opposition = position("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1");
    let moves = ranked(tables, &opposition);
    assert_eq!(moves.len(), opposition.legal_count());
    assert!(moves.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{moves:?}");
    // A mate is one ply; a stalemate is no win; the pawn may become what it likes.
    let mate = ranked(tables, &position("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"));
    assert_eq!((mate[0].0.as_str(), mate[0].2), ("Qf8#", 1));
    let promotion = ranked(tables, &position("8/1P6/8/8/8/2k5/8/K7 w - - 0 1"));
    assert!(promotion[..2].iter().all(|found| ["b8=Q", "b8=R"].contains(&found.0.as_str())), "{promotion:?}");
    // Nobody is to move where the game is over.
    assert_eq!(ranked(tables, &position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")), []);
    // Capturing in passing is a move like any other.
    let passing = position("8/8/8/8/k2Pp3/8/8/K7 b - d3 0 1");
    assert!(ranked(tables, &passing).iter().any(|found| found.0 == "exd3"), "{:?}", ranked(tables, &passing));
}

fn the_fifty_move_rule_counts(tables: &Syzygy) {
    let best = |clock| {
        let fen = format!("8/8/8/8/3k4/8/8/KBN5 w - - {clock} 80");
        ranked(tables, &position(&fen))[0].1
    };
    assert_eq!((best(0), best(95)), (SyzygyWdl::Win, SyzygyWdl::CursedWin));
    assert_eq!(SyzygyWdl::CursedWin.verdict(FiftyMoves::Count), outplay_chess::endgame::Verdict::DRAW);
}

fn threads_may_ask(tables: &Syzygy) {
    let ending: Ending = "KRvKN".parse().unwrap_or_else(|error| panic!("{error}"));
    let positions: Vec<Chess> = ending.positions(9_973).collect();
    let expected: Vec<_> = positions.iter().map(|position| tables.wdl(position)).collect();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for (position, expected) in positions.iter().zip(&expected) {
                    assert_eq!(tables.wdl(position), *expected);
                    assert!(tables.ranked_moves(position).is_some());
                }
            });
        }
    });
}
