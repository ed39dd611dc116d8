//! A run: generation after generation.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use outplay_core::{Rng, mix};
use outplay_engine::selfplay::{GameRecord, Learner, SelfPlayJob};
use outplay_engine::{NetworkArithmetic, NetworkDevice, network_backend};
use outplay_net::train::{Losses, Parameters, Trainer};
use outplay_net::{Backend, Network, Opened, Precision};
use serde_json::Value;

use crate::counted::CountedBackend;
use crate::figures::{Generation, Played, Trained};
use crate::folder::{Folder, RunError};
use crate::settings::Settings;
use crate::training::Training;
use crate::window::Window;

/// A run that goes on.
pub struct Run {
    folder: Folder,
    settings: Settings,
    learner: Arc<dyn Learner>,
    encoder: String,
    trainer: Training,
    /// The generation of the trainer's network.
    generation: u32,
    window: Window,
    threads: usize,
    device: NetworkDevice,
    /// Seconds of play and training in all generations.
    seconds: f64,
    /// Whether it was stopped in the middle of a generation: what is in memory is neither of this one nor of the next then.
    is_spent: bool,
}

/// What happens in a run.
#[derive(Clone, Debug)]
pub enum Event {
    /// Games are played: one has ended, or some time has passed.
    Playing {
        /// Games of this generation so far.
        games: usize,
        /// Of so many.
        of: usize,
        /// What was played since the run went on, within this generation.
        played: Played,
    },
    /// A batch was trained on.
    Step {
        /// Batches of this generation so far.
        steps: u64,
        /// Of so many.
        of: u64,
        /// Samples of a batch.
        batch: usize,
        /// Seconds of training so far.
        seconds: f64,
        /// How far the network was off.
        losses: Losses,
    },
    /// A generation has ended.
    Generation(Box<Generation>),
}

/// How often it is told how play stands while no game ends, in milliseconds.
const TELL_EVERY: u64 = 500;

impl Run {
    /// Begins a run in a new folder, or goes on with the one that is there.
    ///
    /// # Errors
    /// If the folder holds another run or cannot be used, or the game has no encoder.
    pub fn open(
        path: &Path,
        game: &str,
        learner: Arc<dyn Learner>,
        settings: Settings,
        threads: usize,
    ) -> Result<Run, RunError> {
        let encoders = learner.encoders();
        let encoder = encoders.first().ok_or_else(|| RunError::Folder(format!("{game} has no encoder")))?;
        let description = settings.network(game, encoder);
        let folder = Folder::open(path, game, &settings)?;
        let options = settings.training(threads);
        let (generation, trainer) = match folder.newest()? {
            Some((generation, state)) => {
                folder.log(&format!("goes on at generation {generation}, {threads} threads"));
                (generation, Trainer::from_bytes(description, options, &state)?)
            }
            None => {
                folder.log(&format!("begins: {game}, {}, {threads} threads", settings.in_a_line()));
                let parameters = Parameters::new(description, mix(settings.learn.seed))?;
                let trainer = Trainer::new(parameters, options);
                folder.keep(0, &trainer.network()?.to_bytes(Precision::Single), &trainer.to_bytes())?;
                (0, trainer)
            }
        };
        // Figures are kept before the network is, so that none are missing.
        let is_kept = |line: &Value| line["generation"].as_u64().is_some_and(|of| of <= generation.into());
        let lines = folder.read_lines(&folder.metrics(), is_kept)?;
        let seconds = lines.last().and_then(|line| line["seconds"].as_f64()).unwrap_or(0.0);
        let window = Window::new(&settings.learn);
        let encoder = encoder.name.clone();
        let mut run = Run {
            folder,
            settings,
            learner,
            encoder,
            trainer: Training::Processor(Box::new(trainer)),
            generation,
            window,
            threads,
            device: NetworkDevice::Processor,
            seconds,
            is_spent: false,
        };
        run.fill_window()?;
        Ok(run)
    }

    /// The same, which plays its games on this device. The processor, which is meant otherwise, plays the same games everywhere.
    #[must_use]
    pub fn playing_on(self, device: NetworkDevice) -> Run {
        Run { device, ..self }
    }

