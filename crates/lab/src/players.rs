//! Players as people name them: one of our searches with options, or somebody else's program by its protocol.

mod protocol;
mod settings;

use std::path::Path;
use std::time::Duration;

use outplay_engine::{Level, NamedGame, SessionError};
use outplay_protocols::botzone::BotzoneOpponent;
use outplay_protocols::connect6::Connect6Opponent;
use outplay_protocols::edax::EdaxOpponent;
use outplay_protocols::gomocup::GomocupOpponent;
use outplay_protocols::gtp::GtpOpponent;
use outplay_protocols::nboard::NBoardOpponent;
use outplay_protocols::uci::UciOpponent;
use outplay_protocols::xboard::XboardOpponent;
use outplay_protocols::{CommandLine, Fault, Opponent};
use serde::Serialize;

use crate::limit::split_settings;
use crate::own::own_name;
use crate::{Opening, OwnPlayer, PerfectPlayer, TimeControl};
pub use protocol::Protocol;
use protocol::side_of_board;
use settings::Settings;

/// What the player of a solved game is called.
const PERFECT: &str = "perfect";
/// The setting that stands for all those of a level.
const LEVEL: &str = "level";

/// Who plays.
///
/// As text, settings separated by commas: `search=uct,exploration=1.2` is one of ours (and so is `uct` alone), `level=3` one of the game's levels,
/// `perfect` plays a solved game,
/// `cmd=stockfish,proto=uci,option.Hash=64` a program of somebody else's, `program=stockfish` one that the machines of a fleet know by that name. Either may have a `name` and a limit of its own
/// (`limit.nodes=1000`). A TOML file has the same settings, `option` and `limit` as tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSpec {
    /// What to call it, if it was said.
    pub name: Option<String>,
    /// Its own limit, if it has one.
    pub limit: Option<TimeControl>,
    /// What it is.
    pub kind: PlayerKind,
}

/// What a player is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    /// One of our searches, with its options.
    Own {
        /// Names and values, `search` among them.
        options: Vec<(String, String)>,
    },
    /// One who gives nothing away, in a game that is solved: see [`PerfectPlayer`].
    Perfect,
    /// A program that the machines of a fleet know by this name.
    Program {
        /// The name.
        name: String,
    },
    /// A program, spoken to by a protocol.
    External {
        /// How to start it.
        command: CommandLine,
        /// What it speaks.
        protocol: Protocol,
        /// Its options: names and values.
        options: Vec<(String, String)>,
    },
}

