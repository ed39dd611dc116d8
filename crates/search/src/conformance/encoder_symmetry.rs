//! The law of encoders for games with symmetries.

use outplay_core::conformance::{Effort, Violation};
use outplay_core::{Game, Line, MoveList, Planes, Symmetric, mix};

use super::encoder::{encoded, past, visit_lines};
use crate::mcts::LeafEncoder;

/// Turning the board and then encoding is encoding and then moving cells about: for each symmetry there is one permutation of the cells and one of the
/// policy that say for all positions what becomes of their planes and of their moves. Constant planes stay as they are.
///
/// The permutations need not be given: the law finds out whether there are any.
pub fn check_encoder_symmetry<G: Symmetric>(
    rules: &G::Rules,
    encoder: &dyn LeafEncoder<G>,
    effort: &Effort,
) -> Result<(), Violation> {
    let symmetries = G::start(rules).symmetries();
    let mut found: Vec<Found> = (0..symmetries).map(|_| Found::new(encoder)).collect();
    visit_lines(rules, effort, |line| {
        let past = past(encoder, line);
        let words = encoded(encoder, line.position(), &past);
        for (index, found) in found.iter_mut().enumerate() {
            let turned: G = line.position().transformed(index);
            let turned_past: Vec<G> = past.iter().map(|position| position.transformed(index)).collect();
            found.planes(line, index, &words, &encoded(encoder, &turned, &turned_past))?;
            if line.outcome().is_some() {
                continue;
            }
            for m in line.position().legal_moves().each() {
                let turned_move = line.position().transformed_move(m, index);
                let places =
                    [encoder.policy_index(line.position(), m), encoder.policy_index(&turned, turned_move)];
                found.policy(line, index, places)?;
            }
        }
        Ok(())
    })
}

/// What is known of the permutations of one symmetry.
struct Found {
    planes: Planes,
    /// For each cell, a hash of what all planes of all positions had in it: of the positions as they were, and turned. Cells are images of one another
    /// only if these are equal, so there is a permutation if each hash is as frequent here as there.
    cells: [Vec<u64>; 2],
    /// For each place in the policy the place of its image, and the other way round, as far as moves have told.
    places: [Vec<Option<u16>>; 2],
}

impl Found {
    fn new<G: Game>(encoder: &dyn LeafEncoder<G>) -> Found {
        let planes = encoder.planes();
        let (cells, places) = (vec![0; planes.cells()], vec![None; encoder.policy_size()]);
        Found { planes, cells: [cells.clone(), cells], places: [places.clone(), places] }
    }

    fn planes<G: Game>(
        &mut self,
        line: &Line<G>,
        index: usize,
        words: &[u64],
        turned: &[u64],
    ) -> Result<(), Violation> {
        let planes = self.planes;
        let bits = planes.bits * planes.words_of_plane();
        if words[bits..] != turned[bits..] {
            let details = format!("symmetry {index}: {:?} becomes {:?}", &words[bits..], &turned[bits..]);
            return Err(Violation::new("a symmetry keeps constant planes", details, line));
        }
        for (cells, words) in self.cells.iter_mut().zip([words, turned]) {
            for (cell, hash) in cells.iter_mut().enumerate() {
                for plane in words[..bits].chunks(planes.words_of_plane()) {
                    *hash = mix(*hash ^ plane[cell / 64] >> (cell % 64) & 1);
                }
            }
        }
        let [as_it_was, turned] = self.cells.clone().map(|mut cells| {
            cells.sort_unstable();
            cells
        });
        if as_it_was != turned {
            let details = format!(
                "under symmetry {index}, no permutation of the cells does that for all positions so far"
            );
            return Err(Violation::new("a symmetry permutes the cells of the planes", details, line));
        }
        Ok(())
    }

    fn policy<G: Game>(
        &mut self,
        line: &Line<G>,
        index: usize,
        [from, to]: [u16; 2],
    ) -> Result<(), Violation> {
        for (known, from, to) in [(0, from, to), (1, to, from)] {
            let image = self.places[known][usize::from(from)].get_or_insert(to);
            if *image != to {
                let details =
                    format!("under symmetry {index}, place {from} belongs to {to}, but earlier to {image}");
                return Err(Violation::new("a symmetry permutes the policy", details, line));
            }
        }
        Ok(())
    }
}
