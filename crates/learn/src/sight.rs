//! A run as somebody sees it who only looks on, while it goes on or afterwards.
//!
//! Nothing is written, and nothing is taken for granted: whatever another version of the program has written there, or has not, what can be read is shown.
//! Lines and games that are being written at the moment are left out.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use outplay_engine::selfplay::GameRecord;
use serde_json::{Map, Value};

use crate::export::{Kept, kept_games};
use crate::folder::{RunError, numbered};

/// A line of figures: what there is, by name.
pub type Figures = Map<String, Value>;

/// A run that is looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    path: PathBuf,
    /// The name of its folder.
    pub name: String,
    /// The game, as `run.toml` names it.
    pub game: String,
    /// The settings, as `run.toml` has them.
    pub settings: Vec<(String, String)>,
}

/// The files of figures are read up to so many bytes from their end.
const MOST_BYTES: usize = 16 << 20;

/// The runs in a folder, by name: the folder itself if it is that of a run, or those that stand in it. None if it is not there.
pub fn runs_in(folder: &Path) -> Vec<Sight> {
    if let Ok(run) = Sight::of(folder) {
        return vec![run];
    }
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut runs: Vec<Sight> = entries.flatten().filter_map(|entry| Sight::of(&entry.path()).ok()).collect();
    runs.sort_by(|a, b| a.name.cmp(&b.name));
    runs
}

impl Sight {
    /// The run in a folder.
    ///
    /// # Errors
    /// If there is none, or nobody can read which game it is of.
    pub fn of(path: &Path) -> Result<Sight, RunError> {
        let file = path.join("run.toml");
        let text = fs::read_to_string(&file).map_err(|error| RunError::File(file.clone(), error))?;
        let wrong = |what: String| RunError::Folder(format!("{}: {what}", file.display()));
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| wrong(error.to_string()))?;
        let said = |value: &toml::Value| match value {
            toml::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let game = table.get("game").map(said).ok_or_else(|| wrong("no game is named".to_string()))?;
        let settings = table.iter().filter(|(name, _)| *name != "game");
        let settings = settings.map(|(name, value)| (name.clone(), said(value))).collect();
        // A folder that was named as `.` has a name all the same.
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Sight { path: path.to_path_buf(), name, game, settings })
    }

    /// The generations whose networks are there, the oldest first.
    pub fn generations(&self) -> Vec<u32> {
        numbered(&self.path, "nets", "safetensors").unwrap_or_default()
    }

    /// The network of a generation.
    pub fn net(&self, generation: u32) -> PathBuf {
        self.path.join(format!("nets/{generation:04}.safetensors"))
    }

    /// The figures of each generation.
    pub fn metrics(&self) -> Vec<Figures> {
        self.lines("metrics.jsonl")
    }

    /// The ratings against fixed opponents.
    pub fn ratings(&self) -> Vec<Figures> {
        self.lines("ratings.jsonl")
    }

    /// The generations whose games are there, the oldest first.
    pub fn played(&self) -> Vec<u32> {
        numbered(&self.path, "games", "games").unwrap_or_default()
    }

    /// The last games that the network of a generation has played, as far as they are written, the latest last.
    ///
    /// # Errors
    /// If the file is not there, or of another version.
    pub fn latest_games(&self, generation: u32, most: usize) -> Result<Vec<GameRecord>, RunError> {
        if !self.played().contains(&generation) {
            let path = self.path.join(format!("games/{generation:04}.games"));
            return Err(RunError::File(path, io::ErrorKind::NotFound.into()));
        }
        let mut games = kept_games(&self.path, Kept::Generation(generation))?;
        games.drain(..games.len().saturating_sub(most));
        Ok(games)
    }

    /// A text that changes whenever figures, a network or the first games of a generation were added to the run. Games come all the time.
    pub fn version(&self) -> String {
        let (metrics, ratings) = (self.size("metrics.jsonl"), self.size("ratings.jsonl"));
        format!("{}-{metrics}-{ratings}-{}", self.generations().len(), self.played().len())
    }

    /// The bytes of the newest games: another number whenever there are more of them.
    pub fn bytes_of_newest_games(&self) -> u64 {
        self.played().last().map_or(0, |number| self.size(&format!("games/{number:04}.games")))
    }

    fn size(&self, name: &str) -> u64 {
        fs::metadata(self.path.join(name)).map_or(0, |file| file.len())
    }

    /// When something was added last; `None` if the system does not tell.
    pub fn changed(&self) -> Option<SystemTime> {
        let newest_games = self.played().last().map(|number| format!("games/{number:04}.games"));
        let files = ["run.toml", "metrics.jsonl", "ratings.jsonl"].into_iter().map(str::to_string);
        let times = files
            .chain(newest_games)
            .filter_map(|name| fs::metadata(self.path.join(name)).and_then(|file| file.modified()).ok());
        times.max()
    }

    /// The lines of a file that are whole objects of JSON; none if the file is not there.
    fn lines(&self, name: &str) -> Vec<Figures> {
        let bytes = tail(&self.path.join(name)).unwrap_or_default();
        let lines = bytes.split(|&byte| byte == b'\n');
        lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
    }
}

