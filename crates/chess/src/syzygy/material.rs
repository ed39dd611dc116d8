//! Which men are on the board: what tables are named after and found by.

use cozy_chess::{Board, Color, Piece};

/// No table has more men, kings included.
pub(super) const MOST_MEN: usize = 7;

/// In a table's file a man is a number: 1 to 6 for White's, from pawn to king, and 8 more for Black's.
pub(super) const CODES: usize = 16;
/// What a code of White's has to become one of Black's.
pub(super) const BLACK: usize = 8;
pub(super) const PAWN: usize = 1;
pub(super) const KING: usize = 6;

/// The men of both sides but the kings: four bits for the number of each kind, White's below Black's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Material(u64);

/// Bits for the men of one side.
const SIDE: u32 = 20;

impl Material {
    pub const BARE_KINGS: Material = Material(0);

    fn one(code: usize) -> u64 {
        let side = if code >= BLACK { SIDE } else { 0 };
        1 << ((code % BLACK - PAWN) as u32 * 4 + side)
    }

    /// Reads the name of a table, such as `KQvKR`.
    pub fn parse(name: &str) -> Option<Material> {
        let (white, black) = name.split_once('v')?;
        // Letters of one byte: more of them than men would not be counted in four bits.
        if !(3..=MOST_MEN + 1).contains(&name.len()) {
            return None;
        }
        let mut material = 0;
        for (side, color) in [(white, 0), (black, BLACK)] {
            for letter in side.strip_prefix('K')?.chars() {
                material += Material::one(color + PAWN + "PNBRQ".find(letter)?);
            }
        }
        Some(Material(material))
    }

    /// The same with colours exchanged.
    pub fn mirrored(self) -> Material {
        Material(self.0 >> SIDE | (self.0 & ((1 << SIDE) - 1)) << SIDE)
    }

    pub fn is_symmetric(self) -> bool {
        self == self.mirrored()
    }

    /// How many men of a kind there are; every side has one king.
    pub fn count(self, code: usize) -> usize {
        if code % BLACK == KING { 1 } else { (self.0 / Material::one(code) % 16) as usize }
    }

    /// The codes of the men that there can be.
    pub fn codes() -> impl Iterator<Item = usize> {
        [0, BLACK].into_iter().flat_map(|color| (PAWN..=KING).map(move |code| color + code))
    }

    pub fn men(self) -> usize {
        Material::codes().map(|code| self.count(code)).sum()
    }

    pub fn has_pawns(self) -> bool {
        self.count(PAWN) + self.count(BLACK + PAWN) > 0
    }
}

/// Where the men of a position stand.
pub(super) struct Men {
    /// For each code the squares.
    pub sets: [u64; CODES],
    pub material: Material,
}

impl Men {
    #[inline]
    pub fn of(board: &Board) -> Men {
        let mut sets = [0; CODES];
        let mut material = 0;
        for (color, first) in [(Color::White, 0), (Color::Black, BLACK)] {
            for piece in Piece::ALL {
                let code = first + PAWN + piece as usize;
                let set = board.colored_pieces(color, piece).0;
                sets[code] = set;
                if piece != Piece::King {
                    // Seldom more than one, so that this beats counting where the processor has no instruction for it.
                    let mut rest = set;
                    while rest != 0 {
                        material += Material::one(code);
                        rest &= rest - 1;
                    }
                }
            }
        }
        Men { sets, material: Material(material) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_others_are_not() {
        let read = |name| Material::parse(name).map(|material| (material.men(), material.has_pawns()));
        assert_eq!(read("KQvKR"), Some((4, false)));
        assert_eq!(read("KPPPPPvK"), Some((7, true)));
        for wrong in ["", "v", "KQ", "KQKR", "QvK", "KQvKX", "KQvKé", "KQQQQQQvK", "KvKvK"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        let queen_against_rook = Material::parse("KQvKR").expect("a name");
        assert_eq!(queen_against_rook.mirrored(), Material::parse("KRvKQ").expect("a name"));
        assert!(Material::parse("KNPvKNP").expect("a name").is_symmetric());
    }

    #[test]
    fn the_men_of_a_board_are_those_of_the_name() {
        let board: Board = "8/8/2k5/2r5/8/8/1P2P3/K1Q5 w - - 0 1".parse().expect("a board");
        let men = Men::of(&board);
        assert_eq!(Some(men.material), Material::parse("KQPPvKR"));
        assert_eq!(men.sets[PAWN], board.colored_pieces(Color::White, Piece::Pawn).0);
    }
}
