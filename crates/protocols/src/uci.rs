//! The Universal Chess Interface, from the side of whoever asks.

use std::time::{Duration, Instant};

use outplay_core::Player;

use crate::opponent::{Answer, Claim, Company, Insight, MoveLimits, Opponent, Situation};
use crate::{CommandLine, Fault, Program};

/// How long a program may take to get ready.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long it may take to answer once it is told to stop.
const TIME_TO_STOP: Duration = Duration::from_secs(2);
/// The option that says how many lines are shown.
const LINES: &str = "MultiPV";

/// A chess program that speaks UCI.
pub struct UciOpponent {
    program: Program,
    name: String,
    /// The position that games begin with, where it is not the one that the protocol has a word for.
    usual_start: Option<String>,
    /// Whether it can show several lines.
    has_lines: bool,
    /// How many it shows.
    lines: usize,
}

impl UciOpponent {
    /// Starts a program and sets its options. An option that the program does not have is a fault that names those it has.
    pub fn start(command: &CommandLine, options: &[(String, String)]) -> Result<UciOpponent, Fault> {
        let mut program = Program::start(command, "quit")?;
        program.send("uci");
        let mut name = command.program.clone();
        let mut known = Vec::new();
        program.wait_for(Instant::now() + PATIENCE, |line| {
            if let Some(found) = line.strip_prefix("id name ") {
                name = found.trim().to_string();
            }
            known.extend(option_name(line));
            (line.trim() == "uciok").then_some(())
        })?;
        for (option, value) in options {
            if !known.iter().any(|known| known.eq_ignore_ascii_case(option)) {
                return Err(
                    program.nonsense(option, format!("it has no such option, only {}", known.join(", ")))
                );
            }
            // A button has no value.
            let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
            program.send(&format!("setoption name {option}{value}"));
        }
        let has_lines = known.iter().any(|known| known == LINES);
        let mut opponent = UciOpponent { program, name, usual_start: None, has_lines, lines: 1 };
        opponent.ready()?;
        Ok(opponent)
    }

    /// Lets games begin with another position than the protocol's `startpos`.
    #[must_use]
    pub fn with_usual_start(self, start: String) -> UciOpponent {
        UciOpponent { usual_start: Some(start), ..self }
    }

    /// Has the program show so many lines, or all that it can show.
    fn show_lines(&mut self, lines: usize) {
        // What is not usual belongs to each exchange.
        if self.has_lines && (lines != self.lines || lines > 1) {
            self.program.send(&format!("setoption name {LINES} value {lines}"));
            self.lines = lines;
        }
    }

    fn ready(&mut self) -> Result<(), Fault> {
        self.program.send("isready");
        self.program.wait_for(Instant::now() + PATIENCE, |line| (line.trim() == "readyok").then_some(()))
    }
}

impl Opponent for UciOpponent {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        self.program.begin_exchange();
        self.program.send("ucinewgame");
        self.ready()
    }

    fn choose(
        &mut self,
        situation: &Situation,
        limits: &MoveLimits,
        company: Company,
    ) -> Result<Answer, Fault> {
        self.program.begin_exchange();
        self.program.forget_talk();
        let lines = company.lines.max(1);
        self.show_lines(lines);
        self.program.send(&position_command(situation, self.usual_start.as_deref()));
        let begun = Instant::now();
        self.program.send(&go_command(limits));
        let mut answer = Answer::default();
        let mut talk = Talk { begun, lines, watch: company.watch };
        let mut take = |line: &str| talk.read_line(line, &mut answer).then_some(());
        let in_time = self.program.wait_unless(limits.deadline(), company.stop, &mut take);
        let time = begun.elapsed();
        if let Err(fault) = in_time {
            let is_told_to_stop = match fault {
                // The clock will tell. A program that answers late is still good for the next game; one that does not is not.
                Fault::Silent { .. } => limits.is_timed(),
                Fault::Interrupted { .. } => true,
                _ => false,
            };
            if !is_told_to_stop {
                return Err(fault);
            }
            self.program.send("stop");
            self.program.wait_for(Instant::now() + TIME_TO_STOP, &mut take).map_err(|_| fault)?;
        }
        answer.time = time;
        Ok(answer)
    }
}

