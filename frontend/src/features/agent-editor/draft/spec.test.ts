import { expect, test } from "vitest";

import { layOutArcs } from "@/features/agent-editor/agent/arcs";
import {
  withMoved,
  withMemberName,
  withModelName,
  withName,
  withNode,
  withoutPlace,
} from "@/features/agent-editor/draft/specChanges";
import { findWriter, listAgents, splitPlace } from "@/features/agent-editor/draft/specPlaces";
import { SPEC } from "@/features/agent-editor/testing";

test("a pointer is split into the node or agent that it is in, and the field", () => {
  expect(splitPlace("/nodes/0/settings/next_node")).toEqual({
    path: "/nodes/0",
    field: "/settings/next_node",
  });
  expect(splitPlace("/subagents/1/nodes/2")).toEqual({ path: "/subagents/1/nodes/2", field: "" });
  expect(splitPlace("/subagents/1/templates/system")).toEqual({
    path: "/subagents/1",
    field: "/templates/system",
  });
  expect(splitPlace("/llms/default")).toEqual({ path: "", field: "/llms/default" });
});

test("the node that wrote a step is found in its member, whatever the root's name was", () => {
  expect(findWriter(SPEC, "another_name", "act")).toBe("/nodes/1");
  expect(findWriter(SPEC, "another_name/search", "find")).toBe("/subagents/0/nodes/0");
  expect(findWriter(SPEC, "analyst", "find")).toBeNull();
});

test("any JSON is listed without an error", () => {
  expect(listAgents({ nodes: "none", subagents: [1, null, { nodes: [{ type: 3 }] }] })).toEqual([
    { path: "", fullName: "", name: "", depth: 0, nodes: [] },
    {
      path: "/subagents/2",
      fullName: "",
      name: "",
      depth: 1,
      nodes: [{ path: "/subagents/2/nodes/0", type: "", name: "" }],
    },
  ]);
});

test("a renamed node keeps what leads to it, and a new one gets a free name", () => {
  const renamed = withName(SPEC, "/nodes/0", "think");
  expect(renamed).toMatchObject({ nodes: [{}, { settings: { next_node: "think" } }] });

  const { spec, path } = withNode(withNode(renamed, "", "x.TalkNode").spec, "", "x.TalkNode");

  expect(path).toBe("/nodes/3");
  expect(listAgents(spec)[0]?.nodes.map(({ name }) => name)).toEqual([
    "think",
    "act",
    "talk",
    "talk_2",
  ]);
  const after = withNode(SPEC, "/nodes/0", "x.TalkNode");
  expect(after.path).toBe("/nodes/1");
  expect(listAgents(after.spec)[0]?.nodes.map(({ name }) => name)).toEqual(["plan", "talk", "act"]);
});

test("a renamed node, subagent or model keeps its name wherever nodes refer to it", () => {
  const llms = { default: { model: "a", parameters: {} } };
  const refers = {
    name: "refers",
    routes: { tool: "plan" },
    otherwise: "done",
    content: "plan",
    inputs: { of: { node: "plan", subagent: "helper" } },
  };
  const spec = {
    name: "a",
    llms,
    nodes: [
      { type: "x", settings: { name: "plan" } },
      { type: "x", settings: refers },
    ],
    subagents: [{ name: "helper", nodes: [] }],
  };

  const node = withName(spec, "/nodes/0", "think");
  const member = withMemberName(spec, "/subagents/0", "writer");
  const model = withModelName(spec, "", "default", "main");

  expect(node.nodes).toEqual([
    { type: "x", settings: { name: "think" } },
    {
      type: "x",
      settings: {
        ...refers,
        routes: { tool: "think" },
        inputs: { of: { node: "think", subagent: "helper" } },
      },
    },
  ]);
  expect(member).toMatchObject({
    nodes: [{}, { settings: { inputs: { of: { node: "plan", subagent: "writer" } } } }],
    subagents: [{ name: "writer" }],
  });
  expect(model).toMatchObject({
    llms: { main: { model: "a" } },
    nodes: [{ settings: { llm: "main" } }, { settings: { llm: "main" } }],
  });
});

test("the first node cannot move up, and a member can be removed", () => {
  expect(withMoved(SPEC, "/nodes/0", -1)).toBe(SPEC);
  expect(withoutPlace(SPEC, "/subagents/0")).toMatchObject({ subagents: [] });
});

test("arrows that overlap run in lanes of their own, short ones next to the nodes", () => {
  const arcs = layOutArcs([
    { from: 3, to: 0, label: "" },
    { from: 1, to: 1, label: "" },
    { from: 0, to: 1, label: "" },
    { from: 3, to: 2, label: "" },
  ]);

  expect(arcs.map(({ from, to, lane }) => [from, to, lane])).toEqual([
    [1, 1, 1],
    [0, 1, 0],
    [3, 2, 1],
    [3, 0, 2],
  ]);
});
