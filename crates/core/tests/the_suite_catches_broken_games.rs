//! The conformance suite passes a game in which a side moves twice, and names the law that each broken copy of it
//! breaks.

use outplay_core::conformance::{self, Effort};
use outplay_core::{
    Game, Line, Move, MoveTree, Notation, Outcome, ParseError, Player, Record, Records, Reversible,
    Symmetric, pgn,
};

/// What is wrong with a copy of the game.
mod bug {
    pub const NONE: u8 = 0;
    pub const DOUBLE_MOVE: u8 = 1;
    pub const ILLEGAL_MOVE: u8 = 2;
    pub const WRONG_COUNT: u8 = 3;
    pub const STALE_KEY: u8 = 4;
    pub const SAME_KEY: u8 = 5;
    pub const UNDO_FORGETS: u8 = 6;
    pub const MAKE_DIFFERS: u8 = 7;
    pub const TEXT_FORGETS: u8 = 8;
    pub const NO_END: u8 = 9;
    pub const SKEWED: u8 = 10;
    pub const NO_OUTCOME: u8 = 11;
    pub const CLAIMS_TO_ALTERNATE: u8 = 12;
    pub const MOVE_TEXT_LIES: u8 = 13;
    pub const DRIFTING_KEY: u8 = 14;
}

/// Two heaps; a turn is two moves, each taking one or two counters from a heap; whoever takes the last one wins.
#[derive(Clone, PartialEq, Debug)]
struct Twice<const BUG: u8> {
    heaps: [u8; 2],
    mover: Player,
    second_half: bool,
    key: u64,
}

impl<const BUG: u8> Twice<BUG> {
    fn new(heaps: [u8; 2], mover: Player, second_half: bool) -> Twice<BUG> {
        let mut game = Twice { heaps, mover, second_half, key: 0 };
        game.key = game.fresh_key();
        game
    }

    fn fresh_key(&self) -> u64 {
        let heaps = u64::from(self.heaps[0]) << 8 | u64::from(self.heaps[1]);
        let heaps = if BUG == bug::SAME_KEY { heaps >> 8 } else { heaps };
        outplay_core::mix(heaps << 2 | (self.mover.index() as u64) << 1 | u64::from(self.second_half))
    }
}

impl<const BUG: u8> Game for Twice<BUG> {
    type Rules = ();
    type Moves = Vec<Move>;
    const ALTERNATES: bool = BUG == bug::CLAIMS_TO_ALTERNATE;

    fn start((): &()) -> Self {
        Twice::new([9, 9], Player::First, false)
    }

    fn to_move(&self) -> Player {
        self.mover
    }

    fn legal_moves(&self) -> Vec<Move> {
        let mut moves: Vec<Move> = (0..4).map(Move::new).filter(|&m| self.is_legal(m)).collect();
        if BUG == bug::DOUBLE_MOVE && moves.len() == 3 {
            moves.push(moves[0]);
        }
        if BUG == bug::ILLEGAL_MOVE && moves.len() == 3 {
            moves.push(Move::new(3));
        }
        moves
    }

    fn is_legal(&self, m: Move) -> bool {
        m.index() < 4 && usize::from(self.heaps[m.index() % 2]) > m.index() / 2
    }

    fn legal_count(&self) -> usize {
        self.legal_moves().len() + usize::from(BUG == bug::WRONG_COUNT && self.heaps == [1, 1])
    }

    fn play(&mut self, m: Move) {
        if BUG != bug::NO_END {
            self.heaps[m.index() % 2] -= 1 + (m.index() / 2) as u8;
        }
        if self.second_half {
            self.mover = !self.mover;
        }
        self.second_half = !self.second_half;
        if BUG != bug::STALE_KEY {
            self.key = self.fresh_key();
        }
        if BUG == bug::DRIFTING_KEY && self.second_half {
            self.key ^= 1;
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let last_mover = if self.second_half { self.mover } else { !self.mover };
        (self.heaps == [0, 0] && BUG != bug::NO_OUTCOME).then_some(Outcome::win(last_mover))
    }

    fn key(&self) -> u64 {
        self.key
    }
}

impl<const BUG: u8> Reversible for Twice<BUG> {
    type Undo = Self;

    fn make(&mut self, m: Move) -> Self {
        let before = self.clone();
        self.play(m);
        if BUG == bug::MAKE_DIFFERS && self.heaps[0] == 3 {
            self.second_half = !self.second_half;
        }
        before
    }

    fn unmake(&mut self, _: Move, before: Self) {
        let key = self.key;
        *self = before;
        if BUG == bug::UNDO_FORGETS {
            self.key = key;
        }
    }
}

impl<const BUG: u8> Notation for Twice<BUG> {
    fn position_text(&self) -> String {
        let half = if self.second_half && BUG != bug::TEXT_FORGETS { 2 } else { 1 };
        format!("{},{} {} {half}", self.heaps[0], self.heaps[1], self.mover.index() + 1)
    }

