import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import type { Position } from "../api/types";
import { Board } from "../boards/board";
import { isTurned } from "../boards/still";
import { TypedMove } from "../boards/typed";
import type { Overlay } from "../boards/types";
import { ComparePanel } from "../engines/compare-panel";
import { ExplorerPanel, toggleExplorer } from "../explore/panel";
import type { Drawn } from "../lib/drawn";
import { drawnIn, withDrawn } from "../lib/notes";
import { lineOf, route } from "../lib/route";
import { node } from "../lib/tree";
import { mustPass } from "../lib/turns";
import { useAnswer, useKeys } from "../lib/use";
import { GameChoices } from "../widgets/choices";
import { Icon } from "../widgets/icon";
import { OpeningName } from "../widgets/opening";
import { Bar } from "./bar";
import { Editor } from "./editor";
import { report, runEngine } from "./engine";
import { EnginePanel, toggle } from "./engine-panel";
import { learnHash, OpenWindow, playHash, ShareAnalysis, watchHash } from "./exchange";
import { Graph } from "./graph";
import { clear, preview } from "./lines";
import { TreeView } from "./moves";
import { NetworkPanel, networkOverlay, runNetwork } from "./network";
import { reportOverlay, solutionOverlay } from "./overlay";
import { replyOverlay, runReply, toggle as toggleReply } from "./reply";
import { isSeeking, retry } from "./retry";
import { jump, reviewSoon } from "./review";
import { ReviewPanel } from "./review-panel";
import { abandonSolving, SolverPanel, solvedFor, solvedOverlay, solveHere } from "./solver";
import {
  changeGame,
  comment,
  follow,
  goSideways,
  goToLine,
  goToPly,
  isShown,
  line,
  open,
  play,
  ply,
  position,
  redo,
  removeHere,
  study,
  takeHeaders,
  undo,
} from "./store";
import { StudyPanel } from "./studies";
import { showThreats, solutionFor, ThreatPanel } from "./threats";
import * as words from "./words";
import "../styles/analyse.css";

/** Opens what the address names, unless it is open already. False until that has been tried: nothing else is to be seen before. */
function useAddress(): boolean {
  const { query } = route.value;
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const wanted = lineOf(query);
    const at = query.has("at") ? Number(query.get("at")) : undefined;
    const from = query.get("from");
    const isOpen = !wanted || goToLine(wanted, at);
    void (isOpen ? Promise.resolve(true) : open(wanted, at)).then((opened) => {
      setSettled(true);
      if (opened && from) void takeHeaders(from);
      if (opened && query.has("review")) reviewSoon();
    });
  }, [query]);
  return settled;
}

export function AnalysePage() {
  const settled = useAddress();
  useEffect(() => (settled ? follow() : undefined), [settled]);
  useEffect(runEngine, []);
  useEffect(runNetwork, []);
  useEffect(runReply, []);
  const here = position.value;
  if (!settled || !here) return <main class="narrow faint">{words.LOADING}</main>;
  return <AnalyseView position={here} />;
}

function usePreview(here: Position): Position | null {
  const moves = preview.value;
  const base = line.value;
  const key = JSON.stringify([here.position, moves]);
  // What cannot be shown is not worth a message.
  return useAnswer(key, () =>
    moves
      ? api.position({ ...base, moves: [...base.moves, ...moves] }).catch(() => null)
      : Promise.resolve(null),
  );
}

