import "../styles/featured.css";

/** Something that is worth seeing first. */
export interface Card {
  name: string;
  words: string;
  chosen: boolean;
  open: () => void;
}

/** What a page is for, in a sentence, and what is worth seeing first. */
export function Featured({ words, cards }: { words: string; cards: Card[] }) {
  return (
    <section class="featured" aria-label="What this page is for">
      <p>{words}</p>
      <div class="featured-cards">
        {cards.map(({ name, words: about, chosen, open }) => (
          <button key={name} type="button" aria-pressed={chosen} onClick={open}>
            <b>{name}</b>
            <span>{about}</span>
          </button>
        ))}
      </div>
    </section>
  );
}
