//! What each technique did.

use serde::{Deserialize, Serialize};

macro_rules! counts {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// How often each technique was used, and how often it paid.
        #[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub struct Techniques {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl Techniques {
            /// Adds what another thread has counted.
            pub fn add(&mut self, other: &Techniques) {
                $(self.$name += other.$name;)*
            }

            /// A count by its name; `None` if there is none of this name.
            pub fn named(&self, name: &str) -> Option<u64> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            /// What has been added since an earlier count.
            pub fn since(&self, earlier: &Techniques) -> Techniques {
                Techniques { $($name: self.$name - earlier.$name,)* }
            }
        }
    };
}

counts! {
    /// Positions in which noisy moves were played out.
    quiescence_nodes,
    /// Cutoffs by what the table knew.
    table_cutoffs,
    /// Cutoffs by the table's move.
    table_move_cutoffs,
    /// Cutoffs by another noisy move.
    noisy_cutoffs,
    /// Cutoffs by a killer.
    killer_cutoffs,
    /// Cutoffs by the move that refuted the opponent's elsewhere.
    counter_move_cutoffs,
    /// Cutoffs by any other quiet move: histories bring it forward.
    quiet_cutoffs,
    /// Histories of moves that changed, of quiet ones on their own.
    quiet_lessons,
    /// Of quiet ones after the moves before them.
    continuation_lessons,
    /// Of noisy ones.
    noisy_lessons,
    /// Evaluations that were corrected.
    corrections,
    /// Positions whose end the game's knowledge saw.
    foreseen,
    /// Positions that the game's own search was asked about.
    forced_wins_asked,
    /// Those that were won by force.
    forced_wins_found,
    /// Iterations that were searched again with a wider window.
    aspiration_failures,
    /// Passes tried.
    null_moves,
    /// Cutoffs by passing.
    null_move_cutoffs,
    /// Searches that verified such a cutoff.
    null_move_verifications,
    /// Cutoffs by an evaluation far above what matters.
    reverse_futility_cutoffs,
    /// Positions given up by noisy moves alone.
    razorings,
    /// Shallower searches that were to foretell a deeper one.
    probcut_searches,
    /// Cutoffs by what they foretold.
    probcut_cutoffs,
    /// Quiet moves left out because they cannot bring the value up.
    futile_moves,
    /// Positions whose other quiet moves were no candidates.
    candidates_exhausted,
    /// Quiet moves left out because they came late.
    late_moves_pruned,
    /// Quiet moves left out because they have been bad elsewhere.
    history_prunings,
    /// Moves left out because they lose material.
    exchange_prunings,
    /// Noisy moves left out because they do not win enough.
    delta_prunings,
    /// Quiet moves that must be answered, tried while noisy moves were played out.
    quiescence_checks,
    /// Moves searched less deeply.
    reduced_moves,
    /// Those of them that were searched again.
    reduced_again,
    /// Moves searched again with an open window.
    windows_opened,
    /// Positions searched less deeply for want of a best move.
    internal_reductions,
    /// Moves searched deeper because they must be answered.
    check_extensions,
    /// Searches for a move as good as the best.
    singular_searches,
    /// Moves searched deeper because there was none.
    singular_extensions,
    /// Cutoffs because there were several.
    multi_cuts,
    /// Quiet moves that must be answered, tried where quiet moves are left out.
    late_checks,
    /// Moves searched deeper because they take back.
    recapture_extensions,
    /// Moves put off because another thread was searching them.
    moves_deferred,
    /// Cutoffs because nothing could be quicker.
    mate_distance_cutoffs,
}
