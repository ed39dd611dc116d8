//! Searches with an evaluator that knows some positions by heart, against the definition.

use std::sync::{Arc, LazyLock};

use outplay_core::{Game, Line, Move, Outcome, Player, mix};
use outplay_search::alphabeta::AlphaBeta;
use outplay_search::stop::{Signals, StopOptions};
use outplay_search::{
    Bundle, Certainty, Control, Evaluation, Limits, Meaning, NoKnowledge, Oracle, Report, Score, Search,
    StopReason, Tier,
};

/// Players take turns in taking 1 to 3 from one of three piles; who cannot move loses.
#[derive(Clone, PartialEq, Debug)]
struct Piles([u8; 3], Player);

impl Game for Piles {
    type Rules = ();
    type Moves = Vec<Move>;
    const ALTERNATES: bool = true;

    fn start((): &()) -> Piles {
        Piles([5; 3], Player::First)
    }

    fn to_move(&self) -> Player {
        self.1
    }

    fn legal_moves(&self) -> Vec<Move> {
        let of_pile = |pile: usize| (1..=self.0[pile].min(3)).map(move |taken| (pile, taken));
        let all = (0..3).flat_map(of_pile);
        all.map(|(pile, taken)| Move::new((pile as u16) << 8 | u16::from(taken))).collect()
    }

    fn play(&mut self, m: Move) {
        self.0[m.index() >> 8] -= m.bits() as u8;
        self.1 = !self.1;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.0 == [0; 3]).then(|| Outcome::win(!self.1))
    }

    fn key(&self) -> u64 {
        self.0.iter().fold(self.1.index() as u64, |key, &pile| mix(key) ^ u64::from(pile))
    }
}

impl Piles {
    fn stones(&self) -> u8 {
        self.0.iter().sum()
    }

    /// The plies to the end if the winner hurries and the loser delays: a win if they are odd.
    fn distance(&self) -> u32 {
        DISTANCES[self.number()]
    }

    /// Its place among all positions up to who moves; less after every move.
    fn number(&self) -> usize {
        self.0.iter().fold(0, |number, &pile| number * 6 + usize::from(pile))
    }
}

/// All positions up to who moves, with piles of up to five.
fn all() -> impl Iterator<Item = Piles> {
    (0..6 * 6 * 6).map(|number| Piles([number / 36, number / 6 % 6, number % 6], Player::First))
}

static DISTANCES: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let mut distances: Vec<u32> = Vec::new();
    for position in all() {
        let after = |m: &Move| distances[position.after(*m).number()];
        let moves = position.legal_moves();
        let wins = moves.iter().map(after).filter(|plies| plies % 2 == 0).min();
        let plies = wins.or_else(|| moves.iter().map(after).max()).map_or(0, |plies| plies + 1);
        distances.push(plies);
    }
    distances
});

fn meaning(plies: u32) -> Meaning {
    if plies % 2 == 1 { Meaning::WinIn(plies) } else { Meaning::LossIn(plies) }
}

/// What an evaluator tells of small positions.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Tells {
    Nothing,
    Distance,
    Result,
    Bound,
}

/// Has no opinion, and knows all positions with few stones.
#[derive(Clone, Copy)]
struct Knowing(Tells);

const FEW: u8 = 6;

impl Evaluation<Piles> for Knowing {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, (): &mut (), position: &Piles) -> i32 {
        (mix(position.key()) % 401) as i32 - 200
    }
}

impl Oracle<Piles> for Knowing {
    type State = ();

    fn state(&self) {}

    fn probe(&self, position: &Piles, _: i32) -> Option<Certainty> {
        if position.stones() > FEW {
            return None;
        }
        let plies = position.distance();
        match (self.0, plies % 2 == 1) {
            (Tells::Nothing, _) => None,
            (Tells::Distance, true) => Some(Certainty::win_in(plies)),
            (Tells::Distance, false) => Some(Certainty::loss_in(plies)),
            (Tells::Result, true) => Some(Certainty::WIN),
            (Tells::Result, false) => Some(Certainty::LOSS),
            (Tells::Bound, true) => Some(Certainty::NOT_LOST),
            (Tells::Bound, false) => Some(Certainty::NOT_WON),
        }
    }

    fn probe_move(&self, position: &Piles) -> Option<Move> {
        let moves = position.legal_moves();
        let suits = |m: &&Move| position.after(**m).distance() + 1 == position.distance();
        if self.0 == Tells::Distance { moves.iter().find(suits).copied() } else { None }
    }
}

fn searched(tells: Tells, position: &Piles, limits: &Limits) -> Report {
    let line = Line::new(position.clone());
    let (mut nobody, signals, options) = (|_| (), Arc::new(Signals::default()), StopOptions::default());
    let mut control = Control::new(position.to_move(), limits, &options, &signals, &mut nobody);
    let knows = Knowing(tells);
    let knowledge = Bundle { evaluation: knows, tactics: NoKnowledge, oracle: knows, policy: NoKnowledge };
    AlphaBeta::new(knowledge).search(&line, &mut control)
}

fn positions() -> Vec<Piles> {
    all().filter(|position| position.stones() > FEW).step_by(5).collect()
}

