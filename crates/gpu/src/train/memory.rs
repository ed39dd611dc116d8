//! Where everything lies in the memory of a trainer, and what is launched.

/// Sections begin at multiples of so many bytes.
const ALIGNED: usize = 256;
/// Stands for a place that a launch does not have.
pub(super) const NONE: i64 = -1;

/// One launch of a step: every kernel has the signature `(unsigned char* memory, Call call)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepLaunch {
    /// The name of the `extern "C"` function.
    pub entry: String,
    /// Blocks in both directions.
    pub grid: [u32; 2],
    /// Threads of a block.
    pub threads: usize,
    /// Dynamic shared memory of a block.
    pub shared_bytes: usize,
    /// What it is called with.
    pub call: Call,
}

/// Places in memory, in bytes, and sizes: what `base.cu` calls a `Call`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Call {
    /// Places; below zero what a launch does not have.
    pub at: [i64; 16],
    /// Sizes.
    pub n: [i32; 8],
}

impl Call {
    /// A call with these places and sizes, each with the number by which the kernel knows it.
    pub(super) fn new(places: &[(usize, usize)], sizes: &[(usize, usize)]) -> Call {
        let mut call = Call { at: [NONE; 16], n: [0; 8] };
        places.iter().for_each(|&(which, place)| call.at[which] = place as i64);
        sizes.iter().for_each(|&(which, size)| call.n[which] = size as i32);
        call
    }

    /// As a kernel reads it.
    pub fn bytes(&self) -> Vec<u8> {
        let places = self.at.iter().flat_map(|place| place.to_le_bytes());
        places.chain(self.n.iter().flat_map(|size| size.to_le_bytes())).collect()
    }
}

/// Memory as it is shared out, and what lies in it from the beginning.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    pub bytes: usize,
    pub contents: Vec<(usize, Vec<u8>)>,
}

impl Memory {
    /// Takes so many bytes.
    pub fn take(&mut self, bytes: usize) -> usize {
        let place = self.bytes;
        self.bytes = (place + bytes).next_multiple_of(ALIGNED);
        place
    }

    /// Takes room for so many floats.
    pub fn floats(&mut self, count: usize) -> usize {
        self.take(4 * count)
    }

    /// Takes room for these bytes.
    pub fn keep(&mut self, bytes: Vec<u8>) -> usize {
        let place = self.take(bytes.len());
        self.contents.push((place, bytes));
        place
    }

    /// Takes room for these numbers.
    pub fn words(&mut self, words: impl IntoIterator<Item = i32>) -> usize {
        self.keep(words.into_iter().flat_map(i32::to_le_bytes).collect())
    }

    /// Takes room for these places.
    pub fn places(&mut self, places: impl IntoIterator<Item = usize>) -> usize {
        self.keep(places.into_iter().flat_map(|place| (place as i64).to_le_bytes()).collect())
    }
}
