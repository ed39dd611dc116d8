//! A network on a GPU, for one thread: batches go round through slots, each with a stream and memory of its own.

use outplay_net::{NetError, Outputs, Runner};

use super::driver::{Copied, DeviceMemory, PinnedMemory, Stream, Task};
use super::network::{GpuNetwork, Transfer};

/// Batches that a thread may have under way: while the device computes one, the thread fills or reads the other.
const SLOTS: usize = 2;

/// Runs a network for one thread.
pub(super) struct GpuRunner<'n> {
    network: &'n GpuNetwork,
    /// Made when they are first needed, because beginning cannot fail.
    slots: [Option<Slot>; SLOTS],
    /// The slot of the batch that was submitted first.
    first: usize,
    in_flight: usize,
}

/// A stream, and memory for one batch of so many positions at most.
struct Slot {
    /// Before the memory, so that it is at an end before.
    stream: Stream,
    room: usize,
    positions: PinnedMemory,
    outputs: PinnedMemory,
    /// Where batches are copied.
    on_device: Option<(DeviceMemory, DeviceMemory)>,
    workspace: Option<DeviceMemory>,
    /// Positions of the batch that is under way.
    count: usize,
}

impl Slot {
    fn new(network: &GpuNetwork, words: usize, room: usize) -> Result<Slot, NetError> {
        let driver = &network.driver;
        let (input, output) = (room * words * 8, room * network.outputs * 4);
        let on_device = match network.transfer {
            Transfer::Copied => Some((DeviceMemory::new(driver, input)?, DeviceMemory::new(driver, output)?)),
            Transfer::Mapped => None,
        };
        let of_launch =
            network.launches.iter().map(|loaded| loaded.launch.workspace_bytes * loaded.most_blocks);
        let workspace = match of_launch.max() {
            None | Some(0) => None,
            Some(bytes) => Some(DeviceMemory::new(driver, bytes)?),
        };
        Ok(Slot {
            stream: Stream::new(driver)?,
            room,
            positions: PinnedMemory::new(driver, input)?,
            outputs: PinnedMemory::new(driver, output)?,
            on_device,
            workspace,
            count: 0,
        })
    }

    /// Hands a batch to the stream.
    fn enqueue(&mut self, network: &GpuNetwork, words: usize, positions: &[&[u64]]) -> Result<(), NetError> {
        let count = positions.len();
        // SAFETY: the memory has room for so many words, they were filled when it was new, it is aligned for everything, and no stream works in it: whatever
        // was enqueued has been synchronized.
        let packed = unsafe {
            std::slice::from_raw_parts_mut(self.positions.memory.as_ptr().cast::<u64>(), count * words)
        };
        for (to, from) in packed.chunks_exact_mut(words).zip(positions) {
            to.copy_from_slice(from);
        }
        let loaded = network.launch_for(count);
        let (input, output) = (count * words * 8, count * network.outputs * 4);
        let host = |memory: &PinnedMemory| memory.memory.as_ptr() as u64;
        let (to, from) = match &self.on_device {
            Some((to, from)) => (to.address, from.address),
            None => (host(&self.positions), host(&self.outputs)),
        };
        let copied = |memory: &PinnedMemory, bytes| {
            self.on_device.is_some().then_some(Copied { memory: memory.memory, bytes })
        };
        let task = Task {
            kernel: loaded.kernel,
            blocks: count.div_ceil(loaded.launch.boards).min(loaded.most_blocks),
            threads: loaded.launch.threads,
            shared_bytes: loaded.launch.shared_bytes,
            count: count as i32,
            positions: to,
            copied_in: copied(&self.positions, input),
            weights: network.weights.address,
            outputs: from,
            copied_out: copied(&self.outputs, output),
            workspace: self.workspace.as_ref().map_or(0, |memory| memory.address),
        };
        self.count = count;
        // SAFETY: the memory is this slot's, the weights and the kernel are the network's, which is borrowed; nobody looks at the memory before the stream was
        // synchronized, and a slot ends with its stream.
        unsafe { network.driver.enqueue(self.stream.handle, &task) }
    }

