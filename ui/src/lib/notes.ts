import type { Drawn, DrawnColour } from "./drawn";

/*
 * Comments of files hold more than words: commands in brackets, of which programs agree on a few. `[%clk 0:04:59]` is the time left after a move,
 * `[%emt 0:00:02]` what it took, `[%eval 0.31]` or `[%eval #-3]` what an engine thought of it; `[%csl Ge4,Rd5]` are marked cells, `[%cal Ge2e4]` arrows. The comment is kept as it
 * stands in the file; whoever reads it sees its words.
 */
const COMMAND = /\[%(\w+)\s+([^\]]*)\]\s?/g;
const CELLS = "csl";
const ARROWS = "cal";
const MARK = /^([A-Z])([a-z]\d{1,2})([a-z]\d{1,2})?$/;
/** What this page draws with, for other programs. */
const OWN_COLOUR: DrawnColour = "G";
const COLOURS = "GRYB";

/** What a comment says to people. */
export function wordsOf(comment: string): string {
  return comment.replace(COMMAND, "");
}

/** The same commands with other words. */
export function withWords(comment: string, words: string): string {
  return joined(
    [...comment.matchAll(COMMAND)].map(([text]) => text.trim()),
    words,
  );
}

/** What is drawn on the board with a comment. */
export function drawnIn(comment: string): Drawn[] {
  return [...comment.matchAll(COMMAND)]
    .filter(([, name]) => name === CELLS || name === ARROWS)
    .flatMap(([, , value]) => value!.split(","))
    .flatMap((text) => {
      const [, letter, from, to = from] = MARK.exec(text.trim()) ?? [];
      if (!letter || !from || !to) return [];
      return [{ from, to, colour: COLOURS.includes(letter) ? (letter as DrawnColour) : OWN_COLOUR }];
    });
}

/** The same comment with other things drawn. */
export function withDrawn(comment: string, drawn: Drawn[]): string {
  const command = (name: string, marks: string[]) =>
    marks.length > 0 ? [`[%${name} ${marks.join(",")}]`] : [];
  const colourOf = ({ colour = OWN_COLOUR }: Drawn) => colour;
  const rings = drawn.filter(({ from, to }) => from === to).map((mark) => colourOf(mark) + mark.from);
  const arrows = drawn
    .filter(({ from, to }) => from !== to)
    .map((mark) => colourOf(mark) + mark.from + mark.to);
  const others = [...comment.matchAll(COMMAND)].filter(([, name]) => name !== CELLS && name !== ARROWS);
  const commands = [
    ...others.map(([text]) => text.trim()),
    ...command(CELLS, rings),
    ...command(ARROWS, arrows),
  ];
  return joined(commands, wordsOf(comment));
}

/** What a file says of a move in numbers, in words. */
export function factsIn(comment: string): string[] {
  const words: Record<string, (value: string) => string> = {
    clk: (value) => `${value} left on the clock`,
    emt: (value) => `took ${value}`,
    eval: (value) => `valued at ${value} in the file`,
  };
  return [...comment.matchAll(COMMAND)].flatMap(([, name, value]) => words[name!]?.(value!.trim()) ?? []);
}

function joined(commands: string[], words: string): string {
  return [...commands, ...(words ? [words] : [])].join(" ");
}
