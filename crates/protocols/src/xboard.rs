//! The protocol of xboard, the Chess Engine Communication Protocol, from the side of whoever asks.
//!
//! A program that speaks it keeps the game itself, so it is told only what is new, lest it forget what it has learned.

mod features;
mod game_limits;
mod talk;

use std::time::{Duration, Instant};

use crate::opponent::{Answer, Company, Insight, MoveLimits, Opponent, Situation};
use crate::{CommandLine, Fault, Program};
use features::Features;
use game_limits::{GameLimits, limit_lines, time_lines};
use talk::{Reply, Talk};

/// How long a program may take for anything but thinking.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait for the features of a program that may be too old to have any.
const TIME_TO_GREET: Duration = Duration::from_secs(2);
/// How long it may take to answer once it is told to move.
const TIME_TO_STOP: Duration = Duration::from_secs(2);
/// What a program says, and we after it, when it gives up.
const RESIGNATION: &str = "resign";

/// A chess program that speaks the protocol of xboard.
pub struct XboardOpponent {
    command: CommandLine,
    options: Vec<(String, String)>,
    program: Program,
    name: String,
    features: Features,
    /// The game that the program has on its board; `None` if it has to begin anew.
    game: Option<ToldGame>,
    pings: u32,
}

/// What a program was told of a game, its own moves included.
struct ToldGame {
    start: Option<String>,
    limits_told: GameLimits,
    moves: Vec<String>,
    /// All of this as it was sent, so that it could be sent again.
    lines: Vec<String>,
}

impl XboardOpponent {
    /// Starts a program and sets its options: those it has by name, `memory` in megabytes and `cores`, if it lets them be set. An
    /// option that the program does not have is a fault that names those it has.
    pub fn start(command: &CommandLine, options: &[(String, String)]) -> Result<XboardOpponent, Fault> {
        let mut program = Program::start(command, "quit")?;
        let features = greet(&mut program)?;
        for (option, value) in options {
            let line = features.option_command(option, value);
            let line = line
                .map_err(|known| program.nonsense(option, format!("it has no such option, only {known}")))?;
            program.send(&line);
        }
        let name = features.value("myname").unwrap_or(&command.program).to_string();
        let (command, options) = (command.clone(), options.to_vec());
        let mut opponent = XboardOpponent { command, options, program, name, features, game: None, pings: 0 };
        opponent.ready()?;
        Ok(opponent)
    }

    /// Waits until the program has done all that it was told, if it can say so.
    fn ready(&mut self) -> Result<(), Fault> {
        if !self.features.has("ping") {
            return Ok(());
        }
        self.pings += 1;
        self.program.send(&format!("ping {}", self.pings));
        let pong = format!("pong {}", self.pings);
        self.program.wait_for(Instant::now() + PATIENCE, |line| (line.trim() == pong).then_some(()))
    }

    /// Brings the program to a position, in which it waits. Gives back what it knows now.
    fn set_up(&mut self, situation: &Situation, limits: &MoveLimits) -> Result<ToldGame, Fault> {
        let known = self.game.take().filter(|game| game.leads_to(situation, limits));
        self.program.begin_exchange();
        self.program.forget_talk();
        let mut game = match known {
            Some(game) => {
                game.lines.iter().for_each(|line| self.program.recall(line));
                self.program.send("force");
                game
            }
            None => {
                let lines = self.first_lines(situation, limits)?;
                lines.iter().for_each(|line| self.program.send(line));
                ToldGame {
                    start: situation.start.clone(),
                    limits_told: GameLimits::of(limits),
                    moves: Vec::new(),
                    lines,
                }
            }
        };
        for (_, m) in &situation.moves[game.moves.len()..] {
            let line = self.move_line(m);
            self.program.send(&line);
            game.lines.push(line);
            game.moves.push(m.clone());
        }
        Ok(game)
    }

    /// How a game begins.
    fn first_lines(&self, situation: &Situation, limits: &MoveLimits) -> Result<Vec<String>, Fault> {
        let mut lines = vec!["new".to_string(), "force".to_string()];
        lines.extend(limit_lines(limits, situation.to_move));
        lines.extend(["post", "easy"].map(String::from));
        match &situation.start {
            None => {}
            Some(start) if self.features.has("setboard") => lines.push(format!("setboard {start}")),
            Some(start) => {
                let reason = "it cannot set up positions: give it openings as moves";
                return Err(self.program.nonsense(start, reason));
            }
        }
        Ok(lines)
    }

