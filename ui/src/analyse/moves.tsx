import { useEffect, useRef } from "preact/hooks";
import type { Fault } from "../api/review";
import { markText, SIGNS } from "../lib/marks";
import { drawnIn, factsIn, withDrawn, withWords, wordsOf } from "../lib/notes";
import { FAULT_SIGN } from "../lib/review";
import { node, pathTo, ROOT, type Run, runFrom } from "../lib/tree";
import { faults } from "./review";
import { comment, goTo, markHere, position, promoteHere, removeHere, study } from "./store";
import * as said from "./words";

/** The move tree as text: the main line, with variations set in below the move that they replace. */
export function TreeView() {
  const { tree, at } = study.value;
  const box = useRef<HTMLDivElement>(null);
  // The list follows the move on the board.
  useEffect(() => {
    const list = box.current;
    const current = list?.querySelector<HTMLElement>(".current");
    if (list) list.scrollTop = current ? current.offsetTop - list.clientHeight / 2 : 0;
  }, [at]);
  const here = node(tree, at).comment;
  const facts = factsIn(here);
  const isMain = pathTo(tree, at).every(({ id, parent }) => node(tree, parent ?? ROOT).children[0] === id);
  const [first, ...others] = node(tree, ROOT).children;
  const run = first === undefined ? null : runFrom(tree, first);
  if (run?.moves[0]) run.moves[0].sides = others.map((side) => runFrom(tree, side));
  return (
    <section class="card-box tree" aria-label={said.MOVES}>
      <Heading />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keys. */}
      <div class="tree-moves" ref={box} tabIndex={0} role="region" aria-label={said.MOVE_TREE}>
        <button type="button" class={at === ROOT ? "move current" : "move"} onClick={() => goTo(ROOT)}>
          {said.START}
        </button>
        <Words of={node(tree, ROOT).comment} />
        {run && <RunView run={run} main />}
      </div>
      <label class="comment-field">
        <span class="unseen">{said.COMMENT}</span>
        <textarea
          rows={1}
          placeholder={said.COMMENT}
          value={wordsOf(here)}
          onInput={({ currentTarget: { value } }) => comment((before) => withWords(before, value))}
        />
      </label>
      {facts.length > 0 && <p class="faint facts">{facts.join(", ")}</p>}
      {drawnIn(here).length > 0 && (
        <div class="row small-buttons">
          <button type="button" onClick={() => comment((before) => withDrawn(before, []))}>
            {said.ERASE_DRAWN}
          </button>
        </div>
      )}
      {at !== ROOT && (
        <div class="row small-buttons">
          <div class="row signs" role="group" aria-label={said.MARK}>
            {SIGNS.map(([mark, sign, words]) => (
              <button
                key={mark}
                type="button"
                aria-label={words}
                title={words}
                aria-pressed={node(tree, at).marks?.includes(mark) ?? false}
                onClick={() => markHere(mark)}
              >
                {sign}
              </button>
            ))}
          </div>
          {!isMain && (
            <button type="button" onClick={promoteHere}>
              {said.MAKE_MAIN}
            </button>
          )}
          <button type="button" onClick={removeHere}>
            {said.REMOVE}
          </button>
        </div>
      )}
    </section>
  );
}

function Words({ of }: { of: string }) {
  const words = wordsOf(of).trim();
  return words ? <span class="comment">{words}</span> : null;
}

/** Who played and how it ended, where a file has said it. */
function Heading() {
  const { tags = {}, result } = study.value;
  const names = position.value?.player_tags.map((tag) => tags[tag]);
  if (!names?.every(Boolean)) return null;
  const score = result && (result.winner === null ? "½–½" : result.winner === 0 ? "1–0" : "0–1");
  return (
    <p class="game-heading">
      {names.join(" – ")} {score}
    </p>
  );
}

/** The number before a move: of full moves or of turns, as the game counts. Where a line begins in the middle of one, it is said. */
function numberText({ node: move, turn, opens }: Run["moves"][number], begins: boolean): string {
  if (!position.value?.style.scores.full_moves) return opens ? `${turn}.` : begins ? `${turn}…` : "";
  // The second player may have begun.
  const number = Math.ceil((turn + ((turn + move.player + 1) % 2)) / 2);
  if (move.player === 0) return `${number}.`;
  return begins ? `${number}…` : "";
}

/** What people said of a move; the review's opinion stands where nobody said anything. */
function Signs({ marks = [], fault }: { marks?: number[]; fault?: Fault | null }) {
  const text = marks.length > 0 ? marks.map(markText).join(" ") : fault ? FAULT_SIGN[fault] : "";
  return text ? <span class="fault">{text}</span> : null;
}

function RunView({ run, main }: { run: Run; main?: boolean }) {
  let begins = true;
  return (
    <span class={main ? "run main" : "run"}>
      {run.moves.map((one) => {
        const { node: move, sides } = one;
        const fault = faults.value.get(move.id)?.mark;
        const number = numberText(one, begins);
        begins = sides.length > 0 || wordsOf(move.comment).trim() !== "";
        return (
          <span key={move.id}>
            {number && <span class="number">{number}</span>}
            <button
              type="button"
              class={`move ${fault ?? ""} ${move.id === study.value.at ? "current" : ""}`}
              aria-current={move.id === study.value.at ? "true" : undefined}
              onClick={() => goTo(move.id)}
            >
              {move.text}
              <Signs marks={move.marks} fault={fault} />
            </button>
            <Words of={move.comment} />
            {sides.map((side) => (
              <div class="variation" key={side.moves[0]!.node.id}>
                <RunView run={side} />
              </div>
            ))}
          </span>
        );
      })}
    </span>
  );
}
