//! The games by name.

mod examples;
mod lessons;
mod rows;
mod style;

use std::fmt;

pub use examples::Example;
pub use rows::CATALOGUE;
pub use style::{Icon, PieceKind, ScoreStyle, Standing, Style};

use serde::Serialize;

use crate::lessons::Lesson;
use crate::levels::{Level, Strength};
use crate::{Session, SessionError};
use outplay_core::names::{meant, plain};

/// A game that can be played: the one place that names it. To add a game to a program is to add a row to its [`Catalogue`].
#[derive(Clone, Copy, Debug)]
pub struct GameRow {
    /// Its name on the command line and in protocols.
    pub name: &'static str,
    /// Other names that people may know it by. Hyphens and spaces do not count.
    pub aliases: &'static [&'static str],
    /// What people call it.
    pub label: &'static str,
    /// What it is, in one line.
    pub title: &'static str,
    /// Its variants.
    pub variants: Variants,
    /// A name that opens one of them, different from all other games.
    pub example: &'static str,
    /// Its small picture.
    pub icon: Icon,
    /// What its positions and scores look like.
    pub style: Style,
    /// How strong its opponents are and what its scores are worth, by the variant after the colon.
    pub strength: fn(Option<&str>) -> Strength,
    /// Positions whose searches are worth watching.
    pub examples: &'static [Example],
    /// What can be learned with it.
    pub lessons: &'static [Lesson],
    /// Makes a session from the variant after the colon, or says what is wrong with it.
    pub open: OpenSession,
}

/// Makes a session from the variant after the colon, or says what is wrong with it.
pub type OpenSession = fn(Option<&str>) -> Result<Box<dyn Session>, String>;

/// The variants of a game.
#[derive(Clone, Copy, Debug)]
pub struct Variants {
    /// How they are asked for after a colon; empty if there are none.
    pub help: &'static str,
    /// What is played if nobody asks.
    pub usual: &'static str,
    /// Where people begin with one by lot: the variants are numbers below this.
    pub lots: Option<u32>,
    /// The numbers that a variant is made of, in their order, for people who would rather turn dials than write.
    pub dials: &'static [Dial],
    /// What stands between these numbers.
    pub joined_by: &'static str,
}

/// A number that a variant is made of.
#[derive(Clone, Copy, Serialize, Debug)]
pub struct Dial {
    /// What it is, in words.
    pub name: &'static str,
    /// The least that it can be.
    pub least: u32,
    /// The most that it can be. Not all numbers within their bounds need go together.
    pub most: u32,
    /// What it is if nobody chooses.
    pub usual: u32,
}

impl Variants {
    /// A game without variants.
    pub const NONE: Variants = Variants { help: "", usual: "", lots: None, dials: &[], joined_by: "" };

    /// Variants that are played only if somebody asks for them, made of these numbers.
    pub const fn on_demand(help: &'static str, dials: &'static [Dial], joined_by: &'static str) -> Variants {
        Variants { help, usual: "usual rules", lots: None, dials, joined_by }
    }

    /// Refuses a variant of a game that has none.
    pub fn none(variant: Option<&str>) -> Result<(), String> {
        match variant {
            None => Ok(()),
            Some(_) => Err("expected no colon: this game has no variants".to_string()),
        }
    }
}

/// The games of a program.
#[derive(Clone, Debug)]
pub struct Catalogue {
    rows: Vec<GameRow>,
}

impl Catalogue {
    /// Our own games.
    pub fn standard() -> Catalogue {
        Catalogue { rows: CATALOGUE.to_vec() }
    }

    /// The same with another game.
    #[must_use]
    pub fn with(mut self, row: GameRow) -> Catalogue {
        self.rows.push(row);
        self
    }

    /// Its games, best known first.
    pub fn rows(&self) -> &[GameRow] {
        &self.rows
    }

    /// The game with this name, which may carry a variant after a colon: `connect4:5x4`. Whether there is such a variant is told when it is
    /// [opened](NamedGame::open).
    pub fn find(&self, name: &str) -> Result<NamedGame, SessionError> {
        let (game, variant) = match name.split_once(':') {
            Some((game, variant)) => (game, Some(variant)),
            None => (name, None),
        };
        let wanted = plain(game);
        let is_wanted = |row: &&GameRow| row.names().any(|known| plain(known) == wanted);
        let row = self.rows.iter().find(is_wanted).ok_or_else(|| {
            let names: Vec<&str> = self.rows.iter().map(|row| row.name).collect();
            SessionError::UnknownGame {
                name: game.to_string(),
                meant: meant(game, self.rows.iter().flat_map(GameRow::names)),
                known: names.join(", "),
            }
        })?;
        Ok(NamedGame { row: *row, variant: variant.map(str::to_string) })
    }

