//! Is a ply of Connect6 one stone, or a whole turn? Both play each other here, with the same search, the same judgement and the same time.
//!
//! `cargo bench -p outplay-benches --bench pairs -- OPENINGS [GAMES] [MILLISECONDS A STONE] [PAIRS]` plays from the openings of a file, one of
//! them a line. A pair of cells fits into a move, so the search by turns is the same search of a game whose moves are pairs.

use std::sync::Arc;
use std::time::Duration;

use outplay_connect::{Connect, LazyWins, Rules, ThreatSight};
use outplay_core::{Game, Line, Move, MoveList, Notation, Outcome, Player};
use outplay_search::alphabeta::AlphaBeta;
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::{Bundle, Control, Evaluation, ForcedWin, Limits, NoKnowledge, Oracle, Search, Tactics};

/// Stones of which pairs are made: the most promising.
const STONES: usize = 24;

fn main() {
    let mut words = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let Some(openings) = words.next().and_then(|path| std::fs::read_to_string(path).ok()) else {
        println!("pairs: name a file of openings; see the first lines of benches/pairs.rs");
        return;
    };
    let mut number = |usual: usize| words.next().and_then(|word| word.parse().ok()).unwrap_or(usual);
    let (games, milliseconds, width) = (number(100), number(40), number(60));
    let openings: Vec<&str> = openings.lines().filter(|line| !line.starts_with('#')).collect();
    let time = Duration::from_millis(milliseconds as u64);
    let mut points = [0.0; 2];
    for game in 0..games {
        let opening = openings[game / 2 % openings.len()];
        let by_turns = if game % 2 == 0 { Player::First } else { Player::Second };
        let outcome = play(opening, by_turns, time, width);
        match outcome.winner() {
            Some(winner) => points[usize::from(winner != by_turns)] += 1.0,
            None => points = points.map(|points| points + 0.5),
        }
        println!("{opening}: by turns {}, by stones {}", points[0], points[1]);
    }
}

/// Plays a game, one player searching by turns; how it ends.
fn play(opening: &str, by_turns: Player, time: Duration, width: usize) -> Outcome {
    let mut position =
        Connect::parse_position(&Rules::CONNECT6, opening).expect("an opening is stones in order");
    let mut by_stones = AlphaBeta::new(ThreatSight::new(Rules::CONNECT6));
    let mut by_pairs = AlphaBeta::new(pair_knowledge(width));
    loop {
        if let Some(outcome) = position.outcome() {
            return outcome;
        }
        if position.to_move() == by_turns {
            let m = best(&mut by_pairs, Turns(position.clone()), 2 * time);
            let mut turns = Turns(position);
            turns.play(m);
            position = turns.0;
        } else {
            let m = best(&mut by_stones, position.clone(), time);
            position.play(m);
        }
    }
}

fn best<G: Game>(search: &mut impl Search<G>, position: G, time: Duration) -> Move {
    let limits = Limits { move_time: Some(time), ..Limits::default() };
    let (signals, mut sink) = (Arc::new(Signals::new(false)), |_| {});
    let mut control = Control::new(position.to_move(), &limits, &StopOptions::default(), &signals, &mut sink);
    let report = search.search(&Line::new(position), &mut control);
    report.best_move().expect("a game that goes on has a move")
}

/// Connect6 by turns, from where a turn begins.
#[derive(Clone, PartialEq, Debug)]
struct Turns(Connect);

/// The cells of a pair, the lower first. There are 64,980 pairs.
fn cells(m: Move) -> [usize; 2] {
    let high = (((8 * m.index() + 1) as f64).sqrt() as usize).div_ceil(2);
    let high = (high.saturating_sub(1)..=high + 1).rfind(|high| high * (high - 1) / 2 <= m.index());
    let high = high.expect("one is near the root");
    [m.index() - high * (high - 1) / 2, high]
}

fn pair(a: usize, b: usize) -> Move {
    let (low, high) = (a.min(b), a.max(b));
    Move::new((high * (high - 1) / 2 + low) as u16)
}

impl Game for Turns {
    type Rules = ();
    type Moves = Vec<Move>;
    const ALTERNATES: bool = true;

    fn start((): &()) -> Turns {
        Turns(Connect::start(&Rules::CONNECT6).after(Move::new(180)))
    }

    fn to_move(&self) -> Player {
        self.0.to_move()
    }

