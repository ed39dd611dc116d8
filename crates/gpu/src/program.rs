//! What a generator makes of a network: a kernel's source, weights in the order in which it reads them, and how it is launched.

use outplay_net::{Description, Network};

use crate::{fused, general};

/// A kernel for one network, and its weights.
///
/// Every entry has the same signature:
/// ```cuda
/// extern "C" __global__ void entry(const unsigned long long* positions, int count, const unsigned char* weights, float* outputs, void* workspace)
/// ```
/// It goes through the boards in steps of `gridDim.x * boards` and writes number i of a position to `outputs[position * Program::outputs + i]`.
#[derive(Clone, Debug)]
pub struct Program {
    /// CUDA C++ that needs no headers.
    pub source: String,
    /// What it has to be compiled for.
    pub architecture: Architecture,
    /// All weights. Sections begin at places that the source knows, multiples of [`SECTION`].
    pub weights: Vec<u8>,
    /// Numbers that come out for a position: policy, three chances, margin, moves left, ownership, reply; what the network does not have is left out.
    pub outputs: usize,
    /// From the launch for the fewest positions to the one for the most; never empty.
    pub launches: Vec<Launch>,
}

/// The GPUs that a source can be compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Architecture {
    /// Every GPU since Ampere (compute capability 8.0): compiled for the one at hand.
    Ampere,
    /// Hopper and what only it has: `sm_90a`.
    Hopper,
}

impl Architecture {
    /// How convolutions are computed, in a few words.
    pub(crate) fn how(self) -> &'static str {
        match self {
            Architecture::Ampere => "16 bits by mma.sync",
            Architecture::Hopper => "16 bits by wgmma",
        }
    }
}

/// One way to run a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The name of the `extern "C"` function.
    pub entry: String,
    /// Threads of a block.
    pub threads: usize,
    /// Boards that a block carries at once.
    pub boards: usize,
    /// Dynamic shared memory of a block.
    pub shared_bytes: usize,
    /// Global memory of each block, a multiple of 16; zero where it needs none.
    pub workspace_bytes: usize,
}

/// Sections of weights begin at multiples of so many bytes.
pub const SECTION: usize = 128;

impl Program {
    /// The fastest kernel that there is for a network on a GPU of this compute capability.
    pub fn new(network: &Network, capability: (i32, i32)) -> Program {
        let architecture = if capability == (9, 0) { Architecture::Hopper } else { Architecture::Ampere };
        fused::program(network, architecture).unwrap_or_else(|| general::program(network))
    }

    /// How the outputs of a position are divided: policy, chances, margin, moves left, ownership, reply.
    pub fn sections(description: &Description) -> [usize; 6] {
        let (heads, board) = (&description.heads, description.board);
        [
            heads.policy.size(board),
            3,
            usize::from(heads.margin.is_some()),
            usize::from(heads.moves_left.is_some()),
            heads.ownership.map_or(0, |_| board.cells()),
            heads.reply.map_or(0, |reply| reply.size(board)),
        ]
    }
}

/// Weights as they are put together.
#[derive(Debug, Default)]
pub(crate) struct Blob(Vec<u8>);

impl Blob {
    /// Adds a section, and says at which byte it begins.
    pub fn section(&mut self, bytes: impl IntoIterator<Item = u8>) -> usize {
        self.0.resize(self.0.len().next_multiple_of(SECTION), 0);
        let begin = self.0.len();
        self.0.extend(bytes);
        begin
    }

    /// All of them.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}
