import type { GameInfo, IconName } from "../api/types";
import { PieceShape } from "../boards/pieces";

/** A small picture of a game, in its own colours. */
export function GameIcon({ game }: { game: GameInfo }) {
  return (
    <svg class="game-icon" viewBox="0 0 100 100" aria-hidden="true">
      {picture(game.icon)}
    </svg>
  );
}

function picture(icon: IconName) {
  if (icon === "discs") {
    return (
      <>
        <rect class="icon-felt" x="6" y="6" width="88" height="88" rx="14" />
        <circle class="icon-dark" cx="34" cy="34" r="18" />
        <circle class="icon-light" cx="66" cy="34" r="18" />
        <circle class="icon-light" cx="34" cy="66" r="18" />
        <circle class="icon-dark" cx="66" cy="66" r="18" />
      </>
    );
  }
  if (icon === "drop") {
    return (
      <>
        <rect class="icon-rack" x="6" y="6" width="88" height="88" rx="14" />
        <circle class="icon-red" cx="32" cy="68" r="15" />
        <circle class="icon-yellow" cx="68" cy="68" r="15" />
        <circle class="icon-red" cx="68" cy="32" r="15" />
        <circle class="icon-hole" cx="32" cy="32" r="15" />
      </>
    );
  }
  if (icon === "crosses") {
    return (
      <>
        <path class="icon-lines" d="M36 10v80M64 10v80M10 36h80M10 64h80" />
        <path class="icon-cross" d="M14 14l16 16M30 14l-16 16M43 43l14 14M57 43l-14 14" />
        <circle class="icon-ring" cx="78" cy="50" r="8" />
      </>
    );
  }
  if ("piece" in icon) return <PieceShape kind={icon.piece} player={0} />;
  return (
    <>
      <rect class="icon-wood" x="6" y="6" width="88" height="88" rx="14" />
      <path class="icon-thin" d="M24 6v88M50 6v88M76 6v88M6 24h88M6 50h88M6 76h88" />
      <circle class="icon-dark" cx="50" cy="50" r="13" />
      <circle class="icon-dark" cx="24" cy="76" r="13" />
      {icon.stones > 2 && <circle class="icon-dark" cx="76" cy="24" r="13" />}
      <circle class="icon-light" cx="50" cy="76" r="13" />
    </>
  );
}
