import { useEffect, useState } from "preact/hooks";
import { on, report, search } from "../analyse/engine";
import { Lines } from "../analyse/lines";
import type { ProgramInfo } from "../api/programs";
import type { Report } from "../api/search";
import type { Position } from "../api/types";
import { count, scoreText, seconds } from "../lib/format";
import { shownScore } from "../lib/view";
import { programChoice } from "./choice";
import { compared, compareWith, runComparison, type Verdict, verdict } from "./compare";
import { isOffered, ProgramsWindow } from "./dialog";
import { isKnown, playing } from "./store";
import { agreementWords, COMPARE, MANAGE, NOBODY, ONLY_PLAYS, START_FIRST, thinks, waits } from "./words";
import "../styles/engines.css";

const NONE = "";
const OPEN = "manage";

/** A second engine beside ours on the same position: a program of somebody else's. */
export function ComparePanel({ position }: { position: Position }) {
  useEffect(runComparison, []);
  const [isOpen, setOpen] = useState(false);
  const program = compared.value;
  // The room is there before the answer is, so that nothing below it moves.
  if (isKnown(position.game) && !isOffered(position.game)) return null;
  const said = verdict.value?.about === position ? verdict.value : null;
  return (
    <section class="card-box compare" aria-label="Second engine">
      <label class="row">
        <span>{COMPARE}</span>
        <select
          class="grow"
          value={program ? programChoice(program.id) : NONE}
          onChange={(event) => {
            const choice = event.currentTarget.value;
            if (choice !== OPEN) return compareWith(choice);
            event.currentTarget.value = program ? programChoice(program.id) : NONE;
            setOpen(true);
          }}
        >
          <option value={NONE}>{NOBODY}</option>
          {playing(position.game).map(({ id, name }) => (
            <option key={id} value={programChoice(id)}>
              {name}
            </option>
          ))}
          <option value={OPEN}>{MANAGE}</option>
        </select>
      </label>
      {program && !position.outcome && <Verdicts position={position} program={program} said={said} />}
      {isOpen && (
        <ProgramsWindow
          game={position.game}
          onClose={() => setOpen(false)}
          onAdd={(added) => compareWith(programChoice(added.id))}
        />
      )}
    </section>
  );
}

interface VerdictsProps {
  position: Position;
  program: ProgramInfo;
  said: Verdict | null;
}

function Verdicts({ position, program, said }: VerdictsProps) {
  const theirs = said?.report ?? null;
  const ours = report.value;
  const words = agreement(ours, theirs, program.name);
  const scored = theirs && { ...theirs, lines: theirs.lines.filter((one) => one.score) };
  return (
    <>
      <div class="verdicts">
        <Side name={`Outplay (${search.value?.name ?? "…"})`} found={ours} position={position} />
        <Side name={program.name} found={theirs} position={position} />
      </div>
      <p class="faint" role="status">
        {said?.trouble || words || status(said, program)}
      </p>
      {scored && scored.lines.length > 0 && <Lines position={position} report={scored} />}
    </>
  );
}

/** One engine's verdict: its move and what that is worth. */
function Side({ name, found, position }: { name: string; found: Report | null; position: Position }) {
  const best = found?.lines[0];
  const style = position.style.scores;
  return (
    <div>
      <h3 title={name}>{name}</h3>
      <p class="best-move">
        {best?.moves[0] ?? "–"}
        {best?.score && (
          <span class="score">{scoreText(shownScore(best.score, position.to_move), style)}</span>
        )}
      </p>
      {found && best && (
        <small class="faint">
          {best.score
            ? `depth ${found.depth} · ${count(found.nodes)} nodes · ${seconds(found.seconds)}`
            : `${ONLY_PLAYS} · ${seconds(found.seconds)}`}
        </small>
      )}
    </div>
  );
}

function status(said: Verdict | null, program: ProgramInfo): string {
  if (said && said.queued > 0) return waits(said.queued);
  if (said?.running) return thinks(program.name);
  return on.value ? "" : START_FIRST;
}

/** Whether both choose the same move. */
function agreement(ours: Report | null, theirs: Report | null, name: string): string {
  const own = ours?.lines[0]?.moves[0];
  const other = theirs?.lines[0]?.moves[0];
  if (!own || !other) return "";
  return agreementWords(own, other, name);
}