/// Why there is no such player.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// The text makes no sense.
    #[error("player {text:?}: {reason}")]
    BadText {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Our own engine refuses the options or the game.
    #[error(transparent)]
    Own(#[from] SessionError),
    /// The program cannot be used.
    #[error(transparent)]
    External(#[from] Fault),
}

impl PlayerSpec {
    /// The player of a level.
    pub fn of_level(level: &Level) -> PlayerSpec {
        let options = level.options().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        PlayerSpec {
            name: Some(level.name.to_string()),
            limit: Some(TimeControl { nodes: Some(level.nodes), ..TimeControl::default() }),
            kind: PlayerKind::Own { options },
        }
    }

    /// The same player, with the search, the settings and the limit of a level of the game if it names one (`level=3`, `level=club player`); what
    /// else it says goes before those.
    pub fn at_level(self, game: &NamedGame) -> Result<PlayerSpec, PlayerError> {
        let PlayerKind::Own { options } = &self.kind else { return Ok(self) };
        let Some((_, wanted)) = options.iter().find(|(name, _)| name == LEVEL) else { return Ok(self) };
        let level = PlayerSpec::of_level(game.level_named(wanted)?);
        let PlayerKind::Own { options: mut settings } = level.kind else { return Ok(self) };
        settings.extend(options.iter().filter(|(name, _)| name != LEVEL).cloned());
        Ok(PlayerSpec {
            name: self.name.or(level.name),
            limit: self.limit.or(level.limit),
            kind: PlayerKind::Own { options: settings },
        })
    }

    /// Reads a player.
    pub fn parse(text: &str) -> Result<PlayerSpec, PlayerError> {
        let bad = |reason| PlayerError::BadText { text: text.to_string(), reason };
        let name = text.trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let text = if is_name { format!("search={name}") } else { text.to_string() };
        let settings = split_settings(&text).map_err(bad)?.into_iter();
        let settings = settings.map(|(name, value)| (name.to_string(), value.to_string()));
        Settings::of_pairs(settings.collect()).player().map_err(bad)
    }

    /// Reads a player, or the players of a file if the text is the name of one that ends with `.toml`.
    pub fn read(text: &str) -> Result<Vec<PlayerSpec>, PlayerError> {
        if !Path::new(text).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml")) {
            return Ok(vec![PlayerSpec::parse(text)?]);
        }
        let bad = |reason: String| PlayerError::BadText { text: text.to_string(), reason };
        let file = std::fs::read_to_string(text).map_err(|error| bad(format!("cannot read it: {error}")))?;
        PlayerSpec::parse_toml(&file).map_err(bad)
    }

    /// The player with these settings, which are a map such as a TOML file has.
    pub fn of_settings(settings: &impl Serialize) -> Result<PlayerSpec, String> {
        PlayerSpec::of_table(toml::Table::try_from(settings).map_err(|error| error.to_string())?)
    }

    fn of_table(table: toml::Table) -> Result<PlayerSpec, String> {
        Settings::of_table(table)?.player()
    }

    /// Reads a TOML file: the settings of one player, or a table `[[player]]` for each of several.
    pub fn parse_toml(file: &str) -> Result<Vec<PlayerSpec>, String> {
        let mut table: toml::Table = file.parse().map_err(|error: toml::de::Error| error.to_string())?;
        match table.remove("player") {
            None => Ok(vec![PlayerSpec::of_table(table)?]),
            Some(toml::Value::Array(players)) if table.is_empty() && !players.is_empty() => {
                let player = |value| match value {
                    toml::Value::Table(table) => PlayerSpec::of_table(table),
                    other => Err(format!("expected a table [[player]], not {other}")),
                };
                players.into_iter().map(player).collect()
            }
            Some(_) => Err("expected one player's settings, or nothing but tables [[player]]".to_string()),
        }
    }

    /// A name to tell it apart by: its own, or what it is made of.
    pub fn label(&self) -> String {
        let joined = |options: &[(String, String)], prefix: &str| {
            let settings = options.iter().map(|(name, value)| format!("{prefix}{name}={value}"));
            settings.collect::<Vec<_>>().join(",")
        };
        match (&self.name, &self.kind) {
            (Some(name), _) => name.clone(),
            (None, PlayerKind::Own { options }) if options.is_empty() => "usual search".to_string(),
            (None, PlayerKind::Own { options }) => joined(options, ""),
            (None, PlayerKind::Perfect) => PERFECT.to_string(),
            (None, PlayerKind::Program { name }) => name.clone(),
            (None, PlayerKind::External { command, options, .. }) => {
                let words = std::iter::once(&command.program).chain(&command.arguments);
                let words = words.map(String::as_str).collect::<Vec<_>>().join(" ");
                let settings = joined(options, "option.");
                if settings.is_empty() { words } else { format!("{words},{settings}") }
            }
        }
    }

    /// What a player of ours calls itself; nobody knows that of other programs before they are started.
    pub(crate) fn own_name(&self) -> Option<String> {
        match &self.kind {
            PlayerKind::Own { options } => Some(own_name(options)),
            PlayerKind::Perfect => Some(PERFECT.to_string()),
            PlayerKind::Program { .. } | PlayerKind::External { .. } => None,
        }
    }

    /// The program that a machine of a fleet must have.
    pub fn program(&self) -> Option<&str> {
        match &self.kind {
            PlayerKind::Program { name } => Some(name),
            _ => None,
        }
    }

    /// Refuses a game that the player does not play, without starting it.
    pub fn fits(&self, game: &NamedGame) -> Result<(), PlayerError> {
        let reason = match &self.kind {
            PlayerKind::External { protocol, .. } => protocol.misfit(game),
            PlayerKind::Perfect if PerfectPlayer::new(game).is_none() => {
                Some("only Connect Four is solved".to_string())
            }
            PlayerKind::Own { .. } | PlayerKind::Perfect | PlayerKind::Program { .. } => None,
        };
        match reason {
            None => Ok(()),
            Some(reason) => Err(self.cannot_play(game, &reason)),
        }
    }

    /// Makes the player, ready for a game of `game`.
    pub fn make(&self, game: &NamedGame) -> Result<Box<dyn Opponent>, PlayerError> {
        self.fits(game)?;
        let (command, protocol, options) = match &self.kind {
            PlayerKind::Own { options } => return Ok(Box::new(OwnPlayer::new(game, options)?)),
            PlayerKind::Perfect => {
                let player = PerfectPlayer::new(game);
                return Ok(Box::new(player.ok_or_else(|| self.cannot_play(game, "it is not solved"))?));
            }
            PlayerKind::Program { name } => return Err(self.cannot_play(game, &only_elsewhere(name))),
            PlayerKind::External { command, protocol, options } => (command, protocol, options),
        };
        let side = |size: Option<u32>| size.or_else(|| side_of_board(game)).unwrap_or_default();
        Ok(match *protocol {
            Protocol::Uci if game.row().name == "chess960" => {
                let variant = ("UCI_Chess960".to_string(), "true".to_string());
                let options: Vec<_> = std::iter::once(variant).chain(options.iter().cloned()).collect();
                let start = game.open()?.position_text();
                Box::new(UciOpponent::start(command, &options)?.with_usual_start(start))
            }
            Protocol::Uci => Box::new(UciOpponent::start(command, options)?),
            Protocol::Xboard => Box::new(XboardOpponent::start(command, options)?),
            Protocol::Gtp(size, columns) => {
                let first: Vec<String> =
                    options.iter().map(|(name, value)| format!("{name} {value}")).collect();
                Box::new(GtpOpponent::start(command, columns, side(size), &first)?)
            }
            Protocol::Gomocup(size) => Box::new(GomocupOpponent::start(command, side(size), options)?),
            Protocol::Connect6 => Box::new(Connect6Opponent::start(command, options)?),
            Protocol::Botzone => Box::new(BotzoneOpponent::new(command)),
            Protocol::NBoard => Box::new(NBoardOpponent::start(command, options)?),
            Protocol::Edax => Box::new(EdaxOpponent::start(command, options)?),
        })
    }

    fn cannot_play(&self, game: &NamedGame, reason: &str) -> PlayerError {
        PlayerError::BadText { text: self.label(), reason: format!("cannot play {game}: {reason}") }
    }

    /// Refuses what its protocol cannot say, and limits that would never end: the player would lose for nothing.
    pub fn check(
        &self,
        game: &NamedGame,
        control: &TimeControl,
        openings: &[Opening],
    ) -> Result<(), PlayerError> {
        let bad = |reason: &str| Err(PlayerError::BadText { text: self.label(), reason: reason.to_string() });
        match &self.kind {
            PlayerKind::Own { options } => {
                let chosen = options.iter().rev().find(|(name, _)| name == "search").map(|(_, value)| value);
                let is_bounded = control.nodes.is_some() || control.is_timed();
                match game
                    .open()?
                    .searches()
                    .iter()
                    .find(|info| Some(info.name) == chosen.map(String::as_str))
                {
                    Some(info) if info.counts_playouts && !is_bounded => {
                        bad("it may never reach a depth: give it nodes or time, as in limit.nodes=1000")
                    }
                    _ => Ok(()),
                }
            }
            PlayerKind::Perfect
            | PlayerKind::Program { .. }
            | PlayerKind::External { protocol: Protocol::Uci, .. } => Ok(()),
            PlayerKind::External { protocol: Protocol::Xboard, .. } => {
                let is_fraction = |time: Duration| time.subsec_nanos() > 0;
                if control.nodes.is_some() {
                    bad("its protocol knows no nodes: give it time or a depth, as in limit.tc=1+0.1")
                } else if control.move_time.is_some_and(is_fraction) {
                    bad(
                        "its protocol knows only whole seconds for a move: give it a clock, as in limit.tc=1+0.1",
                    )
                } else {
                    Ok(())
                }
            }
            PlayerKind::External { protocol: Protocol::NBoard, .. }
                if control.nodes.is_some() || control.move_time.is_some() =>
            {
                bad("its protocol knows a depth or a clock: give it one, as in limit.depth=10 or limit.tc=5")
            }
            PlayerKind::External { protocol: Protocol::Edax, .. } if control.nodes.is_some() => bad(
                "its protocol knows no nodes: give it a time or a level, as in limit.tc=5 or limit.depth=10",
            ),
            PlayerKind::External { protocol: Protocol::NBoard | Protocol::Edax, .. } => Ok(()),
            PlayerKind::External { protocol, .. } => {
                let asks_for_turns = matches!(protocol, Protocol::Connect6 | Protocol::Botzone);
                let is_set_up = |opening: &Opening| opening.start.is_some();
                if control.nodes.is_some() || control.depth.is_some() {
                    return bad(
                        "its protocol knows no nodes and no depth: give it a limit of time, as in limit.time=1",
                    );
                }
                if *protocol != Protocol::Connect6 && openings.iter().any(is_set_up) {
                    return bad(
                        "its protocol knows only games from the start: give openings as moves, not as positions",
                    );
                }
                for opening in openings.iter().filter(|_| asks_for_turns) {
                    if ends_within_turn(game, opening)? {
                        return bad(
                            "its protocol asks for whole turns: end the openings with one, as with --opening-plies 3",
                        );
                    }
                }
                Ok(())
            }
        }
    }
}

fn only_elsewhere(name: &str) -> String {
    format!(
        "only the workers of a fleet know the program {name:?}: play with --fleet, or give its command with cmd="
    )
}

/// Whether an opening ends while its last player has still to place a stone.
fn ends_within_turn(game: &NamedGame, opening: &Opening) -> Result<bool, SessionError> {
    let mut board = game.open()?;
    board.set_game(opening.start.as_deref(), &opening.moves)?;
    Ok(board.played_plain().last().is_some_and(|(player, _)| *player == board.to_move()))
}

#[cfg(test)]
mod tests {
    use outplay_protocols::gtp::Columns;

    use super::*;

    fn named(name: &str) -> NamedGame {
        outplay_engine::game(name).expect("a game")
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_string(), value.to_string())
    }

    #[test]
    fn players_are_read_from_their_text() {
        let own = PlayerSpec::parse("search=uct, exploration=1.2").expect("a player");
        assert_eq!(
            own.kind,
            PlayerKind::Own { options: vec![pair("search", "uct"), pair("exploration", "1.2")] }
        );
        assert_eq!(own.label(), "search=uct,exploration=1.2");
        assert_eq!(
            PlayerSpec::parse("uct").expect("a player"),
            PlayerSpec::parse("search=uct").expect("a player")
        );
        let external =
            PlayerSpec::parse("cmd=stockfish -x,proto=uci,option.Hash=64,dir=/tmp").expect("a player");
        assert_eq!(external.label(), "stockfish -x,option.Hash=64");
        let command = CommandLine {
            program: "stockfish".to_string(),
            arguments: vec!["-x".to_string()],
            folder: Some("/tmp".to_string()),
        };
        let options = vec![pair("Hash", "64")];
        assert_eq!(external.kind, PlayerKind::External { command, protocol: Protocol::Uci, options });
        let gtp = PlayerSpec::parse("cmd=x,proto=gtp,size=8,columns=with-i").expect("a player");
        assert!(matches!(
            gtp.kind,
            PlayerKind::External { protocol: Protocol::Gtp(Some(8), Columns::WithI), .. }
        ));
    }

    #[test]
    fn a_level_stands_for_its_settings_and_what_else_is_said_goes_before_them() {
        let chess = named("chess");
        let at = |text: &str| PlayerSpec::parse(text).expect("text").at_level(&chess);
        let first = PlayerSpec::of_level(&chess.levels()[0]);
        assert_eq!(at("level=1").expect("a level"), first);
        assert_eq!(at("level=Newcomer").expect("a level"), first);
        let changed = at("level=1,name=calm,noise=0.5,limit.nodes=9").expect("a level");
        assert_eq!(
            (changed.label(), changed.limit.and_then(|limit| limit.nodes)),
            ("calm".to_string(), Some(9))
        );
        let PlayerKind::Own { options } = &changed.kind else { panic!("ours") };
        assert_eq!(options.last(), Some(&pair("noise", "0.5")));
        assert!(changed.kind.clone() != first.kind && at("uct").is_ok());
        let error = at("level=grandmastr").expect_err("no level").to_string();
        assert!(error.contains("did you mean grandmaster?"), "{error}");
    }

    #[test]
    fn a_file_says_the_same_in_more_lines() {
        let file = "name = \"fish\"\ncmd = \"stockfish -x\"\nlimit = \"nodes=500\"\n[option]\nHash = 64\nPonder = false\n";
        let text = "name=fish,cmd=stockfish -x,limit.nodes=500,option.Hash=64,option.Ponder=false";
        assert_eq!(PlayerSpec::parse_toml(file), Ok(vec![PlayerSpec::parse(text).expect("a player")]));
        let several = "[[player]]\nsearch = \"uct\"\nc = 1.2\n[[player]]\ncmd = [\"a b\", \"c\"]\n[player.limit]\ntc = \"1+0.1\"";
        let players = PlayerSpec::parse_toml(several).expect("players");
        assert_eq!(players[0], PlayerSpec::parse("search=uct,c=1.2").expect("a player"));
        let PlayerKind::External { command, .. } = &players[1].kind else { panic!("a program") };
        assert_eq!((command.program.as_str(), command.arguments.as_slice()), ("a b", &["c".to_string()][..]));
        assert!(players[1].limit.as_ref().is_some_and(TimeControl::is_timed));
        for bad in
            ["search", "player = 1", "x = 1\n[[player]]\n", "cmd = [1]", "search = [1]", "limit = \"x\""]
        {
            assert!(PlayerSpec::parse_toml(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_no_player_is_refused_with_its_reason() {
        for (text, words) in [
            ("uct,fast", "NAME=VALUE"),
            ("cmd=", "a program"),
            ("cmd=x,proto=smoke", "botzone, nboard or edax"),
            ("cmd=x,Hash=1", "option.NAME"),
            ("cmd=x,proto=gomocup,size=big", "a board size"),
            ("search=uct,limit.speed=3", "tc, moves"),
            ("/no/such/file.toml", "cannot read it"),
        ] {
            let error = PlayerSpec::read(text).expect_err("no player").to_string();
            assert!(error.contains(words), "{error}");
        }
        assert!(PlayerSpec::parse("search=magic").expect("text").make(&named("chess")).is_err());
        for (text, game) in [
            ("cmd=x", "othello"),
            ("cmd=x,proto=xboard", "chess960:0"),
            ("cmd=x,proto=gtp", "chess"),
            ("cmd=x,proto=gomocup", "connect:9,8,5,1,1"),
            ("cmd=x,proto=connect6", "gomoku"),
            ("cmd=x,proto=botzone", "connect6"),
        ] {
            let error = PlayerSpec::parse(text)
                .expect("text")
                .make(&named(game))
                .err()
                .expect("a reason")
                .to_string();
            assert!(error.contains("cannot play"), "{error}");
        }
        let gtp = PlayerSpec::parse("cmd=x,proto=gtp").expect("text");
        let control = |text: &str| text.parse::<TimeControl>().expect("a limit");
        let position = Opening { start: Some("somewhere".to_string()), moves: String::new() };
        assert!(gtp.check(&named("othello"), &control("time=1"), &[]).is_ok());
        assert!(gtp.check(&named("othello"), &control("nodes=1"), &[]).is_err());
        assert!(gtp.check(&named("othello"), &control("time=1"), &[position]).is_err());
        let xboard = PlayerSpec::parse("cmd=x,proto=xboard").expect("text");
        for (limit, is_fine) in
            [("tc=1+0.1", true), ("depth=3", true), ("time=1", true), ("time=0.5", false), ("nodes=1", false)]
        {
            assert_eq!(xboard.check(&named("chess"), &control(limit), &[]).is_ok(), is_fine, "{limit}");
        }
        let connect6 = PlayerSpec::parse("cmd=x,proto=connect6").expect("text");
        let moves = |moves: &str| [Opening { start: None, moves: moves.to_string() }];
        for (limit, openings, is_fine) in [
            ("time=1", moves("j10"), true),
            ("tc=60", moves("j10 k11 l12"), true),
            ("time=1", moves("j10 k11"), false),
            ("depth=3", moves("j10"), false),
        ] {
            let found = connect6.check(&named("connect6"), &control(limit), &openings);
            assert_eq!(found.is_ok(), is_fine, "{limit} {openings:?}");
        }
        let uct = PlayerSpec::parse("uct").expect("a player");
        assert!(uct.check(&named("othello"), &control("depth=3"), &[]).is_err());
        assert!(uct.check(&named("othello"), &control("depth=3,nodes=9"), &[]).is_ok());
    }
}
