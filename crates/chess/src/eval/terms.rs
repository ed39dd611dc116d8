//! What the evaluation counts, term by term: the one list of its weights.
//!
//! Each row names a term, how many weights it has, what they are looked up by, and the plain first guess from which tuning starts.
//! The values in use stand in `weights.rs`, in the order of this list.

use std::ops::Range;

/// A run of weights with one meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Term {
    first: usize,
    len: usize,
}

impl Term {
    /// The place of one of its weights in the whole table.
    #[inline(always)]
    pub const fn at(self, index: usize) -> usize {
        debug_assert!(index < self.len);
        self.first + index
    }

    const fn end(self) -> usize {
        self.first + self.len
    }
}

/// A row of the list of terms.
#[derive(Clone, Copy, Debug)]
pub struct TermInfo {
    /// What the term is called.
    pub name: &'static str,
    /// What its weights are looked up by.
    pub axes: &'static str,
    /// Which group it is shown under.
    pub group: Group,
    /// Where its weights stand.
    pub weights: TermRange,
    guess: fn(i32) -> (i32, i32),
}

/// Where the weights of a term stand in the table of all weights.
#[derive(Clone, Copy, Debug)]
pub struct TermRange(Term);

impl TermInfo {
    /// The places of its weights in the table of all weights.
    pub fn range(&self) -> Range<usize> {
        self.weights.0.first..self.weights.0.end()
    }

    /// The first guess at one of its weights, for middlegame and endgame.
    pub fn first_guess(&self, index: usize) -> (i32, i32) {
        (self.guess)(index as i32)
    }
}

/// What people are shown as one line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Men, and how they go together.
    Material,
    /// Where men stand.
    Placement,
    /// What pieces can reach.
    Mobility,
    /// Pawns among themselves.
    Pawns,
    /// Pawns that no pawn can stop.
    Passed,
    /// Special squares and duties of pieces.
    Pieces,
    /// What is attacked, or about to be.
    Threats,
    /// Pawns around the king, and what comes at it.
    King,
    /// Room behind the pawns.
    Space,
    /// The right to move.
    Tempo,
}

impl Group {
    /// Every group, in the order in which they are shown.
    pub const ALL: [Group; 10] = [
        Group::Material,
        Group::Placement,
        Group::Mobility,
        Group::Pawns,
        Group::Passed,
        Group::Pieces,
        Group::Threats,
        Group::King,
        Group::Space,
        Group::Tempo,
    ];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Group::Material => "material",
            Group::Placement => "placement",
            Group::Mobility => "mobility",
            Group::Pawns => "pawns",
            Group::Passed => "passed pawns",
            Group::Pieces => "pieces",
            Group::Threats => "threats",
            Group::King => "king safety",
            Group::Space => "space",
            Group::Tempo => "tempo",
        }
    }
}

