import { gzipSync } from "node:zlib";

import type { Plugin } from "vite";

import { chunksOf } from "./chunks.ts";

/** The gzip budget for what every page loads before it shows anything; heavy parts load lazily. */
const BUDGET_BYTES = 200_000;

/** Fails a build whose entry, with all its static imports, exceeds the budget when gzipped. */
export function shellBudget(): Plugin {
  return {
    name: "shell-budget",
    apply: "build",
    generateBundle(_, bundle) {
      const shell = chunksOf(bundle, (chunk) => chunk.isEntry);
      const bytes = shell.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
      const kilobytes = `${Math.round(bytes / 1000)} kB`;
      this.info(`The shell is ${kilobytes} gzipped, in ${shell.length} files.`);
      if (bytes > BUDGET_BYTES) {
        this.error(`The shell has grown to ${kilobytes} gzipped: import heavy parts lazily.`);
      }
    },
  };
}
