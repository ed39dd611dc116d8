//! The HTTP and WebSocket server: games against the engine, analysis, and the page that shows them.
//!
//! [`Server::bind`] opens the store and listens, [`Server::run`] answers until a [`Stopper`] ends it. What can be asked is in `routes.rs`,
//! one line an address.

mod analysis;
mod app;
mod assets;
mod cancel;
mod catalogue;
mod clock;
mod config;
mod connections;
mod contents;
mod error;
mod exchange;
mod explorer;
mod extract;
mod games;
mod guard;
mod lessons;
mod levels;
mod memory;
mod names;
mod networks;
mod openapi;
mod play;
mod programs;
mod questions;
mod queue;
mod review;
mod routes;
mod runs;
mod searching;
mod server;
mod setup;
mod socket;
mod store;
mod studies;
mod view;
mod watching;

pub use config::{Config, DEFAULT_PORT, Limits};
pub use server::{Server, ServerError, Stopper};
pub use store::StoreError;
