//! A device that is none: kernels are the plain reference, streams run when they are waited for, and it fails when it is told to. It shows that the host's side
//! packs, waits, hands out and gives back what it should.

use std::collections::HashMap;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use outplay_core::Rng;
use outplay_net::{
    Backend, BlockKind, BoardSize, Description, Heads, Input, NetError, Network, Outputs, PolicyKind,
    Reference, ScalarKind, ValueKind, random_position,
};

use super::driver::{DeviceInfo, Driver, Task};
use super::network::{GpuNetwork, Transfer};
use crate::program::{Launch, Program};

/// What goes wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    /// The launch of this number.
    Launch(usize),
    /// Waiting for the launch of this number.
    Wait(usize),
    /// There is only so much memory.
    Memory(usize),
}

struct Mock {
    info: DeviceInfo,
    reference: Reference,
    outputs: usize,
    fault: Fault,
    launches: AtomicUsize,
    waits: AtomicUsize,
    memory: Mutex<HashMap<u64, Box<[u64]>>>,
    streams: Mutex<HashMap<usize, Vec<Task>>>,
}

// SAFETY: tasks name memory that is kept until their stream was synchronized.
unsafe impl Send for Mock {}
// SAFETY: as above.
unsafe impl Sync for Mock {}

impl Mock {
    fn used(&self) -> usize {
        self.memory.lock().unwrap().values().map(|memory| memory.len() * 8).sum()
    }

    fn take(&self, bytes: usize, what: &str) -> Result<u64, NetError> {
        if let Fault::Memory(most) = self.fault
            && self.used() + bytes > most
        {
            return Err(NetError::Device(format!("{what} has no memory left")));
        }
        let memory = vec![u64::MAX; bytes.div_ceil(8).max(1)].into_boxed_slice();
        let address = memory.as_ptr() as u64;
        self.memory.lock().unwrap().insert(address, memory);
        Ok(address)
    }

    fn drop_memory(&self, address: u64) {
        assert!(self.memory.lock().unwrap().remove(&address).is_some(), "freed twice, or never given");
    }

    fn run(&self, task: &Task) {
        let mut memory = self.memory.lock().unwrap();
        let words = self.reference.description().planes().words();
        let count = task.count as usize;
        if let Some(from) = task.copied_in {
            assert_eq!(from.bytes, count * words * 8);
            let source = memory[&(from.memory.as_ptr() as u64)].clone();
            let to = memory.get_mut(&task.positions).expect("memory of the device");
            to[..count * words].copy_from_slice(&source[..count * words]);
        }
        assert!(memory.contains_key(&task.weights) && task.blocks * task.threads > 0);
        let positions: Vec<Vec<u64>> =
            memory[&task.positions][..count * words].chunks(words).map(<[u64]>::to_vec).collect();
        let positions: Vec<&[u64]> = positions.iter().map(Vec::as_slice).collect();
        let mut outputs = Outputs::default();
        self.reference.begin().run(&positions, &mut outputs).expect("the reference runs");
        let rows = rows_of(&outputs);
        assert_eq!(rows.len(), count * self.outputs);
        let mut write = |address: u64| {
            let to = memory.get_mut(&address).expect("memory for outputs");
            for (i, number) in rows.iter().enumerate() {
                let shift = i % 2 * 32;
                to[i / 2] = to[i / 2] & !(0xFFFF_FFFF << shift) | u64::from(number.to_bits()) << shift;
            }
        };
        write(task.outputs);
        if let Some(to) = task.copied_out {
            assert_eq!(to.bytes, count * self.outputs * 4);
            write(to.memory.as_ptr() as u64);
        }
    }
}

/// Outputs as a kernel writes them.
fn rows_of(outputs: &Outputs) -> Vec<f32> {
    let mut rows = Vec::new();
    for position in 0..outputs.positions {
        rows.extend(outputs.policy_of(position));
        rows.extend(outputs.value[position]);
        rows.extend(outputs.margin.get(position));
        rows.extend(outputs.moves_left.get(position));
        rows.extend(outputs.ownership_of(position));
        rows.extend(outputs.reply_of(position));
    }
    rows
}

impl Driver for Mock {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn load(&self, _: &[u8]) -> Result<usize, NetError> {
        Ok(7)
    }

    fn unload(&self, module: usize) {
        assert_eq!(module, 7);
    }

    fn kernel(&self, module: usize, launch: &Launch) -> Result<(usize, usize), NetError> {
        assert_eq!(module, 7);
        Ok((launch.boards, 2))
    }

    fn allocate(&self, bytes: usize) -> Result<u64, NetError> {
        self.take(bytes, "the GPU")
    }

    fn free(&self, address: u64) {
        self.drop_memory(address);
    }