macro_rules! terms {
    ($($(#[$doc:meta])* $name:ident[$len:literal] $group:ident $axes:literal = $guess:expr;)*) => {
        terms!(@place 0; $($(#[$doc])* $name[$len])*);

        /// Every term, in the order of the table of weights.
        pub static TERMS: &[TermInfo] = &[$(TermInfo {
            name: stringify!($name),
            axes: $axes,
            group: Group::$group,
            weights: TermRange($name),
            guess: $guess,
        }),*];
    };
    (@place $first:expr;) => {
        /// How many weights there are.
        pub const WEIGHT_COUNT: usize = $first;
    };
    (@place $first:expr; $(#[$doc:meta])* $name:ident[$len:literal] $($rest:tt)*) => {
        $(#[$doc])*
        pub(super) const $name: Term = Term { first: $first, len: $len };
        terms!(@place $name.end(); $($rest)*);
    };
}

terms! {
    /// What a man is worth.
    MATERIAL[5] Material "pawn, knight, bishop, rook, queen" =
        |man| [(100, 100), (300, 300), (320, 320), (500, 500), (950, 950)][man as usize];
    /// Two bishops or more.
    BISHOP_PAIR[1] Material "" = |_| (30, 40);
    /// A knight for each own pawn.
    KNIGHT_AND_PAWNS[9] Material "own pawns" = |pawns| (2 * (pawns - 5), 2 * (pawns - 5));
    /// A rook for each own pawn.
    ROOK_AND_PAWNS[9] Material "own pawns" = |pawns| (-2 * (pawns - 5), -2 * (pawns - 5));

    /// Where a pawn stands, from its own side, the board folded along its middle.
    PAWN_ON[32] Placement "rank, file from the edge" = |square| (folded_centre(square) / 2, 4 * (square / 4 - 2));
    /// Where a knight stands.
    KNIGHT_ON[32] Placement "rank, file from the edge" = |square| (4 * folded_centre(square), 4 * folded_centre(square));
    /// Where a bishop stands.
    BISHOP_ON[32] Placement "rank, file from the edge" = |square| (2 * folded_centre(square), 2 * folded_centre(square));
    /// Where a rook stands.
    ROOK_ON[32] Placement "rank, file from the edge" = |square| (square % 4, 0);
    /// Where a queen stands.
    QUEEN_ON[32] Placement "rank, file from the edge" = |square| (0, 2 * folded_centre(square));
    /// Where the king stands, from its own side.
    KING_ON[64] Placement "square" = |square| (-6 * centre(square) - 8 * (square / 8), 8 * centre(square));

    /// Squares a knight attacks that are not its own king's nor under a pawn's attack.
    KNIGHT_REACH[9] Mobility "squares" = |squares| (4 * (squares - 4), 4 * (squares - 4));
    /// The same for a bishop, which sees through queens.
    BISHOP_REACH[14] Mobility "squares" = |squares| (4 * (squares - 6), 4 * (squares - 6));
    /// The same for a rook, which sees through rooks and queens.
    ROOK_REACH[15] Mobility "squares" = |squares| (2 * (squares - 6), 4 * (squares - 6));
    /// The same for a queen.
    QUEEN_REACH[28] Mobility "squares" = |squares| (squares - 12, 2 * (squares - 12));

    /// A pawn with an own pawn before it.
    DOUBLED[4] Pawns "file from the edge" = |_| (-10, -20);
    /// A pawn without own pawns on the files beside it.
    ISOLATED[4] Pawns "file from the edge" = |_| (-10, -12);
    /// The same with no enemy pawn on its file before it.
    ISOLATED_IN_THE_OPEN[1] Pawns "" = |_| (-6, -6);
    /// A pawn that no own pawn can ever protect and that would be taken if it went on.
    BACKWARD[1] Pawns "" = |_| (-8, -8);
    /// The same with no enemy pawn on its file before it.
    BACKWARD_IN_THE_OPEN[1] Pawns "" = |_| (-8, -6);
    /// A pawn with an own pawn beside it.
    PHALANX[8] Pawns "rank" = |rank| (2 * rank, rank * rank);
    /// A pawn that an own pawn protects.
    PROTECTED_PAWN[8] Pawns "rank" = |rank| (3 * rank, 2 * rank);
    /// A pawn that is not passed but has as many helpers as the enemy has guards.
    CANDIDATE[8] Pawns "rank" = |rank| (rank, 3 * rank);
    /// A pawn that meets an enemy pawn, each stopping the other.
    RAMMED[8] Pawns "rank" = |_| (0, 0);
    /// Groups of pawns with open files between them.
    PAWN_ISLAND[1] Pawns "" = |_| (-2, -4);

    /// A passed pawn.
    PASSED[8] Passed "rank" = |rank| (2 * rank * rank, 4 * rank * rank);
    /// A passed pawn that an own pawn protects.
    PASSED_PROTECTED[8] Passed "rank" = |rank| (2 * rank, 2 * rank);
    /// A passed pawn with nobody on the next square.
    PASSED_UNBLOCKED[8] Passed "rank" = |rank| (rank, 3 * rank);
    /// A passed pawn whose next square no enemy attacks, or not without being taken there.
    PASSED_SAFE_STEP[8] Passed "rank" = |rank| (rank, 3 * rank);
    /// A passed pawn with a way to the last rank on which no enemy stands or attacks.
    PASSED_FREE_PATH[8] Passed "rank" = |rank| (rank, 4 * rank);
    /// Steps of the own king to the square before a passed pawn.
    PASSED_OWN_KING[8] Passed "rank, for each step" = |rank| (0, -2 * (rank - 2).max(0));
    /// Steps of the enemy king to the square before a passed pawn.
    PASSED_ENEMY_KING[8] Passed "rank, for each step" = |rank| (0, 3 * (rank - 2).max(0));
    /// A passed pawn with an own rook behind it.
    PASSED_ROOK_BEHIND[1] Passed "" = |_| (5, 15);
    /// A passed pawn with an enemy rook behind it.
    PASSED_ENEMY_ROOK_BEHIND[1] Passed "" = |_| (-5, -15);
    /// A passed pawn that a king without pieces comes too late to stop.
    PASSED_UNSTOPPABLE[1] Passed "" = |_| (0, 200);

    /// A knight on a square that no enemy pawn can ever attack.
    KNIGHT_OUTPOST[2] Pieces "without, with a pawn's protection" = |protected| (10 + 10 * protected, 8 + 6 * protected);
    /// A bishop there.
    BISHOP_OUTPOST[2] Pieces "without, with a pawn's protection" = |protected| (6 + 8 * protected, 4 + 4 * protected);
    /// A knight that can reach such a square, protected by a pawn, in one step.
    KNIGHT_NEAR_OUTPOST[1] Pieces "" = |_| (8, 4);
    /// A knight or bishop right behind a pawn of either side.
    MINOR_BEHIND_PAWN[2] Pieces "knight, bishop" = |_| (5, 2);
    /// Own pawns on a bishop's colour.
    BISHOP_AND_PAWNS[1] Pieces "for each pawn" = |_| (-2, -4);
    /// The same for pawns that are blocked in the middle of the board.
    BISHOP_AND_BLOCKED_PAWNS[1] Pieces "for each pawn" = |_| (-2, -3);
    /// A bishop that sees both squares of the middle on its diagonal.
    BISHOP_ON_LONG_DIAGONAL[1] Pieces "" = |_| (15, 0);
    /// A minor piece's steps to its own king.
    MINOR_FROM_KING[2] Pieces "knight, bishop, for each step" = |_| (-2, -1);
    /// A rook on a file with no pawn at all.
    ROOK_ON_OPEN_FILE[1] Pieces "" = |_| (25, 10);
    /// A rook on a file without own pawns.
    ROOK_ON_HALF_OPEN_FILE[1] Pieces "" = |_| (12, 8);
    /// A rook on the seventh rank with the king behind it or pawns on it.
    ROOK_ON_SEVENTH[1] Pieces "" = |_| (10, 20);
    /// A rook shut in on the side of its own king that has lost its castling.
    ROOK_TRAPPED[1] Pieces "" = |_| (-25, -10);
    /// A queen that a piece would attack if one man moved away.
    QUEEN_IN_LINE[1] Pieces "" = |_| (-15, -5);

    /// A piece that a pawn attacks.
    PAWN_ATTACKS[5] Threats "pawn, knight, bishop, rook, queen" = |man| if man == 0 { (0, 0) } else { (50, 40) };
    /// A man that a knight or bishop attacks and no pawn protects.
    MINOR_ATTACKS[5] Threats "pawn, knight, bishop, rook, queen" =
        |man| [(5, 10), (20, 20), (20, 20), (40, 30), (40, 30)][man as usize];
    /// A man that a rook attacks and no pawn protects.
    ROOK_ATTACKS[5] Threats "pawn, knight, bishop, rook, queen" =
        |man| [(2, 10), (15, 20), (15, 20), (0, 0), (40, 20)][man as usize];
    /// A man that a queen attacks and no pawn protects.
    QUEEN_ATTACKS[5] Threats "pawn, knight, bishop, rook, queen" = |_| (2, 5);
    /// A man that the king attacks and nothing protects well.
    KING_ATTACKS[1] Threats "" = |_| (10, 30);
    /// A man that is attacked and not protected at all, or twice attacked and protected once.
    HANGING[2] Threats "pawn, piece" = |piece| (15 + 15 * piece, 10 + 10 * piece);
    /// A piece that a pawn can attack by a step that is safe.
    PUSH_ATTACKS[1] Threats "" = |_| (15, 15);
    /// A square from which an enemy piece could attack the queen without being taken.
    QUEEN_CHASED[2] Threats "by knight, by bishop or rook" = |_| (10, 8);
    /// Enemy squares that we attack and they do not hold firmly.
    CONTESTED[1] Threats "for each square" = |_| (3, 3);

    /// The nearest own pawn at or before the king, on its file and the two beside it.
    SHELTER[32] King "file from the edge, rank of the pawn or 0" =
        |place| if place % 8 == 0 { (-15, 0) } else { (20 - 5 * (place % 8), 0) };
    /// The nearest enemy pawn there, free to go on.
    STORM[32] King "file from the edge, rank of the pawn or 0" =
        |place| if place % 8 == 0 { (0, 0) } else { (-4 * (5 - place % 8).max(0), 0) };
    /// The nearest enemy pawn there that our nearest pawn blocks.
    BLOCKED_STORM[8] King "rank of the pawn" = |rank| (-3 * (5 - rank).max(0), 0);
    /// Danger: where it begins.
    DANGER_BASE[1] King "danger" = |_| (-20, 0);
    /// Danger: enemy pieces that attack the king's surroundings.
    DANGER_ATTACKER[4] King "knight, bishop, rook, queen; danger" = |_| (20, 4);
    /// Danger: each attack on a square of the surroundings.
    DANGER_ATTACKS[4] King "knight, bishop, rook, queen, for each square; danger" = |_| (8, 2);
    /// Danger: attacked squares of the surroundings that only the king or queen protects.
    DANGER_WEAK_SQUARE[1] King "for each square; danger" = |_| (15, 2);
    /// Danger: squares from which an enemy piece could give check and not be taken.
    DANGER_SAFE_CHECK[4] King "knight, bishop, rook, queen; danger" = |_| (40, 8);
    /// Danger: other squares from which it could give check.
    DANGER_CHECK[4] King "knight, bishop, rook, queen; danger" = |_| (5, 1);
    /// Danger: men of ours that stand pinned or shield the king from a slider.
    DANGER_SHIELD[1] King "for each man; danger" = |_| (10, 2);
    /// Danger: files around the king without own pawns.
    DANGER_OPEN_FILES[4] King "files; danger" = |files| (6 * files, 0);
    /// Danger: the attacker has a queen.
    DANGER_QUEEN[1] King "danger" = |_| (40, 4);
    /// Danger: squares on the king's side of its camp that the enemy attacks.
    DANGER_FLANK[1] King "for each square, twice if attacked twice; danger" = |_| (3, 0);
    /// Danger: squares there that we hold.
    DANGER_FLANK_HELD[1] King "for each square; danger" = |_| (-2, 0);
    /// Danger: knights and bishops of ours that protect the surroundings.
    DANGER_DEFENDER[2] King "knight, bishop; danger" = |_| (-10, -2);

    /// Safe squares behind own pawns in the middle.
    SPACE[1] Space "for each square and piece beyond three" = |_| (0, 0);

    /// The right to move.
    TEMPO[1] Tempo "" = |_| (15, 10);
}

/// 6 in the middle of the board, 0 in a corner, of a square numbered from a1 to h8.
fn centre(square: i32) -> i32 {
    line_centre(square % 8) + line_centre(square / 8)
}

/// The same where the files are counted from the edge.
fn folded_centre(square: i32) -> i32 {
    line_centre(square % 4) + line_centre(square / 4)
}

fn line_centre(line: i32) -> i32 {
    line.min(7 - line)
}
