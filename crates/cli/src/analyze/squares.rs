//! The values of all moves on the board, for games in which a move is a cell.

use std::collections::HashMap;
use std::fmt::Write;

use outplay_core::text::{cell_text, column_letter};
use outplay_engine::{Picture, Session};
use outplay_search::{Bound, Meaning, PrincipalVariation, Report};

/// How wide a cell is.
const WIDTH: usize = 7;

/// The board with what each move is worth for the player to move: in the score's units, without a fraction where the value is exact, the best one with a
/// star. What stands on the other cells is a letter for the player.
pub fn drawn(session: &dyn Session, report: &Report) -> String {
    let Picture { board, .. } = session.picture();
    let best = report.lines.first().map(|line| line.score.score());
    let mut cells: HashMap<String, String> = HashMap::new();
    for piece in &board.pieces {
        cells.insert(piece.cell.clone(), ["X", "O"][piece.player % 2].to_string());
    }
    for line in &report.lines {
        let Some(cell) = session.plain_line_text(line.moves.get(..1).unwrap_or_default()).pop() else {
            continue;
        };
        let star = if Some(line.score.score()) == best { "*" } else { "" };
        cells.insert(cell, format!("{}{star}", value(line)));
    }
    let mut text = " ".repeat(3);
    for column in 0..board.columns {
        write!(text, "{:^WIDTH$}", column_letter(column)).expect("a string takes all that is written to it");
    }
    let rows: Vec<usize> =
        if board.top_down { (0..board.rows).collect() } else { (0..board.rows).rev().collect() };
    for row in rows {
        write!(text, "\n{:>2} ", row + 1).expect("a string takes all that is written to it");
        for column in 0..board.columns {
            let cell = cells.get(&cell_text(column, row)).map_or("-", String::as_str);
            write!(text, "{cell:^WIDTH$}").expect("a string takes all that is written to it");
        }
    }
    let text: Vec<&str> = text.lines().map(str::trim_end).collect();
    let exact = report.lines.iter().filter(|line| is_exact(line)).count();
    let depth = format!("depth {}, {exact} of {} values exact", report.depth, report.lines.len());
    format!("{}\n{depth}; * is best, ≥ and ≤ are bounds", text.join("\n"))
}

fn value(line: &PrincipalVariation) -> String {
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::AtLeast => "≥",
        Bound::AtMost => "≤",
    };
    match line.score {
        Meaning::Margin(margin) => format!("{bound}{margin:+}"),
        Meaning::Opinion(value) => format!("{bound}{:+.1}", f64::from(value) / 100.0),
        Meaning::WinIn(plies) => format!("{bound}win {plies}"),
        Meaning::LossIn(plies) => format!("{bound}loss {plies}"),
        Meaning::Expected(mean) => format!("{bound}{:.1}%", 50.0 + 50.0 * mean),
    }
}

fn is_exact(line: &PrincipalVariation) -> bool {
    let is_certain = !matches!(line.score, Meaning::Opinion(_) | Meaning::Expected(_));
    is_certain && line.bound == Bound::Exact
}
