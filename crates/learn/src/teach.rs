//! Teaching: the first network of a run learns from games that are there already, before it plays its own.
//!
//! [`imitate`](crate::imitate) has such games played by one of our players or reads them from a file; [`distil`] takes those of another run and what its
//! network thinks of their positions. Either way the network becomes generation 0, and the run goes on from there.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use outplay_core::{Rng, mix};
use outplay_engine::NetworkDevice;
use outplay_engine::selfplay::{GameRecord, Learner, Sample};
use outplay_net::train::{Parameters, Samples, Trainer};
use outplay_net::{Arithmetic, Backend, Network, Outputs, Precision, Processor};
use serde::Serialize;

use crate::export::{Kept, games_there_are, kept_games};
use crate::folder::{Folder, RunError, numbered};
use crate::settings::Settings;
use crate::training::Training;
use crate::window::{Window, add};

/// What is taught, and how.
pub struct Course<'c> {
    /// The folder of the run that begins with this.
    pub run: &'c Path,
    /// The game, by its name in the catalogue.
    pub game: &'c str,
    /// The game itself.
    pub learner: Arc<dyn Learner>,
    /// The network and how it learns; the run goes on with these settings.
    pub settings: &'c Settings,
    /// How often each position is learned from.
    pub epochs: u32,
    /// The share of games that is held out: never learned from, only asked about.
    pub held_out: f64,
    /// Threads.
    pub threads: usize,
    /// Where the network is trained.
    pub device: NetworkDevice,
    /// Ends it once it is true.
    pub stop: &'c AtomicBool,
}

/// A run whose network teaches a smaller one.
#[derive(Clone, Copy, Debug)]
pub struct LargeRun<'l> {
    /// Its folder.
    pub run: &'l Path,
    /// The games of so many of its newest generations are taken.
    pub generations: usize,
    /// What share of the targets are the game's own, rather than what the network thinks.
    pub own: f64,
}

/// The figures of an epoch.
#[derive(Clone, Debug, Serialize)]
pub struct Epoch {
    /// Its number, from 1.
    pub epoch: u32,
    /// Batches so far.
    pub steps: u64,
    /// The mean loss of the policy over the epoch.
    pub policy_loss: f64,
    /// That of the value.
    pub value_loss: f64,
    /// What the network says of the games that were held out.
    pub held_out: HeldOut,
}

/// What a network says of positions that it has not learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct HeldOut {
    /// How many positions.
    pub positions: usize,
    /// The mean cross-entropy of the policy, in nats.
    pub policy_loss: f64,
    /// The share of positions in which the likeliest move is the teacher's, or one that the teacher likes as much.
    pub agreement: f64,
    /// How far values are off on average; a win is 1, a loss -1.
    pub value_error: f64,
}

/// A position and what should be said of it.
struct Taught {
    sample: Sample,
    value: [f32; 3],
}

/// So many positions are mixed with each other, so that the positions of a game come apart.
const MIXED: usize = 1 << 15;
/// Positions that are evaluated at once.
const AT_ONCE: usize = 256;
/// Keeps the chances of teaching apart from those of runs.
const TEACHING: u64 = 0x7465_6163;

/// What a large network thinks.
pub(crate) struct Teacher {
    backend: Processor,
    /// What share of the targets are the game's own.
    own: f32,
}

/// The folder of a new run whose first network is to be taught.
///
/// # Errors
/// If the folder belongs to another run, or the run has a network already.
pub(crate) fn new_run(course: &Course) -> Result<Folder, RunError> {
    let folder = Folder::open(course.run, course.game, course.settings)?;
    match folder.newest()? {
        None => Ok(folder),
        Some(_) => Err(RunError::Folder(format!(
            "the run in {} has begun already: teaching makes the first network of a run, so name a new folder",
            course.run.display()
        ))),
    }
}

/// Teaches a small network what the newest network of another run thinks of the positions of its games. `None` if it was stopped.
///
/// # Errors
/// If the other run has no games or is one of another game, or this one has begun already.
pub fn distil(
    large: &LargeRun,
    course: &Course,
    see: &mut dyn FnMut(&Epoch),
) -> Result<Option<Network>, RunError> {
    let from = large.run;
    let (game, _) = Folder::settings_of(from)?;
    if game != course.game {
        return Err(RunError::Folder(format!(
            "{} is a run of {game}, not of {}",
            from.display(),
            course.game
        )));
    }
    let newest = numbered(from, "nets", "safetensors")?.pop();
    let newest = newest.ok_or_else(|| RunError::Folder(format!("{} has no network yet", from.display())))?;
    let network = Network::open(&from.join(format!("nets/{newest:04}.safetensors")))?;
    let teacher = Teacher { backend: Processor::new(&network, Arithmetic::Exact)?, own: large.own as f32 };
    let mut games = Vec::new();
    for which in games_there_are(from)?.into_iter().rev().take(large.generations) {
        let mut of_one = kept_games(from, which)?;
        // Numbers of taught games begin anew.
        if which == Kept::Taught {
            of_one.iter_mut().for_each(|game| game.number = !game.number);
        }
        games.extend(of_one);
    }
    games.sort_by_key(|game| game.number);
    let folder = new_run(course)?;
    teach(&folder, course, &games, Some(&teacher), see)
}

