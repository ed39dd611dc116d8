//! From values to places along an axis, and the round numbers to mark on it.

use super::number::{minus_if, scientific};

/// How an axis spaces its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Equal differences take equal room.
    Linear,
    /// As [`Scale::Linear`], with ticks at whole numbers only.
    Whole,
    /// Equal ratios take equal room. Numbers that are not positive have no place.
    Log,
}

impl Scale {
    /// [`Scale::Whole`] if all finite values are whole numbers.
    #[must_use]
    pub fn of(values: impl IntoIterator<Item = f64>) -> Scale {
        let all_whole =
            values.into_iter().filter(|value| value.is_finite()).all(|value| value.fract() == 0.0);
        if all_whole { Scale::Whole } else { Scale::Linear }
    }

    fn has_place(self, value: f64) -> bool {
        value.is_finite() && (self != Scale::Log || value > 0.0)
    }
}

/// An axis: a range of values with round numbers marked on it.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    ticks: Vec<f64>,
    /// The distance between ticks, where it is one distance.
    step: Option<Step>,
}

impl Axis {
    /// The axis on which all of the values have a place, as far as they can have one, with about `ticks` ticks (never
    /// more than one above that, never fewer than one). Its range is that of the values; where that is empty or too
    /// narrow for sensible ticks, wider. A log axis ends at ticks.
    #[must_use]
    pub fn new(scale: Scale, values: impl IntoIterator<Item = f64>, ticks: usize) -> Axis {
        let (low, high) = range(scale, values);
        if scale == Scale::Log {
            Axis::log(low, high, ticks.max(3))
        } else {
            Axis::even(scale, low, high, ticks.max(3))
        }
    }

    fn even(scale: Scale, low: f64, high: f64, ticks: usize) -> Axis {
        let step = Step::at_least((high - low) / ticks as f64, scale);
        let ticks = (step.floor(low)..=step.floor(high)).map(|n| step.times(n));
        let ticks = ticks.filter(|tick| (low..=high).contains(tick)).collect();
        Axis { scale, low, high, ticks, step: Some(step) }
    }

    fn log(low: f64, high: f64, ticks: usize) -> Axis {
        let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
        let marks = |mantissas: &[i64]| -> Vec<f64> {
            let decade =
                |exponent| mantissas.iter().map(move |&mantissa| Step { mantissa, exponent }.times(1));
            let all: Vec<f64> = decades.clone().flat_map(decade).collect();
            let first = all.iter().rposition(|&mark| mark <= low).unwrap_or(0);
            let last = all.iter().position(|&mark| mark >= high).unwrap_or(all.len() - 1);
            all[first..=last].to_vec()
        };
        let fine = marks(&[1, 2, 5]);
        let marks = if fine.len() <= ticks { fine } else { marks(&[1]) };
        let (low, high) = (marks[0], marks[marks.len() - 1]);
        let every = marks.len().div_ceil(ticks);
        Axis { scale: Scale::Log, low, high, ticks: marks.into_iter().step_by(every).collect(), step: None }
    }

    /// The same axis, made longer so that it begins and ends at ticks.
    #[must_use]
    pub fn rounded(self) -> Axis {
        let Some(step) = self.step else { return self };
        let (first, last) = (step.floor(self.low), -step.floor(-self.high));
        let ticks = (first..=last).map(|n| step.times(n)).collect();
        Axis { low: step.times(first), high: step.times(last), ticks, ..self }
    }

