//! Game trees made to order, as games: the searches' laboratory animals.

pub mod heaps;
pub mod mcts;

use std::sync::Arc;

use outplay_core::{Game, Move, Outcome, Player, Rng};

/// A tree in which each node names its mover and each leaf its value for the first player.
#[derive(Debug, PartialEq)]
pub enum Tree {
    Leaf(i16),
    Branch(Player, Vec<Arc<Tree>>),
}

/// A position in such a tree, in a game with margins up to `MARGIN`.
#[derive(Clone, Debug, PartialEq)]
pub struct Made<const MARGIN: i16> {
    pub tree: Arc<Tree>,
    path: u64,
}

/// The largest value of a leaf.
pub const MOST: i16 = 1_000;

/// A tree whose values are margins.
pub type TreeGame = Made<MOST>;
/// A tree that is won, lost or drawn: of its values only the signs count, and the sooner a win comes, the better.
pub type WinGame = Made<1>;

impl<const MARGIN: i16> Made<MARGIN> {
    pub fn new(tree: Tree) -> Made<MARGIN> {
        Made { tree: Arc::new(tree), path: 0 }
    }
}

impl<const MARGIN: i16> Game for Made<MARGIN> {
    type Rules = ();
    type Moves = Vec<Move>;
    const MAX_MARGIN: i16 = MARGIN;

    fn start((): &()) -> Made<MARGIN> {
        Made::new(Tree::Leaf(0))
    }

    fn to_move(&self) -> Player {
        match *self.tree {
            Tree::Leaf(_) => Player::First,
            Tree::Branch(mover, _) => mover,
        }
    }

    fn legal_moves(&self) -> Vec<Move> {
        match &*self.tree {
            Tree::Leaf(_) => Vec::new(),
            Tree::Branch(_, children) => (0..children.len() as u16).map(Move::new).collect(),
        }
    }

    fn play(&mut self, m: Move) {
        let Tree::Branch(_, children) = &*self.tree else { panic!("no move at a leaf") };
        let child = children[m.index()].clone();
        self.path = outplay_core::mix(self.path ^ (m.index() as u64 + 1));
        self.tree = child;
    }

    fn outcome(&self) -> Option<Outcome> {
        match *self.tree {
            Tree::Leaf(value) => Some(Outcome::from_margin(value.clamp(-MARGIN, MARGIN), Player::First)),
            Tree::Branch(..) => None,
        }
    }

    fn key(&self) -> u64 {
        self.path
    }
}

/// A tree of random shape, with random values and random movers: a player may well move several times in a row.
pub fn random_tree(rng: &mut Rng, depth: usize, most_children: usize, most_value: i16) -> Tree {
    if depth == 0 || rng.below(8) == 0 {
        return Tree::Leaf(rng.below(2 * most_value as usize + 1) as i16 - most_value);
    }
    let mover = Player::BOTH[rng.below(2)];
    let children = 1 + rng.below(most_children);
    Tree::Branch(
        mover,
        (0..children).map(|_| Arc::new(random_tree(rng, depth - 1, most_children, most_value))).collect(),
    )
}

/// The value for the first player by the definition, without any of the code under test.
pub fn value_by_definition(tree: &Tree) -> i16 {
    match tree {
        Tree::Leaf(value) => *value,
        Tree::Branch(mover, children) => {
            let values = children.iter().map(|child| value_by_definition(child));
            match mover {
                Player::First => values.max(),
                Player::Second => values.min(),
            }
            .expect("a branch has children")
        }
    }
}

/// How the moves of a uniform tree are ordered.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    /// The best move first at every node.
    BestFirst,
    /// Better and better moves at every node.
    BestLast,
}

/// A uniform tree of alternating movers in which all values differ, ordered as asked.
///
/// Each node owns a range of values. Its children split the range so that the best part goes to the first or to the
/// last, and so all the way down.
pub fn ordered_tree(order: Order, mover: Player, branching: usize, depth: usize) -> Tree {
    let leaves = branching.pow(depth as u32);
    assert!(leaves <= 2 * MOST as usize);
    build(order, mover, branching, depth, -(leaves as i16) / 2, leaves as i16)
}

fn build(order: Order, mover: Player, branching: usize, depth: usize, least: i16, width: i16) -> Tree {
    if depth == 0 {
        return Tree::Leaf(least);
    }
    let part = width / branching as i16;
    let ascending = matches!(order, Order::BestLast) == (mover == Player::First);
    let children = (0..branching as i16).map(|index| {
        let place = if ascending { index } else { branching as i16 - 1 - index };
        Arc::new(build(order, !mover, branching, depth - 1, least + place * part, part))
    });
    Tree::Branch(mover, children.collect())
}
