import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import type { Level } from "../api/search";
import type { GameInfo, NewGame, Player } from "../api/types";
import { isTurned, StillBoard } from "../boards/still";
import { firstGame, knownGames, knownName } from "../lib/games";
import { go, hashOf, route } from "../lib/route";
import { stored } from "../lib/stored";
import { useAnswer } from "../lib/use";
import { ChoiceList } from "../widgets/choices";
import { GameIcon } from "../widgets/icons";
import { notifyError } from "../widgets/live";
import { engineOf, Opponent } from "./opponent";
import { Recent } from "./recent";
import { VariantChoice } from "./variant";
import * as words from "./words";

type SideChoice = "0" | "1" | "random" | "watch";

interface Choices {
  game: string;
  side: SideChoice;
  level: number;
  other: number;
  clock: string;
}

const choices = stored<Choices>("play", { game: firstGame(), side: "0", level: 2, other: 2, clock: "" });
/** Minutes for each player, and seconds that each move adds. */
const TIMES = [
  [1, 1],
  [3, 2],
  [5, 3],
  [10, 5],
  [30, 20],
] as const;
const CLOCKS: [string, string][] = [
  ["", words.NO_CLOCK],
  ...TIMES.map(([minutes, seconds]): [string, string] => [
    `${60 * minutes}+${seconds}`,
    words.clock(minutes, seconds),
  ]),
];

export function SetupPage() {
  const games = useAnswer("games", api.gamesList) ?? knownGames();
  const { query } = route.value;
  const [variant, setVariant] = useState("");
  // A position in the address belongs to the game in the address, and to no other that is chosen then.
  const named = knownName(query.get("game") ?? "").split(":")[0] === choices.value.game;
  const from = {
    start: named ? query.get("start") : null,
    moves: named ? (query.get("moves") ?? "").split(",").filter(Boolean) : [],
  };
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    // A link may have chosen already.
    const [game, rules] = knownName(query.get("game") ?? "").split(":");
    if (!game) return;
    setVariant(rules ?? "");
    choices.value = { ...choices.value, game };
  }, [query]);
  const chosen = choices.value;
  const info = games.find((game) => game.name === chosen.game) ?? games[0];
  const levels =
    useAnswer(info?.name ?? "", () => (info ? api.levels(info.name) : Promise.resolve([]))) ?? [];
  const given = from.start !== null || from.moves.length > 0;
  const line = { game: query.get("game") ?? "", ...from };
  const position = useAnswer(JSON.stringify(line), () =>
    given ? api.position(line) : Promise.resolve(null),
  );
  const first = position?.to_move ?? 0;
  const set = (change: Partial<Choices>) => {
    choices.value = { ...choices.value, ...change };
  };
  const begin = async (event: Event) => {
    event.preventDefault();
    if (!info || busy) return;
    setBusy(true);
    try {
      const game = await api.newGame(await request(info, variant, from, choices.value, levels));
      go(hashOf("play", game.id, {}));
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
    }
  };
  if (!info) return <main class="narrow faint">{words.LOADING}</main>;
  const watching = chosen.side === "watch";
  return (
    <main class="setup">
      <form onSubmit={(event) => void begin(event)}>
        <h1>{words.NEW_GAME}</h1>
        <fieldset class="games">
          <legend class="unseen">{words.GAME}</legend>
          {games.map((game) => (
            <label
              key={game.name}
              class={game.name === info.name ? "card chosen" : "card"}
              title={game.title}
            >
              <input
                type="radio"
                name="game"
                value={game.name}
                checked={game.name === info.name}
                onChange={() => {
                  setVariant("");
                  set({ game: game.name });
                }}
              />
              <GameIcon game={game} />
              <span>{game.label}</span>
            </label>
          ))}
        </fieldset>
        <VariantChoice variants={info.variants} value={variant} onChange={setVariant} />
        <fieldset class="segments">
          <legend>{words.YOU_PLAY}</legend>
          {(
            [
              ["0", words.sideChoice(info.players[0], first === 0)],
              ["1", words.sideChoice(info.players[1], first === 1)],
              ["random", words.RANDOM],
              ["watch", words.WATCH],
            ] as const
          ).map(([value, name]) => (
            <label key={value} class={chosen.side === value ? "chosen" : ""}>
              <input
                type="radio"
                name="side"
                value={value}
                checked={chosen.side === value}
                onChange={() => set({ side: value })}
              />
              {name}
            </label>
          ))}
        </fieldset>
        <div class="fields">
          <Opponent
            label={watching ? info.players[0] : words.OPPONENT}
            game={info.name}
            seat="first"
            levels={levels}
            level={chosen.level}
            onChange={(level) => set({ level })}
          />
          {watching && (
            <Opponent
              label={info.players[1]}
              game={info.name}
              seat="second"
              levels={levels}
              level={chosen.other}
              onChange={(other) => set({ other })}
            />
          )}
          <label class="field">
            <span>{words.CLOCK}</span>
            <select value={chosen.clock} onChange={(event) => set({ clock: event.currentTarget.value })}>
              <ChoiceList of={CLOCKS} />
            </select>
          </label>
        </div>
        {position && (
          <div class="row from">
            <span class="small-board">
              <StillBoard position={position} flipped={isTurned(position, chosen.side === "1" ? 1 : 0)} />
            </span>
            <span>
              {words.FROM_POSITION}
              <br />
              <a href={hashOf("play", null, { game: line.game })}>{words.FROM_START}</a>
            </span>
          </div>
        )}
        <button class="primary large" disabled={busy} type="submit">
          {words.START}
        </button>
      </form>
      <Recent />
    </main>
  );
}

async function request(
  info: GameInfo,
  variant: string,
  from: Pick<NewGame, "start" | "moves">,
  chosen: Choices,
  levels: Level[],
): Promise<NewGame> {
  const side = chosen.side === "random" ? (Math.random() < 0.5 ? "0" : "1") : chosen.side;
  const human = side === "watch" ? null : (Number(side) as Player);
  const first = await engineOf(info.name, "first", levels, chosen.level);
  const second = await engineOf(info.name, "second", levels, chosen.other);
  const seats = human === null ? [first, second] : human === 0 ? [null, first] : [first, null];
  // A position that was handed over belongs to the variant that it came from.
  const isFresh = !from.start && !from.moves?.length;
  const rules =
    ownRules(info.name, variant) ||
    (info.variants.lots && isFresh ? String(Math.floor(Math.random() * info.variants.lots)) : "");
  const [seconds, increment] = chosen.clock.split("+").map(Number);
  return {
    game: rules ? `${info.name}:${rules}` : info.name,
    ...from,
    human,
    levels: seats.map((seat) => (seat && "level" in seat ? seat.level : null)),
    engines: seats.map((seat) => (seat && "engine" in seat ? seat.engine : null)),
    clock: seconds ? { seconds, increment: increment ?? 0 } : null,
  };
}

/** The rules of a variant, which people write with the game's name before them, as its help does, or without. */
function ownRules(game: string, variant: string): string {
  const text = variant.trim();
  const prefix = `${game}:`;
  return text.toLowerCase().startsWith(prefix) ? text.slice(prefix.length).trim() : text;
}