    fn allocate_pinned(&self, bytes: usize) -> Result<NonNull<u8>, NetError> {
        self.take(bytes, "the host").map(|address| NonNull::new(address as *mut u8).expect("an address"))
    }

    fn free_pinned(&self, memory: NonNull<u8>) {
        self.drop_memory(memory.as_ptr() as u64);
    }

    fn upload(&self, to: u64, bytes: &[u8]) -> Result<(), NetError> {
        assert!(self.memory.lock().unwrap()[&to].len() * 8 >= bytes.len());
        Ok(())
    }

    fn create_stream(&self) -> Result<usize, NetError> {
        let mut streams = self.streams.lock().unwrap();
        let stream = 1 + streams.keys().max().unwrap_or(&0);
        streams.insert(stream, Vec::new());
        Ok(stream)
    }

    fn destroy_stream(&self, stream: usize) {
        assert!(self.streams.lock().unwrap().remove(&stream).is_some());
    }

    unsafe fn enqueue(&self, stream: usize, task: &Task) -> Result<(), NetError> {
        let number = self.launches.fetch_add(1, Ordering::Relaxed);
        if self.fault == Fault::Launch(number) {
            return Err(NetError::Device("a kernel has failed".to_string()));
        }
        let task = Task { ..*task };
        self.streams.lock().unwrap().get_mut(&stream).expect("a stream").push(task);
        Ok(())
    }

    fn synchronize(&self, stream: usize) -> Result<(), NetError> {
        let tasks = std::mem::take(self.streams.lock().unwrap().get_mut(&stream).expect("a stream"));
        for task in tasks {
            if self.fault == Fault::Wait(self.waits.fetch_add(1, Ordering::Relaxed)) {
                return Err(NetError::Device("the GPU is lost".to_string()));
            }
            self.run(&task);
        }
        Ok(())
    }
}

fn network() -> Network {
    let description = Description {
        game: "small".to_string(),
        board: BoardSize { rows: 3, columns: 4 },
        input: Input { encoder: "small-3".to_string(), bit_planes: 2, constant_planes: 1 },
        channels: 4,
        blocks: vec![BlockKind::Plain {}],
        heads: Heads {
            policy: PolicyKind::Dense { channels: 2, outputs: 9 },
            value: ValueKind::WinDrawLoss { channels: 2, hidden: 3 },
            margin: Some(ScalarKind { channels: 1, hidden: 3 }),
            moves_left: None,
            ownership: Some(3),
            reply: Some(PolicyKind::Convolution { kernel: 1, channels: 2, planes: 1 }),
        },
        made_by: None,
    };
    Network::random(description, 5).unwrap()
}

fn on_mock(fault: Fault, transfer: Transfer) -> (Arc<Mock>, Result<GpuNetwork, NetError>) {
    let network = network();
    let program = Program::new(&network, (8, 0));
    let info = DeviceInfo {
        number: 0,
        name: "mock".to_string(),
        memory: 1 << 30,
        capability: (8, 0),
        multiprocessors: 3,
    };
    let mock = Arc::new(Mock {
        info,
        reference: Reference::new(network.clone()),
        outputs: program.outputs,
        fault,
        launches: AtomicUsize::new(0),
        waits: AtomicUsize::new(0),
        memory: Mutex::default(),
        streams: Mutex::default(),
    });
    let on_device = GpuNetwork::on(mock.clone(), network.description(), &program, &[], transfer);
    (mock, on_device)
}

fn batch(size: usize, seed: u64) -> Vec<Vec<u64>> {
    let mut rng = Rng::new(seed);
    (0..size).map(|_| random_position(network().description().planes(), &mut rng)).collect()
}

fn views(batch: &[Vec<u64>]) -> Vec<&[u64]> {
    batch.iter().map(Vec::as_slice).collect()
}

fn wanted(batch: &[Vec<u64>]) -> Outputs {
    let mut outputs = Outputs::default();
    Reference::new(network()).begin().run(&views(batch), &mut outputs).unwrap();
    outputs
}

