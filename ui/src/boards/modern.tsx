import type { ComponentChildren } from "preact";

/** A second set of pieces, drawn for this page: few lines, broad bases, the same square of 100 units. */
export const MODERN: Record<string, ComponentChildren> = {
  P: (
    <>
      <path d="M39 52h22l9 34H30z" />
      <circle cx="50" cy="38" r="16" />
    </>
  ),
  R: (
    <>
      <path d="M25 20h13v9h6v-9h12v9h6v-9h13v23l-9 6v20l8 17H26l8-17V49l-9-6z" />
      <path class="detail" d="M34 49h32M32 71h36" />
    </>
  ),
  N: (
    <>
      <path d="M72 86H30c1-17 17-21 16-35-5 2-9 1-13 5-4 3-13 0-12-6 3-13 9-22 19-27l2-10 9 9c19 5 26 34 21 64z" />
      <circle class="eye" cx="42" cy="34" r="3" />
      <path class="detail" d="M55 30c8 10 9 26 7 43" />
    </>
  ),
  B: (
    <>
      <path d="M50 21c17 11 21 26 11 41l9 24H30l9-24c-10-15-6-30 11-41z" />
      <circle cx="50" cy="15" r="6" />
      <path class="detail" d="M50 32v18M41 41h18M38 63h24" />
    </>
  ),
  Q: (
    <>
      <path d="M16 28l16 14 6-22 12 18 12-18 6 22 16-14-14 44 2 14H28l2-14z" />
      <path class="detail" d="M30 71h40" />
      <circle cx="50" cy="16" r="6" />
    </>
  ),
  K: (
    <>
      <path d="M46 8h8v7h7v8h-7v13h-8V23h-7v-8h7z" />
      <path d="M20 42l20-8h20l20 8-12 30 4 14H28l4-14z" />
      <path class="detail" d="M31 71h38M50 36v22" />
    </>
  ),
};
