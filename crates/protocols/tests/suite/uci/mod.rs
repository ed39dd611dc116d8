//! Our side of UCI, asked as board programs and match runners ask, and as nobody should.

mod by_heart;
mod conversation;
mod crafted;
mod failures;
mod fuzz;
mod recorded;
