import { expect, test } from "vitest";

import type { Part } from "@/lib/stepPart";
import { summaryOf, partsOf, partsOfFields } from "@/lib/stepParts";

function only(parts: readonly Part[]): Part {
  expect(parts).toHaveLength(1);
  const [part] = parts;
  if (part === undefined) throw new Error("No part.");
  return part;
}

test("short values stand together, texts alone, kind and metadata nowhere", () => {
  const parts = partsOf({
    kind: "note",
    page: 1,
    error: null,
    text: "long\ntext",
    metadata: { id: "x" },
  });

  expect(parts).toEqual([
    {
      type: "values",
      pointer: "/page",
      label: null,
      pairs: [
        { name: "page", value: "1", pointer: "/page" },
        { name: "error", value: "null", pointer: "/error" },
      ],
    },
    { type: "text", pointer: "/text", label: null, text: "long\ntext", look: "prose" },
  ]);
});

test("the mark of a step that was sent cut is no part of what it says", () => {
  const body = { kind: "tool", content: "Ein", $cut: "Only the beginning." };

  expect(partsOf(body)).toHaveLength(1);
  expect(summaryOf(body)).toBe("Ein");
});

test("what was thought before an answer is one part, however it is told", () => {
  const signed = [{ type: "thinking", thinking: "Add them.", signature: "s" }];
  const text = "Add them.";
  const body = { kind: "assistant", content: "Three.", thinking_blocks: signed };
  const thought = { type: "thought", pointer: "/reasoning_content", label: null };

  expect(partsOf({ ...body, reasoning_content: text })[0]).toEqual({ ...thought, text });
  expect(partsOf({ ...body, reasoning_content: text })).toHaveLength(2);
  expect(partsOf(body)[0]).toEqual({ ...thought, text: "" });
  const details = [{ type: "reasoning.encrypted", data: "abc", index: 0 }];
  const unknown = { kind: "guess", text: "9 km", reasoning_details: details };
  expect(partsOf(unknown)[0]).toEqual({ ...thought, text: "" });
  expect(partsOf(unknown)).toHaveLength(2);
  expect(summaryOf({ kind: "assistant", reasoning_content: text, content: "3" })).toBe("3");
});

test("tool calls show their name and arguments", () => {
  const call = { id: "c1", type: "function", function: { name: "add", arguments: '{"a":1}' } };

  expect(only(partsOf({ kind: "assistant", tool_calls: [call] }))).toMatchObject({
    type: "tools",
    calls: [{ id: "c1", name: "add", arguments: '{ "a": 1 }' }],
  });
});

test("tool calls of an odd shape show as a table of what they hold", () => {
  expect(only(partsOf({ kind: "assistant", tool_calls: [{ name: 3 }] })).type).toBe("table");
  expect(only(partsOf({ kind: "assistant", tool_calls: [["x".repeat(80)]] })).type).toBe("json");
});

test("arguments that are no JSON show as they are", () => {
  const call = { function: { name: "add", arguments: "{oops" } };

  expect(partsOf({ kind: "a", tool_calls: [call] })[0]).toMatchObject({
    calls: [{ arguments: "{oops" }],
  });
});

test("a message is prose, what a tool gave is not", () => {
  expect(partsOf({ kind: "user", content: "**Hi**" })[0]).toMatchObject({ look: "prose" });
  expect(partsOf({ kind: "tool", content: "**Hi**" })[0]).toMatchObject({ look: "plain" });
});

test("a tool result that is JSON in a text shows as what the JSON holds", () => {
  const rows = '[{"name": "Ada", "age": 36}, {"name": "Bob", "age": 7}]';
  const tree = JSON.stringify({ deep: { deeper: Array.from({ length: 40 }, (_, at) => at) } });

  expect(only(partsOf({ kind: "tool", content: rows }))).toMatchObject({
    type: "table",
    rows: [{ name: "Ada" }, { name: "Bob" }],
  });
  expect(only(partsOf({ kind: "tool", content: "[[1, 2], [3, 4]]" }))).toMatchObject({
    type: "table",
    rows: [
      [1, 2],
      [3, 4],
    ],
  });
  expect(only(partsOf({ kind: "tool", content: tree })).type).toBe("json");
  expect(only(partsOf({ kind: "tool", content: "[not json" })).type).toBe("text");
});

test("a result in columns keeps them, words do not need it", () => {
  const table = "name   age\nada     36\ngrace   41";

  expect(only(partsOf({ kind: "tool", content: table }))).toMatchObject({ look: "mono" });
  expect(only(partsOf({ kind: "tool", content: "One line.\nAnother." }))).toMatchObject({
    look: "plain",
  });
});

test("what a person writes is never taken for JSON", () => {
  expect(only(partsOf({ kind: "user", content: '[{"a": 1}]' })).type).toBe("text");
});

test("code knows its language by its own field, its file, or the kind of the step", () => {
  const language = (body: Record<string, unknown>) =>
    partsOf(body)
      .filter((part) => part.type === "code")
      .map((part) => part.language);

  expect(language({ kind: "python_code_action", name: "a", code: "print(1)" })).toEqual(["python"]);
  expect(language({ kind: "run", filename: "a.sh", code: "ls" })).toEqual(["bash"]);
  expect(language({ kind: "run", sql: "select 1" })).toEqual(["sql"]);
  expect(
    language({
      kind: "execute_code",
      code: [
        { language: "sh", code: "ls" },
        { language: "python", code: "1" },
      ],
    }),
  ).toEqual(["bash", "python"]);
});

