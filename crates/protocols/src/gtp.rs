//! The Go Text Protocol, from the side of whoever asks: one stone or disc a move, columns by letter, rows by number.

use std::time::{Duration, Instant};

use outplay_core::Player;

pub use crate::cells::Columns;
use crate::opponent::{Answer, Company, MoveLimits, Opponent, Situation};
use crate::{CommandLine, Fault, Program};

/// How long a program may take for anything but thinking.
const PATIENCE: Duration = Duration::from_secs(10);

/// A program that speaks GTP.
pub struct GtpOpponent {
    program: Program,
    name: String,
    columns: Columns,
    size: u32,
}

impl GtpOpponent {
    /// Starts a program and sends it some commands of its own first. `size` is the side of the board.
    pub fn start(
        command: &CommandLine,
        columns: Columns,
        size: u32,
        first: &[String],
    ) -> Result<GtpOpponent, Fault> {
        let program = Program::start(command, "quit")?;
        let mut opponent = GtpOpponent { program, name: command.program.clone(), columns, size };
        if let Ok(name) = opponent.ask("name", Instant::now() + PATIENCE) {
            opponent.name = name;
        }
        for command in first {
            opponent.ask(command, Instant::now() + PATIENCE)?;
        }
        opponent.new_game()?;
        Ok(opponent)
    }

    /// Sends a command and waits for its answer: `= text`, or `? reason`, which is a fault.
    fn ask(&mut self, command: &str, deadline: Instant) -> Result<String, Fault> {
        self.ask_unless(command, deadline, None)
    }

    fn ask_unless(
        &mut self,
        command: &str,
        deadline: Instant,
        stop: Option<&dyn Fn() -> bool>,
    ) -> Result<String, Fault> {
        self.program.send(command);
        let answer = self.program.wait_unless(deadline, stop, |line| {
            let line = line.trim();
            (line.starts_with('=') || line.starts_with('?')).then(|| line.to_string())
        })?;
        match answer.strip_prefix('=') {
            Some(rest) => Ok(rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim().to_string()),
            None => Err(self.program.nonsense(&answer, "it refuses the command")),
        }
    }

    fn set_clock(&mut self, limits: &MoveLimits) -> Result<(), Fault> {
        let mut commands = Vec::new();
        if let Some(time) = limits.move_time {
            // The protocol counts whole seconds: so many for each single move.
            commands.push(format!("time_settings 0 {} 1", time.as_secs().max(1)));
        }
        if let Some(clock) = limits.clock {
            let moves = limits.moves_to_go.unwrap_or(0);
            commands.extend(Player::BOTH.map(|player| {
                format!("time_left {} {} {moves}", color(player), clock[player.index()].as_secs())
            }));
        }
        for command in commands {
            // Time is a courtesy: programs that do not know the command refuse it and play on.
            match self.ask(&command, Instant::now() + PATIENCE) {
                Ok(_) | Err(Fault::Nonsense { .. }) => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(())
    }
}

impl Opponent for GtpOpponent {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        self.program.begin_exchange();
        self.ask(&format!("boardsize {}", self.size), Instant::now() + PATIENCE)?;
        self.ask("clear_board", Instant::now() + PATIENCE).map(|_| ())
    }

    /// Plays the whole game to the program each time: nothing that it may have forgotten or misunderstood lasts.
    fn choose(
        &mut self,
        situation: &Situation,
        limits: &MoveLimits,
        company: Company,
    ) -> Result<Answer, Fault> {
        self.program.expect_usual_start(situation)?;
        self.program.begin_exchange();
        self.ask("clear_board", Instant::now() + PATIENCE)?;
        for (player, m) in &situation.moves {
            let command = format!("play {} {}", color(*player), self.columns.theirs(m));
            match self.ask(&command, Instant::now() + PATIENCE) {
                // Some Othello programs know by themselves who cannot move. The colour of the next move tells the others.
                Err(Fault::Nonsense { .. }) if m == "pass" => {}
                played => drop(played?),
            }
        }
        self.set_clock(limits)?;
        let begun = Instant::now();
        let best = self.ask_unless(
            &format!("genmove {}", color(situation.to_move)),
            limits.deadline(),
            company.stop,
        )?;
        Ok(Answer { best: self.columns.ours(&best), time: begun.elapsed(), ..Answer::default() })
    }
}

fn color(player: Player) -> &'static str {
    match player {
        Player::First => "black",
        Player::Second => "white",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLITE: &str = r#"
        moves=0
        while read -r command a b; do
            case "$command" in
                name) echo '= Shell'; echo;;
                clear_board) moves=0; printf '=\n\n';;
                play) moves=$((moves + 1)); [ "$b" = k10 ] && ok=yes; printf '=\n\n';;
                genmove) echo "= ${ok:+J}$moves"; echo;;
                boardsize) printf '=\n\n';;
                *) printf '? unknown command\n\n';;
            esac
        done"#;

    fn command() -> CommandLine {
        CommandLine {
            program: "sh".to_string(),
            arguments: vec!["-c".to_string(), POLITE.to_string()],
            folder: None,
        }
    }

    #[test]
    fn the_whole_game_is_played_to_the_program_before_it_is_asked() {
        let mut opponent = GtpOpponent::start(&command(), Columns::WithoutI, 19, &[]).expect("it is polite");
        assert_eq!(opponent.name(), "Shell");
        let moves = vec![(Player::First, "j10".to_string()), (Player::Second, "a1".to_string())];
        let situation = Situation { start: None, moves, to_move: Player::Second };
        let clock = Some([Duration::from_secs(9); 2]);
        let limits = MoveLimits { clock, patience: Duration::from_secs(20), ..MoveLimits::default() };
        for _ in 0..2 {
            assert_eq!(
                opponent.choose(&situation, &limits, Company::default()).expect("it answers").best,
                "i2"
            );
        }
    }

    #[test]
    fn a_program_may_know_by_itself_who_has_to_pass() {
        let script = POLITE
            .replace("play) ", "play) [ \"$b\" = pass ] && { printf '? syntax error\\n\\n'; continue; }; ");
        let arguments = vec!["-c".to_string(), script];
        let command = CommandLine { program: "sh".to_string(), arguments, folder: None };
        let mut opponent = GtpOpponent::start(&command, Columns::WithI, 8, &[]).expect("it is polite");
        let moves = [(Player::First, "a1"), (Player::Second, "pass"), (Player::First, "a2")];
        let moves = moves.map(|(player, m)| (player, m.to_string())).to_vec();
        let situation = Situation { start: None, moves, to_move: Player::Second };
        let limits = MoveLimits { patience: Duration::from_secs(20), ..MoveLimits::default() };
        let answer = opponent.choose(&situation, &limits, Company::default()).expect("it answers");
        assert_eq!(answer.best, "2", "the moves that it has taken");
    }

    #[test]
    fn what_the_protocol_cannot_say_and_what_the_program_refuses_are_faults() {
        let first = ["fly_me_to_the_moon".to_string()];
        let fault =
            GtpOpponent::start(&command(), Columns::WithI, 8, &first).err().expect("a fault").to_string();
        assert!(fault.contains("? unknown command"), "{fault}");
        let mut opponent = GtpOpponent::start(&command(), Columns::WithI, 8, &[]).expect("it is polite");
        let situation =
            Situation { start: Some("set up".to_string()), moves: Vec::new(), to_move: Player::First };
        assert!(opponent.choose(&situation, &MoveLimits::default(), Company::default()).is_err());
    }
}
