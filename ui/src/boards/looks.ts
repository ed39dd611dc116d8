import { effect } from "@preact/signals";
import type { Family } from "../api/types";
import { stored } from "../lib/stored";

/** The boards of each family and the ways to draw its pieces, by name; the first is what everybody begins with. `styles/looks.css` has their colours. */
export const BOARDS: Record<Family, readonly string[]> = {
  squares: ["wood", "green", "blue", "slate"],
  discs: ["felt", "sea", "walnut", "slate"],
  stones: ["kaya", "paper", "walnut", "slate"],
  drop: ["blue", "teal", "graphite", "oak"],
};
export const PIECES: Record<Family, readonly string[]> = {
  squares: ["classic", "modern"],
  discs: ["flat", "domed"],
  stones: ["polished", "flat"],
  drop: ["rimmed", "flat"],
};
export const FAMILIES = Object.keys(BOARDS) as Family[];

const first = (of: Record<Family, readonly string[]>) =>
  Object.fromEntries(FAMILIES.map((family) => [family, of[family][0]!])) as Record<Family, string>;

/** What was chosen for each family. */
export const boards = stored("boards", first(BOARDS));
export const pieces = stored("pieces", first(PIECES));

// Style sheets follow these attributes.
effect(() => {
  for (const family of FAMILIES) {
    document.documentElement.setAttribute(`data-${family}`, boards.value[family]);
    document.documentElement.setAttribute(`data-${family}-pieces`, pieces.value[family]);
  }
});
