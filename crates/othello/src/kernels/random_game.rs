//! A whole random game in one kernel: the instruction set is chosen once a game, nothing is called on the way, and boards stay in the
//! registers in which they are used. Random games wait for one result after the other, so that a board on its way between registers is time lost.

/// Defines `random_game` on what a file of kernels has, for the instructions that the attributes name: its form of a `Board` (made by `spread`, read
/// by `gather`), the boards `after` a move, in the view of who moves then, and the legal `squares`.
macro_rules! random_game {
    ($(#[$attribute:meta])*) => {
        /// As [`super::random_game`].
        $(#[$attribute])*
        pub(super) fn random_game(
            mover: u64,
            opponent: u64,
            mut legal: u64,
            rng: &mut outplay_core::Rng,
        ) -> (u64, u64, u32) {
            let (mut mover, mut opponent, mut plies) = (spread(mover), spread(opponent), 0);
            loop {
                plies += 1;
                // A pass is the only move then, but drawn like any other.
                let index = rng.below(count_bits(legal).max(1) as usize);
                if legal == 0 {
                    (mover, opponent) = (opponent, mover);
                    legal = squares(mover, opponent);
                    continue;
                }
                (mover, opponent) = after(mover, opponent, nth_bit(legal, index as u32));
                legal = squares(mover, opponent);
                if legal == 0 && squares(opponent, mover) == 0 {
                    return (gather(mover), gather(opponent), plies);
                }
            }
        }
    };
}
