//! Collections that others made, read whole where the machine has them.

use std::fs;

use outplay_core::{Game, collect_records};
use outplay_othello::{obf, wthor};
use outplay_testing::public_data;

#[test]
fn the_fforum_problems_are_read_and_written_back() {
    let Some(folder) = public_data::path("othello") else { return };
    let mut count = 0;
    for name in ["fforum-1-19.obf", "fforum-20-39.obf", "fforum-40-59.obf", "fforum-60-79.obf"] {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        let problems = obf::read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        count += problems.len();
        for (problem, line) in problems.iter().zip(text.lines()) {
            assert_eq!(problem.to_string().to_lowercase(), line.trim().to_lowercase(), "{name}");
            assert_eq!(problem.moves.len(), problem.position.legal_count(), "{name}: {line}");
        }
    }
    assert_eq!(count, 79);
}

#[test]
fn every_tournament_game_is_legal_and_scored_as_it_was_played() {
    let Some(folder) = public_data::path("othello/wthor") else { return };
    let file = |name: &str| fs::read(folder.join(name)).unwrap();
    let names = wthor::Names::read(&file("WTH.JOU"), &file("WTH.TRN")).unwrap();
    let (mut games, mut unfinished, mut differing) = (0, 0, Vec::new());
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "wtb") {
            continue;
        }
        let database = wthor::Database::read(&fs::read(&path).unwrap()).unwrap();
        let records = collect_records(|visit| database.visit_records(&names, visit))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for (record, number) in records.iter().zip(1..) {
            games += 1;
            match record.line().outcome() {
                None => unfinished += 1,
                played if played == record.outcome => {}
                played => differing.push((database.year, number, played, record.outcome)),
            }
            let named = |tag| record.tag(tag).is_some_and(|name| !name.starts_with('#'));
            assert!(["Event", "Black", "White"].into_iter().all(named), "{:?}", record.tags);
        }
    }
    eprintln!("{games} games, of which {unfinished} were not played out");
    assert!(games > 100_000 && unfinished < games / 100, "{games} games, {unfinished} unfinished");
    assert!(differing.is_empty(), "scored otherwise than played: {differing:?}");
}
