//! Edax's console, from the side of whoever asks: an Othello program that keeps the game and prints what it does for people.
//!
//! It is told only what is new, lest it forget what it has learned. What it calls a level is what we call a depth.

use std::time::{Duration, Instant};

use outplay_othello::transcript;

use crate::opponent::{Answer, Claim, Company, Insight, MoveLimits, Opponent, Situation};
use crate::othello::{OthelloGame, move_of_answer};
use crate::{CommandLine, Fault, Program};

/// How long it may take to answer once it is told to stop.
const TIME_TO_STOP: Duration = Duration::from_secs(2);

/// A program with a console like Edax's.
pub struct EdaxOpponent {
    program: Program,
    name: String,
    /// The game that it has on its board, its own moves included; `None` if it has to begin anew.
    told: Option<Told>,
}

/// What a program was told.
struct Told {
    situation: Situation,
    limits: Vec<String>,
    /// As it was sent, so that it could be sent again.
    lines: Vec<String>,
}

impl EdaxOpponent {
    /// Starts a program; `settings` are sent as `set NAME VALUE`.
    pub fn start(command: &CommandLine, settings: &[(String, String)]) -> Result<EdaxOpponent, Fault> {
        let mut program = Program::start(command, "quit")?;
        // Nobody plays but where it is asked to.
        program.send("mode 3");
        for (name, value) in settings {
            program.send(&format!("set {name} {value}"));
        }
        Ok(EdaxOpponent { program, name: command.program.clone(), told: None })
    }

    /// Brings the program to a position of a game.
    fn set_up(&mut self, situation: &Situation, game: &OthelloGame, limits: &MoveLimits) -> Vec<String> {
        let limits_now = limit_lines(situation, limits);
        let known = self.told.take().filter(|told| {
            let (before, now) = (&told.situation, situation);
            // A clock runs on in the program itself; it can be set only before a game.
            let is_clocked_alike = limits.clock.is_some() || told.limits == limits_now;
            before.start == now.start && now.moves.starts_with(&before.moves) && is_clocked_alike
        });
        self.program.begin_exchange();
        self.program.forget_talk();
        let (mut lines, played) = match known {
            Some(told) => {
                told.lines.iter().for_each(|line| self.program.recall(line));
                (told.lines, told.situation.moves.len())
            }
            None => {
                let mut lines = limits_now.clone();
                lines.push("init".to_string());
                if let Some(start) = &situation.start {
                    lines.push(format!("setboard {start}"));
                }
                lines.iter().for_each(|line| self.program.send(line));
                (lines, 0)
            }
        };
        let from = game.after(played);
        let moves = transcript::write_moves(&from, &game.moves[played..]).replace("pass", "ps");
        if !moves.is_empty() {
            let line = format!("play {moves}");
            self.program.send(&line);
            lines.push(line);
        }
        self.told = Some(Told { situation: situation.clone(), limits: limits_now, lines: lines.clone() });
        lines
    }
}

impl Opponent for EdaxOpponent {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        self.told = None;
        Ok(())
    }

    fn choose(
        &mut self,
        situation: &Situation,
        limits: &MoveLimits,
        company: Company,
    ) -> Result<Answer, Fault> {
        let game =
            OthelloGame::of(situation).map_err(|(text, reason)| self.program.nonsense(&text, reason))?;
        if game.position.must_pass() {
            return Ok(Answer { best: "pass".to_string(), ..Answer::default() });
        }
        let mut lines = self.set_up(situation, &game, limits);
        let begun = Instant::now();
        self.program.send("go");
        let (mut watch, mut insight) = (company.watch, Insight::default());
        let mut read = |line: &str| {
            let line = line.trim().trim_start_matches('>').trim();
            if let Some((_, m)) = line.split_once(" plays ") {
                return Some(move_of_answer(m.trim()));
            }
            if read_row(line, &game, begun.elapsed(), &mut insight)
                && let Some(watch) = &mut watch
            {
                watch(insight.clone());
            }
            None
        };
        let answered = self.program.wait_unless(limits.deadline(), company.stop, &mut read);
        let best = match answered {
            Err(Fault::Interrupted { program }) => {
                self.program.send("stop");
                let stopped = self.program.wait_for(Instant::now() + TIME_TO_STOP, &mut read);
                stopped.map_err(|_| Fault::Interrupted { program })?
            }
            answered => answered?,
        };
        let time = begun.elapsed();
        if let Some(told) = &mut self.told {
            told.situation.moves.push((situation.to_move, best.clone()));
            lines.push(format!("play {best}"));
            told.lines = lines;
        }
        Ok(Answer { best, time, insight, stopped: None })
    }
}

/// How long it may think, as its console is told.
fn limit_lines(situation: &Situation, limits: &MoveLimits) -> Vec<String> {
    let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
    let depth = limits.depth.map(|depth| format!("level {depth}"));
    let move_time = limits.move_time.map(|time| format!("move-time {}", seconds(time)));
    let clock = limits.clock.map(|left| format!("game-time {}", seconds(left[situation.to_move.index()])));
    [depth, move_time, clock].into_iter().flatten().collect()
}

