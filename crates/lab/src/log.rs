//! The search log: a row of CSV for each move that an engine has chosen, from wherever it plays.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use outplay_engine::{NamedGame, Session, SessionError};
use outplay_protocols::Answer;
use outplay_search::Report;

use crate::csv::{CsvWriter, field};
use crate::own::answer_of;
use crate::{Opening, PlayedGame};

/// The columns.
const HEADER: [&str; 18] = [
    "game",
    "round",
    "ply",
    "engine",
    "position",
    "phase",
    "move",
    "depth",
    "selective_depth",
    "nodes",
    "cutoffs",
    "first_move_cutoffs",
    "table_hit_rate",
    "nps",
    "score",
    "shown_score",
    "seconds",
    "stop_reason",
];

/// Writes rows. The writer of `match`, `play` and `analyze` alike.
pub struct SearchLog {
    table: CsvWriter<Box<dyn Write>>,
}

/// Where a search took place.
#[derive(Clone, Copy, Debug)]
pub struct LogPlace<'a> {
    /// The game, as it was named.
    pub game: &'a str,
    /// The number of the game in its match, or nothing.
    pub round: &'a str,
    /// Who searched.
    pub engine: &'a str,
}

impl SearchLog {
    /// A new file.
    pub fn create(path: &Path) -> io::Result<SearchLog> {
        SearchLog::new(Box::new(BufWriter::new(File::create(path)?)))
    }

    /// A file that may have rows already: new ones are added.
    pub fn append(path: &Path) -> io::Result<SearchLog> {
        let mut file = File::options().read(true).append(true).create(true).open(path)?;
        if file.metadata()?.len() == 0 {
            return SearchLog::new(Box::new(file));
        }
        let header = format!("{}\n", HEADER.join(","));
        let mut begin = vec![0; header.len()];
        if file.read_exact(&mut begin).is_err() || begin != header.as_bytes() {
            let reason = "it is there, and it is no search log: choose another file";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, reason));
        }
        Ok(SearchLog { table: CsvWriter::continued(Box::new(file), HEADER.len()) })
    }

    fn new(output: Box<dyn Write>) -> io::Result<SearchLog> {
        Ok(SearchLog { table: CsvWriter::new(output, &HEADER)? })
    }

    /// Writes the row of a search of the position on `board`, in which `answer` was found.
    pub fn row(&mut self, place: LogPlace, board: &dyn Session, answer: &Answer) -> io::Result<()> {
        let insight = &answer.insight;
        let seconds = answer.time.as_secs_f64();
        let probes = insight.table_probes.filter(|&probes| probes > 0);
        let hit_rate = insight.table_hits.zip(probes).map(|(hits, probes)| hits as f64 / probes as f64);
        let speed = insight.nodes.map(|nodes| (nodes as f64 / seconds.max(1e-6)) as u64);
        self.table.row(&[
            place.game.to_string(),
            place.round.to_string(),
            board.played().len().to_string(),
            place.engine.to_string(),
            board.position_text(),
            field(board.phase().map(|phase| phase.text())),
            answer.best.clone(),
            field(insight.depth),
            field(insight.selective_depth),
            field(insight.nodes),
            field(insight.cutoffs),
            field(insight.first_move_cutoffs),
            field(hit_rate.map(|rate| format!("{rate:.4}"))),
            field(speed),
            field(insight.score),
            field(insight.shown_score),
            format!("{seconds:.6}"),
            field(answer.stopped.as_ref()),
        ])
    }

    /// The same for one of our own searches, by its last report.
    pub fn search(&mut self, place: LogPlace, board: &dyn Session, report: &Report) -> io::Result<()> {
        self.row(place, board, &answer_of(report, board))
    }

    /// Writes the rows of a game that was played from an opening; the engines are in the order of their seats.
    pub fn game(
        &mut self,
        game: &NamedGame,
        round: &str,
        opening: &Opening,
        engines: [&str; 2],
        played: &PlayedGame,
    ) -> Result<(), LogError> {
        let (mut board, name) = (game.open()?, game.to_string());
        board.set_game(opening.start.as_deref(), &opening.moves)?;
        for m in &played.moves {
            let place = LogPlace { game: &name, round, engine: engines[m.by.index()] };
            self.row(place, &*board, &m.answer)?;
            board.play_text(&m.answer.best)?;
        }
        Ok(())
    }

    /// Sees to it that everything is written.
    pub fn finish(self) -> io::Result<()> {
        self.table.finish().map(drop)
    }
}

/// Why a game was not logged.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The game cannot be played again.
    #[error(transparent)]
    Game(#[from] SessionError),
}
