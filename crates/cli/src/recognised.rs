//! `outplay` without arguments, started by a program.

use std::io::{self, BufReader, Cursor, IsTerminal, Read, Write};

use outplay_engine::Catalogue;
use outplay_protocols::serve::{GameEngine, Protocol, connect6, gomocup, gtp, nboard, recognise};

use crate::{Failure, uci};

/// The game of a conversation in GTP, which says nothing of it.
const GTP_GAME: &str = "connect6";

/// Who was found at the other end of standard input.
pub enum Recognised {
    /// A person.
    Person,
    /// Nothing, or something that speaks no protocol of ours: a server that it knows nothing of would outlive it.
    Nothing,
    /// A program, which has been answered to its end.
    Program,
}

/// Answers in the protocol that standard input begins with.
pub fn run(games: &Catalogue, out: &mut dyn Write) -> Result<Recognised, Failure> {
    if io::stdin().is_terminal() {
        return Ok(Recognised::Person);
    }
    let mut input = BufReader::new(io::stdin());
    let mut first = Vec::new();
    // No first line of ours is longer.
    io::BufRead::read_until(&mut (&mut input).take(1 << 16), b'\n', &mut first)?;
    let Some(protocol) = recognise(&String::from_utf8_lossy(&first)) else { return Ok(Recognised::Nothing) };
    let input = Cursor::new(first).chain(input);
    let engine = GameEngine::outplay(games.clone(), Vec::new());
    match protocol {
        Protocol::Uci => uci::answer(input, out)?,
        Protocol::Connect6 => connect6::serve(&engine, input, out)?,
        Protocol::Gtp => gtp::serve(&engine, GTP_GAME, input, out)?,
        Protocol::Gomocup => gomocup::serve(&engine, input, out)?,
        Protocol::NBoard => nboard::serve(&engine, None, input, out)?,
    }
    Ok(Recognised::Program)
}
