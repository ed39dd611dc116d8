/** The places of those texts that hold every one of some words, whatever the case of letters. */
export function placesWith(texts: string[], words: string): number[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return texts.flatMap((text, place) => {
    const lower = text.toLowerCase();
    return wanted.every((word) => lower.includes(word)) ? [place] : [];
  });
}
