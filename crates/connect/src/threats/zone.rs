//! Where stones of the defender would matter to a win that is proved.
//!
//! A proof goes through unchanged if the defender has a few stones more, anywhere but in its *zone*: the cells that the attacker's stones go
//! to, the gaps that they threaten to fill, and the cells from which such stones would make a threat of their own. So a win against a defender
//! who does without a stone is one against all stones outside the zone, and only those inside have to be tried.
//!
//! How many stones more there may be counts: two of them together make threats that one does not. Where a proof lets the defender do
//! without another stone, there is one more from there on.

use outplay_core::{Game, MoveList, Player};

use super::board::Board;
use super::gaps::Stones;
use super::proof::{Proof, Reply, make, unmake};
use crate::position::Connect;

/// The zone of a proof, for so many stones more; the cells in order.
pub(crate) fn zone(board: &Board, position: &Connect, proof: &Proof, stones_more: usize) -> Vec<u16> {
    let mut collector = Collector { board, attacker: position.to_move(), cells: Vec::new() };
    collector.collect(&mut position.clone(), proof, stones_more);
    let mut cells = collector.cells;
    cells.sort_unstable();
    cells.dedup();
    cells
}

struct Collector<'a> {
    board: &'a Board,
    attacker: Player,
    cells: Vec<u16>,
}

impl Collector<'_> {
    fn collect(&mut self, position: &mut Connect, proof: &Proof, stones_more: usize) {
        match proof {
            Proof::Fill(stones) => self.cells.extend(stones.cells()),
            Proof::Threaten { stones, replies } => {
                self.cells.extend(stones.cells());
                let undo = make(position, *stones);
                let mut gaps = Vec::new();
                self.board.gaps(position, self.attacker, &mut gaps);
                self.cells.extend(gaps.iter().flat_map(|gap| gap.cells()));
                self.collect_threats_by(position, stones_more);
                for Reply { stones, then } in replies {
                    self.collect_reply(position, *stones, then, stones_more);
                }
                unmake(position, *stones, undo);
            }
        }
    }

    fn collect_reply(&mut self, position: &mut Connect, stones: Stones, then: &Proof, stones_more: usize) {
        let undo = make(position, stones);
        if stones.second.is_some() {
            self.collect(position, then, stones_more);
        } else {
            let turn = position.end_turn();
            self.collect(position, then, stones_more + 1);
            position.resume_turn(turn);
        }
        unmake(position, stones, undo);
    }

    /// The cells from which so many stones make a threat: the defender, to move, would rather fill that than stop anything.
    fn collect_threats_by(&mut self, position: &Connect, stones_more: usize) {
        if stones_more >= 4 || stones_more + 2 >= position.rules().in_a_row() {
            // Windows matter then that hold no stone yet. To say so of every cell is simple, and right.
            self.cells.extend(position.legal_moves().each().map(|m| m.bits()));
            return;
        }
        let Collector { board, cells, attacker } = self;
        board.visit_cells(position, !*attacker, 3..=2 + stones_more, |cell| cells.push(cell));
    }
}
