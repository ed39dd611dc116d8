//! A win that can be checked: what the attacker plays, whatever the other side does.

use outplay_core::{Move, Reversible};

use super::gaps::Stones;
use crate::position::Connect;

/// How a win goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// These stones complete a row.
    Fill(Stones),
    /// These stones threaten; the replies are all that stop the threats. There may be none.
    Threaten { stones: Stones, replies: Vec<(Stones, Proof)> },
}

impl Proof {
    /// The turns of the attacker, if the other side holds out as long as it can.
    pub fn turns(&self) -> usize {
        match self {
            Proof::Fill(_) => 1,
            // If nothing stops the threats, one of them is filled next.
            Proof::Threaten { replies, .. } => {
                1 + replies.iter().map(|(_, proof)| proof.turns()).max().unwrap_or(1)
            }
        }
    }
}

/// What takes a turn back.
pub(crate) type Undo = (<Connect as Reversible>::Undo, Option<<Connect as Reversible>::Undo>);

/// Plays the stones of a turn.
pub(crate) fn make(position: &mut Connect, stones: Stones) -> Undo {
    let first = position.make(Move::new(stones.first));
    (first, stones.second.map(|cell| position.make(Move::new(cell))))
}

/// Takes such stones back.
pub(crate) fn unmake(position: &mut Connect, stones: Stones, (first, second): Undo) {
    if let Some((cell, undo)) = stones.second.zip(second) {
        position.unmake(Move::new(cell), undo);
    }
    position.unmake(Move::new(stones.first), first);
}
