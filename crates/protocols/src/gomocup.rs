//! The protocol of the Gomocup tournaments, from the side of whoever asks: square boards, one stone a move, cells as two numbers that
//! count from the upper left.

use std::time::{Duration, Instant};

use outplay_core::text;

use crate::cells::{cell_of_numbers, numbers_from_top};
use crate::opponent::{Answer, Company, MoveLimits, Opponent, Situation};
use crate::{CommandLine, Fault, Program};

/// How long a program may take for anything but thinking.
const PATIENCE: Duration = Duration::from_secs(10);
/// What a time limit that does not exist is called.
const NO_LIMIT: u128 = i32::MAX as u128;

/// A program that speaks the Gomocup protocol.
pub struct GomocupOpponent {
    program: Program,
    name: String,
    size: usize,
}

impl GomocupOpponent {
    /// Starts a program on a board with this side; `infos` are `INFO` settings of its own, such as `rule` and `0`.
    pub fn start(
        command: &CommandLine,
        size: u32,
        infos: &[(String, String)],
    ) -> Result<GomocupOpponent, Fault> {
        let mut program = Program::start(command, "END")?;
        program.send(&format!("START {size}"));
        expect_ok(&mut program)?;
        for (key, value) in infos {
            program.send(&format!("INFO {key} {value}"));
        }
        Ok(GomocupOpponent { program, name: command.program.clone(), size: size as usize })
    }
}

/// Waits for `OK`; `ERROR` is a fault, and messages are passed over.
fn expect_ok(program: &mut Program) -> Result<(), Fault> {
    let answer = program.wait_for(Instant::now() + PATIENCE, |line| {
        let line = line.trim();
        (line.starts_with("OK") || line.starts_with("ERROR")).then(|| line.to_string())
    })?;
    if answer.starts_with("OK") { Ok(()) } else { Err(program.nonsense(&answer, "expected OK")) }
}

impl Opponent for GomocupOpponent {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        self.program.begin_exchange();
        self.program.send("RESTART");
        expect_ok(&mut self.program)
    }

    /// Shows the program the whole board each time, in the order of the moves.
    fn choose(
        &mut self,
        situation: &Situation,
        limits: &MoveLimits,
        company: Company,
    ) -> Result<Answer, Fault> {
        self.program.expect_usual_start(situation)?;
        self.program.begin_exchange();
        self.program.forget_talk();
        let turn = limits.move_time.map_or(NO_LIMIT, |time| time.as_millis());
        self.program.send(&format!("INFO timeout_turn {turn}"));
        if let Some(clock) = limits.clock {
            self.program.send(&format!("INFO time_left {}", clock[situation.to_move.index()].as_millis()));
        }
        let begun = if situation.moves.is_empty() {
            self.program.send("BEGIN");
            Instant::now()
        } else {
            let mut board = vec!["BOARD".to_string()];
            for (player, m) in &situation.moves {
                let cell = text::parse_cell(m).filter(|(_, row)| *row < self.size);
                let Some(cell) = cell else {
                    return Err(self.program.nonsense(m, "this protocol knows only cells of its board"));
                };
                let cell = numbers_from_top(cell, self.size);
                board.push(format!("{cell},{}", if *player == situation.to_move { 1 } else { 2 }));
            }
            board.push("DONE".to_string());
            self.program.send(&board.join("\n"));
            Instant::now()
        };
        let best = self.program.wait_unless(limits.deadline(), company.stop, |line| {
            // Everything that does not begin with a number is talk: MESSAGE, DEBUG, UNKNOWN.
            line.trim_start().starts_with(|c: char| c.is_ascii_digit()).then(|| line.trim().to_string())
        })?;
        let cell = cell_of_numbers(&best, (self.size, self.size))
            .ok_or_else(|| self.program.nonsense(&best, "expected column,row"))?;
        Ok(Answer { best: text::cell_text(cell.0, cell.1), time: begun.elapsed(), ..Answer::default() })
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::Player;

    use super::*;

    const POLITE: &str = r#"
        while read -r command rest; do
            case "$command" in
                START|RESTART) echo 'MESSAGE hello'; echo OK;;
                BEGIN) echo '7,6';;
                BOARD) n=0; while read -r stone && [ "$stone" != DONE ]; do n=$((n + 1)); last=$stone; done
                       echo "DEBUG $last"; [ "$last" = 9,5,1 ] && echo "$n,14" || echo "$n,99";;
            esac
        done"#;

    fn opponent() -> GomocupOpponent {
        let arguments = vec!["-c".to_string(), POLITE.to_string()];
        let command = CommandLine { program: "sh".to_string(), arguments, folder: None };
        GomocupOpponent::start(&command, 15, &[("rule".to_string(), "0".to_string())]).expect("it is polite")
    }

    fn limits() -> MoveLimits {
        MoveLimits { patience: Duration::from_secs(20), ..MoveLimits::default() }
    }

    #[test]
    fn the_first_move_and_later_ones_are_asked_for() {
        let mut opponent = opponent();
        opponent.new_game().expect("it is ready");
        let empty = Situation { start: None, moves: Vec::new(), to_move: Player::First };
        assert_eq!(opponent.choose(&empty, &limits(), Company::default()).expect("a move").best, "h9");
        let moves = vec![(Player::First, "h8".to_string()), (Player::Second, "j10".to_string())];
        let later = Situation { start: None, moves, to_move: Player::Second };
        assert_eq!(
            opponent.choose(&later, &limits(), Company::default()).expect("a move").best,
            "c1",
            "rows count from the top"
        );
    }

    #[test]
    fn cells_that_no_board_has_are_a_fault() {
        let moves = vec![(Player::First, "h8".to_string())];
        let situation = Situation { start: None, moves, to_move: Player::Second };
        let fault =
            opponent().choose(&situation, &limits(), Company::default()).expect_err("a fault").to_string();
        assert!(fault.contains("1,99") && fault.contains("column,row"), "{fault}");
    }
}
