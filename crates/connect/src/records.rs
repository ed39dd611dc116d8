//! Files of the Connect family: SGF and plain lists of moves for games, and [`problems`].

use std::borrow::Cow;

use outplay_core::problem::ProblemVisitor;
use outplay_core::{ParseError, Record, RecordVisitor, Records, record, text};

use crate::position::Connect;
use crate::problems;
use crate::rules::Rules;
use crate::sgf::{self, LetterPairs};

/// Reads SGF, see [`sgf`], and lists of moves: one game a line, `j10,k11,l12` or with spaces, or as Gomocup's managers write
/// openings, by their distances from the centre: `0,0, 1,-2`. Lines that begin with `#` are skipped. Parentheses tell SGF. Writes
/// SGF.
impl Records for Connect {
    const EXTENSION: &'static str = "sgf";

    /// SGF calls the players so on boards of all sizes, also where they are drawn as crosses and rings.
    fn player_tags(_: &Rules) -> [&'static str; 2] {
        ["Black", "White"]
    }

    fn visit_records(
        rules: &Rules,
        bytes: &[u8],
        visit: &mut RecordVisitor<Connect>,
    ) -> Result<(), ParseError> {
        let text = text::decode(bytes);
        match text::content_lines(&text).any(|(_, line)| line.contains('(')) {
            true => sgf::visit(rules, &text, LetterPairs::default(), visit),
            false => visit_lists(rules, &text, visit),
        }
    }

    fn write_record(_: &Rules, record: &Record<Connect>) -> String {
        sgf::write(record)
    }

    fn visit_problems(
        rules: &Rules,
        bytes: &[u8],
        visit: &mut ProblemVisitor<Connect>,
    ) -> Result<(), ParseError> {
        problems::visit(rules, bytes, visit)
    }
}

/// Lists as every game has them, after distances from the centre have been turned into cells.
fn visit_lists(rules: &Rules, text: &str, visit: &mut RecordVisitor<Connect>) -> Result<(), ParseError> {
    let lines = text.lines().map(|line| cells_around_centre(*rules, line).map_or(line.into(), Cow::Owned));
    record::visit_list(rules, &lines.collect::<Vec<Cow<str>>>().join("\n"), visit)
}

/// The cells of a line of distances, column and row in turn, from the centre; `None` if it is no such line. Cells beyond the board are
/// named as well, for whoever reads the moves to refuse them.
fn cells_around_centre(rules: Rules, line: &str) -> Option<String> {
    let numbers = text::words(line).map(|word| word.parse().ok()).collect::<Option<Vec<i64>>>()?;
    let centre = [rules.columns() as i64 / 2, rules.rows() as i64 / 2];
    let cells = numbers.chunks(2).map(|pair| {
        let &[column, row] = pair else { return None };
        let at = |centre: i64, distance: i64| usize::try_from(centre.checked_add(distance)?).ok();
        Some(match (at(centre[0], column), at(centre[1], row)) {
            (Some(column), Some(row)) if column < 26 && row < 100 => text::cell_text(column, row),
            _ => pair.iter().map(i64::to_string).collect::<Vec<_>>().join("/"),
        })
    });
    Some(cells.collect::<Option<Vec<_>>>()?.join(" ")).filter(|cells| !cells.is_empty())
}

#[cfg(test)]
mod tests {
    use outplay_core::{Game, Notation};

    use super::*;

    #[test]
    fn distances_from_the_centre_are_moves() {
        let read = |text: &str| Connect::read_records(&Rules::GOMOKU, text.as_bytes());
        let records = read("0,0, 1,-2\n-7,7, 7,-7\n").expect("two openings");
        let text = |record: &Record<Connect>| {
            let mut position = record.start.clone();
            let moves = record.tree.main_line().map(|m| {
                let text = position.move_text(m);
                position.play(m);
                text
            });
            moves.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(records.iter().map(text).collect::<Vec<_>>(), ["h8 i6", "a15 o1"]);
        for bad in
            ["0,0, 8,0", "0,0, 0,0", "0,0,1", "0,0, 99999999999999999999,1", "0,0, -9223372036854775808,1"]
        {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
