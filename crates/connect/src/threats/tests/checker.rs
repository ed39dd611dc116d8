//! Whether a proof holds, cell by cell and with nothing of what the search uses.

use outplay_core::{Game, Move, MoveList, Outcome, Player};

use super::super::gaps::Stones;
use super::super::{Proof, Reply};
use crate::position::Connect;
use crate::rules::Rules;

/// The windows of a board, as indices of cells.
pub fn windows(rules: Rules) -> Vec<Vec<u16>> {
    let (columns, rows, length) = (rules.columns() as i32, rules.rows() as i32, rules.in_a_row() as i32);
    let mut windows = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let cells = (0..length).map(|step| (column + step * right, row + step * up));
                if cells.clone().all(|(c, r)| (0..columns).contains(&c) && (0..rows).contains(&r)) {
                    windows.push(cells.map(|(c, r)| (r * columns + c) as u16).collect());
                }
            }
        }
    }
    windows
}

/// Checks proofs of one game.
pub struct Checker {
    windows: Vec<Vec<u16>>,
}

impl Checker {
    pub fn new(rules: Rules) -> Checker {
        Checker { windows: windows(rules) }
    }

    /// What windows lack that a player could fill with two stones.
    fn fillable(&self, position: &Connect, player: Player) -> Vec<Vec<u16>> {
        let columns = position.rules().columns();
        let stones: Vec<Option<Player>> = (0..position.rules().cells())
            .map(|cell| position.stone_at(cell % columns, cell / columns))
            .collect();
        let at = |cell: &u16| stones[usize::from(*cell)];
        let is_open = |window: &&Vec<u16>| {
            window.iter().all(|cell| at(cell) != Some(!player))
                && window.iter().filter(|cell| at(cell).is_none()).count() <= 2
        };
        let open = self.windows.iter().filter(is_open);
        open.map(|window| window.iter().copied().filter(|cell| at(cell).is_none()).collect()).collect()
    }

    /// Whether a proof holds against every defence there is; if not, where it fails. Every turn has to make so many threats.
    pub fn check(&self, position: &Connect, proof: &Proof, least_threats: usize) -> Result<(), String> {
        let attacker = position.to_move();
        let fails = |why: &str, position: &Connect| Err(format!("{why}: {position:?}"));
        let (stones, replies) = match proof {
            Proof::Fill(stones) => {
                return match after(position, *stones) {
                    Some(filled) if filled.outcome() == Some(Outcome::win(attacker)) => Ok(()),
                    _ => fails("no row is filled", position),
                };
            }
            Proof::Threaten { stones, replies } => (stones, replies),
        };
        let Some(threatened) = after(position, *stones) else { return fails("no such turn", position) };
        if threatened.to_move() == attacker || threatened.outcome().is_some() {
            return fails("not a whole turn", position);
        }
        if !self.fillable(&threatened, !attacker).is_empty() {
            return fails("the defender wins first", &threatened);
        }
        let rows = self.fillable(&threatened, attacker);
        let stops = |stones: &[u16]| rows.iter().all(|row| row.iter().any(|cell| stones.contains(cell)));
        let empty: Vec<u16> = threatened.legal_moves().each().map(|m| m.bits()).collect();
        let threats = match () {
            () if stops(&[]) => 0,
            () if empty.iter().any(|&cell| stops(&[cell])) => 1,
            () => 2,
        };
        if threats < least_threats {
            return fails("too few threats", &threatened);
        }
        // A defence that stops nothing loses at once; so one of its stones is among these.
        let mut stopping: Vec<u16> = rows.iter().flatten().copied().collect();
        stopping.sort_unstable();
        stopping.dedup();
        for &a in &stopping {
            for &b in empty.iter().filter(|&&b| b != a && stops(&[a, b])) {
                if stopping.contains(&b) && b < a {
                    continue;
                }
                let Some(reply) = answer(replies, a, b) else {
                    return fails("a defence has no answer", &threatened);
                };
                let Some(answered) = after(&threatened, Stones::pair(a, b)) else {
                    return fails("no such reply", &threatened);
                };
                self.check(&answered, &reply.then, least_threats)?;
            }
        }
        Ok(())
    }
}

/// What a proof has for these two stones.
fn answer(replies: &[Reply], a: u16, b: u16) -> Option<&Reply> {
    let find = |stones: Stones| replies.iter().find(|reply| reply.stones == stones);
    find(Stones::pair(a, b)).or_else(|| find(Stones::one(a))).or_else(|| find(Stones::one(b)))
}

/// The position after these stones; `None` if they cannot be placed.
fn after(position: &Connect, stones: Stones) -> Option<Connect> {
    let mut position = position.clone();
    for m in stones.cells().map(Move::new) {
        if !position.is_legal(m) {
            return None;
        }
        position.play(m);
    }
    Some(position)
}
