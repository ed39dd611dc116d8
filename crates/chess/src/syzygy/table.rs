//! A table: a file that tells of every placement of certain men, either who wins (WDL) or how many plies it takes to the next capture or pawn move (DTZ).
//!
//! A table of who wins has a part for each side to move, unless both sides have the same men; one of distances has one of the two sides only. With pawns there
//! are four times as many parts, for the file of the leading pawn. In the file stand: the order of the men in each part, the codes of each part, for
//! distances what short numbers stand for, and then for all parts the indices, the lengths of blocks, and the blocks.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::SyzygyWdl;
use super::material::{BLACK, Material, Men, PAWN};
use super::pages::{Budget, Pages};
use super::pairs::Pairs;
use super::placement::Placement;

/// What a table tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Wdl,
    Dtz,
}

impl Kind {
    pub fn of_extension(extension: &str) -> Option<Kind> {
        match extension {
            "rtbw" => Some(Kind::Wdl),
            "rtbz" => Some(Kind::Dtz),
            _ => None,
        }
    }

    /// What its files begin with.
    fn magic(self) -> [u8; 4] {
        match self {
            Kind::Wdl => [0x71, 0xe8, 0x23, 0x5d],
            Kind::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// At the end of a file stand so many bytes, which are a sum of all others.
const SUM: u64 = 16;
/// Blocks begin at multiples of this.
const ALIGNED: u64 = 64;
/// A file that goes on for longer behind its values is not what it says. Those of three and four men have less than [`ALIGNED`] there.
const MOST_UNUSED: u64 = 1 << 16;

/// A file of values.
pub(super) struct Table {
    path: PathBuf,
    kind: Kind,
    material: Material,
    budget: Arc<Budget>,
    /// Read when it is first asked; `None` if it cannot be read any more.
    content: OnceLock<Option<Content>>,
}

struct Content {
    pages: Pages,
    /// For each file of the leading pawn, or once: the part of each side to move, White first, as the table names the sides.
    parts: Vec<Vec<Part>>,
}

struct Part {
    placement: Placement,
    pairs: Pairs,
    flags: u8,
    /// For distances: what the numbers stand for, in wins, losses, cursed wins and blessed losses. Empty if for themselves.
    meanings: [Box<[u16]>; 4],
}

// Flags of a whole table.
const HAS_BOTH_SIDES: u8 = 1;
const HAS_PAWNS: u8 = 2;

// Flags of a part.
/// Black is to move, in a table of distances.
const BLACK_TO_MOVE: u8 = 1;
const HAS_MEANINGS: u8 = 2;
/// Wins are counted in plies, not in moves.
const WINS_IN_PLIES: u8 = 4;
const LOSSES_IN_PLIES: u8 = 8;
const WIDE_MEANINGS: u8 = 16;
const SINGLE_VALUE: u8 = 128;

/// What a table of distances says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Distance {
    /// Plies to the next capture or pawn move, less one; those of a cursed win or a blessed loss begin behind a hundred.
    Plies(u16),
    /// Only known with the other side to move.
    OtherSide,
}

impl Table {
    /// The table in a file, if the file is sound as far as can be seen before its values.
    pub fn open(path: &Path, kind: Kind, material: Material, budget: Arc<Budget>) -> Option<Table> {
        Content::read(path, kind, material, &budget)?;
        Some(Table { path: path.to_path_buf(), kind, material, budget, content: OnceLock::new() })
    }

    #[inline]
    fn content(&self) -> Option<&Content> {
        let read = || Content::read(&self.path, self.kind, self.material, &self.budget);
        self.content.get_or_init(read).as_ref()
    }

    /// Whether the sides must be exchanged for this table, and which side is to move then.
    #[inline]
    fn seen(&self, men: &Men, mover: usize) -> (bool, usize) {
        let exchanged = if self.material.is_symmetric() { mover == 1 } else { men.material != self.material };
        (exchanged, mover ^ usize::from(exchanged))
    }

    /// Who wins, if nothing can be captured. The mover is 0 for White.
    #[inline]
    pub fn wdl(&self, men: &Men, mover: usize) -> Option<SyzygyWdl> {
        let (exchanged, side) = self.seen(men, mover);
        let content = self.content()?;
        let sides = content.sides(men, exchanged);
        // Where both sides have the same men, White is always to move.
        let part = sides.get(side).or(sides.first())?;
        let value = part.pairs.value(&content.pages, part.placement.number(&men.sets, exchanged)?)?;
        SyzygyWdl::ALL.get(usize::from(value)).copied()
    }

    /// The distance of a position with this result, which is no draw, if no capture or pawn move is as good.
    pub fn distance(&self, men: &Men, mover: usize, wdl: SyzygyWdl) -> Option<Distance> {
        let (exchanged, side) = self.seen(men, mover);
        let content = self.content()?;
        let part = content.sides(men, exchanged).first()?;
        if usize::from(part.flags & BLACK_TO_MOVE) != side && !self.material.is_symmetric() {
            return Some(Distance::OtherSide);
        }
        let (meanings, in_plies) = match wdl {
            SyzygyWdl::Win => (0, part.flags & WINS_IN_PLIES != 0),
            SyzygyWdl::Loss => (1, part.flags & LOSSES_IN_PLIES != 0),
            SyzygyWdl::CursedWin => (2, false),
            SyzygyWdl::BlessedLoss => (3, false),
            SyzygyWdl::Draw => return None,
        };
        let mut value = part.pairs.value(&content.pages, part.placement.number(&men.sets, exchanged)?)?;
        if part.flags & HAS_MEANINGS != 0 {
            value = *part.meanings[meanings].get(usize::from(value))?;
        }
        Some(Distance::Plies(if in_plies { value } else { value.checked_mul(2)? }))
    }
}

impl Content {
    #[inline]
    fn sides(&self, men: &Men, exchanged: bool) -> &[Part] {
        let file = if self.parts.len() > 1 {
            self.parts[0][0].placement.leading_file(&men.sets, exchanged)
        } else {
            0
        };
        &self.parts[file]
    }

    fn read(path: &Path, kind: Kind, material: Material, budget: &Arc<Budget>) -> Option<Content> {
        let file = File::open(path).ok()?;
        let len = file.metadata().ok()?.len();
        if len % ALIGNED != SUM {
            return None;
        }
        let parts = Header { bytes: BufReader::new(file), at: 0 }.read_parts(kind, material, len - SUM)?;
        Some(Content { pages: Pages::new(path, len, budget.clone()), parts })
    }
}

/// What stands in a file before the values.
struct Header<R> {
    bytes: R,
    at: u64,
}

/// The men of a part and the digits of the leading ones, as read.
type Order = (Vec<usize>, [usize; 2]);

impl<R: Read> Header<R> {
    fn take(&mut self, len: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; len];
        self.bytes.read_exact(&mut bytes).ok()?;
        self.at += len as u64;
        Some(bytes)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    /// Goes to the next even place.
    fn make_even(&mut self) -> Option<()> {
        self.take((self.at % 2) as usize).map(drop)
    }

    /// All parts, whose bytes end at `end` or a little before.
    fn read_parts(mut self, kind: Kind, material: Material, end: u64) -> Option<Vec<Vec<Part>>> {
        if self.take(4)? != kind.magic() {
            return None;
        }
        let flags = self.byte()?;
        let has_both_sides = !material.is_symmetric();
        let flags_fit = (flags & HAS_PAWNS != 0) == material.has_pawns()
            && (kind == Kind::Dtz || (flags & HAS_BOTH_SIDES != 0) == has_both_sides);
        if !flags_fit {
            return None;
        }
        let sides = if kind == Kind::Wdl && has_both_sides { 2 } else { 1 };
        let files = if material.has_pawns() { 4 } else { 1 };
        let mut orders = Vec::new();
        for _ in 0..files {
            orders.push(self.orders(material, sides)?);
        }
        self.make_even()?;
        let mut parts = Vec::new();
        for (file, orders) in orders.into_iter().enumerate() {
            let mut of_file = Vec::new();
            for (codes, places) in orders {
                of_file.push(self.part(kind, Placement::new(material, &codes, places, file)?)?);
            }
            parts.push(of_file);
        }
        // A leading pawn is looked for in the order of the first part.
        let leader = |part: &Part| part.placement.leading_pawns();
        if !parts.iter().flatten().all(|part| leader(part) == leader(&parts[0][0])) {
            return None;
        }
        if kind == Kind::Dtz {
            for part in parts.iter_mut().flatten() {
                self.meanings(part)?;
            }
            self.make_even()?;
        }
        let unused = end.checked_sub(place(&mut parts, self.at)?)?;
        (unused <= MOST_UNUSED).then_some(parts)
    }

    /// For each side the order of men: of two in a byte, the first one's below.
    fn orders(&mut self, material: Material, sides: usize) -> Option<Vec<Order>> {
        let has_pawns_of_both = material.count(PAWN) > 0 && material.count(BLACK + PAWN) > 0;
        let places = [self.byte()?, if has_pawns_of_both { self.byte()? } else { 0xff }];
        let codes = self.take(material.men())?;
        let nibble = |side: usize, byte: u8| usize::from(byte >> (4 * side) & 15);
        let order = |side| {
            (codes.iter().map(|&byte| nibble(side, byte)).collect(), places.map(|byte| nibble(side, byte)))
        };
        Some((0..sides).map(order).collect())
    }

    fn part(&mut self, kind: Kind, placement: Placement) -> Option<Part> {
        let flags = self.byte()?;
        let pairs = if flags & SINGLE_VALUE != 0 {
            let value = self.byte()?;
            // A table of distances has a byte without meaning there.
            Pairs::Single(if kind == Kind::Wdl { value.into() } else { 0 })
        } else {
            Pairs::read(placement.size(), |len| self.take(len))?
        };
        Some(Part { placement, pairs, flags, meanings: Default::default() })
    }

    fn meanings(&mut self, part: &mut Part) -> Option<()> {
        if part.flags & HAS_MEANINGS == 0 {
            return Some(());
        }
        let is_wide = part.flags & WIDE_MEANINGS != 0;
        if is_wide {
            self.make_even()?;
        }
        for meanings in &mut part.meanings {
            *meanings = if is_wide {
                let count = u16::from_le_bytes(self.take(2)?.try_into().ok()?);
                let bytes = self.take(2 * usize::from(count))?;
                bytes.as_chunks().0.iter().map(|&two| u16::from_le_bytes(two)).collect()
            } else {
                let count = self.byte()?;
                self.take(count.into())?.into_iter().map(u16::from).collect()
            };
        }
        Some(())
    }
}

/// Says to all parts where their bytes stand, and gives the place where these end.
fn place(parts: &mut [Vec<Part>], mut at: u64) -> Option<u64> {
    for table in 0..3 {
        for part in parts.iter_mut().flatten() {
            if table == 2 {
                at = at.checked_next_multiple_of(ALIGNED)?;
            }
            let begin = at;
            at = at.checked_add(part.pairs.bytes()[table])?;
            if let Pairs::Packed(packed) = &mut part.pairs {
                match table {
                    0 => packed.places.index = begin,
                    1 => packed.places.lengths = begin,
                    _ => packed.places.blocks = begin,
                }
            }
        }
    }
    Some(at)
}
