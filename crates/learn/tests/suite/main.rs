//! Learning, from random play on.

mod connect_four;
mod packing;
mod ratings;
mod runs;
mod teaching;
mod tensorboard;
mod tictactoe;
