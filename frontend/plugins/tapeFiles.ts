import type { Plugin } from "vite";

import { chunksOf } from "./chunks.ts";

const SCREEN = "/src/app/TapeScreen.tsx";
const SCRIPT = /<script src="[^"]*open-early\.js"/;

/**
 * Lists for `open-early.js` the files of the tape's page, so that they load together with the shell
 * instead of after it.
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
          this.error(`No files of ${SCREEN} were found.`);
        const addresses = files.map((file) => base + file).join(" ");
        return html.replace(SCRIPT, (script) => `${script} data-tape-files="${addresses}"`);
      },
    },
  };
}
