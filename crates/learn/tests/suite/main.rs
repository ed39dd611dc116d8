//! Learning, from random play on.

mod runs;
mod tictactoe;
