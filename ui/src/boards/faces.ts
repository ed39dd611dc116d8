import type { Shape } from "../lib/cells";
import { DiscsFace } from "./discs";
import { DropFace } from "./drop";
import { SquaresFace } from "./squares";
import { StonesFace } from "./stones";
import type { Margins } from "./types";

/** What draws the boards of a family. */
export const FACES = { squares: SquaresFace, discs: DiscsFace, stones: StonesFace, drop: DropFace };

/** The room that a board needs around its cells. */
export function marginsOf({ family, columns }: Shape): Margins {
  if (family === "squares") return { left: 0, top: 0, right: 0, bottom: 0 };
  if (family === "drop") return { left: 14, top: 14, right: 14, bottom: 52 };
  const side = columns > 9 ? 58 : columns > 4 ? 44 : 20;
  const edge = columns > 4 ? 14 : 6;
  return { left: side, top: edge, right: edge, bottom: side };
}
