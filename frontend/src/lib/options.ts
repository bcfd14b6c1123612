/** The server's rows as options of a select. */
import { visibleText } from "@/lib/visibleText";

interface Named {
  name: string;
}

export function optionsOf(rows: readonly (Named & { id: string })[]) {
  return rows.map(({ id, name }) => ({ value: id, label: visibleText(name) }));
}

interface Versioned extends Named {
  numbered_versions: readonly { id: string; number: number }[];
}

/** Agents, each with all of its versions if there are several, newest first. */
export function versionsOf(agents: readonly Versioned[]) {
  return optionsOf(
    agents.flatMap(({ name, numbered_versions: versions }) =>
      versions.map(({ id, number }) => ({
        id,
        name: versions.length === 1 ? name : `${name} v${number}`,
      })),
    ),
  );
}

/** Agents, each represented by its newest version. */
export function newestVersionsOf(agents: readonly (Named & { latest_version_id: string })[]) {
  return optionsOf(agents.map(({ latest_version_id: id, name }) => ({ id, name })));
}
