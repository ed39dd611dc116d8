//! What is trained on: the newest samples.

use std::collections::VecDeque;

use outplay_core::Rng;
use outplay_engine::content_hash;
use outplay_engine::selfplay::Sample;
use outplay_net::Description;
use outplay_net::train::Samples;

use crate::packed::Packed;
use crate::settings::LearnOptions;

/// How much a window grows by new samples at first (Wu 2019: KataGo's β).
const GROWTH: f64 = 0.4;

/// How often a drawn sample may turn out to be out before one is taken that is as likely as any other.
const TRIES: usize = 8;

/// A replay window: samples in the order in which they came; the oldest go first.
///
/// A sample that was drawn as often as is allowed is out, but keeps its place: what the window holds is the newest samples, whatever was drawn of them.
pub struct Window {
    samples: VecDeque<Entry>,
    /// Samples that ever came.
    total: u64,
    /// So many are held at least: at first, and after it was said how many there had been.
    smallest: usize,
    awaited: usize,
    growth: f64,
    most_trainings: u32,
    surprise_weight: f64,
    /// What share of the value to learn is what the search thought, and what share what the next searches thought.
    shares: [f32; 2],
    has_reply: bool,
    has_ownership: bool,
    /// Made when something is drawn for the first time since samples came.
    lottery: Option<Lottery>,
}

struct Entry {
    sample: Packed,
    /// How often it was drawn.
    drawn: u32,
}

/// From which samples are drawn.
struct Lottery {
    /// The places of those that are not out; some may be by now.
    left: Vec<u32>,
    /// For each place, the surprise of all samples up to it that are not out; empty if none is drawn by surprise.
    surprise: Vec<f64>,
}

impl Window {
    /// An empty window.
    pub fn new(options: &LearnOptions) -> Window {
        let search = options.search_value as f32;
        Window {
            samples: VecDeque::new(),
            total: 0,
            smallest: options.window as usize,
            awaited: 0,
            growth: options.window_growth,
            most_trainings: options.most_trainings,
            surprise_weight: options.surprise_weight,
            shares: [search, (1.0 - search) * options.short_term_value as f32],
            has_reply: options.reply,
            has_ownership: options.ownership,
            lottery: None,
        }
    }

    /// Adds a sample, and lets the oldest go that are too many. What no head learns is not kept.
    pub fn push(&mut self, mut sample: Sample) {
        if !self.has_reply {
            sample.reply.clear();
        }
        if !self.has_ownership {
            sample.ownership.clear();
        }
        self.samples.push_back(Entry { sample: Packed::new(&sample), drawn: 0 });
        self.total += 1;
        self.trim();
    }