    fn move_line(&self, m: &str) -> String {
        if self.features.has("usermove") { format!("usermove {m}") } else { m.to_string() }
    }
}

/// Says hello, and hears what the program can do.
fn greet(program: &mut Program) -> Result<Features, Fault> {
    program.send("xboard");
    program.send("protover 2");
    let mut features = Features::default();
    let begun = Instant::now();
    while !features.has("done") {
        // A program that needs longer says first that it is not done.
        let asks_for_time = features.value("done").is_some();
        let deadline = begun + if asks_for_time { PATIENCE } else { TIME_TO_GREET };
        let feature = |line: &str| line.trim().strip_prefix("feature ").map(str::to_string);
        match program.wait_for(deadline, feature) {
            Ok(line) => features.read_line(&line).iter().for_each(|answer| program.send(answer)),
            Err(Fault::Silent { .. }) if !asks_for_time => break,
            Err(fault) => return Err(fault),
        }
    }
    Ok(features)
}

impl Opponent for XboardOpponent {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        if self.game.take().is_some() && !self.features.has("reuse") {
            *self = XboardOpponent::start(&self.command, &self.options)?;
        }
        self.program.begin_exchange();
        self.ready()
    }

    fn choose(
        &mut self,
        situation: &Situation,
        limits: &MoveLimits,
        company: Company,
    ) -> Result<Answer, Fault> {
        let mut game = self.set_up(situation, limits)?;
        if self.features.has("time") {
            time_lines(limits, situation.to_move).iter().for_each(|line| self.program.send(line));
        }
        let begun = Instant::now();
        self.program.send("go");
        let mut talk = Talk {
            begun,
            mover: situation.to_move,
            told: &game.lines,
            watch: company.watch,
            insight: Insight::default(),
            claim: None,
        };
        let in_time = self.program.wait_unless(limits.deadline(), company.stop, |line| talk.read_line(line));
        let time = begun.elapsed();
        let is_silent = matches!(in_time, Err(Fault::Silent { .. }));
        let reply = match in_time {
            Err(fault @ (Fault::Silent { .. } | Fault::Interrupted { .. })) => match talk.claim.take() {
                Some(claim) => return Err(self.program.nonsense(&claim, "the game has no such result")),
                None if is_silent && !limits.is_timed() => return Err(fault),
                // The clock will tell. A program that answers late is still good for the next game; one that does not is not.
                None => {
                    self.program.send("?");
                    let deadline = Instant::now() + TIME_TO_STOP;
                    self.program.wait_for(deadline, |line| talk.read_line(line)).map_err(|_| fault)?
                }
            },
            reply => reply?,
        };
        let insight = talk.insight;
        let best = match reply {
            Reply::Refusal(line) => return Err(self.program.nonsense(&line, "it refuses what it was told")),
            Reply::Resignation => RESIGNATION.to_string(),
            Reply::Move(best) => {
                game.lines.push(self.move_line(&best));
                game.moves.push(best.clone());
                best
            }
        };
        self.game = Some(game);
        Ok(Answer { best, time, insight, stopped: None })
    }
}

impl ToldGame {
    /// Whether a situation arises from this game by further moves. A program's own move is known as the program wrote it; if
    /// that is not how programs exchange moves, the game is told anew, which is slower but not wrong.
    fn leads_to(&self, situation: &Situation, limits: &MoveLimits) -> bool {
        let moves = situation.moves.get(..self.moves.len());
        self.start == situation.start
            && self.limits_told == GameLimits::of(limits)
            && moves.is_some_and(|moves| moves.iter().map(|(_, m)| m).eq(&self.moves))
    }
}

#[cfg(test)]
mod tests {
    use outplay_core::Player;

    use super::*;
    use crate::opponent::Claim;

