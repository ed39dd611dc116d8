//! The protocol of NBoard, from the side of whoever asks: an Othello program is told the game with its clocks, and asked for a move.

use std::time::{Duration, Instant};

use outplay_core::{Notation, Player};

use crate::opponent::{Answer, Claim, Company, Insight, MoveLimits, Opponent, Situation};
use crate::othello::{OthelloGame, move_of_answer, square};
use crate::{CommandLine, Fault, Program};

/// How long a program may take for anything but thinking.
const PATIENCE: Duration = Duration::from_secs(20);
/// What the time is called that a program has who is not clocked: an hour and a half.
const NO_LIMIT: Duration = Duration::from_secs(5_400);
/// The depth that programs are told who have a clock and nothing else: more than they reach.
const ANY_DEPTH: u32 = 60;
/// The depth of those that were told neither.
const USUAL_DEPTH: u32 = 12;
/// How long a program may take to answer once it is told to stop.
const TIME_TO_STOP: Duration = Duration::from_secs(2);

/// A program that speaks NBoard's protocol.
pub struct NBoardOpponent {
    program: Program,
    name: String,
    /// The depth that it was told last. Some programs begin anew with each.
    depth: Option<u32>,
    pings: u32,
}

impl NBoardOpponent {
    /// Starts a program; `settings` are sent as `set NAME VALUE`. A depth among them counts where nobody asks for another.
    pub fn start(command: &CommandLine, settings: &[(String, String)]) -> Result<NBoardOpponent, Fault> {
        let mut program = Program::start(command, "quit")?;
        program.send("nboard 2");
        let mut opponent = NBoardOpponent { program, name: command.program.clone(), depth: None, pings: 0 };
        for (name, value) in settings {
            opponent.program.send(&format!("set {name} {value}"));
            if name == "depth" {
                opponent.depth = value.parse().ok();
            }
        }
        opponent.ready()?;
        Ok(opponent)
    }

    /// Waits until the program has done all that it was told.
    fn ready(&mut self) -> Result<(), Fault> {
        self.pings += 1;
        self.program.send(&format!("ping {}", self.pings));
        let pong = format!("pong {}", self.pings);
        let mut name = None;
        self.program.wait_for(Instant::now() + PATIENCE, |line| {
            let line = line.trim();
            name = line.strip_prefix("set myname ").map(str::to_string).or(name.take());
            (line == pong).then_some(())
        })?;
        self.name = name.unwrap_or_else(|| std::mem::take(&mut self.name));
        Ok(())
    }
}

impl Opponent for NBoardOpponent {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        self.program.begin_exchange();
        self.ready()
    }

    /// Tells the program the whole game each time: nothing that it may have forgotten or misunderstood lasts.
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
        self.program.begin_exchange();
        let usual = if limits.clock.is_some() { ANY_DEPTH } else { USUAL_DEPTH };
        let depth = limits.depth.or(self.depth).unwrap_or(usual);
        if self.depth != Some(depth) {
            self.program.send(&format!("set depth {depth}"));
            self.depth = Some(depth);
        }
        self.program.send(&format!("set game {}", ggf(&game, limits)));
        self.ready()?;
        let begun = Instant::now();
        self.program.send("go");
        let (mut watch, mut insight) = (company.watch, Insight::default());
        let mut read = |line: &str| {
            let line = line.trim();
            if let Some(answer) = line.strip_prefix("===") {
                return Some(answer.trim().to_string());
            }
            if read_line(line, begun.elapsed(), &mut insight)
                && let Some(watch) = &mut watch
            {
                watch(insight.clone());
            }
            None
        };
        let best = match self.program.wait_unless(limits.deadline(), company.stop, &mut read) {
            Err(Fault::Interrupted { program }) => {
                // Whoever is pinged stops thinking, and answers first.
                self.program.send("ping 0");
                let stopped = self.program.wait_for(Instant::now() + TIME_TO_STOP, &mut read);
                stopped.map_err(|_| Fault::Interrupted { program })?
            }
            answered => answered?,
        };
        let best = best.split(|c: char| c == '/' || c.is_whitespace()).next().unwrap_or_default();
        Ok(Answer { best: move_of_answer(best), time: begun.elapsed(), insight, stopped: None })
    }
}

/// The game in GGF. What is left on a clock is what was there at first, in whole seconds as the format wants them, less what the player's first
/// move took; a player who has not moved yet gets whole seconds alone.
fn ggf(game: &OthelloGame, limits: &MoveLimits) -> String {
    let left = limits.clock.unwrap_or([NO_LIMIT; 2]);
    let movers = game.movers();
    let clocks = Player::BOTH.map(|player| {
        let (left, increment) = (left[player.index()], limits.increment[player.index()].as_secs());
        let moves = movers.iter().filter(|&&mover| mover == player).count() as u64;
        let at_first = if moves == 0 { left.as_secs().max(1) } else { left.as_secs() + 1 };
        let used = Duration::from_secs(at_first + moves * increment).saturating_sub(left);
        let increment = if increment == 0 { String::new() } else { format!("/{}", clock(increment)) };
        (format!("{}{increment}", clock(at_first)), used)
    });
    let [(black, _), (white, _)] = &clocks;
    let board = game.start.position_text().replace('X', "*");
    let mut text =
        format!("(;GM[Othello]PC[NBoard]PB[Black]PW[White]RE[?]TB[{black}]TW[{white}]TY[8]BO[8 {board}]");
    for (number, (&mover, m)) in movers.iter().zip(&game.moves).enumerate() {
        let is_first = !movers[..number].contains(&mover);
        let time =
            if is_first { format!("//{:.3}", clocks[mover.index()].1.as_secs_f64()) } else { String::new() };
        let (color, name) = (["B", "W"][mover.index()], square(&game.start.move_text(*m), "PA"));
        text.push_str(&format!("{color}[{name}{time}]"));
    }
    text + ";)"
}

