//! Learning, from random play on.

mod connect_four;
mod packing;
mod runs;
mod teaching;
mod tictactoe;
