/** Tool rules: what they would have done on recorded tapes. */
import { client, unwrap } from "@/api/client";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

/** A rule with every field; on the wire, those with their usual value may be left out. */
export type ToolRule = Required<Schemas["ToolRule"]>;
export type RuleAction = ToolRule["action"];
export type RuleDryRun = Schemas["RuleDryRun"];
export type StoppedCall = Schemas["StoppedCall"];

/** How many tapes a dry run reads, the newest ones first. */
export const DRY_RUN_TAPES = 200;

export function dryRunRules(rules: readonly ToolRule[], q: string) {
  const body = { rules: [...rules], q, limit: DRY_RUN_TAPES };
  return unwrap(client.POST("/api/v1/tool-rules/dry-run", { body }));
}
