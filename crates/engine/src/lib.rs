//! A game, a search and its options behind one object-safe interface.
//!
//! [`Catalogue::open`] makes a [`Session`] for a game by name; [`GameSession::new`] makes one for any game
//! that implements the contracts of `outplay_core`. Static dispatch ends here: what talks to a session knows neither
//! the game's type nor the search's.

mod by_evaluation;
mod catalogue;
mod drawings;
mod evaluations;
mod explanation;
mod game_session;
mod human;
mod json;
pub mod lessons;
mod levels;
mod many;
mod networks;
mod picture;
mod policy_search;
mod proving;
mod recorded;
mod searches;
pub mod selfplay;
mod session;
mod simulations;
mod trace;
mod tree_text;
mod variety;

pub use catalogue::{
    CATALOGUE, Catalogue, Dial, Example, GameRow, Icon, NamedGame, OpenSession, PieceKind, ScoreStyle,
    Standing, Style, Variants, game, open,
};
pub use evaluations::Evaluations;
pub use explanation::{Bound, ExplainedNode, Explanation};
pub use game_session::{GameSession, outcome_text};
pub use json::JsonReport;
pub use levels::{Level, Rating, Scale, Strength, draw_lots_by};
pub use many::{LeafSource, ManySearched, ManySearches};
pub use networks::{
    EncoderInfo, Encoders, FoundNetwork, MakeReserve, NetworkArithmetic, NetworkDevice, NetworkEvaluator,
    NetworkOpinion, NetworkOptions, OpenNetwork, OwnedCell, Place as NetworkPlace, PolicyMove,
    Shipped as ShippedNetwork, Symmetry, WithReserve, backend as network_backend, content_hash,
    folders as network_folders, found as found_networks, look_in as look_for_networks_in,
    resolve as resolve_network,
};
pub use picture::{
    Board, Choices, Composed, Draft, Drawing, Family, LegalMove, Marks, Picture, Piece, ShownThreats, Switch,
    Touch,
};
pub use proving::{ProofResult, ProveWin, Proven, Prover};
pub use recorded::{Contents, RecordedGame, RecordedMove};
pub use searches::{DEFAULT_SEARCH, SearchEntry, explainable_names, standard_searches};
pub use session::{
    Explaining, Filing, FoldedPosition, Playing, ReportSink, SaveNotes, SearchHandle, SearchInfo, Searching,
    Session, SessionError, SuiteProblem, Wording,
};
pub use simulations::{
    ExplainedCandidate, ExplainedChoice, ExplainedResult, ExplainedSimulation, ExplainedSimulations,
    SimulatedLine,
};
pub use trace::{
    TraceBegin, TraceEnd, TraceGrown, TraceIteration, TraceNode, TraceRecord, TraceSink, TraceSnapshot,
    TraceStatistics, TraceVisit,
};
pub use tree_text::TreeMove;

/// The worked example of CONTRIBUTING.md, as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../CONTRIBUTING.md")]
pub struct Contributing;
