import { signal } from "@preact/signals";
import { api } from "../api/client";
import type { Run, RunSummary } from "../api/runs";

const BETWEEN_LOOKS_MS = 3000;
/** A run that has added something so lately is taken to go on. */
const LIVELY_SECONDS = 60;

export const summaries = signal<RunSummary[] | null>(null);
/** What is known of the chosen runs, by name. */
export const known = signal<ReadonlyMap<string, Run>>(new Map());
/** Why there is nothing newer. */
export const trouble = signal("");

export const isLively = ({ quiet_seconds }: RunSummary) =>
  quiet_seconds !== null && quiet_seconds < LIVELY_SECONDS;

async function look(names: string[]): Promise<void> {
  const [all, ...runs] = await Promise.all([
    api.runs(),
    ...names.map((name) => api.run(name, known.value.get(name)?.version ?? "")),
  ]);
  summaries.value = all!;
  const next = new Map(known.value);
  for (const run of runs) if (run) next.set(run.name, run);
  if (runs.some((run) => run !== null)) known.value = next;
}

/** Looks after the list of runs and those that are chosen, again and again while the page is seen. Returns what ends that. */
export function follow(names: string[]): () => void {
  let timer = 0;
  let ended = false;
  const again = async () => {
    if (!document.hidden || summaries.value === null) {
      try {
        await look(names);
        trouble.value = "";
      } catch (error) {
        trouble.value = (error as Error).message;
      }
    }
    if (!ended) timer = window.setTimeout(() => void again(), BETWEEN_LOOKS_MS);
  };
  void again();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
