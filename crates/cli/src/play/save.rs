//! Writing a game to a file without losing what is there.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::files::replace;

/// A file that a game may be written to.
#[derive(Clone)]
pub struct SaveFile {
    /// The name to show.
    shown: PathBuf,
    /// The file itself, behind whatever links lead to it.
    target: PathBuf,
}

/// The files that hold nothing but the game in progress, and so may be replaced.
#[derive(Default)]
pub struct OwnFiles(Vec<PathBuf>);

impl OwnFiles {
    /// Notes a file that holds this game and no other.
    pub fn add(&mut self, path: &Path) {
        self.0.extend(fs::canonicalize(path));
    }

    /// A file to write to: a new one or one of these, so that nothing is lost.
    pub fn check(&self, path: &Path) -> anyhow::Result<SaveFile> {
        let shown = path.to_path_buf();
        let target = match fs::canonicalize(path) {
            Ok(target) => target,
            // A link that leads nowhere yet is not to be replaced: the file is made where it points to.
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let target = match fs::read_link(path) {
                    Ok(link) => path.parent().unwrap_or(Path::new("")).join(link),
                    Err(_) => shown.clone(),
                };
                return Ok(SaveFile { shown, target });
            }
            Err(error) => return Err(error).with_context(|| format!("cannot write {}", shown.display())),
        };
        if !self.0.contains(&target) {
            bail!("{} exists and holds something else: choose another name", shown.display());
        }
        Ok(SaveFile { shown, target })
    }

    /// Writes the game so that a crash leaves either the old file or the new one.
    pub fn write(&mut self, file: &SaveFile, text: &str) -> anyhow::Result<()> {
        let written = replace(&file.target, |out| Ok(out.write_all(text.as_bytes())?));
        written.with_context(|| format!("cannot write {}", file.shown.display()))?;
        self.add(&file.target);
        Ok(())
    }
}