function AnalyseView({ position: here }: { position: Position }) {
  const games = useAnswer("games", api.gamesList) ?? [];
  const [flipped, setFlipped] = useState(false);
  const [window, setWindow] = useState<"open" | "share" | "edit" | null>(null);
  useEffect(() => abandonSolving, [here.position]);
  const seen = usePreview(here);
  const known = report.value;
  const solved = solvedFor(here);
  const drawing = {
    marks: drawnIn(node(study.value.tree, study.value.at).comment),
    keep: (marks: Drawn[]) => comment((before) => withDrawn(before, marks)),
  };
  // Nothing is to give a better move away while somebody looks for it.
  const seeking = isSeeking.value;
  // Whoever looks for better moves sees the board as the player did.
  const student = retry.value?.player;
  const retrying = student !== undefined;
  useEffect(() => {
    if (student !== undefined) setFlipped(isTurned(here, student));
  }, [student]);
  const overlay: Overlay =
    seen || seeking
      ? {}
      : {
          ...(networkOverlay(here) ?? (solved ? solvedOverlay(here, solved) : reportOverlay(here, known))),
          ...solutionOverlay(here, solutionFor(here)),
        };
  if (!seen && showThreats.value && here.threats) {
    overlay.windows = here.threats.windows;
    overlay.blocks = here.threats.blocks;
  }
  if (!seen && !seeking) overlay.threats = replyOverlay();
  if (overlay.sequence) overlay.values = [];
  useKeys({
    ArrowLeft: () => goToPly(ply.value - 1),
    ArrowRight: () => goToPly(ply.value + 1),
    ArrowUp: () => goSideways(-1),
    ArrowDown: () => goSideways(1),
    Home: () => goToPly(0),
    End: () => goToPly(Number.MAX_SAFE_INTEGER),
    a: toggle,
    n: () => jump(1),
    N: () => jump(-1),
    t: () => {
      showThreats.value = !showThreats.value;
    },
    x: toggleReply,
    f: () => setFlipped(!flipped),
    o: toggleExplorer,
    s: () => solveHere(here),
    Delete: removeHere,
    "Ctrl+z": undo,
    "Ctrl+y": redo,
    "Ctrl+Z": redo,
  });
  const base = study.value.game.split(":")[0]!;
  return (
    <main class="analysis">
      <h1 class="unseen">{words.analysisOf(here.label)}</h1>
      <div class="board-column">
        <div class="row toolbar">
          <label>
            <span class="unseen">{words.GAME}</span>
            <select value={base} onChange={(event) => changeGame(event.currentTarget.value)}>
              <GameChoices games={games} />
            </select>
          </label>
          <button type="button" onClick={() => setWindow("open")}>
            {words.OPEN}
          </button>
          <button type="button" onClick={() => setWindow("edit")}>
            {words.SET_UP}
          </button>
          <button type="button" onClick={() => setWindow("share")}>
            {words.SHARE}
          </button>
          <a class="button" href={playHash()} aria-label={words.PLAY_TITLE} title={words.PLAY_TITLE}>
            {words.PLAY}
          </a>
          <a class="button" href={learnHash()} title={words.EXPLAIN_TITLE}>
            {words.EXPLAIN}
          </a>
          <a class="button" href={watchHash()} aria-label={words.WATCH_TITLE} title={words.WATCH_TITLE}>
            {words.WATCH}
          </a>
        </div>
        <div class="board-and-bar" onPointerDown={clear}>
          <Bar position={here} report={known} flipped={flipped} />
          <Board
            position={seen ?? here}
            flipped={flipped}
            onMove={seen ? undefined : play}
            overlay={overlay}
            drawing={seen || !isShown.value ? undefined : drawing}
            late={!isShown.value}
            label={words.boardLabel(here.game)}
          />
        </div>
        <div class="row stepper">
          <Step label={words.FIRST_POSITION} icon="first" onClick={() => goToPly(0)} />
          <Step label={words.ONE_BACK} icon="back" onClick={() => goToPly(ply.value - 1)} />
          <Step label={words.ONE_FORWARD} icon="forward" onClick={() => goToPly(ply.value + 1)} />
          <Step label={words.LAST_POSITION} icon="last" onClick={() => goToPly(Number.MAX_SAFE_INTEGER)} />
          <Step label={words.FLIP} icon="flip" onClick={() => setFlipped(!flipped)} />
        </div>
        <p class="standing">
          {here.outcome ? here.outcome.text : words.toMove(here.players[here.to_move])}
          {here.stones_left !== null && !here.outcome && words.stonesLeft(here.stones_left)}
          <OpeningName position={here} />
        </p>
        {mustPass(here) && (
          <button type="button" onClick={() => play(here.legal[0]!)}>
            {words.mustPass(here.players[here.to_move])}
          </button>
        )}
      </div>
      <aside class="panel">
        <TypedMove legal={here.legal} onMove={play} late={!isShown.value} />
        {!retrying && <EnginePanel position={here} />}
        <TreeView />
        <ReviewPanel />
        <Graph />
        {!retrying && (
          <>
            <ComparePanel position={here} />
            <ExplorerPanel position={here} />
            <ThreatPanel position={here} />
            <SolverPanel position={here} />
            <NetworkPanel position={here} />
          </>
        )}
        <StudyPanel />
      </aside>
      {window === "open" && <OpenWindow games={games} onClose={() => setWindow(null)} />}
      {window === "edit" && <Editor onClose={() => setWindow(null)} />}
      {window === "share" && <ShareAnalysis flipped={flipped} onClose={() => setWindow(null)} />}
    </main>
  );
}

interface StepProps {
  label: string;
  icon: "first" | "back" | "forward" | "last" | "flip";
  onClick: () => void;
}

function Step({ label, icon, onClick }: StepProps) {
  return (
    <button type="button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
