//! Measuring what engines are worth.
//!
//! [`stats`] is the mathematics: how much one player is better than another, and how sure that is.

mod ablation;
mod ablation_report;
mod adjudication;
mod agreement;
mod balanced;
pub mod book;
mod contributions;
mod crew;
pub mod csv;
pub mod html;
mod limit;
mod log;
mod match_page;
mod match_report;
mod matches;
mod openings;
mod own;
mod perfect;
mod players;
mod referee;
mod replay;
pub mod review;
mod schedule;
mod settled;
mod standings;
pub mod stats;
mod store;
pub mod suite;
mod table;
pub mod tune;
pub mod why;

pub use ablation::{Finding, LimitedMatch, Study, Variant, Work};
pub use ablation_report::{ablation_page, ablation_text};
pub use adjudication::{Adjudication, DrawRule, ResignRule, Verdict};
pub use agreement::{
    Agreement, AgreementError, GamePosition, Likeness, Reference, agreement_text, likeness, positions_of,
};
pub use balanced::{Balance, BalancedOpening, balanced_openings};
pub use crew::{Crew, Experiment, PairTask, Threads};
pub use limit::{TimeControl, parse_duration};
pub use log::{LogError, LogPlace, SearchLog};
pub use match_report::{MatchReport, figures_explained, live_table, table};
pub use matches::{Entrant, MatchError, Plan, PlayedPair, run_match};
pub use openings::{Opening, random_openings};
pub use own::OwnPlayer;
pub use perfect::PerfectPlayer;
pub use players::{PlayerError, PlayerKind, PlayerSpec, Protocol};
pub use referee::{Ending, FaultKind, GameRules, PlayedGame, PlayedMove, Seat, play_game};
pub use schedule::Schedule;
pub use standings::{Encounter, Standings};
pub use store::{Journal, MemoryJournal, Store, StoreError, StorePart};
pub use table::Table;
