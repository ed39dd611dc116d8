//! Searching the positions of a book, one after the other.

use std::collections::{BTreeMap, VecDeque};

use outplay_book::{Book, Judgement};
use outplay_core::Move;
use outplay_engine::{Session, SessionError};
use outplay_search::Meaning;

use crate::settled::settled_search;

use super::graph::{Graph, Place, Prices, Way};

/// How a book grows.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// Nodes for each position.
    pub nodes: u64,
    /// How many of its best moves are judged.
    pub moves: usize,
    /// No position is searched so many plies from the start, or more.
    pub plies: usize,
    /// What a ply costs, in hundredths: the more, the broader the book.
    pub ply_cost: i32,
    /// Decides between positions that are equally worth searching.
    pub seed: u64,
}

/// A book that grows, and the session that searches for it.
pub struct Grower<'a> {
    session: &'a mut dyn Session,
    how: Growth,
    book: Book,
    graph: Graph,
}

impl<'a> Grower<'a> {
    /// Goes on with a book of the session's game, which may be empty. The session's game is given up.
    pub fn new(session: &'a mut dyn Session, how: Growth, book: Book) -> Result<Grower<'a>, SessionError> {
        session.set_game(None, "")?;
        let start = session.folded();
        let graph = Graph { start: start.key, places: BTreeMap::new() };
        let mut grower = Grower { session, how, book, graph };
        let mut waiting = VecDeque::from([(start.key, start.text)]);
        while let Some((key, text)) = waiting.pop_front() {
            if grower.graph.places.contains_key(&key) || grower.judged(key).is_empty() {
                continue;
            }
            let ways = grower.add_place(key, text)?;
            waiting.extend(ways);
        }
        Ok(grower)
    }

    /// How many positions were searched or taken for granted.
    pub fn searched(&self) -> usize {
        self.graph.places.len()
    }

    /// The moves of a page that a search has judged.
    fn judged(&self, key: u64) -> Vec<(Move, Judgement)> {
        let page = self.book.page(key).iter();
        page.filter_map(|known| known.judgement.map(|judgement| (known.played, judgement))).collect()
    }

    /// Puts a position of the book into the graph; the keys and texts of the positions after it.
    fn add_place(&mut self, key: u64, text: String) -> Result<Vec<(u64, String)>, SessionError> {
        self.session.set_game(Some(&text), "")?;
        let mover = self.session.to_move();
        let legal = self.session.legal_moves();
        let (mut ways, mut after) = (Vec::new(), Vec::new());
        // A book from anywhere may have moves that are not legal.
        for (played, judgement) in self.judged(key).into_iter().filter(|(m, _)| legal.contains(m)) {
            self.session.play(played)?;
            let next = self.session.folded();
            let is_end = self.session.outcome().is_some();
            ways.push(Way { played, searched: judgement.searched, leads_to: next.key, is_end });
            after.push((next.key, next.text));
            self.session.undo()?;
        }
        self.graph.places.insert(key, Place { text, mover, ways });
        Ok(after)
    }

    /// Puts a line of moves from the start into the book without a search: positions on it that are not known have that one move. So a book can
    /// begin where everybody begins.
    pub fn take_for_granted(&mut self, moves: &str) -> Result<(), SessionError> {
        self.session.set_game(None, moves)?;
        let mut line = Vec::new();
        while let Some(m) = self.session.undo()? {
            let folded = self.session.folded();
            let image = folded.moves.iter().find(|(original, _)| *original == m).map(|(_, image)| *image);
            line.extend(image.map(|image| (folded.key, folded.text, image)));
        }
        for (key, text, image) in line.into_iter().rev() {
            if !self.graph.places.contains_key(&key) {
                self.book.entry(key, image).judgement = Some(Judgement::new(Meaning::Opinion(0), 0, 0));
                self.add_place(key, text)?;
            }
        }
        Ok(())
    }

    /// Searches the position that is next; `false` if there is none left.
    pub fn step(&mut self) -> Result<bool, SessionError> {
        let Growth { plies, ply_cost, seed, .. } = self.how;
        let prices = Prices { ply: ply_cost, most_plies: plies, seed };
        match self.graph.places.is_empty() {
            true => self.session.set_game(None, "")?,
            false => {
                let Some((before, m)) = self.graph.next(&self.graph.values(), &prices) else {
                    return Ok(false);
                };
                self.session.set_game(Some(&self.graph.places[&before].text), "")?;
                self.session.play(m)?;
            }
        }
        let text = self.session.folded().text;
        self.session.set_game(Some(&text), "")?;
        let key = self.search()?;
        self.add_place(key, text)?;
        Ok(true)
    }

    /// Searches the current position, which stands for its images, and puts what was found into the book.
    fn search(&mut self) -> Result<u64, SessionError> {
        let report = settled_search(self.session, self.how.nodes, self.how.moves)?;
        let folded = self.session.folded();
        // The best line first: of moves that are images of each other, the first has the word.
        let mut found: Vec<Move> = Vec::new();
        for (report, line) in
            report.iter().flat_map(|report| report.lines.iter().map(move |line| (report, line)))
        {
            let image =
                line.moves.first().and_then(|m| folded.moves.iter().find(|(original, _)| original == m));
            let Some(&(_, image)) = image.filter(|(_, image)| !found.contains(image)) else { continue };
            found.push(image);
            let judgement = Judgement::new(line.score, report.depth, report.counters.nodes);
            self.book.entry(folded.key, image).judgement = Some(judgement);
        }
        Ok(folded.key)
    }

    /// The book as it stands, with the values of all that is known.
    pub fn book(&mut self) -> &Book {
        for (key, values) in self.graph.values() {
            for (way, value) in self.graph.places[&key].ways.iter().zip(values) {
                if let Some(judgement) = &mut self.book.entry(key, way.played).judgement {
                    judgement.value = value;
                }
            }
        }
        &self.book
    }
}
