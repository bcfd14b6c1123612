/** A page with a short tape and a mocked server: a test adds the responses that it needs. */
import { http, HttpResponse } from "msw";

import type { Tape } from "@/api/types";
import { buildStep } from "@/features/tape-editor/testing/builders";
import { answer } from "@/testing/answers";
import { job, session, tapeRow, uuid } from "@/testing/builders";
import { toColumns } from "@/testing/outline";
import { server } from "@/testing/server";

export const TAPE = uuid(1);
export const STEPS = [
  buildStep(0, {
    kind: "user",
    family: "observation",
    agent: "",
    node: "",
    prompt_id: "",
    gist: "Hello",
    body: { kind: "user", content: "Hello" },
  }),
  buildStep(1, { gist: "Hi there", body: { kind: "assistant", content: "Hi there" } }),
];

export function buildTape(part: Partial<Tape> = {}): Tape {
  return {
    ...tapeRow({ step_count: STEPS.length }),
    source_id: "",
    task: "",
    expected: "",
    actual: "",
    outcome: "",
    score: null,
    metadata: {},
    context: null,
    forked_at: null,
    parent_title: "",
    edit_words: "",
    owner_id: null,
    root_id: null,
    version: 1,
    digest: "",
    agent_id: null,
    agent_version_id: null,
    agent_version: null,
    job: null,
    draft: null,
    other_drafts: [],
    ...part,
  };
}

export function serveTape(tape: Tape, steps = STEPS) {
  server.use(
    answer("get", `/tapes/${TAPE}`, tape),
    answer("get", `/tapes/${TAPE}/outline`, toColumns(steps)),
    http.get(`http://studio.test/api/v1/tapes/${TAPE}/steps`, ({ request }) => {
      const query = new URL(request.url).searchParams;
      const start = Number(query.get("start"));
      const count = Number(query.get("limit") ?? query.get("count"));
      return HttpResponse.json({
        items: steps.slice(start, start + count),
        step_count: steps.length,
      });
    }),
    answer("get", `/tapes/${TAPE}/family`, { items: [], stride: 1, count: 0 }),
    answer("get", `/tapes/${TAPE}/lint`, { items: [] }),
    answer("get", `/tapes/${TAPE}/suspect`, null),
    http.get(`http://studio.test/api/v1/tapes/${TAPE}/steps/:position/links`, () =>
      HttpResponse.json({ cause: null, prompts: [], later_prompt_count: 0, is_cut: false }),
    ),
    answer("get", `/tapes/${TAPE}/annotations`, { items: [] }),
    answer("get", "/session", session()),
    answer("get", `/jobs/${uuid(100)}`, job()),
    answer("get", "/agents", []),
    answer("get", "/models", []),
    answer("get", `/tapes/${TAPE}/fixes`, []),
    answer("get", `/tapes/${TAPE}/draft/preview`, { version: 1, items: [], resume_at: 0 }),
    answer("get", `/tapes/${TAPE}/steps/0/schema`, {
      kind: "user",
      family: "observation",
      is_known: true,
      data_schema: { properties: { content: { type: "string" } }, required: ["content"] },
      variants: [],
    }),
  );
}