    fn trim(&mut self) {
        let most = capacity(self.total, self.smallest, self.growth).max(self.awaited);
        self.samples.drain(..self.samples.len().saturating_sub(most));
        self.lottery = None;
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Samples that ever came.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// So many of them by lot; fewer only if all others are out.
    pub fn draw(&mut self, count: usize, description: &Description, rng: &mut Rng) -> Samples {
        let mut batch = Samples::default();
        for _ in 0..count {
            let Some(sample) = self.draw_one(rng) else { break };
            add(&mut batch, &sample, self.value(&sample), description);
        }
        batch
    }

    /// One of them by lot; `None` if all are out.
    fn draw_one(&mut self, rng: &mut Rng) -> Option<Sample> {
        let (most, by_surprise) = (self.most_trainings, self.surprise_weight > 0.0);
        let lottery = self.lottery.get_or_insert_with(|| Lottery::new(&self.samples, most, by_surprise));
        let is_out = |entry: &Entry| most > 0 && entry.drawn >= most;
        let by_surprise = by_surprise && rng.unit() < self.surprise_weight;
        let surprising = by_surprise.then(|| {
            (0..TRIES).find_map(|_| lottery.by_surprise(rng).filter(|&place| !is_out(&self.samples[place])))
        });
        let place = match surprising.flatten() {
            Some(place) => place,
            None => loop {
                if lottery.left.is_empty() {
                    return None;
                }
                let ticket = rng.below(lottery.left.len());
                let place = lottery.left[ticket] as usize;
                if !is_out(&self.samples[place]) {
                    break place;
                }
                lottery.left.swap_remove(ticket);
            },
        };
        let entry = &mut self.samples[place];
        entry.drawn += 1;
        Some(entry.sample.unpack())
    }

    /// Chances to win, draw and lose: by the end of the game, and by what searches thought, which take draws for half a win. What is exact is not mixed with
    /// opinions.
    pub(crate) fn value(&self, sample: &Sample) -> [f32; 3] {
        let ended = [sample.result == 1.0, sample.result == 0.0, sample.result == -1.0];
        let ended = ended.map(|is_so| f32::from(u8::from(is_so)));
        if sample.is_exact {
            return ended;
        }
        let thought = |value: f32| [(1.0 + value) / 2.0, 0.0, (1.0 - value) / 2.0];
        let (now, soon, [of_now, of_soon]) = (thought(sample.value), thought(sample.soon), self.shares);
        std::array::from_fn(|i| ended[i] + of_now * (now[i] - ended[i]) + of_soon * (soon[i] - ended[i]))
    }

    /// What cannot be told from the games: how many samples ever came, and how often each that is here was drawn.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.total.to_le_bytes().to_vec();
        // Without a limit nobody asks how often.
        if self.most_trainings > 0 {
            self.samples.iter().for_each(|entry| bytes.extend(entry.drawn.to_le_bytes()));
        }
        let checksum = content_hash(&bytes);
        [&checksum.to_le_bytes(), &bytes[..]].concat()
    }

    /// Takes up what [`Window::to_bytes`] said, after the newest samples have come again. False if it is damaged; nothing is changed then.
    pub(crate) fn resume(&mut self, bytes: &[u8]) -> bool {
        let Some((checksum, body)) = bytes.split_first_chunk() else { return false };
        let Some((total, drawn)) = body.split_first_chunk() else { return false };
        if content_hash(body) != u64::from_le_bytes(*checksum) {
            return false;
        }
        self.total = u64::from_le_bytes(*total);
        self.trim();
        // The newest is the last in both.
        let counts = drawn.chunks_exact(4).map(|count| [count[0], count[1], count[2], count[3]]).rev();
        for (entry, count) in self.samples.iter_mut().rev().zip(counts) {
            entry.drawn = u32::from_le_bytes(count);
        }
        true
    }

    /// Holds as many of the samples that come now as there were when [`Window::to_bytes`] was written; so many that is, if it can be read.
    pub(crate) fn await_as_many(&mut self, bytes: &[u8]) -> usize {
        let total = bytes.get(8..).and_then(|body| body.first_chunk());
        let total = total.map_or(0, |total| u64::from_le_bytes(*total));
        self.awaited = capacity(total, self.smallest, self.growth);
        self.awaited
    }
}

impl Lottery {
    fn new(samples: &VecDeque<Entry>, most_trainings: u32, by_surprise: bool) -> Lottery {
        let is_left = |entry: &Entry| most_trainings == 0 || entry.drawn < most_trainings;
        let left = samples.iter().enumerate().filter(|(_, entry)| is_left(entry));
        let left = left.map(|(place, _)| place as u32).collect();
        let mut sum = 0.0;
        let surprise = samples.iter().filter(|_| by_surprise).map(|entry| {
            let surprise = f64::from(entry.sample.surprise());
            sum += if is_left(entry) && surprise.is_finite() { surprise.max(0.0) } else { 0.0 };
            sum
        });
        Lottery { surprise: surprise.collect(), left }
    }

    /// A place in proportion to its surprise, if there is any.
    fn by_surprise(&self, rng: &mut Rng) -> Option<usize> {
        let sum = *self.surprise.last().filter(|&&sum| sum > 0.0)?;
        let lot = rng.unit() * sum;
        Some(self.surprise.partition_point(|&up_to| up_to <= lot).min(self.surprise.len() - 1))
    }
}

