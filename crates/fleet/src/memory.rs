//! What the games of an experiment take of a machine's memory.

use outplay_engine::{NamedGame, SessionError};
use outplay_lab::{PlayerKind, PlayerSpec};
use outplay_search::{Attribute, MEBIBYTE, OptionValue};

/// The memory that a player takes, in MiB, as far as its options tell: those of its tables and trees.
pub fn memory_of(game: &NamedGame, spec: &PlayerSpec) -> Result<u64, SessionError> {
    let PlayerKind::Own { options } = &spec.kind else { return Ok(0) };
    let mut session = game.open()?;
    let (search, others): (Vec<_>, Vec<_>) = options.iter().partition(|(name, _)| name == "search");
    for (name, value) in search.iter().chain(&others) {
        session.set_option(name, value)?;
    }
    let bytes = session.options()?.into_iter().map(|(row, value)| {
        let of_unit = row.attributes.iter().find_map(|attribute| match attribute {
            Attribute::Memory { bytes } => Some(*bytes),
            _ => None,
        });
        match (of_unit, value) {
            (Some(bytes), OptionValue::Integer(units)) => {
                bytes.saturating_mul(u64::try_from(units).unwrap_or(0))
            }
            _ => 0,
        }
    });
    Ok(bytes.fold(0, u64::saturating_add).div_ceil(MEBIBYTE))
}
