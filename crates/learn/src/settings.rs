//! How a network learns: one table of options, and recipes that set them.

use outplay_engine::EncoderInfo;
use outplay_engine::selfplay::SelfPlayOptions;
use outplay_net::train::{LossWeights, Rule, TrainingOptions, Workers};
use outplay_net::{BlockKind, Description, ScalarKind, ValueKind};
use outplay_search::{OptionError, OptionRow, OptionSet, OptionValue, choices, options};

choices! {
    /// The rule by which gradients change weights.
    pub enum Optimizing {
        /// Stochastic gradient descent with momentum.
        Momentum = "momentum",
        /// Adam with decay of its own.
        AdamW = "adamw",
    }
}

choices! {
    /// A recipe: values for all options.
    pub enum Recipe {
        /// AlphaZero as a student would write it.
        Plain = "plain",
        /// The same with what others have found to be worth its while since.
        Fast = "fast",
    }
}

options! {
    /// Settings of learning, beside those of self-play.
    pub struct LearnOptions {
        group "Network" []:
        /// Residual blocks.
        pub blocks: u32 = 4, in 0..=64,
        /// Channels of a block.
        pub channels: u32 = 64, in 1..=1_024,
        /// Whether blocks have squeeze and excitation.
        pub squeeze_excitation: bool = false,
        /// Whether the value is chances to win, draw and lose, rather than one number.
        pub win_draw_loss: bool = false,
        /// Whether the network also says how long the game will last.
        pub moves_left: bool = false,
        /// Whether it also says what the opponent will reply.
        pub reply: bool = false,
        /// Whether it also says by how much the game will be won.
        pub margin: bool = false,
        group "Learning" []:
        /// Games of a generation: so many are played by one network before the next is trained.
        pub games: u32 = 200, in 1..=10_000_000,
        /// Samples in the window, counted after symmetries; the oldest go first.
        pub window: u32 = 20_000, in 64..=100_000_000,
        /// Samples of a batch.
        pub batch: u32 = 512, in 2..=65_536,
        /// How often each new sample is trained on, on average.
        pub trainings: f64 = 4.0, in 0.01..=1_000.0,
        /// Whether each position is shown in all symmetries of the game.
        pub symmetries: bool = true,
        /// What share of the value to learn is what the search thought; the rest is how the game ended.
        pub search_value: f64 = 0.0, in 0.0..=1.0,
        /// The rule by which weights change.
        pub optimizer: Optimizing = Optimizing::Momentum,
        /// The size of steps.
        pub learning_rate: f64 = 0.02, in 1e-7..=10.0,
        /// Steps over which it rises to that.
        pub warm_up: u32 = 100, in 0..=1_000_000,
        /// How strongly weights are pulled to zero.
        pub decay: f64 = 1e-4, in 0.0..=1.0,
        /// How much of the weights that play is kept each step: an average of the last ones. 0 for the last weights themselves.
        pub average: f64 = 0.0, in 0.0..=0.999999,
        /// What chance begins with. The same settings give the same run.
        pub seed: u64 = 1, in 1..=1_000_000_000,
    }
}

/// Where recipes differ from the defaults, which are those of `plain`.
const FAST: &[(&str, &str)] = &[
    ("win_draw_loss", "true"),
    ("reply", "true"),
    ("optimizer", "adamw"),
    ("learning_rate", "0.001"),
    ("average", "0.99"),
    ("window", "100000"),
    ("search_value", "0.25"),
    ("playouts", "64"),
    ("full_share", "1"),
    ("fpu_reduction", "0.2"),
    ("solver", "true"),
    ("temperature_moves", "12"),
    ("late_temperature", "0.25"),
];

/// All settings of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// How games are played.
    pub play: SelfPlayOptions,
    /// How is learned from them.
    pub learn: LearnOptions,
}

impl Settings {
    /// Those of a recipe.
    pub fn of(recipe: Recipe) -> Settings {
        let mut settings = Settings::default();
        let changes = match recipe {
            Recipe::Plain => &[],
            Recipe::Fast => FAST,
        };
        for (name, value) in changes {
            settings.set(name, value).expect("a recipe sets what there is");
        }
        settings
    }

    /// All rows with their values.
    pub fn rows(&self) -> Vec<(OptionRow, OptionValue)> {
        fn of(set: &dyn OptionSet) -> impl Iterator<Item = (OptionRow, OptionValue)> + '_ {
            set.rows().into_iter().enumerate().map(|(index, row)| (row, set.value(index)))
        }
        of(&self.play).chain(of(&self.learn)).collect()
    }

    /// Sets a value by name.
    ///
    /// # Errors
    /// If there is no such option, or the value does not fit; nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        match self.play.set(name, value) {
            Err(OptionError::Unknown { name: quoted, mut known }) => match self.learn.set(name, value) {
                Err(OptionError::Unknown { known: more, .. }) => {
                    known.extend(more);
                    Err(OptionError::Unknown { name: quoted, known })
                }
                other => other,
            },
            other => other,
        }
    }

    /// The network that is trained, for a game's encoder.
    pub fn network(&self, game: &str, encoder: &EncoderInfo) -> Description {
        let learn = &self.learn;
        let block = match learn.squeeze_excitation {
            true => BlockKind::SqueezeExcitation { hidden: (learn.channels as usize / 4).max(1) },
            false => BlockKind::Plain {},
        };
        let mut description = encoder.description(
            game.to_string(),
            learn.channels as usize,
            vec![block; learn.blocks as usize],
        );
        let shape = ScalarKind { channels: 8, hidden: 64 };
        let heads = &mut description.heads;
        if !learn.win_draw_loss {
            heads.value = ValueKind::Scalar { channels: shape.channels, hidden: shape.hidden };
        }
        heads.moves_left = learn.moves_left.then_some(shape);
        heads.margin = learn.margin.then_some(shape);
        heads.reply = learn.reply.then_some(heads.policy);
        description
    }

    /// How it is trained, on so many threads.
    pub fn training(&self, threads: usize) -> TrainingOptions {
        let learn = &self.learn;
        TrainingOptions {
            rule: match learn.optimizer {
                Optimizing::Momentum => Rule::Momentum { momentum: 0.9 },
                Optimizing::AdamW => Rule::AdamW { beta1: 0.9, beta2: 0.999 },
            },
            decay: learn.decay as f32,
            longest_gradient: 5.0,
            weights: LossWeights::default(),
            average: learn.average as f32,
            workers: Workers::new(threads),
        }
    }

    /// The size of a step, by how many there have been.
    pub fn rate(&self, steps: u64) -> f32 {
        let warm = ((steps + 1) as f64 / f64::from(self.learn.warm_up.max(1))).min(1.0);
        (self.learn.learning_rate * warm) as f32
    }
}
