//! Learning, from random play on.

mod ratings;
mod runs;
mod tensorboard;
mod tictactoe;