fn clock(seconds: u64) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Reads what a program says while it thinks; whether a line of play was among it.
fn read_line(line: &str, time: Duration, insight: &mut Insight) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["nodestats", nodes, ..] => {
            insight.nodes = nodes.parse().ok().or(insight.nodes);
            false
        }
        ["search" | "book", line, value, _, depth, ..] => {
            let Some(value) = value.split(',').next().and_then(|value| value.parse::<f64>().ok()) else {
                return false;
            };
            let is_exact = *depth == "100%";
            let digits = depth.find(|c: char| !c.is_ascii_digit()).unwrap_or(depth.len());
            insight.score = Some(match is_exact {
                true => Claim::Margin(value.round() as i32),
                false => Claim::Centi((100.0 * value).round() as i32),
            });
            insight.depth = depth[..digits].parse().ok().filter(|_| !depth.contains('%')).or(insight.depth);
            insight.line = moves_of(line);
            insight.time = time;
            true
        }
        _ => false,
    }
}

/// The moves of a line without spaces, `F5d6-C3`, as we write them.
fn moves_of(line: &str) -> Vec<String> {
    let signs: Vec<char> = line.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    signs.chunks_exact(2).map(|pair| move_of_answer(&pair.iter().collect::<String>())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLITE: &str = r#"
        while read -r command a b rest; do
            case "$command" in
                nboard) [ "$a" = 2 ] && echo 'set myname Shell';;
                set) [ "$a" = game ] && game="$b $rest"; [ "$a" = depth ] && depth=$b;;
                ping) echo "pong $a";;
                go) echo 'status thinking'; echo 'search C4e3 -1.25 0 8 and more'; echo 'nodestats 77 0.5'
                    case "$game" in
                        *"TB[0:10]TW[0:09]"*"BO[8 ---------------------------O*------*O--------------------------- *]B[F5//0.500]W[D6//1.000]B[C3];)")
                            echo "=== D$((depth - 3))/-1.25/0.1";;
                        *) echo "=== A1";;
                    esac;;
            esac
        done"#;

    fn opponent() -> NBoardOpponent {
        let arguments = vec!["-c".to_string(), POLITE.to_string()];
        let command = CommandLine { program: "sh".to_string(), arguments, folder: None };
        NBoardOpponent::start(&command, &[]).expect("it is polite")
    }

    fn after(moves: &[&str]) -> Situation {
        let players = [Player::First, Player::Second].into_iter().cycle();
        let moves: Vec<_> = players.zip(moves).map(|(player, m)| (player, m.to_string())).collect();
        let to_move = if moves.len() % 2 == 0 { Player::First } else { Player::Second };
        Situation { start: None, moves, to_move }
    }

    fn limits() -> MoveLimits {
        let clock = Some([Duration::from_millis(9_500), Duration::from_secs(8)]);
        MoveLimits { clock, depth: Some(6), patience: Duration::from_secs(20), ..MoveLimits::default() }
    }

    #[test]
    fn the_game_is_told_with_what_is_left_on_the_clocks() {
        let mut opponent = opponent();
        assert_eq!(opponent.name(), "Shell");
        opponent.new_game().expect("it is ready");
        let mut heard = Vec::new();
        let company = Company { watch: Some(&mut |insight| heard.push(insight)), ..Company::default() };
        let answer = opponent.choose(&after(&["f5", "d6", "c3"]), &limits(), company).expect("a move");
        assert_eq!(answer.insight.nodes, Some(77));
        assert_eq!(heard.len(), 1);
        let insight = &heard[0];
        assert_eq!((insight.score, insight.depth), (Some(Claim::Centi(-125)), Some(8)));
        assert_eq!(insight.line, ["c4", "e3"]);
        assert_eq!(answer.best, "d3");
    }

    #[test]
    fn a_forced_pass_needs_no_question_and_other_games_are_refused() {
        let mut opponent = opponent();
        let start = Some(format!("OX{} X", "-".repeat(62)));
        let passes = Situation { start, moves: Vec::new(), to_move: Player::First };
        let answer = opponent.choose(&passes, &limits(), Company::default()).expect("no question");
        assert_eq!(answer.best, "pass");
        let bad = Situation {
            start: None,
            moves: vec![(Player::First, "a1".to_string())],
            to_move: Player::Second,
        };
        let fault =
            opponent.choose(&bad, &limits(), Company::default()).expect_err("no legal move").to_string();
        assert!(fault.contains("a1"), "{fault}");
    }

    #[test]
    fn values_are_read_as_programs_write_them() {
        let mut insight = Insight::default();
        assert!(read_line("search F5-D6-C3 2 0 100% solved", Duration::ZERO, &mut insight));
        assert_eq!((insight.score, insight.depth), (Some(Claim::Margin(2)), None));
        assert_eq!(insight.line, ["f5", "d6", "c3"]);
        assert!(read_line("book F5PA -0.50,1.00 120 26", Duration::ZERO, &mut insight));
        assert_eq!((insight.score, insight.depth), (Some(Claim::Centi(-50)), Some(26)));
        assert_eq!(insight.line, ["f5", "pass"]);
        for talk in ["search", "search F5 x 0 1", "status Thinking", "é", "nodestats"] {
            assert!(!read_line(talk, Duration::ZERO, &mut insight), "{talk}");
        }
    }
}
