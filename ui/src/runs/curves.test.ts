import { expect, test } from "vitest";
import type { Run } from "../api/runs";
import { aligned, chartsOf, moreChartsOf, placeText, spread } from "./curves";

const run = (part: Partial<Run>): Run => ({
  name: "one",
  game: "g",
  label: "G",
  generation: 2,
  games_bytes: 0,
  quiet_seconds: 0,
  version: "",
  settings: {},
  generations: [0, 1, 2],
  played: [0, 1],
  metrics: [],
  ratings: [],
  ...part,
});
const metrics = [
  { generation: 1, policy_loss: 2, games: 20, play_seconds: 3, train_seconds: 1 },
  { generation: 2, policy_loss: 1.5, value_loss: null, games: 20, play_seconds: 4, train_seconds: 2 },
];
const points = (charts: ReturnType<typeof chartsOf>, title: string) =>
  charts
    .find((chart) => chart.title === title)
    ?.curves.map((curve) => curve.points.map(({ x, y }) => [x, y]));

test("figures stand over generations, or over the seconds and games of the whole run", () => {
  const all = [run({ metrics })];
  expect(points(chartsOf(all, "generations"), "Policy loss")).toEqual([
    [
      [1, 2],
      [2, 1.5],
    ],
  ]);
  expect(points(chartsOf(all, "seconds"), "Policy loss")).toEqual([
    [
      [4, 2],
      [10, 1.5],
    ],
  ]);
  expect(points(chartsOf(all, "games"), "Policy loss")).toEqual([
    [
      [20, 2],
      [40, 1.5],
    ],
  ]);
});

test("what a run does not know has no chart, and what is no number no point", () => {
  const titles = chartsOf([run({ metrics })], "generations").map(({ title }) => title);
  expect(titles).toEqual(["Policy loss"]);
  expect(chartsOf([run({})], "games")).toEqual([]);
});

test("a run's own sums count more than ours", () => {
  const told = metrics.map((figures, index) => ({
    ...figures,
    seconds: 100 * (index + 1),
    total_games: 7 + index,
  }));
  expect(points(chartsOf([run({ metrics: told })], "seconds"), "Policy loss")).toEqual([
    [
      [100, 2],
      [200, 1.5],
    ],
  ]);
  expect(points(chartsOf([run({ metrics: told })], "games"), "Policy loss")).toEqual([
    [
      [7, 2],
      [8, 1.5],
    ],
  ]);
});

test("figures that nobody has heard of have charts as well, and words have none", () => {
  const told = metrics.map((figures) => ({ ...figures, reply_loss: 3, comment: "fine" }));
  const more = moreChartsOf([run({ metrics: told })], "generations");
  expect(more.map(({ title }) => title)).toEqual(["Reply loss"]);
});

test("each opponent has a curve of its own, with its intervals", () => {
  const ratings = [
    {
      generation: 2,
      opponent: "UCT",
      playouts: 100,
      elo: 61,
      elo_error: 98,
      play_seconds: 9,
      total_games: 40,
    },
    {
      generation: 1,
      opponent: "UCT",
      playouts: 100,
      elo: -20,
      play_seconds: 4,
      train_seconds: 1,
      total_games: 20,
    },
    { generation: 2, opponent: "random", elo: 400, elo_error: 200, play_seconds: 9, total_games: 40 },
    { generation: 1, opponent: "random", elo: null },
  ];
  const [rating] = chartsOf([run({ ratings })], "seconds");
  expect(rating?.curves).toEqual([
    {
      name: "against UCT, with 100 playouts",
      run: 0,
      nth: 0,
      points: [
        { x: 5, y: -20 },
        { x: 9, y: 61, error: 98 },
      ],
    },
    { name: "against random", run: 0, nth: 1, points: [{ x: 9, y: 400, error: 200 }] },
  ]);
});

test("several runs are told apart by name and share one row of places", () => {
  const other = run({
    name: "two",
    metrics: [
      { generation: 2, policy_loss: 1 },
      { generation: 5, policy_loss: 0.5 },
    ],
  });
  const chart = chartsOf([run({ metrics }), other], "generations").find(
    ({ title }) => title === "Policy loss",
  )!;
  expect(chart.curves.map(({ name, run }) => [name, run])).toEqual([
    ["one", 0],
    ["two", 1],
  ]);
  expect(aligned(chart.curves)).toEqual([
    [1, 2, 5],
    [2, 1.5, null],
    [null, 1, 0.5],
  ]);
});

test("of many generations some are asked, from the first to the last", () => {
  expect(spread([3, 4, 5], 3)).toEqual([3, 4, 5]);
  const some = spread(
    Array.from({ length: 1000 }, (_, index) => index),
    40,
  );
  expect([some.length, new Set(some).size, some[0], some.at(-1)]).toEqual([40, 40, 0, 999]);
});

test("seconds become minutes and hours", () => {
  expect([0.5, 90, 600, 9000].map((value) => placeText(value, "seconds"))).toEqual([
    "0.5 s",
    "90 s",
    "10 min",
    "2.5 h",
  ]);
  expect([7, 20_000].map((value) => placeText(value, "games"))).toEqual(["7", "20k"]);
});