#[test]
fn what_is_known_changes_no_value_and_saves_work() {
    let (mut with, mut without) = (0, 0);
    for position in positions() {
        let expected = meaning(position.distance());
        for tells in [Tells::Nothing, Tells::Distance, Tells::Result, Tells::Bound] {
            let report = searched(tells, &position, &Limits::default());
            let best = &report.lines[0];
            assert_eq!(
                (best.score, report.stopped),
                (expected, Some(StopReason::Solved)),
                "{position:?} {tells:?}"
            );
            assert_eq!(report.counters.endgame_hits.is_some(), tells != Tells::Nothing, "{position:?}");
            if tells == Tells::Distance {
                with += report.counters.nodes;
                let end = best.moves.iter().fold(position.clone(), |position, &m| position.after(m));
                assert!(end.outcome().is_some(), "the line goes on to the end: {:?}", best.moves);
            }
            without += if tells == Tells::Nothing { report.counters.nodes } else { 0 };
        }
    }
    assert!(2 * with < without, "{with} nodes with, {without} without");
}

#[test]
fn a_win_whose_distance_nobody_knows_is_seen_as_soon_as_it_is_reached() {
    for position in positions().into_iter().filter(|position| position.stones() == FEW + 1) {
        let report = searched(Tells::Result, &position, &Limits { depth: Some(1), ..Limits::default() });
        let is_won = position.distance() % 2 == 1;
        match report.lines[0].score {
            Meaning::Opinion(value) => {
                assert_eq!(value, if is_won { 19_999 } else { -19_999 }, "{position:?}")
            }
            other => assert_eq!(other, meaning(position.distance())),
        }
    }
}

#[test]
fn values_of_certain_positions_are_ordered_as_players_want_them() {
    let [win_in, loss_in] = [Certainty::win_in, Certainty::loss_in];
    let seen = |certainty: Certainty, ply| certainty.seen_from_root::<Piles>(ply, Score::DRAW);
    let least = |certainty: Certainty, ply| seen(certainty, ply).0;
    let (win, loss) = (Certainty::WIN, Certainty::LOSS);
    // From better to worse, the nearer ones first.
    let wins =
        [least(win_in(3), 2), least(win_in(3), 4), least(win_in(200), 0), least(win, 0), least(win, 120)];
    assert!(wins.windows(2).all(|pair| pair[0] > pair[1]), "{wins:?}");
    assert!(wins.iter().all(|score| *score > Score::MOST_HEURISTIC && score.is_win()));
    for (good, bad) in [(win_in(7), loss_in(7)), (win, loss), (Certainty::NOT_LOST, Certainty::NOT_WON)] {
        let (good, bad) = (seen(good, 5), seen(bad, 5));
        assert_eq!((good.0, good.1), (-bad.1, -bad.0));
    }
    let (not_lost, not_won) = (Certainty::NOT_LOST, Certainty::NOT_WON);
    let known = [win_in(1), win, not_lost, Certainty::DRAW, not_won, loss, loss_in(1)];
    assert_eq!(
        known.map(|certainty| (certainty.exact().is_some(), certainty.result())),
        [
            (true, Some(1)),
            (false, Some(1)),
            (false, None),
            (true, Some(0)),
            (false, None),
            (false, Some(-1)),
            (true, Some(-1))
        ]
    );
    // A draw is worth what the root says, and what is open stays open.
    let contempt = Score::heuristic(-30);
    assert_eq!(not_lost.seen_from_root::<Piles>(3, contempt), (contempt, Score::INFINITE));
    // What the table keeps of a win somehow is the same wherever it is met again.
    let kept = least(win, 9).seen_from_ply::<Piles>(9);
    assert_eq!(kept.seen_from_root::<Piles>(4), least(win, 4));
    assert_eq!(least(win, 4).meaning::<Piles>(), Meaning::Opinion(19_996));
}

#[test]
fn no_move_is_preferred_to_one_of_an_earlier_tier() {
    for position in positions() {
        // Turned round: those that lose come first, as if we knew better.
        let (wins, losses): (Vec<Move>, Vec<Move>) =
            position.legal_moves().into_iter().partition(|&m| position.after(m).distance() % 2 == 0);
        let tiers = [(Certainty::DRAW, losses), (Certainty::LOSS, wins)];
        let tiers = tiers.into_iter().filter(|(_, moves)| !moves.is_empty());
        let tiers: Vec<Tier> = tiers.map(|(certainty, moves)| Tier { certainty, moves }).collect();
        for lines in [1, 3, 20] {
            let limits = Limits { lines, tiers: tiers.clone(), depth: Some(6), ..Limits::default() };
            let report = searched(Tells::Nothing, &position, &limits);
            let tier = |m: Move| tiers.iter().position(|tier| tier.moves.contains(&m)).expect("a tier");
            let shown: Vec<usize> = report.lines.iter().map(|line| tier(line.moves[0])).collect();
            assert_eq!(shown.len(), lines.min(position.legal_moves().len()));
            assert!(shown.is_sorted() && shown[0] == 0, "{position:?} {shown:?}");
            // What is certain stands above what is found.
            let certain =
                |line: &outplay_search::PrincipalVariation| match tiers[tier(line.moves[0])].certainty {
                    Certainty::DRAW => line.score == Meaning::Opinion(0),
                    _ => matches!(line.score, Meaning::LossIn(_) | Meaning::Opinion(-20_000)),
                };
            assert!(report.lines.iter().all(certain), "{position:?} {:?}", report.lines);
        }
    }
}
