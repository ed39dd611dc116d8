//! How far to look, as Othello programs are told it: by a depth for the middle game, from which the end follows.

use outplay_core::Notation;
use outplay_engine::{Session, SessionError};
use outplay_othello::{Endgames, Othello};
use outplay_search::{Limits, Oracle};

/// The largest depth that means something.
pub(crate) const DEEPEST: u32 = 60;
/// The end is solved so many plies before a search to the depth would see it, because that takes about as long.
const SOLVED_EARLIER: u32 = 8;
/// More empty squares are not waited for, whatever the depth.
const MOST_SOLVED: u32 = 24;
/// A solver gets so many times the nodes that it can be expected to take: half of what the search may take is its share.
const SPARE: u64 = 8;
/// Playouts for a ply, squared: for searches that complete no depth.
const PLAYOUTS: u64 = 100;

/// The limits of a search of the current position to this depth.
pub(crate) fn limits_of_depth(depth: u32, session: &mut dyn Session) -> Result<Limits, SessionError> {
    let depth = depth.clamp(1, DEEPEST);
    let Ok(position) = Othello::parse_position(&(), &session.position_text()) else {
        return Ok(Limits { depth: Some(depth), ..Limits::default() });
    };
    let empty = position.empty().count_ones();
    if empty <= (depth + SOLVED_EARLIER).min(MOST_SOLVED) {
        let expected = Endgames.solver_nodes(&position).unwrap_or(0).max(1_000);
        return Ok(Limits { nodes: Some(SPARE * expected), ..Limits::default() });
    }
    let chosen = session.options()?.into_iter().find(|(row, _)| row.name == "search");
    let chosen = chosen.map(|(_, value)| value.to_string());
    let counts_playouts = session
        .searches()
        .iter()
        .any(|search| search.counts_playouts && Some(search.name) == chosen.as_deref());
    Ok(match counts_playouts {
        true => Limits { nodes: Some(PLAYOUTS * u64::from(depth).pow(2)), ..Limits::default() },
        false => Limits { depth: Some(depth), ..Limits::default() },
    })
}
