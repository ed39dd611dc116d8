//! Wins by double threats, for a search that asks of many positions, and of the same ones again and again.

use outplay_core::Game;
use outplay_search::ForcedWin;

use crate::position::Connect;
use crate::rules::Rules;
use crate::threats::{Limits, Proof, Vcdt, Verdict};

/// Positions that are remembered; a power of two.
const PLACES: usize = 1 << 14;
/// No win is longer than this.
const TURNS: usize = 20;

/// What was found out about a position.
#[derive(Clone, Copy, Default)]
struct Asked {
    key: u64,
    /// With how many nodes; 0 for never.
    nodes: u32,
    is_won: bool,
}

/// The search for wins, with what it has said in this search.
pub(super) struct Wins {
    vcdt: Vcdt,
    asked: Vec<Asked>,
}

impl Wins {
    pub fn new(rules: Rules) -> Wins {
        Wins { vcdt: Vcdt::new(rules), asked: vec![Asked::default(); PLACES] }
    }

    /// Forgets what it has said.
    pub fn forget(&mut self) {
        self.asked.fill(Asked::default());
    }

    /// Whether the player to move wins, as far as so many nodes tell, or as many as there is time for.
    pub fn is_won(&mut self, position: &Connect, nodes: u32, is_late: &dyn Fn() -> bool) -> bool {
        let key = position.key();
        let place = key as usize % PLACES;
        let known = self.asked[place];
        if known.key == key && (known.is_won || known.nodes >= nodes) {
            return known.is_won;
        }
        let limits = Limits { nodes: nodes.into(), turns: TURNS };
        let is_won = self.vcdt.is_won(&mut position.clone(), limits, is_late);
        // What was broken off is a search that ends, and nobody asks again before it is forgotten.
        self.asked[place] = Asked { key, nodes, is_won };
        is_won
    }

    /// Where a stone may prevent a win of the other player, if there is one, as far as so many nodes tell, after a turn that ended here. One of
    /// the stones that are left must go there, and it may as well be the first. [cell]
    pub fn prevention(&mut self, position: &Connect, nodes: u32) -> Option<Vec<bool>> {
        let left = usize::from(position.turn().stones_left);
        let mut passed = position.clone();
        passed.end_turn();
        let limits = Limits { nodes: nodes.into(), turns: TURNS };
        let zone = self.vcdt.quick_zone(&mut passed, limits, left)?;
        let mut may_go = vec![false; position.rules().cells()];
        zone.into_iter().for_each(|cell| may_go[usize::from(cell)] = true);
        Some(may_go)
    }

    /// Such a win, looked for with so many nodes, or until it is late.
    pub fn forced(
        &mut self,
        position: &Connect,
        nodes: u64,
        is_late: &dyn Fn() -> bool,
    ) -> Option<ForcedWin> {
        self.vcdt.begin(position.to_move());
        match self.vcdt.look_until_late(&mut position.clone(), Limits { nodes, turns: TURNS }, is_late) {
            Verdict::Win(proof) => Some(shown(position, &proof)),
            Verdict::None | Verdict::Cut => None,
        }
    }
}

/// A win as moves.
fn shown(position: &Connect, proof: &Proof) -> ForcedWin {
    let (left, in_a_turn) = (usize::from(position.turn().stones_left), position.rules().turn_stones());
    let mut line = Vec::new();
    let mut due = left;
    for stones in proof.main_line() {
        line.extend(stones.moves());
        // Where the other stone of a turn may go anywhere, nobody knows how the line goes on.
        if stones.moves().count() < due {
            break;
        }
        due = in_a_turn;
    }
    ForcedWin { line, plies: left + 2 * in_a_turn * (proof.turns() - 1) }
}
