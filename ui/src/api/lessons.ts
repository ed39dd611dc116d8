import type { Score } from "./types";

/** A lesson: one idea, and what shows it. */
export interface Lesson {
  name: string;
  title: string;
  aim: string;
  try: string;
  chapter: string;
  featured: boolean;
  game: string;
  start: string | null;
  moves: string[];
  settings: Setting[];
  shows: Shows;
}

/** A number that can be changed in a lesson. */
export interface Setting {
  name: string;
  label: string;
  least: number;
  most: number;
  usual: number;
  step: number;
}

/** What shows a lesson: a search to be followed, or something that the server measures. */
export type Shows =
  | { kind: "tree"; search: string; depth: number }
  | { kind: "simulations"; search: string; simulations: number }
  | { kind: Demonstration["kind"] };

export type Demonstration =
  | ({ kind: "growth" } & Growth)
  | ({ kind: "keys" } & Keys)
  | { kind: "technique"; cases: ComparedCase[] }
  | ({ kind: "puct" } & Puct)
  | ({ kind: "noise" } & Noise)
  | ({ kind: "self_play" } & SelfPlayed);

/** Leaves that alpha-beta looks at, by depth. */
export interface Growth {
  branching: number;
  trees: number;
  depths: {
    depth: number;
    all: number;
    worst_order: number;
    random_order: number;
    best_order: number;
    fewest: number;
    rule_of_thumb: number;
  }[];
}

export interface Keys {
  start: string;
  ways: { moves: string[]; steps: { by: string; text: string; change: string; key: string }[] }[];
  meet: boolean;
}

/** A position searched with a technique and without it. */
export interface ComparedCase {
  caption: string;
  start: string | null;
  moves: string[];
  with: Iteration[];
  /** Missing where there is nothing to compare. */
  without?: Iteration[];
  counted: [name: string, count: number][];
}

export interface Iteration {
  depth: number;
  nodes: number;
  value: Score;
  line: string[];
}

export interface Puct {
  to_move: string;
  c: number;
  /** The table before the first simulation, and after each. */
  steps: { tried?: number; moves: ConsideredMove[] }[];
  shared_out: { temperature: number; chances: number[] }[];
}

export interface ConsideredMove {
  move: string;
  n: number;
  q: number;
  p: number;
  u: number;
}

export interface Noise {
  to_move: string;
  alpha: number;
  epsilon: number;
  moves: { move: string; p: number; draws: number[]; n: number; n_with_noise: number }[];
}

export interface SelfPlayed {
  simulations: number;
  drawn: number;
  result: string;
  moves: string[];
  positions: {
    by: string;
    move: string;
    policy: { move: string; share: number }[];
    q: number;
    z: number;
  }[];
  samples: number;
}
