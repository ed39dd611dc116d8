import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { placesWith } from "../lib/filter";
import { announce } from "../widgets/live";
import { walkButtons } from "../widgets/walk";

interface GameListProps {
  /** What the first games of the file are called. */
  titles: string[];
  /** How many games there are, with those that are not listed. */
  count: number;
  /** Called with the number of a game, from 1. */
  onChoose: (number: number) => void;
  onBack: () => void;
}

/** So many titles can be seen at a glance. */
const FEW = 10;

/** The games of a file, one of which is to be opened. */
export function GameList({ titles, count, onChoose, onBack }: GameListProps) {
  const [words, setWords] = useState("");
  const [number, setNumber] = useState(titles.length + 1);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    box.current?.querySelector<HTMLElement>("input, button")?.focus();
    announce(`The file has ${count} games. Choose one.`);
  }, [count]);
  const shown = placesWith(titles, words);
  return (
    <div ref={box}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is inside has the focus, arrows go from one to the next. */}
      <div onKeyDown={walkButtons}>
        {titles.length > FEW && (
          <label class="field">
            <span>Words in the title</span>
            <input type="search" value={words} onInput={(event) => setWords(event.currentTarget.value)} />
          </label>
        )}
        <ul class="plain game-list">
          {shown.map((place) => (
            <li key={place} class="row">
              <button
                type="button"
                class="quiet grow"
                title={titles[place]}
                onClick={() => onChoose(place + 1)}
              >
                <span class="number">{place + 1}</span>
                {titles[place]}
              </button>
            </li>
          ))}
        </ul>
        {shown.length === 0 && <p class="faint">No title has all of these words.</p>}
      </div>
      <div class="row">
        {count > titles.length && (
          <form
            class="row"
            onSubmit={(event) => {
              event.preventDefault();
              onChoose(number);
            }}
          >
            <label class="row game-number">
              Game
              <input
                type="number"
                required
                min={1}
                max={count}
                step={1}
                value={number}
                onInput={(event) => setNumber(Number(event.currentTarget.value))}
              />
              of {count}
            </label>
            <button type="submit">Open this one</button>
          </form>
        )}
        <button type="button" onClick={onBack}>
          Back to the text
        </button>
      </div>
    </div>
  );
}