/// Teaches the first network of a run by these games. `None` if it was stopped.
pub(crate) fn teach(
    folder: &Folder,
    course: &Course,
    games: &[GameRecord],
    teacher: Option<&Teacher>,
    see: &mut dyn FnMut(&Epoch),
) -> Result<Option<Network>, RunError> {
    let learn = &course.settings.learn;
    let encoders = course.learner.encoders();
    let encoder =
        encoders.first().ok_or_else(|| RunError::Folder(format!("{} has no encoder", course.game)))?;
    let description = course.settings.network(course.game, encoder);
    let parameters = Parameters::new(description.clone(), mix(learn.seed))?;
    let trainer = Trainer::new(parameters, course.settings.training(course.threads));
    let (mut trainer, how) = Training::on(course.device, trainer, learn.batch as usize)?;
    folder.log(&how);
    let pupil = Pupil { course, encoder: &encoder.name, window: Window::new(learn), teacher };
    let lot = |game: &&GameRecord| Rng::new(mix(mix(learn.seed ^ TEACHING) ^ mix(game.number))).unit();
    let (held, mut shown): (Vec<&GameRecord>, Vec<&GameRecord>) =
        games.iter().partition(|game| lot(game) < course.held_out);
    if shown.is_empty() {
        return Err(RunError::Folder(
            "there are no games to learn from: have more of them, or hold out fewer".to_string(),
        ));
    }
    let held = pupil.held(&held)?;
    let batch = learn.batch as usize;
    // Figures of an attempt that was stopped: training begins anew.
    let figures_file = course.run.join("taught.jsonl");
    drop(std::fs::remove_file(&figures_file));
    for epoch in 1..=course.epochs {
        let mut rng = Rng::new(mix(mix(learn.seed ^ TEACHING) ^ u64::from(epoch)));
        rng.shuffle(&mut shown);
        let (mut mixed, mut steps, mut policy_loss, mut value_loss) = (Vec::new(), 0, 0.0, 0.0);
        for (place, game) in shown.iter().enumerate() {
            mixed.extend(pupil.positions(game, &mut rng)?);
            let is_last = place + 1 == shown.len();
            if mixed.len() < MIXED.max(4 * batch) && !is_last {
                continue;
            }
            rng.shuffle(&mut mixed);
            // What is left over is learned with the next ones. A handful of games in all makes one small batch.
            let least = if is_last && steps == 0 { batch.min(mixed.len()) } else { batch };
            while mixed.len() >= least.max(2) {
                if course.stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let taught = pupil.asked(mixed.split_off(mixed.len() - least))?;
                let rate = course.settings.rate(trainer.steps());
                let mut samples = Samples::default();
                taught.iter().for_each(|of| add(&mut samples, &of.sample, of.value, &description));
                let losses = trainer.step(&samples, rate)?;
                steps += 1;
                policy_loss += f64::from(losses.policy);
                value_loss += f64::from(losses.value);
            }
        }
        let figures = Epoch {
            epoch,
            steps: trainer.steps(),
            policy_loss: policy_loss / f64::from(steps.max(1)),
            value_loss: value_loss / f64::from(steps.max(1)),
            held_out: pupil.examined(&trainer.trainer()?.network()?, &held)?,
        };
        folder.add_line(&figures_file, &figures)?;
        see(&figures);
    }
    let trainer = trainer.trainer()?;
    let network = trainer.network()?;
    folder.keep(0, &network.to_bytes(Precision::Single), &trainer.to_bytes())?;
    Ok(Some(network))
}

/// Who learns what.
struct Pupil<'p> {
    course: &'p Course<'p>,
    encoder: &'p str,
    /// Says what a position is worth by the game and its searches. It stays empty.
    window: Window,
    teacher: Option<&'p Teacher>,
}

