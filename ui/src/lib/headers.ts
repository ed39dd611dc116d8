import type { Game, GameResult, Player } from "../api/types";
import { capital, clockText } from "./format";

/** What a player of a game is called. */
export function playerName(game: Game, player: Player, levelNames: string[]): string {
  if (game.human === player) return "You";
  const engine = game.engines?.[player];
  const level = engine?.level ? levelNames[engine.level - 1] : undefined;
  return engine?.name ?? engine?.program?.name ?? level ?? engine?.search ?? "Engine";
}

/** What a game file says of a game besides its moves. */
export function headersOf(
  game: Game,
  levelNames: string[],
): { tags: Record<string, string>; result: GameResult | null } {
  const { player_tags } = game.position;
  const tags: Record<string, string> = { Event: "Game against the engine", Date: dateTag(game.created) };
  if (game.human === null) tags.Event = "Game of engines";
  for (const player of [0, 1] as const) {
    const tag = player_tags[player];
    tags[tag] = capital(playerName(game, player, levelNames));
    if (game.clock) tags[`${tag}Clock`] = clockText(game.clock.left[player]);
  }
  if (game.clock) tags.TimeControl = `${game.clock.base / 1000}+${game.clock.increment / 1000}`;
  if (game.result) tags.Termination = game.result.text;
  return { tags, result: game.result && { winner: game.result.winner } };
}

/** A date as PGN writes it; unknown parts are question marks. */
function dateTag(created: string | number): string {
  const date = new Date(created);
  if (Number.isNaN(date.getTime())) return "????.??.??";
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}.${two(date.getMonth() + 1)}.${two(date.getDate())}`;
}
