//! Which first stones of a turn win, and which hold, by double threats alone.

use outplay_core::{Game, Move, MoveList};

use crate::position::Connect;
use crate::rules::Rules;
use crate::threats::attack::{Attacks, Wanted};
use crate::threats::board::Board;
use crate::threats::zone::zone;
use crate::threats::{Limits, Proof, Solver, Stones, Threats, Verdict};

const LIMITS: Limits = Limits { nodes: 100_000, turns: 30 };

/// Asks the solver. Whatever it cannot decide is `None`: then there is nothing to be said of the position.
pub struct Judge {
    solver: Solver,
    board: Board,
}

impl Judge {
    pub fn new() -> Judge {
        let solver = Solver::new(Rules::CONNECT6).expect("rules that it knows");
        Judge { solver, board: Board::new(Rules::CONNECT6) }
    }

    /// What the player to move has.
    pub fn verdict(&mut self, position: &Connect) -> Verdict {
        self.solver.solve(position, Threats::Double, LIMITS).expect("a game that goes on").verdict
    }

    /// What the other player would have if the turn ended here.
    pub fn verdict_if_passed(&mut self, position: &Connect) -> Verdict {
        self.verdict(&passed(position))
    }

    /// All first stones after which the player to move still wins.
    pub fn winning_stones(&mut self, position: &Connect) -> Option<Vec<Move>> {
        let mut winning = Vec::new();
        for m in position.legal_moves().each() {
            match self.verdict(&position.after(m)) {
                Verdict::Win(_) => winning.push(m),
                Verdict::None => {}
                Verdict::Cut => return None,
            }
        }
        Some(winning)
    }

    /// The turns after which the other player, who wins if the player to move passes, has no win any more. Only stones in the zone of a win
    /// can change it; `None` also if one stone is enough, because then the other may go anywhere.
    pub fn holding_turns(&mut self, position: &Connect) -> Option<Vec<Stones>> {
        let Verdict::Win(proof) = self.verdict_if_passed(position) else { return None };
        let mut holding = Vec::new();
        for first in self.zone_if_passed(position, &proof, 2) {
            let placed = position.after(Move::new(first));
            let Verdict::Win(proof) = self.verdict_if_passed(&placed) else { return None };
            for second in self.zone_if_passed(&placed, &proof, 1) {
                if self.holds(&placed, Move::new(second))? {
                    holding.push(Stones::pair(first, second));
                }
            }
        }
        holding.sort_unstable();
        holding.dedup();
        Some(holding)
    }

    /// The same by trying every turn there is, whatever zones say.
    pub fn holding_turns_of_all(&mut self, position: &Connect) -> Option<Vec<Stones>> {
        let mut holding = Vec::new();
        for first in position.legal_moves().each() {
            let placed = position.after(first);
            for second in placed.legal_moves().each().filter(|&second| second > first) {
                if self.holds(&placed, second)? {
                    holding.push(Stones::pair(first.bits(), second.bits()));
                }
            }
        }
        Some(holding)
    }

    /// Whether the other player has no win after the last stone of a turn.
    fn holds(&mut self, placed: &Connect, second: Move) -> Option<bool> {
        match self.verdict(&placed.after(second)) {
            Verdict::Win(_) => Some(false),
            Verdict::None => Some(true),
            Verdict::Cut => None,
        }
    }

    fn zone_if_passed(&self, position: &Connect, proof: &Proof, stones_more: usize) -> Vec<u16> {
        let mut cells = zone(&self.board, &passed(position), proof, stones_more);
        cells.retain(|&cell| position.is_legal(Move::new(cell)));
        cells
    }

    /// Whether the other player could complete a row in its next turn.
    pub fn is_threatened(&self, position: &Connect) -> bool {
        let mut gaps = Vec::new();
        self.board.gaps(position, !position.to_move(), &mut gaps);
        !gaps.is_empty()
    }

    /// The double threat that promises most: the one that the solver tries first.
    pub fn tempting_turn(&self, position: &Connect) -> Option<Stones> {
        let mut to_stop = Vec::new();
        self.board.gaps(position, !position.to_move(), &mut to_stop);
        let wanted = Wanted { threats: 2, everywhere: false, most: usize::MAX };
        let mut attacks = Attacks::new(Rules::CONNECT6);
        let found = attacks.find(&self.board, &mut position.clone(), &to_stop, wanted);
        found.first().map(|attack| attack.stones)
    }
}

/// All stones of these turns, each once: whichever comes first.
pub fn stones_of(turns: &[Stones]) -> Vec<Move> {
    let mut stones: Vec<Move> = turns.iter().flat_map(|turn| turn.moves()).collect();
    stones.sort_unstable();
    stones.dedup();
    stones
}

fn passed(position: &Connect) -> Connect {
    let mut passed = position.clone();
    passed.end_turn();
    passed
}
