/** What the boards say. */

export const board = (game: string) => `${game} board. Arrow keys move the cursor, Enter chooses.`;
export const empty = (cell: string) => `${cell}, empty`;
export const taken = (cell: string, player: string, piece: string) => `${cell}, ${player} ${piece}`;
export const chosen = (piece: string) => `${piece}, selected`;
export const notPlayable = (cell: string) => `You cannot play ${cell}.`;
export const tapAgain = (cell: string) => `${cell}: tap again to play`;
export const TAP_AGAIN = "Tap the same point again to play there.";
export const PROMOTE = "Promote to";
export const WHICH_MOVE = "Which move?";

export const TYPED_LABEL = "Move";
export const TYPED_HINT = "Enter plays it, Escape closes";
