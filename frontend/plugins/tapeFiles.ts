import type { Plugin } from "vite";

import { chunksOf } from "./chunks.ts";

const SCREEN = "/src/app/TapeScreen.tsx";
const SCRIPT = /<script src="[^"]*open-early\.js"/;

/**
 * Tells `open-early.js` which files the tape's page is made of, so that they come together with
 * the shell and not after it.
 */
export function tapeFiles(): Plugin {
  let base = "/";
  return {
    name: "tape-files",
    apply: "build",
    configResolved: (config) => {
      base = config.base;
    },
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const shell = new Set(chunksOf(bundle, (chunk) => chunk.isEntry));
        const chunks = chunksOf(bundle, ({ facadeModuleId }) => !!facadeModuleId?.endsWith(SCREEN));
        const files = chunks
          .filter((chunk) => !shell.has(chunk))
          .flatMap((chunk) => [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])]);
        if (files.length === 0 || !SCRIPT.test(html))
          this.error(`No files of ${SCREEN} are found.`);
        const addresses = files.map((file) => base + file).join(" ");
        return html.replace(SCRIPT, (script) => `${script} data-tape-files="${addresses}"`);
      },
    },
  };
}
