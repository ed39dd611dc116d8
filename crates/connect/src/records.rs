//! Files of the Connect family: SGF and plain lists of moves for games, and [`problems`].

use outplay_core::problem::ProblemVisitor;
use outplay_core::{Game, MoveTree, ParseError, Record, RecordVisitor, Records, text};

use crate::notation::moves_of_list;
use crate::position::Connect;
use crate::problems;
use crate::rules::Rules;
use crate::sgf::{self, LetterPairs};

/// Reads SGF, see [`sgf`], and lists of moves: one game a line, `j10,k11,l12` or with spaces; lines that
/// begin with `#` are skipped. Parentheses tell the two apart. Writes SGF.
impl Records for Connect {
    const EXTENSION: &'static str = "sgf";

    fn visit_records(
        rules: &Rules,
        bytes: &[u8],
        visit: &mut RecordVisitor<Connect>,
    ) -> Result<(), ParseError> {
        let text = text::decode(bytes);
        match text.contains('(') {
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

fn visit_lists(rules: &Rules, text: &str, visit: &mut RecordVisitor<Connect>) -> Result<(), ParseError> {
    for (number, line) in text::content_lines(text) {
        let mut record = Record::new(Connect::start(rules));
        let mut position = record.start.clone();
        let mut node = MoveTree::ROOT;
        for m in moves_of_list(&mut position, line) {
            let m = m.map_err(|error| error.on_line(number))?;
            node = record.tree.add(node, m);
        }
        record.outcome = position.outcome();
        if visit(record).is_break() {
            break;
        }
    }
    Ok(())
}
