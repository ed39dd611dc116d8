import { render } from "preact";
import { api } from "../api/client";
import type { Line, Position } from "../api/types";
import { StillBoard } from "../boards/still";
import { pictureOf, styledCopy, svgText } from "../lib/picture";
import { film, type Part } from "./film";

/** The positions of a line, from its start to its end. */
async function positionsOf({ game, start, moves }: Line): Promise<Position[]> {
  const positions: Position[] = [];
  for (let count = 0; count <= moves.length; count += 1)
    positions.push(await api.position({ game, start, moves: moves.slice(0, count) }));
  return positions;
}

/** A whole game as one picture that moves, in the colours of the page. */
export async function animated(line: Line, flipped: boolean): Promise<string> {
  const positions = await positionsOf(line);
  const host = document.createElement("div");
  host.className = "darkroom";
  document.body.append(host);
  try {
    // What looks the same in the page looks the same in the picture: styles are read once for it.
    const copies = new Map<string, string>();
    let picture: SVGSVGElement | null = null;
    const frames = positions.map((position) => {
      render(<StillBoard position={position} flipped={flipped} coordinates />, host);
      const svg = host.querySelector("svg")!;
      picture ??= pictureOf(svg);
      const parts = partsOf(svg.lastElementChild!, copies);
      // Each frame is drawn anew, so that no element is on its way from one look to another.
      render(null, host);
      return parts;
    });
    const whole = picture!;
    (whole as SVGSVGElement).lastElementChild!.innerHTML = film(frames);
    return svgText(whole);
  } finally {
    host.remove();
  }
}

/** The parts of a board's picture in the order in which they are painted. */
function partsOf(group: Element, copies: Map<string, string>): Part[] {
  const parts: Part[] = [];
  let pieces = false;
  const walk = (element: Element) => {
    for (const child of element.children) {
      const isPiece = child.hasAttribute("data-cell");
      if (!isPiece && child.querySelector("[data-cell]")) {
        walk(child);
        continue;
      }
      pieces ||= isPiece;
      parts.push({ markup: copyOf(child, copies), layer: isPiece ? 1 : pieces ? 2 : 0 });
    }
  };
  walk(group);
  return parts;
}

function copyOf(element: Element, copies: Map<string, string>): string {
  const key = element.outerHTML;
  let copy = copies.get(key);
  if (copy === undefined) {
    copy = new XMLSerializer().serializeToString(styledCopy(element, false));
    copy = copy.replaceAll(' xmlns="http://www.w3.org/2000/svg"', "");
    copies.set(key, copy);
  }
  return copy;
}
