import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import type { Run } from "../api/runs";
import type { Position } from "../api/types";
import { viewer } from "../lib/view";
import { CurveChart } from "./chart";
import { type Point, spread } from "./curves";
import * as words from "./words";

/** So many generations are asked, at most. */
const MOST_ASKED = 40;
/** Whoever plays several moves in a row is not interested in what lies between. */
const PAUSE_MS = 400;

/** What was said already: the expected result of the player to move. The network of a generation never changes. */
const said = new Map<string, Promise<number | null>>();
const MOST_KEPT = 5000;

function expected(run: string, generation: number, moves: string[]): Promise<number | null> {
  const key = JSON.stringify([run, generation, moves]);
  let answer = said.get(key);
  if (!answer) {
    answer = api.runOpinion(run, generation, moves).then((opinion) => {
      return opinion && opinion.wdl[0] + opinion.wdl[1] / 2;
    });
    said.set(key, answer);
    answer.catch(() => said.delete(key));
    if (said.size > MOST_KEPT) said.delete(said.keys().next().value!);
  }
  // A generation that cannot be asked is left out of the curve; the slider says what is wrong with it.
  return answer.catch(() => null);
}

/** The expected result of a position, as each generation sees it. */
export function ValueCurve({ run, position }: { run: Run; position: Position }) {
  const moves = position.moves.map(({ move }) => move);
  const key = JSON.stringify([run.name, moves]);
  const [known, setKnown] = useState<{ key: string; points: Point[] }>({ key, points: [] });
  useEffect(() => {
    let current = true;
    const ask = async () => {
      const points: Point[] = [];
      // One after the other: others want to know something as well.
      for (const generation of spread(run.generations, MOST_ASKED)) {
        const y = await expected(run.name, generation, moves);
        if (!current) return;
        if (y !== null) points.push({ x: generation, y });
      }
      setKnown({ key, points });
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key, run.generations.length]);
  if (known.key !== key || known.points.length < 2) return null;
  const view = viewer(position.to_move);
  const points = view === position.to_move ? known.points : known.points.map(({ x, y }) => ({ x, y: 1 - y }));
  const chart = {
    title: words.expected(position.players[view]),
    about: words.EXPECTED_ABOUT,
    curves: [{ name: run.name, run: 0, nth: 0, points }],
    shares: true,
  };
  return <CurveChart chart={chart} axis="generations" />;
}
