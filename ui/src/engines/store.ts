import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api } from "../api/client";
import type { ProgramInfo, ProgramList } from "../api/programs";
import { notifyError } from "../widgets/live";

const NONE: ProgramList = { may_add: false, protocols: [], programs: [] };

/** What the server has, by game. */
const lists = signal<Record<string, ProgramList>>({});

/** Asks what there is for a game. */
export async function refresh(game: string): Promise<void> {
  try {
    const list = await api.programs(game);
    lists.value = { ...lists.value, [game]: list };
  } catch (error) {
    notifyError(error);
  }
}

/** Whether the server has answered what there is for a game. */
export const isKnown = (game: string): boolean => game in lists.value;

/** What is known of a game so far. */
export const programsOf = (game: string): ProgramList => lists.value[game] ?? NONE;

/** The programs that play a game. */
export function playing(game: string): ProgramInfo[] {
  return programsOf(game).programs.filter(({ plays }) => plays);
}

/** The programs for a game, asked for when a component that shows them appears. */
export function usePrograms(game: string): ProgramList {
  useEffect(() => void refresh(game), [game]);
  return programsOf(game);
}

const CODE = "outplay.code";

/** The code of the server's owner: this tab knows it until it is closed. */
export const code = signal(keptCode());

function keptCode(): string {
  try {
    return sessionStorage.getItem(CODE) ?? "";
  } catch {
    return "";
  }
}

export function keepCode(next: string): void {
  code.value = next;
  try {
    sessionStorage.setItem(CODE, next);
  } catch {
    // Without storage it is asked for again.
  }
}
