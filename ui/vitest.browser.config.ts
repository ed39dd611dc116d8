import { defineConfig } from "vitest/config";

// Browser tests share one machine and one server, and mostly wait: two files at a time, tests of a file one after the other.
export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    globalSetup: "tests/setup.ts",
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 60_000,
  },
});
