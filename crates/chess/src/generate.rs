//! The generator's three questions, compiled for the processor at hand.
//!
//! Move generation lives on bit instructions that plain x86-64 lacks (find and clear the lowest bit, count bits),
//! so each function here is compiled twice and picked at run time.

use cozy_chess::Board;

use crate::ChessMoves;

macro_rules! for_this_processor {
    ($(#[$doc:meta])* fn $name:ident($board:ident) -> $answer:ty $body:block) => {
        $(#[$doc])*
        #[inline]
        pub(crate) fn $name(board: &Board) -> $answer {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
                fn modern($board: &Board) -> $answer $body

                if is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
                {
                    // SAFETY: the features that the function is compiled for were found on this processor.
                    return unsafe { modern(board) };
                }
            }
            fn portable($board: &Board) -> $answer $body
            portable(board)
        }
    };
}

for_this_processor! {
    /// All legal moves.
    fn legal_moves(board) -> ChessMoves {
        let mut moves = ChessMoves::EMPTY;
        board.generate_moves(|piece_moves| {
            moves.push(piece_moves);
            false
        });
        moves
    }
}

for_this_processor! {
    /// How many legal moves there are.
    fn legal_count(board) -> usize {
        let mut count = 0;
        board.generate_moves(|piece_moves| {
            count += piece_moves.len();
            false
        });
        count
    }
}

for_this_processor! {
    /// Whether there is a legal move: stops at the first piece that can move, which is mostly the first asked.
    fn can_move(board) -> bool {
        board.generate_moves(|_| true)
    }
}
