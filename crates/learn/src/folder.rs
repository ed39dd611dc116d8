//! The folder of a run: all that is needed to go on with it, here or elsewhere.
//!
//! | file | what |
//! |---|---|
//! | `run.toml` | the game and all settings |
//! | `nets/0007.safetensors` | the network of a generation; 0 is the one of chance |
//! | `state/0007.trainer` | what training goes on from; of the last generations |
//! | `games/0007.games` | the games that this network has played, appended one by one |
//! | `state/0007.window` | what games do not tell of the window; of the last generations |
//! | `metrics.jsonl` | a line of figures for each generation |
//! | `ratings.jsonl` | a line for each opponent that a generation was rated against |
//! | `log.txt` | what happened when |
//! | `lock` | is locked by the process that writes here, as long as it lives |
//!
//! Whole files are written beside their place and renamed, so that they are there as a whole or not at all. A game that was not written whole is cut off when
//! the run goes on.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use outplay_engine::selfplay::GameRecord;
use outplay_lab::MatchError;
use outplay_net::NetError;
use serde::Serialize;
use serde_json::Value;

use crate::date::utc;
use crate::settings::Settings;

const SETTINGS: &str = "run.toml";
const LOCK: &str = "lock";

/// Why a run does not go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file cannot be read or written.
    #[error("{}", file_trouble(.0, .1))]
    File(PathBuf, io::Error),
    /// The folder holds something else, or another run.
    #[error("{0}")]
    Folder(String),
    /// The network cannot be trained or run.
    #[error("{0}")]
    Net(#[from] NetError),
    /// A match cannot be played.
    #[error("{0}")]
    Match(#[from] MatchError),
}

fn file_trouble(path: &Path, error: &io::Error) -> String {
    let advice = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ": make room and give the same command again; what was finished is kept"
        }
        _ => "",
    };
    format!("{}: {error}{advice}", path.display())
}

/// A folder of a run. No other process writes there as long as this is held.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// Locked until the last copy is dropped. If the process dies, the system unlocks it.
    _lock: Arc<File>,
}

/// States of so many generations are kept: the last one may be of no use if the machine dies while it is written.
const STATES: u32 = 2;

impl Folder {
    /// The folder of a run of this game with these settings: a new one, or that of the same run, which goes on.
    ///
    /// Settings of ratings may change from time to time.
    ///
    /// # Errors
    /// If the folder holds something else, or a run with other settings, which is never mixed with this one, or if another process writes there.
    pub fn open(path: &Path, game: &str, settings: &Settings) -> Result<Folder, RunError> {
        let file = path.join(SETTINGS);
        if !file.is_file() && is_used(path) {
            let path = path.display();
            return Err(RunError::Folder(format!(
                "{path} holds something else: name a new folder, or that of a run"
            )));
        }
        fs::create_dir_all(path).map_err(|error| RunError::File(path.to_path_buf(), error))?;
        let folder = Folder { path: path.to_path_buf(), _lock: Arc::new(lock(path)?) };
        let text = settled(game, settings);
        if file.is_file() {
            let (known_game, mut known) = Folder::settings_of(path)?;
            known.rating = settings.rating;
            if known_game != game || known != *settings {
                let message = other_run(path, &settled(&known_game, &known), &text);
                return Err(RunError::Folder(message));
            }
        }
        if !fs::read_to_string(&file).is_ok_and(|known| known == text) {
            folder.write_whole(&file, text.as_bytes())?;
        }
        for part in ["nets", "state", "games"] {
            let part = path.join(part);
            fs::create_dir_all(&part).map_err(|error| RunError::File(part, error))?;
        }
        Ok(folder)
    }

    /// The folder of a run that is there, with its game and settings.
    ///
    /// # Errors
    /// If there is none, or another process writes there.
    pub fn reopen(path: &Path) -> Result<(Folder, String, Settings), RunError> {
        let (game, settings) = Folder::settings_of(path)?;
        Ok((Folder::open(path, &game, &settings)?, game, settings))
    }