/// How many samples a window holds when so many ever came.
pub(crate) fn capacity(total: u64, smallest: usize, growth: f64) -> usize {
    let ratio = total as f64 / smallest as f64;
    if growth == 0.0 || ratio <= 1.0 {
        return smallest;
    }
    (smallest as f64 * (1.0 + GROWTH * (ratio.powf(growth) - 1.0) / growth)) as usize
}

/// Adds a sample to a batch, with these chances to win, draw and lose.
pub(crate) fn add(batch: &mut Samples, sample: &Sample, value: [f32; 3], description: &Description) {
    let (heads, board) = (&description.heads, description.board);
    batch.positions.extend(&sample.words);
    spread(&sample.policy, heads.policy.size(board), &mut batch.policy);
    batch.value.push(value);
    batch.weight.push(1.0);
    if heads.margin.is_some() {
        batch.margin.push(sample.margin);
    }
    if heads.moves_left.is_some() {
        batch.moves_left.push(sample.moves_left);
    }
    if let Some(reply) = heads.reply {
        spread(&sample.reply, reply.size(board), &mut batch.reply);
    }
    if heads.ownership.is_some() {
        let owners = sample.ownership.iter().copied().chain(std::iter::repeat(f32::NAN));
        batch.ownership.extend(owners.take(board.cells()));
    }
}

/// Writes a policy of so many numbers: shares of legal moves, and below zero for all others. If nothing is known, all are zero.
fn spread(policy: &[(u16, f32)], size: usize, to: &mut Vec<f32>) {
    let from = to.len();
    to.resize(from + size, if policy.is_empty() { 0.0 } else { -1.0 });
    for &(index, share) in policy {
        to[from + usize::from(index)] = share;
    }
}

#[cfg(test)]
mod tests {
    use outplay_net::{BoardSize, Heads, Input, PolicyKind};

    use super::*;
    use crate::settings::Settings;

    fn window(changes: &[(&str, &str)]) -> Window {
        let mut settings = Settings::default();
        for (name, value) in changes {
            settings.set(name, value).expect("an option");
        }
        Window::new(&settings.learn)
    }

    /// A sample that is known by its first word.
    fn sample(name: u64, surprise: f32) -> Sample {
        Sample {
            words: vec![name],
            policy: vec![(0, 1.0)],
            result: 1.0,
            margin: 1.0,
            is_exact: false,
            value: 0.0,
            soon: -1.0,
            surprise,
            ownership: Vec::new(),
            moves_left: 1.0,
            reply: Vec::new(),
        }
    }

    /// A network on a board of two cells.
    fn description() -> Description {
        Description {
            game: "none".to_string(),
            board: BoardSize { rows: 1, columns: 2 },
            input: Input { encoder: "none".to_string(), bit_planes: 1, constant_planes: 0 },
            channels: 1,
            blocks: Vec::new(),
            heads: Heads {
                policy: PolicyKind::Dense { channels: 1, outputs: 1 },
                ownership: Some(1),
                ..Heads::default()
            },
            made_by: None,
        }
    }

    /// How often each of so many samples is among the drawn ones.
    fn counts(window: &mut Window, draws: usize, samples: usize) -> Vec<usize> {
        let mut counts = vec![0; samples];
        let batch = window.draw(draws, &description(), &mut Rng::new(3));
        batch.positions.iter().for_each(|&name| counts[name as usize] += 1);
        counts
    }

