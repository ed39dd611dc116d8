//! From men on a board to their ending and its table.

use std::sync::LazyLock;

use cozy_chess::{Color, Piece, Square};

use super::ending::{Ending, MOST_MEN, is_dead};
use super::layout::{Layout, Man, Placement};

/// Men on their squares, of whatever ending: what is left after a capture or a promotion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    men: [(Man, Square); MOST_MEN],
    count: usize,
    pub mover: Color,
}

impl Scene {
    pub fn new(mover: Color) -> Scene {
        let nobody = (Man { color: Color::White, piece: Piece::King }, Square::A1);
        Scene { men: [nobody; MOST_MEN], count: 0, mover }
    }

    /// Adds a man; there is room for [`MOST_MEN`].
    pub fn push(&mut self, man: Man, square: Square) {
        self.men[self.count] = (man, square);
        self.count += 1;
    }

    pub fn men(&self) -> &[(Man, Square)] {
        &self.men[..self.count]
    }

    /// Puts the men, which are those of the layout's ending, into its order.
    fn placed(&self, layout: &Layout, colors: Colors) -> Placement {
        let mut squares = [Square::A1; MOST_MEN];
        let mut placed = [false; MOST_MEN];
        for (square, man) in squares.iter_mut().zip(layout.men()) {
            let wanted = Man { color: colors.of(man.color), ..*man };
            let found = (0..self.count).find(|&place| !placed[place] && self.men[place].0 == wanted);
            if let Some(place) = found {
                placed[place] = true;
                *square = colors.square(self.men[place].1);
            }
        }
        Placement { squares, mover: colors.of(self.mover) }
    }
}

/// Whether the stronger side is White, as in the tables, or Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Colors {
    AsTheyAre,
    Exchanged,
}

impl Colors {
    fn of(self, color: Color) -> Color {
        if self == Colors::Exchanged { !color } else { color }
    }

    fn square(self, square: Square) -> Square {
        if self == Colors::Exchanged { square.flip_rank() } else { square }
    }
}

/// What is known of some material at first sight.
#[derive(Clone, Copy, Debug)]
enum Material {
    NoTable,
    AlwaysDrawn,
    Table { number: u8, colors: Colors },
}

/// Where a position is to be looked up.
pub(super) enum Place {
    /// Nobody can ever be mated.
    AlwaysDrawn,
    /// In the table of the ending with this number, under this index.
    Table { number: usize, index: usize },
}

/// The layouts of all endings, in building order, and the way from men to ending.
pub(super) struct Catalogue {
    pub layouts: Vec<Layout>,
    // [white army's code][black army's code]
    materials: Box<[[Material; CODES]; CODES]>,
}

pub(super) static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::new);

/// An army is a number to the base 6: each man is his piece's index plus one.
const BASE: usize = 6;
const CODES: usize = BASE.pow((MOST_MEN - 2) as u32);

impl Catalogue {
    fn new() -> Catalogue {
        let layouts: Vec<Layout> = Ending::all().into_iter().map(Layout::new).collect();
        let mut materials = Box::new([[Material::NoTable; CODES]; CODES]);
        for (number, layout) in layouts.iter().enumerate() {
            let [white, black] = Color::ALL.map(|color| code(layout.ending.army(color)));
            let number = number as u8;
            materials[black][white] = Material::Table { number, colors: Colors::Exchanged };
            materials[white][black] = Material::Table { number, colors: Colors::AsTheyAre };
        }
        for minor in [None, Some(Piece::Knight), Some(Piece::Bishop)] {
            debug_assert!(is_dead(&[minor], &[]));
            materials[code(minor)][0] = Material::AlwaysDrawn;
            materials[0][code(minor)] = Material::AlwaysDrawn;
        }
        Catalogue { layouts, materials }
    }

    /// Where to look a scene up; `None` if no ending has its men.
    #[inline]
    pub fn find(&self, scene: &Scene) -> Option<Place> {
        let [white, black] = Color::ALL.map(|color| {
            let mut army = [0; 2];
            for (man, _) in scene.men() {
                if man.color == color && man.piece != Piece::King {
                    let value = man.piece as usize + 1;
                    army = if value > army[0] { [value, army[0]] } else { [army[0], value.max(army[1])] };
                }
            }
            army[0] + BASE * army[1]
        });
        match self.materials[white][black] {
            Material::NoTable => None,
            Material::AlwaysDrawn => Some(Place::AlwaysDrawn),
            Material::Table { number, colors } => {
                let layout = &self.layouts[usize::from(number)];
                let index = layout.index(&scene.placed(layout, colors));
                Some(Place::Table { number: number.into(), index })
            }
        }
    }
}

/// The code of an army whose strongest man comes first.
fn code(army: impl IntoIterator<Item = Piece>) -> usize {
    army.into_iter().enumerate().map(|(place, piece)| (piece as usize + 1) * BASE.pow(place as u32)).sum()
}
