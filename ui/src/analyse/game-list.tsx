import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { placesWith } from "../lib/filter";
import { announce } from "../widgets/live";
import { walkButtons } from "../widgets/walk";
import * as said from "./file-words";

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
    announce(said.fileHas(count));
  }, [count]);
  const shown = placesWith(titles, words);
  return (
    <div ref={box}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is inside has the focus, arrows go from one to the next. */}
      <div onKeyDown={walkButtons}>
        {titles.length > FEW && (
          <label class="field">
            <span>{said.TITLE_WORDS}</span>
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
        {shown.length === 0 && <p class="faint">{said.NO_TITLE}</p>}
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
              {said.GAME}
              <input
                type="number"
                required
                min={1}
                max={count}
                step={1}
                value={number}
                onInput={(event) => setNumber(Number(event.currentTarget.value))}
              />
              {said.of(count)}
            </label>
            <button type="submit">{said.OPEN_THIS}</button>
          </form>
        )}
        <button type="button" onClick={onBack}>
          {said.BACK}
        </button>
      </div>
    </div>
  );
}
