import type { TriedProgram } from "../api/programs";
import { seconds } from "../lib/format";

export const PROTOCOLS: Record<string, string> = {
  uci: "UCI",
  xboard: "xboard (CECP)",
  gtp: "GTP",
  gomocup: "Gomocup",
  connect6: "Connect6 text protocol",
  botzone: "Botzone JSON",
  nboard: "NBoard",
  edax: "Edax's console",
};
export const COLUMNS = [
  ["with-i", "a … h, i, j"],
  ["without-i", "a … h, j, k, as for Go"],
] as const;

export const PROGRAMS = "Programs on this computer";
export const ABOUT =
  "Chess engines and other game programs that are installed here can be played against and compared with.";
export const ADD = "Add a program";
export const PROGRAM = "Program";
export const PROGRAM_HINT = "stockfish, or /path/to/program";
export const PROTOCOL = "Protocol";
export const MORE = "Arguments, options, name";
export const ARGUMENTS = "Arguments";
export const LETTERS = "Columns";
export const OPTIONS = "Options, one on each line";
export const OPTIONS_HINT = "Hash = 64";
export const FOLDER = "Folder to start it in";
export const NAME = "Name; its own if empty";
export const CODE = "Code";
export const TRY_AND_ADD = "Try and add";
export const TEST = "Test";
export const TRYING = "Trying it…";
export const OTHER_GAME = " · for another game";
export const NO_PROTOCOL = "No protocol that programs speak has this game.";
export const NOT_OWNER =
  "Programs run for the owner of a computer alone: this server lets others in, so none can be added.";
export const ABOUT_CODE =
  "Outplay printed it in its terminal when it started, so that only you decide what this computer runs.";
export const CODE_FIRST = "Enter the code from the terminal below, then remove it again.";
export const BAD_OPTIONS = "Write options as name = value, one on each line.";

/** What is said of a program that was tried. */
export const triedWords = ({ name, best, seconds: time }: TriedProgram) =>
  `${name} answers with ${best} after ${seconds(time)}.`;
export const addedWords = (tried: TriedProgram) => `Added. ${triedWords(tried)}`;

export const COMPARE = "Compare with";
export const NOBODY = "Nobody";
export const MANAGE = "Add or remove programs…";
export const START_FIRST = "Start the engine to ask both.";
export const ONLY_PLAYS = "plays it, without a value";

export const waits = (place: number) => `Waiting: place ${place} in line`;
export const thinks = (name: string) => `${name} is thinking`;
/** Whether both choose the same move. */
export const agreementWords = (own: string, other: string, name: string) =>
  own === other ? `Both choose ${own}.` : `Outplay chooses ${own}, ${name} chooses ${other}.`;
