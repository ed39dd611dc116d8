import { several } from "../lib/format";

/** What the window for sharing says. */

export const SHARE = "Share";
export const LINK = "Link";
export const START = "Start position";
export const positionAfter = (move: string) => `Position after ${move}`;
export const MOVES = "Moves to here";
export const GAME = "Game";
export const REVIEW = "Save the review as a table";
export const THE_REVIEW = "the review";
export const COPY = "Copy";
export const copy = (what: string) => `Copy: ${what}`;
export const COPIED = "Copied.";
export const NOT_COPIED = "The browser does not allow copying. Select the text instead.";

const listed = (things: string[]) =>
  things.length < 2 ? things.join("") : `${things.slice(0, -1).join(", ")} and ${things.at(-1)}`;
export const HOLDS = "The link has the moves of this line. It opens beside whatever is open.";
export const lacks = (things: string[]) => `Not in the link: ${listed(things)}. The file has all of it.`;
export const ONLY_HERE = "The address is that of this computer: on another one, open the file instead.";

export const variations = (count: number) => several(count, "variation");
export const comments = (count: number) => several(count, "comment");
export const marks = (count: number) => several(count, "mark");
export const PLAYERS = "who played";
export const RESULT = "the result";

export const saveFile = (extension: string) => `Save as .${extension} file`;
export const WHOLE = "With variations and comments";
export const PICTURES = "Pictures";
export const BOARD_SVG = "Board as SVG";
export const BOARD_PNG = "Board as PNG";
export const ANIMATION = "Whole game as animation";
export const MAKING = "Drawing…";
export const ANIMATION_NOTE =
  "The animation is an SVG file: every web browser plays it, over and over. Other programs show the last position.";
