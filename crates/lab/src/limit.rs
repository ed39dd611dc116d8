//! How much time, or work, a player has.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use outplay_protocols::MoveLimits;
use serde::{Deserialize, Serialize};

/// The limit of one player. As text, settings separated by commas: `tc=10+0.1,moves=40,margin=20ms`, `nodes=1000`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Time for the game, or for a period of it.
    pub base: Option<Duration>,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves in a period, after which the base is added again; `None` for one period.
    pub moves: Option<u32>,
    /// Fixed time for each move.
    pub move_time: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth for each move.
    pub depth: Option<u32>,
    /// By how much a limit of time may be overstepped without harm.
    pub margin: Duration,
}

/// What a limit of time may be overstepped by unless something else is said: the way through pipes and schedulers.
const DEFAULT_MARGIN: Duration = Duration::from_millis(50);

/// How many times as long a player is waited for that has no limit of time.
const UNTIMED_PATIENCE: u32 = 120;

/// How much longer than its time a player is waited for who searches one position.
const PATIENCE: Duration = Duration::from_secs(5);

impl TimeControl {
    /// Whether time plays any part.
    pub fn is_timed(&self) -> bool {
        self.base.is_some() || self.move_time.is_some()
    }

    /// How long to wait for an answer if a move may take `most`: `beyond` more, or many times that if nothing limits the time.
    pub(crate) fn patience(&self, most: Option<Duration>, beyond: Duration) -> Duration {
        match most {
            Some(most) => most.saturating_add(self.margin).saturating_add(beyond),
            None => beyond.saturating_mul(UNTIMED_PATIENCE),
        }
    }

    /// What a player is told who searches positions one by one. A clock plays no part in it.
    pub(crate) fn for_position(&self) -> MoveLimits {
        MoveLimits {
            move_time: self.move_time,
            nodes: self.nodes,
            depth: self.depth,
            patience: self.patience(self.move_time, PATIENCE),
            ..MoveLimits::default()
        }
    }

    /// Makes a limit of names and values.
    pub fn from_settings<'a>(
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<TimeControl, String> {
        let mut control = TimeControl::default();
        let mut margin = None;
        let mut seen: Vec<&str> = Vec::new();
        for (name, value) in settings {
            if seen.contains(&name) {
                return Err(format!("{name} is given twice"));
            }
            seen.push(name);
            let whole = || {
                let number = value.parse::<u64>().ok().filter(|&number| number > 0);
                number.ok_or(format!("expected a whole number above 0 for {name}, not {value:?}"))
            };
            let small =
                || u32::try_from(whole()?).map_err(|_| format!("{name} cannot be {value}: too large"));
            match name {
                "tc" => {
                    let (base, increment) = value.split_once('+').unwrap_or((value, "0"));
                    (control.base, control.increment) =
                        (Some(parse_duration(base)?), parse_duration(increment)?);
                }
                "moves" => control.moves = Some(small()?),
                "time" => control.move_time = Some(parse_duration(value)?),
                "nodes" => control.nodes = Some(whole()?),
                "depth" => control.depth = Some(small()?),
                "margin" => margin = Some(parse_duration(value)?),
                other => {
                    return Err(format!("expected tc, moves, time, nodes, depth or margin, not {other:?}"));
                }
            }
        }
        if control == (TimeControl { moves: control.moves, ..TimeControl::default() }) {
            return Err("expected a limit: tc, time, nodes or depth".to_string());
        }
        if control.move_time == Some(Duration::ZERO)
            || (control.base == Some(Duration::ZERO) && control.increment.is_zero())
        {
            return Err("expected a time above 0".to_string());
        }
        if control.moves.is_some() && control.base.is_none() {
            return Err("moves is the length of a period: it needs tc, the time for the period".to_string());
        }
        control.margin = margin.unwrap_or(if control.is_timed() { DEFAULT_MARGIN } else { Duration::ZERO });
        Ok(control)
    }
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeControl, String> {
        TimeControl::from_settings(split_settings(text)?)
    }
}

impl fmt::Display for TimeControl {
    /// Text that can be read back.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let seconds = |time: Duration| time.as_secs_f64().to_string();
        let base = self.base.map(|base| format!("tc={}+{}", seconds(base), seconds(self.increment)));
        let settings = [
            base,
            self.moves.map(|moves| format!("moves={moves}")),
            self.move_time.map(|time| format!("time={}", seconds(time))),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
            self.is_timed().then(|| format!("margin={}", seconds(self.margin))),
        ];
        write!(f, "{}", settings.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

/// Takes `name=value,name=value` apart.
pub(crate) fn split_settings(text: &str) -> Result<Vec<(&str, &str)>, String> {
    let settings = text.split(',').filter(|setting| !setting.trim().is_empty()).map(|setting| {
        let (name, value) =
            setting.split_once('=').ok_or_else(|| format!("expected NAME=VALUE, not {setting:?}"))?;
        Ok((name.trim(), value.trim()))
    });
    settings.collect()
}

/// Reads a time: 2.5 (seconds), 500ms, 1m.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let unit = match &text[digits..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err("expected a number of seconds, or a number with ms, s, m or h".to_string()),
    };
    let number: f64 =
        text[..digits].parse().map_err(|_| "expected a number, as in 2.5 or 500ms".to_string())?;
    Duration::try_from_secs_f64(number * unit).map_err(|_| "expected a time that is not negative".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_checked_and_written() {
        let read = |text: &str| text.parse::<TimeControl>().expect("a limit");
        let tc = read("tc=10+0.1,moves=40");
        assert_eq!((tc.base, tc.moves), (Some(Duration::from_secs(10)), Some(40)));
        assert_eq!((tc.increment, tc.margin), (Duration::from_millis(100), DEFAULT_MARGIN));
        assert_eq!(read("nodes=500").nodes, Some(500));
        assert_eq!(read("time=1,margin=0").margin, Duration::ZERO);
        for text in ["tc=10+0.1,moves=40,margin=0.05", "time=0.5,margin=0", "nodes=5,depth=3"] {
            assert_eq!(read(text).to_string(), text);
        }
        for bad in [
            "",
            "nodes",
            "nodes=0",
            "nodes=x",
            "speed=1",
            "margin=5ms",
            "tc=-1",
            "moves=40",
            "nodes=9,moves=4",
            "time=0",
            "tc=0",
            "nodes=1,nodes=2",
        ] {
            assert!(bad.parse::<TimeControl>().is_err(), "{bad}");
        }
    }

    #[test]
    fn times_are_read_with_and_without_units() {
        for (text, millis) in [("2.5", 2500), ("500ms", 500), ("1m", 60_000), ("2h", 7_200_000)] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)));
        }
        for bad in ["", "x", "-1", "1e400", "5days", "nan"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }
}