impl Pupil<'_> {
    /// The positions of a game, each in one of its symmetries by lot if the settings want symmetries.
    fn positions(&self, game: &GameRecord, rng: &mut Rng) -> Result<Vec<Taught>, RunError> {
        let mut images = Vec::new();
        let settings = self.course.settings;
        let sampling = settings.play.sampling(settings.learn.symmetries);
        let mut see = |sample| images.push(sample);
        self.course.learner.samples(game, self.encoder, sampling, &mut see)?;
        let positions = game.searched.iter().filter(|searched| searched.in_full).count();
        let of_each = images.len() / positions.max(1);
        let chosen: Vec<usize> =
            (0..positions).map(|position| position * of_each + rng.below(of_each)).collect();
        let taught = images.into_iter().enumerate().filter(|(place, _)| chosen.binary_search(place).is_ok());
        Ok(taught.map(|(_, sample)| Taught { value: self.window.value(&sample), sample }).collect())
    }

    /// The positions of the games that are held out, as they are, with what should be said of them.
    fn held(&self, games: &[&GameRecord]) -> Result<Vec<Taught>, RunError> {
        let mut held = Vec::new();
        for game in games {
            let mut see = |sample| held.push(Taught { value: self.window.value(&sample), sample });
            let sampling = self.course.settings.play.sampling(false);
            self.course.learner.samples(game, self.encoder, sampling, &mut see)?;
        }
        self.asked(held)
    }

    /// The same positions with what the teacher thinks of them, if there is one.
    fn asked(&self, mut taught: Vec<Taught>) -> Result<Vec<Taught>, RunError> {
        let Some(Teacher { backend, own }) = self.teacher else { return Ok(taught) };
        let mix = |thought: f32, game: f32| thought + own * (game - thought);
        for_each_opinion(backend, &mut taught, |taught, policy, value| {
            let chances = chances(&taught.sample, policy);
            for ((_, share), chance) in taught.sample.policy.iter_mut().zip(chances) {
                *share = mix(chance, *share);
            }
            taught.value = std::array::from_fn(|i| mix(value[i], taught.value[i]));
        })?;
        Ok(taught)
    }

    /// What a network says of positions.
    fn examined(&self, network: &Network, held: &[Taught]) -> Result<HeldOut, RunError> {
        let backend = Processor::new(network, Arithmetic::Exact)?;
        let mut found = HeldOut { positions: held.len(), ..HeldOut::default() };
        let mut all: Vec<&Taught> = held.iter().collect();
        for_each_opinion(&backend, &mut all, |taught, policy, value| {
            let chances = chances(&taught.sample, policy);
            let wanted: Vec<f32> = taught.sample.policy.iter().map(|&(_, share)| share).collect();
            let pairs = wanted.iter().zip(&chances).filter(|(share, _)| **share > 0.0);
            found.policy_loss -= pairs
                .map(|(&share, &chance)| f64::from(share) * f64::from(chance.max(1e-12)).ln())
                .sum::<f64>();
            let most = wanted.iter().copied().fold(0.0, f32::max);
            let agrees = likeliest(&chances).is_some_and(|place| wanted[place] == most);
            found.agreement += f64::from(u8::from(agrees));
            let [win, _, lose] = taught.value;
            found.value_error += f64::from(((value[0] - value[2]) - (win - lose)).abs());
        })?;
        let count = held.len().max(1) as f64;
        let HeldOut { policy_loss, agreement, value_error, .. } = &mut found;
        [policy_loss, agreement, value_error].into_iter().for_each(|sum| *sum /= count);
        Ok(found)
    }
}

/// Shows positions to a network; `hear` is told the logits of its policy and its value for each.
fn for_each_opinion<T: AsSample>(
    backend: &Processor,
    positions: &mut [T],
    mut hear: impl FnMut(&mut T, &[f32], [f32; 3]),
) -> Result<(), RunError> {
    let (mut runner, mut outputs) = (backend.begin(), Outputs::default());
    for part in positions.chunks_mut(AT_ONCE) {
        let words: Vec<&[u64]> = part.iter().map(|taught| taught.words()).collect();
        runner.run(&words, &mut outputs)?;
        for (place, taught) in part.iter_mut().enumerate() {
            hear(taught, outputs.policy_of(place), outputs.value[place]);
        }
    }
    Ok(())
}

/// A position that can be shown.
trait AsSample {
    fn words(&self) -> &[u64];
}

impl AsSample for Taught {
    fn words(&self) -> &[u64] {
        &self.sample.words
    }
}

impl AsSample for &Taught {
    fn words(&self) -> &[u64] {
        &self.sample.words
    }
}

/// The chance of each legal move by the logits of all.
fn chances(sample: &Sample, logits: &[f32]) -> Vec<f32> {
    let legal = || sample.policy.iter().map(|&(index, _)| logits[usize::from(index)]);
    let most = legal().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = legal().map(|logit| (logit - most).exp()).sum();
    legal().map(|logit| (logit - most).exp() / sum).collect()
}

/// The first of the largest.
fn likeliest(shares: &[f32]) -> Option<usize> {
    (0..shares.len()).rev().max_by(|&a, &b| shares[a].total_cmp(&shares[b]))
}
