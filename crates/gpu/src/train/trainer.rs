//! A trainer on a GPU.

use std::collections::VecDeque;

use outplay_net::train::{Losses, Samples, Trainer};
use outplay_net::{Description, NetError};

use super::plan::{Plan, PlanOptions, RESULTS};
use crate::device::{DeviceInfo, Steps};

/// A network that learns on a GPU as [`Trainer`] learns on the processor: the same steps, but maps and the weights that products read have 16 bits.
///
/// What is trained lies on the device. The host's trainer is brought up to date when it is asked for.
pub struct GpuTrainer {
    trainer: Trainer,
    device: DeviceInfo,
    loaded: Option<Loaded>,
    steps: u64,
    /// Steps under way: their numbers.
    under_way: VecDeque<u64>,
    begun: u64,
    /// Whether the host's trainer is what the device has.
    is_fresh: bool,
}

/// What there is for one size of batches.
struct Loaded {
    batch: usize,
    plan: Plan,
    steps: Steps,
}

impl GpuTrainer {
    /// Goes on with a trainer on the GPU of this number, with batches of this size at first.
    ///
    /// # Errors
    /// If there is no such GPU, no compiler, too little memory, or no kernels for this network; the message says what to do.
    pub fn new(trainer: Trainer, device: usize, batch: usize) -> Result<GpuTrainer, NetError> {
        let steps = trainer.steps();
        let mut trainer = GpuTrainer {
            trainer,
            device: Steps::device(device)?,
            loaded: None,
            steps,
            under_way: VecDeque::new(),
            begun: 0,
            is_fresh: true,
        };
        trainer.load(batch)?;
        Ok(trainer)
    }

    /// The device.
    pub fn device(&self) -> &DeviceInfo {
        &self.device
    }

    /// What is trained.
    pub fn description(&self) -> &Description {
        self.trainer.parameters().description()
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The trainer as the host has it, brought up to date.
    ///
    /// # Errors
    /// If the device has failed.
    pub fn trainer(&mut self) -> Result<&Trainer, NetError> {
        while !self.under_way.is_empty() {
            self.finish()?;
        }
        if let (false, Some(Loaded { plan, steps, .. })) = (self.is_fresh, &self.loaded) {
            let state = self.trainer.state_mut(self.steps);
            for (place, vector) in plan.places.state().into_iter().zip(state) {
                let mut bytes = vec![0; 4 * vector.len()];
                steps.download(place, &mut bytes)?;
                for (value, four) in vector.iter_mut().zip(bytes.as_chunks::<4>().0) {
                    *value = f32::from_le_bytes(*four);
                }
            }
            self.is_fresh = true;
        }
        Ok(&self.trainer)
    }

    /// The trainer as the host had it when it was brought up to date last.
    pub fn known(&self) -> &Trainer {
        &self.trainer
    }

    /// Learns from a batch, as [`Trainer::step`] does.
    ///
    /// # Errors
    /// If the samples do not fit the network, if the loss is no finite number any more (the weights are then as they were), or if the device has failed.
    pub fn step(&mut self, samples: &Samples, rate: f32) -> Result<Losses, NetError> {
        while !self.under_way.is_empty() {
            self.finish()?;
        }
        self.begin(samples, rate)?;
        self.finish()
    }

    /// Begins a step and returns at once. Two may be under way; [`finish`](GpuTrainer::finish) gives their losses in their order.
    ///
    /// # Errors
    /// If the samples do not fit the network, or the device has failed.
    ///
    /// # Panics
    /// If two are under way.
    pub fn begin(&mut self, samples: &Samples, rate: f32) -> Result<(), NetError> {
        assert!(self.under_way.len() < 2, "two steps are under way");
        samples.check(self.description())?;
        if self.loaded.as_ref().is_none_or(|loaded| loaded.batch != samples.len()) {
            self.load(samples.len())?;
        }
        let Some(Loaded { plan, steps, .. }) = &mut self.loaded else { unreachable!("it was loaded") };
        let (options, before) = (*self.trainer.options(), self.steps + self.under_way.len() as u64);
        steps.begin(self.begun, |memory| {
            plan.write_samples(samples, memory);
            plan.write_settings(&options, rate, before, memory);
        })?;
        self.under_way.push_back(self.begun);
        self.begun += 1;
        self.is_fresh = false;
        Ok(())
    }

    /// Waits for the first of the steps under way; its losses.
    ///
    /// # Errors
    /// If training has diverged (the weights are then as they were), if nothing is under way, or if the device has failed.
    pub fn finish(&mut self) -> Result<Losses, NetError> {
        let nothing = || NetError::Device("no step of training is under way".to_string());
        let number = self.under_way.pop_front().ok_or_else(nothing)?;
        let Some(Loaded { steps, .. }) = &self.loaded else { return Err(nothing()) };
        let mut said = [0.0; RESULTS];
        for (value, four) in said.iter_mut().zip(steps.results(number)?.as_chunks::<4>().0) {
            *value = f32::from_le_bytes(*four);
        }
        let [total, policy, value, margin, moves_left, ownership, reply, gradient] = said;
        if !total.is_finite() || !gradient.is_finite() {
            return Err(NetError::Weights("training has diverged: try a lower learning rate".to_string()));
        }
        self.steps += 1;
        Ok(Losses { total, policy, value, margin, moves_left, ownership, reply, gradient })
    }

    /// Replays the last step so many times, samples and all, and returns how many seconds that took; then how long each of its kernels takes, in
    /// microseconds. For measurements: what is trained is of no use afterwards.
    ///
    /// # Errors
    /// If no step was made, or the device has failed.
    pub fn measure(&mut self, times: usize) -> Result<(f64, Vec<(String, f32)>), NetError> {
        let Some(Loaded { steps, .. }) = &self.loaded else {
            return Err(NetError::Device("no step of training was made".to_string()));
        };
        self.is_fresh = false;
        steps.replay(2)?;
        Ok((steps.replay(times)?, steps.times(5)?))
    }

    /// The gradients of the last step, before they were shortened.
    ///
    /// # Errors
    /// If no step was made, or the device has failed.
    pub fn last_gradients(&self) -> Result<Vec<f32>, NetError> {
        let Some(Loaded { plan, steps, .. }) = &self.loaded else {
            return Err(NetError::Device("no step of training was made".to_string()));
        };
        let mut bytes = vec![0; 4 * self.trainer.parameters().count()];
        steps.download(plan.places.gradients, &mut bytes)?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|&four| f32::from_le_bytes(four)).collect())
    }

    /// Makes everything ready for batches of another size.
    fn load(&mut self, batch: usize) -> Result<(), NetError> {
        self.trainer()?;
        // What the device has of the size before goes first: there may not be room for both.
        self.loaded = None;
        let plan = Plan::new(&PlanOptions {
            parameters: self.trainer.parameters(),
            options: self.trainer.options(),
            batch,
            multiprocessors: self.device.multiprocessors,
            number_bytes: 2,
        })?;
        let p = plan.places;
        let steps = Steps::new(&plan, self.device.number, p.samples_end, (p.results, 4 * RESULTS))?;
        for (place, vector) in p.state().into_iter().zip(self.trainer.state()) {
            let bytes: Vec<u8> = vector.iter().flat_map(|value| value.to_le_bytes()).collect();
            steps.upload(place, &bytes)?;
        }
        self.loaded = Some(Loaded { batch, plan, steps });
        Ok(())
    }
}
