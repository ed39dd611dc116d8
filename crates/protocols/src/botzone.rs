//! The JSON interaction of Botzone's ConnectSix, from the side of whoever asks: the program is started for each turn, gets the whole game
//! and the end of its input, and answers with one line.
//!
//! The board is **15×15**. A turn is `{"x0":7,"y0":7,"x1":8,"y1":8}`, counted from 0 at the **upper left**; −1 where there is no stone.

use std::time::Instant;

use outplay_connect::Rules;
use outplay_core::{ParseError, Player};
use serde::{Deserialize, Serialize};

use crate::opponent::{Answer, Company, MoveLimits, Opponent, Situation};
use crate::turns::{Cell, SecondStone, turns_of};
use crate::{CommandLine, Fault, Program};

/// The side of the board.
pub(crate) const SIDE: i32 = 15;
/// The name of the game in the catalogue.
pub const GAME: &str = "connect:15,15,6,2,1";

/// The rules of the game.
pub(crate) fn rules() -> Result<Rules, ParseError> {
    Rules::new(SIDE as usize, SIDE as usize, 6, 2, 1)
}

/// A turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Turn {
    x0: i32,
    y0: i32,
    x1: i32,
    y1: i32,
}

/// The game so far: what a program is asked.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    pub requests: Vec<Turn>,
    #[serde(default)]
    pub responses: Vec<Turn>,
}

/// What a program answers; what it keeps for itself is passed over.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Response {
    pub response: Turn,
}

impl Turn {
    /// The turn before the game.
    pub const NOTHING: Turn = Turn { x0: -1, y0: -1, x1: -1, y1: -1 };

    /// The cells of its stones, or the numbers that are no cell.
    pub fn cells(self) -> Result<Vec<Cell>, (i32, i32)> {
        let Turn { x0, y0, x1, y1 } = self;
        let place = |number: i32| usize::try_from(number).ok().filter(|_| number < SIDE);
        let cell = |(x, y): (i32, i32)| {
            let row = place(y).map(|from_top| SIDE as usize - 1 - from_top);
            place(x).zip(row).ok_or((x, y))
        };
        [(x0, y0), (x1, y1)].into_iter().filter(|stone| *stone != (-1, -1)).map(cell).collect()
    }

    /// The turn with these stones.
    pub fn of(cells: &[Cell]) -> Turn {
        let number = |index: usize| {
            let place = |(column, row): &Cell| (*column as i32, SIDE - 1 - *row as i32);
            cells.get(index).map_or((-1, -1), place)
        };
        let ((x0, y0), (x1, y1)) = (number(0), number(1));
        Turn { x0, y0, x1, y1 }
    }
}

/// A program for Botzone.
pub struct BotzoneOpponent {
    command: CommandLine,
    second: SecondStone,
}

impl BotzoneOpponent {
    /// A program that will be started for each turn.
    pub fn new(command: &CommandLine) -> BotzoneOpponent {
        BotzoneOpponent { command: command.clone(), second: SecondStone::default() }
    }
}

impl Opponent for BotzoneOpponent {
    fn name(&self) -> &str {
        &self.command.program
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        self.second = SecondStone::default();
        Ok(())
    }

    fn choose(
        &mut self,
        situation: &Situation,
        limits: &MoveLimits,
        company: Company,
    ) -> Result<Answer, Fault> {
        if let Some(answer) = self.second.take(situation) {
            return Ok(answer);
        }
        let begun = Instant::now();
        let mut program = Program::start(&self.command, "")?;
        program.expect_usual_start(situation)?;
        let request = request(situation).map_err(|(text, reason)| program.nonsense(&text, reason))?;
        program.send(&request);
        program.end_input();
        // Programs may print what they like before the answer.
        let line = program.wait_unless(limits.deadline(), company.stop, |line| {
            line.trim_start().starts_with('{').then(|| line.to_string())
        })?;
        let time = begun.elapsed();
        let response: Response =
            serde_json::from_str(&line).map_err(|error| program.nonsense(&line, error.to_string()))?;
        let cells = response.response.cells().map_err(|_| program.nonsense(&line, "no cell of 15×15"))?;
        let best = self.second.keep(situation, &cells);
        let best = best.ok_or_else(|| program.nonsense(&line, "expected at least one stone"))?;
        Ok(Answer { best, time, ..Answer::default() })
    }
}