    fn parse_position((): &(), text: &str) -> Result<Self, ParseError> {
        let fail = |expected: &str| ParseError::syntax("position", text, 0, expected);
        let mut fields = text.split(' ');
        let (heaps, mover, half) = (fields.next(), fields.next(), fields.next());
        let (a, b) = heaps.and_then(|heaps| heaps.split_once(',')).ok_or_else(|| fail("two heaps"))?;
        let heap = |text: &str| text.parse().map_err(|_| fail("a number of counters"));
        let mover = match mover {
            Some("1") => Player::First,
            Some("2") => Player::Second,
            _ => return Err(fail("a player, 1 or 2")),
        };
        Ok(Twice::new([heap(a)?, heap(b)?], mover, half == Some("2")))
    }

    fn move_text(&self, m: Move) -> String {
        let heap = if BUG == bug::MOVE_TEXT_LIES { 'a' } else { ['a', 'b'][m.index() % 2] };
        format!("{heap}{}", 1 + m.index() / 2)
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        (0..4)
            .map(Move::new)
            .find(|&m| {
                self.is_legal(m) && format!("{}{}", ['a', 'b'][m.index() % 2], 1 + m.index() / 2) == text
            })
            .ok_or_else(|| ParseError::refused("move", text, "not legal here"))
    }

    fn board(&self) -> String {
        format!("{:?}", self.heaps)
    }
}

impl<const BUG: u8> Symmetric for Twice<BUG> {
    fn symmetries(&self) -> usize {
        2
    }

    fn transformed(&self, index: usize) -> Self {
        let [a, b] = self.heaps;
        let heaps = if index == 1 { [b, a] } else { [a, b] };
        Twice::new(heaps, self.mover, self.second_half)
    }

    fn transformed_move(&self, m: Move, index: usize) -> Move {
        if BUG == bug::SKEWED { m } else { Move::new(m.bits() ^ index as u16) }
    }
}

impl<const BUG: u8> Records for Twice<BUG> {}

fn broken_law<const BUG: u8>() -> String {
    let effort = Effort { games: 30, most_plies: 100, seed: 1 };
    match conformance::check::<Twice<BUG>>(&(), &effort) {
        Ok(()) => "none".to_string(),
        Err(violation) => {
            let text = violation.to_string();
            text.lines()
                .next()
                .and_then(|line| line.split_once("law: "))
                .map_or(text.clone(), |(_, law)| law.to_string())
        }
    }
}

#[test]
fn every_bug_is_named_by_the_law_it_breaks() {
    assert_eq!(broken_law::<{ bug::NONE }>(), "none");
    assert_eq!(broken_law::<{ bug::DOUBLE_MOVE }>(), "a move is generated once");
    assert_eq!(broken_law::<{ bug::ILLEGAL_MOVE }>(), "generated = legal");
    assert_eq!(broken_law::<{ bug::WRONG_COUNT }>(), "legal_count counts the legal moves");
    assert_eq!(broken_law::<{ bug::STALE_KEY }>(), "different positions have different keys");
    assert_eq!(broken_law::<{ bug::SAME_KEY }>(), "different positions have different keys");
    assert_eq!(broken_law::<{ bug::DRIFTING_KEY }>(), "a position survives its text");
    assert_eq!(broken_law::<{ bug::UNDO_FORGETS }>(), "unmake restores everything");
    assert_eq!(broken_law::<{ bug::MAKE_DIFFERS }>(), "make = play");
    assert_eq!(broken_law::<{ bug::TEXT_FORGETS }>(), "a position survives its text");
    assert_eq!(broken_law::<{ bug::NO_END }>(), "games end");
    assert_eq!(broken_law::<{ bug::SKEWED }>(), "symmetry commutes with play");
    assert_eq!(broken_law::<{ bug::NO_OUTCOME }>(), "only a finished game has no moves");
    assert_eq!(broken_law::<{ bug::CLAIMS_TO_ALTERNATE }>(), "players alternate if ALTERNATES says so");
    assert_eq!(broken_law::<{ bug::MOVE_TEXT_LIES }>(), "a move survives its text");
}

type Sound = Twice<{ bug::NONE }>;

#[test]
fn perft_divides_the_same_on_any_number_of_threads() {
    let start = Sound::start(&());
    for depth in 0..7 {
        let total = outplay_core::perft::perft(&start, depth);
        for threads in [1, 2, 5] {
            let divided = outplay_core::perft::divide(&start, depth, threads, &|_, _| ());
            let sum: u64 = divided.iter().map(|(_, count)| count).sum();
            assert_eq!(sum, if depth == 0 { 0 } else { total }, "depth {depth}, {threads} threads");
        }
    }
    assert_eq!(outplay_core::perft::perft(&start, 0), 1);
    assert_eq!(outplay_core::perft::perft(&start, 3), 64);
}

#[test]
fn pgn_keeps_tags_comments_marks_variations_and_set_up_positions() {
    let start = Sound::new([5, 4], Player::Second, false);
    let mut record = Record::new(start);
    record.set_tag("Event", "a \"quoted\" \\ name");
    record.tree.add_comment(MoveTree::ROOT, "before the first move");
    let first = record.tree.add(MoveTree::ROOT, Move::new(0));
    record.tree.add_mark(first, 5);
    let second = record.tree.add(first, Move::new(1));
    let aside = record.tree.add(first, Move::new(2));
    let deep = record.tree.add(aside, Move::new(3));
    record.tree.add_comment(
        deep,
        "a long comment that has to be broken into lines because it does not fit into eighty columns",
    );
    record.tree.add(aside, Move::new(0));
    record.tree.add(second, Move::new(3));
    record.outcome = Some(Outcome::win(Player::Second));
    let text = pgn::write(&record, &Sound::start(&()), 7);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("7... a1 $5"), "{text}");
    let read = pgn::read::<Sound>(&(), text.as_bytes()).expect("what was written can be read");
    // Nodes are numbered in file order, so compare what is written again.
    assert_eq!(read.len(), 1);
    assert_eq!(pgn::write(&read[0], &Sound::start(&()), 7), text);
    assert_eq!((read[0].tag("Event"), read[0].outcome), (record.tag("Event"), record.outcome));
    assert_eq!(read[0].start, record.start);
    assert_eq!(read[0].tree.len(), record.tree.len());
}

