//! A run: generation after generation.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use outplay_core::{Player, Rng, mix};
use outplay_engine::selfplay::{GameRecord, Learner, SelfPlayJob};
use outplay_net::train::{Losses, Parameters, Trainer};
use outplay_net::{Arithmetic, Backend, Network, Precision, Processor};
use serde::Serialize;

use crate::folder::{Folder, RunError};
use crate::settings::Settings;
use crate::window::Window;

/// A run that goes on.
pub struct Run {
    folder: Folder,
    settings: Settings,
    learner: Arc<dyn Learner>,
    encoder: String,
    trainer: Trainer,
    /// The generation of the trainer's network.
    generation: u32,
    window: Window,
    threads: usize,
    /// Whether it was stopped in the middle of a generation: what is in memory is neither of this one nor of the next then.
    is_spent: bool,
}

/// What happens in a run.
#[derive(Clone, Debug)]
pub enum Event {
    /// A game has ended.
    Game {
        /// Games of this generation so far.
        games: usize,
        /// Of so many.
        of: usize,
        /// Evaluations of this generation since the run went on.
        evaluations: usize,
    },
    /// A batch was trained on.
    Step {
        /// Batches of this generation so far.
        steps: u64,
        /// Of so many.
        of: u64,
        /// How far the network was off.
        losses: Losses,
    },
    /// A generation has ended.
    Generation(Generation),
}

