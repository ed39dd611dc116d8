//! The row of the catalogue: the one place where the game is named.

use outplay_engine::{
    Encoders, Evaluations, Example, GameRow, GameSession, Icon, Level, PieceKind, Scale, ScoreStyle,
    Standing, Strength, Style, Variants,
};
use outplay_search::Bundle;

use crate::{Advance, Breakthrough, BreakthroughEncoder, PawnDrawing};

/// Breakthrough, for a catalogue.
pub const ROW: GameRow = GameRow {
    name: "breakthrough",
    aliases: &[],
    label: "Breakthrough",
    title: "Breakthrough: pawns on 8×8 that want to reach the other side",
    variants: Variants::NONE,
    example: "breakthrough",
    icon: Icon::Piece("P"),
    style: Style {
        kinds: &[PieceKind { kind: "P", name: "pawn", worth: 1 }],
        scores: ScoreStyle { digits: 2, unit: "", full_moves: true },
        standing: Some(Standing::Material),
        passes: false,
        endgame_cells: None,
    },
    strength: |_| Strength { levels: &LEVELS, scale: Scale::Points, steepness: STEEPNESS },
    examples: &[Example {
        name: "Breakthrough: from the start",
        aim: "Alpha-beta with a tiny evaluation, in a race for the last row.",
        featured: false,
        start: None,
        moves: &[],
        search: "pvs",
    }],
    lessons: &[],
    open: |variant| {
        Variants::none(variant)?;
        let evaluations = Evaluations::new("advance", Bundle::of(Advance)).and_networks(
            Bundle::of(Advance),
            Encoders::of(BreakthroughEncoder),
            STEEPNESS,
        );
        let session = GameSession::<Breakthrough>::with_evaluations((), evaluations);
        Ok(Box::new(session.with_drawing(PawnDrawing)))
    },
};

/// How fast the winning chance grows with the score.
const STEEPNESS: f64 = 0.01;

const LEVELS: [Level; 4] = [
    level("newcomer", 300, &[("noise", "1.2"), ("blunders", "15")], 1_000),
    level("casual player", 1_000, &[("noise", "0.4"), ("blunders", "5")], 1_000),
    level("club player", 2_000, &[], 0),
    level("full strength", 1_000_000, &[], 0),
];

/// A level whose strength nobody has measured.
const fn level(
    name: &'static str,
    nodes: u64,
    settings: &'static [(&'static str, &'static str)],
    pause_ms: u64,
) -> Level {
    Level { name, search: "pvs", settings, nodes, rating: None, pause_ms }
}
