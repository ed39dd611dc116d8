//! Which encoder a network was made for.

use std::sync::Arc;

use outplay_core::{Game, Planes};
use outplay_net::{BlockKind, BoardSize, Description, Heads, Input, NetError, PolicyKind, ValueKind};
use outplay_search::ExactLabels;
use outplay_search::mcts::LeafEncoder;

use super::shipped::{SHIPPED, Shipped};

/// What a game brings for networks: its encoders, the usual one first, and perhaps a solver that labels positions to learn from.
pub struct Encoders<G> {
    encoders: Arc<[Arc<dyn LeafEncoder<G>>]>,
    labels: Option<Arc<dyn ExactLabels<G>>>,
}

/// What is to be known of an encoder without the type of its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EncoderInfo {
    /// What network files call it.
    pub name: String,
    /// The planes that it writes.
    pub planes: Planes,
    /// How many numbers a policy has.
    pub policy_size: usize,
}

impl EncoderInfo {
    /// That of an encoder.
    pub(crate) fn of<G: Game>(encoder: &dyn LeafEncoder<G>) -> EncoderInfo {
        let (planes, policy_size) = (encoder.planes(), encoder.policy_size());
        EncoderInfo { name: encoder.name().to_string(), planes, policy_size }
    }

    /// A network for it: a tower of these blocks with heads for policy and value.
    pub fn description(&self, game: String, channels: usize, blocks: Vec<BlockKind>) -> Description {
        let Planes { rows, columns, bits, constants } = self.planes;
        let cells = rows * columns;
        // Moves that are cells, or planes of them, keep their places; others need a layer that sees the whole board.
        let policy = match self.policy_size.is_multiple_of(cells) {
            true => PolicyKind::Convolution { kernel: 3, channels, planes: self.policy_size / cells },
            false => PolicyKind::Dense { channels: 8, outputs: self.policy_size },
        };
        Description {
            game,
            board: BoardSize { rows, columns },
            input: Input { encoder: self.name.clone(), bit_planes: bits, constant_planes: constants },
            channels,
            blocks,
            heads: Heads {
                policy,
                value: ValueKind::WinDrawLoss { channels: 8, hidden: 64 },
                ..Heads::default()
            },
            made_by: None,
        }
    }
}

impl<G> Clone for Encoders<G> {
    fn clone(&self) -> Encoders<G> {
        Encoders { encoders: self.encoders.clone(), labels: self.labels.clone() }
    }
}

impl<G: Game> Encoders<G> {
    /// A game with one encoder.
    pub fn of(encoder: impl LeafEncoder<G> + 'static) -> Encoders<G> {
        Encoders { encoders: Arc::new([Arc::new(encoder)]), labels: None }
    }

    /// The same and one more.
    #[must_use]
    pub fn and(self, encoder: impl LeafEncoder<G> + 'static) -> Encoders<G> {
        let more: Arc<dyn LeafEncoder<G>> = Arc::new(encoder);
        Encoders { encoders: self.encoders.iter().cloned().chain([more]).collect(), ..self }
    }

    /// The same with a solver.
    #[must_use]
    pub fn labelled_by(self, labels: impl ExactLabels<G> + 'static) -> Encoders<G> {
        Encoders { labels: Some(Arc::new(labels)), ..self }
    }

    /// The solver, if there is one.
    pub(crate) fn labels(&self) -> Option<&dyn ExactLabels<G>> {
        self.labels.as_deref()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &dyn LeafEncoder<G>> {
        self.encoders.iter().map(|encoder| &**encoder)
    }

    /// The encoder of this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(&self, name: &str) -> Result<Arc<dyn LeafEncoder<G>>, NetError> {
        self.encoders.iter().find(|encoder| encoder.name() == name).cloned().ok_or_else(|| {
            let known: Vec<&str> = self.iter().map(|encoder| encoder.name()).collect();
            NetError::Misfit(format!("there is no encoder {name}; this game has {}", known.join(", ")))
        })
    }

    /// The usual one of the networks in the program that fit the game.
    pub(super) fn shipped(&self) -> Option<&'static Shipped> {
        SHIPPED.iter().find(|shipped| self.fit(shipped.description()).is_ok())
    }

    /// Whether their names begin with that of a game.
    pub(super) fn are_of(&self, game: &str) -> bool {
        self.iter().any(|encoder| encoder.name().starts_with(game))
    }

    /// The encoder that a network was made for.
    ///
    /// # Errors
    /// If the game has none of this name, or one that shows another board: in words that say what the network is for, and what would fit.
    pub fn fit(&self, description: &Description) -> Result<Arc<dyn LeafEncoder<G>>, NetError> {
        let fits = |encoder: &&Arc<dyn LeafEncoder<G>>| {
            encoder.name() == description.input.encoder
                && encoder.planes() == description.planes()
                && encoder.policy_size() == description.heads.policy.size(description.board)
        };
        self.encoders.iter().find(fits).cloned().ok_or_else(|| {
            let size = description.heads.policy.size(description.board);
            let network = words(&description.input.encoder, description.planes(), size);
            let known =
                self.iter().map(|encoder| words(encoder.name(), encoder.planes(), encoder.policy_size()));
            let known: Vec<String> = known.collect();
            let game = &description.game;
            NetError::Misfit(format!("it is for {game}, {network}; this game has {}", known.join(", ")))
        })
    }
}

/// An encoder in words.
fn words(name: &str, Planes { rows, columns, bits, constants }: Planes, policy: usize) -> String {
    let planes = bits + constants;
    format!("encoder {name} with {planes} planes of {columns}×{rows} and {policy} policy outputs")
}