/// The figures of a generation.
#[derive(Clone, Debug, Serialize)]
pub struct Generation {
    /// The generation of the network that was trained.
    pub generation: u32,
    /// Games from which it learned last.
    pub games: usize,
    /// Positions of these games.
    pub positions: usize,
    /// Samples in the window.
    pub window: usize,
    /// Mean length of the games, in moves.
    pub length: f64,
    /// The share of games that the first player won.
    pub first_wins: f64,
    /// The share of draws.
    pub draws: f64,
    /// How undecided searches were: the mean entropy of policies, in bits.
    pub entropy: f64,
    /// Batches trained on.
    pub steps: u64,
    /// Mean losses of the policy.
    pub policy_loss: f64,
    /// Mean losses of the value.
    pub value_loss: f64,
    /// Seconds of self-play since the run went on.
    pub play_seconds: f64,
    /// Evaluations in that time.
    pub evaluations: usize,
    /// Seconds of training.
    pub train_seconds: f64,
}

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
            Some((generation, state)) => (generation, Trainer::from_bytes(description, options, &state)?),
            None => {
                let parameters = Parameters::new(description, mix(settings.learn.seed))?;
                let trainer = Trainer::new(parameters, options);
                folder.keep(0, &trainer.network()?.to_bytes(Precision::Single), &trainer.to_bytes())?;
                (0, trainer)
            }
        };
        let window = Window::new(settings.learn.window as usize, settings.learn.search_value as f32);
        let encoder = encoder.name.clone();
        let mut run =
            Run { folder, settings, learner, encoder, trainer, generation, window, threads, is_spent: false };
        run.fill_window()?;
        Ok(run)
    }

    /// Takes the games of earlier generations into the window, as many as matter, in the order in which they came.
    fn fill_window(&mut self) -> Result<(), RunError> {
        let (mut first, mut samples) = (self.generation, 0);
        while first > 0 && samples < self.settings.learn.window as usize {
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
        Ok(self.trainer.network()?)
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
        let begun = Instant::now();
        let evaluations = AtomicUsize::new(0);
        self.play(stop, &evaluations, see)?;
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let play_seconds = begun.elapsed().as_secs_f64();
        let games = self.folder.read_games(self.generation)?;
        let samples = self.learn_from(&games)?;
        let begun = Instant::now();
        let Some((steps, policy_loss, value_loss)) = self.train(samples, stop, see)? else { return Ok(None) };
        self.generation += 1;
        let net = self.trainer.network()?.to_bytes(Precision::Single);
        self.folder.keep(self.generation, &net, &self.trainer.to_bytes())?;
        let share = |count: usize| count as f64 / games.len().max(1) as f64;
        let searched = || games.iter().flat_map(|game| &game.searched);
        let figures = Generation {
            generation: self.generation,
            games: games.len(),
            positions: searched().count(),
            window: self.window.len(),
            length: share(games.iter().map(|game| game.moves.len()).sum()),
            first_wins: share(
                games.iter().filter(|game| game.outcome.winner() == Some(Player::First)).count(),
            ),
            draws: share(games.iter().filter(|game| game.outcome.winner().is_none()).count()),
            entropy: searched().map(entropy).sum::<f64>() / searched().count().max(1) as f64,
            steps,
            policy_loss,
            value_loss,
            play_seconds,
            evaluations: evaluations.into_inner(),
            train_seconds: begun.elapsed().as_secs_f64(),
        };
        let line = serde_json::to_string(&figures).expect("figures have nothing that JSON lacks");
        self.folder.add_metrics(&line)?;
        self.is_spent = false;
        see(Event::Generation(figures.clone()));
        Ok(Some(figures))
    }

    /// Plays the games of this generation that are still to be played.
    fn play(
        &self,
        stop: &AtomicBool,
        evaluations: &AtomicUsize,
        see: &(dyn Fn(Event) + Sync),
    ) -> Result<(), RunError> {
        let of = self.settings.learn.games as usize;
        let done: HashSet<u64> =
            self.folder.read_games(self.generation)?.iter().map(|game| game.number).collect();
        let first = u64::from(self.generation) * of as u64;
        let numbers: Vec<u64> = (first..first + of as u64).filter(|number| !done.contains(number)).collect();
        if numbers.is_empty() {
            return Ok(());
        }
        let backend: Arc<dyn Backend> =
            Arc::new(Processor::new(&self.trainer.network()?, Arithmetic::Exact)?);
        let file = Mutex::new((self.folder.append_games(self.generation)?, done.len(), None));
        // A game that cannot be written ends the work: the disk is full, say.
        let failed = AtomicBool::new(false);
        let deliver = |game: GameRecord| {
            let mut bytes = Vec::new();
            game.write(&mut bytes);
            let (file, games, failure) = &mut *file.lock().unwrap_or_else(PoisonError::into_inner);
            if failure.is_some() {
                return;
            }
            match file.write_all(&bytes) {
                Ok(()) => *games += 1,
                Err(error) => {
                    *failure = Some(error);
                    failed.store(true, Ordering::Relaxed);
                }
            }
            see(Event::Game { games: *games, of, evaluations: evaluations.load(Ordering::Relaxed) });
        };
        let job = SelfPlayJob {
            options: &self.settings.play,
            generation: self.generation,
            numbers: &numbers,
            seed: mix(self.settings.learn.seed),
            threads: self.threads,
            stop: &|| stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed),
            evaluations,
        };
        self.learner.play(backend, &job, &deliver)?;
        let (_, _, failure) = file.into_inner().unwrap_or_else(PoisonError::into_inner);
        failure.map_or(Ok(()), |error| Err(RunError::File(self.folder.games(self.generation), error)))
    }

    /// Trains on the window, for so many new samples; steps and mean losses.
    fn train(
        &mut self,
        samples: usize,
        stop: &AtomicBool,
        see: &(dyn Fn(Event) + Sync),
    ) -> Result<Option<(u64, f64, f64)>, RunError> {
        let learn = &self.settings.learn;
        let batch = learn.batch as usize;
        let of = (samples as f64 * learn.trainings / batch as f64).ceil().max(1.0) as u64;
        let mut rng = Rng::new(mix(mix(learn.seed) ^ u64::from(self.generation)));
        let description = self.trainer.parameters().description().clone();
        let (mut policy, mut value) = (0.0, 0.0);
        for steps in 1..=of {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let drawn = self.window.draw(batch, &description, &mut rng);
            let losses = self.trainer.step(&drawn, self.settings.rate(self.trainer.steps()))?;
            policy += f64::from(losses.policy) / of as f64;
            value += f64::from(losses.value) / of as f64;
            see(Event::Step { steps, of, losses });
        }
        Ok(Some((of, policy, value)))
    }
}

/// The entropy of a policy, in bits.
fn entropy(searched: &outplay_engine::selfplay::Searched) -> f64 {
    let whole: f64 = searched.policy.iter().map(|&(_, share)| f64::from(share)).sum();
    let chances = searched.policy.iter().map(|&(_, share)| f64::from(share) / whole.max(1.0));
    chances.filter(|&chance| chance > 0.0).map(|chance| -chance * chance.log2()).sum()
}
