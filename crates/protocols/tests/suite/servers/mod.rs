//! Our side of the protocols in which one question is answered after the other, asked as managers ask, and as nobody should.

mod connect6;
mod console;
mod crafted;
mod fuzz;
mod gomocup;
mod gtp;
mod nboard;

use outplay_engine::Catalogue;
use outplay_protocols::serve::GameEngine;

use crate::talk::{self, Talk};

/// A protocol, for tests of what all of them have in common.
#[derive(Clone, Copy, Debug)]
enum Server {
    Connect6,
    Gtp(&'static str),
    Gomocup,
    NBoard,
    Console,
}

impl Server {
    /// Talks to our engine.
    fn start(self) -> Talk {
        Talk::with(move |input, out| {
            let engine = GameEngine::outplay(Catalogue::standard(), Vec::new());
            use outplay_protocols::serve::{connect6, console, gomocup, gtp, nboard};
            match self {
                Server::Connect6 => connect6::serve(&engine, input, out),
                Server::Gtp(game) => gtp::serve(&engine, game, input, out),
                Server::Gomocup => gomocup::serve(&engine, input, out),
                Server::NBoard => nboard::serve(&engine, None, input, out),
                Server::Console => console::serve(&engine, console::ConsoleSettings::default(), input, out),
            }
        })
    }
}

/// The next line.
fn heard(talk: &Talk) -> String {
    talk.next(talk::PATIENCE).expect("an answer")
}
