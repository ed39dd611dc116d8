//! What `INFO` tells: time, memory and rules.

use std::time::Duration;

use outplay_core::text::shortened;
use outplay_search::{Attribute, OptionValue};

use super::{Gomocup, Refusal};
use crate::serve::desk::Desk;

/// What managers say where there is no limit.
const NO_LIMIT: i64 = i32::MAX as i64;
/// The rules that we do not play, by the bits that ask for them.
const OTHER_RULES: [(i64, &str); 3] = [(1, "exactly five in a row"), (4, "renju"), (8, "caro")];
/// Of the memory that we may use, a table gets half.
const TABLE_SHARE: i64 = 2;

impl Gomocup {
    /// Takes a key and its value. Keys that we do not know are passed over, as the protocol says.
    pub(super) fn inform(&mut self, text: &str, desk: &mut Desk) -> Result<(), Refusal> {
        let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let (key, value) = (key.to_ascii_lowercase(), value.trim());
        let number = || {
            value
                .parse::<i64>()
                .map_err(|_| format!("INFO {key}: expected a number, not {}", shortened(value)))
        };
        match key.as_str() {
            "timeout_turn" => self.time_limits.turn_time = limit(number()?),
            // Zero is no limit for a game, other than for a turn.
            "timeout_match" => self.time_limits.left = [limit(number()?).filter(|time| !time.is_zero()); 2],
            "time_left" => self.time_limits.left = [limit(number()?); 2],
            "max_memory" => {
                self.most_memory = number()?;
                self.limit_table(desk)?;
            }
            "rule" => {
                let rule = number()?;
                let other = OTHER_RULES.iter().find(|(bit, _)| rule & bit != 0);
                self.refused_rule = other.map(|(_, name)| {
                    format!("INFO rule: {name} is not played here, only free-style gomoku, rule 0")
                });
                self.refused_rule.clone().map_or(Ok(()), Err)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Makes tables and trees smaller that have to be.
    pub(super) fn limit_table(&self, desk: &mut Desk) -> Result<(), Refusal> {
        if self.most_memory <= 0 {
            return Ok(());
        }
        let most_bytes = (self.most_memory / TABLE_SHARE).unsigned_abs();
        for (row, value) in desk.session.options().map_err(|error| error.to_string())? {
            let bytes = row.bytes_per_unit().filter(|_| row.is(Attribute::Kept));
            let (Some(bytes), OptionValue::Integer(units)) = (bytes, value) else { continue };
            let most = (most_bytes / bytes).max(1);
            let has_no_limit = units == 0 && row.is(Attribute::NoLimitAtZero);
            if has_no_limit || units.unsigned_abs() > most {
                let set = desk.session.set_option(&row.name, &most.to_string());
                set.map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }
}

/// Milliseconds; `None` for what stands for no limit.
fn limit(number: i64) -> Option<Duration> {
    (number < NO_LIMIT).then(|| Duration::from_millis(number.max(0).unsigned_abs()))
}
