//! Options and positions, and the session that they belong to.

use std::io;

use outplay_search::{OptionSet, OptionValue};

use super::Server;
use crate::serve::uci::Variant;
use crate::serve::uci::command::Setup;
use crate::serve::uci::options::{CLEAR_HASH, Target, squeezed};

impl Server<'_> {
    /// Which chess is played.
    pub(super) fn variant(&self) -> Variant {
        match self.settings.uci_chess960 || self.castles_from_anywhere {
            true => Variant::Chess960,
            false => Variant::Standard,
        }
    }

    pub(super) fn set(&mut self, name: &str, value: &str) -> io::Result<()> {
        if squeezed(name) == squeezed(CLEAR_HASH) {
            return self.forget();
        }
        let Some(offer) = self.offers.find(name).cloned() else {
            // A row that is not offered, or none at all: the session knows, and says which ones there are.
            return self.set_in_session(name, value);
        };
        match offer.target {
            Target::Protocol(index) => match offer.row.parse(value) {
                Ok(value) => self.set_own(index, value),
                Err(error) => self.complain(error),
            },
            Target::Session { names } => {
                if let Err(error) = offer.row.parse(value) {
                    return self.complain(error);
                }
                for name in names {
                    self.set_in_session(&name, value)?;
                }
                Ok(())
            }
        }
    }

    fn set_own(&mut self, index: usize, value: OptionValue) -> io::Result<()> {
        let before = self.settings.uci_chess960;
        self.settings.assign(index, value);
        if self.settings.uci_chess960 == before {
            return Ok(());
        }
        self.castles_from_anywhere = false;
        self.open_anew()
    }

    fn set_in_session(&mut self, name: &str, value: &str) -> io::Result<()> {
        match self.session.set_option(name, value) {
            Ok(()) => {
                self.chosen.retain(|(set, _)| set != name);
                self.chosen.push((name.to_string(), value.to_string()));
                Ok(())
            }
            Err(error) => self.complain(error),
        }
    }

    /// Goes to a position. One that castles as only Chess960 does is taken for what it is, until another comes.
    pub(super) fn go_to(&mut self, game: Setup) -> io::Result<()> {
        if self.castles_from_anywhere && self.is_understood(Variant::Standard, &game) {
            (self.castles_from_anywhere, self.game) = (false, game);
            return self.open_anew();
        }
        match self.session.set_game(game.start.as_deref(), &game.moves) {
            Ok(()) => {
                self.game = game;
                Ok(())
            }
            Err(_) if self.variant() == Variant::Standard && self.is_understood(Variant::Chess960, &game) => {
                (self.castles_from_anywhere, self.game) = (true, game);
                self.complain(
                    "position: this castles as in Chess960, and so will we, as if UCI_Chess960 were on",
                )?;
                self.open_anew()
            }
            Err(error) => self.complain(format_args!("position: {error}")),
        }
    }

    /// Whether a position makes sense in a variant.
    fn is_understood(&self, variant: Variant, game: &Setup) -> bool {
        let opened = (self.engine.open)(variant);
        opened.is_ok_and(|mut session| session.set_game(game.start.as_deref(), &game.moves).is_ok())
    }

    /// Opens a session for the variant that is asked for, with the options that were set and, if it can be, at the same position.
    pub(super) fn open_anew(&mut self) -> io::Result<()> {
        match (self.engine.open)(self.variant()) {
            Ok(session) => self.session = session,
            Err(error) => return self.complain(error),
        }
        for (name, value) in std::mem::take(&mut self.chosen) {
            self.set_in_session(&name, &value)?;
        }
        let game = std::mem::take(&mut self.game);
        self.go_to(game)
    }
}
