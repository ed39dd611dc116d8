import type { OptionInfo, SearchInfo } from "../api/search";

/** Options that differ from the usual ones, by name. */
export type OptionValues = Record<string, unknown>;

/** Sets one option; what is as usual is not kept. */
export function withOption(
  info: SearchInfo,
  values: OptionValues,
  name: string,
  value: unknown,
): OptionValues {
  const { [name]: _, ...others } = values;
  const standard = info.options.find((option) => option.name === name)?.default;
  return String(value) === String(standard) ? others : { ...others, [name]: value };
}

/** Those that the search takes in this game: the same search has other evaluations elsewhere. */
export function takenBy(info: SearchInfo, values: OptionValues): OptionValues {
  const takes = ([name, value]: [string, unknown]) => {
    const option = info.options.find((one) => one.name === name);
    return option !== undefined && (option.choices?.includes(String(value)) ?? true);
  };
  return Object.fromEntries(Object.entries(values).filter(takes));
}

/** What is kept of a search when its options in one game are changed: those of other games stay. */
export function keptWith(info: SearchInfo, kept: OptionValues, values: OptionValues): OptionValues {
  const taken = takenBy(info, kept);
  const others = Object.entries(kept).filter(([name]) => !(name in taken));
  return { ...Object.fromEntries(others), ...values };
}

/** Whether an option says this of itself. */
export function isOption(option: OptionInfo, attribute: string): boolean {
  const names = option.attributes?.map((one) => (typeof one === "string" ? one : Object.keys(one)[0]));
  return names?.includes(attribute) ?? false;
}

/** The options that matter to a search: some do only in games, others only where visits are counted. */
export function mattering(info: SearchInfo, playing: boolean): OptionInfo[] {
  const inGames = (option: OptionInfo) => isOption(option, "clock") || isOption(option, "play");
  return info.options.filter(
    (option) => (playing || !inGames(option)) && (info.counts_playouts || !isOption(option, "visits")),
  );
}

/** Settings for a search that is to see every line to its end: no selective techniques, and a table of so many bytes if it may be so large. */
export function toTheEnd(options: OptionInfo[], bytes: number): OptionValues {
  const chosen = options.flatMap((option): [string, unknown][] => {
    if (isOption(option, "selective")) return [[option.name, false]];
    const cost = option.attributes?.find((one) => typeof one !== "string" && "memory" in one);
    if (typeof cost !== "object" || !("memory" in cost) || !isOption(option, "kept")) return [];
    const units = Math.floor(bytes / cost.memory.bytes);
    return [[option.name, Math.min(units, option.max ?? units)]];
  });
  return Object.fromEntries(chosen);
}

/** Options under the titles of their groups, in the order in which those come. */
export function inGroups(options: OptionInfo[]): [string, OptionInfo[]][] {
  const groups = new Map<string, OptionInfo[]>();
  for (const option of options) {
    const title = option.group ?? "";
    groups.set(title, [...(groups.get(title) ?? []), option]);
  }
  return [...groups];
}

/** Options travel as text, the way they are typed everywhere else. */
export function asText(values: OptionValues): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** Options whose names and help texts have all of the words, those with all of them in their name first. */
export function findOptions(options: OptionInfo[], text: string): OptionInfo[] {
  const words = text
    .toLowerCase()
    .split(/[\s_]+/)
    .filter(Boolean);
  const has = (where: string) => words.every((word) => where.toLowerCase().includes(word));
  const found = options.filter((option) => has(`${option.name} ${option.help}`));
  return [...found.filter((option) => has(option.name)), ...found.filter((option) => !has(option.name))];
}
