//! Records of games, and records in words.

use std::rc::Rc;

use outplay_core::{Line, Move, MoveTree, NodeId, Record, Records};

use super::GameSession;
use super::wording::{outcome_text, walk};
use crate::recorded::{RecordedGame, RecordedMove};
use crate::session::{SaveNotes, SessionError};

/// How many moves tell a game from others that have no names.
const MOVES_OF_A_TITLE: usize = 8;
/// Characters of a title: files can say as much as they like.
const LONGEST_TITLE: usize = 160;

/// Who played a game, how it ended, and when and where; the first moves of a game that names nobody.
pub(super) fn title<G: Records>(record: &Record<G>, player_tags: [&str; 2]) -> String {
    // What nobody knows is written as question marks.
    let tag = |name: &str| {
        let value = record.tag(name)?.trim();
        (!value.is_empty() && !value.starts_with('?')).then_some(value)
    };
    let mut parts = Vec::new();
    let names = player_tags.map(tag);
    if names.iter().any(Option::is_some) {
        parts.push(names.map(|name| name.unwrap_or("?")).join(" – "));
    } else {
        let moves: Vec<Move> = record.tree.main_line().take(MOVES_OF_A_TITLE).collect();
        parts.push(walk(&record.start, &moves, |position, m| position.move_text(m)).join(" "));
    }
    parts.extend(record.outcome.map(|outcome| outcome_text(outcome, record.start.players())));
    parts.extend(["Event", "Date"].into_iter().filter_map(tag).map(str::to_string));
    parts.retain(|part| !part.is_empty());
    parts.join(", ").chars().take(LONGEST_TITLE).collect()
}

impl<G: Records> GameSession<G> {
    /// The game so far. What a loaded game had besides its main line is kept.
    pub(super) fn record(&self, notes: &SaveNotes) -> Record<G> {
        let as_loaded = self.is_as_loaded();
        let loaded = self.loaded.clone().filter(|record| record.start == *self.line.start());
        let mut record = loaded.unwrap_or_else(|| Record::new(self.line.start().clone()));
        for (name, value) in &notes.tags {
            if record.tag(name).is_none() {
                record.set_tag(name, value);
            }
        }
        let mut node = MoveTree::ROOT;
        for (index, &m) in self.line.moves().iter().enumerate() {
            node = record.tree.play(node, m);
            for (_, comment) in notes.comments.iter().filter(|(place, _)| *place == index) {
                record.tree.add_comment(node, comment);
            }
        }
        record.tree.cut_after(node);
        record.outcome = self.line.outcome().or(notes.outcome).or(record.outcome.filter(|_| as_loaded));
        record
    }

    /// The game so far, in words.
    pub(super) fn record_in_words(&self) -> RecordedGame {
        let record = self.record(&SaveNotes::default());
        let tree = &record.tree;
        let mut moves = Vec::new();
        // Moves that follow the same one share its position. A stack takes the place of recursion: files can nest as they like.
        let mut waiting: Vec<(NodeId, usize, Rc<G>)> = Vec::new();
        let wait = |waiting: &mut Vec<_>, node: NodeId, after: usize, position: &Rc<G>| {
            let children = tree.children(node).iter().rev();
            waiting.extend(children.map(|&child| (child, after, Rc::clone(position))));
        };
        wait(&mut waiting, MoveTree::ROOT, 0, &Rc::new(record.start.clone()));
        while let Some((node, after, position)) = waiting.pop() {
            let Some(m) = tree.played(node) else { continue };
            moves.push(RecordedMove {
                after,
                plain: position.plain_move_text(&self.rules, m),
                comment: tree.comment(node).to_string(),
                marks: tree.marks(node).to_vec(),
                player: position.to_move(),
                text: position.move_text(m),
            });
            wait(&mut waiting, node, moves.len(), &Rc::new(position.after(m)));
        }
        RecordedGame {
            start: (record.start != G::start(&self.rules)).then(|| record.start.position_text()),
            comment: tree.comment(MoveTree::ROOT).to_string(),
            moves,
            tags: record.tags,
            outcome: record.outcome,
        }
    }

    /// The record that words tell of.
    pub(super) fn read_record(&self, game: &RecordedGame) -> Result<Record<G>, SessionError> {
        let start = match &game.start {
            Some(text) => G::parse_position(&self.rules, text)?,
            None => G::start(&self.rules),
        };
        // [move]: the places of the moves that follow it.
        let mut followers: Vec<Vec<usize>> = vec![Vec::new(); game.moves.len() + 1];
        for (place, told) in game.moves.iter().enumerate() {
            if told.after > place {
                return Err(SessionError::NotAfter { number: place + 1, after: told.after });
            }
            followers[told.after].push(place);
        }
        let mut record = Record::new(start.clone());
        record.tags = game.tags.clone();
        record.outcome = game.outcome;
        record.tree.add_comment(MoveTree::ROOT, &game.comment);
        let mut waiting: Vec<(usize, NodeId, Rc<G>)> = Vec::new();
        let mut wait = |waiting: &mut Vec<_>, number: usize, node: NodeId, position: &Rc<G>| {
            let places = std::mem::take(&mut followers[number]).into_iter().rev();
            waiting.extend(places.map(|place| (place, node, Rc::clone(position))));
        };
        wait(&mut waiting, 0, MoveTree::ROOT, &Rc::new(start));
        while let Some((place, parent, position)) = waiting.pop() {
            let told = &game.moves[place];
            let m = position.parse_move(&told.plain);
            let m = m.map_err(|error| SessionError::MoveOfList { number: place + 1, error })?;
            let node = record.tree.add(parent, m);
            record.tree.add_comment(node, &told.comment);
            told.marks.iter().for_each(|&mark| record.tree.add_mark(node, mark));
            wait(&mut waiting, place + 1, node, &Rc::new(position.after(m)));
        }
        Ok(record)
    }

    /// Goes to the end of a record's main line.
    pub(super) fn take_record(&mut self, record: Record<G>) {
        let line: Line<G> = record.line();
        self.line = line;
        self.loaded = Some(record);
    }
}
