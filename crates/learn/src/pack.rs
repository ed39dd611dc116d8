//! A run in one file: what is needed to go on with it elsewhere, as much as a limit allows.
//!
//! The newest network and its state come first, then settings and figures, then games, the newest first, until the window is full, then a few older networks. The
//! file is `OUTPACK1` and a row of entries: the length of the name (2 bytes), the name, the length of the content (8), the length of what is packed (8), the
//! content as a zlib stream. An entry without a name ends the row; a checksum of all that stands before (8) ends the file. Numbers are little-endian.
//!
//! Such a file may come from a stranger: names are those of a run or refused, sizes are bounded, and the folder appears only once everything has been found to
//! be in order.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use outplay_engine::content_hash;
use outplay_engine::selfplay::GameRecord;

use crate::folder::{Folder, RunError, numbered};
use crate::window::Window;

const MARK: &[u8; 8] = b"OUTPACK1";
/// What ends a file: an empty name and the checksum.
const END: usize = 2 + 8;
/// No packed run is larger, packed or not.
const MOST_BYTES: u64 = 4 << 30;
/// Older networks, to play against.
const OLDER_NETS: usize = 2;
/// The folders of a run, and how the files in each end.
const FOLDERS: [(&str, &str); 4] =
    [("nets", "safetensors"), ("state", "trainer"), ("state", "window"), ("games", "games")];
/// How files beside them end.
const BESIDE: [&str; 3] = ["toml", "jsonl", "txt"];

/// What was packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedRun {
    /// The size of the file.
    pub bytes: u64,
    /// The generation that the run goes on from.
    pub generation: u32,
    /// How many games.
    pub games: usize,
    /// Whether these are all that its window holds: then it goes on elsewhere as it would have gone on here, bit for bit. Otherwise it goes on with a window that
    /// has less in it at first.
    pub has_whole_window: bool,
}

/// Packs a run into a file of no more than so many bytes.
///
/// # Errors
/// If there is no run, it cannot be read, or not even its newest network and state fit.
pub fn pack(run: &Path, file: &Path, limit: u64) -> Result<PackedRun, RunError> {
    let (_, settings) = Folder::settings_of(run)?;
    let limit = usize::try_from(limit.min(MOST_BYTES)).unwrap_or(usize::MAX);
    let mut archive = Archive { bytes: MARK.to_vec(), limit };
    let nets = numbered(run, "nets", "safetensors")?;
    let states = numbered(run, "state", "trainer")?;
    let newest = states.iter().rev().find(|generation| nets.contains(generation));
    let &generation = newest
        .ok_or_else(|| RunError::Folder(format!("{} has no network yet: nothing to pack", run.display())))?;
    let net = |generation: u32| format!("nets/{generation:04}.safetensors");
    let mut needed = vec!["run.toml".to_string(), net(generation), format!("state/{generation:04}.trainer")];
    let window = format!("state/{generation:04}.window");
    // Before the first games there is nothing that games do not tell of it.
    let of_window = if run.join(&window).is_file() { read(run, &window)? } else { Vec::new() };
    let wanted = Window::new(&settings.learn).await_as_many(&of_window);
    needed.extend((!of_window.is_empty()).then_some(window));
    needed.extend(files_beside(run)?.into_iter().filter(|name| name != "run.toml"));
    for name in &needed {
        if !archive.add(name, &read(run, name)?) {
            let most = limit / 1_000_000;
            return Err(RunError::Folder(format!(
                "{name} does not fit into {most} MB any more: settings, figures, the newest network and its state have to, so give a higher --limit"
            )));
        }
    }
    let (games, has_whole_window) = archive.add_games(run, generation, wanted)?;
    for &older in nets.iter().rev().filter(|&&older| older < generation).take(OLDER_NETS) {
        archive.add(&net(older), &read(run, &net(older))?);
    }
    let bytes = archive.finish();
    let beside = file.with_added_extension("part");
    let written = fs::write(&beside, &bytes).and_then(|()| fs::rename(&beside, file));
    written.map_err(|error| RunError::File(file.to_path_buf(), error))?;
    Ok(PackedRun { bytes: bytes.len() as u64, generation, games, has_whole_window })
}

/// A file that grows.
struct Archive {
    bytes: Vec<u8>,
    limit: usize,
}

impl Archive {
    /// Adds a file if there is room for it.
    fn add(&mut self, name: &str, content: &[u8]) -> bool {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        let packed = encoder.write_all(content).and_then(|()| encoder.finish());
        let packed = packed.expect("memory takes what is written");
        if self.bytes.len() + 2 + name.len() + 16 + packed.len() + END > self.limit {
            return false;
        }
        self.bytes.extend((name.len() as u16).to_le_bytes());
        self.bytes.extend(name.as_bytes());
        self.bytes.extend((content.len() as u64).to_le_bytes());
        self.bytes.extend((packed.len() as u64).to_le_bytes());
        self.bytes.extend(packed);
        true
    }

    /// Adds games, the newest first, until the window is full; how many, and whether it is.
    fn add_games(&mut self, run: &Path, generation: u32, window: usize) -> Result<(usize, bool), RunError> {
        let (mut count, mut samples) = (0, 0);
        for of in numbered(run, "games", "games")?.into_iter().rev().filter(|&of| of <= generation) {
            if samples >= window {
                break;
            }
            let name = format!("games/{of:04}.games");
            let bytes = read(run, &name)?;
            let (mut games, whole) =
                GameRecord::read_all(&bytes).map_err(|error| RunError::Folder(format!("{name}: {error}")))?;
            if of < generation {
                // A position gives one sample at least. What the newest network is playing is not learned from yet.
                samples += games.iter().flat_map(|game| &game.searched).filter(|s| s.in_full).count();
            }
            if self.add(&name, &bytes[..whole]) {
                count += games.len();
                continue;
            }
            // As many of its newest games as there is room for, by halves. What is missing of the newest generation is played again, the same to the bit.
            games.sort_by_key(|game| game.number);
            let mut kept = games.len() / 2;
            while kept > 0 {
                let mut newest = Vec::new();
                games[games.len() - kept..].iter().for_each(|game| game.write(&mut newest));
                if self.add(&name, &newest) {
                    count += kept;
                    break;
                }
                kept /= 2;
            }
            if of < generation {
                return Ok((count, false));
            }
        }
        Ok((count, true))
    }

