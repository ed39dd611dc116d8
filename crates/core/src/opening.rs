//! Openings that people have given names to.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::{Notation, ParseError, Symmetric, text};

const LANGUAGE: &str = "table of openings";

/// An opening that has a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Opening {
    /// Its place in the classification that its community uses (`C50`), if there is one.
    pub code: Option<&'static str>,
    /// What it is called.
    pub name: &'static str,
}

/// Which positions have the name of an opening. Images of a position share its name, and so do all ways that lead to it.
#[derive(Debug)]
pub struct OpeningNames(HashMap<u64, Opening>);

impl OpeningNames {
    /// Reads a table: on each line `code | name | moves`, or without a code, in a game that has no classification. Lines that begin with `#` are
    /// skipped. A position or a name that comes twice is an error.
    pub fn read<G: Notation + Symmetric>(
        rules: &G::Rules,
        table: &'static str,
    ) -> Result<OpeningNames, ParseError> {
        let mut names: HashMap<u64, Opening> = HashMap::new();
        for (number, line) in text::content_lines(table) {
            let columns: Vec<&'static str> = line.split('|').map(str::trim).collect();
            let (code, name, moves) = match columns[..] {
                [code, name, moves] => (Some(code), name, moves),
                [name, moves] => (None, name, moves),
                _ => {
                    return Err(ParseError::syntax(LANGUAGE, line, 0, "code | name | moves").on_line(number));
                }
            };
            let mut position = G::start(rules);
            for word in G::split_moves(moves) {
                let m = position.parse_move(word).map_err(|error| error.on_line(number))?;
                position.play(m);
            }
            let refused = |reason: String| ParseError::refused(LANGUAGE, name, reason).on_line(number);
            let opening = Opening { code, name };
            if names.values().any(|other| other.name == name) {
                return Err(refused("another line has this name".to_string()));
            }
            match names.entry(common_key(&position)) {
                Entry::Occupied(other) => {
                    return Err(refused(format!("the position is called {:?} already", other.get().name)));
                }
                Entry::Vacant(place) => place.insert(opening),
            };
        }
        Ok(OpeningNames(names))
    }

    /// The name of a position, if it has one.
    pub fn name_of<G: Symmetric>(&self, position: &G) -> Option<Opening> {
        self.0.get(&common_key(position)).copied()
    }
}

/// The least key of the images of a position, which is the same for all of them.
fn common_key<G: Symmetric>(position: &G) -> u64 {
    let keys = (0..position.symmetries()).map(|index| position.transformed(index).key());
    keys.min().unwrap_or_else(|| position.key())
}
