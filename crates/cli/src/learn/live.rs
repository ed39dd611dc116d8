//! What is to be seen of a generation while it runs, if anybody looks.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use outplay_learn::{Event, Generation};

/// A bar with the figures of the moment. Nothing is drawn where nobody looks: into a file, say.
pub struct Live {
    bar: ProgressBar,
    generation: u32,
}

impl Live {
    /// For a generation that begins.
    pub fn new(generation: u32) -> Live {
        let style = ProgressStyle::with_template("{msg}\n{wide_bar} {pos}/{len} {prefix}, {eta} left");
        let bar = ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_prefix("games");
        bar.set_message(format!("generation {generation}: begins"));
        bar.enable_steady_tick(Duration::from_millis(500));
        Live { bar, generation }
    }

    /// Shows what has happened.
    pub fn show(&self, event: &Event) {
        let generation = self.generation;
        match event {
            Event::Playing { games, of, played } => {
                self.bar.set_length(*of as u64);
                self.bar.set_position(*games as u64);
                self.bar.set_message(format!(
                    "generation {generation}: self-play, {:.0} positions/s, {:.0} evals/s, {:.1} at once",
                    played.positions as f64 / played.seconds.max(1e-9),
                    played.evaluations_per_second(),
                    played.mean_batch()
                ));
            }
            Event::Step { steps, of, batch, seconds, losses } => {
                if *steps == 1 {
                    self.bar.reset_eta();
                    self.bar.set_prefix("batches");
                }
                self.bar.set_length(*of);
                self.bar.set_position(*steps);
                self.bar.set_message(format!(
                    "generation {generation}: training, {:.0} samples/s, policy loss {:.3}, value loss {:.3}, all {:.3}",
                    (*steps * *batch as u64) as f64 / seconds.max(1e-9),
                    losses.policy,
                    losses.value,
                    losses.total
                ));
            }
            Event::Generation(_) => {}
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// What the columns of [`row`] mean.
pub fn heading() -> String {
    format!(
        "{:>10} {:>7} {:>9} {:>8} {:>7} {:>6} {:>6} {:>8} {:>8} {:>8} {:>9} {:>9}",
        "generation",
        "games",
        "positions",
        "window",
        "length",
        "first",
        "draws",
        "entropy",
        "policy",
        "value",
        "evals/s",
        "time"
    )
}

/// A generation in figures: means of the games, losses of policy and value.
pub fn row(figures: &Generation) -> String {
    let time = Duration::from_secs_f64(figures.play_seconds + figures.train_seconds);
    format!(
        "{:>10} {:>7} {:>9} {:>8} {:>7.1} {:>5.0}% {:>5.0}% {:>8.2} {:>8.3} {:>8.3} {:>9.0} {:>8.1}s",
        figures.generation,
        figures.games,
        figures.positions,
        figures.window,
        figures.length,
        100.0 * figures.first_wins,
        100.0 * figures.draws,
        figures.entropy,
        figures.policy_loss,
        figures.value_loss,
        figures.evaluations_per_second,
        time.as_secs_f64()
    )
}
