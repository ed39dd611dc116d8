//! Recorded games and test problems in whatever format they come.

use outplay_core::problem::{self, ProblemVisitor};
use outplay_core::{
    Game, Known, KnownResult, ParseError, Problem, Record, RecordVisitor, Records, pgn, text,
};

use crate::{Othello, ggf, obf, transcript, wthor};

/// Games are written as PGN, the one format here that keeps variations; [`crate::ggf::write`] and
/// [`crate::transcript::write_moves`] write the others.
impl Records for Othello {
    /// Reads GGF, WTHOR, lines of moves, PGN, and collections of problems (OBF) as games without moves.
    fn visit_records(rules: &(), bytes: &[u8], visit: &mut RecordVisitor<Othello>) -> Result<(), ParseError> {
        if wthor::is_database(bytes) {
            return wthor::Database::read(bytes)?.visit_records(&wthor::Names::default(), visit);
        }
        let text = text::decode(bytes);
        match first_signs(&text) {
            Some(('(', ';')) => ggf::visit(&text, visit),
            Some(('a'..='h' | 'A'..='H', '1'..='8')) => transcript::visit_games(&text, visit),
            _ if obf::is_collection(&text) => visit_problems(&text, visit),
            _ => pgn::visit(rules, bytes, visit),
        }
    }

    /// Reads OBF, and [the form that every game has](outplay_core::problem); each line may be either.
    fn visit_problems(
        rules: &(),
        bytes: &[u8],
        visit: &mut ProblemVisitor<Othello>,
    ) -> Result<(), ParseError> {
        problem::visit_lines(bytes, visit, |line| {
            let problem = match problem::has_operations(line) {
                true => problem::read_line(line, |start| problem::read_start(rules, start)),
                false if line.trim_start().starts_with('%') => return Ok(None),
                false => obf::read_line(line).and_then(|scored| from_scores(line, scored)),
            };
            problem.map(Some)
        })
    }
}

/// What scored moves say: the best ones, and what they lead to is the value of the position.
fn from_scores(line: &str, scored: obf::Problem) -> Result<Problem<Othello>, ParseError> {
    if scored.position.outcome().is_some() {
        return Err(ParseError::refused("OBF", line.trim(), problem::GAME_OVER));
    }
    let known = Known {
        best: scored.best_moves().collect(),
        avoid: Vec::new(),
        result: scored.moves.first().map(|best| KnownResult::Margin(best.score)),
    };
    let id = Some(scored.comment).filter(|comment| !comment.is_empty());
    Ok(Problem { id, start: scored.position, moves: Vec::new(), known })
}

fn visit_problems(text: &str, visit: &mut RecordVisitor<Othello>) -> Result<(), ParseError> {
    for problem in obf::problems(text) {
        if visit(Record::new(problem?.position)).is_break() {
            break;
        }
    }
    Ok(())
}

/// The first two signs of a file but for comments in front of a list of moves and the number that servers put before a game in GGF.
fn first_signs(text: &str) -> Option<(char, char)> {
    let mut begin = text.trim_start();
    while begin.starts_with(transcript::COMMENT) {
        begin = begin.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
    }
    let after_number = begin.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    let mut signs = if after_number.starts_with("(;") { after_number.chars() } else { begin.chars() };
    Some((signs.next()?, signs.next()?))
}
