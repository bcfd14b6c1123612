import type { Plugin } from "vite";

/** Every component with styles has a module of their class names. */
const COMPONENT = /@mantine\/core\/esm\/.*\/([\w-]+)\.module\.mjs$/;
const STYLES = /@mantine\/core\/styles\/([\w-]+)\.css$/;
const ALWAYS = ["baseline", "default-css-variables", "global"];

/** Fails a build in which `src/ui/mantineStyles.ts` does not match the components in use. */
export function mantineStyles(): Plugin {
  return {
    name: "mantine-styles",
    apply: "build",
    generateBundle(_, bundle) {
      const used = new Set(ALWAYS);
      const styled = new Set<string>();
      for (const part of Object.values(bundle)) {
        if (part.type !== "chunk") continue;
        for (const id of Object.keys(part.modules)) {
          const component = COMPONENT.exec(id)?.[1];
          if (component !== undefined) used.add(component);
          const styles = STYLES.exec(id)?.[1];
          if (styles !== undefined) styled.add(styles);
        }
      }
      const missing = [...used].filter((name) => !styled.has(name));
      const needless = [...styled].filter((name) => !used.has(name));
      if (missing.length > 0) this.error(`Mantine's styles are missing: ${missing.join(", ")}.`);
      if (needless.length > 0) this.error(`These styles are unused: ${needless.join(", ")}.`);
    },
  };
}
