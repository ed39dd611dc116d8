//! A game that is left by Ctrl-C or Ctrl-D is not lost.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::data;
use crate::files::replace;

/// The game as it stands, for whoever leaves, if no file has it.
#[derive(Clone)]
pub struct Rescue {
    game: String,
    extension: &'static str,
    text: Arc<Mutex<Option<String>>>,
}

impl Rescue {
    pub fn new(game: &str, extension: &'static str) -> Rescue {
        Rescue { game: game.to_string(), extension, text: Arc::default() }
    }

    /// Notes the game after a move.
    pub fn keep(&self, text: String) {
        *self.text.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    }

    /// There is nothing to be kept.
    pub fn forget(&self) {
        *self.text.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Ends the program, with the game saved.
    pub fn leave(&self) -> ! {
        self.save();
        std::process::exit(130)
    }

    /// A game that no file has goes to one, whose name is told.
    pub fn save(&self) {
        let text = self.text.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let (Some(text), Some(path)) = (text, self.place()) {
            let folder = path.parent().expect("a folder was joined to it");
            let written = std::fs::create_dir_all(folder)
                .map_err(anyhow::Error::from)
                .and_then(|()| replace(&path, |out| Ok(out.write_all(text.as_bytes())?)));
            match written {
                Ok(()) => {
                    let (game, path) = (&self.game, path.display());
                    eprintln!("\nThe game is saved: outplay play {game} --file {path} goes on with it.");
                }
                Err(error) => eprintln!("\nThe game is lost, {} cannot be written: {error}", path.display()),
            }
        }
    }

    /// A file of its own in the data folder.
    fn place(&self) -> Option<PathBuf> {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let game = self.game.replace([':', ','], "-");
        Some(data::default_folder()?.join("left").join(format!("{game}-{seconds}.{}", self.extension)))
    }
}
