import { describe, expect, it } from "vitest";
import { film, type Part } from "./film";

const under: Part = { markup: '<rect width="9"/>', layer: 0 };
const dot: Part = { markup: '<circle r="1"/>', layer: 2 };
const piece = (x: number, content = '<path d="M0 0"/>'): Part => ({
  markup: `<g transform="translate(${x} 0)">${content}</g>`,
  layer: 1,
});

describe("a film", () => {
  it("writes what every frame has once, and without times", () => {
    const text = film([
      [under, piece(1)],
      [under, piece(2)],
    ]);
    expect(text.match(/<rect/g)).toHaveLength(1);
    expect(text.startsWith(under.markup)).toBe(true);
  });

  it("shows a part at the times of its frames, and the last frame to programs without animation", () => {
    const text = film([
      [under, piece(1)],
      [under, piece(2)],
      [under, piece(1)],
    ]);
    // Two moves of 0.9 s, and 3 s for the end.
    const times = 'dur="4.8s" calcMode="discrete" repeatCount="indefinite"';
    expect(text).toContain(
      `<g><animate attributeName="visibility" ${times} values="visible;hidden;visible" keyTimes="0;0.1875;0.375"/><g transform="translate(1 0)">`,
    );
    expect(text).toContain(
      `<g visibility="hidden"><animate attributeName="visibility" ${times} values="hidden;visible;hidden" keyTimes="0;0.1875;0.375"/>`,
    );
  });

  it("paints what is under the pieces first and what is over them last, whenever it comes", () => {
    const late: Part = { markup: '<rect class="late"/>', layer: 0 };
    const text = film([
      [piece(1), dot],
      [late, piece(2), dot],
    ]);
    expect(text.indexOf("late")).toBeLessThan(text.indexOf("translate(1"));
    expect(text.indexOf("translate(2")).toBeLessThan(text.indexOf("circle"));
  });

  it("refers to a long shape that stands in several places", () => {
    const shape = `<path d="${"M1 2L3 4".repeat(30)}"/>`;
    const text = film([[piece(1, shape)], [piece(2, shape)]]);
    expect(text.match(/M1 2L3 4M1/g)?.length).toBeGreaterThan(0);
    expect(text.split(shape)).toHaveLength(2);
    expect(text.match(/<use href="#part-0"\/>/g)).toHaveLength(2);
  });
});