    /// The same, which trains on this device from now on, and notes where that is. What a GPU learns is rounded in its own way.
    ///
    /// # Errors
    /// If a device that was named cannot train this network.
    pub fn training_on(self, device: NetworkDevice) -> Result<Run, RunError> {
        let (trainer, how) =
            Training::on(device, self.trainer.known().clone(), self.settings.learn.batch as usize)?;
        self.folder.log(&how);
        Ok(Run { trainer, ..self })
    }

    /// Takes the games of earlier generations into the window, as many as matter, in the order in which they came.
    fn fill_window(&mut self) -> Result<(), RunError> {
        let kept = self.folder.read_window(self.generation)?;
        let wanted = self.window.await_as_many(&kept);
        let (mut first, mut samples) = (self.generation, 0);
        while first > 0 && samples < wanted {
            first -= 1;
            // A position gives one sample at least.
            let games = self.folder.read_games(first)?;
            samples +=
                games.iter().flat_map(|game| &game.searched).filter(|searched| searched.in_full).count();
        }
        for generation in first..self.generation {
            let games = self.folder.read_games(generation)?;
            self.learn_from(&games)?;
        }
        if self.generation > 0 && !self.window.resume(&kept) {
            self.folder.log("the state of the window is not there: samples count as if they were new");
        }
        Ok(())
    }

    /// Puts the samples of games into the window; how many there were.
    fn learn_from(&mut self, games: &[GameRecord]) -> Result<usize, RunError> {
        let mut count = 0;
        for game in games {
            let (window, count) = (&mut self.window, &mut count);
            let mut see = |sample| {
                window.push(sample);
                *count += 1;
            };
            let sampling = self.settings.play.sampling(self.settings.learn.symmetries);
            self.learner.samples(game, &self.encoder, sampling, &mut see)?;
        }
        Ok(count)
    }

    /// The generation of the newest network.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// The folder.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The newest network.
    ///
    /// # Errors
    /// If training has diverged.
    pub fn network(&self) -> Result<Network, RunError> {
        Ok(self.trainer.known().network()?)
    }

    /// Plays and learns for one generation. `None` if it was stopped before its end; what was played by then is kept, and the run goes on when it is
    /// opened anew.
    ///
    /// # Errors
    /// If the network cannot be run or trained, or a file cannot be written: opened anew, the run goes on from there. So if it was stopped before.
    pub fn advance(
        &mut self,
        stop: &AtomicBool,
        see: &(dyn Fn(Event) + Sync),
    ) -> Result<Option<Generation>, RunError> {
        if std::mem::replace(&mut self.is_spent, true) {
            return Err(RunError::Folder("this run was stopped: open it anew".to_string()));
        }
        let advanced = self.advance_one(stop, see);
        match &advanced {
            Ok(Some(figures)) => {
                self.is_spent = false;
                self.folder.log(&figures.in_words());
            }
            Ok(None) => self.folder.log("stopped; what was played is kept"),
            Err(error) => self.folder.log(&format!("failed: {error}")),
        }
        advanced
    }

    fn advance_one(
        &mut self,
        stop: &AtomicBool,
        see: &(dyn Fn(Event) + Sync),
    ) -> Result<Option<Generation>, RunError> {
        let played = self.play(stop, see)?;
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let games = self.folder.read_games(self.generation)?;
        let samples = self.learn_from(&games)?;
        let Some(trained) = self.train(samples, stop, see)? else { return Ok(None) };
        let network = self.trainer.trainer()?.network()?;
        let mut figures = Generation {
            generation: self.generation + 1,
            window: self.window.len(),
            total_samples: self.window.total(),
            total_games: (self.settings.learn.games as u64) * u64::from(self.generation + 1),
            ..Generation::new(&games, &played, &trained)
        };
        figures.ask(&network, &*self.learner, &self.encoder, &games)?;
        self.seconds += played.seconds + trained.seconds;
        figures.seconds = self.seconds;
        self.generation += 1;
        // In this order: once the state is there, all is.
        self.folder.add_line(&self.folder.metrics(), &figures)?;
        self.folder.keep_window(self.generation, &self.window.to_bytes())?;
        let net = network.to_bytes(Precision::Single);
        self.folder.keep(self.generation, &net, &self.trainer.known().to_bytes())?;
        see(Event::Generation(Box::new(figures.clone())));
        Ok(Some(figures))
    }

