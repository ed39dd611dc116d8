//! SGF, the Smart Game Format, for the Connect family.
//!
//! What is written is FF\[4\]: `GM[4]` (gomoku and its kin: the number that general SGF programs know), the
//! exact rules in `RU[Connect(m,n,k,p,q)]`, one stone a node, `aa` the top left cell. What is read is more
//! liberal, because files of these games follow several conventions. They differ in the coordinates:
//!
//! | written | convention | used by |
//! |---|---|---|
//! | `jj` | column, then row **from the top** | the FF\[4\] standard for Go; general editors |
//! | `JJ` | column, then row **from the bottom** | the NCTU Connect6 programs, with `GM[511]` or `GM[7]` |
//! | `j10` | column, then number of the row from the bottom | LittleGolem |
//!
//! The letter I counts in all of them. Case tells the first two apart without guessing: FF\[4\] keeps capital
//! letters for lines beyond the 26th, which no board here has. Where a program writes pairs of letters
//! otherwise, the caller can say so with [`LetterPairs`]. Some files hold both stones of a turn in one node,
//! as in `W[i9j9]`; that is read too. `GM` may be missing, or 1, 4, 7, 511 or `CLAP`; other numbers are other
//! games.
//!
//! Of properties without a meaning here, those of the root are kept as tags of the record and the others are
//! dropped. Tags and marks that SGF has no property for are written in two private ones, `TAG` and `NAG`, so
//! that a record that is written and read again is the same.

mod coordinates;
mod properties;
mod read;
mod tokens;
mod write;

pub use coordinates::LetterPairs;
pub use read::visit;
pub use write::write;

const LANGUAGE: &str = "SGF";
