import { computed, effect, signal } from "@preact/signals";
import { limit, on, settings } from "../analyse/engine";
import { position, study } from "../analyse/store";
import type { ProgramInfo } from "../api/programs";
import type { Report } from "../api/search";
import { analyse } from "../api/socket";
import type { Position } from "../api/types";
import { stored } from "../lib/stored";
import { chosenProgram, limitFor } from "./choice";
import { playing, refresh } from "./store";

/** The choice by game; what is not named is compared with nobody. */
const choices = stored<Record<string, string>>("compared", {});

/** What a program says of the position on the board. */
export interface Verdict {
  about: Position;
  /** Null until it has said something. */
  report: Report | null;
  trouble: string;
  running: boolean;
  /** Its place in line, while it waits. */
  queued: number;
}

export const verdict = signal<Verdict | null>(null);

const base = computed(() => study.value.game.split(":")[0]!);

/** The program that is compared with, if one was chosen that is there. */
export const compared = computed<ProgramInfo | undefined>(() =>
  chosenProgram(playing(study.value.game), choices.value[base.value] ?? ""),
);

export function compareWith(choice: string): void {
  choices.value = { ...choices.value, [base.value]: choice };
}

/** What programs have said, by who, where, and for how much. */
const heard = new Map<string, Report>();
const KEPT = 500;

function keep(key: string, report: Report): void {
  heard.set(key, report);
  if (heard.size > KEPT) heard.delete(heard.keys().next().value!);
}

/** Asks the chosen program about the position on the board while the engine is switched on. Returns what ends that. */
export function runComparison(): () => void {
  const endLists = effect(() => void refresh(study.value.game));
  const endRuns = effect(() => {
    const about = position.value;
    const program = compared.value;
    if (!about || !program || about.outcome) {
      verdict.value = null;
      return;
    }
    const budget = limitFor(program, limit.value);
    const { lines } = settings.value;
    const key = JSON.stringify([program.id, about.game, about.position, lines, budget]);
    const known = heard.get(key) ?? null;
    const tell = (part: Partial<Verdict>) => {
      // Peeked at: what is told here is no reason to ask again.
      const last = verdict.peek();
      const before = last?.about === about ? last : null;
      const blank = { report: known, trouble: "", running: false, queued: 0 };
      verdict.value = { ...blank, ...before, ...part, about };
    };
    const asks = on.value && !known;
    tell({ report: known, trouble: "", running: asks, queued: 0 });
    if (!asks) return;
    const { game, start, moves } = about;
    let latest: Report | null = null;
    return analyse(
      {
        game,
        start,
        moves: moves.map(({ move }) => move),
        program: { id: program.id },
        search: "",
        options: {},
        lines,
        limit: budget,
      },
      {
        queued: (place) => tell({ queued: place }),
        report: (report) => {
          latest = report;
          tell({ report });
        },
        done: () => {
          if (latest) keep(key, latest);
          tell({ running: false });
        },
        error: (trouble) => tell({ running: false, trouble }),
      },
    );
  });
  return () => {
    endLists();
    endRuns();
  };
}
