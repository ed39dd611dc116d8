//! What can only be asked from inside: of single windows, and of the vote.

use outplay_core::{Game, Line, Move, Outcome, Player, Rng, mix};

use super::root::Root;
use super::window::{NonPv, Pv, Window};
use super::*;
use crate::{Bundle, Evaluation, Limits};

/// A game that is made up as it goes: who moves, how many moves there are and how it ends follow from the way there.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Chance(u64, u32);

impl Game for Chance {
    type Rules = u64;
    type Moves = Vec<Move>;
    const MAX_MARGIN: i16 = 9;

    fn start(seed: &u64) -> Chance {
        Chance(mix(*seed), 0)
    }

    fn to_move(&self) -> Player {
        Player::BOTH[(self.0 >> 8) as usize % 2]
    }

    fn legal_moves(&self) -> Vec<Move> {
        (0..2 + (self.0 >> 16) as u16 % 3).map(Move::new).collect()
    }

    fn play(&mut self, m: Move) {
        *self = Chance(mix(self.0 ^ (u64::from(m.bits()) + 1)), self.1 + 1);
    }

    fn outcome(&self) -> Option<Outcome> {
        let is_over = self.1 >= 7 || self.1 > 1 && self.0.is_multiple_of(9);
        is_over.then(|| Outcome::from_margin((self.0 >> 24) as i16 % 4, Player::First))
    }

    fn key(&self) -> u64 {
        self.0
    }
}

#[derive(Clone, Copy)]
struct Whim;

impl Evaluation<Chance> for Whim {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, (): &mut (), position: &Chance) -> i32 {
        (position.0 % 41) as i32 - 20
    }
}

/// The value by the definition, to the same depth.
fn value(position: &Chance, depth: i32, ply: usize) -> Score {
    if let Some(outcome) = position.outcome() {
        return match outcome {
            Outcome::DRAW => Score::DRAW,
            outcome => Score::decided::<Chance>(outcome, position.to_move(), ply),
        };
    }
    if depth == 0 {
        return Score::heuristic(Whim.value(position));
    }
    let of_move = |m: Move| {
        let child = position.after(m);
        value(&child, depth - 1, ply + 1).seen_by(child.to_move(), position.to_move())
    };
    position.legal_moves().into_iter().map(of_move).max().expect("a move")
}

/// Calls `with` with a worker that uses these settings.
fn with_worker(
    options: AlphaBetaOptions,
    line: &Line<Chance>,
    with: impl FnOnce(&mut Worker<Chance, Bundle<Whim>>),
) {
    let (table, histories) = (Table::new(1, false), Histories::new(512));
    let shared = Shared {
        options: &options,
        table: Some(&table),
        reductions: Reductions::new(&options),
        is_selective: options.is_selective(),
        candidate_share: 1.0,
        busy: BusyMoves::new(),
        finished: Finished::default(),
        stop: AtomicBool::new(false),
        nodes: vec![NodeCount::default()],
    };
    let knowledge = Bundle::of(Whim);
    let mut states = States::new(&knowledge);
    with(&mut Worker::new(&shared, 0, &knowledge, (&mut states, &histories), line, None));
}

#[test]
fn a_value_outside_its_window_is_a_bound_and_one_inside_is_exact() {
    let (mut below, mut inside, mut above) = (0, 0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let line = Line::new(Chance::start(&seed));
        let (position, depth) = (*line.position(), 1 + rng.below(5) as i32);
        let truth = value(&position, depth, 0);
        with_worker(AlphaBetaOptions::plain(), &line, |worker| {
            // The table remembers what the windows before have shown.
            for _ in 0..8 {
                let alpha = Score::from_raw(truth.raw() + rng.below(61) as i32 - 40);
                let room = rng.below(30) as i32;
                let found = match room {
                    0 => worker.pvs::<NonPv>(&position, Window::null_above(alpha), depth, 0, true),
                    _ => {
                        let window = Window { alpha, beta: alpha + (room + 1) };
                        worker.pvs::<Pv>(&position, window, depth, 0, false)
                    }
                };
                if found <= alpha {
                    assert!(truth <= found, "seed {seed}: at most {found:?}, but {truth:?}");
                    below += 1;
                } else if found >= alpha + (room + 1) {
                    assert!(truth >= found, "seed {seed}: at least {found:?}, but {truth:?}");
                    above += 1;
                } else {
                    assert_eq!(found, truth, "seed {seed}");
                    inside += 1;
                }
            }
        });
    }
    assert!(below > 300 && inside > 300 && above > 300, "{below} {inside} {above}");
}

/// A thread's opinion: a move, its value, and how deep it has searched.
fn opinion(m: u16, score: i32, depth: i32) -> Root {
    let mut root = Root::new(vec![Move::new(m)], &Limits::default());
    root.depth = depth;
    root.moves[0].score = Score::from_raw(score);
    root
}

/// The number of the move that is chosen; the first opinion is the leader's.
fn chosen(opinions: &[(u16, i32, i32)]) -> u16 {
    let mut roots: Vec<Root> = opinions.iter().map(|&(m, score, depth)| opinion(m, score, depth)).collect();
    let mut leader = roots.remove(0);
    vote(&mut leader, roots);
    leader.moves[0].m.bits()
}

#[test]
fn most_threads_have_their_way_and_a_win_has_it_alone() {
    assert_eq!(chosen(&[(1, 10, 12)]), 1);
    assert_eq!(chosen(&[(1, 10, 12), (2, 10, 12)]), 1, "the leader's stands if all is equal");
    assert_eq!(chosen(&[(1, 10, 12), (2, 10, 12), (2, 8, 11)]), 2, "two against one");
    assert_eq!(chosen(&[(1, 10, 12), (2, 11, 14)]), 2, "deeper and better");
    assert_eq!(chosen(&[(1, 90, 12), (2, 10, 12), (2, 10, 12)]), 1, "much better than two");
    let win = Score::decided::<Chance>(Outcome::win(Player::First), Player::First, 3).raw();
    assert_eq!(chosen(&[(1, 90, 12), (1, 90, 12), (2, win, 9)]), 2, "a win");
    assert_eq!(chosen(&[(1, -win, 12), (1, -win, 12), (2, -300, 9)]), 2, "no loss");
    assert_eq!(chosen(&[(1, 10, 0), (2, 10, 12)]), 1, "a leader without an iteration asks nobody");
}
