//! Game files of the Connect family: SGF, and plain lists of moves.

use outplay_core::{Game, MoveTree, ParseError, Record, Records, text};

use crate::notation::moves_of_list;
use crate::position::Connect;
use crate::rules::Rules;
use crate::sgf::{self, LetterPairs};

/// Reads SGF, see [`sgf`], and lists of moves: one game a line, `j10,k11,l12` or with spaces; lines that
/// begin with `#` are skipped. Parentheses tell the two apart. Writes SGF.
impl Records for Connect {
    const EXTENSION: &'static str = "sgf";

    fn read_records(rules: &Rules, bytes: &[u8]) -> Result<Vec<Record<Connect>>, ParseError> {
        let text = text::decode(bytes);
        match text.contains('(') {
            true => sgf::read(rules, &text, LetterPairs::default()),
            false => read_lists(rules, &text),
        }
    }

    fn write_record(_: &Rules, record: &Record<Connect>) -> String {
        sgf::write(record)
    }
}

fn read_lists(rules: &Rules, text: &str) -> Result<Vec<Record<Connect>>, ParseError> {
    let mut games = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let mut record = Record::new(Connect::start(rules));
        let mut position = record.start.clone();
        let mut node = MoveTree::ROOT;
        for m in moves_of_list(&mut position, line) {
            let m = m.map_err(|error| error.on_line(index + 1))?;
            node = record.tree.add(node, m);
        }
        record.outcome = position.outcome();
        games.push(record);
    }
    Ok(games)
}
