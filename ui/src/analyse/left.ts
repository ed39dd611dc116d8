import { signal } from "@preact/signals";
import type { Study } from "./store";

/** Analyses that were open before others took their place or their tab was closed, newest first: the same list in every tab. */
export interface Left {
  study: Study;
  /** When it was left, in milliseconds since 1970. */
  when: number;
}

const KEY = "outplay.left";
const MOST = 12;

function read(): Left[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => one?.study?.tree?.nodes) : [];
  } catch {
    return [];
  }
}

export const left = signal<Left[]>(read());

addEventListener("storage", (event) => {
  if (event.key === KEY) left.value = read();
});

/** Keeps a list; what does not fit into the browser's storage is the oldest. */
function keep(list: Left[]): void {
  for (let count = Math.min(list.length, MOST); count >= 0; count -= 1) {
    left.value = list.slice(0, count);
    try {
      localStorage.setItem(KEY, JSON.stringify(left.value));
      return;
    } catch {
      // With one less it may fit.
    }
  }
}

/** Keeps an analysis that gives way to another; one without moves is not worth it. */
export function leave(study: Study): void {
  if (Object.keys(study.tree.nodes).length < 2) return;
  keep([{ study, when: Date.now() }, ...read().filter((one) => one.study.key !== study.key)]);
}

/** Takes an analysis out of the list. */
export function forget(key: string | undefined): void {
  keep(read().filter((one) => one.study.key !== key));
}
