//! Networks that are found in folders, by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::SystemTime;

use outplay_core::Game;
use outplay_net::Description;

use super::fitting::Encoders;
use super::opened::open_with_mapping;
use super::shipped::{Place, SHIPPED};

/// How names of network files end, the longest first.
const ENDINGS: [&str; 4] = [".safetensors", ".pb.gz", ".onnx", ".pb"];

/// The folders of this process, the first one first.
static FOLDERS: RwLock<Vec<PathBuf>> = RwLock::new(Vec::new());

/// A network in one of the folders, or in the program.
#[derive(Clone, Debug)]
pub struct FoundNetwork {
    /// What options call it: the name of the file without its ending.
    pub name: String,
    /// Where it is.
    pub place: Place,
}

/// Looks for networks in these folders from now on, in this process; where two have one of the same name, the first counts. Folders that are not
/// there have none.
pub fn look_in(folders: Vec<PathBuf>) {
    *FOLDERS.write().unwrap_or_else(PoisonError::into_inner) = folders;
}

/// The folders in which networks are looked for.
pub fn folders() -> Vec<PathBuf> {
    FOLDERS.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The networks in all folders and in the program, by name; where a folder has one of the same name, that counts.
pub fn found() -> Vec<FoundNetwork> {
    let shipped = SHIPPED.iter().map(|shipped| (shipped.name.to_string(), Place::Program(shipped)));
    let mut found: BTreeMap<String, Place> = shipped.collect();
    for folder in folders().iter().rev() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()) {
            if let Some(name) = name_of(&path) {
                found.insert(name.to_string(), Place::File(path.clone()));
            }
        }
    }
    found.into_iter().map(|(name, place)| FoundNetwork { name, place }).collect()
}

/// What a setting means: the path of a file, or the name of a network in a folder or in the program.
pub fn resolve(setting: &Path) -> Place {
    if setting.is_file() {
        return Place::File(setting.to_path_buf());
    }
    let named = found().into_iter().find(|found| Path::new(&found.name) == setting);
    named.map_or_else(|| Place::File(setting.to_path_buf()), |found| found.place)
}

fn has_ending_of_lc0(path: &Path) -> bool {
    path.to_str().is_some_and(|path| path.ends_with(".pb.gz") || path.ends_with(".pb"))
}

fn is_onnx(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "onnx")
}

/// ONNX models that were looked into: each is opened once, because all of it has to be read.
static DESCRIBED: Mutex<BTreeMap<WrittenFile, Option<Description>>> = Mutex::new(BTreeMap::new());

/// A file, and when it was written.
type WrittenFile = (PathBuf, Option<SystemTime>);

/// The description of an ONNX model; `None` if it cannot be opened.
fn described(path: &Path) -> Option<Description> {
    let written = std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    let mut known = DESCRIBED.lock().unwrap_or_else(PoisonError::into_inner);
    let description = known.entry((path.to_path_buf(), written)).or_insert_with(|| {
        let opened = open_with_mapping(path);
        opened.ok().map(|opened| opened.description().clone())
    });
    description.clone()
}

fn name_of(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    let ending = ENDINGS.iter().find(|ending| name.ends_with(*ending))?;
    Some(&name[..name.len() - ending.len()]).filter(|name| !name.is_empty())
}

impl FoundNetwork {
    /// Whether a game with these encoders can use it, as far as can be told without reading all of it.
    pub(super) fn may_fit<G: Game>(&self, encoders: &Encoders<G>) -> bool {
        match (self.place.peek(), self.place.file()) {
            (Ok(Some(description)), _) => encoders.fit(&description).is_ok(),
            (Ok(None), Some(path)) if is_onnx(path) => {
                described(path).is_some_and(|description| encoders.fit(&description).is_ok())
            }
            // The format of lc0, which plays chess.
            (Ok(None), Some(path)) => has_ending_of_lc0(path) && encoders.are_of("chess"),
            _ => false,
        }
    }
}
