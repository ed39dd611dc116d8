//! A win that can be checked: what the attacker plays, whatever the other side does.

use outplay_core::Move;

use super::gaps::Stones;
use crate::position::{self, Connect};

/// How a win goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// These stones complete a row.
    Fill(Stones),
    /// These stones threaten to complete one.
    Threaten {
        /// The turn of the attacker.
        stones: Stones,
        /// All that stops the threats. If nothing does, there is none, and whatever the defender does, a row is completed next.
        replies: Vec<Reply>,
    },
}

/// What the defender does against threats, and how the win goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// Two stones; or one, which stops all threats alone: then the other may go anywhere, but for pairs that have a reply of their own.
    pub stones: Stones,
    /// What follows. After one stone: with the attacker to move and the other stone not on the board, because it changes nothing.
    pub then: Proof,
}

impl Proof {
    /// The turns of the attacker, the one that completes the row among them, if the other side holds out as long as it can.
    pub fn turns(&self) -> usize {
        match self {
            Proof::Fill(_) => 1,
            Proof::Threaten { replies, .. } => 1 + replies.iter().map(Reply::turns).max().unwrap_or(1),
        }
    }

    /// The turns of both sides if the defender holds out as long as it can. It ends with a row, or with threats that nothing stops.
    pub fn main_line(&self) -> Vec<Stones> {
        let mut line = Vec::new();
        let mut proof = self;
        loop {
            match proof {
                Proof::Fill(stones) => {
                    line.push(*stones);
                    return line;
                }
                Proof::Threaten { stones, replies } => {
                    line.push(*stones);
                    // Of several that hold out as long, the first.
                    let Some(longest) = replies.iter().rev().max_by_key(|reply| reply.turns()) else {
                        return line;
                    };
                    line.push(longest.stones);
                    proof = &longest.then;
                }
            }
        }
    }
}

impl Reply {
    fn turns(&self) -> usize {
        self.then.turns()
    }
}

/// What takes a turn back.
pub(crate) type Undo = (position::Undo, Option<position::Undo>);

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
