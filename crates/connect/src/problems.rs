//! Test problems of the Connect family: [the form that every game has](outplay_core::problem), and tables of positions that
//! the player to move wins.
//!
//! A table is comma-separated values; its first line names the columns. `stones_in_order` holds the moves from the start,
//! `id` a name, and `side_to_move`, `B` or `W`, is checked against the moves. Other columns are passed over: how such a win
//! was found, and in how many turns by which threats, does not bind a search that finds another.

use outplay_core::problem::{self, ProblemVisitor};
use outplay_core::{Game, Known, KnownResult, Notation, ParseError, Problem};

use crate::notation::moves_of_list;
use crate::position::Connect;
use crate::rules::Rules;

const TABLE: &str = "table of positions";
/// The column without which a line is no header.
const STONES: &str = "stones_in_order";

pub(crate) fn visit(
    rules: &Rules,
    bytes: &[u8],
    visit: &mut ProblemVisitor<Connect>,
) -> Result<(), ParseError> {
    let mut columns: Option<Vec<String>> = None;
    problem::visit_lines(bytes, visit, |line| {
        if let Some(columns) = &columns {
            return read_row(rules, columns, line).map(Some);
        }
        let names = fields(line);
        if names.iter().any(|name| name == STONES) {
            columns = Some(names);
            return Ok(None);
        }
        problem::read_line(line, |start| problem::read_start(rules, start)).map(Some)
    })
}

fn read_row(rules: &Rules, columns: &[String], line: &str) -> Result<Problem<Connect>, ParseError> {
    let fields = fields(line);
    if fields.len() != columns.len() {
        let reason =
            format!("expected {} fields, as the first line has, not {}", columns.len(), fields.len());
        return Err(ParseError::refused(TABLE, line, reason));
    }
    let field =
        |name: &str| columns.iter().position(|column| column == name).map(|index| fields[index].as_str());
    let mut position = Connect::start(rules);
    let mut problem = Problem::new(position.clone());
    for m in moves_of_list(&mut position, field(STONES).unwrap_or("")) {
        problem.moves.push(m.map_err(|error| ParseError::refused(TABLE, line, error.to_string()))?);
    }
    if position.outcome().is_some() {
        return Err(ParseError::refused(TABLE, line, problem::GAME_OVER));
    }
    let name = Connect::player_name(position.to_move());
    if let Some(side) = field("side_to_move")
        && !name.starts_with(side.to_ascii_uppercase().as_str())
    {
        return Err(ParseError::refused(
            TABLE,
            line,
            format!("after these moves it is {name}'s turn, not {side}'s"),
        ));
    }
    problem.id = field("id").filter(|id| !id.is_empty()).map(str::to_string);
    problem.known = Known { result: Some(KnownResult::Win), ..Known::default() };
    Ok(problem)
}

/// The fields of a line of comma-separated values, without the quotes and the space around them.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut field) = (Vec::new(), String::new());
    let mut is_quoted = false;
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            // Within quotes, a quote is written twice.
            '"' if is_quoted && signs.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(std::mem::take(&mut field)),
            sign => field.push(sign),
        }
    }
    fields.push(field);
    fields.iter().map(|field| field.trim().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_taken_apart_at_commas_outside_of_quotes() {
        assert_eq!(fields(r#"a, "b,c" ,"say ""x""",,"#), ["a", "b,c", "say \"x\"", "", ""]);
        assert_eq!(fields(""), [""]);
        assert_eq!(fields("\"open, end"), ["open, end"]);
    }
}
