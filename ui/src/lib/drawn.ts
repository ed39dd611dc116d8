/** What a person has drawn on a board: an arrow between two cells, or a ring where both are the same. */
export interface Drawn {
  from: string;
  to: string;
}

/** With one mark more, or without it if it was there already. */
export function toggled(marks: Drawn[], { from, to }: Drawn): Drawn[] {
  const others = marks.filter((mark) => mark.from !== from || mark.to !== to);
  return others.length < marks.length ? others : [...marks, { from, to }];
}
