//! The laws that everybody's evaluations and encoders must obey, checked over random games.
//!
//! The laws of games themselves are in [`outplay_core::conformance`].

mod encoder;
mod encoder_symmetry;
mod evaluation;

pub use encoder::check_encoder;
pub use encoder_symmetry::check_encoder_symmetry;
pub use evaluation::check_evaluation;