/// Reads a row of its table: ` 21@73%  +02        0:00.592       7665501   12948481 D3 c3 F4`; whether it was one.
fn read_row(line: &str, game: &OthelloGame, time: Duration, insight: &mut Insight) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [depth, score, _, nodes, rest @ ..] = words.as_slice() else { return false };
    let (plies, is_selective) = match depth.split_once('@') {
        Some((plies, _)) => (plies, true),
        None => (*depth, false),
    };
    let score = score.trim_start_matches(['<', '>', '=']);
    let (Ok(plies), Ok(score), Ok(nodes)) =
        (plies.parse::<u32>(), score.parse::<i32>(), nodes.parse::<u64>())
    else {
        return false;
    };
    let is_exact = !is_selective && plies >= game.position.empty().count_ones();
    insight.score =
        Some(if is_exact { Claim::Margin(score) } else { Claim::Centi(score.saturating_mul(100)) });
    (insight.depth, insight.nodes, insight.time) = (Some(plies), Some(nodes), time);
    // The nodes of a second stand before the moves where the time was long enough to count any.
    let is_number = |word: &&&str| word.bytes().all(|byte| byte.is_ascii_digit());
    insight.line = rest.iter().skip_while(is_number).map(|word| move_of_answer(word)).collect();
    true
}

#[cfg(test)]
mod tests {
    use outplay_core::Player;

    use super::*;

    /// A console that knows two games, and says what it was told where it does not.
    const POLITE: &str = r#"
        echo 'board'; printf '>'; told=
        while read -r command a; do
            case "$command" in
                quit) exit;;
                init) told= ;;
                stop) ;;
                go) case "$told" in
                        "level 5;play f5d6;") echo ' depth|score|'; echo '    5   +03        0:00.000           944            c4 G5'
                                              echo; echo 'Shell plays C4'; told="$told=C4;";;
                        *"=C4;play f4;") echo 'Shell plays D3'; told="$told=D3;";;
                        *"=D3;play ps;") echo 'Shell plays PS';;
                        "game-time 1.500;play f5;") echo '> Shell plays F6';;
                        *) echo "Shell plays $told";;
                    esac;;
                *) told="$told$command $a;";;
            esac
            [ "$command" = init ] && told="$limits"
            case "$command" in level|game-time|move-time) limits="$command $a;";; esac
            printf '>'
        done"#;

    fn opponent() -> EdaxOpponent {
        let arguments = vec!["-c".to_string(), POLITE.to_string()];
        let command = CommandLine { program: "sh".to_string(), arguments, folder: None };
        EdaxOpponent::start(&command, &[("n-tasks".to_string(), "1".to_string())]).expect("it is polite")
    }

    fn after(moves: &[&str]) -> Situation {
        let mut situation = Situation { start: None, moves: Vec::new(), to_move: Player::First };
        for m in moves {
            situation.moves.push((situation.to_move, m.to_string()));
            situation.to_move = !situation.to_move;
        }
        situation
    }

    fn patient() -> MoveLimits {
        MoveLimits { patience: Duration::from_secs(20), ..MoveLimits::default() }
    }

    #[test]
    fn only_what_is_new_is_told_and_a_new_game_begins_anew() {
        let mut opponent = opponent();
        let limits = MoveLimits { depth: Some(5), ..patient() };
        let mut heard = Vec::new();
        let company = Company { watch: Some(&mut |insight| heard.push(insight)), ..Company::default() };
        let answer = opponent.choose(&after(&["f5", "d6"]), &limits, company).expect("a move");
        assert_eq!((answer.best.as_str(), answer.insight.nodes), ("c4", Some(944)));
        assert_eq!(heard.len(), 1);
        assert_eq!((heard[0].score, heard[0].depth), (Some(Claim::Centi(300)), Some(5)));
        assert_eq!(heard[0].line, ["c4", "g5"]);
        let later = after(&["f5", "d6", "c4", "f4"]);
        let answer = opponent.choose(&later, &limits, Company::default()).expect("a move");
        assert_eq!(answer.best, "d3");
        opponent.new_game().expect("it is ready");
        let clocked = MoveLimits { clock: Some([Duration::from_millis(1_500); 2]), ..patient() };
        let answer = opponent.choose(&after(&["f5"]), &clocked, Company::default()).expect("a move");
        assert_eq!(answer.best, "f6");
    }

    #[test]
    fn rows_of_the_table_are_read_and_talk_is_not() {
        let game = OthelloGame::of(&after(&["f5"])).expect("a game");
        let mut insight = Insight::default();
        assert!(read_row(
            "21@73%  -04        0:00.592       7665501   12948481 D3 ps F4",
            &game,
            Duration::ZERO,
            &mut insight
        ));
        assert_eq!((insight.score, insight.depth), (Some(Claim::Centi(-400)), Some(21)));
        assert_eq!(insight.line, ["d3", "pass", "f4"]);
        assert!(read_row(
            "59   <-02        0:00.592       7665501   D3",
            &game,
            Duration::ZERO,
            &mut insight
        ));
        assert_eq!(insight.score, Some(Claim::Margin(-2)), "as deep as the game");
        for talk in
            ["", "depth|score|       time   |  nodes (N)", "1 - - - - - - - - 1", "é", "99999999999 1 1 1"]
        {
            assert!(!read_row(talk, &game, Duration::ZERO, &mut insight), "{talk}");
        }
    }

    #[test]
    fn silence_is_a_fault_and_crashes_are_told() {
        let arguments =
            vec!["-c".to_string(), "while read -r line; do [ \"$line\" = go ] && exit 7; done".to_string()];
        let command = CommandLine { program: "sh".to_string(), arguments, folder: None };
        let mut opponent = EdaxOpponent::start(&command, &[]).expect("it starts");
        let fault =
            opponent.choose(&after(&[]), &patient(), Company::default()).expect_err("it ended").to_string();
        assert!(fault.contains("ended"), "{fault}");
    }
}
