import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { connected } from "./api/socket";
import { type Route, route } from "./lib/route";
import { useKeys } from "./lib/use";
import { GamePage } from "./play/game";
import { SetupPage } from "./play/setup";
import { Help } from "./widgets/help";
import { Icon } from "./widgets/icon";
import { LiveRegion, notifyError } from "./widgets/live";
import { Settings } from "./widgets/settings";
import * as words from "./widgets/words";

const TABS = Object.entries(words.TABS) as [Route["page"], string][];

// Playing needs no charts and no move tree, so the other pages come when they are opened.
const LATER = {
  analyse: () => import("./analyse/page").then((module) => module.AnalysePage),
  learn: () => import("./learn/page").then((module) => module.LearnPage),
  watch: () => import("./watch/page").then((module) => module.WatchPage),
  runs: () => import("./runs/page").then((module) => module.RunsPage),
};
const loaded: Partial<Record<keyof typeof LATER, ComponentType>> = {};

function Later({ page }: { page: keyof typeof LATER }) {
  const [, redraw] = useState(0);
  useEffect(() => {
    if (loaded[page]) return;
    LATER[page]().then((component) => {
      loaded[page] = component;
      redraw((n) => n + 1);
    }, notifyError);
  }, [page]);
  const Page = loaded[page];
  return Page ? <Page /> : <main class="narrow faint">{words.LOADING}</main>;
}

function Page() {
  const { page, id } = route.value;
  if (page === "play") return id ? <GamePage key={id} id={id} /> : <SetupPage />;
  return <Later key={page} page={page} />;
}

export function App() {
  const [open, setOpen] = useState<"keys" | "settings" | null>(null);
  useKeys({
    "?": () => setOpen("keys"),
    b: () => document.querySelector<HTMLElement>(".board")?.focus(),
  });
  return (
    <>
      <header class="top">
        <a class="brand" href="#/play">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <circle class="brand-a" cx="12" cy="19" r="9" />
            <circle class="brand-b" cx="20" cy="13" r="9" />
          </svg>
          Outplay
        </a>
        <nav aria-label={words.PAGES}>
          {TABS.map(([page, name]) => (
            <a key={page} href={`#/${page}`} aria-current={route.value.page === page ? "page" : undefined}>
              {name}
            </a>
          ))}
        </nav>
        {!connected.value && (
          <span class="offline" role="status">
            {words.CONNECTING}
          </span>
        )}
        <button
          type="button"
          class="quiet icon"
          aria-label={words.SETTINGS}
          title={words.SETTINGS_TITLE}
          onClick={() => setOpen("settings")}
        >
          <Icon name="gear" />
        </button>
        <button
          type="button"
          class="quiet icon"
          aria-label={words.KEYS}
          title={words.KEYS_TITLE}
          onClick={() => setOpen("keys")}
        >
          ?
        </button>
      </header>
      <Page />
      {open === "keys" && <Help onClose={() => setOpen(null)} />}
      {open === "settings" && <Settings onClose={() => setOpen(null)} />}
      <LiveRegion />
    </>
  );
}