    /// Plays the games of this generation that are still to be played.
    fn play(&self, stop: &AtomicBool, see: &(dyn Fn(Event) + Sync)) -> Result<Played, RunError> {
        let begun = Instant::now();
        let of = self.settings.learn.games as usize;
        let done: HashSet<u64> =
            self.folder.read_games(self.generation)?.iter().map(|game| game.number).collect();
        let first = u64::from(self.generation) * of as u64;
        let numbers: Vec<u64> = (first..first + of as u64).filter(|number| !done.contains(number)).collect();
        if numbers.is_empty() {
            return Ok(Played::default());
        }
        let network = Opened::Tower(self.trainer.known().network()?);
        let backend = network_backend(network, NetworkArithmetic::Exact, self.device)?;
        let backend = Arc::new(CountedBackend::new(backend));
        let (evaluations, positions) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let played = || Played {
            positions: positions.load(Ordering::Relaxed),
            evaluations: evaluations.load(Ordering::Relaxed),
            batches: backend.batches(),
            seconds: begun.elapsed().as_secs_f64(),
        };
        let games = AtomicUsize::new(done.len());
        let tell = || see(Event::Playing { games: games.load(Ordering::Relaxed), of, played: played() });
        let file = Mutex::new((self.folder.append_games(self.generation)?, None));
        // A game that cannot be written ends the work: the disk is full, say.
        let failed = AtomicBool::new(false);
        let deliver = |game: GameRecord| {
            let mut bytes = Vec::new();
            game.write(&mut bytes);
            let (file, failure) = &mut *file.lock().unwrap_or_else(PoisonError::into_inner);
            if failure.is_some() {
                return;
            }
            match file.write_all(&bytes) {
                Ok(()) => {
                    games.fetch_add(1, Ordering::Relaxed);
                    positions.fetch_add(game.moves.len(), Ordering::Relaxed);
                }
                Err(error) => {
                    *failure = Some(error);
                    failed.store(true, Ordering::Relaxed);
                }
            }
            tell();
        };
        // Threads ask again and again whether to stop: a good moment to tell how things stand while no game ends.
        let told = AtomicU64::new(0);
        let stop = || {
            let now = begun.elapsed().as_millis() as u64;
            let before = told.load(Ordering::Relaxed);
            if now > before + TELL_EVERY
                && told.compare_exchange(before, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
            {
                tell();
            }
            stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed)
        };
        let job = SelfPlayJob {
            options: &self.settings.play,
            generation: self.generation,
            numbers: &numbers,
            seed: mix(self.settings.learn.seed),
            threads: self.threads,
            stop: &stop,
            evaluations: &evaluations,
        };
        self.learner.play(backend.clone(), &job, &deliver)?;
        if let Some(notice) = backend.take_notice() {
            self.folder.log(&notice);
        }
        let (_, failure) = file.into_inner().unwrap_or_else(PoisonError::into_inner);
        match failure {
            None => Ok(played()),
            Some(error) => Err(RunError::File(self.folder.games(self.generation), error)),
        }
    }

    /// Trains on the window, for so many new samples. `None` if it was stopped.
    fn train(
        &mut self,
        samples: usize,
        stop: &AtomicBool,
        see: &(dyn Fn(Event) + Sync),
    ) -> Result<Option<Trained>, RunError> {
        let begun = Instant::now();
        let learn = &self.settings.learn;
        let batch = learn.batch as usize;
        let of = (samples as f64 * learn.trainings / batch as f64).ceil().max(1.0) as u64;
        let mut rng = Rng::new(mix(mix(learn.seed) ^ u64::from(self.generation)));
        let description = self.trainer.known().parameters().description().clone();
        let left = self.settings.decayed(self.generation) as f32;
        let mut trained = Trained { batch, ..Trained::default() };
        for steps in 1..=of {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let drawn = self.window.draw(batch, &description, &mut rng);
            if drawn.len() < batch {
                // All else was trained on as often as is allowed.
                break;
            }
            trained.rate = left * self.settings.rate(self.trainer.steps());
            let losses = self.trainer.step(&drawn, trained.rate)?;
            trained.steps = steps;
            trained.losses.push(losses);
            trained.seconds = begun.elapsed().as_secs_f64();
            see(Event::Step { steps, of, batch, seconds: trained.seconds, losses });
        }
        Ok(Some(trained))
    }
}