test("a page says which page it is and where from, by its fields and not by its kind", () => {
  const page = { text: "Words", current_page: 2, total_pages: 9, url: "https://example.org/a" };

  for (const kind of ["page_observation", "anything"]) {
    expect(only(partsOf({ kind, ...page }))).toMatchObject({
      type: "page",
      place: "Page 2 of 9",
      url: "https://example.org/a",
      text: "Words",
    });
  }
});

test("an error is one by its field, or because the result says so", () => {
  expect(only(partsOf({ kind: "x", error: "Boom" })).type).toBe("error");
  const failed = { kind: "tool", content: "Boom", is_error: true };
  expect(partsOf(failed).map(({ type }) => type)).toEqual(["error", "values"]);
  expect(only(partsOf({ kind: "x", error: "" })).type).toBe("values");
});

test("only pictures inside the tape, and of formats without scripts, are pictures", () => {
  const png =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";

  expect(only(partsOf({ kind: "x", image: png })).type).toBe("image");
  for (const source of [
    "data:image/svg+xml;base64,PHN2Zz4=",
    "data:text/html,<script>1</script>",
    'data:image/png;base64,a" onerror="x',
  ]) {
    expect(["text", "values"]).toContain(only(partsOf({ kind: "x", image: source })).type);
  }
  const remote = { type: "image_url", image_url: { url: "https://evil.example/a.png" } };
  expect(only(partsOf({ kind: "user", content: [remote] }))).toMatchObject({ type: "link" });
});

test("what a person attached shows below their words", () => {
  const attachments = [
    { type: "image_url", image_url: { url: "https://example.org/a.png" } },
    { type: "input_audio", input_audio: { data: "A".repeat(4000), format: "wav" } },
    { type: "image_url", image_url: { url: "data:image/svg+xml;base64,PHN2Zz4=" } },
  ];

  expect(partsOf({ kind: "user", content: "Look", attachments })).toMatchObject([
    { type: "text", text: "Look" },
    { type: "link", url: "https://example.org/a.png", label: null },
    { type: "text", text: "Recording, wav, 3.0 kB" },
    { type: "text", text: "An image that cannot be shown, 34 B" },
  ]);
});

test("videos and other files are named, not shown as their letters", () => {
  const letters = "A".repeat(4000);
  const content = [
    { type: "text", text: "Watch" },
    {
      type: "file",
      file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${letters}` },
    },
    { type: "video_url", video_url: { url: `data:video/mp4;base64,${letters}` } },
    { type: "video_url", video_url: { url: "https://example.org/a.mp4" } },
  ];

  expect(partsOf({ kind: "user", content })).toMatchObject([
    { type: "text", text: "Watch" },
    { type: "text", text: "a.pdf, application/pdf, 3.0 kB" },
    { type: "text", text: "Video, video/mp4, 3.0 kB" },
    { type: "link", url: "https://example.org/a.mp4" },
  ]);
  const seen = partsOf({
    kind: "screen_observation",
    capture: `data:video/webm;base64,${letters}`,
  });
  expect(only(seen)).toMatchObject({ type: "text", text: "Video, video/webm, 3.0 kB" });
});

test("only web addresses become links", () => {
  expect(only(partsOf({ kind: "open", url: "https://example.org" })).type).toBe("link");
  expect(only(partsOf({ kind: "open", url: "javascript:alert(1)" })).type).toBe("values");
});

test("a plan is a numbered list, other texts of a list are not", () => {
  const items = ["Look around in the whole house", "Then write down what there is to see in it"];

  expect(only(partsOf({ kind: "x", plan: items }))).toMatchObject({
    type: "list",
    isOrdered: true,
  });
  expect(only(partsOf({ kind: "x", names: items }))).toMatchObject({ isOrdered: false });
});

test("a result of named values with a text among them reads as fields", () => {
  const result = { exit_code: 1, output: "line\n".repeat(30) };

  const part = only(partsOf({ kind: "code_execution_result", result }));

  expect(part).toMatchObject({
    type: "group",
    label: "result",
    parts: [{ type: "values" }, { type: "text", pointer: "/result/output" }],
  });
});

test("arguments all say their name, code among them looks like code", () => {
  const parts = partsOfFields({ text: "short", code: "a = 1\nb = 2", content: "x".repeat(80) });

  expect(parts.map(({ type, label }) => [type, label])).toEqual([
    ["values", null],
    ["code", "code"],
    ["text", "content"],
  ]);
});

test("parts of any step have places of their own", () => {
  const body = { kind: "x", "a/b": "x".repeat(90), a: { b: 1 }, "~": ["y".repeat(90)], z: [[]] };
  const pointers = partsOf(body).map(({ pointer }) => pointer);

  expect(new Set(pointers).size).toBe(pointers.length);
  expect(pointers).toContain("/a~1b");
});

test("a very large value is sorted out without reading all of it", () => {
  let readCount = 0;
  const items = Array.from({ length: 10_000 }, () => ({
    get deep() {
      readCount += 1;
      return [];
    },
  }));

  expect(only(partsOf({ kind: "x", items })).type).toBe("table");
  expect(only(partsOf({ kind: "x", value: { items } })).type).toBe("json");

  expect(readCount).toBeLessThan(100);
});

test("a summary is the first text of a step", () => {
  expect(summaryOf({ kind: "user", count: 1, content: "Hello\n  there" })).toBe("Hello there");
});
