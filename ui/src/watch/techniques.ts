/** A technique: its counter, its name, and what it does in one sentence. */
export type Technique = readonly [counter: string, name: string, words: string];

/** The counters of the alpha-beta search, in groups for people who learn. */
export const GROUPS: readonly (readonly [string, readonly Technique[]])[] = [
  [
    "Positions not searched",
    [
      ["table_cutoffs", "Table cutoffs", "An earlier search of the position, kept in the table, was enough."],
      [
        "null_moves",
        "Null moves tried",
        "The player passes; if even that is too good, a real move need not be tried.",
      ],
      ["null_move_cutoffs", "Null move cutoffs", "Passes that were too good: the position was left."],
      [
        "null_move_verifications",
        "Null moves verified",
        "A search without passing made sure that it was no zugzwang.",
      ],
      [
        "reverse_futility_cutoffs",
        "Reverse futility",
        "The evaluation alone was far above what the opponent allows.",
      ],
      ["razorings", "Razoring", "The position looked hopeless, and noisy moves did not change that."],
      [
        "probcut_searches",
        "ProbCut searches",
        "A shallower search was asked whether the deeper one is worth it.",
      ],
      ["probcut_cutoffs", "ProbCut cutoffs", "It left hardly a doubt: the position was left."],
      ["multi_cuts", "Multi-cut", "Several moves promised a cutoff, so the position was left."],
      ["mate_distance_cutoffs", "Mate distance", "Nothing here can be quicker than a win that is known."],
      ["foreseen", "Ends foreseen", "The game's own knowledge saw how it ends."],
      [
        "forced_wins_asked",
        "Wins by force looked for",
        "The game's own search for a win by force was asked.",
      ],
      ["forced_wins_found", "Wins by force found", "It found one, so nothing else had to be searched."],
    ],
  ],
  [
    "Moves not searched",
    [
      [
        "futile_moves",
        "Futility",
        "A quiet move cannot bring the value up to alpha; it and those after it are left out.",
      ],
      ["late_moves_pruned", "Late moves", "After so many quiet moves the rest is left out near the horizon."],
      [
        "late_checks",
        "Late checks",
        "Where quiet moves are left out, those that must be answered are tried still.",
      ],
      ["history_prunings", "History", "Quiet moves that were bad elsewhere are left out."],
      ["exchange_prunings", "Losing exchanges", "Moves that lose material in the exchange are left out."],
      [
        "candidates_exhausted",
        "Candidates",
        "The game named all moves that promise anything; the rest is left out.",
      ],
      ["delta_prunings", "Delta", "Captures beyond the horizon that do not win enough are left out."],
    ],
  ],
  [
    "How deep moves are searched",
    [
      ["reduced_moves", "Late move reductions", "Moves that come late are searched less deeply first."],
      [
        "reduced_again",
        "Reductions taken back",
        "Such a move turned out good and was searched again in full.",
      ],
      [
        "internal_reductions",
        "Internal reductions",
        "Without a move to try first, the position is searched less deeply.",
      ],
      ["check_extensions", "Extensions for checks", "Moves that must be answered are searched deeper."],
      [
        "singular_searches",
        "Singular searches",
        "Is one move far better than all others? A shallow search without it tells.",
      ],
      ["singular_extensions", "Singular extensions", "It is, so it is searched deeper."],
      ["recapture_extensions", "Extensions for recaptures", "Moves that take back are searched deeper."],
    ],
  ],
  [
    "Windows",
    [
      [
        "windows_opened",
        "Windows opened",
        "A scout with a narrow window found something better, so the move was searched again.",
      ],
      [
        "aspiration_failures",
        "Aspiration failures",
        "The value left the narrow window around the last one; the iteration began again.",
      ],
    ],
  ],
  [
    "Which move refuted",
    [
      [
        "table_move_cutoffs",
        "The table's move",
        "Remembered from an earlier iteration: the best order there is.",
      ],
      ["noisy_cutoffs", "Noisy moves", "Captures and the like, tried early."],
      ["killer_cutoffs", "Killers", "Quiet moves that refuted a neighbour of the position."],
      ["counter_move_cutoffs", "Counter moves", "The move that answered the same move elsewhere."],
      ["quiet_cutoffs", "Other quiet moves", "Brought forward by histories, or late."],
    ],
  ],
  [
    "Beyond the horizon",
    [
      ["quiescence_nodes", "Quiescence", "Positions in which only noisy moves were played out."],
      ["quiescence_checks", "Quiet checks", "Quiet moves that must be answered, tried there as well."],
    ],
  ],
  [
    "What it learned",
    [
      ["quiet_lessons", "Histories of quiet moves", "How well each quiet move did was noted."],
      ["continuation_lessons", "Continuations", "The same, after the moves before it."],
      ["noisy_lessons", "Histories of noisy moves", "How well each noisy move did was noted."],
      ["corrections", "Corrections", "Evaluations that were corrected by what searches had found."],
      ["moves_deferred", "Moves deferred", "Another thread was searching the move at that moment."],
    ],
  ],
];

/** The groups with those counters that have counted anything; counters that this page does not know come last, by their own name. */
export function countedGroups(counters: Record<string, number>): [string, Technique[]][] {
  const known = new Set(GROUPS.flatMap(([, rows]) => rows.map(([counter]) => counter)));
  const others = Object.keys(counters)
    .filter((counter) => !known.has(counter))
    .map((counter): Technique => [counter, counter.replaceAll("_", " "), ""]);
  return [...GROUPS, ["Other", others] as const]
    .map(([title, rows]): [string, Technique[]] => [title, rows.filter(([counter]) => counters[counter])])
    .filter(([, rows]) => rows.length > 0);
}
