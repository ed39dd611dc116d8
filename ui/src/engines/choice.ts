import type { LimitUnit, ProgramInfo } from "../api/programs";
import type { Limit } from "../api/search";

/** What stands before the name of a program where a search could be chosen as well; no search has a colon in its name. */
const PREFIX = "program:";
/** How long a program thinks that cannot be given the budget of our engine. */
const USUAL: Limit = { seconds: 5 };

/** The value of a program among other choices. */
export const programChoice = (id: string) => PREFIX + id;

/** The program that a choice means, as long as it is there. */
export function chosenProgram(programs: ProgramInfo[], choice: string): ProgramInfo | undefined {
  return programs.find(({ id }) => programChoice(id) === choice);
}

/** Whether a choice means a program, there or not. */
export const isProgramChoice = (choice: string) => choice.startsWith(PREFIX);

/** The words of a command line; what has spaces in it stands in quotes. */
export function commandWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

/** Options as people write them, one `name = value` a line; null if a line is none. A button has no value. */
export function optionLines(text: string): Record<string, string> | null {
  const options: Record<string, string> = {};
  for (const line of text.split("\n").filter((one) => one.trim())) {
    const [name, ...value] = line.split("=");
    if (!name?.trim() || value.length === 0) return null;
    options[name.trim()] = value.join("=").trim();
  }
  return options;
}

/** The budget of an analysis as far as a program can be told: one that only plays has no use for any but seconds. */
export function limitFor(program: ProgramInfo, limit: Limit): Limit {
  if (limit.infinite) return program.tells_thoughts ? limit : USUAL;
  const units = Object.keys(limit) as LimitUnit[];
  return units.every((unit) => program.limits.includes(unit)) ? limit : USUAL;
}
