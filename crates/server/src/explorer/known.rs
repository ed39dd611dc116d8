//! Games that were walked through: for each position on their way, the move that was made there.

use std::collections::HashMap;

use outplay_core::Move;
use outplay_engine::{NamedGame, Session};
use serde::Serialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::error::ApiResult;
use crate::games::GameRecord;
use crate::store::Kind;

/// Plies of a game that count: openings are no longer.
const MOST_PLIES: usize = 60;
/// A study's main line is not followed further than any game.
const LONGEST_LINE: usize = 2000;

/// How games went.
#[derive(Clone, Copy, Default, Serialize, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Games that the first player won.
    first: u32,
    /// Games that were drawn.
    drawn: u32,
    /// Games that the second player won.
    second: u32,
    /// Games whose end is not known, or has not come.
    open: u32,
}

impl Tally {
    /// How many games there were.
    pub fn games(&self) -> u32 {
        self.first + self.drawn + self.second + self.open
    }

    fn count(&mut self, ending: Ending) {
        match ending {
            Ending::Won(0) => self.first += 1,
            Ending::Won(_) => self.second += 1,
            Ending::Drawn => self.drawn += 1,
            Ending::Open => self.open += 1,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// This player won.
    Won(usize),
    /// Nobody did.
    Drawn,
    /// That is not known.
    Open,
}

impl Ending {
    /// From who has won, nobody in a draw.
    pub fn of(winner: Option<usize>) -> Ending {
        winner.map_or(Ending::Drawn, Ending::Won)
    }
}

/// Where a game can be found again.
#[derive(Clone, Serialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Place {
    /// A game against the engine, or of engines.
    Game { id: String },
    /// A saved analysis.
    Study { id: String },
    /// A game of a file, counted from 1.
    File { id: String, number: usize },
}

/// What a game is called in a list.
pub struct Label {
    pub place: Place,
    pub title: String,
    /// When it changed last, in milliseconds since 1970; 0 where that is not known.
    pub changed: u64,
}

/// A game that was walked through.
pub struct KnownGame {
    label: Label,
    moves: HashMap<u64, Move>,
    ending: Ending,
}

/// A game behind a position, as a list shows it.
#[derive(Clone, Serialize)]
pub struct GameBehind {
    #[serde(flatten)]
    place: Place,
    title: String,
    /// How it ended: 0 or 1 for the player who won, `"draw"`, or nothing where that is not known.
    result: Option<Value>,
    /// What was played in the position.
    #[serde(skip)]
    pub played: Move,
}

/// What was counted in a position.
#[derive(Default)]
pub struct Counted<'a> {
    pub games: Tally,
    pub played: HashMap<Move, Tally>,
    behind: Vec<(&'a KnownGame, Move)>,
}

impl Counted<'_> {
    /// The games that were counted, up to `most`: those that changed last first.
    pub fn list(&mut self, most: usize) -> Vec<GameBehind> {
        self.behind.sort_by(|(one, _), (other, _)| {
            let (one, other) = (&one.label, &other.label);
            other.changed.cmp(&one.changed).then(one.place.cmp(&other.place))
        });
        self.behind.iter().take(most).map(|(known, m)| known.behind(*m)).collect()
    }
}

impl KnownGame {
    /// Walks through a game. What is not legal ends it: there is nothing to learn after that.
    pub fn walk<'a>(
        session: &mut dyn Session,
        start: Option<&str>,
        moves: impl Iterator<Item = &'a str>,
        ending: Ending,
        label: Label,
    ) -> Option<KnownGame> {
        session.set_game(start, "").ok()?;
        let mut known = HashMap::new();
        for text in moves.take(MOST_PLIES) {
            let folded = session.folded();
            let Ok(m) = session.play_text(text) else { break };
            if let Some((_, image)) = folded.moves.iter().find(|(own, _)| *own == m) {
                known.entry(folded.key).or_insert(*image);
            }
        }
        Some(KnownGame { label, moves: known, ending })
    }

    /// Counts it for the move that it made in a position, if it came there.
    pub fn count<'a>(&'a self, key: u64, counted: &mut Counted<'a>) {
        if let Some(m) = self.moves.get(&key) {
            counted.games.count(self.ending);
            counted.played.entry(*m).or_default().count(self.ending);
            counted.behind.push((self, *m));
        }
    }

    fn behind(&self, played: Move) -> GameBehind {
        let result = match self.ending {
            Ending::Won(player) => Some(json!(player)),
            Ending::Drawn => Some(json!("draw")),
            Ending::Open => None,
        };
        GameBehind { place: self.label.place.clone(), title: self.label.title.clone(), result, played }
    }
}

