//! What computes networks: a processor, a GPU, a plain reference.

use crate::description::Description;
use crate::network::NetError;

/// A network ready to be run. All threads share one.
pub trait Backend: Send + Sync {
    /// The network that it runs.
    fn description(&self) -> &Description;

    /// What runs it, in a few words: "processor, AVX-512, exact".
    fn name(&self) -> String;

    /// How many positions it likes to have at once.
    fn batch_size(&self) -> usize;

    /// How many threads keep it busy, if it is a device beside the processor; `None` if every core makes it faster.
    fn serving_threads(&self) -> Option<usize> {
        None
    }

    /// What went wrong so far without being an error, because something else was there to go on with. It is told once: who asks again is told
    /// only of what is new.
    fn take_notice(&self) -> Option<String> {
        None
    }

    /// What a thread needs to run it, with memory of its own.
    fn begin(&self) -> Box<dyn Runner + '_>;
}

/// Runs a network for one thread.
///
/// Several batches may be under way at once: [`submit`](Runner::submit) begins one, [`collect`](Runner::collect) ends the one that was begun first. What
/// computes on the thread itself does all when a batch is submitted, which is what the defaults say.
pub trait Runner {
    /// Evaluates positions, any number of them, each packed as [`Planes`](outplay_core::Planes) says. What was in `outputs` is overwritten.
    ///
    /// # Errors
    /// If a position has the wrong number of words, or if the device fails. What is in `outputs` is then worth nothing.
    fn run(&mut self, positions: &[&[u64]], outputs: &mut Outputs) -> Result<(), NetError>;

    /// How many batches may be under way at once.
    fn most_in_flight(&self) -> usize {
        1
    }

    /// Begins to evaluate a batch as [`run`](Runner::run) does. Until it is collected into the same `outputs`, they are worth nothing. Positions are copied: they
    /// may be used for something else at once. After an error this batch is not under way; others still are.
    ///
    /// # Errors
    /// As for [`run`](Runner::run), or if as many batches as may be are under way.
    fn submit(&mut self, positions: &[&[u64]], outputs: &mut Outputs) -> Result<(), NetError> {
        self.run(positions, outputs)
    }

    /// Waits for the batch that was submitted first of those not collected yet, whose `outputs` these are. After an error it is not under way any more.
    ///
    /// # Errors
    /// If the device fails, or nothing is under way.
    fn collect(&mut self, outputs: &mut Outputs) -> Result<(), NetError> {
        let _ = outputs;
        Ok(())
    }
}

/// What a network says of a batch of positions, one after the other. Heads that the network does not have are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    /// How many positions there are.
    pub positions: usize,
    /// Logits, one for each policy index.
    pub policy: Vec<f32>,
    /// Chances to win, to draw and to lose, for the player to move. A network that has a single value v says (1 + v) / 2, 0 and (1 - v) / 2.
    pub value: Vec<[f32; 3]>,
    /// By how much the player to move will win, in the units of the game.
    pub margin: Vec<f32>,
    /// How many plies the game will last; never below zero.
    pub moves_left: Vec<f32>,
    /// For each cell, from -1 (the opponent's) to 1 (the mover's).
    pub ownership: Vec<f32>,
    /// Logits of the opponent's reply.
    pub reply: Vec<f32>,
}

impl Outputs {
    /// Makes room for so many positions of a network.
    pub fn resize(&mut self, description: &Description, positions: usize) {
        let (heads, board) = (&description.heads, description.board);
        let one = |has: bool| if has { positions } else { 0 };
        self.positions = positions;
        self.policy.resize(positions * heads.policy.size(board), 0.0);
        self.value.resize(positions, [0.0; 3]);
        self.margin.resize(one(heads.margin.is_some()), 0.0);
        self.moves_left.resize(one(heads.moves_left.is_some()), 0.0);
        self.ownership.resize(one(heads.ownership.is_some()) * board.cells(), 0.0);
        self.reply.resize(positions * heads.reply.map_or(0, |reply| reply.size(board)), 0.0);
    }

    /// The policy of one position.
    pub fn policy_of(&self, position: usize) -> &[f32] {
        part(&self.policy, position, self.positions)
    }

    /// The reply that is expected in one position.
    pub fn reply_of(&self, position: usize) -> &[f32] {
        part(&self.reply, position, self.positions)
    }

    /// The ownership of the cells in one position.
    pub fn ownership_of(&self, position: usize) -> &[f32] {
        part(&self.ownership, position, self.positions)
    }
}

fn part(all: &[f32], position: usize, positions: usize) -> &[f32] {
    let size = all.len() / positions.max(1);
    &all[position * size..][..size]
}
