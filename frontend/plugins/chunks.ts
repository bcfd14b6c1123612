import type { Rolldown } from "vite";

type Chunk = Rolldown.OutputChunk;

/** The chunks that are meant, and all that they import at once. */
export function chunksOf(
  bundle: Rolldown.OutputBundle,
  isMeant: (chunk: Chunk) => boolean,
): Chunk[] {
  const parts = Object.values(bundle);
  const found = new Set(parts.filter((part) => part.type === "chunk").filter(isMeant));
  // Grows while it is walked: imports of imports count too.
  for (const { imports } of found) {
    for (const name of imports) {
      const part = bundle[name];
      if (part?.type === "chunk") found.add(part);
    }
  }
  return [...found];
}
