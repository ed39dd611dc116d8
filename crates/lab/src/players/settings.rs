//! The settings of a player, as text, table or map have them.

use outplay_protocols::CommandLine;
use outplay_protocols::gtp::Columns;

use super::{PERFECT, PlayerKind, PlayerSpec, Protocol};
use crate::TimeControl;
use crate::limit::split_settings;

/// The settings of one player, before their meaning is known.
pub(super) struct Settings {
    /// The command as separate words, if it was given so.
    words: Option<Vec<String>>,
    settings: Vec<(String, String)>,
}

impl Settings {
    /// Names and values.
    pub fn of_pairs(settings: Vec<(String, String)>) -> Settings {
        Settings { words: None, settings }
    }

    /// The same from a table.
    pub fn of_table(mut table: toml::Table) -> Result<Settings, String> {
        let words = match table.get("cmd") {
            Some(toml::Value::Array(words)) => {
                let text = |word: &toml::Value| {
                    word.as_str()
                        .map(str::to_string)
                        .ok_or_else(|| format!("expected a word in cmd, not {word}"))
                };
                Some(words.iter().map(text).collect::<Result<Vec<_>, _>>()?)
            }
            _ => None,
        };
        if words.is_some() {
            table.remove("cmd");
        }
        let mut settings = Vec::new();
        for (name, value) in table {
            match value {
                toml::Value::Table(inner) => {
                    for (key, value) in inner {
                        settings.push((format!("{name}.{key}"), plain_text(&value)?));
                    }
                }
                value => settings.push((name, plain_text(&value)?)),
            }
        }
        Ok(Settings { words, settings })
    }

    fn take(&mut self, name: &str) -> Option<String> {
        let index = self.settings.iter().position(|(found, _)| found == name)?;
        Some(self.settings.remove(index).1)
    }

    /// Takes all settings whose names begin so, without that beginning.
    fn take_group(&mut self, prefix: &str) -> Vec<(String, String)> {
        let (group, rest) = std::mem::take(&mut self.settings)
            .into_iter()
            .partition::<Vec<_>, _>(|(name, _)| name.starts_with(prefix));
        self.settings = rest;
        group.into_iter().map(|(name, value)| (name[prefix.len()..].to_string(), value)).collect()
    }

    /// The player that they describe.
    pub fn player(mut self) -> Result<PlayerSpec, String> {
        let name = self.take("name");
        let limit = self.limit()?;
        let command = self.take("cmd").map(|cmd| cmd.split_whitespace().map(str::to_string).collect());
        let program = self.take("program");
        let kind = match self.words.take().or(command) {
            Some(_) if program.is_some() => {
                return Err("expected cmd, which is a command here, or program, which machines of a fleet know: not both".to_string());
            }
            None if program.is_some() => self.program(program.unwrap_or_default())?,
            None if self.settings.iter().any(|(name, value)| name == "search" && value == PERFECT) => {
                PlayerKind::Perfect
            }
            None => PlayerKind::Own { options: self.settings },
            Some(words) => self.external(words)?,
        };
        Ok(PlayerSpec { name, limit, kind })
    }

    fn program(&self, name: String) -> Result<PlayerKind, String> {
        match self.settings.first() {
            None if !name.is_empty() => Ok(PlayerKind::Program { name }),
            None => Err("expected the name of a program after program=".to_string()),
            Some((other, _)) => Err(format!(
                "expected name or limit beside program, whose options its machines know, not {other:?}"
            )),
        }
    }

    fn limit(&mut self) -> Result<Option<TimeControl>, String> {
        let (text, group) = (self.take("limit"), self.take_group("limit."));
        let group = group.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let settings: Vec<_> =
            split_settings(text.as_deref().unwrap_or(""))?.into_iter().chain(group).collect();
        if settings.is_empty() { Ok(None) } else { TimeControl::from_settings(settings).map(Some) }
    }

    fn external(mut self, words: Vec<String>) -> Result<PlayerKind, String> {
        let mut words = words.into_iter();
        let program = words.next().ok_or("expected a program after cmd=")?;
        let command = CommandLine { program, arguments: words.collect(), folder: self.take("dir") };
        let protocol = match self.take("proto").as_deref() {
            Some("uci") | None => Protocol::Uci,
            Some("xboard") => Protocol::Xboard,
            Some("gtp") => {
                let columns = match self.take("columns").as_deref() {
                    Some("with-i") => Columns::WithI,
                    Some("without-i") | None => Columns::WithoutI,
                    Some(other) => {
                        return Err(format!("expected columns=with-i or without-i, not {other:?}"));
                    }
                };
                Protocol::Gtp(self.size()?, columns)
            }
            Some("gomocup") => Protocol::Gomocup(self.size()?),
            Some("connect6") => Protocol::Connect6,
            Some("botzone") => Protocol::Botzone,
            Some("nboard") => Protocol::NBoard,
            Some("edax") => Protocol::Edax,
            Some(other) => {
                let known = "uci, xboard, gtp, gomocup, connect6, botzone, nboard or edax";
                return Err(format!("expected proto={known}, not {other:?}"));
            }
        };
        let options = self.take_group("option.");
        match self.settings.first() {
            None => Ok(PlayerKind::External { command, protocol, options }),
            Some((name, _)) => {
                Err(format!("expected name, limit, proto, size, columns, dir or option.NAME, not {name:?}"))
            }
        }
    }

    fn size(&mut self) -> Result<Option<u32>, String> {
        let size = self.take("size");
        size.map(|text| text.parse().map_err(|_| format!("expected a board size, not {text:?}"))).transpose()
    }
}

fn plain_text(value: &toml::Value) -> Result<String, String> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) => Ok(value.to_string()),
        other => Err(format!("expected a text, a number or true or false, not {other}")),
    }
}
