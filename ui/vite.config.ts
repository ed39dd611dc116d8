import { defineConfig } from "vite";

// The server embeds what the build leaves in dist/; during development its address can be given instead.
const server = (process.env.OUTPLAY_URL ?? "http://127.0.0.1:8088").replace(/\/$/, "");
// The server refuses pages of other addresses; this one stands in for its own.
const proxy = { "/api": { target: server, ws: true, changeOrigin: true, headers: { origin: server } } };

export default defineConfig({
  base: "./",
  // Nothing is inlined, so that a strict Content-Security-Policy can hold.
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy },
  preview: { proxy },
});
