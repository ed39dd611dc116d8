import { several } from "../lib/format";
import type { TreeNode } from "../lib/tree";

/** What the list of analyses says. */

export const saved = (count: number) => `Saved analyses${count > 0 ? ` (${count})` : ""}`;
export const TITLE = "Title";
export const UNTITLED = "Untitled";
export const SAVE = "Save";
export const savedAs = (title: string) => `Saved as ${title}.`;
export const LEFT = "Open before";

const MOVES_NAMED = 4;

/** An analysis without a title is known by its players, or else by its first moves. */
export function leftStudy(game: string, line: TreeNode[], tags: Record<string, string> = {}): string {
  const { White, Black } = tags;
  const first = line.slice(0, MOVES_NAMED).map(({ text }) => text);
  const what = White && Black ? `${White} – ${Black}` : first.join(" ");
  return `${game}: ${what} · ${several(line.length, "move")}`;
}
