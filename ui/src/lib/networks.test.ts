import { expect, test } from "vitest";
import type { NetworkInfo, Opinion, SearchInfo } from "../api/search";
import type { Position } from "../api/types";
import { chosenNetwork, networkChoice, ownerOverlay, percent, policyOverlay, searchWith } from "./networks";

const move = (probability: number, to: string | null, from: string | null = null) => ({
  move: `${from ?? ""}${to}`,
  text: `${to}`,
  probability,
  from,
  to,
});
const opinion = (part: Partial<Opinion>): Opinion => ({
  network: "n",
  wdl: [0.5, 0.3, 0.2],
  score: 0,
  policy: [],
  ...part,
});

test("a network is told from a search by its choice, whatever it is called", () => {
  for (const name of ["a", "network:b", "mcts"]) expect(chosenNetwork(networkChoice(name))).toBe(name);
  expect(chosenNetwork("mcts")).toBeNull();
});

test("options that a network settles are not offered beside it", () => {
  const option = (name: string) => ({ name, kind: "bool" as const, default: false, help: "" });
  const search: SearchInfo = {
    name: "mcts",
    title: "",
    for_experts: false,
    summary: "",
    options: [option("evaluation"), option("fpu")],
  };
  const network: NetworkInfo = { name: "n", search: "mcts", options: { evaluation: "net", network: "n" } };
  expect(searchWith(network, [search])?.options.map(({ name }) => name)).toEqual(["fpu"]);
  expect(searchWith(network, [])).toBeNull();
});

test("percents are short", () => {
  expect([1, 0.123, 0.0996, 0.0123, 0.0004, 0].map(percent)).toEqual([
    "100%",
    "12%",
    "10%",
    "1.2%",
    "<0.1%",
    "0%",
  ]);
});

test("moves of pieces are arrows, stones are shaded cells, and a pass or next to nothing is not drawn", () => {
  const stones = policyOverlay(
    opinion({ policy: [move(0.8, "d3"), move(0.19, null), move(0.008, "c4"), move(0.002, "e6")] }),
  );
  expect(stones.shares).toEqual([
    { cell: "d3", strength: 1, text: "80%" },
    { cell: "c4", strength: 0.008 / 0.8, text: "0.8%" },
  ]);
  expect(stones.arrows).toEqual([]);
  const pieces = policyOverlay(opinion({ policy: [move(0.6, "e4", "e2"), move(0.4, "d4", "d2")] }));
  expect(pieces.arrows?.map(({ from, rank }) => [from, rank])).toEqual([
    ["e2", 0],
    ["d2", 1],
  ]);
  expect(pieces.shares).toEqual([]);
});

test("cells are drawn for whoever will own them", () => {
  const position = { to_move: 1 } as Position;
  const said = opinion({
    ownership: [
      { cell: "a1", value: 0.75 },
      { cell: "b1", value: -0.5 },
    ],
  });
  expect(ownerOverlay(said, position).owners).toEqual([
    { cell: "a1", player: 1, strength: 0.75 },
    { cell: "b1", player: 0, strength: 0.5 },
  ]);
});