#[test]
fn batches_of_any_size_come_back_in_order_with_one_or_two_under_way_and_all_is_given_back() {
    for transfer in [Transfer::Copied, Transfer::Mapped] {
        let (mock, gpu) = on_mock(Fault::None, transfer);
        let gpu = gpu.unwrap();
        let at_rest = mock.used();
        {
            let mut runner = gpu.begin();
            let sizes = [3, 1, 70, 0, 64, 65, 2, 130, 7];
            for (number, size) in sizes.into_iter().enumerate() {
                let (batch, mut outputs) = (batch(size, number as u64), Outputs::default());
                runner.run(&views(&batch), &mut outputs).unwrap();
                assert_eq!(outputs, wanted(&batch));
            }
            assert_eq!(runner.most_in_flight(), 2);
            let batches: Vec<_> = sizes.map(|size| batch(size, size as u64 + 50)).into();
            let mut outputs = [Outputs::default(), Outputs::default()];
            for i in 0..=batches.len() {
                if let Some(batch) = batches.get(i) {
                    // What is copied may be overwritten at once.
                    let mut own = batch.clone();
                    runner.submit(&views(&own), &mut outputs[i % 2]).unwrap();
                    own.iter_mut().flatten().for_each(|word| *word = !*word);
                }
                if i > 0 {
                    runner.collect(&mut outputs[(i - 1) % 2]).unwrap();
                    assert_eq!(outputs[(i - 1) % 2], wanted(&batches[i - 1]), "batch {i}");
                }
            }
        }
        assert_eq!(mock.used(), at_rest, "a runner gives back what it took");
        drop(gpu);
        assert_eq!((mock.used(), mock.streams.lock().unwrap().len()), (0, 0));
    }
}

#[test]
fn what_a_runner_is_asked_wrongly_is_refused_in_words_and_it_goes_on() {
    let (_, gpu) = on_mock(Fault::None, Transfer::Copied);
    let gpu = gpu.unwrap();
    let (mut runner, mut outputs, batch) = (gpu.begin(), Outputs::default(), batch(5, 1));
    assert!(runner.collect(&mut outputs).unwrap_err().to_string().contains("no batch is under way"));
    let error = runner.submit(&[&[1, 2]], &mut outputs).unwrap_err().to_string();
    assert!(error.contains("a position has 2 words, expected 3"), "{error}");
    for _ in 0..2 {
        runner.submit(&views(&batch), &mut outputs).unwrap();
    }
    assert!(runner.submit(&views(&batch), &mut outputs).unwrap_err().to_string().contains("collect one"));
    assert!(runner.run(&views(&batch), &mut outputs).unwrap_err().to_string().contains("collect them"));
    for _ in 0..2 {
        runner.collect(&mut outputs).unwrap();
        assert_eq!(outputs, wanted(&batch));
    }
    // Under way when its runner ends: waited for, and given back.
    runner.submit(&views(&batch), &mut outputs).unwrap();
}

#[test]
fn a_device_that_has_failed_once_gives_the_same_reason_to_all_its_runners() {
    for (fault, reason) in [(Fault::Launch(3), "a kernel has failed"), (Fault::Wait(3), "the GPU is lost")] {
        let (mock, gpu) = on_mock(fault, Transfer::Copied);
        let gpu = gpu.unwrap();
        {
            let (mut first, mut second) = (gpu.begin(), gpu.begin());
            let (mut outputs, batch) = (Outputs::default(), batch(5, 1));
            for _ in 0..3 {
                first.run(&views(&batch), &mut outputs).unwrap();
            }
            let _ = second.submit(&views(&batch), &mut outputs);
            let mut errors: Vec<NetError> = vec![second.collect(&mut outputs).unwrap_err()];
            for runner in [&mut first, &mut second] {
                errors.extend((0..3).map(|_| runner.run(&views(&batch), &mut outputs).unwrap_err()));
            }
            errors.push(gpu.begin().submit(&views(&batch), &mut outputs).unwrap_err());
            let told = errors.iter().filter(|error| error.to_string().contains(reason)).count();
            // After a launch that failed, nothing is under way to be collected.
            assert_eq!(told, errors.len() - usize::from(matches!(fault, Fault::Launch(_))), "{errors:?}");
        }
        drop(gpu);
        assert_eq!(mock.used(), 0);
    }
}

#[test]
fn too_little_memory_is_an_error_in_words_that_a_smaller_batch_gets_over() {
    let (mock, gpu) = on_mock(Fault::Memory(1000), Transfer::Copied);
    let error = gpu.err().expect("weights need more").to_string();
    assert!(error.contains("no memory left"), "{error}");
    assert_eq!(mock.used(), 0);
    let weights = Program::new(&network(), (8, 0)).weights.len();
    let (mock, gpu) = on_mock(Fault::Memory(weights + 20_000), Transfer::Copied);
    let gpu = gpu.unwrap();
    {
        let (mut runner, mut outputs) = (gpu.begin(), Outputs::default());
        let (few, many) = (batch(8, 1), batch(2000, 2));
        for _ in 0..2 {
            runner.run(&views(&few), &mut outputs).unwrap();
            assert_eq!(outputs, wanted(&few));
            let error = runner.run(&views(&many), &mut outputs).unwrap_err().to_string();
            assert!(error.contains("no memory left"), "{error}");
        }
    }
    drop(gpu);
    assert_eq!(mock.used(), 0);
}
