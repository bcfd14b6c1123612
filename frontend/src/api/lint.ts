/** What the linter finds on one tape and across tapes, and the rules that people write. */
import { queryOptions } from "@tanstack/react-query";

import { client, settle, unwrap } from "@/api/client";
import { tapeKeys, type TapeFilter } from "@/api/tapes";
import type { LintRuleIn, LintRulePatch } from "@/api/types";

export const lintKeys = {
  all: ["lint"],
  rules: ["lint", "rules"],
};

const LINT_STALE_MS = 30_000;

/** The findings of a tape; the number of steps is part of the key because findings depend on it. */
export function tapeLintQuery(tapeId: string, stepCount: number) {
  return queryOptions({
    queryKey: [...lintKeys.all, "tape", tapeId, stepCount],
    queryFn: async ({ signal }) => {
      const path = { params: { path: { tape_id: tapeId } }, signal };
      return (await unwrap(client.GET("/api/v1/tapes/{tape_id}/lint", path))).items;
    },
    staleTime: LINT_STALE_MS,
  });
}

/** Keep a finding at a step as a note by the linter. */
export function keepFinding(tapeId: string, detector: string, position: number) {
  const path = { params: { path: { tape_id: tapeId } } };
  const body = { detector, position };
  return unwrap(client.POST("/api/v1/tapes/{tape_id}/lint/notes", { ...path, body }));
}

/** How many tapes of a list have each finding. */
export function lintCountsQuery(filter: TapeFilter) {
  return queryOptions({
    queryKey: [...tapeKeys.lists, "lint", filter],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/tapes/lint", { params: { query: filter }, signal })),
  });
}

export function lintTrendQuery(agentId: string) {
  return queryOptions({
    queryKey: [...lintKeys.all, "trend", agentId],
    queryFn: async ({ signal }) => {
      const path = { params: { path: { agent_id: agentId } }, signal };
      return (await unwrap(client.GET("/api/v1/lint/trend/{agent_id}", path))).versions;
    },
  });
}

export function detectorsQuery() {
  return queryOptions({
    queryKey: [...lintKeys.all, "detectors"],
    queryFn: async ({ signal }) =>
      (await unwrap(client.GET("/api/v1/lint/detectors", { signal }))).items,
  });
}

export function switchDetector(name: string, isEnabled: boolean) {
  const params = { path: { name } };
  const body = { is_enabled: isEnabled };
  return unwrap(client.PATCH("/api/v1/lint/detectors/{name}", { params, body }));
}

export function lintRulesQuery() {
  return queryOptions({
    queryKey: lintKeys.rules,
    queryFn: async ({ signal }) =>
      (await unwrap(client.GET("/api/v1/lint/rules", { signal }))).items,
  });
}

/** Parse a rule and try it on the newest tapes; a mistake in it is the query's error. */
export function ruleCheckQuery(text: string) {
  return queryOptions({
    queryKey: [...lintKeys.all, "check", text],
    queryFn: ({ signal }) =>
      unwrap(client.POST("/api/v1/lint/rules/check", { body: { text }, signal })),
    retry: false,
  });
}

export function createRule(body: LintRuleIn) {
  return unwrap(client.POST("/api/v1/lint/rules", { body }));
}

export function changeRule(id: string, body: LintRulePatch) {
  const params = { path: { rule_id: id } };
  return unwrap(client.PATCH("/api/v1/lint/rules/{rule_id}", { params, body }));
}

export function deleteRule(id: string) {
  return settle(
    client.DELETE("/api/v1/lint/rules/{rule_id}", { params: { path: { rule_id: id } } }),
  );
}

/** Lint all tapes that are new or changed, or were last linted before the rules changed. */
export function startLint() {
  return unwrap(client.POST("/api/v1/lint/jobs", { body: {} }));
}