#[test]
fn comments_stay_with_the_move_they_are_about() {
    let read = |text: &str| pgn::read::<Sound>(&(), text.as_bytes()).expect("a game");
    let games = read("a1 ({before it} a2 {after it}) b1 {a ( b} 1-0 {the end}\n\n[Event \"next\"]\n\na2 *");
    let tree = &games[0].tree;
    let [main, aside] = *tree.children(MoveTree::ROOT) else { panic!("one variation") };
    assert_eq!((tree.comment(main), tree.comment(aside)), ("", "before it after it"));
    assert_eq!(tree.comment(tree.children(main)[0]), "a ( b the end");
    assert_eq!((games.len(), games[1].tag("Event")), (2, Some("next")));
    let written = pgn::write(&games[0], &Sound::start(&()), 1);
    assert_eq!(pgn::write(&read(&written)[0], &Sound::start(&()), 1), written);
}

#[test]
fn pgn_errors_name_the_place() {
    let read = |text: &str| pgn::read::<Sound>(&(), text.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        read("[Event \"x\"]\n\n1. a1 b1\n2. c1 *"),
        "PGN: line 4, column 4: found \"c1\", not legal here"
    );
    assert!(
        read("\n[FEN \"x\"]\na1").contains("line 2, column 1") && read("[FEN \"x\"]").contains("two heaps")
    );
    assert!(read("a1 (a2").contains("expected a ) to end the variation"));
    assert!(read("(a2)").contains("expected a move before a variation"));
    assert!(read("a1)").contains("column 3"));
    assert!(read("{ never closed").contains("expected a } to end the comment"));
    assert!(read("[Event \"x]").contains("double quote"));
}

#[test]
fn a_very_deep_tree_is_written_read_and_dropped_without_recursion() {
    // The game is short, so depth comes from variations on variations: each replaces the move before it.
    let mut text = String::from("a1 ");
    text.push_str(&"(a2 ".repeat(20_000));
    text.push_str(&")".repeat(20_000));
    let read = pgn::read::<Sound>(&(), text.as_bytes()).expect("nested variations");
    assert_eq!(read[0].tree.len(), 20_001);
    assert_eq!(pgn::write(&read[0], &Sound::start(&()), 1).matches('(').count(), 20_000);
}

#[test]
fn a_line_can_be_played_and_taken_back() {
    let mut line = Line::new(Sound::start(&()));
    let moves = [0, 1, 2, 3].map(Move::new);
    for m in moves {
        line.play(m);
    }
    assert_eq!(line.moves(), moves);
    assert_eq!(line.undo(), Some(Move::new(3)));
    assert_eq!(line.position(), &line.positions()[3].clone());
    while line.undo().is_some() {}
    assert_eq!(line.position(), &Sound::start(&()));
    assert_eq!(line.undo(), None);
}