    /// All lessons with their games, variants after a colon, in the order of the course.
    pub fn lessons(&self) -> Vec<(String, &'static Lesson)> {
        let of_row = |row: &GameRow| {
            let name = row.name;
            let named = move |lesson: &'static Lesson| match lesson.variant {
                Some(variant) => (format!("{name}:{variant}"), lesson),
                None => (name.to_string(), lesson),
            };
            row.lessons.iter().map(named)
        };
        let mut lessons: Vec<_> = self.rows.iter().flat_map(of_row).collect();
        lessons.sort_by_key(|(_, lesson)| lesson.topic);
        lessons
    }

    /// The lesson with this name, and its game.
    pub fn lesson(&self, name: &str) -> Result<(String, &'static Lesson), SessionError> {
        let lessons = self.lessons();
        let wanted = plain(name);
        let found = lessons.iter().find(|(_, lesson)| plain(lesson.name) == wanted);
        found.cloned().ok_or_else(|| {
            let names: Vec<&'static str> = lessons.iter().map(|(_, lesson)| lesson.name).collect();
            SessionError::UnknownLesson {
                name: name.to_string(),
                meant: meant(name, names.iter().copied()),
                known: names.join(", "),
            }
        })
    }

    /// A session at the start of the game with this name.
    pub fn open(&self, name: &str) -> Result<Box<dyn Session>, SessionError> {
        self.find(name)?.open()
    }
}

impl GameRow {
    /// All names that it goes by.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

/// A game of a catalogue with its variant: what sessions are opened from. It is written as its name, in the spelling of the catalogue.
#[derive(Clone, Debug)]
pub struct NamedGame {
    row: GameRow,
    variant: Option<String>,
}

impl NamedGame {
    /// Its row.
    pub fn row(&self) -> &GameRow {
        &self.row
    }

    /// What people call it, with the variant.
    pub fn label(&self) -> String {
        match &self.variant {
            None => self.row.label.to_string(),
            Some(variant) => format!("{} {variant}", self.row.label),
        }
    }

    /// A session at its start.
    pub fn open(&self) -> Result<Box<dyn Session>, SessionError> {
        let opened = (self.row.open)(self.variant.as_deref());
        opened.map_err(|reason| SessionError::BadRules { name: self.to_string(), reason })
    }

    /// How strong its opponents are and what its scores are worth.
    pub fn strength(&self) -> Strength {
        (self.row.strength)(self.variant.as_deref())
    }

    /// Its levels, from the weakest to the strongest.
    pub fn levels(&self) -> &'static [Level] {
        self.strength().levels
    }

    /// The level with this number, counted from 1.
    pub fn level(&self, number: usize) -> Option<&'static Level> {
        self.levels().get(number.checked_sub(1)?)
    }

    /// The level that people name by its number or its name.
    pub fn level_named(&self, text: &str) -> Result<&'static Level, SessionError> {
        let levels = self.levels();
        let wanted = plain(text.trim());
        let by_number = || text.trim().parse().ok().and_then(|number| self.level(number));
        let found = levels.iter().find(|level| plain(level.name) == wanted).or_else(by_number);
        found.ok_or_else(|| {
            let known = (1..).zip(levels).map(|(number, level)| format!("{number} {}", level.name));
            SessionError::UnknownLevel {
                game: self.to_string(),
                name: text.to_string(),
                meant: meant(text, levels.iter().map(|level| level.name)),
                known: known.collect::<Vec<_>>().join(", "),
            }
        })
    }
}

impl fmt::Display for NamedGame {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.variant {
            None => f.write_str(self.row.name),
            Some(variant) => write!(f, "{}:{variant}", self.row.name),
        }
    }
}

/// One of our own games, by name.
pub fn game(name: &str) -> Result<NamedGame, SessionError> {
    Catalogue::standard().find(name)
}

/// A session at the start of one of our own games, by name.
pub fn open(name: &str) -> Result<Box<dyn Session>, SessionError> {
    game(name)?.open()
}
