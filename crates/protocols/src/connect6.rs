//! The line protocol of Cloudict and other Connect6 programs, from the side of whoever asks.
//!
//! A turn is one word of letters, column and row of each stone, A to S with I, from the lower left: `JJ` is the centre. The program
//! knows no clock, acknowledges nothing and talks a lot: only lines that begin with `move ` are moves. It answers with both stones of a
//! turn; the second one is kept until it is asked for.

use std::time::{Duration, Instant};

use outplay_connect::{Connect, Rules};
use outplay_core::{Notation, Player};

use crate::cells::{cells_of_letters, two_letters};
use crate::opponent::{Answer, Company, MoveLimits, Opponent, Situation};
use crate::turns::{SecondStone, turns_of};
use crate::{CommandLine, Fault, Program};

/// How long a program may take for anything but thinking.
const PATIENCE: Duration = Duration::from_secs(10);
/// What a program says in place of a move when it has lost, mostly without ending the line.
pub(crate) const DEFEAT: &str = "We loss!";

/// A program that speaks the line protocol of Connect6.
pub struct Connect6Opponent {
    program: Program,
    name: String,
    second: SecondStone,
}

impl Connect6Opponent {
    /// Starts a program. Options are commands: `depth` and `3`; `vcf` and `true` or `false` switch the search for forced wins.
    pub fn start(command: &CommandLine, options: &[(String, String)]) -> Result<Connect6Opponent, Fault> {
        let mut program = Program::start_and_hear(command, "quit", &[DEFEAT])?;
        program.send("name");
        // Without spaces in front: those that list all commands begin this one with some.
        let name = program.wait_for(Instant::now() + PATIENCE, |line| {
            line.strip_prefix("name ").map(|name| name.trim().to_string())
        })?;
        for (name, value) in options {
            let line = match (name.as_str(), value.as_str()) {
                ("vcf", "true") => "vcf".to_string(),
                ("vcf", "false") => "unvcf".to_string(),
                _ => format!("{name} {value}"),
            };
            program.send(&line);
        }
        Ok(Connect6Opponent { program, name, second: SecondStone::default() })
    }

    /// Sets the whole game up and asks for a turn.
    fn ask(&mut self, situation: &Situation) -> Result<(), Fault> {
        let lines = set_up(situation).map_err(|(text, reason)| self.program.nonsense(&text, reason))?;
        self.program.begin_exchange();
        self.program.forget_talk();
        lines.iter().for_each(|line| self.program.send(line));
        Ok(())
    }
}

impl Opponent for Connect6Opponent {
    fn name(&self) -> &str {
        &self.name
    }

    /// Nothing has to be said: each question begins with a new game.
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
        self.ask(situation)?;
        let begun = Instant::now();
        let turn = self.program.wait_unless(limits.deadline(), company.stop, |line| match line {
            DEFEAT => Some(None),
            _ => line.strip_prefix("move ").map(|turn| Some(turn.trim().to_string())),
        })?;
        let time = begun.elapsed();
        let Some(turn) = turn else {
            return Ok(Answer { best: "resign".to_string(), time, ..Answer::default() });
        };
        let cells = cells_of_letters(&turn).filter(|cells| cells.len() <= 2);
        let best = cells.and_then(|cells| self.second.keep(situation, &cells));
        let best = best.ok_or_else(|| {
            self.program.nonsense(&turn, "expected the letters of one or two stones, as in JJKK")
        })?;
        Ok(Answer { best, time, ..Answer::default() })
    }
}

/// What to tell a program for it to answer with the next turn of a game; or what in it cannot be told, and why.
fn set_up(situation: &Situation) -> Result<Vec<String>, (String, String)> {
    let turns = turns_of(Rules::CONNECT6, situation)?;
    // A program thinks for the other colour than the last one placed.
    if turns.is_empty() {
        return Ok(vec!["new black".to_string()]);
    }
    let color = |player: Player| Connect::player_name(player).to_lowercase();
    let placed = turns.iter().map(|(player, stones)| {
        let letters: String = stones.iter().copied().map(two_letters).collect();
        format!("{} {letters}", color(*player))
    });
    Ok(std::iter::once("new white".to_string()).chain(placed).chain(["next".to_string()]).collect())
}

#[cfg(test)]
mod tests {
    use outplay_core::Game;

    use super::*;

