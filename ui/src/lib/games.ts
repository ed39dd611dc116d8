import { api } from "../api/client";
import type { Example, GameInfo } from "../api/types";

/** The games there are, best known first: known before anything is drawn. */
let games: GameInfo[] = [];

/** Asks for the games. Without an answer the page goes on, and says what is wrong where it is asked for more. */
export async function loadGames(): Promise<void> {
  games = await api.gamesList().catch(() => []);
}

/** The games, as far as they were known when the page began: nothing has to move when they come. */
export const knownGames = (): GameInfo[] => games;

/** The game that people begin with. */
export function firstGame(): string {
  return games[0]?.name ?? "";
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[-_ ]/g, "");

/** A game's own name for one that people may call otherwise; rules after a colon stay as they are. */
export function knownName(name: string): string {
  const [game = "", ...rules] = name.split(":");
  const info = games.find((one) => [one.name, ...one.aliases].some((other) => plain(other) === plain(game)));
  return [info?.name ?? game, ...rules].join(":");
}

/** Positions whose searches are worth watching. */
export function examples(): Example[] {
  return games.flatMap((game) => game.examples);
}

/** What people call a game. */
export function gameLabel(name: string): string {
  return games.find((game) => game.name === name.split(":")[0])?.label ?? name;
}
