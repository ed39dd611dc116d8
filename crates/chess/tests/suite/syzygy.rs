//! Syzygy tables, and ours beside them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use outplay_chess::Chess;
use outplay_chess::endgame::{EndgameTables, Ending, Wdl};
use outplay_chess::syzygy::{FiftyMoves, Syzygy, SyzygyError, SyzygyWdl};
use outplay_core::{Game, MoveList, Notation, Rng};
use outplay_testing::public_data;

use crate::endgames::SMALL;
use crate::{position, position960};

fn open<P: AsRef<Path>>(folders: &[P]) -> Syzygy {
    Syzygy::open(folders).unwrap_or_else(|error| panic!("{error}"))
}

/// All tables of three and four men, if they are there.
fn tables() -> Option<(PathBuf, Syzygy)> {
    let folder = public_data::path("chess/syzygy34")?;
    let tables = open(&[&folder]);
    assert_eq!(tables.most_men(), 4);
    Some((folder, tables))
}

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("outplay-syzygy-{}-{name}", std::process::id()));
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).expect("a folder");
    folder
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

#[test]
fn tables_agree_with_ours() {
    let Some((_, tables)) = tables() else { return };
    agree(&tables, &SMALL, &SMALL.endings().collect::<Vec<_>>(), 41);
}

/// The same for all tables, which takes too long to build here: `OUTPLAY_ENDGAMES=folder cargo test -- --ignored`. Only pawn against pawn
/// has captures in passing.
#[test]
#[ignore = "needs a folder with all our tables"]
fn all_our_tables_agree_with_syzygy_and_with_the_rules() {
    let Some((_, tables)) = tables() else { return };
    let Some(ours) = std::env::var_os("OUTPLAY_ENDGAMES") else {
        return public_data::skip("OUTPLAY_ENDGAMES does not name a folder of tables");
    };
    let ours = EndgameTables::open(ours.as_ref()).unwrap_or_else(|error| panic!("{error}"));
    let endings: Vec<Ending> = ours.endings().collect();
    assert_eq!(endings, Ending::all());
    agree(&tables, &ours, &endings, 101);
    for position in endings.iter().flat_map(|ending| ending.positions(101)) {
        assert_eq!(ours.probe(&position), ours.verdict_by_moves(&position), "{position:?}");
    }
}

/// What the rules make of a position's moves: no table has a say in that but for what comes after them.
fn by_moves(tables: &Syzygy, position: &Chess) -> Wdl {
    let result = |position: &Chess| {
        let wdl = tables.wdl(position).unwrap_or_else(|| panic!("{position:?}"));
        wdl.verdict(FiftyMoves::Ignore)
    };
    let moves = position.legal_moves();
    let best = moves.each().map(|m| result(&position.after(m)).before().result).max();
    let in_check = !position.cozy().checkers().is_empty();
    best.unwrap_or(if in_check { Wdl::Loss } else { Wdl::Draw })
}

#[test]
fn what_every_table_says_is_the_best_of_what_the_moves_lead_to() {
    let Some((_, tables)) = tables() else { return };
    let mut passings = 0;
    for position in Ending::all().iter().flat_map(|ending| ending.positions(30_011)) {
        let mut positions = vec![position.clone()];
        // Captures in passing come about by a move.
        positions.extend(
            position
                .legal_moves()
                .each()
                .map(|m| position.after(m))
                .filter(|after| after.en_passant_square().is_some()),
        );
        passings += positions.len() - 1;
        for position in positions {
            let told = tables.wdl(&position).map(|wdl| wdl.verdict(FiftyMoves::Ignore).result);
            assert_eq!(told, Some(by_moves(&tables, &position)), "{position:?}");
        }
    }
    for position in Ending::all()
        .iter()
        .filter(|ending| ending.to_string() == "KPvKP")
        .flat_map(|ending| ending.positions(601))
    {
        for after in position.legal_moves().each().map(|m| position.after(m)) {
            if after.en_passant_square().is_some() {
                let told = tables.wdl(&after).map(|wdl| wdl.verdict(FiftyMoves::Ignore).result);
                assert_eq!(told, Some(by_moves(&tables, &after)), "{after:?}");
                passings += 1;
            }
        }
    }
    assert!(passings > 10, "{passings}");
}

