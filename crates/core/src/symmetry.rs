//! Board symmetries.

use crate::{Game, Move, MoveList};

/// A game whose board can be turned or mirrored without changing the game.
///
/// Symmetries are numbered; 0 is the identity. They must form a group that commutes with play: turning the
/// board and then playing the turned move gives the same as playing and then turning. How many there are may
/// depend on the rules (a square board has eight, an oblong one four), not on the stones. A game that has none
/// takes the provided methods.
pub trait Symmetric: Game {
    /// How many symmetries there are, the identity included.
    fn symmetries(&self) -> usize {
        1
    }

    /// The position under symmetry `index`.
    #[must_use]
    fn transformed(&self, index: usize) -> Self {
        debug_assert_eq!(index, 0);
        self.clone()
    }

    /// A move of this position under symmetry `index`.
    #[must_use]
    fn transformed_move(&self, m: Move, index: usize) -> Move {
        debug_assert_eq!(index, 0);
        m
    }
}

/// A position with the one of its images that stands for all of them, for whoever wants to know them only once.
///
/// That is the image with the least key. Where a position looks the same from several sides, so do its moves; of those the least stands for
/// all. So images of one another have the same image, and what is known of a move there is known of each of its originals.
#[derive(Clone, PartialEq, Debug)]
pub struct Folded<G> {
    /// The image that stands for the position.
    pub position: G,
    /// The legal moves of the position, each with the move of the image that stands for it.
    pub moves: Vec<(Move, Move)>,
}

impl<G: Symmetric> Folded<G> {
    /// Folds a position.
    pub fn of(position: &G) -> Folded<G> {
        let images: Vec<G> = (0..position.symmetries()).map(|index| position.transformed(index)).collect();
        let least = images.iter().map(Game::key).min().unwrap_or_else(|| position.key());
        let ways: Vec<usize> = (0..images.len()).filter(|&index| images[index].key() == least).collect();
        let image =
            |m: Move| ways.iter().map(|&index| position.transformed_move(m, index)).min().unwrap_or(m);
        let moves = position.legal_moves().each().map(|m| (m, image(m))).collect();
        let standing = ways.first().map_or(position, |&index| &images[index]).clone();
        Folded { position: standing, moves }
    }
}

impl<G: Game> Folded<G> {
    /// The key of the image.
    pub fn key(&self) -> u64 {
        self.position.key()
    }

    /// What stands for a legal move of the position; `None` if it is not legal.
    pub fn image(&self, m: Move) -> Option<Move> {
        self.moves.iter().find(|(original, _)| *original == m).map(|(_, image)| *image)
    }

    /// The legal moves of the position that a move of the image stands for.
    pub fn originals(&self, image: Move) -> impl Iterator<Item = Move> + '_ {
        self.moves.iter().filter(move |(_, other)| *other == image).map(|(original, _)| *original)
    }
}
