import { expect, it } from "vitest";
import { contentsOf } from "./contents";

it("tells text from bytes, and reads text in either encoding", () => {
  expect(contentsOf(new TextEncoder().encode("1. e4 é"))).toEqual({ text: "1. e4 é" });
  expect(contentsOf(Uint8Array.of(0x4a, 0xe9))).toEqual({ text: "Jé" });
  expect(contentsOf(Uint8Array.of(20, 24, 1, 0, 255))).toEqual({ hex: "14180100ff" });
  expect(contentsOf(Uint8Array.of(65, 0, 66))).toEqual({ hex: "410042" });
});
