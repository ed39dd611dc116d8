import type { LegalMove } from "../api/types";

/** What somebody has typed: the move that it means, or what to say if it means none or several. */
export type Typed = { move: LegalMove } | { fault: string };

const MOST_NAMED = 6;

/** A move without the signs that people leave out, and with letters for the zeros of castling. */
function bare(text: string): string {
  const short = text.replaceAll(/[\s+#=!?-]/g, "").replaceAll(/(?<=\w)x(?=\w)/gi, "");
  return /^0{2,3}$/.test(short) ? short.replaceAll("0", "O") : short;
}

const loose = (text: string) => bare(text).toLowerCase();

/** Ways to read a move, the strictest first: `bxc3` is a pawn's move if there is one, and may be a bishop's if there is none. */
const READINGS = [(text: string) => text, bare, loose];

function meant(typed: string, legal: LegalMove[]): LegalMove[] {
  for (const read of READINGS) {
    const wanted = read(typed);
    const found = legal.filter(({ text, move }) => read(text) === wanted || read(move) === wanted);
    if (found.length > 0) return found;
  }
  return [];
}

/** Moves that somebody may have had in mind: those that begin like this, or else those to the same cell. */
function near(typed: string, legal: LegalMove[]): LegalMove[] {
  const begun = loose(typed);
  const longer = legal.filter(({ text, move }) => loose(text).startsWith(begun) || move.startsWith(begun));
  const cell = /[a-z]\d+(?=[a-z]?$)/.exec(begun)?.[0];
  return longer.length > 0 ? longer : legal.filter((move) => move.to === cell);
}

function anyOf(moves: LegalMove[]): string {
  const names = moves.slice(0, MOST_NAMED).map((move) => move.text);
  if (names.length === 1) return names[0]!;
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** Reads a move as people write it, in the notation of its game or by its cells. */
export function readTyped(text: string, legal: LegalMove[]): Typed {
  const typed = text.trim();
  const [first] = legal;
  if (!first) return { fault: "No move can be played now." };
  const example = `Moves are typed like ${[...new Set([first.text, first.move])].join(" or ")}.`;
  if (typed === "") return { fault: example };
  const found = meant(typed, legal);
  if (found.length === 1) return { move: found[0]! };
  if (found.length > 1) return { fault: `${typed} may be ${anyOf(found)}.` };
  const others = near(typed, legal);
  const hint = others.length > 0 ? `Perhaps ${anyOf(others)}?` : example;
  return { fault: `${typed} is no legal move here. ${hint}` };
}
