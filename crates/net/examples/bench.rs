//! Positions a second of a network on this processor, on one thread, for each instruction set and arithmetic:
//! `cargo run --release -p outplay-net --example bench -- network.safetensors [batches] [seconds] [threads]`.

use std::path::Path;

use outplay_net::{Arithmetic, Backend, InstructionSet, Load, NetError, Network, Processor, measure};

fn main() -> Result<(), NetError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |place: usize, default: &'static str| arguments.get(place).map_or(default, String::as_str);
    let network = Network::open(Path::new(argument(0, "network.safetensors")))?;
    let seconds: f64 = argument(2, "0.5").parse().unwrap_or(0.5);
    let threads: usize = argument(3, "1").parse().unwrap_or(1);
    let sets = InstructionSet::ALL.into_iter().rev().filter(|set| set.is_available());
    for (set, arithmetic) in sets.flat_map(|set| [Arithmetic::Exact, Arithmetic::Fast].map(|a| (set, a))) {
        let processor = Processor::with_set(&network, arithmetic, set)?;
        print!("{:40}", processor.name());
        for batch in argument(1, "1,16,64,256").split(',').filter_map(|batch| batch.parse().ok()) {
            print!("{:9.0}", measure(&processor, &Load::new(batch, threads, seconds))?);
        }
        println!();
    }
    Ok(())
}
