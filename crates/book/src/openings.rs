//! The openings that a session knows.

use std::fs;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use outplay_core::{Folded, Game, Line, Move, Player, Record, Records, Rng, Symmetric, mix, seed_of, text};
use outplay_search::{Library, OptionError, OptionRow, OptionSet, OptionValue, Tier};

use crate::{Book, BookError, BookOptions, MARK};

/// Plies of an opponent's games that are remembered: more than any book has.
const PROFILE_PLIES: usize = 60;

/// A book and an opponent's profile, from the files that the options name. Without any, nothing is known.
pub struct Openings<G: Game> {
    /// What books of the game are called: the same name for all rules under which positions mean the same.
    game: String,
    rules: G::Rules,
    options: BookOptions,
    book: Option<Book>,
    /// How games went against the opponent, for those who made the moves.
    profile: Option<Book>,
}

impl<G: Records + Symmetric> Openings<G> {
    /// No openings yet, of a game whose books bear this name.
    pub fn new(game: impl Into<String>, rules: G::Rules) -> Openings<G> {
        Openings { game: game.into(), rules, options: BookOptions::default(), book: None, profile: None }
    }

    /// The settings.
    pub fn settings(&self) -> &BookOptions {
        &self.options
    }

    /// Opens what other settings name and these do not, and takes them over; after an error everything is as it was. With `has_book`, their
    /// book is in another format, which somebody else reads.
    pub fn take_over(&mut self, options: BookOptions, has_book: bool) -> Result<(), OptionError> {
        let unusable = |name: &'static str, reason| OptionError::Unusable { name: name.into(), reason };
        let other_book = match options.book_file == self.options.book_file {
            true => None,
            false if has_book => Some(None),
            false => Some(self.open_book(&options).map_err(|reason| unusable("book_file", reason))?),
        };
        let named = |options: &BookOptions| (options.profile_file.clone(), options.profile_opponent.clone());
        if named(&options) != named(&self.options) {
            let name = match options.profile_file == self.options.profile_file {
                true => "profile_opponent",
                false => "profile_file",
            };
            self.profile = self.open_profile(&options).map_err(|reason| unusable(name, reason))?;
        }
        self.book = other_book.unwrap_or_else(|| self.book.take());
        self.options = options;
        Ok(())
    }

    fn open_book(&self, options: &BookOptions) -> Result<Option<Book>, String> {
        let file = &options.book_file;
        if file.as_os_str().is_empty() {
            return Ok(None);
        }
        let read = fs::read(file).map_err(BookError::from);
        let book = read.and_then(|bytes| Book::of_game(&bytes, &self.game));
        book.map(Some).map_err(|error| format!("{} {error}", file.display()))
    }

    fn open_profile(&self, options: &BookOptions) -> Result<Option<Book>, String> {
        let BookOptions { profile_file: file, profile_opponent: opponent, .. } = options;
        if file.as_os_str().is_empty() {
            return Ok(None);
        }
        let shown = file.display();
        let bytes = fs::read(file).map_err(|error| format!("{shown} cannot be read: {error}"))?;
        let mut profile = Book::new(&self.game);
        let read = G::visit_records(&self.rules, &bytes, &mut |record| {
            for player in players_against(&record, opponent) {
                profile.add_game(&record, PROFILE_PLIES, Some(player), Folded::of);
            }
            ControlFlow::Continue(())
        });
        read.map_err(|error| format!("{shown}: {error}"))?;
        match (profile.is_empty(), opponent.as_str()) {
            (false, _) => Ok(Some(profile)),
            (true, "") => Err(format!("{shown} has no game")),
            (true, opponent) => Err(format!("{shown} has no game of {}", text::shortened(opponent))),
        }
    }

    /// Whether the book is to be asked at the end of a line.
    pub fn are_open(&self, line: &Line<G>) -> bool {
        let is_early = line.moves().len() < self.options.book_plies;
        self.options.own_book && is_early && line.outcome().is_none()
    }

    /// Where chance begins in a position: by the position alone, so that games do not depend on what else was played.
    pub fn chance(&self, position: &G) -> Rng {
        Rng::new(seed_of(self.options.book_seed) ^ mix(position.key()))
    }
}

/// Who played against an opponent in a game; both players if nobody is named.
fn players_against<G: Records>(record: &Record<G>, opponent: &str) -> Vec<Player> {
    let opponent = opponent.trim();
    let is_against = |player: &Player| {
        let name = record.tag(G::player_name(player.other())).unwrap_or("").trim();
        opponent.is_empty() || name.to_lowercase() == opponent.to_lowercase()
    };
    Player::BOTH.into_iter().filter(is_against).collect()
}

impl Book {
    /// Whether a file begins as our books do.
    pub fn is_at(path: &Path) -> std::io::Result<bool> {
        let mut beginning = Vec::new();
        fs::File::open(path)?.take(MARK.len() as u64).read_to_end(&mut beginning)?;
        Ok(beginning == MARK)
    }
}

impl<G: Records + Symmetric> OptionSet for Openings<G> {
    fn rows(&self) -> Vec<OptionRow> {
        self.options.rows()
    }

    fn value(&self, index: usize) -> OptionValue {
        self.options.value(index)
    }

    /// What cannot be opened is left as it is.
    fn assign(&mut self, index: usize, value: OptionValue) {
        let mut options = self.options.clone();
        options.assign(index, value);
        drop(self.take_over(options, false));
    }

    fn set(&mut self, name: &str, text: &str) -> Result<(), OptionError> {
        let mut options = self.options.clone();
        options.set(name, text)?;
        self.take_over(options, false)
    }
}

impl<G: Records + Symmetric> Library<G> for Openings<G> {
    fn options(&self) -> &dyn OptionSet {
        self
    }

    fn options_mut(&mut self) -> &mut dyn OptionSet {
        self
    }

    fn opening_move(&mut self, line: &Line<G>) -> Option<Move> {
        let book = self.book.as_ref().filter(|_| self.are_open(line))?;
        let position = line.position();
        let folded = Folded::of(position);
        let profile = self.profile.as_ref().filter(|_| self.options.use_profile);
        let mut rng = self.chance(position);
        let image = book.choose(folded.key(), self.options.book_margin, profile, &mut rng)?;
        // Where the board looks the same from several sides, so many moves are the same move. Whatever the file says, they are legal.
        let moves: Vec<Move> = folded.originals(image).collect();
        (!moves.is_empty()).then(|| moves[rng.below(moves.len())])
    }

    fn tiers(&self, _: &Line<G>) -> Option<Vec<Tier>> {
        None
    }

    fn book_game(&self) -> &str {
        &self.game
    }

    fn folded(&self, position: &G) -> Folded<G> {
        Folded::of(position)
    }
}