    /// Waits for the batch and hands its outputs out.
    fn collect(&self, network: &GpuNetwork, outputs: &mut Outputs) -> Result<(), NetError> {
        network.driver.synchronize(self.stream.handle)?;
        // SAFETY: the memory has room for so many numbers, they were filled when it was new, and the stream that wrote them was synchronized.
        let numbers = unsafe {
            std::slice::from_raw_parts(
                self.outputs.memory.as_ptr().cast::<f32>(),
                self.count * network.outputs,
            )
        };
        outputs.resize(outplay_net::Backend::description(network), self.count);
        let [policy, value, margin, moves_left, ownership, _] = network.sections;
        for (position, row) in numbers.chunks_exact(network.outputs).enumerate() {
            let (of_policy, rest) = row.split_at(policy);
            let (of_value, rest) = rest.split_at(value);
            outputs.policy[position * policy..][..policy].copy_from_slice(of_policy);
            outputs.value[position].copy_from_slice(of_value);
            if rest.is_empty() {
                continue;
            }
            let (of_margin, rest) = rest.split_at(margin);
            let (of_moves_left, rest) = rest.split_at(moves_left);
            let (of_ownership, of_reply) = rest.split_at(ownership);
            outputs.margin[position * margin..][..margin].copy_from_slice(of_margin);
            outputs.moves_left[position * moves_left..][..moves_left].copy_from_slice(of_moves_left);
            outputs.ownership[position * ownership..][..ownership].copy_from_slice(of_ownership);
            outputs.reply[position * of_reply.len()..][..of_reply.len()].copy_from_slice(of_reply);
        }
        Ok(())
    }
}

impl<'n> GpuRunner<'n> {
    pub fn new(network: &'n GpuNetwork) -> GpuRunner<'n> {
        GpuRunner { network, slots: [const { None }; SLOTS], first: 0, in_flight: 0 }
    }

    fn submit_batch(&mut self, positions: &[&[u64]]) -> Result<(), NetError> {
        let network = self.network;
        network.check()?;
        if self.in_flight == SLOTS {
            return Err(NetError::Device(format!("{SLOTS} batches are under way: collect one first")));
        }
        let description = outplay_net::Backend::description(network);
        let words = description.planes().words();
        if let Some(wrong) = positions.iter().find(|position| position.len() != words) {
            return description.check_words(wrong);
        }
        if i32::try_from(positions.len()).is_err() {
            return Err(NetError::Device("a batch has more positions than a kernel counts".to_string()));
        }
        let place = &mut self.slots[(self.first + self.in_flight) % SLOTS];
        let room = positions.len().next_power_of_two();
        let slot = match place.take().filter(|slot| slot.room >= room) {
            Some(slot) => place.insert(slot),
            // Whatever was too small is given back before.
            None => place.insert(Slot::new(network, words, room)?),
        };
        if positions.is_empty() {
            slot.count = 0;
        } else if let Err(error) = slot.enqueue(network, words, positions) {
            return Err(network.failed(error));
        }
        self.in_flight += 1;
        Ok(())
    }
}

impl Runner for GpuRunner<'_> {
    fn run(&mut self, positions: &[&[u64]], outputs: &mut Outputs) -> Result<(), NetError> {
        if self.in_flight > 0 {
            return Err(NetError::Device("batches are under way: collect them first".to_string()));
        }
        self.submit_batch(positions)?;
        self.collect(outputs)
    }

    fn most_in_flight(&self) -> usize {
        SLOTS
    }

    fn submit(&mut self, positions: &[&[u64]], _: &mut Outputs) -> Result<(), NetError> {
        self.submit_batch(positions)
    }

    fn collect(&mut self, outputs: &mut Outputs) -> Result<(), NetError> {
        let Some(slot) = self.slots[self.first].as_ref().filter(|_| self.in_flight > 0) else {
            return Err(NetError::Device("no batch is under way".to_string()));
        };
        self.first = (self.first + 1) % SLOTS;
        self.in_flight -= 1;
        self.network.check()?;
        slot.collect(self.network, outputs).map_err(|error| self.network.failed(error))
    }
}
