import type { ComponentChildren } from "preact";
import type { Player } from "../api/types";
import { pieces } from "./looks";
import { MODERN } from "./modern";

/** A set of pieces, drawn for this page on a square of 100 units. Outlines carry the shape at small sizes. */
const CLASSIC: Record<string, ComponentChildren> = {
  P: (
    <>
      <path d="M42 46h16l-1.5 5c1 12 7.5 19 11.5 28H32c4-9 10.5-16 11.5-28z" />
      <circle cx="50" cy="33" r="13.5" />
      <rect x="38" y="44" width="24" height="6" rx="3" />
      <rect x="26" y="78" width="48" height="11" rx="4" />
    </>
  ),
  R: (
    <>
      <path d="M36 42h28l2 26 5 11H29l5-11z" />
      <path d="M27 20h10v7h8v-7h10v7h8v-7h10v17l-7 7H34l-7-7z" />
      <rect x="24" y="78" width="52" height="11" rx="4" />
      <path class="detail" d="M34 44h32M33 69h34" />
    </>
  ),
  N: (
    <>
      <path d="M73 79c4-28-1-52-19-60l-3-9-8 10c-9 4-14 14-21 26-2 5 0 10 5 11 3 1 5-2 8-3 6 0 11-2 14-6 1 12-16 16-17 31z" />
      <circle class="eye" cx="42" cy="33" r="2.8" />
      <path class="detail" d="M57 28c7 8 10 22 9 38M28 50l4-3" />
      <rect x="26" y="78" width="52" height="11" rx="4" />
    </>
  ),
  B: (
    <>
      <path d="M43 64h14c1 7 5 11 11 15H32c6-4 10-8 11-15z" />
      <path d="M50 21c15 10 21 25 12 39H38c-9-14-3-29 12-39z" />
      <circle cx="50" cy="16" r="5.5" />
      <rect x="35" y="58" width="30" height="7" rx="3.5" />
      <rect x="25" y="78" width="50" height="11" rx="4" />
      <path class="detail" d="M57 31 48 45" />
    </>
  ),
  Q: (
    <>
      <path d="M20 33 32 50l2-25 10.5 24L50 19l5.5 30L66 25l2 25 12-17-9 34 3 12H26l3-12z" />
      <circle cx="19" cy="30" r="5" />
      <circle cx="34" cy="21" r="5" />
      <circle cx="50" cy="16" r="5" />
      <circle cx="66" cy="21" r="5" />
      <circle cx="81" cy="30" r="5" />
      <rect x="25" y="78" width="50" height="11" rx="4" />
      <path class="detail" d="M30 67c13-4 27-4 40 0" />
    </>
  ),
  K: (
    <>
      <path d="M46.5 9h7v6.500H60v7h-6.500V32h-7v-9.500H40v-7h6.500z" />
      <path d="M50 37c6-11 31-12 31 8 0 11-9 16-10 24l2 10H27l2-10c-1-8-10-13-10-24 0-20 25-19 31-8z" />
      <path class="detail" d="M50 37v27M29 69c14-5 28-5 42 0" />
      <rect x="25" y="78" width="50" height="11" rx="4" />
    </>
  ),
};

const SETS: Record<string, typeof CLASSIC> = { classic: CLASSIC, modern: MODERN };

/** A piece of the set that was chosen, or of a certain one; a kind that it does not have looks like the simplest. */
export function PieceShape({ kind, player, set = pieces.value.squares }: PieceShapeProps) {
  const shapes = SETS[set] ?? CLASSIC;
  return <g class={player === 0 ? "piece white" : "piece black"}>{shapes[kind.toUpperCase()] ?? shapes.P}</g>;
}

interface PieceShapeProps {
  kind: string;
  player: Player;
  set?: string;
}
