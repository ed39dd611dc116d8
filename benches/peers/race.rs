//! A race: contestants take turns, medians are compared.

use std::time::Duration;

/// Somebody who does work and says how much of it in how long.
pub struct Contestant<'a> {
    pub name: &'a str,
    /// Does the work once: units done and the time it took; `None` if the peer is not there.
    pub run: Box<dyn FnMut() -> Option<(u64, Duration)> + 'a>,
}

impl<'a> Contestant<'a> {
    pub fn new(name: &'a str, run: impl FnMut() -> Option<(u64, Duration)> + 'a) -> Contestant<'a> {
        Contestant { name, run: Box::new(run) }
    }

    /// Times a closure that returns how much it did.
    pub fn timed(name: &'a str, mut work: impl FnMut() -> u64 + 'a) -> Contestant<'a> {
        Contestant::new(name, move || {
            let begun = cpu_time::ProcessTime::now();
            let units = std::hint::black_box(work());
            Some((units, begun.elapsed()))
        })
    }
}

const ROUNDS: usize = 7;

/// Runs everybody in turn and prints the median speeds, and how many times the speed of each other contestant the
/// first one reaches.
pub fn race(title: &str, unit: &str, mut contestants: Vec<Contestant>) {
    println!("\n{title}");
    let mut speeds: Vec<Vec<f64>> = vec![Vec::new(); contestants.len()];
    for _ in 0..ROUNDS {
        for (contestant, speeds) in contestants.iter_mut().zip(&mut speeds) {
            if let Some((units, time)) = (contestant.run)() {
                speeds.push(units as f64 / time.as_secs_f64());
            }
        }
    }
    let medians: Vec<Option<f64>> = speeds.into_iter().map(median).collect();
    for (contestant, speed) in contestants.iter().zip(&medians) {
        match (speed, medians[0]) {
            (Some(speed), Some(ours)) => {
                println!(
                    "  {:<44} {:>10.3} M {unit}/s   ours is {:>7.2} times",
                    contestant.name,
                    speed / 1e6,
                    ours / speed
                );
            }
            _ => println!("  {:<44} not installed", contestant.name),
        }
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