    /// Talks a lot, answers the first stone with the centre and any other turn with how many lines were placed, and where the depth
    /// says so with nothing but its defeat.
    const CHATTY: &str = r#"
        echo 'On help for GameEngine'; echo '    name   - print the name'; lines=0
        while read -r command rest; do
            case "$command" in
                name) echo 'name Chatty';;
                depth) depth=$rest; echo "Set the search depth to $rest.";;
                unvcf) vcf=off;;
                new) lines=0; [ "$rest" = black ] && echo 'move JJ';;
                black|white) lines=$((lines + 1)); last="$command $rest";;
                next) echo 'Searching 1/42'; echo '    move AAAA'
                    case "$depth$vcf" in
                        9*) printf 'We loss!';;
                        3off) [ "$last" = 'white KKII' ] && echo 'move IASS' || echo 'move AABB';;
                        4*) echo "move J$lines";;
                        *) echo 'move SA';;
                    esac;;
            esac
        done"#;

    fn opponent(options: &[(&str, &str)]) -> Connect6Opponent {
        let arguments = vec!["-c".to_string(), CHATTY.to_string()];
        let command = CommandLine { program: "sh".to_string(), arguments, folder: None };
        let options: Vec<_> =
            options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        Connect6Opponent::start(&command, &options).expect("it talks")
    }

    fn situation(start: Option<&str>, moves: &str) -> Situation {
        let start = start.map(str::to_string);
        let mut position = match &start {
            None => Connect::start(&Rules::CONNECT6),
            Some(start) => Connect::parse_position(&Rules::CONNECT6, start).expect("a position"),
        };
        let moves = moves.split_whitespace().map(|m| {
            let player = position.to_move();
            position.play(position.parse_move(m).expect("a move"));
            (player, m.to_string())
        });
        Situation { start, moves: moves.collect(), to_move: position.to_move() }
    }

    fn limits() -> MoveLimits {
        MoveLimits { patience: Duration::from_secs(20), ..MoveLimits::default() }
    }

    #[test]
    fn a_turn_is_asked_for_once_and_given_stone_by_stone() {
        let mut opponent = opponent(&[("depth", "3"), ("vcf", "false")]);
        assert_eq!(opponent.name(), "Chatty");
        let mut best = |moves: &str| {
            opponent.choose(&situation(None, moves), &limits(), Company::default()).expect("a stone").best
        };
        assert_eq!(best(""), "j10");
        assert_eq!(best("j10 k11 i9"), "i1");
        assert_eq!(best("j10 k11 i9 i1"), "s19");
        // Another game, in which the kept stone has no meaning.
        assert_eq!(best("j10 k11 i9"), "i1");
        assert_eq!(best("a1 k11 i8"), "a1");
    }

    #[test]
    fn a_program_may_give_up_without_ending_its_line() {
        let answer =
            opponent(&[("depth", "9")]).choose(&situation(None, "j10"), &limits(), Company::default());
        assert_eq!(answer.expect("an answer").best, "resign");
    }

    #[test]
    fn half_a_turn_and_half_a_stone_are_faults() {
        let fault = |opponent: &mut Connect6Opponent, moves: &str| {
            let answer = opponent.choose(&situation(None, moves), &limits(), Company::default());
            answer.expect_err("a fault").to_string()
        };
        assert!(fault(&mut opponent(&[]), "j10 k11").contains("whole turns"));
        let nonsense = fault(&mut opponent(&[("depth", "4")]), "j10 k11 l12");
        assert!(nonsense.contains("\"J2\"") && nonsense.contains("as in JJKK"), "{nonsense}");
        // One stone where two are due: what comes next cannot be asked for.
        let mut silent = opponent(&[]);
        let first = silent.choose(&situation(None, "j10"), &limits(), Company::default()).expect("a stone");
        assert_eq!(first.best, "s1");
        assert!(fault(&mut silent, "j10 s1").contains("whole turns"));
    }

    #[test]
    fn any_position_is_set_up_so_that_the_right_colour_was_placed_last() {
        let told = |start, moves| set_up(&situation(start, moves)).expect("it can be told");
        assert_eq!(told(None, ""), ["new black"]);
        assert_eq!(
            told(None, "j10 k11 l12 a1 s19"),
            ["new white", "black JJ", "white KKLL", "black AASS", "next"]
        );
        let board = "19/19/19/19/19/19/19/19/19/9x9/10o8/19/19/19/19/19/19/19/1o17";
        let black_moves = told(Some(&format!("{board} x 2")), "");
        assert_eq!(black_moves, ["new white", "black JJ", "white BAKI", "next"]);
    }
}
