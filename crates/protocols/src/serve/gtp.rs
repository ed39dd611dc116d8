//! The Go Text Protocol, version 2, from the side of whoever is asked: for games in which a move is a cell.
//!
//! One stone or disc a `play` or `genmove`, also where a turn has several: a turn of Connect6 is two calls. Columns are letters
//! **without I**, rows are numbers from the bottom: the centre of 19×19 is `K10`. A move has to be made by whoever moves; the rest of
//! the protocol is kept as it stands: every command gets one answer, `=` or `?`, with its number, and an empty line.

mod commands;

use std::io::{self, BufRead, Write};

use outplay_core::{Outcome, Player};
use outplay_engine::SessionError;

use super::desk::{Desk, Dialogue, Thought, Urgency, hold};
use super::time_limits::TimeLimits;
use super::{GameEngine, ServeError, on_one_line};
use crate::cells::Columns;
use commands::{COMMANDS, Request};

/// Answers what `input` asks about a game, on `out`, until it says `quit` or ends.
pub fn serve(
    engine: &GameEngine,
    game: &str,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> Result<(), ServeError> {
    if (engine.open)(game)?.cells().is_none() {
        let reason = "GTP knows games in which a move is a cell of the board: connect6, gomoku, othello";
        return Err(SessionError::BadRules { name: game.to_string(), reason: reason.to_string() }.into());
    }
    let dialogue = Gtp { game: game.to_string(), time_limits: TimeLimits::default(), asked: None };
    hold(dialogue, engine, game, input, out)
}

/// Where the dialogue stands.
struct Gtp {
    game: String,
    time_limits: TimeLimits,
    /// What the search that runs was begun for.
    asked: Option<Asked>,
}

struct Asked {
    id: String,
    by: Player,
    /// Whether its move is to be played.
    plays: bool,
}

/// What a command is answered with: a text or the reason why there is none.
type Answer = Result<String, String>;

impl Dialogue for Gtp {
    fn urgency(&self, line: &str) -> Urgency {
        match Request::parse(line) {
            Some(request) if request.command == "quit" => Urgency::EndsAll,
            _ => Urgency::InTurn,
        }
    }

    fn obey(&mut self, line: &str, desk: &mut Desk) -> io::Result<()> {
        let Some(Request { id, command, arguments }) = Request::parse(line) else { return Ok(()) };
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let answer = match (command.as_str(), arguments.as_slice()) {
            ("genmove", [color]) => match self.begin(&id, color, true, desk) {
                Ok(()) => return Ok(()),
                Err(reason) => Err(reason),
            },
            ("reg_genmove", [color]) => match self.begin(&id, color, false, desk) {
                Ok(()) => return Ok(()),
                Err(reason) => Err(reason),
            },
            (command, arguments) => self.answer(command, arguments, desk),
        };
        respond(&id, answer, desk)
    }

    fn conclude(&mut self, thought: Thought, desk: &mut Desk) -> io::Result<()> {
        let Some(Asked { id, by, plays }) = self.asked.take() else { return Ok(()) };
        self.time_limits.end_turn(by);
        let answer = thought.best.ok_or_else(|| "there is no legal move".to_string()).and_then(|m| {
            if plays {
                desk.session.play_text(&m).map_err(|error| error.to_string())?;
            }
            Ok(Columns::WithoutI.theirs(&m).to_uppercase())
        });
        respond(&id, answer, desk)
    }
}

impl Gtp {
    fn answer(&mut self, command: &str, arguments: &[&str], desk: &mut Desk) -> Answer {
        let done = |result: Result<(), SessionError>| match result {
            Ok(()) => Ok(String::new()),
            Err(error) => Err(error.to_string()),
        };
        match (command, arguments) {
            ("protocol_version", []) => Ok("2".to_string()),
            ("name", []) => Ok(desk.engine.name.clone()),
            ("version", []) => Ok(desk.engine.version.clone()),
            ("known_command", [name]) => Ok(COMMANDS.contains(name).to_string()),
            ("list_commands", []) => Ok(COMMANDS.join("\n")),
            // The end is no concern of ours: whoever passes lines on knows it.
            ("quit", []) => Ok(String::new()),
            ("boardsize", [size]) => self.resize(size, desk).map(|()| String::new()),
            ("clear_board", []) => {
                let cleared = desk.session.clear().and_then(|()| desk.session.set_game(None, ""));
                done(cleared)
            }
            // There is nothing to make up for in games that we know.
            ("komi", [komi]) => match komi.parse::<f64>() {
                Ok(_) => Ok(String::new()),
                Err(_) => Err("syntax error: expected a number".to_string()),
            },
            ("play", [color, m]) => {
                let player = read_color(color)?;
                must_move(player, desk)?;
                let m = Columns::WithoutI.ours(m);
                match desk.session.play_text(&m) {
                    Ok(_) => Ok(String::new()),
                    Err(error) => Err(format!("illegal move: {error}")),
                }
            }
            ("undo", []) => match desk.session.undo() {
                Ok(Some(_)) => Ok(String::new()),
                Ok(None) => Err("cannot undo".to_string()),
                Err(error) => Err(error.to_string()),
            },
            ("showboard", []) => Ok(format!("\n{}{}", desk.session.board(), desk.session.position_text())),
            ("final_score", []) => {
                desk.session.outcome().map(score_text).ok_or("cannot score: the game goes on".to_string())
            }
            ("time_settings", [main, period, stones]) => {
                commands::set_time(&mut self.time_limits, main, period, stones).map(|()| String::new())
            }
            ("time_left", [color, time, stones]) => {
                let player = read_color(color)?;
                commands::set_time_left(&mut self.time_limits, player, time, stones).map(|()| String::new())
            }
            (known, _) if COMMANDS.contains(&known) => Err(format!("syntax error: {known}")),
            _ => Err("unknown command".to_string()),
        }
    }

    /// Begins a search for a player.
    fn begin(&mut self, id: &str, color: &str, plays: bool, desk: &mut Desk) -> Result<(), String> {
        let by = read_color(color)?;
        if let Some(ending) = desk.session.ending() {
            return Err(format!("the game is over: {ending}"));
        }
        must_move(by, desk)?;
        self.time_limits.begin_turn();
        desk.think(self.time_limits.limits(by, 1)).map_err(|error| error.to_string())?;
        self.asked = Some(Asked { id: id.to_string(), by, plays });
        Ok(())
    }

    /// The same game on another board, empty.
    fn resize(&mut self, size: &str, desk: &mut Desk) -> Result<(), String> {
        let side: usize = size.parse().map_err(|_| "syntax error: expected a number".to_string())?;
        if desk.session.cells() != Some((side, side)) {
            let game = commands::of_size(&self.game, side).ok_or("unacceptable size")?;
            desk.open(&game).map_err(|_| "unacceptable size".to_string())?;
        }
        desk.session.set_game(None, "").map_err(|error| error.to_string())
    }
}

/// An answer ends with an empty line, and has none before.
fn respond(id: &str, answer: Answer, desk: &mut Desk) -> io::Result<()> {
    let (mark, text) = match answer {
        Ok(text) => ('=', text.trim_end().to_string()),
        Err(reason) => ('?', on_one_line(reason)),
    };
    let space = if text.is_empty() || text.starts_with('\n') { "" } else { " " };
    desk.say(format_args!("{mark}{id}{space}{text}\n"))
}

fn read_color(text: &str) -> Result<Player, String> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Player::First),
        "w" | "white" => Ok(Player::Second),
        _ => Err("syntax error: expected black or white".to_string()),
    }
}

fn must_move(player: Player, desk: &Desk) -> Result<(), String> {
    match desk.session.to_move() == player || desk.session.outcome().is_some() {
        true => Ok(()),
        false => Err(format!("it is the turn of {}", desk.session.players()[(!player).index()])),
    }
}

/// `B+12`, or `0` for a draw; a game that is won and not counted is won by one.
fn score_text(outcome: Outcome) -> String {
    match outcome.for_player(Player::First) {
        0 => "0".to_string(),
        margin if margin > 0 => format!("B+{margin}"),
        margin => format!("W+{}", -i32::from(margin)),
    }
}
