//! GGF, the game format of the Generic Game Server and of the programs around it.
//!
//! A game is `(;`, properties like `PB[name of Black]`, and `;)`. The properties become the tags of a record
//! under the names that PGN has for them; those without such a name keep their own. A move `B[d3/1.50/0.8]`
//! may carry an evaluation and the seconds taken, which go into its comment in PGN's way,
//! `[%eval 1.50] [%emt 0.8]`. The format knows no variations.

mod read;
mod write;

pub use read::visit;
pub use write::write;

const LANGUAGE: &str = "GGF";

/// Properties and the tags that stand for them in a record.
const TAGS: [(&str, &str); 10] = [
    ("EV", "Event"),
    ("PC", "Site"),
    ("DT", "Date"),
    ("PB", "Black"),
    ("PW", "White"),
    ("RB", "BlackElo"),
    ("RW", "WhiteElo"),
    ("TI", "TimeControl"),
    ("TB", "BlackTimeControl"),
    ("TW", "WhiteTimeControl"),
];

/// The tag for the type of game, where it is more than the size.
const VARIANT_TAG: &str = "Variant";

/// How a game ended other than on the board: the letter after the result, and the value of the tag for it.
const ENDINGS: [(&str, &str); 3] = [("r", "resignation"), ("t", "time forfeit"), ("s", "agreed score")];
const ENDING_TAG: &str = "Termination";

/// What a comment holds beside words: PGN's names for an evaluation and for the seconds taken for the move.
const EVALUATION: &str = "%eval";
const SECONDS: &str = "%emt";

/// A variant is, say, `8`, `8w` or `s8r20`: perhaps `s` for synchronous play, the size, further settings.
fn check_variant(value: &str) -> Result<(), String> {
    let plain = value.trim().trim_start_matches(['s', 'S']);
    let digits = plain.find(|c: char| !c.is_ascii_digit()).unwrap_or(plain.len());
    let (size, extras) = plain.split_at(digits);
    if size != "8" {
        return Err("only 8×8 is played here".to_string());
    }
    if extras.contains(['a', 'A']) {
        return Err("games that the player with fewer discs wins are not played here".to_string());
    }
    Ok(())
}
