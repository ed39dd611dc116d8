import type { Game } from "../api/types";
import { headersOf } from "../lib/headers";
import { ShareWindow } from "../share/window";
import { PLAYERS, RESULT } from "../share/words";

interface ShareGameProps {
  game: Game;
  levelNames: string[];
  /** A link to the moves of the game, which anybody can open. */
  link: string;
  flipped: boolean;
  onClose: () => void;
}

/** Shares a game that is being played, or has been. */
export function ShareGame({ game, levelNames, link, flipped, onClose }: ShareGameProps) {
  const { position, result } = game;
  const { start } = position;
  const moves = position.moves.map(({ move }) => move);
  const file = () => ({
    game: position.game,
    start,
    comment: "",
    tree: moves.map((move, after) => ({ after, move, comment: "", marks: [] })),
    ...headersOf(game, levelNames),
  });
  return (
    <ShareWindow
      link={link}
      lacks={result ? [PLAYERS, RESULT] : [PLAYERS]}
      position={position}
      line={{ game: position.game, start, moves }}
      flipped={flipped}
      file={file}
      hasMore={false}
      onClose={onClose}
    />
  );
}
