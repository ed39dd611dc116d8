//! A tree in a file.
//!
//! ```text
//! mark | version | start of the game | settings | roots: moves, edge | words taken | words | checksum
//! ```
//!
//! Everything is a 64-bit word, lowest byte first; the tree itself is the words of its arena as they are. The table of positions and the lists of ways of
//! a graph are made anew from these while they are checked.

use std::io::{Read, Write};

use outplay_core::{Game, Line, Move, mix};

use super::bounds::Scale;
use super::check::Check;
use super::grown::{Grown, Root};
use super::options::MctsOptions;
use super::sealed::Sealed;
use super::tree::{EdgeId, Tree};
use crate::{OptionSet, TREE_FILE_MARK, TreeFileError};

const VERSION: u64 = 4;
/// No text and no list at the beginning of a file is longer.
const MOST: u64 = 1 << 16;

/// Writes a tree with its roots.
pub(super) fn save<G: Game>(
    tree: &Tree,
    grown: &Grown<G>,
    evaluation: Option<&str>,
    to: &mut dyn Write,
) -> Result<(), TreeFileError> {
    if grown.roots.is_empty() {
        return Err(TreeFileError::NothingGrown);
    }
    let mut file = Sealed::new(to);
    file.write(u64::from_le_bytes(TREE_FILE_MARK))?;
    file.write(VERSION)?;
    file.write(fingerprint(&grown.start, evaluation))?;
    file.write_bytes(settings_text(&grown.options).as_bytes())?;
    file.write(grown.roots.len() as u64)?;
    for root in &grown.roots {
        file.write(root.moves.len() as u64)?;
        root.moves.iter().try_for_each(|m| file.write(m.bits().into()))?;
        file.write(root.edge.0.into())?;
    }
    file.write(tree.arena.taken())?;
    let used = tree.arena.used();
    file.write(used)?;
    (1..used).try_for_each(|index| file.write(tree.arena.word_or_zero(index as u32)))?;
    Ok(file.seal()?)
}

/// Reads a tree of a game that began like this, to go on with these settings.
pub(super) fn load<G: Game>(
    start: &G,
    evaluation: Option<&str>,
    options: &MctsOptions,
    from: &mut dyn Read,
) -> Result<(Tree, Grown<G>), TreeFileError> {
    let mut file = Sealed::new(from);
    match file.read() {
        Ok(mark) if mark.to_le_bytes() == TREE_FILE_MARK => {}
        Ok(_) => return Err(TreeFileError::NotATree),
        Err(error) => return Err(error.into()),
    }
    let version = file.read()?;
    if version != VERSION {
        return Err(TreeFileError::OtherVersion { found: version, expected: VERSION });
    }
    if file.read()? != fingerprint(start, evaluation) {
        return Err(TreeFileError::OtherGame);
    }
    let settings = file.read_bytes(MOST)?;
    let roots = (0..file.read_below(MOST)?).map(|_| read_root(&mut file));
    let roots = roots.collect::<Result<Vec<Root>, TreeFileError>>()?;
    let lines = roots.iter().map(|root| line_of(start, &root.moves));
    let lines = lines.collect::<Result<Vec<Line<G>>, TreeFileError>>()?;
    let (Some(last), Some(line)) = (roots.last().map(|root| root.edge), lines.last()) else {
        return Err(TreeFileError::Damaged("it has no root"));
    };
    let options = &options.with_contempt_for(line.position().to_move(), false);
    compare_settings(&settings, options)?;
    let mut tree = Tree::new(options, Scale::of::<G>());
    tree.set_amaf(options.rave);
    let taken = file.read()?;
    let used = file.read()?;
    if !tree.arena.fill(used, || file.read())? {
        return Err(TreeFileError::TooLarge { bytes: used.saturating_mul(8) });
    }
    tree.arena.set_taken(taken);
    file.check()?;
    let edges = roots.iter().map(|root| root.edge);
    Check::new(&tree).roots(edges.zip(&lines)).map_err(TreeFileError::Damaged)?;
    Ok((tree, Grown { start: start.clone(), options: *options, roots, last }))
}

fn read_root<R: Read>(file: &mut Sealed<R>) -> Result<Root, TreeFileError> {
    let moves = (0..file.read_below(MOST)?).map(|_| {
        let bits = file.read_below(Move::RESERVED_BITS.into())?;
        Ok(Move::new(bits as u16))
    });
    let moves = moves.collect::<Result<Vec<Move>, TreeFileError>>()?;
    let edge = EdgeId(file.read_below(u32::MAX.into())? as u32);
    Ok(Root { moves, edge })
}

/// The line of these moves, which may be any.
fn line_of<G: Game>(start: &G, moves: &[Move]) -> Result<Line<G>, TreeFileError> {
    let mut line = Line::new(start.clone());
    for &m in moves {
        if !line.position().is_legal(m) {
            return Err(TreeFileError::Damaged("a root is not in the game"));
        }
        line.play(m);
    }
    Ok(line)
}

/// What tells a start of one game, and who evaluates its positions, from others.
fn fingerprint<G: Game>(start: &G, evaluation: Option<&str>) -> u64 {
    format!("{start:?} {evaluation:?}").bytes().fold(start.key(), |sum, byte| mix(sum ^ u64::from(byte)))
}

/// The settings that a tree cannot do without, a line each.
fn settings_text(options: &MctsOptions) -> String {
    let options = options.of_growth();
    let lines = options.rows().into_iter().enumerate();
    lines.map(|(index, row)| format!("{}={}\n", row.name, options.value(index))).collect()
}

/// Finds the first setting that was another when a tree was grown. Those that there were not then do not count.
fn compare_settings(text: &[u8], options: &MctsOptions) -> Result<(), TreeFileError> {
    let now = settings_text(options);
    let text = String::from_utf8_lossy(text);
    let of = |line: &str| line.split_once('=').map(|(name, value)| (name.to_string(), value.to_string()));
    for (name, then) in text.lines().filter_map(of) {
        let is_same = now.lines().filter_map(of).any(|(other, value)| other == name && value == then);
        if !is_same {
            return Err(TreeFileError::OtherSettings { name, then });
        }
    }
    Ok(())
}
