//! Which men are on the board: the name of an ending, and the order in which endings are built.

use std::fmt;
use std::str::FromStr;

use cozy_chess::{Color, Piece};
use outplay_core::ParseError;

/// Kings included, a table has at most so many men.
pub(super) const MOST_MEN: usize = 4;

/// What a side has besides its king, the strongest first.
type Army = [Option<Piece>; MOST_MEN - 2];

/// An ending of three or four men that needs a table, such as king and queen against king and rook.
///
/// White stands for the side with more or stronger men. Bare kings and a single minor piece are no endings in this sense: they are
/// always drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ending {
    armies: [Army; 2],
}

impl Ending {
    /// All of them, in an order in which each comes after those that a capture or a promotion leads to.
    pub fn all() -> Vec<Ending> {
        let mut all: Vec<Ending> = Vec::new();
        for white in armies() {
            for black in armies() {
                let ending = Ending { armies: [white, black] };
                let is_known_size = (3..=MOST_MEN).contains(&ending.men());
                if is_known_size && strength(&white) >= strength(&black) && !is_dead(&white, &black) {
                    all.push(ending);
                }
            }
        }
        all.sort_by_key(|ending| (ending.men(), ending.pawns(), ending.to_string()));
        all
    }

    /// How many men, kings included.
    pub fn men(self) -> usize {
        2 + self.armies.iter().flatten().flatten().count()
    }

    /// How many of them are pawns.
    pub fn pawns(self) -> usize {
        self.armies.iter().flatten().filter(|&&piece| piece == Some(Piece::Pawn)).count()
    }

    /// What a side has besides its king, the strongest first.
    pub(super) fn army(self, color: Color) -> impl Iterator<Item = Piece> {
        self.armies[color as usize].into_iter().flatten()
    }
}

/// Every army that fits.
fn armies() -> impl Iterator<Item = Army> {
    let kinds = || std::iter::once(None).chain(KINDS.into_iter().map(Some));
    kinds().flat_map(move |first| {
        kinds().filter(move |second| *second <= first).map(move |second| [first, second])
    })
}

const KINDS: [Piece; 5] = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

fn strength(army: &Army) -> (usize, Army) {
    (army.iter().flatten().count(), *army)
}

/// Whether nobody can ever be mated.
pub(super) fn is_dead(white: &[Option<Piece>], black: &[Option<Piece>]) -> bool {
    let mut others = white.iter().chain(black).flatten();
    match (others.next(), others.next()) {
        (None, _) => true,
        (Some(piece), None) => matches!(piece, Piece::Knight | Piece::Bishop),
        _ => false,
    }
}

/// As in `KQvKR`.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let side = |color| {
            let letters = self.army(color).map(|piece| char::from(piece).to_ascii_uppercase());
            std::iter::once('K').chain(letters).collect::<String>()
        };
        write!(f, "{}v{}", side(Color::White), side(Color::Black))
    }
}

/// Reads `KQvKR`, and `KQKR` too.
impl FromStr for Ending {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Ending, ParseError> {
        let plain = |name: &str| name.to_ascii_lowercase().replace('v', "");
        let found = Ending::all().into_iter().find(|ending| plain(&ending.to_string()) == plain(text));
        found.ok_or_else(|| {
            let reason = "expected an ending of three or four men, the stronger side first, as in KQvKR";
            ParseError::refused("ending", text, reason)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_thirty_three_endings_and_their_names_are_read_back() {
        let all = Ending::all();
        // Three men: queen, rook or pawn. Four men: any two of five kinds, together or against each other.
        assert_eq!(all.len(), 3 + 15 + 15);
        for ending in &all {
            assert_eq!(ending.to_string().parse::<Ending>().as_ref(), Ok(ending));
        }
        assert_eq!("kqkr".parse::<Ending>().map(|ending| ending.to_string()), Ok("KQvKR".to_string()));
        for wrong in ["", "KRvKQ", "KBvK", "KvK", "KQQQvK", "KQvKX", "KQvKRv K"] {
            assert!(wrong.parse::<Ending>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn captures_and_promotions_lead_to_what_was_built_before() {
        let all = Ending::all();
        let place = |name: &str| {
            let ending: Ending = name.parse().unwrap();
            all.iter().position(|&other| other == ending)
        };
        for (later, earlier) in [("KPvK", "KQvK"), ("KQvKP", "KQvKR"), ("KPvKP", "KQvKP"), ("KNPvK", "KBNvK")]
        {
            assert!(place(later) > place(earlier), "{later} {earlier}");
        }
    }
}
