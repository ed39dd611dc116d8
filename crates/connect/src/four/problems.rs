//! Test problems of Connect Four: [the form that every game has](outplay_core::problem), and the lines of the test sets for
//! solvers, `4453 -2`: the columns played from the start and a score for the player to move. Its size tells how soon the
//! game ends, counted in several ways; its sign alone is taken: above zero a win, zero a draw, below zero a loss.

use outplay_core::problem::{self, ProblemVisitor};
use outplay_core::{Known, KnownResult, Notation, ParseError, Problem};

use super::{ConnectFour, Rules};

pub(super) fn visit(
    rules: &Rules,
    bytes: &[u8],
    visit: &mut ProblemVisitor<ConnectFour>,
) -> Result<(), ParseError> {
    problem::visit_lines(bytes, visit, |line| {
        let Some((columns, score)) = columns_and_score(line) else {
            return problem::read_line(line, |start| problem::read_start(rules, start)).map(Some);
        };
        let position = ConnectFour::parse_position(rules, columns)?;
        if position.outcome.is_some() {
            return Err(ParseError::refused("problem", columns, problem::GAME_OVER));
        }
        let result = match score {
            1.. => KnownResult::Win,
            0 => KnownResult::Draw,
            _ => KnownResult::Loss,
        };
        let known = Known { result: Some(result), ..Known::default() };
        Ok(Some(Problem { known, ..Problem::new(position) }))
    })
}

/// The two words of a line of a test set.
fn columns_and_score(line: &str) -> Option<(&str, i32)> {
    let (columns, score) = line.trim().split_once(char::is_whitespace)?;
    let are_columns = columns.bytes().all(|byte| byte.is_ascii_digit());
    let score = score.trim().parse().ok()?;
    are_columns.then_some((columns, score))
}
