import { describe, expect, it } from "vitest";
import type { LegalMove } from "../api/types";
import { readTyped } from "./typed";

const chess = (text: string, move: string): LegalMove => ({
  move,
  text,
  from: move.slice(0, 2),
  to: move.slice(2, 4),
  promotion: move[4] ?? null,
  also: [],
});
const stone = (cell: string): LegalMove => ({
  move: cell,
  text: cell,
  from: null,
  to: cell,
  promotion: null,
  also: [],
});

const LEGAL = [
  chess("Nf3", "g1f3"),
  chess("O-O", "e1g1"),
  chess("O-O-O+", "e1c1"),
  chess("bxc3", "b2c3"),
  chess("Bxc3", "d2c3"),
  chess("Bxa5#", "d2a5"),
  chess("e8=Q+", "e7e8q"),
  chess("e8=N", "e7e8n"),
];

const read = (text: string, legal = LEGAL) => {
  const typed = readTyped(text, legal);
  return "move" in typed ? typed.move.text : typed.fault;
};

describe("a typed move", () => {
  it("is read in the notation of its game and by its cells", () => {
    expect(["Nf3", "g1f3", " g1-f3 ", "e7e8n", "E7E8Q"].map((text) => read(text))).toEqual([
      "Nf3",
      "Nf3",
      "Nf3",
      "e8=N",
      "e8=Q+",
    ]);
  });
  it("needs no signs", () => {
    expect(["Ba5", "Bxa5", "Ba5+", "Nxf3", "e8Q", "e8=Q", "O-O-O"].map((text) => read(text))).toEqual([
      "Bxa5#",
      "Bxa5#",
      "Bxa5#",
      "Nf3",
      "e8=Q+",
      "e8=Q+",
      "O-O-O+",
    ]);
  });
  it("may have zeros or small letters for castling", () => {
    expect(["0-0", "o-o", "00", "0-0-0", "ooo"].map((text) => read(text))).toEqual([
      "O-O",
      "O-O",
      "O-O",
      "O-O-O+",
      "O-O-O+",
    ]);
  });
  it("may be in any case, except where a pawn and a bishop can do the same", () => {
    expect(["nf3", "ba5", "e8=q", "bxc3", "bc3", "Bc3"].map((text) => read(text))).toEqual([
      "Nf3",
      "Bxa5#",
      "e8=Q+",
      "bxc3",
      "bxc3",
      "Bxc3",
    ]);
    expect(read("BXC3")).toBe("BXC3 may be bxc3 or Bxc3.");
  });
  it("is a cell or a column in other games", () => {
    expect(read("J10", [stone("j10"), stone("j1")])).toBe("j10");
    const column = { ...stone("d"), to: "d3" };
    expect(read("D", [column, { ...stone("x"), to: "x1" }])).toBe("d");
    expect(read("PASS", [{ ...stone("pass"), to: null }])).toBe("pass");
  });
});

describe("a text that is no legal move", () => {
  it("is answered with those that begin like it, or go to the same cell", () => {
    expect(read("e8")).toBe("e8 is no legal move here. Perhaps e8=Q+ or e8=N?");
    expect(read("Qc3")).toBe("Qc3 is no legal move here. Perhaps bxc3 or Bxc3?");
    expect(
      read(
        "j",
        Array.from({ length: 9 }, (_, n) => stone(`j${n + 1}`)),
      ),
    ).toContain("j5 or j6?");
  });
  it("is answered with an example, or that there is none", () => {
    expect(read("hello")).toBe("hello is no legal move here. Moves are typed like Nf3 or g1f3.");
    expect(read(" ")).toBe("Moves are typed like Nf3 or g1f3.");
    expect(read("Nf3", [])).toBe("No move can be played now.");
  });
});
