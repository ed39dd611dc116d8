//! Lessons on techniques of alpha-beta, with positions in which they help and in which they err.

use super::lesson;
use crate::lessons::{Case, Lesson, Shows, Technique, Topic, Verdict};

const PLAIN: Technique =
    Technique { switch: None, with: &["quiescence"], off: &[], counters: &[], depth: 6, cases: &[] };

const fn at(start: &'static str, caption: &'static str, verdict: Verdict) -> Case {
    Case { caption, start: Some(start), moves: &[], verdict }
}

const SACRIFICE: &str = "3q1rk1/p4pp1/2pb3p/3p4/6Pr/1PNQ4/P1PB1PP1/4RRK1 b - - 0 1";
const QUIET: &str = "r4rk1/ppp2ppp/2n5/2bqp3/8/P2PB3/1PP1NPPP/R2Q1RK1 w - - 0 1";

pub const CHESS: &[Lesson] = &[
    Lesson {
        aim: "What happens just behind the last ply is not seen: a pawn is taken, and the trap that closes is out of sight.",
        attempt: "Read the table downwards: at which depth does the search see that b3 traps the bishop?",
        ..lesson(
            Topic::Horizon,
            "horizon",
            "The horizon",
            Shows::Technique(Technique {
                depth: 8,
                cases: &[at(
                    "6k1/1p3ppp/p3b3/8/8/2P2N2/PPK2PPP/8 b - - 0 1",
                    "Black can take on a2. After b3 the bishop is shut in, and the king comes to win it.",
                    Verdict::Errs { best: "Bd5" },
                )],
                ..PLAIN
            }),
        )
    },
    Lesson {
        aim: "An evaluation in the middle of an exchange is worthless: quiescence plays captures out before it trusts one.",
        attempt: "Compare the values without quiescence from one depth to the next: they jump with who captured last.",
        ..lesson(
            Topic::Quiescence,
            "quiescence",
            "Quiescence search",
            Shows::Technique(Technique {
                switch: Some("quiescence"),
                with: &[],
                counters: &["quiescence_nodes"],
                depth: 4,
                cases: &[at(
                    "5rk1/pp4p1/2n1p2p/2Npq3/2p5/6P1/P3P1BP/R4Q1K w - - 0 1",
                    "White can exchange queens on f8. Without quiescence the search stops in the middle of captures, and its values swing.",
                    Verdict::Mends { best: "Qxf8+" },
                )],
                ..PLAIN
            }),
        )
    },
    Lesson {
        aim: "A position has a key of 64 bits: a random word for each piece on its square, and for the side to move, all joined by exclusive or. A move changes a few of them.",
        attempt: "Find the same move in both orders: it changes the key by the same word, wherever it comes. So both end with the same key.",
        moves: &["g1f3", "g8f6", "c2c4"],
        ..lesson(Topic::Zobrist, "zobrist", "Zobrist keys", Shows::Keys { other: &["c2c4", "g8f6", "g1f3"] })
    },
    Lesson {
        aim: "A table remembers positions by their keys, so that one that is reached by another order of moves need not be searched again.",
        attempt: "Compare the growth of both columns: the kings can only walk about, and nearly every position comes again.",
        ..lesson(
            Topic::Table,
            "table",
            "The transposition table",
            Shows::Technique(Technique {
                switch: Some("table"),
                counters: &["table_cutoffs", "table_move_cutoffs"],
                depth: 11,
                cases: &[at(
                    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
                    "All pawns are blocked; only the kings move.",
                    Verdict::Saves { percent: 15 },
                )],
                ..PLAIN
            }),
        )
    },
    Lesson {
        aim: "A quiet move that refuted one move often refutes its neighbours too: such killers are tried early.",
        attempt: "Set the depth to 4 and to 6: the deeper the search, the more an early refutation saves.",
        ..lesson(
            Topic::Killers,
            "killers",
            "Killer moves",
            Shows::Technique(Technique {
                switch: Some("killers"),
                off: &["history", "continuation_history", "counter_moves", "noisy_history"],
                counters: &["killer_cutoffs"],
                cases: &[at(
                    SACRIFICE,
                    "Many of White's moves fail to the same attack on the king. The other histories are switched off here.",
                    Verdict::Saves { percent: 70 },
                )],
                ..PLAIN
            }),
        )
    },
    Lesson {
        aim: "The history counts how often each move was good anywhere in the tree; quiet moves are tried in that order.",
        attempt: "Compare with the lesson on killers: a killer knows its place in the tree, the history knows the whole of it.",
        ..lesson(
            Topic::History,
            "history",
            "The history heuristic",
            Shows::Technique(Technique {
                switch: Some("history"),
                off: &["continuation_history", "counter_moves", "noisy_history"],
                counters: &["quiet_cutoffs", "quiet_lessons"],
                cases: &[at(
                    SACRIFICE,
                    "The attacking moves are good after nearly every defence.",
                    Verdict::Saves { percent: 75 },
                )],
                ..PLAIN
            }),
        )
    },
    Lesson {
        aim: "If a player could even pass and still stand too well, the position is cut off after a shallow search. It errs in zugzwang, where passing would be best.",
        attempt: "Raise the depth by two in the second position: does the search see Rf1 in time?",
        featured: true,
        ..lesson(
            Topic::NullMove,
            "null-move",
            "Null-move pruning",
            Shows::Technique(Technique {
                switch: Some("null_move"),
                counters: &["null_moves", "null_move_cutoffs"],
                depth: 8,
                cases: &[
                    at(
                        "8/2k5/4p3/1nb2p2/2K5/8/6B1/8 w - - 0 1",
                        "It saves work: the same move, found with a fraction of the nodes.",
                        Verdict::Saves { percent: 25 },
                    ),
                    at(
                        "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
                        "It errs: after Rf1 Black has only bad moves. A search that lets Black pass does not see that.",
                        Verdict::Errs { best: "Rf1" },
                    ),
                ],
                ..PLAIN
            }),
        )
    },
    Lesson {
        aim: "Near the leaves, a quiet move cannot bring up an evaluation that is far too low: it is left out. It errs where a quiet move threatens mate.",
        attempt: "Look at the first depth at which both find the same move again, or see that there is none.",
        ..lesson(
            Topic::Futility,
            "futility",
            "Futility pruning",
            Shows::Technique(Technique {
                switch: Some("futility"),
                counters: &["futile_moves"],
                cases: &[
                    at(
                        QUIET,
                        "It saves work: most quiet moves cannot help whoever is behind.",
                        Verdict::Saves { percent: 25 },
                    ),
                    at(
                        "r3r2k/2R3pp/pp1q1p2/8/3P3R/7P/PP3PP1/3Q2K1 w - - 0 1",
                        "It errs: after the sacrifice on h7 White mates by checks that take nothing, and such moves are left out.",
                        Verdict::Errs { best: "Rxh7+" },
                    ),
                ],
                ..PLAIN
            }),
        )
    },
    Lesson {
        aim: "Late moves in a good order are seldom best: they are searched less deeply, and again in full if they turn out well. It errs where a late move needs all the depth.",
        attempt: "Compare how many moves were reduced with how many had to be searched again.",
        ..lesson(
            Topic::LateMoveReductions,
            "late-move-reductions",
            "Late-move reductions",
            Shows::Technique(Technique {
                switch: Some("late_move_reductions"),
                counters: &["reduced_moves", "reduced_again"],
                cases: &[
                    at(
                        QUIET,
                        "It saves work: the same move, most others looked at briefly.",
                        Verdict::Saves { percent: 35 },
                    ),
                    at(
                        "8/6pp/3q1p2/3n1k2/1P6/3NQ2P/5PP1/6K1 w - - 0 1",
                        "It errs: g4+ comes late in the order, and the mate behind it is cut short.",
                        Verdict::Errs { best: "g4+" },
                    ),
                ],
                ..PLAIN
            }),
        )
    },
];