    /// The game and the settings of the run in a folder.
    ///
    /// # Errors
    /// If there is none.
    pub fn settings_of(path: &Path) -> Result<(String, Settings), RunError> {
        let file = path.join(SETTINGS);
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

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The network of a generation.
    pub fn net(&self, generation: u32) -> PathBuf {
        self.path.join(format!("nets/{generation:04}.safetensors"))
    }

    fn state(&self, generation: u32) -> PathBuf {
        self.path.join(format!("state/{generation:04}.trainer"))
    }

    fn window(&self, generation: u32) -> PathBuf {
        self.path.join(format!("state/{generation:04}.window"))
    }

    /// The games that the network of a generation has played.
    pub fn games(&self, generation: u32) -> PathBuf {
        self.path.join(format!("games/{generation:04}.games"))
    }

    /// The figures of all generations.
    pub fn metrics(&self) -> PathBuf {
        self.path.join("metrics.jsonl")
    }

    /// The ratings of all generations that were rated.
    pub fn ratings(&self) -> PathBuf {
        self.path.join("ratings.jsonl")
    }

    /// What happened when.
    pub fn log_file(&self) -> PathBuf {
        self.path.join("log.txt")
    }

    /// Writes down what happened. If that fails, something else does too, or will.
    pub fn log(&self, what: &str) {
        let line = format!("{} {}\n", utc(SystemTime::now()), what.replace('\n', " "));
        let file = OpenOptions::new().create(true).append(true).open(self.log_file());
        let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
    }

    /// The newest generation whose network and state are there, with the state.
    pub(crate) fn newest(&self) -> Result<Option<(u32, Vec<u8>)>, RunError> {
        let generations = numbered(&self.path, "state", "trainer")?;
        for &generation in generations.iter().rev() {
            if let (Ok(state), true) = (fs::read(self.state(generation)), self.net(generation).is_file()) {
                return Ok(Some((generation, state)));
            }
        }
        Ok(None)
    }

    /// The generations whose networks are there, the oldest first.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn generations(&self) -> Result<Vec<u32>, RunError> {
        numbered(&self.path, "nets", "safetensors")
    }

    /// Keeps the network and the state of a generation, the state last: then both are there.
    pub(crate) fn keep(&self, generation: u32, net: &[u8], state: &[u8]) -> Result<(), RunError> {
        self.write_whole(&self.net(generation), net)?;
        self.write_whole(&self.state(generation), state)?;
        if let Some(old) = generation.checked_sub(STATES) {
            // They may be gone already.
            let _ = fs::remove_file(self.state(old));
            let _ = fs::remove_file(self.window(old));
        }
        Ok(())
    }

    /// Keeps what games do not tell of the window, before the generation itself is kept.
    pub(crate) fn keep_window(&self, generation: u32, window: &[u8]) -> Result<(), RunError> {
        self.write_whole(&self.window(generation), window)
    }

    /// The same again; empty if it is not there.
    pub(crate) fn read_window(&self, generation: u32) -> Result<Vec<u8>, RunError> {
        read_or_empty(&self.window(generation))
    }

    /// The games of a generation, by their numbers; a torn end is cut off.
    pub(crate) fn read_games(&self, generation: u32) -> Result<Vec<GameRecord>, RunError> {
        let path = self.games(generation);
        let bytes = read_or_empty(&path)?;
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

    /// Adds a line to a file of figures, in one piece.
    pub(crate) fn add_line(&self, path: &Path, figures: &impl Serialize) -> Result<(), RunError> {
        let line = serde_json::to_string(figures).expect("figures have nothing that JSON lacks");
        let file = OpenOptions::new().create(true).append(true).open(path);
        let written = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
        written.map_err(|error| RunError::File(path.to_path_buf(), error))
    }

    /// The lines of a file of figures. What was not written whole is cut off, and so are lines that are not to be kept: of a generation, say, whose network
    /// was not kept.
    pub(crate) fn read_lines(
        &self,
        path: &Path,
        is_kept: impl Fn(&Value) -> bool,
    ) -> Result<Vec<Value>, RunError> {
        let bytes = read_or_empty(path)?;
        let (mut lines, mut text) = (Vec::new(), String::new());
        for line in bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n")) {
            if let Ok(value) = serde_json::from_slice::<Value>(line)
                && is_kept(&value)
            {
                lines.push(value);
                text += &String::from_utf8_lossy(line);
            }
        }
        if text.as_bytes() != bytes {
            self.write_whole(path, text.as_bytes())?;
        }
        Ok(lines)
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

/// Whether a folder holds anything but what a run leaves behind that had no time to begin.
fn is_used(path: &Path) -> bool {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name());
    names.any(|name| ![LOCK, "run.part"].iter().any(|known| name == *known))
}

/// Locks a folder for this process.
fn lock(path: &Path) -> Result<File, RunError> {
    let place = path.join(LOCK);
    let failed = |error| RunError::File(place.clone(), error);
    let file = OpenOptions::new().create(true).append(true).open(&place).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RunError::Folder(format!(
            "another process is at work on the run in {}: wait for its end, or end it",
            path.display()
        ))),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// A file; nothing if it is not there, or is a device or a pipe, which may have no end.
fn read_or_empty(path: &Path) -> Result<Vec<u8>, RunError> {
    if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        return Ok(Vec::new());
    }
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        other => other.map_err(|error| RunError::File(path.to_path_buf(), error)),
    }
}

/// The numbers of the files in a folder of a run, in order.
pub(crate) fn numbered(run: &Path, folder: &str, extension: &str) -> Result<Vec<u32>, RunError> {
    let folder = run.join(folder);
    let entries = fs::read_dir(&folder).map_err(|error| RunError::File(folder.clone(), error))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let number = |name: String| name.strip_suffix(extension)?.strip_suffix('.')?.parse().ok();
    let mut numbers: Vec<u32> = names.filter_map(number).collect();
    numbers.sort_unstable();
    Ok(numbers)
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