/// The name in `option name Move Overhead type spin ...`.
fn option_name(line: &str) -> Option<String> {
    let rest = line.strip_prefix("option name ")?;
    Some(rest.split(" type ").next()?.trim().to_string())
}

fn position_command(situation: &Situation, usual_start: Option<&str>) -> String {
    let start = situation.start.as_deref().or(usual_start);
    let start = start.map_or("startpos".to_string(), |text| format!("fen {text}"));
    let moves: Vec<&str> = situation.moves.iter().map(|(_, text)| text.as_str()).collect();
    match moves.as_slice() {
        [] => format!("position {start}"),
        moves => format!("position {start} moves {}", moves.join(" ")),
    }
}

fn go_command(limits: &MoveLimits) -> String {
    let mut words = vec!["go".to_string()];
    let mut add = |name: &str, value: u128| words.push(format!("{name} {value}"));
    if let Some(clock) = limits.clock {
        for (player, [time, increment]) in
            [(Player::First, ["wtime", "winc"]), (Player::Second, ["btime", "binc"])]
        {
            add(time, clock[player.index()].as_millis());
            add(increment, limits.increment[player.index()].as_millis());
        }
    }
    limits.moves_to_go.into_iter().for_each(|moves| add("movestogo", moves.into()));
    limits.move_time.into_iter().for_each(|time| add("movetime", time.as_millis()));
    limits.nodes.into_iter().for_each(|nodes| add("nodes", nodes.into()));
    limits.depth.into_iter().for_each(|depth| add("depth", depth.into()));
    if words.len() == 1 {
        words.push("infinite".to_string());
    }
    words.join(" ")
}

/// Follows what a program says of one search.
struct Talk<'a> {
    begun: Instant,
    /// How many lines are of interest.
    lines: usize,
    watch: Option<&'a mut dyn FnMut(Insight)>,
}

