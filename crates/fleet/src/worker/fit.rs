//! Whether a machine can take part in a run, and what it makes of the players that are asked for.

use std::fmt;
use std::str::FromStr;

use outplay_engine::{Catalogue, NamedGame};
use outplay_lab::{PlayerKind, PlayerSpec};
use outplay_search::OptionKind;

use super::WorkerOptions;
use crate::wire::{PROTOCOL, RunCard};

/// Whether a machine can take part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// With so many pairs at once.
    Fits(usize),
    /// Not, for this reason, which says what to do.
    Not(String),
}

impl Fit {
    pub fn of(card: &RunCard, options: &WorkerOptions, games: &Catalogue) -> Fit {
        if card.protocol != PROTOCOL {
            let what = if card.protocol > PROTOCOL {
                "update this machine"
            } else {
                "update the machine that runs it"
            };
            return Fit::Not(format!("it speaks protocol {}, and we {PROTOCOL}: {what}", card.protocol));
        }
        if card.build != options.build && !card.any_build {
            return Fit::Not(format!(
                "it was begun by build {}, and we are {}: put the same program on both machines, or begin it with --any-build",
                card.build, options.build
            ));
        }
        if card.game.is_empty() {
            // Whoever begins it has not yet said what is to be played.
            return Fit::Fits(0);
        }
        let has_game = games.find(&card.game).is_ok();
        if !has_game {
            return Fit::Not(format!(
                "there is no game {:?} here: put the same program on both machines",
                card.game
            ));
        }
        if let Some(missing) = card.programs.iter().find(|name| !options.programs.contains_key(*name)) {
            return Fit::Not(format!("it wants the program {missing:?}: name it in the file of --programs"));
        }
        match (options.memory, card.memory) {
            (Some(most), needed) if needed > most => Fit::Not(format!(
                "its games take {needed} MiB, and --memory allows {most}: give it more, or begin the run with smaller tables"
            )),
            (Some(most), needed) if needed > 0 => Fit::Fits((most / needed) as usize),
            _ => Fit::Fits(usize::MAX),
        }
    }
}

/// Makes the player of a job one of this machine's: programs get their commands from its own configuration. Options of ours that
/// name files are refused, because nobody far away is to say what is opened here.
pub(super) fn prepare(
    spec: &mut PlayerSpec,
    game: &NamedGame,
    options: &WorkerOptions,
) -> Result<(), String> {
    match &spec.kind {
        PlayerKind::Program { name } => {
            let program =
                options.programs.get(name).ok_or_else(|| format!("there is no program {name:?} here"))?;
            spec.kind = program.kind.clone();
            Ok(())
        }
        PlayerKind::Own { options } => {
            let mut session = game.open().map_err(|error| error.to_string())?;
            let search = options.iter().filter(|(name, _)| name == "search");
            for (name, value) in search {
                session.set_option(name, value).map_err(|error| error.to_string())?;
            }
            let rows = session.options().map_err(|error| error.to_string())?;
            for (name, value) in options {
                // A row of another search has that search's name before its own.
                let plain = name.rsplit('.').next().unwrap_or(name).trim();
                let row = rows
                    .iter()
                    .map(|(row, _)| row)
                    .find(|row| row.is_named(name.trim()) || row.is_named(plain));
                let is_open = match row.map(|row| &row.kind) {
                    Some(OptionKind::File { offered }) => offered.iter().any(|known| known == value),
                    Some(OptionKind::Text) => false,
                    Some(_) => true,
                    None => !value.contains(['/', '\\']),
                };
                if !is_open && !value.is_empty() {
                    return Err(format!(
                        "{name}={value} may name a file, and no file is opened here because another machine says so"
                    ));
                }
            }
            Ok(())
        }
        PlayerKind::Perfect => Ok(()),
        PlayerKind::External { .. } => Err("no command comes from another machine".to_string()),
    }
}

/// Hours of the day, in universal time: `22-6` is from 22:00 to 6:00.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hours {
    from: u64,
    to: u64,
}

impl Hours {
    /// Whether so many seconds after 1970 fall into them.
    pub fn has(self, seconds: u64) -> bool {
        let hour = seconds / 3600 % 24;
        match self.from < self.to {
            true => (self.from..self.to).contains(&hour),
            false => hour >= self.from || hour < self.to,
        }
    }
}

impl fmt::Display for Hours {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

impl FromStr for Hours {
    type Err = String;

    fn from_str(text: &str) -> Result<Hours, String> {
        let bad = || format!("expected two different hours from 0 to 24, as in 22-6, not {text:?}");
        let (from, to) = text.split_once('-').ok_or_else(bad)?;
        let hour =
            |text: &str| text.trim().parse::<u64>().ok().filter(|hour| *hour <= 24).map(|hour| hour % 24);
        let hours = Hours { from: hour(from).ok_or_else(bad)?, to: hour(to).ok_or_else(bad)? };
        if hours.from == hours.to { Err(bad()) } else { Ok(hours) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_read_and_go_over_midnight() {
        let at = |hour: u64| hour * 3600 + 20_000 * 24 * 3600 + 59;
        let night: Hours = "22-6".parse().expect("hours");
        let day: Hours = "8 - 18".parse().expect("hours");
        let inside = |hours: Hours| (0..24).filter(|hour| hours.has(at(*hour))).collect::<Vec<_>>();
        assert_eq!(inside(night), [0, 1, 2, 3, 4, 5, 22, 23]);
        assert_eq!(inside(day), (8..18).collect::<Vec<_>>());
        for bad in ["", "5", "5-5", "0-24", "-1-3", "3-25", "a-b"] {
            assert!(bad.parse::<Hours>().is_err(), "{bad}");
        }
    }
}
