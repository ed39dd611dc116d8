//! What trains: the processor, or a GPU.

use outplay_engine::NetworkDevice;
use outplay_gpu::GpuTrainer;
use outplay_net::NetError;
use outplay_net::train::{Losses, Samples, Trainer};

/// A trainer somewhere. What it has learned can be taken from one place to another.
pub(crate) enum Training {
    Processor(Box<Trainer>),
    Gpu(Box<GpuTrainer>),
}

impl Training {
    /// Goes on with a trainer on this device, with batches of this size; and in words where that is, and why not elsewhere. What is left open is a GPU if there is
    /// one that can train this network, else the processor.
    pub fn on(device: NetworkDevice, trainer: Trainer, batch: usize) -> Result<(Training, String), NetError> {
        let number = match device {
            NetworkDevice::Processor => None,
            NetworkDevice::Auto => Some(0),
            NetworkDevice::Cuda(number) => Some(number),
        };
        let Some(number) = number else {
            return Ok((Training::Processor(Box::new(trainer)), "trains on the processor".to_string()));
        };
        // Where a GPU refuses, the trainer is still wanted.
        let reserve = matches!(device, NetworkDevice::Auto).then(|| trainer.clone());
        match (GpuTrainer::new(trainer, number, batch), reserve) {
            (Ok(gpu), _) => {
                let how = format!("trains on cuda:{number}, {}", gpu.device().name);
                Ok((Training::Gpu(Box::new(gpu)), how))
            }
            (Err(why), Some(trainer)) => {
                Ok((Training::Processor(Box::new(trainer)), format!("trains on the processor: {why}")))
            }
            (Err(why), None) => Err(why),
        }
    }

    /// Learns from a batch.
    pub fn step(&mut self, samples: &Samples, rate: f32) -> Result<Losses, NetError> {
        match self {
            Training::Processor(trainer) => trainer.step(samples, rate),
            Training::Gpu(gpu) => gpu.step(samples, rate),
        }
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        match self {
            Training::Processor(trainer) => trainer.steps(),
            Training::Gpu(gpu) => gpu.steps(),
        }
    }

    /// The trainer with all that was learned so far.
    pub fn trainer(&mut self) -> Result<&Trainer, NetError> {
        match self {
            Training::Processor(trainer) => Ok(trainer),
            Training::Gpu(gpu) => gpu.trainer(),
        }
    }

    /// The trainer as it was when [`trainer`](Training::trainer) was asked for last.
    pub fn known(&self) -> &Trainer {
        match self {
            Training::Processor(trainer) => trainer,
            Training::Gpu(gpu) => gpu.known(),
        }
    }
}
