//! Where a stone of the defender would matter to a win that is proved.
//!
//! A proof goes through unchanged if the defender has one stone more, anywhere but in its *zone*: the cells that the attacker's stones go to,
//! the gaps that they threaten to fill, and the cells from which that stone would make a threat of its own. So a win against a defender who
//! passes with one stone (or both) is one against all stones outside the zone, and only those inside have to be tried.

use outplay_core::{Game, Player};

use super::board::Board;
use super::proof::{Proof, make, unmake};
use crate::position::Connect;

/// The zone of a proof, for one more stone; the cells in order.
pub(crate) fn zone(board: &Board, position: &Connect, proof: &Proof) -> Vec<u16> {
    let mut collector = Collector { board, attacker: position.to_move(), cells: Vec::new() };
    collector.collect(&mut position.clone(), proof);
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
    fn collect(&mut self, position: &mut Connect, proof: &Proof) {
        // One stone more in such a window makes a threat, which the attacker would have to stop.
        let mut windows = Vec::new();
        self.board.lacking::<3>(position, !self.attacker, &mut windows);
        self.cells.extend(windows.iter().flatten());
        let mut gaps = Vec::new();
        match proof {
            Proof::Fill(stones) => self.cells.extend(stones.cells()),
            Proof::Threaten { stones, replies } => {
                self.cells.extend(stones.cells());
                let undo = make(position, *stones);
                self.board.gaps(position, self.attacker, &mut gaps);
                self.cells.extend(gaps.iter().flat_map(|gap| gap.cells()));
                for reply in replies {
                    let undo = make(position, reply.stones);
                    self.collect(position, &reply.then);
                    unmake(position, reply.stones, undo);
                }
                unmake(position, *stones, undo);
            }
        }
    }
}
