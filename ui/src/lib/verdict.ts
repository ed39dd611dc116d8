import type { ReportLine } from "../api/search";
import type { Position } from "../api/types";
import { chance, firstPlayersScore } from "./chance";
import { DECIDED, distance } from "./format";

/** Up to so much of the winning chance beyond a half, a position stands as these words say. */
const WORDS: [number, string][] = [
  [0.15, "slightly better"],
  [0.3, "better"],
  [0.45, "much better"],
  [0.5, "winning"],
];
const EVEN = 0.05;

type Judged = Pick<Position, "to_move" | "players" | "steepness"> & {
  style: Pick<Position["style"], "scores">;
};

/** What a line of an engine says of the position in which it begins, in a few words. */
export function verdictOf(line: ReportLine, { to_move, players, steepness, style }: Judged): string {
  const score = firstPlayersScore(line.score, to_move);
  const [first, second] = players;
  if ("win_in" in score) return `${first} wins in ${distance(score.win_in, style.scores)}`;
  if ("loss_in" in score) return `${second} wins in ${distance(score.loss_in, style.scores)}`;
  if ("margin" in score) {
    const { margin } = score;
    return margin === 0 ? "A draw" : `${margin > 0 ? first : second} wins by ${Math.abs(margin)}`;
  }
  if ("centi" in score && Math.abs(score.centi) >= DECIDED) return `${score.centi > 0 ? first : second} wins`;
  const ahead = chance(score, steepness) - 0.5;
  if (Math.abs(ahead) < EVEN) return "Even";
  const [, words] = WORDS.find(([most]) => Math.abs(ahead) < most) ?? WORDS.at(-1)!;
  return `${ahead > 0 ? first : second} is ${words}`;
}
