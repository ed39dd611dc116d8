//! A game in which many ways lead to each position, and a search of it.

use std::sync::Arc;
use std::time::Duration;

use outplay_core::{Game, Line, Move, Outcome, Player, mix};
use outplay_search::mcts::Mcts;
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::{Control, Limits, NoKnowledge, Report, Search};

const HEAPS: usize = 6;

/// Players take turns in taking 1 to 3 from a heap; who cannot move loses. Any order of the same moves leads to the same position.
#[derive(Clone, PartialEq, Debug)]
pub struct Heaps {
    heaps: [u8; HEAPS],
    to_move: Player,
    /// The way here, if that makes positions different.
    way: Option<u64>,
}

impl Heaps {
    pub fn new(heaps: [u8; HEAPS]) -> Heaps {
        Heaps { heaps, to_move: Player::First, way: None }
    }

    /// The same game, in which no two ways lead to the same position.
    pub fn apart(self) -> Heaps {
        Heaps { way: Some(1), ..self }
    }

    /// Far too large to be searched.
    pub fn large() -> Heaps {
        Heaps::new([60; HEAPS])
    }
}

impl Game for Heaps {
    type Rules = ();
    type Moves = Vec<Move>;
    const ALTERNATES: bool = true;

    fn start((): &()) -> Heaps {
        Heaps::large()
    }

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn legal_moves(&self) -> Vec<Move> {
        let of_heap = |heap: usize| (1..=self.heaps[heap].min(3)).map(move |taken| (heap, taken));
        let all = (0..HEAPS).flat_map(of_heap);
        all.map(|(heap, taken)| Move::new((heap as u16) << 8 | u16::from(taken))).collect()
    }

    fn play(&mut self, m: Move) {
        self.heaps[m.index() >> 8] -= m.bits() as u8;
        self.way = self.way.map(|way| mix(way ^ u64::from(m.bits())));
        self.to_move = !self.to_move;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.heaps == [0; HEAPS]).then(|| Outcome::win(!self.to_move))
    }

    fn key(&self) -> u64 {
        let turn = self.to_move.index() as u64;
        self.heaps.iter().fold(turn ^ self.way.unwrap_or(0), |key, &heap| mix(key) ^ u64::from(heap))
    }
}

pub type HeapsMcts = Mcts<Heaps, NoKnowledge>;

pub fn mcts<G: Game>(settings: &[(&str, &str)]) -> Mcts<G, NoKnowledge> {
    let mut search = Mcts::new(NoKnowledge);
    for (name, value) in settings {
        search.options_mut().set(name, value).expect("an option");
    }
    search
}

/// Nothing that is asked for here takes minutes: a search that comes to nothing is to fail, not to hang.
const PATIENCE: Duration = Duration::from_secs(300);

pub fn run<G: Game>(search: &mut Mcts<G, NoKnowledge>, line: &Line<G>, nodes: u64) -> Report {
    let (signals, mut sink) = (Arc::new(Signals::default()), |_| ());
    let options = StopOptions { smart_pruning_factor: 0.0, ..StopOptions::default() };
    let limits = Limits { nodes: Some(nodes), lines: 1000, move_time: Some(PATIENCE), ..Limits::default() };
    let mut control = Control::new(line.position().to_move(), &limits, &options, &signals, &mut sink);
    search.search(line, &mut control)
}