    /// Pairs of cells not far from the middle stand for all of them: the root sorts these by what they promise, and others are never tried.
    fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.0.outcome().is_none() {
            let cells: Vec<usize> = self.0.legal_moves().each().map(|m| m.index()).collect();
            let near = |cell: &usize| {
                (cell % 19).abs_diff(9) < 7 && (cell / 19).abs_diff(9) < 7 || self.0.stone_count() > 100
            };
            let cells: Vec<usize> = cells.into_iter().filter(near).collect();
            for (place, &a) in cells.iter().enumerate() {
                moves.extend(cells[..place].iter().map(|&b| pair(a, b)));
            }
        }
        moves
    }

    fn play(&mut self, m: Move) {
        for cell in cells(m) {
            if self.0.outcome().is_none() {
                self.0.play(Move::new(cell as u16));
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn is_legal(&self, m: Move) -> bool {
        m.index() < 361 * 360 / 2 && cells(m).iter().all(|&cell| self.0.is_legal(Move::new(cell as u16)))
    }
}

/// The same eyes, for pairs.
#[derive(Clone)]
struct PairSight {
    sight: ThreatSight,
    /// How many pairs are worth a try.
    width: usize,
}

fn pair_knowledge(width: usize) -> Bundle<PairSight, PairSight, PairSight, NoKnowledge> {
    let sight = || PairSight { sight: ThreatSight::new(Rules::CONNECT6), width };
    Bundle { evaluation: sight(), tactics: sight(), oracle: sight(), policy: NoKnowledge }
}

impl PairSight {
    /// The stones that may be placed first, with their ordering scores, the best first.
    fn stones(&self, wins: &mut LazyWins, position: &Connect) -> Vec<(i32, usize)> {
        let mut stones = Vec::new();
        self.sight.visit_quiet(wins, position, |m, _, score| {
            if let Some(score) = score {
                stones.push((score, m.index()));
            }
        });
        stones.sort_unstable_by_key(|&(score, cell)| (std::cmp::Reverse(score), cell));
        stones.truncate(STONES);
        stones
    }
}

impl Evaluation<Turns> for PairSight {
    type State = <ThreatSight as Evaluation<Connect>>::State;

    fn state(&self) -> Self::State {
        Evaluation::state(&self.sight)
    }

    fn reset(&self, state: &mut Self::State, position: &Turns) {
        self.sight.reset(state, &position.0);
    }

    fn evaluate(&self, state: &mut Self::State, position: &Turns) -> i32 {
        self.sight.evaluate(state, &position.0)
    }

    fn unit(&self) -> i32 {
        self.sight.unit()
    }
}

impl Tactics<Turns> for PairSight {
    type State = LazyWins;

    fn state(&self) -> LazyWins {
        LazyWins::default()
    }

    fn in_check(&self, position: &Turns) -> bool {
        self.sight.in_check(&position.0)
    }

    fn visit_quiet(
        &self,
        wins: &mut LazyWins,
        position: &Turns,
        mut visit: impl FnMut(Move, usize, Option<i32>),
    ) {
        let stones = self.stones(wins, &position.0);
        let is_forced = self.sight.in_check(&position.0);
        for (place, &(score, a)) in stones.iter().enumerate() {
            // Where something must be stopped, which second stones do it depends on the first.
            let seconds = match is_forced {
                true => self.stones(wins, &position.0.after(Move::new(a as u16))),
                false => stones[place + 1..].to_vec(),
            };
            for (other, b) in seconds {
                visit(pair(a, b), a, Some(score / 2 + other / 2));
            }
        }
    }

    fn candidates(&self, _: &Turns, _: i32) -> Option<usize> {
        Some(self.width)
    }

    fn move_kind(&self, _: &Turns, m: Move) -> usize {
        cells(m)[0]
    }
}

impl Oracle<Turns> for PairSight {
    type State = LazyWins;

    fn state(&self) -> LazyWins {
        LazyWins::default()
    }

    fn at_sight(&self, position: &Turns) -> Option<(Outcome, usize)> {
        let (outcome, stones) = self.sight.at_sight(&position.0)?;
        Some((outcome, stones.div_ceil(2)))
    }

    fn wins_by_force(
        &self,
        wins: &mut LazyWins,
        position: &Turns,
        depth: i32,
        is_late: &dyn Fn() -> bool,
    ) -> Option<bool> {
        self.sight.wins_by_force(wins, &position.0, 2 * depth, is_late)
    }

    fn forced_win(
        &self,
        wins: &mut LazyWins,
        position: &Turns,
        nodes: u64,
        is_late: &dyn Fn() -> bool,
    ) -> Option<ForcedWin> {
        let win = self.sight.forced_win(wins, &position.0, nodes, is_late)?;
        let anywhere = position.0.legal_moves().each().map(|m| m.index()).collect::<Vec<_>>();
        let first = win.line.first()?.index();
        let second = win.line.get(1).map_or_else(
            || anywhere.iter().copied().find(|&cell| cell != first).expect("another cell"),
            |m| m.index(),
        );
        Some(ForcedWin { line: vec![pair(first, second)], plies: win.plies.div_ceil(2) })
    }
}