/// Games and studies of the store, of one game.
#[derive(Default)]
pub struct KnownGames {
    /// By what they are and their name, with the version that was walked through.
    walked: HashMap<(bool, String), (u64, KnownGame)>,
}

/// A game of the store as far as it matters here.
struct Told {
    version: u64,
    title: String,
    changed: u64,
    game: String,
    start: Option<String>,
    moves: Vec<String>,
    ending: Ending,
}

impl KnownGames {
    /// Walks through what is new, and forgets what is gone.
    pub fn refresh(&mut self, app: &App, game: &NamedGame) -> ApiResult<()> {
        let name = game.to_string();
        let mut session = game.open()?;
        let mut there = Vec::new();
        for (kind, is_study) in [(Kind::Games, false), (Kind::Studies, true)] {
            for (id, text) in app.store.all(kind)? {
                let told = if is_study { told_study(&text) } else { told_game(app, &text) };
                let Some(told) = told.filter(|told| told.game == name) else { continue };
                let key = (is_study, id.clone());
                there.push(key.clone());
                if self.walked.get(&key).is_some_and(|(version, _)| *version == told.version) {
                    continue;
                }
                let moves = told.moves.iter().map(String::as_str);
                let place = if is_study { Place::Study { id } } else { Place::Game { id } };
                let label = Label { place, title: told.title, changed: told.changed };
                let start = told.start.as_deref();
                if let Some(known) = KnownGame::walk(&mut *session, start, moves, told.ending, label) {
                    self.walked.insert(key, (told.version, known));
                }
            }
        }
        if there.len() < self.walked.len() {
            self.walked.retain(|key, _| there.contains(key));
        }
        Ok(())
    }

    /// How many games and how many studies there are.
    pub fn counts(&self) -> (usize, usize) {
        let studies = self.walked.keys().filter(|(is_study, _)| *is_study).count();
        (self.walked.len() - studies, studies)
    }

    /// Counts all that came to a position.
    pub fn count<'a>(&'a self, key: u64, counted: &mut Counted<'a>) {
        self.walked.values().for_each(|(_, known)| known.count(key, counted));
    }
}

fn told_game(app: &App, text: &str) -> Option<Told> {
    let record: GameRecord = serde_json::from_str(text).ok()?;
    let ending = record.result.as_ref().map_or(Ending::Open, |result| Ending::of(result.winner));
    let title = record.title(&app.config.games);
    let GameRecord { version, created: changed, game, start, moves, .. } = record;
    Some(Told { version, title, changed, game, start, moves, ending })
}

/// The main line of a study: the first child of each move.
fn told_study(text: &str) -> Option<Told> {
    let study: Value = serde_json::from_str(text).ok()?;
    let nodes = &study["tree"]["nodes"];
    let mut moves = Vec::new();
    let mut at = "0".to_string();
    while moves.len() < LONGEST_LINE {
        let Some(next) = nodes[&at]["children"][0].as_u64() else { break };
        at = next.to_string();
        moves.push(nodes[&at]["move"].as_str()?.to_string());
    }
    let ending = match &study["result"] {
        Value::Object(result) => {
            Ending::of(result.get("winner").and_then(Value::as_u64).map(|winner| winner as usize))
        }
        _ => Ending::Open,
    };
    let changed = study["changed"].as_u64().unwrap_or(0);
    Some(Told {
        version: changed,
        title: study["title"].as_str().unwrap_or_default().to_string(),
        changed,
        game: study["game"].as_str()?.to_string(),
        start: study["start"].as_str().map(str::to_string),
        moves,
        ending,
    })
}
