//! How sure an answer is, and what shallow searches are worth as evidence for one.

/// From so many empty squares on, searches to a depth and selective ones prepare the certain one.
pub(super) const STAGED: u32 = 18;
/// From so many empty squares on, a search that need not be certain is cut where a shallow one says so clearly.
pub(super) const SELECTIVE: u32 = 14;

/// How sure an answer is: the chance that a single cut on the way to it is right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Confidence(pub(super) u8);

impl Confidence {
    /// Nothing was left out.
    pub const CERTAIN: Confidence = Confidence(PASSES.len() as u8);
    /// Those of the passes before the certain one.
    pub(super) fn passes() -> impl Iterator<Item = Confidence> {
        (0..PASSES.len() as u8).map(Confidence)
    }

    /// In percent.
    pub fn percent(self) -> u8 {
        PASSES.get(usize::from(self.0)).map_or(100, |pass| pass.percent)
    }

    /// By how many standard deviations a shallow search has to be clear of the margin that is asked about.
    pub(super) fn deviations(self) -> f32 {
        PASSES.get(usize::from(self.0)).map_or(f32::INFINITY, |pass| pass.deviations)
    }
}

struct Pass {
    deviations: f32,
    percent: u8,
}

/// The two-sided chances of a normal distribution.
const PASSES: [Pass; 3] = [
    Pass { deviations: 1.1, percent: 73 },
    Pass { deviations: 1.5, percent: 87 },
    Pass { deviations: 2.0, percent: 95 },
];

/// What searches by an evaluation say of the margin: margin = slope × value, with a normal error. Found by regression, see the test
/// `errors_of_searches_to_a_depth_are_what_is_said_of_them`.
#[derive(Clone, Copy, Debug)]
pub struct Calibration {
    /// Discs of margin for each disc of the evaluation.
    pub slope: f32,
    /// The standard deviation of the margin about the evaluation at sight, in discs.
    pub deviation: f32,
    /// How much less that is after each ply of search.
    pub deviation_per_ply: f32,
}

impl Calibration {
    /// Of [`crate::Patterns`].
    pub const PATTERNS: Calibration = Calibration { slope: 1.1, deviation: 6.0, deviation_per_ply: 0.14 };

    /// The standard deviation of the margin about what a search of so many plies says, in discs.
    pub(super) fn deviation(&self, depth: u32) -> f32 {
        /// What is left of it after the deepest search.
        const LEAST: f32 = 2.5;
        (self.deviation - self.deviation_per_ply * depth as f32).max(LEAST)
    }

    /// Values of a search of so many plies, in hundredths: at or below the first, or at or above the second, they say that the margin is
    /// not above `alpha`, or is.
    pub(super) fn bounds(&self, depth: u32, alpha: i32, confidence: Confidence) -> [i32; 2] {
        let clear = confidence.deviations() * self.deviation(depth);
        let value = |margin: f32| (100.0 * margin / self.slope) as i32;
        [value(alpha as f32 - clear), value((alpha + 1) as f32 + clear)]
    }
}

/// How deep positions are searched before they are cut, by their empty squares: to the move of the player who has the last one.
pub(super) fn cut_depth(empties: u32) -> u32 {
    2 * (empties / 4) + empties % 2 - 2
}