/// What a program is asked in a situation.
fn request(situation: &Situation) -> Result<String, (String, String)> {
    let text = |error: &dyn std::fmt::Display| (String::new(), error.to_string());
    let turns = turns_of(rules().map_err(|error| text(&error))?, situation)?;
    let by =
        |player: Player| turns.iter().filter(move |(by, _)| *by == player).map(|(_, cells)| Turn::of(cells));
    // Before Black's first turn there was nothing.
    let before = (situation.to_move == Player::First).then_some(Turn::NOTHING);
    let request = Request {
        requests: before.into_iter().chain(by(!situation.to_move)).collect(),
        responses: by(situation.to_move).collect(),
    };
    serde_json::to_string(&request).map_err(|error| text(&error))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn situation(moves: &[(Player, &str)], to_move: Player) -> Situation {
        let moves = moves.iter().map(|(player, m)| (*player, m.to_string())).collect();
        Situation { start: None, moves, to_move }
    }

    #[test]
    fn the_whole_game_is_told_from_the_view_of_the_program() {
        use Player::{First, Second};
        let told =
            |moves: &[(Player, &str)], to_move| request(&situation(moves, to_move)).expect("a request");
        let nothing = r#"{"x0":-1,"y0":-1,"x1":-1,"y1":-1}"#;
        assert_eq!(told(&[], First), format!(r#"{{"requests":[{nothing}],"responses":[]}}"#));
        let centre = r#"{"x0":7,"y0":7,"x1":-1,"y1":-1}"#;
        assert_eq!(told(&[(First, "h8")], Second), format!(r#"{{"requests":[{centre}],"responses":[]}}"#));
        // a15 is the upper left corner, o1 the lower right one.
        let corners = r#"{"x0":0,"y0":0,"x1":14,"y1":14}"#;
        assert_eq!(
            told(&[(First, "h8"), (Second, "a15"), (Second, "o1")], First),
            format!(r#"{{"requests":[{nothing},{corners}],"responses":[{centre}]}}"#)
        );
        let half = request(&situation(&[(First, "h8"), (Second, "a15")], Second));
        assert!(half.expect_err("half a turn").1.contains("whole turns"));
    }

    #[test]
    fn a_program_reads_to_the_end_and_answers_with_a_turn() {
        let ask = |script: &str, moves: &[(Player, &str)]| {
            let arguments = vec!["-c".to_string(), script.to_string()];
            let command = CommandLine { program: "sh".to_string(), arguments, folder: None };
            let limits = MoveLimits { patience: Duration::from_secs(20), ..MoveLimits::default() };
            let mut opponent = BotzoneOpponent::new(&command);
            let mut asked = situation(moves, Player::Second);
            let first = opponent.choose(&asked, &limits, Company::default())?.best;
            asked.moves.push((Player::Second, first.clone()));
            let second = opponent.choose(&asked, &limits, Company::default())?.best;
            Ok::<_, Fault>((first, second))
        };
        let reader =
            r#"cat > /dev/null; echo hello; echo '{"response":{"x0":0,"y0":14,"x1":14,"y1":0},"debug":1}'"#;
        let black = [(Player::First, "h8")];
        assert_eq!(ask(reader, &black), Ok(("a1".to_string(), "o15".to_string())));
        for (script, words) in [
            ("cat; echo '{}'", "response"),
            (r#"echo '{"response":{"x0":15,"y0":0,"x1":0,"y1":0}}'"#, "15×15"),
            (r#"echo '{"response":{"x0":-1,"y0":-1,"x1":-1,"y1":-1}}'"#, "at least one"),
            ("exit 3", "exit status: 3"),
        ] {
            let fault = ask(script, &black).expect_err("a fault").to_string();
            assert!(fault.contains(words), "{fault}");
        }
    }
}
