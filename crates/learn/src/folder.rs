//! The folder of a run: all that is needed to go on with it, here or elsewhere.
//!
//! | file | what |
//! |---|---|
//! | `run.toml` | the game and all settings |
//! | `nets/0007.safetensors` | the network of a generation; 0 is the one of chance |
//! | `state/0007.trainer` | what training goes on from; of the last generations |
//! | `games/0007.games` | the games that this network has played, appended one by one |
//! | `metrics.jsonl` | a line of figures for each generation |
//!
//! Whole files are written beside their place and renamed, so that they are there as a whole or not at all. A game that was not written whole is cut off when
//! the run goes on.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use outplay_engine::selfplay::GameRecord;
use outplay_net::NetError;

use crate::settings::Settings;

/// Why a run does not go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// The folder holds something else, or another run.
    #[error("{0}")]
    Folder(String),
    /// The network cannot be trained or run.
    #[error("{0}")]
    Net(#[from] NetError),
}

/// A folder of a run.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

/// States of so many generations are kept: the last one may be of no use if the machine dies while it is written.
const STATES: u32 = 2;

impl Folder {
    /// The folder of a run of this game with these settings: a new one, or that of the same run, which goes on.
    ///
    /// # Errors
    /// If the folder holds something else, or a run with other settings, which is never mixed with this one.
    pub fn open(path: &Path, game: &str, settings: &Settings) -> Result<Folder, RunError> {
        let folder = Folder(path.to_path_buf());
        let text = settled(game, settings);
        match fs::read_to_string(folder.settings()) {
            Ok(known) if known == text => {}
            Ok(known) => return Err(RunError::Folder(other_run(path, &known, &text))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let is_used = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some());
                if is_used {
                    let path = path.display();
                    return Err(RunError::Folder(format!(
                        "{path} holds something else: name a new folder, or that of a run"
                    )));
                }
                for part in ["nets", "state", "games"] {
                    let part = path.join(part);
                    fs::create_dir_all(&part).map_err(|error| RunError::File(part, error))?;
                }
                folder.write_whole(&folder.settings(), text.as_bytes())?;
            }
            Err(error) => return Err(RunError::File(folder.settings(), error)),
        }
        Ok(folder)
    }

    /// The game and the settings of the run in a folder.
    ///
    /// # Errors
    /// If there is none.
    pub fn settings_of(path: &Path) -> Result<(String, Settings), RunError> {
        let file = path.join("run.toml");
        let text = fs::read_to_string(&file).map_err(|error| RunError::File(file.clone(), error))?;
        let wrong = |what: String| RunError::Folder(format!("{}: {what}", file.display()));
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| wrong(error.to_string()))?;
        let mut settings = Settings::default();
        let mut game = None;
        for (name, value) in &table {
            let value = match value {
                toml::Value::String(value) => value.clone(),
                other => other.to_string(),
            };
            match name.as_str() {
                "game" => game = Some(value),
                name => settings.set(name, &value).map_err(|error| wrong(error.to_string()))?,
            }
        }
        game.map(|game| (game, settings)).ok_or_else(|| wrong("no game is named".to_string()))
    }

    fn settings(&self) -> PathBuf {
        self.0.join("run.toml")
    }

    /// The network of a generation.
    pub fn net(&self, generation: u32) -> PathBuf {
        self.0.join(format!("nets/{generation:04}.safetensors"))
    }

    fn state(&self, generation: u32) -> PathBuf {
        self.0.join(format!("state/{generation:04}.trainer"))
    }

    /// The games that the network of a generation has played.
    pub fn games(&self, generation: u32) -> PathBuf {
        self.0.join(format!("games/{generation:04}.games"))
    }

    /// The figures of all generations.
    pub fn metrics(&self) -> PathBuf {
        self.0.join("metrics.jsonl")
    }

    /// The newest generation whose network and state are there, with the state.
    pub(crate) fn newest(&self) -> Result<Option<(u32, Vec<u8>)>, RunError> {
        let folder = self.0.join("state");
        let entries = fs::read_dir(&folder).map_err(|error| RunError::File(folder.clone(), error))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut generations: Vec<u32> =
            names.filter_map(|name| name.strip_suffix(".trainer")?.parse().ok()).collect();
        generations.sort_unstable();
        for &generation in generations.iter().rev() {
            if let (Ok(state), true) = (fs::read(self.state(generation)), self.net(generation).is_file()) {
                return Ok(Some((generation, state)));
            }
        }
        Ok(None)
    }

    /// Keeps the network and the state of a generation, the state last: then both are there.
    pub(crate) fn keep(&self, generation: u32, net: &[u8], state: &[u8]) -> Result<(), RunError> {
        self.write_whole(&self.net(generation), net)?;
        self.write_whole(&self.state(generation), state)?;
        if let Some(old) = generation.checked_sub(STATES) {
            // It may be gone already.
            let _ = fs::remove_file(self.state(old));
        }
        Ok(())
    }

    /// The games of a generation, by their numbers; a torn end is cut off.
    pub(crate) fn read_games(&self, generation: u32) -> Result<Vec<GameRecord>, RunError> {
        let path = self.games(generation);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(RunError::File(path, error)),
        };
        let (mut games, whole) = GameRecord::read_all(&bytes)
            .map_err(|error| RunError::Folder(format!("{}: {error}", path.display())))?;
        if whole < bytes.len() {
            let file = OpenOptions::new().write(true).open(&path);
            file.and_then(|file| file.set_len(whole as u64)).map_err(|error| RunError::File(path, error))?;
        }
        games.sort_by_key(|game| game.number);
        games.dedup_by_key(|game| game.number);
        Ok(games)
    }

    /// A file to append games to.
    pub(crate) fn append_games(&self, generation: u32) -> Result<File, RunError> {
        let path = self.games(generation);
        OpenOptions::new().create(true).append(true).open(&path).map_err(|error| RunError::File(path, error))
    }

    /// Adds a line of figures.
    pub(crate) fn add_metrics(&self, line: &str) -> Result<(), RunError> {
        let path = self.metrics();
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
        written.map_err(|error| RunError::File(path, error))
    }

    /// Writes a file as a whole or not at all.
    fn write_whole(&self, path: &Path, bytes: &[u8]) -> Result<(), RunError> {
        let beside = path.with_extension("part");
        let write = || {
            let mut file = File::create(&beside)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&beside, path)
        };
        write().map_err(|error| RunError::File(path.to_path_buf(), error))
    }
}

/// The settings as the folder keeps them.
fn settled(game: &str, settings: &Settings) -> String {
    let mut text = format!("game = {game:?}\n");
    for (row, value) in settings.rows() {
        let value = match value {
            outplay_search::OptionValue::Choice(word) => format!("{word:?}"),
            outplay_search::OptionValue::Text(text) => format!("{text:?}"),
            outplay_search::OptionValue::Number(number) => format!("{number:?}"),
            other => other.to_string(),
        };
        text += &format!("{} = {value}\n", row.name);
    }
    text
}

/// That a folder belongs to another run, and where they differ.
fn other_run(path: &Path, known: &str, wanted: &str) -> String {
    let lines = known.lines().filter(|line| !wanted.lines().any(|other| other == *line));
    let differ: Vec<&str> = lines.take(5).collect();
    format!(
        "{} is the folder of another run, with {}: go on with its settings, or name another folder",
        path.display(),
        differ.join(", ")
    )
}
