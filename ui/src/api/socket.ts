import { signal } from "@preact/signals";
import type { TraceRecord } from "../watch/records";
import type { Review } from "./review";
import type { Limit, Report } from "./search";
import type { Game, Line } from "./types";

export interface AnalyseRequest extends Line {
  /** A program in the place of a search. */
  program?: { id: string };
  search: string;
  options: Record<string, unknown>;
  lines: number;
  limit: Limit;
  /** Whether the other player is to move. */
  passed?: boolean;
  /** How much of the tree is to be seen; without it, nothing is. */
  trace?: { plies: number; most_nodes: number; least_visits: number };
}

export interface ReviewRequest extends Line {
  search: string;
  options: Record<string, unknown>;
  limit: Limit;
  /** The first move that is judged. */
  first?: number;
}

export interface AnalysisListener {
  queued?(place: number): void;
  /** The search begins anew, because the socket was closed meanwhile. */
  again?(): void;
  trace?(record: TraceRecord): void;
  report?(report: Report): void;
  /** How much of a review is done, and what it has found. */
  review?(review: Review, share: number): void;
  done?(reason: string): void;
  error?(message: string): void;
}

interface FromServer {
  type: string;
  id?: string;
  place?: number;
  report?: Report;
  review?: Review;
  share?: number;
  record?: TraceRecord;
  reason?: string;
  message?: string;
  game?: Game;
}

/** Whether the socket is open; the page says so when it is not. */
export const connected = signal(true);

/** What the server works on for this tab: what it was asked, and who listens. */
const analyses = new Map<string, { message: object; listener: AnalysisListener }>();
const watched = new Map<string, Set<(game: Game) => void>>();
let socket: WebSocket | null = null;
let waitMs = 250;
const LONGEST_WAIT_MS = 8000;

function address(): string {
  const url = new URL("api/ws", location.href.split("#")[0]);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.search = location.search;
  return url.href;
}

function open(): void {
  if (socket) return;
  socket = new WebSocket(address());
  socket.onopen = () => {
    connected.value = true;
    waitMs = 250;
    // The server stopped everything when the old socket closed, so it is asked again.
    for (const { message, listener } of analyses.values()) {
      listener.again?.();
      send(message);
    }
    for (const game of watched.keys()) send({ type: "watch", game });
  };
  socket.onmessage = (event) => receive(JSON.parse(String(event.data)) as FromServer);
  socket.onclose = () => {
    socket = null;
    connected.value = false;
    setTimeout(open, waitMs);
    waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
  };
}

function send(message: unknown): void {
  open();
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function receive(message: FromServer): void {
  if (message.type === "game" && message.game) {
    for (const listener of watched.get(message.game.id) ?? []) listener(message.game);
    return;
  }
  const analysis = message.id === undefined ? undefined : analyses.get(message.id);
  if (!analysis) return;
  const { listener } = analysis;
  if (message.type === "queued") listener.queued?.(message.place ?? 0);
  if (message.type === "trace" && message.record) listener.trace?.(message.record);
  if (message.type === "report" && message.report) listener.report?.(message.report);
  if (message.type === "review" && message.review) listener.review?.(message.review, message.share ?? 0);
  if (message.type === "done" || message.type === "error") {
    analyses.delete(message.id!);
    if (message.type === "done") listener.done?.(message.reason ?? "");
    else listener.error?.(message.message ?? "The search could not be started.");
  }
}

let counter = 0;

/**
 * Starts an analysis and returns what stops it: at once, or after its last words. Each has its own name, so a late report of an old one is
 * not mistaken.
 */
export function analyse(
  request: AnalyseRequest,
  listener: AnalysisListener,
): (hearLastWords?: boolean) => void {
  return start("analyse", request, listener);
}

/** Starts a review and returns what stops it. */
export function reviewGame(request: ReviewRequest, listener: AnalysisListener): () => void {
  return start("review", request, listener);
}

function start(type: string, request: object, listener: AnalysisListener): (hearLastWords?: boolean) => void {
  counter += 1;
  const id = `a${counter}`;
  const message = { type, id, ...request };
  analyses.set(id, { message, listener });
  send(message);
  return (hearLastWords = false) => {
    if (!analyses.has(id)) return;
    if (!hearLastWords) analyses.delete(id);
    send({ type: "stop", id });
  };
}

/** Calls back whenever a game changes, until the returned function is called. */
export function watch(game: string, listener: (game: Game) => void): () => void {
  const listeners = watched.get(game) ?? new Set();
  if (listeners.size === 0) send({ type: "watch", game });
  listeners.add(listener);
  watched.set(game, listeners);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    watched.delete(game);
    send({ type: "unwatch", game });
  };
}
