import type { Plugin, Rolldown } from "vite";

/**
 * Fails a build in which chunks import each other in a circle. Such a page breaks when it is
 * opened: one chunk runs before the one that it needs. Grouping modules into chunks by size can
 * cause that.
 */
export function noCircles(): Plugin {
  return {
    name: "no-circles",
    apply: "build",
    generateBundle(_, bundle) {
      const circle = findCircle(bundle);
      if (circle !== null) this.error(`Files import each other in a circle: ${circle.join(", ")}.`);
    },
  };
}

function findCircle(bundle: Rolldown.OutputBundle): string[] | null {
  const done = new Set<string>();
  const walk = (name: string, path: readonly string[]): string[] | null => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    const part = bundle[name];
    if (done.has(name) || part?.type !== "chunk") return null;
    for (const imported of part.imports) {
      const circle = walk(imported, [...path, name]);
      if (circle !== null) return circle;
    }
    done.add(name);
    return null;
  };
  for (const name of Object.keys(bundle)) {
    const circle = walk(name, []);
    if (circle !== null) return circle;
  }
  return null;
}
