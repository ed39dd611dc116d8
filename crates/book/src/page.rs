//! What a book knows.

use std::collections::BTreeMap;

use outplay_core::{Folded, Game, Move, Outcome, Player, Record};
use outplay_search::{Meaning, Score};

/// A move that a book knows. It is a move of the image that stands for a position and all its images.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookMove {
    /// The move.
    pub played: Move,
    /// What a search says of it, if one was asked.
    pub judgement: Option<Judgement>,
    /// How games went in which it was made.
    pub results: Results,
}

impl BookMove {
    fn new(played: Move) -> BookMove {
        BookMove { played, judgement: None, results: Results::default() }
    }
}

/// What a search says of a move, for whoever makes it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judgement {
    /// What was found in the position itself.
    pub searched: Meaning,
    /// What it is worth by all that the book knows of the positions after it.
    pub value: Meaning,
    /// How many plies deep the search was.
    pub depth: u32,
    /// The nodes of that search.
    pub nodes: u64,
}

impl Judgement {
    /// What a search has found, with nothing known of the positions after it. A mean result of games becomes an opinion: a book compares
    /// values, so it has one scale.
    pub fn new(found: Meaning, depth: u32, nodes: u64) -> Judgement {
        let found = match found {
            Meaning::Expected(_) => Meaning::Opinion(found.score().raw()),
            found => found,
        };
        Judgement { searched: found, value: found, depth, nodes }
    }

    /// Its value as a number that can be compared.
    pub fn score(&self) -> Score {
        self.value.score()
    }
}

/// How games went for the player who made a move.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Results {
    /// Games that he won.
    pub won: u32,
    /// Games that were drawn, or whose end is not known.
    pub drawn: u32,
    /// Games that he lost.
    pub lost: u32,
}

impl Results {
    /// How many games there were.
    pub fn games(&self) -> u64 {
        u64::from(self.won) + u64::from(self.drawn) + u64::from(self.lost)
    }

    /// Two for each game that was won, one for each that was drawn.
    pub fn half_points(&self) -> u64 {
        2 * u64::from(self.won) + u64::from(self.drawn)
    }

    fn count(&mut self, player: Player, outcome: Option<Outcome>) {
        let field = match outcome.and_then(Outcome::winner) {
            None => &mut self.drawn,
            Some(winner) if winner == player => &mut self.won,
            Some(_) => &mut self.lost,
        };
        *field = field.saturating_add(1);
    }

    fn add(&mut self, other: Results) {
        self.won = self.won.saturating_add(other.won);
        self.drawn = self.drawn.saturating_add(other.drawn);
        self.lost = self.lost.saturating_add(other.lost);
    }
}

/// An opening book of one game: a page for each position, by the key of the image that stands for it.
#[derive(Clone, PartialEq, Debug)]
pub struct Book {
    game: String,
    // Sorted, as the file has it, so that the same knowledge is the same file.
    pages: BTreeMap<u64, Vec<BookMove>>,
}

impl Book {
    /// A book of a game without a page. Only books of the same game fit.
    pub fn new(game: &str) -> Book {
        Book { game: game.to_string(), pages: BTreeMap::new() }
    }

    /// The game that it is of.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// What is known of the moves of a position, in the order of the moves; nothing if the position is not known.
    pub fn page(&self, key: u64) -> &[BookMove] {
        self.pages.get(&key).map_or(&[], Vec::as_slice)
    }

    /// The pages with their keys, in the order of the keys.
    pub fn pages(&self) -> impl Iterator<Item = (u64, &[BookMove])> {
        self.pages.iter().map(|(&key, page)| (key, page.as_slice()))
    }

    /// How many positions are known.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// What is known of a move, to be changed; a move that was not known is from now on.
    pub fn entry(&mut self, key: u64, played: Move) -> &mut BookMove {
        let page = self.pages.entry(key).or_default();
        let place = page.binary_search_by_key(&played, |known| known.played).unwrap_or_else(|place| {
            page.insert(place, BookMove::new(played));
            place
        });
        &mut page[place]
    }

    /// Adds the moves that a player, or both, made within the first `plies` of a game. A game whose outcome is not known counts as drawn.
    pub fn add_game<G: Game>(
        &mut self,
        record: &Record<G>,
        plies: usize,
        by: Option<Player>,
        fold: impl Fn(&G) -> Folded<G>,
    ) {
        let mut position = record.start.clone();
        for m in record.tree.main_line().take(plies) {
            let mover = position.to_move();
            if by.is_none_or(|player| player == mover) {
                let folded = fold(&position);
                // What is not legal was not in the rules that the file was read by; there is nothing to learn after it.
                let Some(image) = folded.image(m) else { return };
                self.entry(folded.key(), image).results.count(mover, record.outcome);
            }
            position.play(m);
        }
    }

    /// Adds what another book of the same game knows. Results are added up; of two judgements of a move the one with more nodes behind it
    /// stays, and of equals the first.
    pub fn merge(&mut self, other: &Book) {
        for (key, page) in other.pages() {
            for known in page {
                let entry = self.entry(key, known.played);
                entry.results.add(known.results);
                let nodes = |judgement: Option<Judgement>| judgement.map(|judgement| judgement.nodes);
                if nodes(known.judgement) > nodes(entry.judgement) {
                    entry.judgement = known.judgement;
                }
            }
        }
    }

    /// Forgets moves that were made in fewer games and that no search has judged.
    pub fn forget_rare(&mut self, least_games: u64) {
        for page in self.pages.values_mut() {
            page.retain(|known| known.judgement.is_some() || known.results.games() >= least_games);
        }
        self.pages.retain(|_, page| !page.is_empty());
    }

    /// Puts a page at the end; `false` if its key, or the order of its moves, is not above those before.
    pub(crate) fn push(&mut self, key: u64, page: Vec<BookMove>) -> bool {
        let last = self.pages.last_key_value().map(|(&last, _)| last);
        let is_sorted = page.is_sorted_by(|one, next| one.played < next.played);
        let fits = last < Some(key) && is_sorted;
        self.pages.insert(key, page);
        fits
    }
}
