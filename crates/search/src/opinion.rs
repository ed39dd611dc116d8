//! What is said of a position by itself, before anything is searched.

use outplay_core::Move;

use crate::mcts::LeafValue;

/// All that a policy-value network says of a position, in the view of the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    /// Who says so.
    pub source: String,
    /// The legal moves, each with the share of the policy that it has, best first.
    pub policy: Vec<(Move, f32)>,
    /// The chances, and how long the game will last if that is told.
    pub value: LeafValue,
    /// The same in hundredths of the game's unit, as evaluations say it.
    pub score: i32,
    /// How many plies the game will still last, if anybody says so.
    pub moves_left: Option<f32>,
    /// By how much the game will be won, in the units of the game, if anybody says so.
    pub margin: Option<f32>,
    /// For each cell, row by row from the lower left, whose it will be: from -1 for the opponent to 1 for the player to move. Empty if nobody says so.
    pub ownership: Vec<f32>,
}
