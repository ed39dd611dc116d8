//! Learning, from random play on.

mod packing;
mod runs;
mod teaching;
mod tictactoe;
