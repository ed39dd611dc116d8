//! The laws of [`Notation`] and [`Records`].

use std::collections::HashMap;

use super::rules::ORDER;
use super::{Effort, Violation, law, play_random, random_games};
use crate::{Line, MoveList, Notation, Record, Records, Rng};

/// Positions and moves survive being written and read, and a key recomputed from text is the key that was kept.
pub fn check_notation<G: Notation>(rules: &G::Rules, effort: &Effort) -> Result<(), Violation> {
    let mut boards_by_key = HashMap::new();
    random_games::<G>(rules, effort, |line| {
        check_position_text(line, rules)?;
        check_move_text(line, rules)?;
        let (position, board) = (line.position(), line.position().board());
        let other = boards_by_key.entry(position.key()).or_insert_with(|| board.clone());
        law(line, "positions with equal keys look the same", *other == board, || {
            format!("{:#x} is also the key of\n{other}", position.key())
        })
    })
}

fn check_position_text<G: Notation>(line: &Line<G>, rules: &G::Rules) -> Result<(), Violation> {
    let position = line.position();
    let text = position.position_text();
    law(line, "the text of a position is one line", !text.contains(['\n', '\r']), || format!("{text:?}"))?;
    let read = G::parse_position(rules, &text);
    let Some(same) = read.as_ref().ok().filter(|read| *read == position) else {
        return law(line, "a position survives its text", false, || format!("{text:?} gave {read:?}"));
    };
    law(line, "a key recomputed is the key kept", same.key() == position.key(), || {
        format!("kept {:#x}, recomputed {:#x}", position.key(), same.key())
    })?;
    law(line, ORDER, same.legal_moves().each().eq(position.legal_moves().each()), || {
        format!("{same:?}, read from text, has another order")
    })
}

fn check_move_text<G: Notation>(line: &Line<G>, rules: &G::Rules) -> Result<(), Violation> {
    let position = line.position();
    let mut texts = Vec::new();
    for m in position.legal_moves().each() {
        let text = position.move_text(m);
        let plain = position.plain_move_text(rules, m);
        for text in [&text, &plain] {
            let read = position.parse_move(text);
            law(line, "a move survives its text", read == Ok(m), || {
                format!("{m:?} was written {text:?}, which gave {read:?}")
            })?;
        }
        texts.extend([text, plain]);
    }
    let list = texts.join(" ");
    law(line, "a list of moves comes apart as it was put together", G::split_moves(&list) == texts, || {
        format!("{list:?} gave {:?}", G::split_moves(&list))
    })
}

/// A record of a random game is read back as it was written.
pub fn check_records<G: Records>(rules: &G::Rules, effort: &Effort) -> Result<(), Violation> {
    let mut rng = Rng::new(effort.seed);
    for _ in 0..effort.games {
        let mut line = Line::new(G::start(rules));
        let length = rng.below(200);
        while line.moves().len() < length && line.outcome().is_none() {
            play_random(&mut line, &mut rng);
        }
        let written = G::write_record(rules, &Record::of_line(&line));
        let read = G::read_records(rules, written.as_bytes());
        let same = matches!(read.as_deref(), Ok([record]) if {
            record.start == *line.start()
                && record.tree.main_line().eq(line.moves().iter().copied())
                && record.outcome == line.outcome()
        });
        law(&line, "a record survives its text", same, || format!("{written} gave {read:?}"))?;
    }
    Ok(())
}
