import type { Limit } from "../api/search";
import type { OptionValues } from "../lib/options";
import { stored } from "../lib/stored";

/** What the browser remembers of how searches are watched. */
export interface WatchSettings {
  budget: "seconds" | "nodes" | "depth";
  amount: number;
  plies: number;
  mostNodes: number;
  leastVisits: number;
  /** By search; what is not named is as usual. */
  options: Record<string, OptionValues>;
}

export const settings = stored<WatchSettings>("watch", {
  budget: "seconds",
  amount: 3,
  plies: 4,
  mostNodes: 2000,
  leastVisits: 2,
  options: {},
});

export function change(part: Partial<WatchSettings>): void {
  settings.value = { ...settings.value, ...part };
}

export function limitOf({ budget, amount }: WatchSettings): Limit {
  return { [budget]: amount };
}
