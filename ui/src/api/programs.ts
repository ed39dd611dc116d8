/** Programs of other people. */

/** What a move of an engine can be limited by. */
export type LimitUnit = "seconds" | "nodes" | "depth";

/** A program of somebody else's that the server can run. */
export interface ProgramInfo {
  id: string;
  name: string;
  protocol: string;
  command: string;
  /** Whether the server was started with it, so that it cannot be removed here. */
  given: boolean;
  /** Whether it plays the game that was asked about. */
  plays: boolean;
  /** Whether it says what it thinks, and not only what it plays. */
  tells_thoughts: boolean;
  limits: LimitUnit[];
}

export interface ProgramList {
  may_add: boolean;
  /** The protocols that programs for the game may speak. */
  protocols: string[];
  programs: ProgramInfo[];
}

/** What a program showed of itself when it was tried. */
export interface TriedProgram {
  name: string;
  best: string;
  seconds: number;
}

/** A program to be added: a player as the lab's files have it. */
export interface NewProgram {
  game: string;
  cmd: string[];
  proto: string;
  name?: string;
  dir?: string;
  columns?: string;
  option?: Record<string, string>;
}
