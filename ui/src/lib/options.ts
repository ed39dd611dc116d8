import type { OptionInfo, SearchInfo } from "../api/types";

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
