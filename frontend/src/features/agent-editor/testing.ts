/** An agent with a draft and a tape, on a mocked server. */
import { http, HttpResponse } from "msw";

import type { AgentDraft, DraftPrompt, NodeType } from "@/api/agentDrafts";
import type { JsonObject } from "@/lib/json";
import { answer } from "@/testing/answers";
import { agentDetail, agentVersion, MOMENT, tapeRow, uuid } from "@/testing/builders";
import { server } from "@/testing/server";

export const AGENT = uuid(300);

export const SPEC = {
  name: "analyst",
  description: "",
  llms: {},
  templates: { system: "You are an analyst.", act: "Do the next step." },
  nodes: [
    { type: "engine.TalkNode", settings: { name: "plan" } },
    {
      type: "engine.TalkNode",
      settings: { name: "act", template: "system", guidance: "act", next_node: "plan" },
    },
  ],
  subagents: [
    {
      name: "search",
      description: "",
      templates: { system: "Search the web." },
      nodes: [{ type: "engine.TalkNode", settings: { name: "find" } }],
      subagents: [],
      environment: "",
      max_iterations: 100,
    },
  ],
  environment: "",
  max_iterations: 100,
};

export function nodeType(part: Partial<NodeType> = {}): NodeType {
  return {
    type: "engine.TalkNode",
    title: "Talk",
    description: "Answers with text or with tool calls.",
    has_prompt: true,
    function_schema: null,
    written_in: "",
    settings_schema: {
      type: "object",
      properties: {
        llm: { type: "string", default: "default", description: "Which LLM answers." },
        template: { type: "string", default: "system" },
        guidance: { type: "string", default: "" },
        tools: { type: "array", items: { type: "string" }, description: "What it may call." },
        next_node: { type: "string", default: "", title: "Next Node" },
        retries: { type: "integer", default: 2, description: "How often it asks again." },
        tool_choice: { type: "string", default: "" },
      },
    },
    ...part,
  };
}

const edge = (source: string, target: string, label = "") => ({ source, target, label });

export function draft(part: Partial<AgentDraft> = {}): AgentDraft {
  return {
    agent_id: AGENT,
    agent_name: "analyst",
    base: { version_id: uuid(310), number: 1 },
    revision: 0,
    spec: SPEC,
    is_changed: false,
    problems: [],
    graph: {
      nodes: [
        place("/nodes/0", "plan"),
        place("/nodes/1", "act"),
        { ...place("/subagents/0/nodes/0", "find"), agent: "analyst/search", is_reachable: false },
      ],
      edges: [
        edge("/nodes/0", "/nodes/1"),
        edge("/nodes/1", "/nodes/0", "after an answer"),
        edge("/nodes/1", "/nodes/1", "after tool calls"),
      ],
    },
    tool_rules: [],
    variables: [
      { name: "user.content", holds: "What the person says (newest user step)" },
      { name: "tool.content", holds: "The field content of the newest tool step" },
      { name: "tool.is_error", holds: "Whether the call failed (newest tool step)" },
    ],
    filters: [
      { name: "json", holds: "as JSON" },
      { name: "lines", holds: "each item of a list on a line of its own" },
    ],
    changed_at: null,
    changed_by: "",
    can_undo: false,
    can_redo: false,
    ...part,
  };
}

function place(path: string, name: string) {
  return { path, agent: "analyst", name, type: "engine.TalkNode", is_reachable: true };
}

export function draftPrompt(part: Partial<DraftPrompt> = {}): DraftPrompt {
  return {
    node: "/nodes/1",
    node_name: "act",
    messages: [{ role: "system", content: "You are an analyst." }],
    tools: [],
    recorded_call_id: null,
    changes: [],
    has_other_tools: false,
    ...part,
  };
}

/** The editor's requests; a draft that is put comes back as stored. */
export function serveEditor(first: AgentDraft = draft()) {
  let stored = first;
  const puts: { spec: JsonObject; revision: number }[] = [];
  server.use(
    answer("get", `/agents/${AGENT}`, agentDetail({ versions: [agentVersion({ spec: SPEC })] })),
    answer("get", "/agents/node-types", [nodeType()]),
    answer("get", "/agents/tools", []),
    answer("get", "/agents/environments", [
      { name: "plain", description: "Answers everything.", settings_schema: null },
      {
        name: "shelf",
        description: "Answers from a shelf.",
        settings_schema: { type: "object", properties: { room: { type: "string" } } },
      },
    ]),
    answer("get", "/gallery", []),
    answer("get", "/models", []),
    answer("get", "/step-kinds", []),
    answer("get", "/tapes", { items: [], next: null }),
    http.get(`http://studio.test/api/v1/agents/${AGENT}/draft`, () => HttpResponse.json(stored)),
    http.put<never, { spec: JsonObject; revision: number }>(
      `http://studio.test/api/v1/agents/${AGENT}/draft`,
      async ({ request }) => {
        const body = await request.json();
        puts.push(body);
        stored = {
          ...stored,
          spec: body.spec,
          revision: body.revision + 1,
          is_changed: true,
          can_undo: true,
          changed_at: MOMENT,
        };
        return HttpResponse.json(stored);
      },
    ),
  );
  return { puts, newest: () => puts.at(-1)?.spec };
}

export const TAPE = tapeRow({ id: uuid(1), agent_name: "analyst" });
