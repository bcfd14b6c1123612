import { fileURLToPath } from "node:url";

import react from "@vitejs/plugin-react";
import type { Rolldown } from "vite";
import { defineConfig } from "vitest/config";

import { mantineStyles } from "./plugins/mantineStyles.ts";
import { noCircles } from "./plugins/noCircles.ts";
import { shellBudget } from "./plugins/shellBudget.ts";
import { tapeFiles } from "./plugins/tapeFiles.ts";

const server = process.env.DEV_SERVER ?? "http://127.0.0.1:8700";

/**
 * One file for the shell, and one for what several screens share, instead of a file for each
 * button: every file costs a round trip. Heavy libraries stay with the only part that needs them.
 */
const FEW_FILES: Rolldown.CodeSplittingGroup[] = [
  { name: "shell", tags: ["$initial"], priority: 1 },
  { name: "shared", test: /@mantine|@tabler|[\\/]src[\\/]/, minShareCount: 3 },
];

export default defineConfig(({ command }) => ({
  // Django serves the built files below /static/; the dev server serves the pages itself.
  base: command === "build" ? "/static/" : "/",
  plugins: [react(), mantineStyles(), noCircles(), shellBudget(), tapeFiles()],
  resolve: { alias: { "@": fileURLToPath(new URL("src", import.meta.url)) } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: FEW_FILES },
      },
    },
  },
  server: {
    // Keeps the host that the browser asked for: the studio accepts writes from its own pages only.
    proxy: {
      "/api": { target: server },
      "/help": { target: server },
      "/login": { target: server },
      "/logout": { target: server },
      "/ws": { target: server, ws: true },
    },
  },
  test: {
    environment: "happy-dom",
    environmentOptions: {
      happyDOM: {
        url: "http://studio.test/",
        // A test that is faster than a menu's fade-in would find it hidden.
        settings: { device: { prefersReducedMotion: "reduce" } },
      },
    },
    setupFiles: ["src/testing/setup.ts"],
    include: ["src/**/*.test.{ts,tsx}"],
    // Test files share loaded modules, which halves their time: `setup.ts` resets the state after
    // each.
    isolate: false,
    restoreMocks: true,
    css: false,
    testTimeout: 15_000,
  },
}));
