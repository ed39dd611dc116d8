//! Playing through a recorded game move by move: what the readers of all formats share.

use outplay_core::{Game, Move, MoveTree, NodeId, Outcome, Record};

use crate::{Othello, PASS};

/// A record in the making and the position that its moves have reached.
pub(crate) struct Replay {
    record: Record<Othello>,
    node: NodeId,
    position: Othello,
}

impl Replay {
    pub(crate) fn new(start: Othello) -> Replay {
        Replay { record: Record::new(start), node: MoveTree::ROOT, position: start }
    }

    /// Starts from another position. Only before the first move.
    pub(crate) fn set_up(&mut self, start: Othello) {
        debug_assert!(!self.has_moves());
        self.record.start = start;
        self.position = start;
    }

    pub(crate) fn position(&self) -> &Othello {
        &self.position
    }

    pub(crate) fn has_moves(&self) -> bool {
        self.node != MoveTree::ROOT
    }

    /// Adds a tag, without looking for one of the same name: a file may hold very many.
    pub(crate) fn tag(&mut self, name: &str, value: &str) {
        self.record.tags.push((name.to_string(), value.to_string()));
    }

    /// Notes how the game ended according to its file.
    pub(crate) fn set_outcome(&mut self, outcome: Outcome) {
        self.record.outcome = Some(outcome);
    }

    /// Adds a legal move.
    pub(crate) fn push(&mut self, m: Move) {
        self.node = self.record.tree.add(self.node, m);
        self.position.play(m);
    }

    /// Adds the pass that most formats leave out, if the player to move has nothing else.
    pub(crate) fn pass_if_forced(&mut self) {
        if self.position.must_pass() {
            self.push(PASS);
        }
    }

    /// Adds to the comment on the last move.
    pub(crate) fn comment(&mut self, text: &str) {
        self.record.tree.add_comment(self.node, text);
    }

    /// The record. If nothing was said about the outcome, it is that of the position reached.
    pub(crate) fn finish(mut self) -> Record<Othello> {
        self.record.outcome = self.record.outcome.or(self.position.outcome());
        self.record
    }
}