    /// A chess program made of a few lines of shell. What it has heard since it was last asked is what it thinks of.
    const POLITE: &str = r#"
        while read -r line; do
            case "$line" in
                protover*) echo 'feature done=0 san=0'
                           echo 'feature myname="Shell 1.0" ping=1 setboard=1 usermove=1 option="Contempt -spin 0 0 9" done=1';;
                ping*) echo "pong ${line#ping }";;
                go) echo '1 5 0 10 e7e5'; echo "3 25 1 88 $heard"; heard=
                    echo 'move e7e5';;
                quit) exit;;
                *) heard="$heard$line;";;
            esac
        done"#;

    /// The same with another answer to `go`.
    fn which_answers(go: &str) -> CommandLine {
        shell(&POLITE.replace("echo 'move e7e5'", go))
    }

    fn shell(script: &str) -> CommandLine {
        let arguments = vec!["-c".to_string(), script.to_string()];
        CommandLine { program: "sh".to_string(), arguments, folder: None }
    }

    fn after(moves: &[&str]) -> Situation {
        let players = Player::BOTH.into_iter().cycle();
        let moves: Vec<_> = players.zip(moves.iter().map(ToString::to_string)).collect();
        let to_move = if moves.len() % 2 == 0 { Player::First } else { Player::Second };
        Situation { start: None, moves, to_move }
    }

    fn seconds(clock: u64) -> MoveLimits {
        let clock = Some([Duration::from_secs(clock); 2]);
        MoveLimits { clock, patience: Duration::from_secs(20), ..MoveLimits::default() }
    }

    fn ask(command: &CommandLine, limits: &MoveLimits) -> Result<Answer, Fault> {
        let mut opponent = XboardOpponent::start(command, &[])?;
        opponent.new_game()?;
        opponent.choose(&after(&["e2e4"]), limits, Company::default())
    }

    #[test]
    fn a_program_is_greeted_asked_and_understood() {
        let options = [("contempt".to_string(), "5".to_string())];
        let mut opponent = XboardOpponent::start(&shell(POLITE), &options).expect("it is polite");
        assert_eq!(opponent.name(), "Shell 1.0");
        opponent.new_game().expect("it is ready");
        let answer = opponent.choose(&after(&["e2e4"]), &seconds(9), Company::default()).expect("it answers");
        assert_eq!(answer.best, "e7e5");
        let Insight { score, depth, nodes, .. } = answer.insight;
        assert_eq!((score, depth, nodes), (Some(Claim::Centi(25)), Some(3), Some(88)));
        let fault = XboardOpponent::start(&shell(POLITE), &[("Hash".to_string(), "1".to_string())]);
        let fault = fault.err().expect("a fault").to_string();
        assert!(fault.contains("Hash") && fault.contains("Contempt"), "{fault}");
    }

    #[test]
    fn a_program_hears_only_what_is_new() {
        let mut opponent = XboardOpponent::start(&shell(POLITE), &[]).expect("it is polite");
        let mut heard = |start: Option<&str>, moves: &[&str], limits: &MoveLimits| {
            let situation = Situation { start: start.map(String::from), ..after(moves) };
            let mut heard = String::new();
            let mut watch = |insight: Insight| heard = insight.line.join(" ");
            let company = Company { watch: Some(&mut watch), ..Company::default() };
            opponent.choose(&situation, limits, company).expect("an answer");
            heard.rsplit("accepted done;").next().unwrap_or_default().to_string()
        };
        let limits = seconds(9);
        let clocks = "time 900;otim 900;";
        let first = format!("new;force;level 0 0:09 0;post;easy;usermove e2e4;{clocks}");
        assert_eq!(heard(None, &["e2e4"], &limits), first);
        let later = format!("force;usermove g1f3;{clocks}");
        assert_eq!(heard(None, &["e2e4", "e7e5", "g1f3"], &limits), later);
        // Another game, other limits and another start are told from the beginning.
        let other = format!("new;force;level 0 0:09 0;post;easy;usermove d2d4;{clocks}");
        assert_eq!(heard(None, &["d2d4"], &limits), other);
        let deep = MoveLimits { depth: Some(2), ..limits.clone() };
        let told = "usermove d2d4;usermove e7e5;usermove a2a3;";
        let first = format!("new;force;level 0 0:09 0;sd 2;post;easy;{told}{clocks}");
        assert_eq!(heard(None, &["d2d4", "e7e5", "a2a3"], &deep), first);
        let told = format!("setboard 8/k w;{told}usermove e7e5;");
        let first = format!("new;force;level 0 0:09 0;sd 2;post;easy;{told}{clocks}");
        assert_eq!(heard(Some("8/k w"), &["d2d4", "e7e5", "a2a3", "e7e5"], &deep), first);
    }

    #[test]
    fn an_older_program_is_waited_for_and_spared_what_it_does_not_know() {
        let script = POLITE.replace("protover*)", "nothing)");
        let mut opponent = XboardOpponent::start(&shell(&script), &[]).expect("it is only old");
        let mut heard = String::new();
        let mut watch = |insight: Insight| heard = insight.line.join(" ");
        let company = Company { watch: Some(&mut watch), ..Company::default() };
        opponent.choose(&after(&["e2e4"]), &seconds(9), company).expect("an answer");
        assert!(heard.ends_with("post;easy;e2e4;time 900;otim 900;"), "{heard}");
        let start = Situation { start: Some("8/k w".to_string()), ..after(&[]) };
        let fault =
            opponent.choose(&start, &seconds(9), Company::default()).expect_err("it cannot").to_string();
        assert!(fault.contains("openings as moves"), "{fault}");
    }

    #[test]
    fn a_program_for_one_game_only_is_started_for_each() {
        let script =
            format!("echo \"# $$\"; {}", POLITE.replace("ping=1", "ping=1 reuse=0").replace("e7e5'", "'$$"));
        let mut opponent = XboardOpponent::start(&shell(&script), &[]).expect("it is polite");
        let mut process = || {
            opponent.new_game().expect("it is ready");
            opponent.choose(&after(&["e2e4"]), &seconds(9), Company::default()).expect("an answer").best
        };
        assert_ne!(process(), process());
    }

    #[test]
    fn a_program_that_gives_up_says_so_in_several_ways() {
        for words in ["resign", "1-0 {Black resigns}"] {
            let answer = ask(&which_answers(&format!("echo '{words}'")), &seconds(9)).expect("an answer");
            assert_eq!(answer.best, RESIGNATION);
        }
    }

    #[test]
    fn a_claim_counts_for_nothing_without_a_move() {
        let claim = "echo '1/2-1/2 {repetition}'";
        let answer = ask(&which_answers(&format!("{claim}; echo 'move g8f6'")), &seconds(9));
        assert_eq!(answer.expect("an answer").best, "g8f6");
        let impatient = MoveLimits { patience: Duration::from_millis(100), ..seconds(9) };
        let fault = ask(&which_answers(claim), &impatient).expect_err("a fault").to_string();
        assert!(fault.contains("{repetition}") && fault.contains("no such result"), "{fault}");
    }

    #[test]
    fn a_program_that_is_late_is_told_to_move_and_its_time_is_known() {
        let late = shell(&POLITE.replace("echo 'move e7e5';;", ";; '?') echo 'move a7a6';;"));
        let limits = MoveLimits { patience: Duration::from_millis(100), ..seconds(9) };
        let answer = ask(&late, &limits).expect("it moves");
        assert_eq!(answer.best, "a7a6");
        assert!(answer.time >= Duration::from_millis(100));
        // Without a clock nobody else would notice.
        let limits = MoveLimits { clock: None, depth: Some(1), ..limits };
        assert!(ask(&late, &limits).is_err());
        // Whoever loses interest has what it found by then.
        let mut opponent = XboardOpponent::start(&late, &[]).expect("it starts");
        let company = Company { stop: Some(&|| true), ..Company::default() };
        let answer = opponent.choose(&after(&["e2e4"]), &seconds(9), company).expect("it moves");
        assert_eq!((answer.best.as_str(), answer.insight.nodes), ("a7a6", Some(88)));
    }

    #[test]
    fn crashes_refusals_garbage_and_silence_are_faults() {
        for (go, words) in [
            ("exit 9", "ended (exit status: 9)"),
            ("echo 'Illegal move: e2e4'", "refuses"),
            ("printf 'mov\\377\\000e\\nxyzzy\\n'; sleep 100", "has not answered"),
            ("head -c 3000000 /dev/zero; sleep 100", "has not answered"),
        ] {
            let limits = MoveLimits { patience: Duration::from_millis(300), clock: None, ..seconds(9) };
            let fault = ask(&which_answers(go), &limits).expect_err("a fault").to_string();
            assert!(fault.contains(words), "{fault}");
        }
    }

    #[test]
    fn silence_can_be_brought_about_again_with_all_of_the_game() {
        let script = POLITE.replace("echo 'move e7e5'", "[ \"$asked\" ] || echo 'move e7e5'; asked=yes");
        let mut opponent = XboardOpponent::start(&shell(&script), &[]).expect("it is polite");
        let limits = MoveLimits { patience: Duration::from_millis(300), clock: None, ..seconds(9) };
        opponent.choose(&after(&["e2e4"]), &limits, Company::default()).expect("an answer");
        let later = after(&["e2e4", "e7e5", "g1f3"]);
        let fault = opponent.choose(&later, &limits, Company::default()).expect_err("it is silent");
        let again = fault.reproduction().expect("a line");
        assert!(
            again.contains("easy 'usermove e2e4' 'usermove e7e5' force 'usermove g1f3' 'time"),
            "{again}"
        );
    }
}
