import { signal } from "@preact/signals";
import type { Line } from "../api/types";
import { knownName } from "./games";

/** Where the page is: the part after `#`, as `/analyse?game=NAME&moves=e2e4`. */
export interface Route {
  page: "play" | "analyse" | "learn" | "watch" | "runs";
  id: string | null;
  query: URLSearchParams;
}

const PAGES = ["play", "analyse", "learn", "watch", "runs"] as const;

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [page, id] = path.split("/");
  const known = PAGES.find((name) => name === page) ?? "play";
  return { page: known, id: id ? decoded(id) : null, query: new URLSearchParams(query) };
}

/** What an address says, as it stands there if it is badly written. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The hash of a position; what is empty is left out. */
export function hashOf(page: Route["page"], id: string | null, query: Record<string, string | null>): string {
  const set = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) set.set(name, value);
  const path = `#/${page}${id ? `/${encodeURIComponent(id)}` : ""}`;
  // Commas and slashes need no escape in a hash, and links are read by people.
  const text = set.toString().replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%3A", ":");
  return text ? `${path}?${text}` : path;
}

/** The position that an address names, or null. */
export function lineOf(query: URLSearchParams): Line | null {
  const game = query.get("game");
  if (!game) return null;
  const moves = (query.get("moves") ?? "").split(",").filter(Boolean);
  return { game: knownName(game), start: query.get("start"), moves };
}

const inBrowser = typeof location !== "undefined";
export const route = signal<Route>(parseRoute(inBrowser ? location.hash : ""));

if (inBrowser) {
  addEventListener("hashchange", () => {
    route.value = parseRoute(location.hash);
  });
}

export function go(hash: string): void {
  location.hash = hash;
}

/** Changes the address without a step in the browser's history, as a position changes with every move. */
export function replaceHash(hash: string): void {
  if (location.hash !== hash) history.replaceState(null, "", hash);
}
