//! The laws of encoders find what they are made for.

use std::sync::atomic::{AtomicU64, Ordering};

use outplay_core::conformance::{Effort, Violation};
use outplay_core::{Game, Move, MoveList, Outcome, Planes, Player, Symmetric};
use outplay_search::conformance::{check_encoder, check_encoder_symmetry};
use outplay_search::mcts::LeafEncoder;

const COLUMNS: usize = 3;
const CELLS: usize = 6;

/// Stones are put on two rows of three until they are full, which nobody wins.
#[derive(Clone, PartialEq, Debug)]
struct Fill {
    stones: [u64; 2],
    mover: Player,
}

impl Game for Fill {
    type Rules = ();
    type Moves = Vec<Move>;

    fn start((): &()) -> Fill {
        Fill { stones: [0, 0], mover: Player::First }
    }

    fn to_move(&self) -> Player {
        self.mover
    }

    fn legal_moves(&self) -> Vec<Move> {
        let empty = |cell: &usize| (self.stones[0] | self.stones[1]) >> cell & 1 == 0;
        (0..CELLS).filter(empty).map(|cell| Move::new(cell as u16)).collect()
    }

    fn play(&mut self, m: Move) {
        self.stones[self.mover.index()] |= 1 << m.index();
        self.mover = !self.mover;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.legal_moves().count() == 0).then_some(Outcome::DRAW)
    }

    fn key(&self) -> u64 {
        self.stones[0] | self.stones[1] << CELLS
    }
}

fn mirrored(cell: usize) -> usize {
    cell / COLUMNS * COLUMNS + COLUMNS - 1 - cell % COLUMNS
}

/// Left and right may be exchanged.
impl Symmetric for Fill {
    fn symmetries(&self) -> usize {
        2
    }

    fn transformed(&self, index: usize) -> Fill {
        let turned = |stones: u64| {
            (0..CELLS)
                .filter(|cell| stones >> cell & 1 == 1)
                .fold(0, |turned, cell| turned | 1 << mirrored(cell))
        };
        match index {
            0 => self.clone(),
            _ => Fill { stones: self.stones.map(turned), mover: self.mover },
        }
    }

    fn transformed_move(&self, m: Move, index: usize) -> Move {
        if index == 0 { m } else { Move::new(mirrored(m.index()) as u16) }
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    LeavesAWordOut,
    OverwritesWhatIsThere,
    ChangesFromTimeToTime,
    WritesBeyondTheBoard,
    ConstantIsNoNumber,
    ForgetsWhoseStonesTheyAre,
    ForgetsThePast,
    ShowsAnOlderPast,
    TwoMovesShareAPlace,
    PlaceIsBeyondThePolicy,
    MarksACorner,
    CountsStonesOnTheLeft,
    PolicyTurnsWithTheMover,
}

/// Own stones, the opponent's, the opponent's one move earlier, and who moves; with a fault.
struct Faulty(Fault, AtomicU64);

impl LeafEncoder<Fill> for Faulty {
    fn name(&self) -> &str {
        "fill-4"
    }

    fn planes(&self) -> Planes {
        Planes { rows: 2, columns: COLUMNS, bits: 3, constants: 1 }
    }

    fn past_positions(&self) -> usize {
        2
    }

    fn encode(&self, position: &Fill, past: &[Fill], words: &mut Vec<u64>) {
        let stones = |position: &Fill, player: Player| position.stones[player.index()];
        let mover = position.mover;
        let mut planes = [mover, !mover].map(|player| stones(position, player)).to_vec();
        planes.push(past.first().map_or(0, |before| stones(before, !mover)));
        let mut constant = Planes::constant(f32::from(mover == Player::First));
        match self.0 {
            Fault::OverwritesWhatIsThere => words.clear(),
            Fault::ChangesFromTimeToTime => planes[2] ^= self.1.fetch_add(1, Ordering::Relaxed) & 1,
            Fault::WritesBeyondTheBoard => planes[1] |= 1 << CELLS,
            Fault::ConstantIsNoNumber => constant = Planes::constant(f32::NAN),
            Fault::ForgetsWhoseStonesTheyAre => planes = vec![planes[0] | planes[1], 0, planes[2]],
            Fault::ForgetsThePast => planes[2] = 0,
            Fault::ShowsAnOlderPast => {
                constant = Planes::constant(past.get(1).map_or(0, |older| stones(older, mover)) as f32)
            }
            Fault::MarksACorner => planes[2] ^= 1,
            Fault::CountsStonesOnTheLeft => {
                constant = Planes::constant((planes[0] & 0b1001).count_ones() as f32);
            }
            _ => {}
        }
        words.extend(planes);
        if self.0 != Fault::LeavesAWordOut {
            words.push(constant);
        }
    }

    fn policy_size(&self) -> usize {
        if self.0 == Fault::PlaceIsBeyondThePolicy { CELLS - 1 } else { CELLS }
    }

    fn policy_index(&self, position: &Fill, m: Move) -> u16 {
        match self.0 {
            Fault::TwoMovesShareAPlace => m.bits() / 2,
            Fault::PolicyTurnsWithTheMover => (m.bits() + position.mover.index() as u16) % CELLS as u16,
            _ => m.bits(),
        }
    }
}

/// What it claims to show.
fn shown(position: &Fill, past: &[Fill]) -> ([u64; 2], Player, u64) {
    (
        position.stones,
        position.mover,
        past.first().map_or(0, |before| before.stones[1 - position.mover.index()]),
    )
}

fn checked(fault: Fault) -> [Result<(), Violation>; 2] {
    let (encoder, effort) = (Faulty(fault, AtomicU64::new(0)), Effort { games: 30, ..Effort::default() });
    let plain = check_encoder((&()) as &(), &encoder, shown, &effort);
    let symmetry = match plain {
        Ok(()) => check_encoder_symmetry::<Fill>(&(), &encoder, &effort),
        Err(_) => Ok(()),
    };
    [plain, symmetry]
}

#[test]
fn an_encoder_without_fault_obeys_the_laws() {
    for law in checked(Fault::None) {
        law.unwrap_or_else(|violation| panic!("{violation}"));
    }
}

#[test]
fn each_fault_breaks_the_law_that_is_made_for_it() {
    for (fault, law) in [
        (Fault::LeavesAWordOut, "as many words as its planes have"),
        (Fault::OverwritesWhatIsThere, "appends the same words each time"),
        (Fault::ChangesFromTimeToTime, "appends the same words each time"),
        (Fault::WritesBeyondTheBoard, "no bits beyond the board"),
        (Fault::ConstantIsNoNumber, "a constant plane is a number"),
        (Fault::ForgetsWhoseStonesTheyAre, "tells apart what it claims to show"),
        (Fault::ForgetsThePast, "tells apart what it claims to show"),
        (Fault::ShowsAnOlderPast, "shows what it claims to show and no more"),
        (Fault::TwoMovesShareAPlace, "a place of its own in the policy"),
        (Fault::PlaceIsBeyondThePolicy, "within the policy"),
        (Fault::MarksACorner, "permutes the cells of the planes"),
        (Fault::CountsStonesOnTheLeft, "keeps constant planes"),
        (Fault::PolicyTurnsWithTheMover, "permutes the policy"),
    ] {
        let broken: Vec<String> = checked(fault)
            .into_iter()
            .filter_map(Result::err)
            .map(|violation| violation.to_string())
            .collect();
        assert!(broken.iter().any(|violation| violation.contains(law)), "{fault:?}: {broken:?}");
    }
}
