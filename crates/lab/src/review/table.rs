//! A review as a table.

use std::io::{self, Write};

use super::Review;
use crate::csv::{CsvWriter, field};

/// Writes a row for each turn that was judged.
pub fn write_csv<W: Write>(output: W, review: &Review) -> io::Result<W> {
    let header = [
        "number",
        "player",
        "moves",
        "phase",
        "eval_before",
        "eval_after",
        "chance_before",
        "chance_after",
        "loss",
        "units_lost",
        "mark",
        "best",
        "reply",
    ];
    let mut table = CsvWriter::new(output, &header)?;
    for turn in &review.turns {
        let [before, after] = [turn.from, turn.to].map(|ply| review.values.get(ply).and_then(Option::as_ref));
        let chance = |chance: f64| format!("{chance:.4}");
        table.row(&[
            turn.number.clone(),
            (turn.player + 1).to_string(),
            turn.played.join(" "),
            turn.phase.clone().unwrap_or_default(),
            field(before.map(|value| &value.eval)),
            field(after.map(|value| &value.eval)),
            field(before.map(|value| chance(value.chance))),
            field(after.map(|value| chance(value.chance))),
            chance(turn.loss),
            field(turn.units),
            field(turn.mark.map(|mark| mark.text().to_lowercase())),
            turn.best.text.join(" "),
            turn.reply.text.join(" "),
        ])?;
    }
    table.finish()
}