    fn finish(mut self) -> Vec<u8> {
        self.bytes.extend(0u16.to_le_bytes());
        self.bytes.extend(content_hash(&self.bytes).to_le_bytes());
        self.bytes
    }
}

/// Makes a run of what was packed, in a folder that is not there yet.
///
/// # Errors
/// If the folder is there, the file cannot be read, is damaged, or has something in it that no run has; then there is no folder either.
pub fn unpack(file: &Path, run: &Path) -> Result<(), RunError> {
    if run.exists() {
        return Err(RunError::Folder(format!("{} is there already: name a new folder", run.display())));
    }
    let unreadable = |error| RunError::File(file.to_path_buf(), error);
    if fs::metadata(file).map_err(unreadable)?.len() > MOST_BYTES {
        return Err(RunError::Folder(format!("{} is larger than any packed run", file.display())));
    }
    let bytes = fs::read(file).map_err(unreadable)?;
    let beside = run.with_added_extension("part");
    let failed = |error| RunError::File(beside.clone(), error);
    fs::create_dir(&beside).map_err(failed)?;
    let made = write_all(&bytes, &beside)
        .map_err(|what| RunError::Folder(format!("{} is no packed run: {what}", file.display())))
        .and_then(|()| Folder::settings_of(&beside).map(|_| ()))
        .and_then(|()| fs::rename(&beside, run).map_err(failed));
    if made.is_err() {
        // Why it was not made is what is to be told.
        drop(fs::remove_dir_all(&beside));
    }
    made
}

/// Writes the files of an archive into a folder of our own.
fn write_all(bytes: &[u8], folder: &Path) -> Result<(), String> {
    for (part, _) in FOLDERS {
        fs::create_dir_all(folder.join(part)).map_err(|error| error.to_string())?;
    }
    let mut left = MOST_BYTES;
    for entry in entries(bytes)? {
        if entry.length > left {
            return Err("it holds more than any run".to_string());
        }
        left -= entry.length;
        let mut from = ZlibDecoder::new(entry.packed).take(entry.length + 1);
        let copied =
            File::create(folder.join(entry.name)).and_then(|mut file| io::copy(&mut from, &mut file));
        if copied.map_err(|error| format!("{}: {error}", entry.name))? != entry.length {
            return Err(format!("{} has another length than it says", entry.name));
        }
    }
    Ok(())
}

struct Entry<'a> {
    name: &'a str,
    length: u64,
    packed: &'a [u8],
}

/// What an archive holds, if it is whole.
fn entries(bytes: &[u8]) -> Result<Vec<Entry<'_>>, String> {
    let damaged = || "it is damaged, or was not copied whole".to_string();
    let (body, sum) = bytes.split_last_chunk::<8>().ok_or_else(damaged)?;
    let mut rest = body.strip_prefix(MARK).ok_or_else(|| "it begins like something else".to_string())?;
    if content_hash(body) != u64::from_le_bytes(*sum) {
        return Err(damaged());
    }
    let mut take = |count: u64| -> Result<&[u8], String> {
        let count = usize::try_from(count).ok().filter(|&count| count <= rest.len()).ok_or_else(damaged)?;
        let (taken, others) = rest.split_at(count);
        rest = others;
        Ok(taken)
    };
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        let length = number(take(2)?);
        if length == 0 {
            break;
        }
        let name = str::from_utf8(take(length)?).ok().filter(|name| is_of_a_run(name));
        let name = name.ok_or_else(|| "it holds a file that no run has".to_string())?;
        if entries.iter().any(|entry| entry.name == name) {
            return Err(format!("it holds {name} twice"));
        }
        let length = number(take(8)?);
        let packed = number(take(8)?);
        entries.push(Entry { name, length, packed: take(packed)? });
    }
    if rest.is_empty() { Ok(entries) } else { Err(damaged()) }
}

/// Whether a name is that of a file of a run: nothing else is ever written, so that no name can lead elsewhere.
fn is_of_a_run(name: &str) -> bool {
    let (folder, file) = name.split_once('/').map_or((None, name), |(folder, file)| (Some(folder), file));
    let Some((stem, extension)) = file.split_once('.') else { return false };
    let is_word =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'_'));
    match folder {
        None => is_word(stem) && BESIDE.contains(&extension),
        Some(folder) => {
            let is_number = (4..=10).contains(&stem.len()) && stem.bytes().all(|byte| byte.is_ascii_digit());
            is_number && FOLDERS.contains(&(folder, extension))
        }
    }
}

/// Files that stand beside the folders: settings, figures, ratings, logs.
fn files_beside(run: &Path) -> Result<Vec<String>, RunError> {
    let entries = fs::read_dir(run).map_err(|error| RunError::File(run.to_path_buf(), error))?;
    let files = entries.filter_map(Result::ok).filter(|entry| entry.path().is_file());
    let names = files.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| is_of_a_run(name)).collect();
    names.sort();
    Ok(names)
}

fn read(run: &Path, name: &str) -> Result<Vec<u8>, RunError> {
    let path: PathBuf = run.join(name);
    fs::read(&path).map_err(|error| RunError::File(path, error))
}