#[test]
fn results_and_distances_are_the_published_ones() {
    let Some((_, tables)) = tables() else { return };
    let Some(table) = public_data::text("chess/syzygy34/shakmaty_probe_tests.csv") else { return };
    let mut compared = 0;
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [epd, wdl, dtz] = fields[..] else { panic!("{line}") };
        let position = position(&format!("{epd} 0 1"));
        if position.cozy().occupied().len() > 4 {
            continue;
        }
        let expected = match wdl {
            "2" => SyzygyWdl::Win,
            "0" => SyzygyWdl::Draw,
            "-2" => SyzygyWdl::Loss,
            other => panic!("{other}"),
        };
        assert_eq!(tables.wdl(&position), Some(expected), "{line}");
        if let Some((_, best, plies)) = ranked(&tables, &position).first() {
            let dtz: i32 = dtz.parse().expect("a number");
            assert_eq!(*best, expected, "{line}");
            // Distances may be one too few, and a child's one too few another.
            assert!(i32::from(*plies).abs_diff(dtz.abs()) <= 1, "{line}: {plies}");
        }
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn whoever_plays_the_first_of_the_ranked_moves_wins_what_is_won() {
    let Some((_, tables)) = tables() else { return };
    for name in ["KBNvK", "KQvKR", "KPvKP", "KRvKN"] {
        let ending: Ending = name.parse().unwrap_or_else(|error| panic!("{error}"));
        let won = ending.positions(30_011).filter(|start| tables.wdl(start) == Some(SyzygyWdl::Win));
        for start in won.take(3) {
            let mut position = start.clone();
            while position.outcome().is_none() {
                let moves = tables.ranked_moves(&position).unwrap_or_else(|| panic!("{position:?}"));
                position = position.after(moves[0].played);
            }
            assert_eq!(position.outcome(), Some(outplay_core::Outcome::win(start.to_move())), "{start:?}");
        }
    }
}

#[test]
fn several_folders_and_sets_can_be_open_at_once() {
    let Some((all, tables)) = tables() else { return };
    let (one, other) = (folder("one"), folder("other"));
    for (folder, names) in [(&one, ["KQvK.rtbw", "KRvK.rtbz"]), (&other, ["KQvK.rtbz", "KRvK.rtbw"])] {
        for name in names {
            fs::copy(all.join(name), folder.join(name)).expect("copied");
        }
    }
    let queen = position("8/8/8/8/8/2k5/8/KQ6 w - - 0 1");
    let rook = position("8/8/8/8/8/3k4/8/KR6 w - - 0 1");
    let (first, second, both) = (open(&[&one]), open(&[&other]), open(&[&one, &other]));
    assert_eq!((first.wdl(&queen), first.wdl(&rook)), (Some(SyzygyWdl::Win), None));
    assert_eq!((second.wdl(&queen), second.wdl(&rook)), (None, Some(SyzygyWdl::Win)));
    assert_eq!((first.ranked_moves(&queen), second.ranked_moves(&rook)), (None, None));
    for position in [&queen, &rook] {
        assert_eq!(both.wdl(position), tables.wdl(position));
        assert_eq!(both.ranked_moves(position), tables.ranked_moves(position));
    }
    for folder in [one, other] {
        fs::remove_dir_all(folder).expect("removed");
    }
}

#[test]
fn bad_folders_are_refused() {
    let Some((good, _)) = tables() else { return };
    let folder = folder("bad");
    let refusal = || match Syzygy::open(&[&folder]) {
        Ok(_) => panic!("opened"),
        Err(error) => error.to_string(),
    };
    assert!(refusal().contains("there are no Syzygy tables"));
    let table = fs::read(good.join("KQvK.rtbw")).expect("a table");
    let cut = &table[..table.len() - 32];
    let shorter = &table[..table.len() - 64];
    for bytes in [&b""[..], b"garbage", &[7; 80], cut, shorter] {
        fs::write(folder.join("KQvK.rtbw"), bytes).expect("written");
        assert!(refusal().contains("KQvK.rtbw is not a Syzygy table, or not a whole one"));
    }
    // A whole table under another's name.
    fs::write(folder.join("KQvK.rtbw"), fs::read(good.join("KPvK.rtbw")).expect("a table")).expect("written");
    assert!(refusal().contains("KQvK.rtbw is not"));
    fs::remove_dir_all(&folder).expect("removed");
    assert!(refusal().contains("cannot be read"));
    assert!(matches!(Syzygy::open::<&str>(&[]), Err(SyzygyError::NoTables)));
}

/// Changes a table as forgers and bad disks do: bits are turned, mostly where the table says what is in it, bytes are exchanged, the end is missing, or
/// nothing is left of it but how it begins.
fn forge(rng: &mut Rng, table: &[u8]) -> Vec<u8> {
    let mut bytes = table.to_vec();
    let begin = [8, 64, 512, bytes.len()][rng.below(4)].min(bytes.len());
    for _ in 0..1 + rng.below(4) {
        let at = if begin > 5 { 5 + rng.below(begin - 5) } else { 0 };
        match rng.below(3) {
            0 => bytes[at] ^= 1 << rng.below(8),
            1 => bytes[at] = rng.next_u64() as u8,
            _ => bytes[at] = [0, 0xff][rng.below(2)],
        }
    }
    match rng.below(6) {
        // Still of a length that tables have.
        0 => bytes.truncate((bytes.len() - 16) / 64 * rng.below(64) / 64 * 64 + 16),
        1 => bytes[5..].iter_mut().for_each(|byte| *byte = rng.next_u64() as u8),
        _ => {}
    }
    bytes
}

fn forged_tables_do_no_harm(all: &Path, times: usize) {
    let names = ["KQvK", "KPvK", "KQvKR", "KPvKP", "KBBvK", "KBNvK", "KRvKP"];
    let mut rng = Rng::new(27);
    let folder = folder("forged");
    let (mut refused, mut asked, mut unknown) = (0, 0, 0);
    for round in 0..times {
        let name = names[round % names.len()];
        for kind in ["rtbw", "rtbz"] {
            let table = fs::read(all.join(format!("{name}.{kind}"))).expect("a table");
            let is_forged = rng.below(3) > 0;
            let bytes = if is_forged { forge(&mut rng, &table) } else { table };
            fs::write(folder.join(format!("{name}.{kind}")), bytes).expect("written");
        }
        let begun = Instant::now();
        match Syzygy::open(&[&folder]) {
            Err(SyzygyError::Damaged(_)) => refused += 1,
            Err(error) => panic!("{error}"),
            Ok(tables) => {
                let ending = name.parse::<Ending>();
                let positions = ending.iter().flat_map(|ending| ending.positions(40_009));
                for position in positions {
                    let answers = (tables.wdl(&position), tables.ranked_moves(&position));
                    asked += 1;
                    unknown += u64::from(answers.0.is_none());
                }
            }
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{name} in round {round} hangs");
        for kind in ["rtbw", "rtbz"] {
            fs::remove_file(folder.join(format!("{name}.{kind}"))).expect("removed");
        }
    }
    fs::remove_dir_all(&folder).expect("removed");
    assert!(refused > times / 10 && asked > times && unknown > 0, "{refused} {asked} {unknown}");
}

#[test]
fn forged_and_damaged_tables_are_refused_or_asked_without_harm() {
    let Some((all, _)) = tables() else { return };
    forged_tables_do_no_harm(&all, 150);
}

mod heavy {
    #[test]
    #[ignore = "minutes"]
    fn many_forged_and_damaged_tables_are_refused_or_asked_without_harm() {
        let Some((all, _)) = super::tables() else { return };
        super::forged_tables_do_no_harm(&all, 20_000);
    }
}

/// A file with holes may say that it has any length, and must not cost memory for it.
#[test]
fn a_file_that_goes_on_far_behind_its_values_is_refused() {
    let Some((all, _)) = tables() else { return };
    let folder = folder("sparse");
    for name in ["KQvK.rtbw", "KPvKP.rtbz"] {
        let path = folder.join(name);
        fs::write(&path, fs::read(all.join(name)).expect("a table")).expect("written");
        let file = fs::OpenOptions::new().write(true).open(&path).expect("the copy");
        // ext4 has files of up to 16 TiB.
        file.set_len((1 << 42) + 16).expect("a length");
        assert!(matches!(Syzygy::open(&[&folder]), Err(SyzygyError::Damaged(_))), "{name}");
        fs::remove_file(&path).expect("removed");
    }
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn some_positions_are_not_known() {
    let Some((_, tables)) = tables() else { return };
    assert_eq!(tables.wdl(&position("8/8/5k2/8/8/3KR1NB/8/8 w - - 0 1")), None);
    assert_eq!(tables.wdl(&position("4k3/8/8/8/8/8/8/4K2R w K - 0 1")), None);
    assert_eq!(tables.wdl(&position960("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1")), None);
    assert_eq!(tables.wdl(&position("4k3/8/8/8/8/8/8/4K2R w - - 0 1")), Some(SyzygyWdl::Win));
}

fn ranked(tables: &Syzygy, position: &Chess) -> Vec<(String, SyzygyWdl, u16)> {
    let moves = tables.ranked_moves(position).unwrap_or_else(|| panic!("{position:?}"));
    moves.iter().map(|ranked| (position.move_text(ranked.played), ranked.wdl, ranked.dtz)).collect()
}

#[test]
fn moves_are_ranked() {
    let Some((_, tables)) = tables() else { return };
    // Only one king's move keeps the opposition.
    let opposition = position("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1");
    let moves = ranked(&tables, &opposition);
    assert_eq!(moves.len(), opposition.legal_count());
    assert!(moves.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{moves:?}");
    // A mate is one ply; a stalemate is no win; the pawn may become what it likes.
    let mate = ranked(&tables, &position("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"));
    assert_eq!((mate[0].0.as_str(), mate[0].2), ("Qf8#", 1));
    let promotion = ranked(&tables, &position("8/1P6/8/8/8/2k5/8/K7 w - - 0 1"));
    assert!(promotion[..2].iter().all(|found| ["b8=Q", "b8=R"].contains(&found.0.as_str())), "{promotion:?}");
    // Nobody is to move where the game is over.
    assert_eq!(ranked(&tables, &position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")), []);
    // Capturing in passing is a move like any other.
    let passing = position("8/8/8/8/k2Pp3/8/8/K7 b - d3 0 1");
    assert!(
        ranked(&tables, &passing).iter().any(|found| found.0 == "exd3"),
        "{:?}",
        ranked(&tables, &passing)
    );
}

#[test]
fn the_fifty_move_rule_counts() {
    let Some((_, tables)) = tables() else { return };
    let best = |clock| {
        let fen = format!("8/8/8/8/3k4/8/8/KBN5 w - - {clock} 80");
        ranked(&tables, &position(&fen))[0].1
    };
    assert_eq!((best(0), best(95)), (SyzygyWdl::Win, SyzygyWdl::CursedWin));
    assert_eq!(SyzygyWdl::CursedWin.verdict(FiftyMoves::Count), outplay_chess::endgame::Verdict::DRAW);
}

#[test]
fn threads_may_ask() {
    let Some((folder, tables)) = tables() else { return };
    let ending: Ending = "KRvKN".parse().unwrap_or_else(|error| panic!("{error}"));
    let positions: Vec<Chess> = ending.positions(9_973).collect();
    let expected: Vec<_> = positions.iter().map(|position| tables.wdl(position)).collect();
    // Tables that nobody has asked yet.
    let tables = open(&[&folder]);
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