/// The end of a file, as much of it as is read.
fn tail(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = fs::read(path)?;
    bytes.drain(..bytes.len().saturating_sub(MOST_BYTES));
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("outplay-sight-{}-{name}", std::process::id()));
            fs::create_dir_all(&path).expect("a folder");
            Folder(path)
        }

        fn write(&self, name: &str, text: &str) {
            let path = self.0.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("written");
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            drop(fs::remove_dir_all(&self.0));
        }
    }

    #[test]
    fn runs_are_found_in_a_folder_or_as_one() {
        let folder = Folder::new("found");
        folder.write("b/run.toml", "game = \"othello\"\nblocks = 2\n");
        folder.write("a/run.toml", "game = \"connect4\"\nunheard_of = true\n");
        folder.write("broken/run.toml", "game = ");
        folder.write("nameless/run.toml", "blocks = 2");
        folder.write("notes.txt", "no run");
        let runs = runs_in(&folder.0);
        let seen: Vec<(&str, &str)> = runs.iter().map(|run| (&*run.name, &*run.game)).collect();
        assert_eq!(seen, [("a", "connect4"), ("b", "othello")]);
        assert_eq!(runs[0].settings, [("unheard_of".to_string(), "true".to_string())]);
        assert_eq!(runs_in(&folder.0.join("b")), runs[1..]);
        assert_eq!(runs_in(&folder.0.join("nowhere")), []);
    }

    #[test]
    fn a_torn_line_and_a_foreign_one_are_left_out() {
        let folder = Folder::new("torn");
        folder.write("run.toml", "game = \"othello\"");
        let run = Sight::of(&folder.0).expect("a run");
        assert_eq!((run.metrics(), run.ratings(), run.generations()), (vec![], vec![], vec![]));
        let before = run.version();
        folder.write("metrics.jsonl", "{\"generation\": 1}\nnot JSON\n[1]\n\n{\"generation\": 2}\n{\"genera");
        let generations: Vec<Option<u64>> =
            run.metrics().iter().map(|line| line["generation"].as_u64()).collect();
        assert_eq!(generations, [Some(1), Some(2)]);
        assert_ne!(run.version(), before);
    }

    #[test]
    fn nets_and_games_are_told_by_their_numbers() {
        let folder = Folder::new("numbers");
        folder.write("run.toml", "game = \"othello\"");
        for name in ["nets/0010.safetensors", "nets/0002.safetensors", "nets/0003.part", "nets/x.safetensors"]
        {
            folder.write(name, "");
        }
        folder.write("games/0002.games", "a game that is being written");
        let run = Sight::of(&folder.0).expect("a run");
        assert_eq!((run.generations(), run.played()), (vec![2, 10], vec![2]));
        assert!(run.net(10).is_file() && run.changed().is_some());
        assert_eq!(run.latest_games(2, 5).expect("a file"), []);
        assert!(run.latest_games(3, 5).is_err());
    }
}
