/** Rows of the server as lists to choose from. */
import { visibleText } from "@/lib/visibleText";

interface Named {
  name: string;
}

export function optionsOf(rows: readonly (Named & { id: string })[]) {
  return rows.map(({ id, name }) => ({ value: id, label: visibleText(name) }));
}

/** Agents, each chosen by its newest version. */
export function newestVersionsOf(agents: readonly (Named & { latest_version_id: string })[]) {
  return optionsOf(agents.map(({ latest_version_id: id, name }) => ({ id, name })));
}