impl Talk<'_> {
    /// Takes what a line of output says; true if it is the best move.
    fn read_line(&mut self, line: &str, answer: &mut Answer) -> bool {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("bestmove") => {
                answer.best = words.next().unwrap_or("").to_string();
                true
            }
            Some("info") => {
                self.read_info(words, &mut answer.insight);
                false
            }
            _ => false,
        }
    }

    /// Takes depth, nodes, score and line of an `info` line. Variations that nobody has asked for do not count, and neither do
    /// bounds, nor anything behind `string`. Those beside the best are only told.
    fn read_info<'a>(&mut self, mut words: impl Iterator<Item = &'a str>, insight: &mut Insight) {
        let mut found = Insight::default();
        let mut is_bound = false;
        while let Some(word) = words.next() {
            match word {
                "depth" => found.depth = words.next().and_then(|depth| depth.parse().ok()),
                "seldepth" => found.selective_depth = words.next().and_then(|depth| depth.parse().ok()),
                "nodes" => found.nodes = words.next().and_then(|nodes| nodes.parse().ok()),
                "multipv" => match words.next().and_then(|place| place.parse::<usize>().ok()) {
                    Some(place) if (1..=self.lines).contains(&place) => found.place = place - 1,
                    _ => return,
                },
                "lowerbound" | "upperbound" => is_bound = true,
                "score" => {
                    found.score = match (words.next(), words.next().and_then(|value| value.parse().ok())) {
                        (Some("cp"), Some(value)) => Some(Claim::Centi(value)),
                        (Some("mate"), Some(value)) => Some(Claim::Mate(value)),
                        _ => None,
                    };
                }
                // The line comes last, and nobody else needs it.
                "pv" if self.watch.is_some() => found.line = words.by_ref().map(str::to_string).collect(),
                "string" | "pv" => break,
                _ => {}
            }
        }
        found.time = self.begun.elapsed();
        if found.place > 0 {
            if let Some(watch) = self.watch.as_mut().filter(|_| !is_bound && !found.line.is_empty()) {
                watch(found);
            }
            return;
        }
        insight.nodes = found.nodes.or(insight.nodes);
        if found.score.is_some() && !is_bound {
            insight.score = found.score;
            insight.depth = found.depth.or(insight.depth);
            insight.selective_depth = found.selective_depth.or(insight.selective_depth);
            insight.time = found.time;
            if let Some(watch) = self.watch.as_mut().filter(|_| !found.line.is_empty()) {
                insight.line = found.line;
                watch(insight.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chess program made of a few lines of shell.
    fn shell(script: &str) -> CommandLine {
        CommandLine {
            program: "sh".to_string(),
            arguments: vec!["-c".to_string(), script.to_string()],
            folder: None,
        }
    }

    const POLITE: &str = r#"
        while read -r line; do
            case "$line" in
                uci) echo 'id name Shell 1.0'; echo 'option name Move Overhead type spin default 10 min 0 max 100'; echo uciok;;
                isready) echo readyok;;
                position*) position=$line;;
                go*) echo 'info depth 3 multipv 2 score cp -900 nodes 7 pv a2a3'
                     echo 'info depth 4 score cp 25 upperbound nodes 90'
                     echo 'info depth 3 seldepth 9 multipv 1 score mate -2 nodes 88 nps 1 pv e2e4 score'
                     echo "info string score cp 1 $position $line"
                     echo 'bestmove e2e4 ponder e7e5';;
                quit) exit;;
            esac
        done"#;

    fn situation() -> Situation {
        Situation { start: None, moves: vec![(Player::First, "d2d4".to_string())], to_move: Player::Second }
    }

    fn patient() -> MoveLimits {
        MoveLimits { nodes: Some(5), patience: Duration::from_secs(20), ..MoveLimits::default() }
    }

    #[test]
    fn a_program_is_greeted_asked_and_understood() {
        let options = [("move overhead".to_string(), "50".to_string())];
        let mut opponent = UciOpponent::start(&shell(POLITE), &options).expect("it is polite");
        assert_eq!(opponent.name(), "Shell 1.0");
        opponent.new_game().expect("it is ready");
        let answer = opponent.choose(&situation(), &patient(), Company::default()).expect("it answers");
        assert_eq!(answer.best, "e2e4");
        assert_eq!(
            (answer.insight.score, answer.insight.depth, answer.insight.nodes),
            (Some(Claim::Mate(-2)), Some(3), Some(88))
        );
    }

    #[test]
    fn commands_say_all_that_is_known() {
        let start = Some("8/8/8/8/8/8/8/K1k5 w - - 0 1".to_string());
        let with_start = Situation { start, moves: Vec::new(), to_move: Player::First };
        assert_eq!(
            position_command(&with_start, Some("another")),
            "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1"
        );
        assert_eq!(position_command(&situation(), None), "position startpos moves d2d4");
        assert_eq!(position_command(&situation(), Some("bnr w")), "position fen bnr w moves d2d4");
        let limits = MoveLimits {
            clock: Some([Duration::from_secs(60), Duration::from_millis(1500)]),
            increment: [Duration::from_millis(100), Duration::ZERO],
            moves_to_go: Some(40),
            depth: Some(9),
            ..MoveLimits::default()
        };
        assert_eq!(go_command(&limits), "go wtime 60000 winc 100 btime 1500 binc 0 movestogo 40 depth 9");
        assert_eq!(
            go_command(&MoveLimits { move_time: Some(Duration::from_millis(7)), ..patient() }),
            "go movetime 7 nodes 5"
        );
        assert_eq!(go_command(&MoveLimits::default()), "go infinite");
    }

    #[test]
    fn several_lines_are_asked_for_and_told_where_the_program_has_them() {
        let ask = |script: &str, lines: usize| {
            let mut opponent = UciOpponent::start(&shell(script), &[]).expect("it is polite");
            let mut seen = Vec::new();
            let mut watch =
                |insight: Insight| seen.push((insight.place, insight.score, insight.line.concat()));
            let company = Company { watch: Some(&mut watch), stop: None, lines };
            let answer = opponent.choose(&situation(), &patient(), company).expect("it answers");
            assert_eq!(answer.insight.score, Some(Claim::Mate(-2)), "the best line is the answer's");
            (seen, opponent.lines)
        };
        let best = (0, Some(Claim::Mate(-2)), "e2e4score".to_string());
        let other = (1, Some(Claim::Centi(-900)), "a2a3".to_string());
        let with_lines = POLITE.replace("echo uciok", "echo 'option name MultiPV type spin'; echo uciok");
        assert_eq!(ask(&with_lines, 2), (vec![other.clone(), best.clone()], 2));
        assert_eq!(ask(&with_lines, 0), (vec![best.clone()], 1));
        assert_eq!(ask(POLITE, 2), (vec![other, best], 1), "what it does not have is not set");
    }

    #[test]
    fn a_program_that_nobody_waits_for_says_what_it_has_and_can_be_asked_again() {
        let script = POLITE.replace("echo 'bestmove e2e4 ponder e7e5';;", ";; stop) echo 'bestmove a2a3';;");
        let mut opponent = UciOpponent::start(&shell(&script), &[]).expect("it starts");
        for _ in 0..2 {
            let company = Company { stop: Some(&|| true), ..Company::default() };
            let answer = opponent.choose(&situation(), &patient(), company).expect("it stops");
            assert_eq!((answer.best.as_str(), answer.insight.nodes), ("a2a3", Some(88)));
        }
    }

    #[test]
    fn an_unknown_option_is_a_fault_that_names_the_known_ones() {
        let options = [("Hash".to_string(), "1".to_string())];
        let fault = UciOpponent::start(&shell(POLITE), &options).err().expect("a fault").to_string();
        assert!(fault.contains("Hash") && fault.contains("Move Overhead"), "{fault}");
    }

    #[test]
    fn a_program_that_answers_late_is_told_to_stop_and_its_time_is_known() {
        let script = POLITE.replace("echo 'bestmove e2e4 ponder e7e5';;", ";; stop) echo 'bestmove a2a3';;");
        let mut opponent = UciOpponent::start(&shell(&script), &[]).expect("it starts");
        let limits = MoveLimits { patience: Duration::from_millis(100), ..patient() };
        // Without a clock nobody else would notice.
        assert!(opponent.choose(&situation(), &limits, Company::default()).is_err());
        let limits = MoveLimits { move_time: Some(Duration::from_millis(50)), ..limits };
        let answer = opponent.choose(&situation(), &limits, Company::default()).expect("it stops");
        assert_eq!(answer.best, "a2a3");
        assert!(answer.time >= Duration::from_millis(100));
    }

    #[test]
    fn crashes_garbage_and_silence_are_faults() {
        for (go, words) in [
            ("exit 9;;", "ended (exit status: 9)"),
            ("printf 'bestm\\377\\000ove\\nxyzzy\\n'; sleep 100;;", "has not answered"),
            ("head -c 3000000 /dev/zero; sleep 100;;", "has not answered"),
        ] {
            let script = POLITE.replace("echo 'bestmove e2e4 ponder e7e5';;", go);
            let mut opponent = UciOpponent::start(&shell(&script), &[]).expect("it starts");
            let limits = MoveLimits { patience: Duration::from_millis(300), ..patient() };
            let fault =
                opponent.choose(&situation(), &limits, Company::default()).expect_err("a fault").to_string();
            assert!(fault.contains(words), "{fault}");
        }
    }
}
