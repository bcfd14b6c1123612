import { gzipSync } from "node:zlib";

import type { Plugin } from "vite";

import { chunksOf } from "./chunks.ts";

/** What every page loads before it shows anything; heavy parts are imported when they are needed. */
const BUDGET_BYTES = 200_000;

/** Fails a build whose entry and all that it imports at once take more than the budget, squeezed. */
export function shellBudget(): Plugin {
  return {
    name: "shell-budget",
    apply: "build",
    generateBundle(_, bundle) {
      const shell = chunksOf(bundle, (chunk) => chunk.isEntry);
      const bytes = shell.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
      const kilobytes = `${Math.round(bytes / 1000)} kB`;
      this.info(`The shell is ${kilobytes} squeezed, in ${shell.length} files.`);
      if (bytes > BUDGET_BYTES) {
        this.error(`The shell has grown to ${kilobytes} squeezed: import heavy parts lazily.`);
      }
    },
  };
}
