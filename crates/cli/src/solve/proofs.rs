//! Proofs as files of JSON.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use outplay_connect::Connect;
use outplay_connect::threats::Proof;
use outplay_core::Notation;
use serde::Serialize;

use super::threats::texts;
use crate::Failure;
use crate::files::replace;

/// Where proofs are written to.
pub enum ProofPlace {
    /// The one proof.
    File(PathBuf),
    /// A file for each, and the names that are taken.
    Folder(PathBuf, HashSet<String>),
}

#[derive(Serialize)]
struct JsonProof {
    id: String,
    game: String,
    position: String,
    proof: Node,
}

/// A turn of the attacker.
#[derive(Serialize)]
#[serde(untagged)]
enum Node {
    Fill { completes_a_row: Vec<String> },
    Threaten { threatens: Vec<String>, replies: Vec<Reply> },
}

#[derive(Serialize)]
struct Reply {
    stones: Vec<String>,
    then: Node,
}

impl ProofPlace {
    /// Where `path` says, for so many positions; a folder is made if it has to be.
    pub fn new(path: &Path, positions: usize) -> Result<ProofPlace, Failure> {
        if positions == 1 && !path.is_dir() {
            return Ok(ProofPlace::File(path.to_path_buf()));
        }
        if path.exists() && !path.is_dir() {
            let path = path.display();
            let error =
                anyhow!("--proof {path} is a file, and there are {positions} positions: name a folder");
            return Err(Failure::usage(error));
        }
        let made = std::fs::create_dir_all(path);
        made.with_context(|| format!("cannot make the folder {}", path.display()))
            .map_err(Failure::Failed)?;
        Ok(ProofPlace::Folder(path.to_path_buf(), HashSet::new()))
    }

    /// Writes the proof of a win; says where.
    pub fn write(&mut self, id: &str, position: &Connect, proof: &Proof) -> Result<PathBuf, Failure> {
        let path = match self {
            ProofPlace::File(path) => path.clone(),
            ProofPlace::Folder(folder, taken) => folder.join(file_name(id, taken)),
        };
        let json = JsonProof {
            id: id.to_string(),
            game: format!("connect:{}", position.rules()),
            position: position.position_text(),
            proof: node(position, proof),
        };
        let written = replace(&path, |out| Ok(serde_json::to_writer(out, &json)?));
        written.with_context(|| format!("cannot write {}", path.display())).map_err(Failure::Failed)?;
        Ok(path)
    }

    /// Where the proofs are, for people.
    pub fn text(&self) -> String {
        match self {
            ProofPlace::File(path) => format!("a win is proved in {}", path.display()),
            ProofPlace::Folder(path, taken) => {
                format!("{} proofs in {}, a file for each", taken.len(), path.display())
            }
        }
    }
}

/// A name for a file that no other proof has, and that no folder or system takes amiss.
fn file_name(id: &str, taken: &mut HashSet<String>) -> String {
    let plain = |sign: char| if sign.is_alphanumeric() || sign == '-' { sign } else { '_' };
    let name: String = id.chars().map(plain).collect();
    let names = std::iter::once(name.clone()).chain((2..).map(|number| format!("{name}-{number}")));
    let free = names.into_iter().find(|name| taken.insert(name.to_lowercase())).unwrap_or(name);
    free + ".json"
}

fn node(position: &Connect, proof: &Proof) -> Node {
    match proof {
        Proof::Fill(stones) => Node::Fill { completes_a_row: texts(position, *stones) },
        Proof::Threaten { stones, replies } => {
            let reply = |reply: &outplay_connect::threats::Reply| Reply {
                stones: texts(position, reply.stones),
                then: node(position, &reply.then),
            };
            Node::Threaten {
                threatens: texts(position, *stones),
                replies: replies.iter().map(reply).collect(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_names_of_their_own_that_stay_in_the_folder() {
        let mut taken = HashSet::new();
        let names = ["g1", "../g1", "G1", "g1", "", ".."].map(|id| file_name(id, &mut taken));
        assert_eq!(names, ["g1.json", "___g1.json", "G1-2.json", "g1-3.json", ".json", "__.json"]);
    }
}
