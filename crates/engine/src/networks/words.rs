//! What a network says of a position, in words.

use outplay_core::text::cell_text;
use outplay_core::{Line, Notation};
use outplay_search::Opinion;
use serde::Serialize;

use crate::picture::{Drawing, Touch};

/// What a network says of a position, for the player to move.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct NetworkOpinion {
    /// The network, and what runs it.
    pub network: String,
    /// The chances to win, to draw and to lose.
    pub wdl: [f64; 3],
    /// The same in hundredths of the game's unit.
    pub score: i32,
    /// How many plies the game will still last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves_left: Option<f32>,
    /// By how much the game will be won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<f32>,
    /// The legal moves, best first.
    pub policy: Vec<PolicyMove>,
    /// Whose the cells will be at the end, where the network tells.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ownership: Vec<OwnedCell>,
}

/// A move, and how good it looks.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct PolicyMove {
    /// As programs exchange it.
    #[serde(rename = "move")]
    pub plain: String,
    /// As people write it.
    pub text: String,
    /// Its share of the policy.
    pub probability: f32,
    /// The cells that it touches.
    #[serde(flatten)]
    pub touch: Touch,
}

/// A cell, and whose it will be.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct OwnedCell {
    /// The cell.
    pub cell: String,
    /// From -1 for the opponent to 1 for the player to move.
    pub value: f32,
}

impl NetworkOpinion {
    /// An opinion on the position at the end of a line.
    pub(crate) fn new<G: Notation>(
        opinion: &Opinion,
        line: &Line<G>,
        rules: &G::Rules,
        drawing: &dyn Drawing<G>,
    ) -> NetworkOpinion {
        let position = line.position();
        let policy = opinion.policy.iter().map(|&(m, probability)| PolicyMove {
            plain: position.plain_move_text(rules, m),
            text: position.move_text(m),
            probability,
            touch: drawing.touch(position, m),
        });
        let columns = drawing.board(position).columns.max(1);
        let owned = opinion.ownership.iter().enumerate();
        let owned =
            owned.map(|(cell, &value)| OwnedCell { cell: cell_text(cell % columns, cell / columns), value });
        let (wl, draw) = (f64::from(opinion.value.win_minus_loss), f64::from(opinion.value.draw));
        NetworkOpinion {
            network: opinion.source.clone(),
            wdl: [(1.0 - draw + wl) / 2.0, draw, (1.0 - draw - wl) / 2.0],
            score: opinion.score,
            moves_left: opinion.moves_left,
            margin: opinion.margin,
            policy: policy.collect(),
            ownership: owned.collect(),
        }
    }
}
