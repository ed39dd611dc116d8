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
    /// How the size of steps falls from generation to generation.
    pub enum RateDecay {
        /// It does not.
        Constant = "constant",
        /// By half a cosine, once, and stays there.
        Cosine = "cosine",
        /// At once, again and again.
        Step = "step",
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
        /// Whether it also says whose each cell will be in the end, in games that have such a thing.
        pub ownership: bool = false,
        group "Learning" []:
        /// Games of a generation: so many are played by one network before the next is trained.
        pub games: u32 = 200, in 1..=10_000_000,
        /// Samples in the window, counted after symmetries; the oldest go first.
        pub window: u32 = 20_000, in 64..=100_000_000,
        /// How the window grows: with N samples so far it holds w·(1 + 0.4·((N/w)^a - 1)/a), where w is its size at first and a this; 0 never grows.
        pub window_growth: f64 = 0.0, in 0.0..=1.0,
        /// Samples of a batch.
        pub batch: u32 = 512, in 2..=65_536,
        /// How often each new sample is trained on, on average.
        pub trainings: f64 = 4.0, in 0.01..=1_000.0,
        /// How often a sample is trained on at most; then it is out. 0 for as often as chance has it.
        pub most_trainings: u32 = 0, in 0..=65_535,
        /// What share of samples is drawn in proportion to how far the search was from the network's policy; the rest are all as likely.
        pub surprise_weight: f64 = 0.0, in 0.0..=1.0,
        /// Whether each position is shown in all symmetries of the game.
        pub symmetries: bool = true,
        /// What share of the value to learn is what the search thought; the rest is how the game ended.
        pub search_value: f64 = 0.0, in 0.0..=1.0,
        /// What share is what the searches of the next few moves thought; of what the share above leaves.
        pub short_term_value: f64 = 0.0, in 0.0..=1.0,
        /// The rule by which weights change.
        pub optimizer: Optimizing = Optimizing::Momentum,
        /// The size of steps.
        pub learning_rate: f64 = 0.02, in 1e-7..=10.0,
        /// Steps over which it rises to that.
        pub warm_up: u32 = 100, in 0..=1_000_000,
        /// How it falls from generation to generation.
        pub rate_decay: RateDecay = RateDecay::Constant,
        /// Generations until it has fallen once.
        pub decay_generations: u32 = 100, in 1..=1_000_000,
        /// What is left of it then: at the end of the cosine, or after each step.
        pub decay_to: f64 = 0.1, in 0.0001..=1.0,
        /// How strongly weights are pulled to zero.
        pub decay: f64 = 1e-4, in 0.0..=1.0,
        /// How much of the weights that play is kept each step: an average of the last ones. 0 for the last weights themselves.
        pub average: f64 = 0.0, in 0.0..=0.999999,
        /// What chance begins with. The same settings give the same run.
        pub seed: u64 = 1, in 1..=1_000_000_000,
    }
}

options! {
    /// How networks are rated on the way. That does not change what is learned, so a run may go on with other values.
    pub struct RatingOptions {
        group "Ratings" []:
        /// Every so many generations the network is rated against fixed opponents; 0 for never.
        pub rate_every: u32 = 0, in 0..=1_000_000,
        /// Games against each of them, in pairs from the same openings.
        pub rate_games: u32 = 40, in 2..=100_000,
        /// Playouts of the network's searches.
        pub rate_playouts: u32 = 100, in 1..=1_000_000,
        /// Random moves of the openings.
        pub rate_plies: u32 = 4, in 0..=1_000,
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
    /// How networks are rated on the way.
    pub rating: RatingOptions,
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
        of(&self.play).chain(of(&self.learn)).chain(of(&self.rating)).collect()
    }

    /// What differs from the plain recipe, in a line.
    pub fn in_a_line(&self) -> String {
        let plain = Settings::default().rows();
        let differ = self.rows().into_iter().zip(plain).filter(|((_, value), (_, plain))| value != plain);
        let differ: Vec<String> = differ.map(|((row, value), _)| format!("{}={value}", row.name)).collect();
        if differ.is_empty() { "plain".to_string() } else { differ.join(" ") }
    }

    /// Sets a value by name.
    ///
    /// # Errors
    /// If there is no such option, or the value does not fit; nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let mut known = Vec::new();
        let sets: [&mut dyn OptionSet; 3] = [&mut self.play, &mut self.learn, &mut self.rating];
        for set in sets {
            match set.set(name, value) {
                Err(OptionError::Unknown { known: more, .. }) => known.extend(more),
                other => return other,
            }
        }
        Err(OptionError::Unknown { name: name.to_string(), known })
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
        heads.ownership = learn.ownership.then_some(shape.channels);
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

    /// How much of the size of steps is left while this generation is trained: 1 at first.
    pub fn decayed(&self, generation: u32) -> f64 {
        let learn = &self.learn;
        let passed = f64::from(generation) / f64::from(learn.decay_generations);
        match learn.rate_decay {
            RateDecay::Constant => 1.0,
            RateDecay::Cosine => {
                let falling = (1.0 + (std::f64::consts::PI * passed.min(1.0)).cos()) / 2.0;
                learn.decay_to + (1.0 - learn.decay_to) * falling
            }
            RateDecay::Step => learn.decay_to.powf(passed.floor()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_steps_falls_as_it_is_told_to() {
        let mut settings = Settings::default();
        let left = |settings: &Settings| [0, 5, 10, 15, 25].map(|generation| settings.decayed(generation));
        assert_eq!(left(&settings), [1.0; 5]);
        for (name, value) in [("rate_decay", "step"), ("decay_generations", "10"), ("decay_to", "0.5")] {
            settings.set(name, value).expect("an option");
        }
        assert_eq!(left(&settings), [1.0, 1.0, 0.5, 0.5, 0.25]);
        settings.set("rate_decay", "cosine").expect("an option");
        let near = left(&settings).iter().zip([1.0, 0.75, 0.5, 0.5, 0.5]).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near, "{:?}", left(&settings));
    }

    #[test]
    fn every_setting_has_a_name_of_its_own() {
        let rows = Settings::default().rows();
        for (place, (row, _)) in rows.iter().enumerate() {
            assert!(rows[..place].iter().all(|(other, _)| other.name != row.name), "{}", row.name);
        }
        let unknown = Settings::default().set("colour", "red").expect_err("no such setting").to_string();
        assert!(["playouts", "blocks", "rate_every"].iter().all(|name| unknown.contains(name)), "{unknown}");
    }
}
