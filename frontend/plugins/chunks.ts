import type { Rolldown } from "vite";

type Chunk = Rolldown.OutputChunk;

/** The chunks that match, and everything that they import statically. */
export function chunksOf(
  bundle: Rolldown.OutputBundle,
  isMeant: (chunk: Chunk) => boolean,
): Chunk[] {
  const parts = Object.values(bundle);
  const found = new Set(parts.filter((part) => part.type === "chunk").filter(isMeant));
  // Grows during the loop, so that imports of imports are included.
  for (const { imports } of found) {
    for (const name of imports) {
      const part = bundle[name];
      if (part?.type === "chunk") found.add(part);
    }
  }
  return [...found];
}
