/** What a person has drawn on a board: an arrow between two cells, or a ring where both are the same. */
export interface Drawn {
  from: string;
  to: string;
  /** As files name it; the page's own if there is none. */
  colour?: DrawnColour;
}

/** Green, red, yellow, blue. */
export const COLOURS = ["G", "R", "Y", "B"] as const;
export type DrawnColour = (typeof COLOURS)[number];

/** With one mark more, or without it if it was there already. */
export function toggled(marks: Drawn[], { from, to }: Drawn): Drawn[] {
  const others = marks.filter((mark) => mark.from !== from || mark.to !== to);
  return others.length < marks.length ? others : [...marks, { from, to }];
}
