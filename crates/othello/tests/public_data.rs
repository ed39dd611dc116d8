//! Collections that others made, read whole where the machine has them.

mod common;

use std::fs;

use common::data_folder;
use outplay_core::{Game, Notation};
use outplay_othello::{obf, wthor};

#[test]
fn the_fforum_problems_are_read_and_written_back() {
    let Some(folder) = data_folder() else { return };
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
    let Some(folder) = data_folder().map(|folder| folder.join("wthor")) else { return };
    let file = |name: &str| fs::read(folder.join(name)).unwrap();
    let names = wthor::Names::read(&file("WTH.JOU"), &file("WTH.TRN")).unwrap();
    let (mut games, mut unfinished, mut differing) = (0, 0, Vec::new());
    for year in 1977..=2025 {
        let database = wthor::Database::read(&file(&format!("WTH_{year}.wtb"))).unwrap();
        let records = database.records(&names).unwrap_or_else(|error| panic!("{error}"));
        for (index, record) in records.iter().enumerate() {
            let line = record.line();
            games += 1;
            match line.outcome() {
                None => unfinished += 1,
                outcome if outcome == record.outcome => {}
                outcome => differing.push((year, index, outcome, record.outcome)),
            }
            let named = ["Event", "Black", "White"]
                .iter()
                .all(|tag| record.tag(tag).is_some_and(|name| !name.starts_with('#')));
            assert!(named, "{year} game {index}: {:?}", record.tags);
        }
    }
    eprintln!("{games} games, {unfinished} unfinished, {} scored otherwise: {differing:?}", differing.len());
}
