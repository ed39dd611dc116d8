//! A network running: the memory of one thread, and the way through the layers.

use super::Processor;
use super::blocks::{Memory, Residual};
use super::domain::{Domain, Take};
use super::heads::{Group, HeadMemory};
use super::lanes::Vector;
use super::product::parts;
use super::stem::Show;
use crate::backend::{Outputs, Runner};
use crate::network::NetError;

/// The memory in which a thread runs a network.
pub(super) struct Running<'p> {
    processor: &'p Processor,
    domain: Domain,
    /// The channels of a group, `[board][vector][cell of the frame]`. Around the board stays zero what is zero here.
    frames: Vec<Vector>,
    /// Channels of one board inside a block or a head.
    inner: Vec<Vector>,
    scratch: Vec<Vector>,
    heads: HeadMemory,
}

impl<'p> Running<'p> {
    pub fn new(processor: &'p Processor) -> Running<'p> {
        let Processor { tiling, arithmetic, ref blocks, ref heads, ref stem, .. } = *processor;
        let (width, boards) = (processor.width(), processor.group());
        let (head_inputs, head_products) = heads.widths();
        let inputs = width.max(head_inputs);
        let products = blocks.iter().map(Residual::products).max().unwrap_or(0).max(head_products);
        let scratch = blocks.iter().map(Residual::scratch).max().unwrap_or(0).max(stem.scratch());
        Running {
            processor,
            domain: Domain::new(tiling, arithmetic, boards, inputs, products),
            frames: vec![Vector::ZERO; boards * width * tiling.frame()],
            inner: vec![Vector::ZERO; inputs * tiling.frame()],
            scratch: vec![Vector::ZERO; scratch],
            heads: HeadMemory::default(),
        }
    }

    /// Runs a group of boards, whose outputs begin at `first`.
    fn group(&mut self, positions: &[&[u64]], outputs: &mut Outputs, first: usize) {
        let Running { processor, domain, frames, inner, scratch, heads } = self;
        let Processor { set, tiling, ref stem, ref blocks, .. } = **processor;
        let width = processor.width();
        domain.set_boards(positions.len());
        let of_stem = &mut scratch[..stem.scratch()];
        set.run(Show { stem, tiling, positions, scratch: of_stem, frames });
        if !blocks.is_empty() {
            set.run(Take { domain, frames, blocks: width });
        }
        for (number, block) in blocks.iter().enumerate() {
            block.run(set, Memory { domain, frames, inner, scratch }, number + 1 == blocks.len());
        }
        let (boards, most) = (positions.len(), processor.group());
        let mut group =
            Group { set, tiling, boards, most, frames, blocks: width, domain, inner, memory: heads };
        processor.heads.run(&mut group, outputs, first);
    }
}

impl Runner for Running<'_> {
    fn run(&mut self, positions: &[&[u64]], outputs: &mut Outputs) -> Result<(), NetError> {
        let description = &self.processor.description;
        positions.iter().try_for_each(|words| description.check_words(words))?;
        outputs.resize(description, positions.len());
        for (begin, boards) in parts(positions.len(), self.processor.group()) {
            self.group(&positions[begin..begin + boards], outputs, begin);
        }
        Ok(())
    }
}