    /// The least and the greatest value that has a place.
    #[must_use]
    pub fn range(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// The values to mark, ascending and within the range: one, two or five times a power of ten apart.
    #[must_use]
    pub fn ticks(&self) -> &[f64] {
        &self.ticks
    }

    /// The place of a value as a part of the axis, 0 to 1; `None` for a value that has no place on any axis of this
    /// scale. Values outside the range are put at its ends.
    #[must_use]
    pub fn fraction(&self, value: f64) -> Option<f64> {
        let place = |value: f64| if self.scale == Scale::Log { value.log10() } else { value };
        let (low, high) = (place(self.low), place(self.high));
        self.scale.has_place(value).then(|| ((place(tame(value)) - low) / (high - low)).clamp(0.0, 1.0))
    }

    /// The text of a tick, different from that of all others: `0.25`, `−40`, `12.5k`, `3M`.
    #[must_use]
    pub fn label(&self, tick: f64) -> String {
        let (greatest, last_digit) = match self.step {
            Some(step) => (self.low.abs().max(self.high.abs()), step.exponent),
            None => (tick, tick.log10().floor() as i32),
        };
        let (unit, suffix) = match greatest {
            1e4..1e6 => (3, "k"),
            1e6..1e9 => (6, "M"),
            1e9..1e12 => (9, "G"),
            1e12..1e15 => (12, "T"),
            _ => (0, ""),
        };
        if tick == 0.0 {
            return "0".to_string();
        }
        if greatest >= 1e15 || last_digit < -5 {
            return scientific(tick, (tick.abs().log10().floor() as i32 - last_digit).clamp(0, 9) as usize);
        }
        let decimals = (unit - last_digit).max(0) as usize;
        minus_if(tick < 0.0) + &format!("{:.decimals$}{suffix}", tick.abs() / 10_f64.powi(unit))
    }
}

/// Magnitudes at the ends of what a float can hold are brought to where sums and quotients are still finite.
fn tame(value: f64) -> f64 {
    if value.abs() < 1e-300 { 0.0 } else { value.clamp(-1e300, 1e300) }
}

/// The range of the values that have a place, made wide enough to be divided.
pub(super) fn range(scale: Scale, values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let placed = values.into_iter().filter(|&value| scale.has_place(value)).map(tame);
    let (low, high) =
        placed.fold((f64::INFINITY, -f64::INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return if scale == Scale::Log { (1.0, 10.0) } else { (0.0, 1.0) };
    }
    if scale == Scale::Log {
        let (low, high) = (low.max(1e-300), high.max(1e-300));
        return if high / low < 1.0 + 1e-6 { (low / 2.0, high * 2.0) } else { (low, high) };
    }
    let magnitude = low.abs().max(high.abs());
    if high - low > magnitude * 1e-6 {
        return (low, high);
    }
    let margin = match scale {
        Scale::Whole => (magnitude / 2.0).max(1.0),
        _ if magnitude == 0.0 => 1.0,
        _ => magnitude / 2.0,
    };
    (low - margin, high + margin)
}

/// A round distance: one, two or five times a power of ten.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Step {
    mantissa: i64,
    exponent: i32,
}

impl Step {
    /// The smallest round distance that is not below `least`, a positive number.
    pub(super) fn at_least(least: f64, scale: Scale) -> Step {
        let power = least.log10().floor() as i32;
        let candidates = [(1, power), (2, power), (5, power), (1, power + 1)];
        let steps = candidates.map(|(mantissa, exponent)| Step { mantissa, exponent });
        let step = steps.into_iter().find(|step| step.times(1) >= least).unwrap_or(steps[3]);
        let below_one = scale == Scale::Whole && step.exponent < 0;
        if below_one { Step { mantissa: 1, exponent: 0 } } else { step }
    }

    /// This distance `n` times. Dividing by a power of ten rounds once, where multiplying by its inverse rounds
    /// twice and makes 0.30000000000000004 of 0.3.
    pub(super) fn times(self, n: i64) -> f64 {
        let count = (n * self.mantissa) as f64;
        let power = 10_f64.powi(self.exponent.abs());
        if self.exponent < 0 { count / power } else { count * power }
    }

    /// How many times the distance goes into `value`, rounded down. A value that is a multiple but for its rounding,
    /// as 0.3 of 0.1, counts as one.
    pub(super) fn floor(self, value: f64) -> i64 {
        (value / self.times(1) + 1e-9).floor() as i64
    }
}
