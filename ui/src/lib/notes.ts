import { COLOURS, type Drawn, type DrawnColour } from "./drawn";

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

interface Command {
  name: string;
  value: string;
}

function commandsOf(comment: string): Command[] {
  return [...comment.matchAll(COMMAND)].map(([, name, value]) => ({ name: name!, value: value!.trim() }));
}

function draws({ name }: Command): boolean {
  return name === CELLS || name === ARROWS;
}

function commentOf(commands: Command[], words: string): string {
  const texts = commands.map(({ name, value }) => `[%${name} ${value}]`);
  return [...texts, ...(words ? [words] : [])].join(" ");
}

/** What a comment says to people. */
export function wordsOf(comment: string): string {
  return comment.replace(COMMAND, "");
}

/** The same commands with other words. */
export function withWords(comment: string, words: string): string {
  return commentOf(commandsOf(comment), words);
}

/** What is drawn on the board with a comment. */
export function drawnIn(comment: string): Drawn[] {
  const marks = commandsOf(comment)
    .filter(draws)
    .flatMap(({ value }) => value.split(","));
  return marks.flatMap((text) => {
    const [, letter, from, to = from] = MARK.exec(text.trim()) ?? [];
    if (!from || !to) return [];
    return [{ from, to, colour: COLOURS.find((colour) => colour === letter) ?? OWN_COLOUR }];
  });
}

/** The same comment with other things drawn. */
export function withDrawn(comment: string, drawn: Drawn[]): string {
  const command = (name: string, marks: Drawn[]): Command[] => {
    const texts = marks.map(({ colour = OWN_COLOUR, from, to }) => colour + from + (from === to ? "" : to));
    return texts.length > 0 ? [{ name, value: texts.join(",") }] : [];
  };
  const rings = drawn.filter(({ from, to }) => from === to);
  const arrows = drawn.filter(({ from, to }) => from !== to);
  const others = commandsOf(comment).filter((one) => !draws(one));
  return commentOf([...others, ...command(CELLS, rings), ...command(ARROWS, arrows)], wordsOf(comment));
}

// A map: names come from outside, and objects have names of their own.
const FACTS = new Map<string, (value: string) => string>([
  ["clk", (value) => `${value} left on the clock`],
  ["emt", (value) => `took ${value}`],
  ["eval", (value) => `valued at ${value} in the file`],
]);

/** What a file says of a move in numbers, in words. */
export function factsIn(comment: string): string[] {
  return commandsOf(comment).flatMap(({ name, value }) => FACTS.get(name)?.(value) ?? []);
}
