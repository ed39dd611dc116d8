import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { ApiError, api } from "../api/client";
import type { ProgramInfo } from "../api/programs";
import { ChoiceList } from "../widgets/choices";
import { DeleteButton } from "../widgets/delete";
import { Dialog } from "../widgets/dialog";
import { notifyError, sentenceOf } from "../widgets/live";
import { commandWords, optionLines } from "./choice";
import { code, keepCode, programsOf, refresh, usePrograms } from "./store";
import * as words from "./words";
import "../styles/engines.css";

const BLANK = { program: "", words: "", proto: "", name: "", dir: "", columns: "with-i", options: "" };

/** What was typed as the code, until it has proved right. */
const typed = signal("");
const codeToTry = () => code.value || typed.value.trim();

interface WindowProps {
  game: string;
  onClose: () => void;
  /** Hears of a program that was added. */
  onAdd?: (program: ProgramInfo) => void;
}

/** The programs of other people that this server can run: they are added, tried and removed here. */
export function ProgramsWindow({ game, onClose, onAdd }: WindowProps) {
  const { may_add, protocols, programs } = usePrograms(game);
  const canAdd = may_add && protocols.length > 0;
  return (
    <Dialog title={words.PROGRAMS} onClose={onClose}>
      <p class="faint">{words.ABOUT}</p>
      {programs.length > 0 && (
        <ul class="plain programs" aria-label="Programs">
          {programs.map((program) => (
            <ProgramRow key={program.id} program={program} game={game} />
          ))}
        </ul>
      )}
      {canAdd && <AddForm key={protocols.join()} game={game} protocols={protocols} onAdd={onAdd} />}
      {may_add && !canAdd && <p>{words.NO_PROTOCOL}</p>}
      {!may_add && <p>{words.NOT_OWNER}</p>}
    </Dialog>
  );
}

interface Words {
  text: string;
  failed?: boolean;
}

/** What came of a try, brought into view: the window may be taller than the screen. */
function Said({ said }: { said: Words | null }) {
  const show = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });
  return (
    said && (
      <p key={said.text} ref={show} class={said.failed ? "failed" : "passed"} role="status">
        {said.text}
      </p>
    )
  );
}

function ProgramRow({ program, game }: { program: ProgramInfo; game: string }) {
  const [said, setSaid] = useState<Words | null>(null);
  const [busy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    setSaid(null);
    try {
      setSaid({ text: words.triedWords(await api.testProgram(program.id, game)) });
    } catch (error) {
      setSaid({ text: sentenceOf(error), failed: true });
    } finally {
      setBusy(false);
    }
  };
  const remove = async () => {
    const known = codeToTry();
    try {
      await api.removeProgram(program.id, known);
      keepCode(known);
      await refresh(game);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "wrong_code")) return notifyError(error);
      keepCode("");
      setSaid({ text: words.CODE_FIRST, failed: true });
    }
  };
  return (
    <li>
      <div class="row">
        <div class="grow">
          <strong>{program.name}</strong>
          <small class="faint">
            {words.PROTOCOLS[program.protocol] ?? program.protocol} · {program.command}
            {!program.plays && words.OTHER_GAME}
          </small>
        </div>
        {program.plays && (
          <button type="button" disabled={busy} onClick={() => void test()}>
            {busy ? words.TRYING : words.TEST}
          </button>
        )}
        {!program.given && <DeleteButton what={program.name} onDelete={() => void remove()} />}
      </div>
      <Said said={said} />
    </li>
  );
}

interface AddProps {
  game: string;
  protocols: string[];
  onAdd?: (program: ProgramInfo) => void;
}

function AddForm({ game, protocols, onAdd }: AddProps) {
  const [fields, setFields] = useState({ ...BLANK, proto: protocols[0] ?? "" });
  const [said, setSaid] = useState<Words | null>(null);
  const [busy, setBusy] = useState(false);
  const set = (part: Partial<typeof BLANK>) => setFields({ ...fields, ...part });
  const add = async (event: Event) => {
    event.preventDefault();
    const option = optionLines(fields.options);
    if (!option) {
      setSaid({ text: words.BAD_OPTIONS, failed: true });
      return;
    }
    const known = codeToTry();
    setBusy(true);
    setSaid(null);
    try {
      const { name, dir, proto, columns } = fields;
      const given = { ...(name.trim() && { name: name.trim() }), ...(dir.trim() && { dir: dir.trim() }) };
      const cmd = [fields.program.trim(), ...commandWords(fields.words)];
      const lettered = proto === "gtp" ? { columns } : {};
      const added = await api.addProgram({ game, cmd, proto, option, ...given, ...lettered }, known);
      keepCode(known);
      await refresh(game);
      setFields({ ...BLANK, proto });
      setSaid({ text: words.addedWords(added.tried) });
      onAdd?.(added.program);
    } catch (error) {
      if (error instanceof ApiError && error.code === "wrong_code") keepCode("");
      setSaid({ text: sentenceOf(error), failed: true });
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="add-program" onSubmit={(event) => void add(event)}>
      <h3>{words.ADD}</h3>
      <label class="field">
        <span>{words.PROGRAM}</span>
        <input
          required
          autofocus
          value={fields.program}
          placeholder={words.PROGRAM_HINT}
          onInput={(event) => set({ program: event.currentTarget.value })}
        />
      </label>
      <label class="field">
        <span>{words.PROTOCOL}</span>
        <select value={fields.proto} onChange={(event) => set({ proto: event.currentTarget.value })}>
          <ChoiceList of={protocols.map((name) => [name, words.PROTOCOLS[name] ?? name])} />
        </select>
      </label>
      <details class="options">
        <summary>{words.MORE}</summary>
        <label class="field">
          <span>{words.ARGUMENTS}</span>
          <input value={fields.words} onInput={(event) => set({ words: event.currentTarget.value })} />
        </label>
        {fields.proto === "gtp" && (
          <label class="field">
            <span>{words.LETTERS}</span>
            <select value={fields.columns} onChange={(event) => set({ columns: event.currentTarget.value })}>
              <ChoiceList of={words.COLUMNS} />
            </select>
          </label>
        )}
        <label class="field">
          <span>{words.OPTIONS}</span>
          <textarea
            rows={2}
            value={fields.options}
            placeholder={words.OPTIONS_HINT}
            onInput={(event) => set({ options: event.currentTarget.value })}
          />
        </label>
        <label class="field">
          <span>{words.FOLDER}</span>
          <input value={fields.dir} onInput={(event) => set({ dir: event.currentTarget.value })} />
        </label>
        <label class="field">
          <span>{words.NAME}</span>
          <input value={fields.name} onInput={(event) => set({ name: event.currentTarget.value })} />
        </label>
      </details>
      {!code.value && (
        <label class="field">
          <span>{words.CODE}</span>
          <input
            required
            value={typed.value}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
            }}
          />
          <small>{words.ABOUT_CODE}</small>
        </label>
      )}
      <button class="primary" type="submit" disabled={busy}>
        {busy ? words.TRYING : words.TRY_AND_ADD}
      </button>
      <Said said={said} />
    </form>
  );
}

/** Whether there is anything to choose, or to add, for a game. */
export function isOffered(game: string): boolean {
  const { may_add, protocols, programs } = programsOf(game);
  return programs.some(({ plays }) => plays) || (may_add && protocols.length > 0);
}
