//! Networks on a processor: kernels of our own over three instruction sets.
//!
//! Almost all of the work is 3×3 convolutions. Winograd's method (`winograd.rs`) turns each into 36 products of matrices, one for each point of a transform:
//!
//! ```text
//!   channels of a board, framed          transformed boards              products
//!   [16 channels][cell of the frame]     [36 points][tile][channel]      [36 points][tile][channel]
//!        . . . . . . . . . .               point 0   tile 0  c0 c1 ..      point 0   tile 0  c0 c1 ..
//!        . a a a a b b b b .                         tile 1  c0 c1 ..                tile 1  c0 c1 ..
//!        . a a a a b b b b .   ------->              ...             -->             ...
//!        . ...               transform     point 1   tile 0  ...   times   point 1   tile 0  ...
//!            ^                                                    weights                |
//!            '---------------------------------------------------------------------------'
//!                  transform back, bias, gates, residual, ReLU: then on to the next layer
//! ```
//!
//! Boards go through the network in groups, as many as make good use of each weight while it is in the nearest cache (`Processor::group`). The products
//! (`product.rs`) keep six tiles and up to 64 outputs in registers. What lies between two products (`blocks.rs`) is done for one board after the other, sixteen
//! channels at a time. The fast mode does the products in integers of 16 bits (`integers.rs`); everything else is the same.
//!
//! Results are equal to the bit over all instruction sets, batch sizes and places in a batch: lanes are outputs, each output sums its inputs in one order,
//! multiplication and addition have one rounding everywhere, and no function comes from a library.

mod blocks;
mod domain;
mod heads;
mod integers;
pub(crate) mod lanes;
mod layers;
pub(crate) mod product;
mod runner;
pub(crate) mod set;
mod stem;
pub(crate) mod tiling;
pub(crate) mod winograd;

use blocks::Residual;
use heads::Heads;
use lanes::LANES;
use set::Chosen;
use stem::Stem;
use tiling::Tiling;

pub use set::InstructionSet;

use crate::backend::{Backend, Runner};
use crate::description::Description;
use crate::network::{NetError, Network};

/// How a processor computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// In floating-point numbers of 32 bits.
    Exact,
    /// The products of 3×3 convolutions in integers of 16 bits: faster, and a little less exact.
    Fast,
}

/// A network ready to be run by the processor.
pub struct Processor {
    description: Description,
    set: Chosen,
    arithmetic: Arithmetic,
    tiling: Tiling,
    stem: Stem,
    blocks: Vec<Residual>,
    heads: Heads,
}

/// Tiles of a group: so many rows share each weight that is fetched.
const TILES: usize = 24;
/// Positions that are asked for at once, about.
const BATCH: usize = 32;

impl Processor {
    /// Prepares a network for the best instructions that this processor has.
    ///
    /// # Errors
    /// None so far; what a network needs, every processor has.
    pub fn new(network: &Network, arithmetic: Arithmetic) -> Result<Processor, NetError> {
        Processor::with_set(network, arithmetic, InstructionSet::best())
    }

    /// Prepares a network for these instructions, to test or to measure them.
    ///
    /// # Errors
    /// If this processor does not have them.
    pub fn with_set(
        network: &Network,
        arithmetic: Arithmetic,
        set: InstructionSet,
    ) -> Result<Processor, NetError> {
        let set = Chosen::new(set)?;
        let (description, layers) = (network.description(), network.layers());
        Ok(Processor {
            set,
            arithmetic,
            tiling: Tiling::new(description.board),
            stem: Stem::new(description.planes(), &layers.stem),
            blocks: layers.blocks.iter().map(|block| Residual::new(set, arithmetic, block)).collect(),
            heads: Heads::new(set, arithmetic, description, &layers.heads),
            description: description.clone(),
        })
    }

    /// Vectors of channels between stem and heads.
    fn width(&self) -> usize {
        self.description.channels.div_ceil(LANES)
    }

    /// How many boards go through the network together.
    fn group(&self) -> usize {
        (TILES / self.tiling.tiles()).max(1)
    }
}

impl Backend for Processor {
    fn description(&self) -> &Description {
        &self.description
    }

    fn name(&self) -> String {
        let slow = if self.set.set() == InstructionSet::Portable && !lanes::HAS_FMA {
            ", slow: no fused multiplication and addition"
        } else {
            ""
        };
        let arithmetic = match self.arithmetic {
            Arithmetic::Exact => "exact",
            Arithmetic::Fast => "fast",
        };
        format!("processor, {}, {arithmetic}{slow}", self.set.set().name())
    }

    fn batch_size(&self) -> usize {
        BATCH.next_multiple_of(self.group())
    }

    fn begin(&self) -> Box<dyn Runner + '_> {
        Box::new(runner::Running::new(self))
    }
}
