//! Outplay beside its peers.
//!
//! `cargo bench -p outplay-benches` runs everything; words after `--` choose sections: `chess`, `othello`, `uct`,
//! `connect6`. Contestants take turns in one run and the medians of their speeds are compared, because machines are
//! noisy. External peers are used when they are installed (`stockfish` on the path, `pyspiel` for `python3`, or for
//! what `OUTPLAY_PYTHON` names, a Cloudict that `OUTPLAY_CLOUDICT` names) and named as missing when they are not. Wins by threats to be
//! proved are in a table that `OUTPLAY_VCDT` names.

mod chess;
mod connect6;
mod external;
mod othello;
mod race;
mod uct;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let sections: [(&str, fn()); 4] =
        [("chess", chess::run), ("othello", othello::run), ("uct", uct::run), ("connect6", connect6::run)];
    for (name, run) in sections {
        if words.is_empty() || words.iter().any(|word| word == name) {
            run();
        }
    }
}
