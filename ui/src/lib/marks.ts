/** What the numbers of annotation glyphs mean: the sign, and its words. */
const MARKS: Record<number, [string, string]> = {
  1: ["!", "good move"],
  2: ["?", "mistake"],
  3: ["!!", "excellent move"],
  4: ["??", "blunder"],
  5: ["!?", "interesting move"],
  6: ["?!", "doubtful move"],
  7: ["□", "only move"],
  10: ["=", "even"],
  13: ["∞", "unclear"],
  14: ["+=", "slightly better for the first player"],
  15: ["=+", "slightly better for the second player"],
  16: ["±", "better for the first player"],
  17: ["∓", "better for the second player"],
  18: ["+−", "won for the first player"],
  19: ["−+", "won for the second player"],
  22: ["⊙", "the first player would rather not move"],
  23: ["⊙", "the second player would rather not move"],
};

/** Marks up to this one praise or blame a move; the others say how the position stands. */
export const MOST_SIGN = 6;

/** The signs that can be given to a move by a button, the best first. */
export const SIGNS: [number, string, string][] = [3, 1, 5, 6, 2, 4].map((mark) => [mark, ...MARKS[mark]!]);

/** The sign of a mark; one that nobody has a sign for is shown by its number, as files have it. */
export function markText(mark: number): string {
  return MARKS[mark]?.[0] ?? `$${mark}`;
}