    #[test]
    fn the_newest_samples_are_held_and_the_window_grows_by_its_law() {
        let mut fixed = window(&[("window", "64")]);
        (0..100).for_each(|name| fixed.push(sample(name, 0.0)));
        assert_eq!((fixed.len(), fixed.total()), (64, 100));
        let drawn = counts(&mut fixed, 5_000, 100);
        assert!(drawn[..36].iter().all(|&count| count == 0) && drawn[36..].iter().all(|&count| count > 30));
        // By hand: 100 (1 + 0.4 ((400/100)^0.5 - 1) / 0.5) = 180.
        assert_eq!(capacity(400, 100, 0.5), 180);
        assert_eq!((capacity(400, 100, 0.0), capacity(99, 100, 0.5)), (100, 100));
        // It never asks for a sample that went when it was smaller.
        for growth in [0.3, 0.65, 1.0] {
            for total in 0..5_000 {
                let (before, after) = (capacity(total, 100, growth), capacity(total + 1, 100, growth));
                assert!(after == before || after == before + 1);
            }
        }
    }

    #[test]
    fn no_sample_is_drawn_more_often_than_is_allowed_and_in_the_end_nothing_is_left() {
        for surprise in ["0", "0.5", "1"] {
            let mut window =
                window(&[("window", "64"), ("most_trainings", "3"), ("surprise_weight", surprise)]);
            (0..50).for_each(|name| window.push(sample(name, name as f32)));
            assert_eq!(counts(&mut window, 1_000, 50), [3; 50], "{surprise}");
            window.push(sample(50, 1.0));
            assert_eq!(counts(&mut window, 1_000, 51)[50], 3, "{surprise}");
        }
    }

    #[test]
    fn a_share_is_drawn_in_proportion_to_surprise() {
        let mut window = window(&[("surprise_weight", "0.5")]);
        for (name, surprise) in [0.0, 1.0, 3.0, f32::NAN].into_iter().enumerate() {
            window.push(sample(name as u64, surprise));
        }
        let drawn = counts(&mut window, 40_000, 4);
        // Half of the draws are shared evenly, half are shared one to three.
        for (count, expected) in drawn.iter().zip([5_000.0, 10_000.0, 20_000.0, 5_000.0]) {
            assert!((*count as f64 - expected).abs() < 400.0, "{drawn:?}");
        }
    }

    #[test]
    fn opinions_are_mixed_into_the_value_unless_it_is_exact() {
        let mut window =
            window(&[("search_value", "0.5"), ("short_term_value", "0.5"), ("ownership", "true")]);
        window.push(sample(0, 0.0));
        // Half is what the search thought (even), a quarter what the next ones did (lost), the rest a win.
        assert_eq!(window.draw(1, &description(), &mut Rng::new(1)).value, [[0.5, 0.0, 0.5]]);
        let mut window = Window { samples: VecDeque::new(), ..window };
        window.push(Sample { is_exact: true, ownership: vec![1.0], ..sample(0, 0.0) });
        let batch = window.draw(1, &description(), &mut Rng::new(1));
        assert_eq!(batch.value, [[1.0, 0.0, 0.0]]);
        // Nobody knows of the second cell.
        assert!(batch.ownership[0] == 1.0 && batch.ownership[1].is_nan() && batch.ownership.len() == 2);
    }

    #[test]
    fn a_window_goes_on_as_it_was() {
        let changes = [("window", "64"), ("window_growth", "0.5"), ("most_trainings", "2")];
        let mut whole = window(&changes);
        (0..300).for_each(|name| whole.push(sample(name, 0.0)));
        whole.draw(60, &description(), &mut Rng::new(7));
        let bytes = whole.to_bytes();
        let mut again = window(&changes);
        assert_eq!(again.await_as_many(&bytes), whole.len());
        // What came long ago need not come again.
        (100..300).for_each(|name| again.push(sample(name, 0.0)));
        assert!(!again.resume(&bytes[..bytes.len() - 1]) && !again.resume(&[]));
        assert!(again.resume(&bytes));
        assert_eq!((again.len(), again.total()), (whole.len(), 300));
        whole.push(sample(300, 0.0));
        again.push(sample(300, 0.0));
        assert_eq!(counts(&mut again, 40, 301), counts(&mut whole, 40, 301));
    }
}
